"""Consistency: the same words in the same context, annotated differently.

Sentences in, groups of occurrences that are annotated in more than one way out, a module a kind:
identical sentences (``texts``), words (``tags``), pairs of words (``relations``), strings of
words (``brackets``); ``rare`` asks of single decisions how often the corpus decides so. ``index``
keeps the answers while sentences are edited. Knows no gold and no system, no files, no editor.

Sources: Dickinson & Meurers 2003 (tags, constituents), Boyd, Dickinson & Meurers 2008
(dependencies), de Marneffe et al. 2017 (Universal Dependencies), Wisniewski 2018 (identical
sentences), Dell'Orletta et al. 2013 and Alzetta et al. 2018 (rarity).
"""
