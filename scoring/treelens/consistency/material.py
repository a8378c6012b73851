"""Sentences as one strip of words, with their edges, where the same material is looked for.

A place of the strip is a word or a sentence's left or right edge; traces are on no strip. Words
are numbers, equal where the words are the same (nothing is hashed), so that a window of words is
a few comparisons of columns.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency.options import ConsistencyOptions
from treelens.rules.parameters import TRACE, tag_name
from treelens.rules.spelling import DistinctWords, words
from treelens.trees.forest import Forest, Ints, Keys, Symbols, decode, each_once, running

EDGE = 0
"""The number of either edge of a sentence: no word has it."""

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Material:
    """``n`` sentences, ``w`` words of the forest, ``m`` places of the strip.

    ======================  ========  =======================================================
    ``first``               (n+1,)    the place of each sentence's left edge
    ``word``                (m,)      numbers of words, :data:`EDGE` at edges
    ``sentence``            (m,)
    ``leaf``                (m,)      the word's row in the forest, -1 at edges
    ``reach``               (m,)      how many places from this one on can be one key: to the
                                      sentence's right edge, or up to a word that is not known
    ``place``               (w+1,)    where each of the forest's words is; of a trace, where the
                                      word behind it is
    ``counted``             (w,)      whether it is on the strip
    ======================  ========  =======================================================
    """

    forest: Forest
    words: DistinctWords
    first: Ints
    word: Ints
    sentence: Ints
    leaf: Ints
    reach: Ints
    place: Ints
    counted: npt.NDArray[np.bool_]

    def shown(self, place: int) -> str | None:
        """The word at a place as it is compared; None at an edge."""
        number = self.word[place : place + 1]
        if number[0] == EDGE:
            return None
        return decode(self.forest.symbols.token(int(self.words.normal(number)[0])))

    def identity(self, places: range) -> tuple[int, ...]:
        """The words at some places, exactly: equal for equal words wherever they are."""
        return tuple(self.words.normal(self.word[places.start : places.stop]).tolist())

    def size(self, sentence: int) -> int:
        """How many words a sentence has."""
        return int(self.first[sentence + 1] - self.first[sentence]) - 2


def material(forest: Forest, options: ConsistencyOptions) -> Material:
    """The strip of a forest's sentences."""
    counted = _counted(forest)
    before = running(counted)
    size = np.diff(before[forest.first_leaf])
    first = running(size + 2)
    count = len(size)
    of_leaf = np.repeat(np.arange(count, dtype=np.int32), np.diff(forest.first_leaf))
    place = before + 1
    place[:-1] += 2 * of_leaf
    place[-1] = first[-1]
    total = int(first[-1])
    leaf = np.full(total, -1, np.int32)
    rows = np.flatnonzero(counted).astype(np.int32)
    leaf[place[rows]] = rows
    known = words(forest.symbols, _spelling(options))
    word = np.zeros(total, np.int32)
    keys = _keys(forest, options)[rows]
    word[place[rows]] = _normal_ids(known, keys)
    sentence = np.repeat(np.arange(count, dtype=np.int32), size + 2)
    reach = _reach(first, _stripped(word, known, forest))
    return Material(forest, known, first, word, sentence, leaf, reach, place, counted)


def _normal_ids(known: DistinctWords, keys: Keys) -> Ints:
    """The numbers of the words that stand for words; most stand for themselves."""
    ids = known.ids(keys)
    normal = known.normal(ids)
    others = np.flatnonzero(normal != keys)
    ids[others] = known.ids(normal[others])
    return ids


def _counted(forest: Forest) -> npt.NDArray[np.bool_]:
    return ~traces(forest.symbols)[forest.tag]


def traces(symbols: Symbols) -> npt.NDArray[np.bool_]:
    """Of each label, whether it is the tag of a trace; ``(labels,)``."""
    return np.array([tag_name(label) == TRACE for label in symbols.labels], np.bool_)


def _spelling(options: ConsistencyOptions) -> Any:
    # (What a word stands for together with its neighbours is no word of its own here.)
    ignore = options.on == "lower" or options.spelling.ignore_case
    return dataclasses.replace(options.spelling, ignore_case=ignore, contractions=())


def _keys(forest: Forest, options: ConsistencyOptions) -> Keys:
    if options.on == "lemma" and forest.fields is not None:
        return forest.fields.lemma
    return forest.word


def _stripped(word: Ints, known: DistinctWords, forest: Forest) -> npt.NDArray[np.bool_]:
    """Places of words of nothing but underscores: their texts were taken out for copyright."""
    distinct = each_once(word)
    tokens = forest.symbols.tokens(known.normal(distinct))
    bare = [bool(token) and not token.strip(b"_") for token in tokens]
    flags = np.zeros(int(distinct.max(initial=0)) + 1, np.bool_)
    flags[distinct] = bare
    return flags[word]


def _reach(first: Ints, stripped: npt.NDArray[np.bool_]) -> Ints:
    total = int(first[-1])
    stop = np.full(total, total, np.int32)
    stop[first[1:] - 1] = first[1:]
    at = np.flatnonzero(stripped)
    stop[at] = at
    nearest: Ints = np.minimum.accumulate(stop[::-1])[::-1]
    return np.subtract(nearest, np.arange(total), dtype=np.int32)


class Windows(NamedTuple):
    """Windows of one length whose words are those of another window, ``(k,)`` each."""

    length: int
    start: Places
    number: Places
    """Dense, equal where all words are the same."""
    different: int
    """How many different ones there are."""


def recurring(strip: Material, longest: int) -> Iterator[Windows]:
    """Windows of one place, of two, ... whose words occur more than once.

    A window can occur again only if it does without its last word, and without its first: so that
    each length is numbered by pairs of the numbers of the length before, and few are left soon.
    """
    start = np.flatnonzero(strip.reach >= 1)
    code = strip.word[start].astype(np.int64)
    number_at = np.full(len(strip.word) + 1, -1, np.int64)
    for length in range(1, longest + 1):
        _, number, times = np.unique(code, return_inverse=True, return_counts=True)
        again = times > 1
        kept = again[number]
        start = start[kept]
        number = (np.cumsum(again) - 1)[number[kept]]
        count = int(again.sum())
        if not len(start):
            return
        yield Windows(length, start, number, count)
        number_at[:] = -1
        number_at[start] = number
        follows = number_at[start + 1]
        longer = (strip.reach[start] > length) & (follows >= 0)
        start, code = start[longer], number[longer] * count + follows[longer]
