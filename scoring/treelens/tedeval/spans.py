"""Which words hang together with each word below it: the spans of dependency trees.

The span of a word is the stretch around it that it dominates without a gap. In a projective tree
that is all that it dominates. In another, whatever lies beyond a gap counts as lifted: it hangs
at the lowest word above whose own stretch reaches it. So spans are always those of a tree. A
cycle hangs at the root by its first word, and so does a word whose head is none.

:func:`forest_spans` is for whole files at once, and leaves the sentences that are not projective
to :func:`sentence_spans`, which takes any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.tedeval.trees import Span
from treelens.trees.forest import ROOT, Ints

_FEW = 64
"""Words up to which they are taken one by one: in that time an array is not even made."""


class WordSpans(NamedTuple):
    """The span of each word, counted within its sentence; ``(w,)`` each."""

    first: Ints
    last: Ints


def forest_spans(head: Ints, first_leaf: Ints) -> WordSpans:
    """Spans from heads (numbers within the sentence, or ``ROOT``); ``first_leaf`` as in a forest.

    Ancestors are found by doubling: the words below a word at distances from 1 to 2, then to 4,
    then to 8, … are gathered at once, so that the depth of a tree matters by its logarithm.
    """
    if len(head) <= _FEW:
        spans = np.zeros((len(head), 2), np.int32)
        _take_singly(range(len(first_leaf) - 1), head, first_leaf, spans)
        return WordSpans(spans[:, 0], spans[:, 1])
    sentence, base, headed = _places(head, first_leaf)
    words = np.arange(len(head), dtype=np.int32)
    low, high, below = words.copy(), words.copy(), np.ones(len(head), np.int32)
    above = np.where(headed, base + head, -1)
    live = np.flatnonzero(headed)
    for _ in range(int(np.diff(first_leaf).max()).bit_length()):
        if not len(live):
            break
        heads, lows, highs, belows = above[live], low[live], high[live], below[live]
        np.minimum.at(low, heads, lows)
        np.maximum.at(high, heads, highs)
        np.add.at(below, heads, belows)
        above[live] = above[heads]
        live = live[above[live] >= 0]
    spans = np.stack([low - base, high - base + 1], axis=1)
    # Whoever is still on the way up is in a cycle, or below one.
    singly = np.concatenate([sentence[live], sentence[high - low + 1 != below]])
    _take_singly(sorted(set(singly.tolist())), head, first_leaf, spans)
    return WordSpans(spans[:, 0], spans[:, 1])


def mended(head: Ints, first_leaf: Ints, spans: WordSpans) -> list[int]:
    """The sentences with a cycle, a head that is none, or words beyond a gap."""
    sentence, base, headed = _places(head, first_leaf)
    rows = np.flatnonzero(headed)
    word, above = rows - base[rows], (base + head)[rows]
    outside = rows[(word < spans.first[above]) | (word >= spans.last[above]) | (rows == above)]
    headless = np.flatnonzero(~headed & (head != ROOT))
    return sorted(set(sentence[outside].tolist()) | set(sentence[headless].tolist()))


def _places(head: Ints, first_leaf: Ints) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """Of each word its sentence, that one's first word, and whether its head is a word there."""
    lengths = np.diff(first_leaf)
    sentence = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return sentence, first_leaf[sentence], (head >= 0) & (head < lengths[sentence])


def _take_singly(sentences: Iterable[int], head: Ints, first_leaf: Ints, spans: Ints) -> None:
    """Set the spans of some sentences, whatever their heads are."""
    for sentence in sentences:
        first, end = first_leaf[sentence : sentence + 2].tolist()
        if first < end:
            spans[first:end] = sentence_spans(head[first:end].tolist())


def sentence_spans(heads: Sequence[int]) -> list[Span]:
    """The span of each word; linear, whatever the heads are."""
    heads = without_cycles(heads)
    order, size = _pre_order(heads)
    place = [0] * len(heads)
    for at, word in enumerate(order):
        place[word] = at
    # The largest stretch so far that starts, or that ends, at each word.
    stretch_end = [word + 1 for word in range(len(heads))]
    stretch_start = list(range(len(heads)))
    spans: list[Span] = [(0, 0)] * len(heads)
    for word in reversed(order):  # what hangs below a word comes before it
        low, high = place[word], place[word] + size[word]
        last = word + 1
        while last < len(heads) and low < place[last] < high:
            last = stretch_end[last]
        first = word
        while first > 0 and low < place[first - 1] < high:
            first = stretch_start[first - 1]
        stretch_end[first], stretch_start[last - 1] = last, first
        spans[word] = (first, last)
    return spans


def without_cycles(heads: Sequence[int]) -> list[int]:
    """The heads, with ``ROOT`` for the first word of each cycle, and for heads that are none."""
    found = [head if 0 <= head < len(heads) else ROOT for head in heads]
    walk = [-1] * len(found)  # which walk towards the root came by
    for start in range(len(found)):
        word = start
        while word != ROOT and walk[word] < 0:
            walk[word] = start
            word = found[word]
        if word != ROOT and walk[word] == start:
            found[min(_cycle(found, word))] = ROOT
    return found


def _cycle(heads: Sequence[int], word: int) -> list[int]:
    cycle = [word]
    while heads[cycle[-1]] != word:
        cycle.append(heads[cycle[-1]])
    return cycle


def _pre_order(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """Words with each before all below it, and how many each has below it, itself included."""
    below: list[list[int]] = [[] for _ in heads]
    waiting: list[int] = []
    for word, head in enumerate(heads):
        (waiting if head == ROOT else below[head]).append(word)
    order = []
    while waiting:
        word = waiting.pop()
        order.append(word)
        waiting += below[word]
    size = [1] * len(heads)
    for word in reversed(order):
        if heads[word] != ROOT:
            size[heads[word]] += size[word]
    return order, size


def remarks(heads: Sequence[int]) -> list[str]:
    """What is not as in a projective tree, and what becomes of it, in words."""
    mended = without_cycles(heads)
    found = []
    headless = sum(not 0 <= head < len(heads) and head != ROOT for head in heads)
    if headless:
        found.append(f"{_count(headless, 'word')} without a head, put below the root")
    changed = sum(before != after for before, after in zip(heads, mended, strict=True))
    if changed - headless:
        found.append(f"{_count(changed - headless, 'cycle')}, cut at its first word")
    spans = sentence_spans(mended)
    lifted = sum(
        head != ROOT and not spans[head][0] <= word < spans[head][1]
        for word, head in enumerate(mended)
    )
    if lifted:
        found.append(f"not projective: {_count(lifted, 'word')} lifted")
    return found


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
