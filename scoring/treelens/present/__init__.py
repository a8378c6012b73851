"""What an editor shows of a snapshot, as plain values with offsets; each feature is a module.

A feature's twin of the same name in ``treelens_server.features`` puts it into the protocol's
words. None of these functions takes longer for a longer file: they look at the sentences in
view and around it (:mod:`treelens.present.window`), or at whole columns at once.
"""
