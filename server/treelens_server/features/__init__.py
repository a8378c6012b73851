"""What the server answers: each feature is a module, the twin of one in ``treelens.present``.

A handler is three calls: decode the position, ask the core, encode the answer. It is given a
context (:mod:`treelens_server.context`) and the request's parameters; what it raises is caught in
one place (:mod:`treelens_server.server`), logged, and answered with what its handler calls empty.
No feature imports another: to delete one is to delete its module and its line in the list.
"""
