"""How much two sentences are alike, and whether that makes them counterparts.

Measured on real sentences (2,400 of IcePaHC, 2,001 of EWT): of two that have nothing to do with
each other, 95 of 100 have less than 0.17 of their words in common, in order, and less than 0.42
of their characters; of a sentence and itself with half of its words wrong, 99 of 100 have half of
the words in common, and with a letter of every third word wrong, more than 0.75 of the characters.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treelens.align.subsequence import share_in_common
from treelens.align.words import folded
from treelens.rules import distances
from treelens.rules.spelling import is_punctuation

Words = Sequence[bytes]

SURE = 0.4, 0.55
"""Shares of words and of characters in common, either of which makes counterparts."""

CLOSE = 0.6, 0.7
"""The same where there are many to choose from. Of 7,000 sentences of EWT and IcePaHC, each put
among 60 to 1,000 others, 250 were paired with one of these, 15 of them by so much (*Thanks ,* and
*Thanks .*)."""

LIKELY = 0.3, 0.5
"""Shares that make counterparts, but no certain ones."""

GUESS = 0.2, 0.42
"""Shares that make counterparts where there is nothing else to choose."""

LETTERS = 0.15
"""Of letters, in words that both have: counterparts that are guesses have it, also where all around
them is the same (:func:`in_letters`)."""

_MARGIN = 0.1
"""By how much more of their characters counterparts must have in common than others."""

_CHARACTERS = 4000
"""Longer sentences are compared by words only."""


_PUNCTUATION = 32
"""What is longer, in bytes, is a word, whatever it is made of."""


def without_punctuation(words: Words) -> Words:
    """Those of some words that are no punctuation."""
    return [
        word
        for word in words
        if word.isalnum() or len(word) > _PUNCTUATION or not is_punctuation(word)
    ]


def telling(one: Words, other: Words) -> tuple[Words, Words]:
    """The words of two texts that are no punctuation; all of them where one has no others.

    That sentences end alike says nothing of them. Of real sentences of two to five words that have
    nothing to do with each other (EWT), 1 of 100 are sure to be alike by what is left. Symbols are
    words: they are few where nobody counts.
    """
    left = without_punctuation(one), without_punctuation(other)
    return left if all(left) else (one, other)


def alike(
    one: Words, other: Words, shares: tuple[float, float], *, punctuation: bool = False
) -> bool:
    """Whether two texts, given by their words, have so much in common, of characters also in
    another case; ``punctuation``: whether that counts, too."""
    words, characters = shares
    if not punctuation:
        one, other = telling(one, other)
    if not one or not other:
        return False
    shorter, longer = sorted(map(len, (one, other)))
    if shorter / longer >= words and share_in_common(one, other, words):
        return True
    if longer > _CHARACTERS:
        return False
    texts = [b" ".join(side).decode("utf-8", "surrogateescape").lower() for side in (one, other)]
    if max(map(len, texts)) > _CHARACTERS:
        return False
    return distances.fuzz.ratio(*texts, score_cutoff=100 * characters) > 0


def in_letters(one: Words, other: Words) -> bool:
    """Whether two texts have words in common, in any order, that are more than such as all texts
    have, which are short: :data:`LETTERS` of all, but for the first one of each word.

    Of real sentences (EWT, Sequoia, IcePaHC) without a fifth on either side, of those that stand in
    one place by chance and are alike enough for a guess, 6 of 10 have not; where half of the words
    of a sentence are wrong, it has.
    """
    letters = [sum(map(len, side)) - len(side) for side in (one, other)]
    common = [*(Counter(one) & Counter(other)).elements()]
    return sum(map(len, common)) - len(common) >= LETTERS * max(letters)


def tells_apart(pairs: Sequence[tuple[Words, Words]]) -> bool:
    """Whether pairs of sentences, one after the other, have more in common than each with the
    next one's."""
    others = [(pair[0], after[1]) for pair, after in itertools.pairwise(pairs)]
    measured = zip(_mean_likeness(pairs), _mean_likeness(others), strict=True)
    return any(ours > theirs + _MARGIN for ours, theirs in measured)


def _mean_likeness(pairs: Sequence[tuple[Words, Words]]) -> tuple[float, float]:
    """The shares of words and of characters that pairs of texts have in common, on average; 0 to
    1. Where there are few different words, those say more."""
    texts = [
        [b" ".join(side)[:_CHARACTERS].decode("utf-8", "replace") for side in pair]
        for pair in pairs
    ]
    words = sum(share_in_common(*pair) for pair in pairs)
    characters = sum(distances.fuzz.ratio(*pair) for pair in texts) / 100
    count = max(len(pairs), 1)
    return words / count, characters / count


def shared_words(one: Sequence[Words], other: Sequence[Words]) -> npt.NDArray[np.float64]:
    """How many words each text has in common with each of the other side's, in order, whatever
    their case, and nothing where that is a smaller share than :data:`GUESS`; those count more that
    are all of a text. ``(texts, other side's texts)``."""
    words = {word for side in (one, other) for text in side for word in text}
    letters: dict[bytes, str] = {}
    letter = {word: letters.setdefault(folded(word), chr(len(letters))) for word in words}
    texts: list[list[str]] = []
    which: list[list[int]] = []
    for side in (one, other):
        # Where words are few, texts are, too: each is compared once.
        different: dict[tuple[bytes, ...], int] = {}
        which.append([different.setdefault(tuple(text), len(different)) for text in side])
        texts.append(["".join(letter[word] for word in text) for text in different])
    shared = distances.process.cdist(*texts, scorer=distances.LCSseq.similarity, dtype=np.int32)
    lengths = [np.array([len(text) for text in side]) for side in texts]
    share = shared / np.maximum(np.maximum.outer(*lengths), 1)
    found: npt.NDArray[np.float64] = np.where(share >= GUESS[0], shared * (1 + share) / 2, 0)
    return found[np.ix_(*which)]


def heaviest_pairs(weights: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Rows and columns in pairs, in order, none twice, with the greatest sum of weights (Needleman
    and Wunsch 1970, with gaps that cost nothing)."""
    rows, columns = weights.shape
    best = np.zeros((rows + 1, columns + 1))
    for row in range(rows):
        paired = np.maximum(best[row, 1:], best[row, :-1] + weights[row])
        best[row + 1, 1:] = np.maximum.accumulate(paired)
    pairs = []
    row, column = rows, columns
    while row and column:
        if best[row, column] == best[row - 1, column]:
            row -= 1
        elif best[row, column] == best[row, column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs[::-1]


def per_sentence(
    shared: npt.NDArray[np.float64], pairs: Sequence[tuple[int, int]] | None = None
) -> float:
    """What sentences, or those that some pairs span, have in common, for each of them."""
    pairs = heaviest_pairs(shared) if pairs is None else pairs
    if not pairs:
        return 0.0
    first, last = pairs[0], pairs[-1]
    total = sum(shared[pair] for pair in pairs)
    return float(total / (last[0] - first[0] + last[1] - first[1] + 2))
