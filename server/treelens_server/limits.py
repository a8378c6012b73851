"""The bounds that more than one module keeps to."""

LARGEST = 256 << 20
"""Bytes of a file that is read; past this the command line is the place."""
