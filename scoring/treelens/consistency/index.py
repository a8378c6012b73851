"""The groups of a corpus that is being edited: a sentence's entries are taken out and put in.

What is kept of a sentence is which others may have to do with it: those that share a string of
words as long as the shortest key. When a sentence comes in, these are read as a small corpus of
their own, by the same code as the whole was, and the groups that it is in are the corpus's. So
an edit costs what the sentence has to do with, whatever else there is; and is never another
answer than that of reading all afresh.

What is rare depends on the counts of the whole corpus, which follow; its groups are those of the
counts as they are, and looked for among the cells of these, of which there are not many more in a
larger corpus.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange
from treelens.consistency.groups import VariationGroup, group
from treelens.consistency.material import Material, material
from treelens.consistency.options import ConsistencyOptions, VariationKind
from treelens.consistency.rare import DecisionCounts, decisions
from treelens.consistency.table import groups
from treelens.session.document import Document
from treelens.trees.forest import Forest, concatenate, each_once

Numbers = npt.NDArray[np.int64]
Key = tuple[VariationKind, tuple[int, ...]]

GONE = -1
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FEW = 1000
"""So many sentences are put in one by one before all are sorted again."""


class SentencePlace(NamedTuple):
    """Where a sentence is: its file, and its number there from 0."""

    name: str
    sentence: int


class Index:
    """Documents by name, which share their symbols; the groups that they make up.

    A group's occurrences have sentences' numbers in the index, which stay while others come and
    go; :meth:`place` says where these are now. They are in the order of the files' names and of
    text, whichever was there first.
    """

    def __init__(
        self,
        options: ConsistencyOptions,
        documents: Mapping[str, Document] | None = None,
        progress: Callable[[float], object] = lambda _: None,
    ) -> None:
        """``progress`` is called now and then with the share that is done, and may raise."""
        kinds = tuple(kind for kind in options.kinds if kind != "rare")
        self._asked = options
        self._counts: DecisionCounts | None = None
        self.options = dataclasses.replace(options, kinds=kinds)
        self.groups: dict[Key, VariationGroup] = {}
        self._keys_of: dict[int, set[Key]] = {}
        self._documents: dict[str, Document] = {}
        self._numbers: dict[str, Numbers] = {}
        self._names: list[str] = []
        self._files: dict[str, int] = {}
        self._file = np.zeros(0, np.int32)
        self._at = np.zeros(0, np.int64)
        self._next = 0
        self._sorted = _Sorted(np.zeros(0, np.uint64), np.zeros(0, np.int64))
        self._added: dict[int, list[int]] = {}
        self._adds = 0
        self._build(documents or {}, progress)

    # --- what there is

    def place(self, number: int) -> SentencePlace:
        """Where a sentence is now."""
        return SentencePlace(self._names[int(self._file[number])], int(self._at[number]))

    def number(self, name: str, sentence: int) -> int:
        return int(self._numbers[name][sentence])

    def document(self, name: str) -> Document:
        return self._documents[name]

    @property
    def names(self) -> list[str]:
        return [*self._documents]

    def __contains__(self, name: str) -> bool:
        return name in self._documents

    def __len__(self) -> int:
        return sum(map(len, self._documents.values()))

    def of_sentence(self, name: str, sentence: int) -> list[VariationGroup]:
        """The groups that a sentence is in, in no order."""
        return [self.groups[key] for key in self._keys_of.get(self.number(name, sentence), ())]

    # --- what changes

    def put(self, name: str, document: Document) -> set[Key]:
        """A new file, or another text for one; which groups are others now."""
        known = self._documents.get(name)
        change = SentenceChange(0, 0, len(document)) if known is None else between(known, document)
        return self.edited(name, document, change)

    def remove(self, name: str) -> set[Key]:
        """A file goes, with all of its entries; which groups are others now."""
        if name not in self._documents:
            return set()
        changed = self._leave(self._numbers[name])
        del self._documents[name], self._numbers[name]
        return changed | self._rarest()

    def edited(self, name: str, document: Document, change: SentenceChange) -> set[Key]:
        """A file's text was edited; which groups are others now."""
        known = self._numbers.get(name, np.zeros(0, np.int64))
        first, old_end, new_end = change
        changed = self._leave(known[first:old_end])
        new = self._enter(name, new_end - first)
        numbers = np.concatenate([known[:first], new, known[old_end:]])
        self._documents[name], self._numbers[name] = document, numbers
        # (Those behind the edit have other places only where their number is another.)
        end = new_end if new_end == old_end else len(numbers)
        self._at[numbers[first:end]] = np.arange(first, end)
        if len(new):
            changed |= self._arrive(document, range(first, new_end), new)
        return changed | self._rarest()

    # --- how

    def _build(
        self, documents: Mapping[str, Document], progress: Callable[[float], object]
    ) -> None:
        for name, document in documents.items():
            numbers = self._enter(name, len(document))
            self._at[numbers] = np.arange(len(document))
            self._documents[name], self._numbers[name] = document, numbers
        if not len(self):
            return
        forest = concatenate([d.forest(range(len(d))) for d in documents.values()])
        if "rare" in self._asked.kinds:
            self._counts = DecisionCounts(forest.symbols)
            self._count(forest, self._all())
            self._rarest()
        self._sorted = _sorted([_codes(material(forest, self.options), self._all(), self.options)])
        self._keep(groups(forest, self.options, progress), range(len(forest)))

    def _all(self) -> Numbers:
        return np.concatenate([np.zeros(0, np.int64), *self._numbers.values()])

    def _enter(self, name: str, count: int) -> Numbers:
        """Numbers for new sentences of a file."""
        file = self._files.setdefault(name, len(self._files))
        if file == len(self._names):
            self._names.append(name)
        first, end = self._next, self._next + count
        if end > len(self._at):
            room = max(end, 2 * len(self._at)) - len(self._at)
            self._at = np.concatenate([self._at, np.full(room, GONE)])
            self._file = np.concatenate([self._file, np.zeros(room, np.int32)])
        self._file[first:end] = file
        self._next = end
        return np.arange(first, end)

    def _count(self, forest: Forest, numbers: Numbers) -> None:
        """What the sentences of a forest decide is counted as theirs."""
        if self._counts is not None:
            named = numbers.tolist()
            found = decisions(material(forest, self.options), self._asked)
            self._counts.add(one._replace(sentence=named[one.sentence]) for one in found)

    def _rarest(self) -> set[Key]:
        """The groups of what is rare, as they are now; which are others."""
        if self._counts is None:
            return set()
        old = {key: one for key, one in self.groups.items() if key[0] == "rare"}
        for key in old:
            self._drop(key)
        kept = self._keep(self._counts.rarest(self._asked.most), range(self._next))
        new = {key: self.groups[key] for key in kept}
        return {key for key in {*old} | {*new} if old.get(key) != new.get(key)}

    def _leave(self, numbers: Numbers) -> set[Key]:
        """Take out the entries of some sentences."""
        self._at[numbers] = GONE
        gone = set(numbers.tolist())
        if self._counts is not None:
            for number in gone:
                self._counts.remove(number)
        changed: set[Key] = set()
        for number in gone:
            changed |= self._keys_of.pop(number, set())
        for key in changed:
            one = self.groups[key]
            if one.kind == "rare":  # (of which others may be rarer now: see _rarest)
                continue
            left = [place for place in one.occurrences if place.sentence not in gone]
            rest = group(one.kind, one.identity, one.key, left, one.context) if left else None
            if rest is not None and len(rest.labels) > 1 and one.kind != "texts":
                self.groups[key] = rest
                continue
            self._drop(key)
            if left and one.kind == "texts":
                # What differs between whole sentences depends on which these are. (Of other kinds
                # of groups these sentences are in, not all have these words.)
                alone = dataclasses.replace(self.options, kinds=("texts",))
                candidates = np.array([place.sentence for place in left])
                self._among(candidates, {left[0].sentence}, alone)
        return changed

    def _drop(self, key: Key) -> None:
        for occurrence in self.groups.pop(key).occurrences:
            keys = self._keys_of.get(occurrence.sentence)
            if keys is not None:
                keys.discard(key)

    def _arrive(self, document: Document, sentences: range, numbers: Numbers) -> set[Key]:
        """Put in the entries of some sentences."""
        forest = document.forest(sentences)
        self._count(forest, numbers)
        codes = _codes(material(forest, self.options), numbers, self.options)
        self._add(codes)
        return self._look(each_once(codes.code), set(numbers.tolist()))

    def _look(self, codes: npt.NDArray[np.uint64], wanted: set[int]) -> set[Key]:
        """The groups that some sentences are in, found among those that share a code."""
        return self._among(self._sharing(codes), wanted, self.options)

    def _among(
        self, candidates: Numbers, wanted: set[int], options: ConsistencyOptions
    ) -> set[Key]:
        """The groups that the wanted sentences are in, whose occurrences are all among these."""
        if not len(candidates):
            return set()
        parts = []
        order: list[int] = []
        for file in each_once(self._file[candidates]).tolist():
            here = candidates[self._file[candidates] == file]
            parts.append(self._documents[self._names[file]].forest(self._at[here]))
            order += here.tolist()
        rows = {row for row, number in enumerate(order) if number in wanted}
        found = groups(concatenate(parts), options)
        mine = [one for one in found if any(place.sentence in rows for place in one.occurrences)]
        return self._keep(mine, order)

    def _keep(self, found: Iterable[VariationGroup], numbers: Sequence[int]) -> set[Key]:
        """Groups of some rows, in place of those that there were of the same keys."""
        changed = set()
        for one in found:
            key = one.kind, one.identity
            if key in self.groups:
                self._drop(key)
            named = [place._replace(sentence=numbers[place.sentence]) for place in one.occurrences]
            places = tuple(sorted(named, key=lambda place: self.place(place.sentence)))
            self.groups[key] = one._replace(occurrences=places)
            for place in places:
                self._keys_of.setdefault(place.sentence, set()).add(key)
            changed.add(key)
        return changed

    def _add(self, codes: _Sorted) -> None:
        for code, number in zip(codes.code.tolist(), codes.number.tolist(), strict=True):
            self._added.setdefault(code, []).append(number)
        self._adds += len(codes.code)
        if self._adds > max(_FEW * 32, len(self._sorted.code) // 4):
            added = _Sorted(
                np.array([code for code, there in self._added.items() for _ in there], np.uint64),
                np.array([number for there in self._added.values() for number in there], np.int64),
            )
            both = [self._sorted, added]
            alive = [self._at[part.number] != GONE for part in both]
            self._sorted = _sorted(
                [_Sorted(*(c[k] for c in part)) for part, k in zip(both, alive, strict=True)]
            )
            self._added, self._adds = {}, 0

    def _sharing(self, codes: npt.NDArray[np.uint64]) -> Numbers:
        """The sentences that have one of some codes, ascending."""
        low = np.searchsorted(self._sorted.code, codes)
        high = np.searchsorted(self._sorted.code, codes, side="right")
        parts = [
            self._sorted.number[a:b]
            for a, b in zip(low.tolist(), high.tolist(), strict=True)
            if a < b
        ]
        more: list[int] = []
        for code in codes.tolist():
            there = self._added.get(code)
            if there is not None:
                there[:] = [number for number in there if self._at[number] != GONE]
                more += there
        found = each_once(np.concatenate([*parts, np.array(more, np.int64)]))
        return found[self._at[found] != GONE]


def between(old: Document, new: Document) -> SentenceChange:
    """Which sentences of a text are others than in an earlier one, which may have been read from
    elsewhere: those from the first to the last that is written differently."""
    first, old_end, new_end = new.since(old)
    if old.format is not new.format:
        return SentenceChange(first, old_end, new_end)
    if old.text() == new.text():
        return SentenceChange(len(new), len(new), len(new))
    while first < min(old_end, new_end) and old.piece_text(first) == new.piece_text(first):
        first += 1
    while first < min(old_end, new_end) and old.piece_text(old_end - 1) == new.piece_text(
        new_end - 1
    ):
        old_end, new_end = old_end - 1, new_end - 1
    return SentenceChange(first, old_end, new_end)


class _Sorted(NamedTuple):
    """Strings of words as numbers, ascending, each with the sentence that it is in.

    Different strings may have one number: that costs a look at one more sentence, and never
    makes a group, whose words are compared.
    """

    code: npt.NDArray[np.uint64]
    number: Numbers


def _codes(strip: Material, numbers: Numbers, options: ConsistencyOptions) -> _Sorted:
    """The strings of some sentences that are as long as the shortest key."""
    length = 1 + sum(options.window)
    start = np.flatnonzero(strip.reach >= length)
    code = np.zeros(len(start), np.uint64)
    word = strip.words.normal(strip.word)
    for step in range(length):
        code = (code + word[start + step]) * _MIX
        code ^= code >> np.uint64(29)
    return _Sorted(code, np.asarray(numbers)[strip.sentence[start]])


def _sorted(parts: Sequence[_Sorted]) -> _Sorted:
    code = np.concatenate([part.code for part in parts])
    order = np.argsort(code, kind="stable")
    return _Sorted(code[order], np.concatenate([part.number for part in parts])[order])
