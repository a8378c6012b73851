"""Text edits that make trees different: what an annotator does to a treebank, as plain values.

``text``: edits themselves. ``brackets`` and ``rows``: what can be done to a tree of brackets, and
to a table of words. ``take``: what of another file's sentence this file's gets. ``repair``: what
mends a problem of the text. None of this scores anything or knows an editor; everything keeps
the layout of the text that it does not have to change.
"""
