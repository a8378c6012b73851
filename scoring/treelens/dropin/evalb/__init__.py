"""evalb and evalb_spmrl, by their dialect.

The way of a sentence: ``settings`` (parameter files) → ``buffers`` (lines as C reads them) →
``sentences`` (words and brackets of a line) → ``comparison`` (a pair's tally) →
``shared.rows`` (what is printed of it). ``dialects`` names every difference between the two
programs, ``columns`` computes the tallies of ordinary pairs many at a time (``batches`` decides
when), and ``program`` puts the parts together.
"""
