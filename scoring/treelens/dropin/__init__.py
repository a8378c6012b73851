"""Byte-identical stand-ins for the reference scorers, bugs included.

Published numbers depend on what ``evalb`` and ``evalb_spmrl`` print, so these modules copy
their behaviour and nothing else; ``treelens score`` computes what is right. The way of a
sentence: ``settings`` (parameter files) → ``buffers`` (lines as C reads them) →
``sentences`` (words and brackets of a line) → ``comparison`` (a pair's tally) → ``rows``
(what is printed of it). ``dialects`` names every difference between the two programs,
``columns`` computes the tallies of ordinary pairs many at a time (``batches`` decides when),
and ``program`` puts the parts together. Nothing here touches files or streams: whoever runs a
program hands it a ``world.World``.
"""
