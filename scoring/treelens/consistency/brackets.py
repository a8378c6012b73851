"""Strings of words that are a bracket's yield somewhere, labelled differently or no bracket.

Dickinson & Meurers 2003b. The label is the chain of all categories over exactly these words,
from the top down, so that a unary chain is one label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from treelens.consistency.groups import (
    NONE,
    Labelled,
    Labels,
    VariationGroup,
    varied,
    windows_as_groups,
)
from treelens.consistency.material import EDGE, Material, Places, Windows, recurring
from treelens.consistency.options import ConsistencyOptions
from treelens.rules.parameters import bare
from treelens.trees.forest import Forest, Ints, each_once

LONGEST = 40
"""Words of a bracket."""
ROOTS = ("", "TOP", "ROOT", "S1")
CHAINED = " "
"""Between the categories of a chain: no label has a blank."""


class Chains(NamedTuple):
    """The brackets of a strip, those over the same words as one; ``(s,)`` each.

    ``extent``: first and last place in one number, ascending. ``label``: their chain.
    """

    extent: Places
    label: Labels
    names: list[str]

    def of(self, first: Places, last: Places, total: int) -> Labels:
        """The chain over exactly the words of each stretch, NONE where there is no bracket."""
        wanted = first * total + last
        at = np.minimum(np.searchsorted(self.extent, wanted), max(len(self.extent) - 1, 0))
        if not len(self.extent):
            return np.full(len(first), NONE, np.int64)
        return np.where(self.extent[at] == wanted, self.label[at], NONE)


def chains(strip: Material, options: ConsistencyOptions) -> Chains:
    """All brackets that count."""
    node, first, last, name, symbols = spans(strip, options)
    total = len(strip.word)
    extent = first * total + last
    new = np.flatnonzero(np.diff(extent, prepend=-1))
    label = name[node][new].astype(np.int64)
    sizes = np.diff(np.append(new, len(extent)))
    names = list(symbols)
    known: dict[tuple[int, ...], int] = {}
    labels = name[node]
    for at in np.flatnonzero(sizes > 1).tolist():
        chain = tuple(labels[new[at] : new[at] + sizes[at]].tolist())
        if chain not in known:
            known[chain] = len(names)
            names.append(CHAINED.join(symbols[one] for one in chain))
        label[at] = known[chain]
    order = np.argsort(extent[new], kind="stable")
    return Chains(extent[new][order], label[order], names)


class BracketSpans(NamedTuple):
    """Brackets that count and are over words, in text order, ``(b,)``; ``name``: of each label of
    the forest, the number that it has as a category."""

    node: Places
    first: Places
    last: Places
    name: Ints
    names: list[str]


def spans(strip: Material, options: ConsistencyOptions) -> BracketSpans:
    """The brackets that count, with their first and last places on the strip."""
    forest = strip.forest
    name, names = _names(forest, options)
    of = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    base = forest.first_leaf[of]
    first = strip.place[base + forest.first].astype(np.int64)
    # (The place of the word behind a bracket's last one is past an edge at a sentence's end, and
    # past the words that a trace's place was given to.)
    size = _before(strip)[base + forest.last] - _before(strip)[base + forest.first]
    wanted = np.array([one not in ROOTS for one in names], np.bool_)[name[forest.label]]
    node = np.flatnonzero(wanted & (size > 0))
    return BracketSpans(node, first[node], first[node] + size[node] - 1, name[forest.label], names)


def _before(strip: Material) -> Places:
    return np.concatenate([[0], np.cumsum(strip.counted)])


def _names(forest: Forest, options: ConsistencyOptions) -> tuple[Ints, list[str]]:
    labels = list(forest.symbols.labels)
    shown: Callable[[str], str] = str if options.functions else bare
    names = {name: number for number, name in enumerate(dict.fromkeys(map(shown, labels)))}
    return np.array([names[shown(label)] for label in labels], np.int32), list(names)


def strings(strip: Material, options: ConsistencyOptions) -> int:
    """How many strings of words are labelled in more than one way, or not always a bracket,
    whatever stands beside them."""
    known = chains(strip, options)
    found = 0
    for windows in recurring(strip, LONGEST if len(known.extent) else 0):
        last = windows.start + windows.length - 1
        inside = (strip.word[windows.start] != EDGE) & (strip.word[last] != EDGE)
        start, last = windows.start[inside], last[inside]
        label = known.of(start, last, len(strip.word))
        found += len(each_once(varied(Labelled(windows.number[inside], start, label)).number))
    return found


def groups(
    strip: Material, known: Chains, windows: Windows, options: ConsistencyOptions
) -> Iterator[VariationGroup]:
    """The groups of windows of one length."""
    left, right = options.window
    size = windows.length - left - right
    if not 1 <= size <= LONGEST or not len(known.extent):
        return
    first = windows.start + left
    last = first + size - 1
    inside = (strip.word[first] != EDGE) & (strip.word[last] != EDGE)
    first, last = first[inside], last[inside]
    label = known.of(first, last, len(strip.word))
    found = Labelled(windows.number[inside], windows.start[inside], label)
    if not left + right:
        found = Labelled(*(column[label != NONE] for column in found))

    def name(label: int) -> str | None:
        return None if label == NONE else known.names[label]

    yield from windows_as_groups("brackets", strip, found, windows.length, options, name)
