"""Treelens: pair, align and score treebank files.

The pure core: text in, values out. Importing it loads neither nltk nor pygls.
"""

__version__ = "0.1.0"
