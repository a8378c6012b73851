"""Counts of two corpora's sentences in bounded memory: all that scores need.

The texts are read in stretches that are likely to hold the same sentences. Each is aligned by
itself, counted at once and let go. What is known of each sentence waits on disk: if
anywhere the texts differ, all are aligned by that, and what this says otherwise is counted again.
So the groups of sentences and their counts are those of the texts taken whole
(:func:`treelens.session.pair.pair`), whatever the stretches' size and whoever counts them.

Pure but for the sources: a stretch is a piece of work that any thread, process or machine can do.
"""
