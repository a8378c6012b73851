"""What the sentences of one side say: the text that both sides are aligned by.

A sentence's text consists of *units*. Where words are parts of tokens (:class:`Anchors`) and the
token's form is known, that is one unit; every other word is one of its own. Words that nobody
wrote (traces) are no part of the text.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.forest import Forest, Keys, Symbols

Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]

_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)
_HALF = np.uint64(32)
_LAST_BYTE = np.uint64(56)


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
    rows = np.flatnonzero(~trace[forest.tag[first:end]]) + first
    if forest.anchors is None:
        return rows, forest.word[rows]
    surface = forest.anchors.surface[rows]
    kept = token_starts(forest, rows, sentences) | (surface == 0)
    rows, surface = rows[kept], surface[kept]
    return rows, np.where(surface == 0, forest.word[rows], surface)


def sentence_text(forest: Forest, sentence: int, trace: Flags) -> list[bytes]:
    """The units of one sentence."""
    return texts(forest.symbols, units(forest, trace, slice(sentence, sentence + 2))[1])


def yield_hashes(forest: Forest, trace: Flags) -> Keys:
    """A hash of each sentence's text, unit by unit; ``(sentences,)``.

    Equal hashes only steer the search: whether words are equal is looked up before they count.
    """
    rows, keys = units(forest, trace)
    first = np.searchsorted(rows, forest.first_leaf)
    within = np.arange(len(rows)) - np.repeat(first[:-1], np.diff(first))
    mixed = keys * _MULTIPLIERS[1] + (within.astype(np.uint64) + np.uint64(1)) * _MULTIPLIERS[0]
    for multiplier in _MULTIPLIERS[1:]:
        mixed = (mixed ^ (mixed >> _HALF)) * multiplier
    mixed ^= mixed >> _HALF
    sums = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed, out=sums[1:])  # wraps around, and so do the differences
    return sums[first[1:]] - sums[first[:-1]]


def texts(symbols: Symbols, keys: Keys) -> list[bytes]:
    """What the keys stand for. An empty word is a NUL here, so that it has a place."""
    found: list[bytes] = np.ascontiguousarray(keys, "<u8").view("S8").tolist()
    # The eighth byte of a key tells what is no text itself.
    for at in np.flatnonzero((keys >> _LAST_BYTE != 0) | (keys == 0)).tolist():
        found[at] = symbols.token(int(keys[at])) or b"\0"
    return found
