"""Groups: the places of one key, which are annotated in more than one way; and their order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency.material import Material, Places
from treelens.consistency.options import ConsistencyOptions, ContextSides, Tier, VariationKind

Labels = npt.NDArray[np.int64]

NONE = -1
"""The label of what is not annotated there at all, as a number."""


class Occurrence(NamedTuple):
    """words: the nucleus, counted from 0 in the sentence's words without traces: of ``tags`` one,
    of ``relations`` and ``brackets`` the first and the last, of ``texts`` all that differ."""

    sentence: int
    words: tuple[int, ...]
    label: str | None
    deviant: bool = False


class VariationGroup(NamedTuple):
    """identity: the key exactly, in keys of its words. key: the same to be read; None is an
    edge of the sentence. labels: each with how often it is there, the most frequent first; None
    is no annotation. score: of ``rare``, the estimated probability, 0 to 1."""

    kind: VariationKind
    tier: Tier
    identity: tuple[int, ...]
    key: tuple[str | None, ...]
    labels: tuple[tuple[str | None, int], ...]
    occurrences: tuple[Occurrence, ...]
    context: ContextSides = "both"
    score: float | None = None

    @property
    def total(self) -> int:
        return sum(count for _, count in self.labels)

    @property
    def nucleus(self) -> slice:
        """Which part of the key is annotated; the rest is context."""
        if self.kind == "texts":
            return slice(0, len(self.key))
        words = len(self.key) - (self.kind.startswith("tags:"))
        left = self.context in ("both", "left")
        right = self.context in ("both", "right")
        return slice(int(left), words - int(right))


class Labelled(NamedTuple):
    """Windows with what is annotated there, ``(k,)`` each; ``number`` is equal for equal keys."""

    number: Places
    start: Places
    label: Labels


def varied(found: Labelled) -> Labelled:
    """Those whose key has more than one label."""
    # (The label of whichever window of a key comes last: another one has another, or none has.)
    count = int(found.number.max(initial=-1)) + 1
    one = np.zeros(count, np.int64)
    one[found.number] = found.label
    wanted = np.zeros(count, np.bool_)
    wanted[found.number[one[found.number] != found.label]] = True
    kept = wanted[found.number]
    return Labelled(found.number[kept], found.start[kept], found.label[kept])


def by_key(found: Labelled) -> Iterator[tuple[list[int], list[int]]]:
    """The starts and the labels of each key's windows, in text order."""
    order = np.lexsort((found.start, found.number))
    cuts = np.flatnonzero(np.diff(found.number[order])) + 1
    starts = np.split(found.start[order], cuts)
    labels = np.split(found.label[order], cuts)
    for one, other in zip(starts, labels, strict=True):
        if len(one):
            yield one.tolist(), other.tolist()


def windows_as_groups(
    kind: VariationKind,
    strip: Material,
    found: Labelled,
    length: int,
    options: ConsistencyOptions,
    name: Callable[[int], str | None],
    extra: Callable[[int], tuple[int, str]] | None = None,
) -> Iterator[VariationGroup]:
    """The groups of windows of one length.

    ``extra``: what is in the key beside the words, from a window's start.
    """
    left, right = options.window
    for starts, labels in by_key(varied(found)):
        window = range(starts[0], starts[0] + length)
        identity = strip.identity(window)
        key = tuple(map(strip.shown, window))
        if extra is not None:
            number, shown = extra(starts[0])
            identity, key = (*identity, number), (*key, shown)
        occurrences = []
        for start, label in zip(starts, labels, strict=True):
            sentence = int(strip.sentence[start])
            low = start + left - int(strip.first[sentence]) - 1
            high = low + length - left - right - 1
            words = (low,) if kind.startswith("tags") else (low, high)
            occurrences.append(Occurrence(sentence, words, name(label)))
        yield group(kind, identity, key, occurrences, options.context)


def group(
    kind: VariationKind,
    identity: tuple[int, ...],
    key: tuple[str | None, ...],
    occurrences: Iterable[Occurrence],
    context: ContextSides,
) -> VariationGroup:
    """A group with its labels counted, its deviants marked and its tier."""
    occurrences = list(occurrences)
    counts = Counter(one.label for one in occurrences)
    labels = sorted(counts.items(), key=lambda item: (-item[1], item[0] is None, item[0] or ""))
    most = labels[0][1]
    tied = all(count == most for _, count in labels)
    marked = tuple(one._replace(deviant=tied or counts[one.label] < most) for one in occurrences)
    return VariationGroup(
        kind, tier(kind, context, labels), identity, key, tuple(labels), marked, context
    )


_CLEAR = 3
"""A majority of 3 : 1 made the sharper half of what was measured on releases of treebanks."""


def tier(
    kind: VariationKind, context: ContextSides, labels: Sequence[tuple[str | None, int]]
) -> Tier:
    """How sharp such a group is: A and B are shown, C is for those who ask for it."""
    if kind == "texts":
        return "A"
    if kind == "rare" or context == "between":
        return "C"
    between_labels = sum(label is not None for label, _ in labels) > 1
    if kind == "relations":
        if context == "both":
            return "A" if between_labels else "B"
        return "B" if between_labels else "C"
    if context != "both":
        return "C"
    most = labels[0][1]
    clear = most >= _CLEAR * (sum(count for _, count in labels) - most)
    return "A" if between_labels and clear else "B"


def ordered(groups: Iterable[VariationGroup]) -> list[VariationGroup]:
    """The sharpest first: by tier, clear majority and size; after that by key."""
    return sorted(groups, key=rank)


Rank = tuple[Tier, int, float, int, VariationKind, bytes]


def rank(one: VariationGroup) -> Rank:
    """Where a group stands among others: before those of a larger rank."""
    if one.score is not None:
        labels = _sortable(label for label, _ in one.labels)
        return one.tier, 2, one.score, 0, one.kind, _sortable(one.key) + b"\0" + labels
    total = one.total
    return one.tier, 1, -one.labels[0][1] / (total + 1), -total, one.kind, _sortable(one.key)


def _sortable(words: Iterable[str | None]) -> bytes:
    """Bytes that stand in the order of some words, nothing before all others; held for every group
    of a corpus, they take a fifth of what the words do."""
    return b"".join(b"\1" if word is None else b"\2" + _plain(word) for word in words)


def _plain(word: str) -> bytes:
    """Without the bytes that separate words."""
    return _SEPARATORS.sub(b"\3\\g<0>", word.encode("utf-8", "surrogatepass"))


_SEPARATORS = re.compile(rb"[\0-\3]")
