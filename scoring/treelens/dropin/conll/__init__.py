"""Stand-ins for the CoNLL attachment scorers: ``eval.pl``, ``eval07.pl`` and SPMRL's copy.

The three programs are one Perl script at three ages; ``dialects`` names every difference. The
way of a file: ``arguments`` → ``lines`` (both files, line by line, cut into sentences) →
``tokens`` (the columns that count) → ``attachment`` (right and wrong, by sentence) → with the
long report ``tally`` (everything that its tables need) → ``report``, ``contexts`` and
``specific`` (the tables). ``perl`` reads and writes values as Perl does.

Equal bytes are promised for ``-q``, ``-q -b`` and ``-L``. The long report of the originals
depends on the order in which Perl walks a hash, which differs from run to run: of equal counts
any may come first, and where the most general contexts of an error are dropped even the choice
of rows depends on it. Here every hash is walked in the order of its keys' bytes, so that the
report is the one that the originals print when they do so.
"""
