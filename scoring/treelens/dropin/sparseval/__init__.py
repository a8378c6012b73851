"""A stand-in for SParseval (Roark et al., *SParseval: Evaluation Metrics for Parsing Speech*,
LREC 2006).

The way of a run: ``arguments`` → ``settings`` (parameters) and a head table → ``reading`` (lines
to trees) → ``edits`` (EDITED flattened, raised, joined) → ``alignment`` (places for words) →
``comparison`` (brackets, and dependencies from ``dependencies``, which are compared place by
place, or as ``sequences``) → ``printing``. ``words`` says which words are equal, ``program``
puts it together.

Text is held as one character a byte (Latin-1), which is how the program compares it.

Where the original reads or writes memory that is not its own, there is nothing to copy; what
happens instead is in docs/sparseval.md.
"""
