"""What the sentences of one side say: the text that both sides are aligned by.

A sentence's text consists of *units*. Where words are parts of tokens (:class:`Anchors`) and the
token's form is known, that is one unit; every other word is one of its own. Words that nobody
wrote (traces) are no part of the text.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from treelens.rules.spelling import DistinctWords, powers
from treelens.trees.forest import Forest, Ints, Keys, Symbols

Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


def token_starts(forest: Forest, rows: Rows, sentences: slice = slice(None)) -> Flags:
    """Which of some words, in order, are the first one of their token; ``(rows,)``.

    ``sentences``: those that the words are in, with the one behind them.
    """
    starts = np.ones(len(rows), np.bool_)
    if forest.anchors is not None:
        token = forest.anchors.token[rows]
        starts[1:] = token[1:] != token[:-1]
        first = np.searchsorted(rows, forest.first_leaf[sentences])
        starts[first[first < len(rows)]] = True
    return starts


def units(forest: Forest, trace: Flags, sentences: slice = slice(None)) -> tuple[Rows, Keys]:
    """The word that each unit of the text starts with, and the unit's key; ``(units,)`` each.

    ``trace`` says, by label id, which tags are of words that nobody wrote; ``sentences``: as
    in :func:`token_starts`.
    """
    bounds = forest.first_leaf[sentences]
    first, end = int(bounds[0]), int(bounds[-1])
    rows = np.flatnonzero(~trace.take(forest.tag[first:end])) + first
    if forest.anchors is None:
        return rows, forest.word[rows]
    surface = forest.anchors.surface[rows]
    kept = token_starts(forest, rows, sentences) | (surface == 0)
    rows, surface = rows[kept], surface[kept]
    return rows, np.where(surface == 0, forest.word[rows], surface)


def spelt(forest: Forest, rows: Rows, keys: Keys, words: DistinctWords) -> Ints:
    """The numbers, among ``words``, of what stands for each key at some words' places."""
    sentence = None
    if words.in_context:
        sentence = np.searchsorted(forest.first_leaf, rows, side="right").astype(np.int32)
    return words.spelt(keys, sentence)


def compared(forest: Forest, rows: Rows, keys: Keys, words: DistinctWords) -> Keys:
    """The keys of what stands for each key at some words' places: equal for equal words."""
    return words.normal(spelt(forest, rows, keys, words))


def sentence_texts(
    forest: Forest, sentences: range, trace: Flags, words: DistinctWords
) -> list[list[bytes]]:
    """The units of each of some sentences that stand one behind the other, as they are compared."""
    those = slice(sentences.start, sentences.stop + 1)
    rows, keys = units(forest, trace, those)
    said = texts(forest.symbols, compared(forest, rows, keys, words))
    bounds = np.searchsorted(rows, forest.first_leaf[those]).tolist()
    return [said[first:end] for first, end in itertools.pairwise(bounds)]


def text_numbers(forest: Forest, trace: Flags, words: DistinctWords) -> Keys:
    """Length in bytes, and number, of each sentence's text; ``(sentences, 2)``.

    The number is the sum of what its bytes are worth, each times
    :func:`~treelens.rules.spelling.powers` of its place: those of two texts make that of both
    together. Equal numbers only steer the search: whether words are equal is looked up before
    they count.
    """
    rows, keys = units(forest, trace)
    lengths, numbers = words.texts(spelt(forest, rows, keys, words))
    bounds = np.searchsorted(rows, forest.first_leaf)
    ends = np.append(0, np.cumsum(lengths, dtype=np.int64))
    length = np.diff(ends[bounds])
    place = ends[:-1] - np.repeat(ends[bounds[:-1]], np.diff(bounds))
    sums = np.zeros(len(rows) + 1, np.uint64)
    # Wraps around, and so do the differences.
    np.cumsum(numbers * powers(place), out=sums[1:])
    return np.stack([length.astype(np.uint64), sums[bounds[1:]] - sums[bounds[:-1]]], axis=1)


def texts(symbols: Symbols, keys: Keys) -> list[bytes]:
    """What the keys stand for. An empty word is a NUL here, so that it has a place."""
    return [token or b"\0" for token in symbols.tokens(keys)]
