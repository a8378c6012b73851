"""How much two sentences are alike, and whether that makes them counterparts.

Measured on real sentences (2,400 of IcePaHC, 2,001 of EWT): of two that have nothing to do with
each other, 95 of 100 have less than 0.17 of their words in common, in order, and less than 0.42
of their characters; of a sentence and itself with half of its words wrong, 99 of 100 have half of
the words in common, and with a letter of every third word wrong, more than 0.75 of the characters.
"""

from __future__ import annotations

from collections.abc import Sequence

from treelens.rules import distances

SURE = 0.4, 0.55
"""Shares of words and of characters in common, either of which makes counterparts."""

LIKELY = 0.3, 0.5
"""Shares that make counterparts, but no certain ones."""

GUESS = 0.2, 0.42
"""Shares that make counterparts where there is nothing else to choose."""

_CHARACTERS = 4000
"""Longer sentences are compared by words only."""


def alike(one: Sequence[bytes], other: Sequence[bytes], shares: tuple[float, float]) -> bool:
    """Whether two texts, given by their words, have so much in common."""
    words, characters = shares
    if not one or not other:
        return False
    if distances.LCSseq.normalized_similarity(one, other, score_cutoff=words):
        return True
    texts = [b" ".join(side).decode("utf-8", "surrogateescape") for side in (one, other)]
    if max(map(len, texts)) > _CHARACTERS:
        return False
    return distances.fuzz.ratio(*texts, score_cutoff=100 * characters) > 0


def mean_likeness(pairs: Sequence[tuple[Sequence[bytes], Sequence[bytes]]]) -> tuple[float, float]:
    """The shares of words and of characters that pairs of texts have in common, on average; 0 to
    1. Where there are few different words, those say more."""
    texts = [
        [b" ".join(side)[:_CHARACTERS].decode("utf-8", "replace") for side in pair]
        for pair in pairs
    ]
    words = sum(distances.LCSseq.normalized_similarity(*pair) for pair in pairs)
    characters = sum(distances.fuzz.ratio(*pair) for pair in texts) / 100
    count = max(len(pairs), 1)
    return words / count, characters / count
