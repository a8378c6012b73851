"""The bounds that more than one module keeps to."""

LARGEST = 256 << 20
"""Bytes of a file that is read; past this the command line is the place."""

LONGEST_LIST = 10_000
"""Places, stretches or files in one message: no editor has as many carets, and a longer list is
somebody's mistake, for which all others would wait."""
