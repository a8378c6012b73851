"""Stand-ins for ``conll18_ud_eval.py`` and the evaluation of the UD tools.

Sources: the evaluation script of the CoNLL 2018 shared task, version 1.2, *with* its check for a
single root; ``eval.py`` of the Universal Dependencies tools, which adds the enhanced scores of
IWPT 2020 (ELAS, EULAS). The way of a file: ``treebank`` (columns of words, and everything that is
wrong with the file) → ``alignment`` (which words of both files are the same) → ``scores`` and
``enhanced`` (counts) → ``table``. ``parts`` finds where texts differ and what is left when faulty
sentences are taken out, and ``program`` puts the parts together.

Standard output is the originals', byte for byte, wherever they print a table. Where they stop at
the first fault with a traceback, every fault is told with its file, line and sentence; the exit
status is theirs. Known divergences, all where the originals stop or go astray: empty nodes inside
multiword tokens are skipped by ``conll18`` too (the original takes them for words and then dies
of their head), and sentences deeper than Python's recursion are no problem.
"""
