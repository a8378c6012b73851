"""What a document is written in: its labels, tags, relations and features, and how often each is
used. Counted once; an edit takes away what stood in its sentences and adds what stands there now.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange
from treelens.session.document import Document
from treelens.trees.forest import DEPREL, UPOS, XPOS, Forest, Ints, Symbols, decode

LabelKind = Literal["label", "tag", "xpos", "relation"]

COLUMNS: dict[int, LabelKind] = {UPOS: "tag", XPOS: "xpos", DEPREL: "relation"}
"""What the fields of a table's line are names of."""


NamePart = Literal["category", "function", "tag", "relation", "feature", "value"]
"""What names are parts of labels, tags and so on: ``NP`` and ``SBJ`` of ``NP-SBJ-1``; ``Case`` is
a feature, ``Case=Nom`` a value of it."""

_PARTS = re.compile(r"[^-=|]+")


def parts(label: str, kind: LabelKind) -> list[tuple[int, int]]:
    """Where the names are in a label, in characters: a category, then functions; indices and
    features are none."""
    plain = label.split("##", 1)[0]
    if kind != "label" or plain.startswith("-"):
        return [(0, len(plain))] if plain else []
    return [match.span() for match in _PARTS.finditer(plain) if not match[0].isdigit()]


class Wanted(Hashable, Protocol):
    """Which names are wanted; by one that is equal to another nothing is looked through again."""

    def __call__(self, name: str, count: int, /) -> bool:
        """Whether a name that is used so often is."""


class NameCounts:
    """How often each name is used: the same object until an edit changes that.

    An edit notes how often the names of its sentences are used now, beside what was counted
    before it. What is noted becomes part of the count when it is more than the root of it: an
    edit costs about that root, however many names were ever used.
    """

    def __init__(self, counted: _Counted, noted: Mapping[str, int], total: int) -> None:
        self._counted = counted
        self._noted = noted
        self.total = total
        """Uses of all names."""

    @classmethod
    def of(cls, counts: Counter[str]) -> NameCounts:
        return cls(_Counted(counts), {}, counts.total())

    def __getitem__(self, name: str) -> int:
        found = self._noted.get(name)
        return self._counted.counts[name] if found is None else found

    def all(self) -> Counter[str]:
        """All names that are used."""
        return Counter(self.chosen(_any))

    def chosen(self, wanted: Wanted) -> dict[str, int]:
        """The names that are wanted, and how often each is used."""
        found = dict(self._counted.chosen(wanted))
        for name, count in self._noted.items():
            found.pop(name, None)
            if count and wanted(name, count):
                found[name] = count
        return found

    def edited(self, taken: Counter[str], added: Counter[str]) -> NameCounts:
        """Those after some uses are taken away and others are there."""
        if taken == added:
            return self
        now = {name: self[name] - taken[name] + added[name] for name in {*taken, *added}}
        noted = {**self._noted, **now}
        total = self.total - taken.total() + added.total()
        edited = NameCounts(self._counted, noted, total)
        few = len(noted) ** 2 <= len(self._counted.counts)
        return edited if few else NameCounts.of(edited.all())


def _any(_: str, __: int) -> bool:
    return True


class _Counted:
    """Names that were counted, and those among them that were asked for."""

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts
        self.chosen = functools.lru_cache(maxsize=8)(self._chosen)

    def _chosen(self, wanted: Wanted) -> dict[str, int]:
        return {name: count for name, count in self.counts.items() if wanted(name, count)}


class Vocabulary:
    """How often a document uses each label and each name in it, counted when it is first asked."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._labels: dict[LabelKind, NameCounts] = {}
        self._names: dict[NamePart, NameCounts] = {}

    def labels(self, kind: LabelKind) -> NameCounts:
        """Labels, tags, relations as they are written."""
        if kind not in self._labels:
            self._labels[kind] = NameCounts.of(vocabulary(self._document, kind))
        return self._labels[kind]

    def names(self, part: NamePart) -> NameCounts:
        """The parts of all labels, tags without features, relations, names of features."""
        if part not in self._names:
            counts = _names(self._document.symbols, part, _all(self._document))
            self._names[part] = NameCounts.of(counts)
        return self._names[part]

    def edited(self, document: Document, change: SentenceChange) -> Vocabulary:
        """That of the document after an edit."""
        now, symbols = Vocabulary(document), document.symbols
        gone = _among(self._document, range(change.first, change.old_end))
        new = _among(document, range(change.first, change.new_end))
        for kind, counts in self._labels.items():
            taken, added = _labels(symbols, kind, gone), _labels(symbols, kind, new)
            now._labels[kind] = counts.edited(taken, added)
        for part, counts in self._names.items():
            taken, added = _names(symbols, part, gone), _names(symbols, part, new)
            now._names[part] = counts.edited(taken, added)
        return now


def vocabulary(document: Document, kind: LabelKind) -> Counter[str]:
    """How often each label of a kind is used in the sentences as they are now."""
    return _labels(document.symbols, kind, _all(document))


def _labels(symbols: Symbols, kind: LabelKind, used_in: Sequence[_Used]) -> Counter[str]:
    found: Counter[str] = Counter()
    for forest, used in used_in:
        column = _column(forest, kind)
        if column is not None:
            names = column.name[np.repeat(used, np.diff(column.first))]
            for name, count in _counted(names, len(symbols.labels)):
                found[symbols.labels[name]] += count
    del found[""]
    return found


def _counted(names: Ints, labels: int) -> Iterable[tuple[int, int]]:
    """How often each label is there: many are counted in a table of all labels, of a few
    nothing is made that is as long as that."""
    if len(names) < labels:
        distinct, counts = (column.tolist() for column in np.unique(names, return_counts=True))
        return zip(distinct, counts, strict=True)
    table = np.bincount(names, minlength=labels)
    distinct = np.flatnonzero(table)
    return zip(distinct.tolist(), table[distinct].tolist(), strict=True)


def _names(symbols: Symbols, part: NamePart, used_in: Sequence[_Used]) -> Counter[str]:
    if part in ("feature", "value"):
        return _features(symbols, part, used_in)
    kind: LabelKind = "label" if part in ("category", "function") else part  # type: ignore[assignment]
    found: Counter[str] = Counter()
    for label, count in _labels(symbols, kind, used_in).items():
        for number, (start, end) in enumerate(parts(label, kind)):
            if kind != "label" or (part == "function") == (number > 0):
                found[label[start:end]] += count
    return found


def _features(symbols: Symbols, part: NamePart, used_in: Sequence[_Used]) -> Counter[str]:
    found: Counter[str] = Counter()
    for forest, used in used_in:
        if forest.fields is None:
            continue
        keys = forest.fields.feats[np.repeat(used, np.diff(forest.first_leaf))]
        distinct, counts = np.unique(keys, return_counts=True)
        for key, count in zip(distinct.tolist(), counts.tolist(), strict=True):
            values = feature_values(symbols.token(key))
            for value in values:
                found[value if part == "value" else value.split("=", 1)[0]] += count
    return found


@functools.lru_cache(maxsize=1 << 14)
def feature_values(feats: bytes) -> tuple[str, ...]:
    """The features of a field, with their values."""
    return tuple(feature for feature in decode(feats).split("|") if "=" in feature)


@functools.lru_cache(maxsize=1 << 14)
def feature_names(feats: bytes) -> tuple[str, ...]:
    """What the features of a field are called."""
    return tuple(value.split("=", 1)[0] for value in feature_values(feats))


class _Used(NamedTuple):
    """A forest, and which of its sentences are counted."""

    forest: Forest
    sentences: npt.NDArray[np.bool_]


def _all(document: Document) -> list[_Used]:
    return [_Used(forest, numbers >= 0) for forest, numbers in document.parts()]


def _among(document: Document, sentences: range) -> list[_Used]:
    if not sentences:
        return []
    forest = document.forest(sentences)
    return [_Used(forest, np.ones(len(forest), np.bool_))]


class Uses(NamedTuple):
    """Where names are written; ``(n,)`` each, in text order."""

    offset: npt.NDArray[np.int64]
    """Bytes of the document."""
    name: Ints
    """Label ids."""


def uses(document: Document, kind: LabelKind, wanted: npt.NDArray[np.bool_]) -> Uses:
    """Where names of a kind are used that ``wanted``, by label id, asks for."""
    offsets, names = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for forest, numbers in document.parts():
        column = _column(forest, kind)
        if column is None:
            continue
        row = np.repeat(np.arange(len(forest)), np.diff(column.first))
        chosen = np.flatnonzero(wanted[column.name] & (numbers[row] >= 0))
        row = row[chosen]
        offsets.append(document.start[numbers[row]] - forest.piece[row, 0] + column.start[chosen])
        names.append(column.name[chosen])
    offset, name = np.concatenate(offsets), np.concatenate(names)
    order = np.argsort(offset, kind="stable")
    return Uses(offset[order], name[order])


class _Column(NamedTuple):
    first: Ints
    """The first row of each sentence, and the end."""
    name: Ints
    start: Ints


def _column(forest: Forest, kind: LabelKind) -> _Column | None:
    if kind == "label":
        return _Column(forest.first_node, forest.label, forest.label_start)
    if kind == "tag":
        return _Column(forest.first_leaf, forest.tag, forest.tag_start)
    fields, found = forest.fields, forest.dependencies
    if fields is None or found is None:
        return None
    column, names = (XPOS, fields.xpos) if kind == "xpos" else (DEPREL, found.relation)
    return _Column(forest.first_leaf, names, fields.bounds[:, column])
