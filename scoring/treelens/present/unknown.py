"""Labels, tags, relations and features that nobody else uses, and what was perhaps meant.

Three ways to know what there is: what the user declares (``[labels]`` of ``treelens.toml``);
the lists of Universal Dependencies or the Penn Treebank where nearly everything in the files is
on them; else what the files use. Of small files nothing is said: there, any name is rare.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Set
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from treelens.rules import penn
from treelens.rules.universal import (
    UNIVERSAL_FEATURES,
    UNIVERSAL_RELATIONS,
    UNIVERSAL_TAGS,
    universal_relation,
)
from treelens.session.declared import DeclaredLabels
from treelens.session.document import Document, PieceRun
from treelens.session.session import Snapshot
from treelens.session.vocabulary import LabelKind, NameCounts, NamePart, parts
from treelens.trees.forest import DEPREL, FEATS, Forest, Ints, Symbols, decode, encode

UNKNOWN_LABEL = "unknown-label"
"""The diagnostic's code, whatever the part is."""

_RARE = 2
"""Uses of a name that is perhaps a slip, at most."""
_LISTED = 100
"""Uses of names, at least, before anything is said of those that are not on the list."""
_UNLISTED = 5_000
"""The same where there is no list."""
_SHORT, _SHORTS = 3, 20_000
"""The same of names so short that all are near to each other."""
_OFTEN = 50
"""Uses of a name that it is near to, at least, where there is no list."""
_FURTHEST = 2
"""Letters in which names that are near to each other differ, at most."""
_OFFERED = 3
MOST = 50
"""Names pointed out at once, if there are not more than that in view."""
_MOST_IN_VIEW = 500


class Unknown(NamedTuple):
    """A name at ``[start, end)`` of the document; ``nearest`` are known ones, the best first."""

    start: int
    end: int
    name: str
    message: str
    nearest: tuple[str, ...]


class _List(NamedTuple):
    """What there is of a part, where that is known: ``whose`` names it in a message."""

    names: frozenset[str]
    whose: str
    plain: Callable[[str], str] = str
    share: float = 0.95
    """Of all uses in files that follow the list, those that are on it, at least."""

    def __call__(self, name: str, _: int) -> bool:
        """Whether a name is on it, however often it is used."""
        return self.plain(name) in self.names


class _Often(NamedTuple):
    """Names that are used so often at least."""

    least: int

    def __call__(self, _: str, count: int) -> bool:
        return count >= self.least


_NOUNS: dict[NamePart, tuple[str, str]] = {
    "category": ("label", "labels"),
    "function": ("function tag", "function tags"),
    "tag": ("tag", "tags"),
    "relation": ("relation", "relations"),
    "feature": ("feature", "features"),
}

_UNIVERSAL: dict[NamePart, _List] = {
    "tag": _List(UNIVERSAL_TAGS, "Universal Dependencies’"),
    "relation": _List(UNIVERSAL_RELATIONS, "Universal Dependencies’", universal_relation),
    "feature": _List(UNIVERSAL_FEATURES, "Universal Dependencies’", share=0.5),
}
_PENN: dict[NamePart, _List] = {
    "category": _List(penn.CATEGORIES, "the Penn Treebank’s"),
    "function": _List(penn.FUNCTIONS, "the Penn Treebank’s"),
    "tag": _List(penn.TAGS, "the Penn Treebank’s"),
}


def unknown(snapshot: Snapshot, *stretches: range) -> list[Unknown]:
    """The unknown names in some sentences, in text order: those in view, and of the others the
    nearest ones as long as there are less than :data:`MOST`."""
    document = snapshot.document
    if document.format.name not in ("brackets", "conll"):
        return []
    arcs = document.format.annotation == "dependencies"
    wanted: tuple[NamePart, ...] = (
        ("tag", "relation", "feature") if arcs else ("category", "function", "tag")
    )
    runs = [run for one in stretches for run in document.runs(one)]
    found: list[Unknown] = []
    lists = _UNIVERSAL if arcs else _PENN
    for part in wanted:
        names = tuple(one.names(part) for one in snapshot.vocabularies)
        judge = _judge(part, names, _declared(snapshot.labels, part), lists.get(part))
        for start, end, name in _written(runs, judge):
            found.append(Unknown(start, end, name, *judge.said(name)))
    return sorted(_nearest(found, snapshot))


def _nearest(found: list[Unknown], snapshot: Snapshot) -> list[Unknown]:
    document, visible = snapshot.document, snapshot.visible
    if len(found) <= MOST or not visible:
        return found
    spans = [_span(document, stretch) for stretch in visible.stretches]
    away = {
        one: min(max(first - one.start, one.end - last, 0) for first, last in spans)
        for one in found
    }
    most = max(MOST, min(_MOST_IN_VIEW, sum(not far for far in away.values())))
    return sorted(found, key=lambda one: (away[one], one.start))[:most]


def _span(document: Document, sentences: range) -> tuple[int, int]:
    """From which offset to which they are written."""
    pieces = [document.piece(min(one, len(document) - 1)) for one in (sentences[0], sentences[-1])]
    ends = (forest.tree[row] + shift for forest, row, shift in pieces)
    first, last = (int(span[at]) for at, span in enumerate(ends))
    return first, last


class _Judge:
    """Which names of a part are unknown in some files, and what is to be said of them."""

    def __init__(
        self,
        part: NamePart,
        names: tuple[NameCounts, ...],
        declared: frozenset[str] | None,
        list_: _List | None,
    ) -> None:
        self.part = part
        self._names = names
        self._total = sum(one.total for one in names)
        self._declared = declared is not None
        self._list = _List(declared, "") if declared is not None else self._followed(list_)
        self._unknown: dict[str, bool] = {}
        self._found: dict[int, _Places] = {}
        self.said = functools.cache(self._said)

    def unknown_in(self, symbols: Symbols, number: int) -> _Places:
        """The unknown names of what the files' symbols have by a number, looked at once."""
        found = self._found.get(number)
        if found is None:
            named = _named(symbols, number, self.part)
            found = self._found[number] = tuple(one for one in named if self._is_unknown(one[2]))
        return found

    def _is_unknown(self, name: str) -> bool:
        if name not in self._unknown:
            self._unknown[name] = self._is_suspect(name)
        return self._unknown[name]

    def _followed(self, one: _List | None) -> _List | None:
        if one is None or self._total < _LISTED:
            return None
        listed = sum(count for names in self._names for count in names.chosen(one).values())
        return one if listed >= one.share * self._total else None

    def _is_suspect(self, name: str) -> bool:
        if self._declared and self._list:
            return name not in self._list.names
        count = self._count(name)
        if count > _RARE:
            return False
        if self._list:
            return not self._list(name, count) and bool(self._near(name))
        short = len(name) <= _SHORT
        if self._total < (_SHORTS if short else _UNLISTED) or (short and count > 1):
            return False
        return bool(self._near(name))

    def _count(self, name: str) -> int:
        return sum(one[name] for one in self._names)

    @functools.cached_property
    def _known(self) -> Set[str]:
        """What somebody may mean: what is on the list, or else used often."""
        if self._list:
            return self._list.names.union(*(one.chosen(self._list) for one in self._names))
        # (Often in all files together is not seldom in one of them.)
        share = _Often(-(-_OFTEN // max(len(self._names), 1)))
        some = {name for one in self._names for name in one.chosen(share)}
        return {name for name in some if self._count(name) >= _OFTEN}

    def _near(self, name: str) -> tuple[str, ...]:
        """Known names that somebody who wrote this one may have meant, the best first."""
        ranked = sorted(
            (_distance(name, one), -self._count(one), one)
            for one in self._known
            if one != name and _is_near(name, one)
        )
        return tuple(one for _, _, one in ranked[:_OFFERED])

    def _said(self, name: str) -> tuple[str, tuple[str, ...]]:
        """A message, and the names nearby."""
        one, many = _NOUNS[self.part]
        count, near = self._count(name), self._near(name)
        if self._declared:
            why = f"the {one} {name} is not among those that treelens.toml declares"
        elif self._list:
            why = f"the {one} {name} is none of {self._list.whose}, and rare here ({count}×)"
        else:
            why = f"the {one} {name} is used {_times(count)} among {self._total:,} {many}"
        return f"{why}: did you mean {_either(near)}?" if near else why, near


_judge = functools.lru_cache(maxsize=32)(_Judge)
"""Most edits change how often the names of one part are used, or none."""


def _declared(labels: DeclaredLabels, part: NamePart) -> frozenset[str] | None:
    return {
        "category": labels.categories,
        "function": labels.functions,
        "tag": labels.tags,
        "relation": labels.relations,
        "feature": labels.features,
    }.get(part)


_DIGITS = re.compile(r"\d+")


def _distance(one: str, other: str) -> float:
    """How many letters are put in, left out, replaced or swapped; capitals are half of one."""
    if one.casefold() == other.casefold():
        return 0.5
    return OSA.distance(one, other, score_cutoff=_FURTHEST)


def _is_near(one: str, other: str) -> bool:
    """Names that are numbered (``VP1``, ``VP2``) are meant to be different."""
    if _DIGITS.sub("0", one) == _DIGITS.sub("0", other):
        return False
    return _distance(one, other) <= (1 if min(len(one), len(other)) <= 5 else _FURTHEST)


def _times(count: int) -> str:
    return "only once" if count == 1 else f"only {count} times"


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


# --- where they are ------------------------------------------------------------------------


_Places = tuple[tuple[int, int, str], ...]
"""Names, and where they are in what is written, in bytes."""


def _written(runs: list[PieceRun], judge: _Judge) -> Iterator[tuple[int, int, str]]:
    """Where the unknown names of a part stand."""
    for forest, rows, shift in runs:
        symbols, (names, starts) = forest.symbols, _column(forest, rows, judge.part)
        some = [number for number in {*names.tolist()} if judge.unknown_in(symbols, number)]
        if not some:
            continue
        for place in np.flatnonzero(np.isin(names, np.array(some, names.dtype))).tolist():
            at = int(starts[place]) + shift
            for start, end, name in judge.unknown_in(symbols, int(names[place])):
                yield at + start, at + end, name


def _named(symbols: Symbols, number: int, part: NamePart) -> _Places:
    """The names of what is written with a number."""
    if part == "feature":
        return _features(symbols.token(number))
    label = symbols.labels[number]
    kind: LabelKind = "label" if part in ("category", "function") else part  # type: ignore[assignment]
    return tuple(
        (len(encode(label[:start])), len(encode(label[:end])), label[start:end])
        for place, (start, end) in enumerate(parts(label, kind))
        if kind != "label" or (part == "function") == (place > 0)
    )


def _column(forest: Forest, rows: range, part: NamePart) -> tuple[npt.NDArray[Any], Ints]:
    """What some sentences have of a part, and where: labels, or cells of features."""
    leaves = slice(int(forest.first_leaf[rows.start]), int(forest.first_leaf[rows.stop]))
    if part in ("category", "function"):
        nodes = slice(int(forest.first_node[rows.start]), int(forest.first_node[rows.stop]))
        return forest.label[nodes], forest.label_start[nodes]
    if part == "tag":
        return forest.tag[leaves], forest.tag_start[leaves]
    assert forest.dependencies is not None
    assert forest.fields is not None
    if part == "feature":
        return forest.fields.feats[leaves], forest.fields.bounds[leaves, FEATS]
    return forest.dependencies.relation[leaves], forest.fields.bounds[leaves, DEPREL]


def _features(cell: bytes) -> _Places:
    """The names of features in a cell."""
    at, found = 0, []
    for feature in cell.split(b"|"):
        name, equals, _ = feature.partition(b"=")
        if equals:
            found.append((at, at + len(name), decode(name)))
        at += len(feature) + 1
    return tuple(found)
