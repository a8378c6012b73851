"""The brackets of many pairs of lines at once: what is left of them, is the same, crosses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treelens.dropin.shared.labels import LabelTable
from treelens.dropin.shared.tree_lines import Flags, Ints, Side

_KEY_BITS = 62
_LARGE, _MANY = 1 << 18, 1 << 22
"""Sizes from which lines, and blocks, are too deeply nested for ``_crossing``'s arrays."""


class Kept(NamedTuple):
    """What is left of a side when deleted words and brackets are taken out."""

    words: Ints
    """(kept words,) which words they are."""
    first_word: Ints
    """(n+1,) of each line, in ``words``."""
    sentence: Ints  # (kept brackets,)
    start: Ints  # words of the line
    end: Ints
    label: Ints
    """Numbers for labels that match; the brackets are in text order."""
    compared: Flags
    """(n,) whether there are brackets that are not empty, deleted ones too."""

    def of(self, chosen: Flags) -> Kept:
        """With the brackets of chosen lines."""
        kept = np.flatnonzero(chosen[self.sentence])
        return self._replace(
            sentence=self.sentence[kept],
            start=self.start[kept],
            end=self.end[kept],
            label=self.label[kept],
        )


def keep(side: Side, table: LabelTable) -> Kept:
    """Take out deleted words, then empty and deleted brackets."""
    columns = table.columns
    words: Ints | None = None
    first, last, first_word = side.first, side.last, side.first_word
    deleted = columns.deletes_word[side.tag]
    if deleted.any():
        words = np.flatnonzero(~deleted)
        before = np.append(0, np.cumsum(~deleted))
        first, last, first_word = before[first], before[last], before[first_word]
    filled = first < last
    label = columns.bracket[side.label]
    kept = np.flatnonzero(filled & (label >= 0))
    compared = np.zeros(len(first_word) - 1, np.bool_)
    compared[side.sentence[filled]] = True
    sentence = side.sentence[kept]
    line_start = first_word[sentence]
    return Kept(
        words=np.arange(len(side.tag)) if words is None else words,
        first_word=first_word,
        sentence=sentence,
        start=first[kept] - line_start,
        end=last[kept] - line_start,
        label=label[kept],
        compared=compared,
    )


class Matches(NamedTuple):
    matched: Ints  # (pairs,)
    crossing: Ints  # (pairs,)
    beyond: Flags
    """(pairs,) where this module's numbers or arrays would become too large."""


def match(left: Kept, right: Kept, pairs: int, *, once: bool = False) -> Matches:
    """Count the brackets that are the same, and test brackets that cross a gold one.

    A bracket is one whole number; equal brackets of one side are told apart by counting them.
    After sorting both sides' numbers together, a match is two neighbours. With ``once``, several
    equal ones match once.
    """
    layout = _layout(left, right, pairs)
    # Brackets in text order are nearly sorted, and both sides' behind one another are two sorted
    # runs: what merges runs takes a tenth of the time or less.
    gold, test = (np.sort(layout.pack(side), kind="stable") for side in (left, right))
    gold_rank, test_rank = _ranks(gold), _ranks(test)
    rank_bits = int(max(gold_rank.max(initial=0), test_rank.max(initial=0))).bit_length()
    shift = rank_bits + 1
    if layout.bits + shift > _KEY_BITS:
        zeros = np.zeros(pairs, np.int64)
        return Matches(zeros, zeros, np.ones(pairs, np.bool_))
    both = np.concatenate([gold << shift | gold_rank << 1, test << shift | test_rank << 1 | 1])
    both.sort(kind="stable")
    is_test = (both & 1).astype(np.bool_)
    is_match = (both[1:] - both[:-1] == 1) & is_test[1:]
    matches = both[np.flatnonzero(is_match) + 1]
    if once:
        matches = matches[matches >> 1 & (1 << rank_bits) - 1 == 0]
    matched = layout.sentence(matches >> shift)
    is_test[1:] &= ~is_match
    unmatched = layout.unpack(both[np.flatnonzero(is_test)] >> shift)
    crossing, beyond = _crossing(left, right, unmatched)
    return Matches(np.bincount(matched, minlength=pairs), crossing, beyond)


class _Brackets(NamedTuple):
    sentence: Ints
    start: Ints
    end: Ints


class _Layout(NamedTuple):
    """How many bits the parts of a bracket's number have."""

    sentence_bits: int
    place_bits: int
    label_bits: int

    @property
    def bits(self) -> int:
        return self.sentence_bits + 2 * self.place_bits + self.label_bits

    def pack(self, kept: Kept) -> Ints:
        span = (kept.sentence << self.place_bits | kept.start) << self.place_bits | kept.end
        return span << self.label_bits | kept.label

    def sentence(self, numbers: Ints) -> Ints:
        return numbers >> (2 * self.place_bits + self.label_bits)

    def unpack(self, numbers: Ints) -> _Brackets:
        place = (1 << self.place_bits) - 1
        end = numbers >> self.label_bits
        start = end >> self.place_bits
        return _Brackets(start >> self.place_bits, start & place, end & place)


def _layout(left: Kept, right: Kept, pairs: int) -> _Layout:
    place = max(left.end.max(initial=0), right.end.max(initial=0))
    label = max(left.label.max(initial=0), right.label.max(initial=0))
    return _Layout(pairs.bit_length(), int(place).bit_length(), int(label).bit_length())


def _ranks(numbers: Ints) -> Ints:
    """Of sorted numbers, how many equal ones stand before each."""
    index = np.arange(len(numbers))
    is_first = np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]
    ranks: Ints = index - np.maximum.accumulate(np.where(is_first, index, 0))
    return ranks


def _crossing(gold: Kept, test: Kept, spans: _Brackets) -> tuple[Ints, Flags]:
    """Of test's brackets that are no gold brackets, ``spans``, how many cross a gold one, in
    each pair; and which pairs would have needed arrays too large to tell.

    The gold brackets of a line are nested, and in text order an outer one comes before those
    inside it: writing their ends at each boundary between words they contain, the lowest is
    written last. A span crosses a gold bracket iff the lowest one around its start ends before
    it does, or the lowest one around its end starts after it does.
    """
    words, test_words = np.diff(gold.first_word), np.diff(test.first_word)
    needed = np.zeros(len(words), np.bool_)
    needed[spans.sentence] = True
    inner = gold.end - gold.start - 1
    # What covers the whole line contains everything; it need not be written.
    partial = inner + 1 < words[gold.sentence]
    chosen = np.flatnonzero((inner > 0) & partial & needed[gold.sentence])
    beyond = np.zeros(len(words), np.bool_)
    if inner[chosen].sum() > _MANY:
        beyond = np.bincount(gold.sentence[chosen], inner[chosen], minlength=len(words)) > _LARGE
        chosen = chosen[~beyond[gold.sentence[chosen]]]
    first = np.append(0, np.cumsum(np.maximum(words, test_words) + 1))
    low = np.full(first[-1], -1, np.int64)
    high = np.full(first[-1], np.iinfo(np.int64).max)
    count, start, end = inner[chosen], gold.start[chosen], gold.end[chosen]
    before = first[gold.sentence[chosen]] + start + 1 - (np.cumsum(count) - count)
    place = np.repeat(before, count)
    place += np.arange(len(place))
    low[place], high[place] = np.repeat(start, count), np.repeat(end, count)
    base = first[spans.sentence]
    crosses = (high[base + spans.start] < spans.end) | (low[base + spans.end] > spans.start)
    return np.bincount(spans.sentence[crosses], minlength=len(words)), beyond
