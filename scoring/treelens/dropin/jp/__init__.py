"""The same output as the released ``jp-evalb`` script, bugs included.

Jo, Park & Park (2024), *A Novel Alignment-based Approach for PARSEVAL Measures*, and its demo
(Park et al., NAACL 2024), line up sentences and words that differ before they count brackets.
Numbers are published with their script, so these modules copy what it does, and where it
stops with an error they say what it would have said (each such place is marked *Mended*).
The way of a file: ``settings`` (parameter files) → ``stretches`` (a megabyte of either file at a
time) → ``reading`` (a line to what is counted of
it; ``quick`` does the same for ordinary lines) → ``sentences`` (which sentences go together)
→ ``words`` (which words do) → ``comparison`` (a group's tally) → ``printing``. ``program``
puts the parts together.

This alignment is not ours: ``treelens.align`` lines up what ``treelens score`` counts, and
``docs/jp-evalb.md`` says case by case how the two differ.
"""
