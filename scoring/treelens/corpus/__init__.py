"""A corpus: many files as one thing, given names and texts.

The command line, the server and a cluster's workers say which files there are and how one is
opened (:class:`Source`); what reads a corpus is a map over its files or blocks, with sums that
merge, and holds none of it in memory unless it must::

    for path in walk(listing):                  # which files a folder has
        source = Source(path, functools.partial(...))
        for block in blocks(source, size, symbols):
            block.forest, block.problems, block.line, block.sentence

* :mod:`~treelens.corpus.sources`: named texts; what is packed or in another encoding is read as
  a stream of UTF-8.
* :mod:`~treelens.corpus.blocks`: texts in forests of a bounded size, cut between sentences: the
  same sentences, problems and places whatever the size.
* :mod:`~treelens.corpus.folders`: walking, pairs by relative path, the folders that a file's
  numbers are part of.

Knows no metric and no command, and opens nothing itself. Progress and cancelling are one hook
(:data:`Watch`): it is told how many bytes were read, and what it raises ends the work.
"""

from treelens.corpus.blocks import BLOCK_BYTES, Block, blocks
from treelens.corpus.folders import FolderEntry, Paired, folders, pair_names, walk
from treelens.corpus.sources import Source, SourceError, Watch, chunks, of_text, whole

__all__ = [
    "BLOCK_BYTES",
    "Block",
    "FolderEntry",
    "Paired",
    "Source",
    "SourceError",
    "Watch",
    "blocks",
    "chunks",
    "folders",
    "of_text",
    "pair_names",
    "walk",
    "whole",
]
