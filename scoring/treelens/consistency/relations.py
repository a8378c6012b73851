"""Pairs of words, related differently or not at all (Boyd, Dickinson & Meurers 2008).

The key has all words from one to the other, so that what stands between them is the same; a pair
that is not related is an occurrence only where a word outside is in the key too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from treelens.consistency.groups import NONE, Labelled, VariationGroup, windows_as_groups
from treelens.consistency.material import EDGE, Material, Windows
from treelens.consistency.options import ConsistencyOptions

PUNCTUATION = "PUNCT"
HEAD_LEFT, HEAD_RIGHT = "<", ">"


def longest(options: ConsistencyOptions) -> int:
    return options.distance + 1 + sum(options.window)


def groups(
    strip: Material, windows: Windows, options: ConsistencyOptions
) -> Iterator[VariationGroup]:
    """The groups of windows of one length."""
    left, right = options.window
    apart = windows.length - 1 - left - right
    forest = strip.forest
    if forest.dependencies is None or not 1 <= apart <= options.distance:
        return
    first = windows.start + left
    last = first + apart
    inside = ~not_words(strip)[first] & ~not_words(strip)[last]
    first, last = first[inside], last[inside]
    head = heads(strip)
    relation = forest.dependencies.relation
    label = np.full(len(first), NONE, np.int64)
    on_left, on_right = head[last] == first, head[first] == last
    label[on_left] = 2 * relation[strip.leaf[last[on_left]]].astype(np.int64)
    label[on_right] = 2 * relation[strip.leaf[first[on_right]]].astype(np.int64) + 1
    found = Labelled(windows.number[inside], windows.start[inside], label)
    if not left + right:
        found = Labelled(*(column[label != NONE] for column in found))
    names = forest.symbols.labels

    def name(label: int) -> str | None:
        side = HEAD_RIGHT if label & 1 else HEAD_LEFT
        return None if label == NONE else (names[label >> 1] or "_") + side

    yield from windows_as_groups("relations", strip, found, windows.length, options, name)


def not_words(strip: Material) -> npt.NDArray[np.bool_]:
    """Places that cannot be related: edges and punctuation."""
    mark = strip.forest.symbols.label_id(PUNCTUATION)
    return (strip.word == EDGE) | (strip.forest.tag[strip.leaf] == mark)


def heads(strip: Material) -> npt.NDArray[np.int64]:
    """The place of each word's head, -1 where it has none on the strip; ``(m,)``."""
    forest = strip.forest
    assert forest.dependencies is not None
    base = forest.first_leaf[strip.sentence]
    head = forest.dependencies.head[strip.leaf]
    known = (strip.leaf >= 0) & (head >= 0)
    row = np.where(known, base + head, 0)
    known &= strip.counted[row] if len(strip.counted) else False
    return np.where(known, strip.place[row], -1)
