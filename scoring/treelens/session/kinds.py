"""Which kinds of mismatches the groups of a pair have, for many groups at once.

The findings' codes with the labels, tags or relations of both sides, as whole numbers: a kind is
counted as often as there are findings of it. Worked out once for each state of a group; what an
edit leaves alone is not looked at again. Classes of errors are kept in the same way.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison, wrong_words
from treelens.differences.findings import KINDS, Code, stretches
from treelens.errors import classify
from treelens.session.pair import Pair, Progress
from treelens.trees.forest import Symbols

Numbers = npt.NDArray[np.int64]
_Names = npt.NDArray[np.integer[Any]] | int

_CODES: tuple[Code, ...] = get_args(Code)
_PLACE = {code: number for number, code in enumerate(_CODES)}
_NAME_BITS = 24
_NAME = (1 << _NAME_BITS) - 1

_SLICE = 256
"""Groups that are looked at in one go: a few milliseconds."""


class Kind(NamedTuple):
    """What differs; the names are empty where a side has none there."""

    code: Code
    gold: str
    system: str

    @property
    def title(self) -> str:
        """``NP→ADJP``, ``PP missing``, ``nsubj→obj``, ``head of nmod``."""
        gold, system = self.gold or "–", self.system or "–"
        if self.code == "wrong-head":
            return f"head of {gold}"
        if self.code in ("wrong-label", "wrong-tag", "wrong-relation"):
            return f"{gold}→{system}"
        return f"{self.gold or self.system} {KINDS[self.code]}".strip()


def kind_of(number: int, symbols: Symbols) -> Kind:
    """A kind by its number."""
    gold, system = (number >> _NAME_BITS) & _NAME, number & _NAME
    names = [symbols.label(name - 1).split("##", 1)[0] if name else "" for name in (gold, system)]
    return Kind(_CODES[number >> 2 * _NAME_BITS], *names)


class Counted(NamedTuple):
    """Kinds of mismatches or classes of errors, each as often as it occurs; ``(k,)`` each, groups
    ascending."""

    group: Numbers
    kind: Numbers


Look = Callable[[Comparison], Counted]
"""What there is to know of the groups of a comparison."""


class Begun:
    """Groups that are being looked at, on whichever thread."""

    def __init__(self, look: Look, pair: Pair, todo: npt.NDArray[np.intp]) -> None:
        self.origin = pair.origin
        self.parts: list[tuple[Numbers, Counted]] = []
        """The groups' states, and what was found of these."""
        self._look, self._pair, self._todo = look, pair, todo

    def work(self, progress: Progress | None = None) -> None:
        """Look at all of them; ``progress`` may raise to end it, and what was found stays."""
        states, done = self._pair.states(), 0
        for first, end in _slices(self._todo):
            found = self._look(self._pair.compared(first, end))
            here = states[first:end].astype(np.int64)
            self.parts.append((here, Counted(here[found.group], found.kind)))
            done += end - first
            if progress:
                progress(done / len(self._todo))


class Kinds:
    """What is known of a pair's groups, kept for as long as they stay as they are."""

    def __init__(self, look: Look | None = None) -> None:
        self._look = look or kinds
        self._origin: object = None
        self._known = np.zeros(0, np.bool_)
        self._parts: list[Counted] = []

    def wanting(self, pair: Pair) -> int:
        """How many groups there are of which nothing is known yet."""
        return len(self._todo(pair))

    def begin(self, pair: Pair) -> Begun:
        """What is to be done to know all; :meth:`take` takes in what was."""
        return Begun(self._look, pair, self._todo(pair))

    def work(self, pair: Pair) -> None:
        """Begin it, do it and take it in."""
        begun = self.begin(pair)
        begun.work()
        self.take(begun)

    def take(self, begun: Begun) -> None:
        """Take in what was found."""
        if begun.origin is not self._origin:
            self._origin, self._known, self._parts = begun.origin, np.zeros(0, np.bool_), []
        for states, found in begun.parts:
            most = int(states.max(initial=-1)) + 1
            if most > len(self._known):
                self._known = np.append(self._known, np.zeros(2 * most, np.bool_))
            fresh = ~self._known[found.group]
            self._parts.append(Counted(found.group[fresh], found.kind[fresh]))
            self._known[states] = True

    def of(self, pair: Pair) -> Counted:
        """What is known of the pair's groups as they are."""
        if pair.origin is not self._origin or not self._parts:
            return Counted(np.zeros(0, np.int64), np.zeros(0, np.int64))
        if len(self._parts) > 1:
            columns = zip(*self._parts, strict=True)
            self._parts = [Counted(*(np.concatenate(column) for column in columns))]
        owner, kind = self._parts[0]
        states = pair.states()
        group = np.full(max(len(self._known), int(states.max(initial=-1)) + 1), -1, np.int64)
        group[states] = np.arange(len(states))
        found = group[owner]
        here = np.flatnonzero(found >= 0)
        order = here[np.argsort(found[here], kind="stable")]
        return Counted(found[order], kind[order])

    def _todo(self, pair: Pair) -> npt.NDArray[np.intp]:
        states = pair.states()
        if pair.origin is not self._origin:
            return np.arange(len(states))
        known = np.zeros(len(states), np.bool_)
        inside = states < len(self._known)
        known[inside] = self._known[states[inside]]
        return np.flatnonzero(~known)


def _slices(groups: npt.NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Runs of neighbours among some groups, none of them long."""
    if not len(groups):
        return
    cuts = np.flatnonzero(np.diff(groups) > 1) + 1
    for low, high in itertools.pairwise([0, *cuts.tolist(), len(groups)]):
        start, end = int(groups[low]), int(groups[high - 1]) + 1
        for first in range(start, end, _SLICE):
            yield first, min(first + _SLICE, end)


class Classes:
    """Classes of errors as numbers: places in ``names``, which only grow."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def look(self, comparison: Comparison) -> Counted:
        """The classes of the groups' errors."""
        group, kind = [], []
        for number, errors in enumerate(classify(comparison)):
            for error in errors:
                group.append(number)
                kind.append(self._number(error.name))
        return Counted(np.array(group, np.int64), np.array(kind, np.int64))

    def _number(self, name: str) -> int:
        with self._lock:
            if name not in self._numbers:
                self._numbers[name] = len(self.names)
                self.names.append(name)
            return self._numbers[name]


def kinds(comparison: Comparison) -> Counted:
    """What differs in some groups: of each the kinds of its findings."""
    found: list[tuple[npt.NDArray[Any], Numbers]] = []

    def add(code: Code, group: npt.NDArray[Any], gold: _Names = -1, system: _Names = -1) -> None:
        number = np.int64(_PLACE[code]) << 2 * _NAME_BITS
        names = (np.asarray(gold, np.int64) + 1 << _NAME_BITS) + np.asarray(system, np.int64) + 1
        found.append((group, np.broadcast_to(number + names, np.shape(group))))

    lone = _lone(comparison, add)
    _brackets(comparison, add)
    _words(comparison, add)
    _arcs(comparison, add)
    group = np.concatenate([part for part, _ in found]).astype(np.int64)
    kind = np.concatenate([part for _, part in found])
    # Where a side has no word there is nothing else to say than that.
    alone = lone[group] & (kind >> 2 * _NAME_BITS < _PLACE["missing-sentence"])
    order = np.flatnonzero(~alone)
    order = order[np.argsort(group[order], kind="stable")]
    return Counted(group[order], kind[order])


_Add = Callable[..., None]


def _lone(comparison: Comparison, add: _Add) -> npt.NDArray[np.bool_]:
    """Groups of which one side has no word; ``(groups,)``."""
    sides = comparison.gold, comparison.system
    words = [np.bincount(side.words.group, minlength=comparison.groups) > 0 for side in sides]
    most = np.maximum(
        *(np.bincount(side.sentence_group, minlength=comparison.groups) for side in sides)
    )
    for code, here, there in (
        ("missing-sentence", words[0], words[1]),
        ("extra-sentence", words[1], words[0]),
    ):
        groups = np.flatnonzero(here & ~there)
        add(code, np.repeat(groups, most[groups]))
    return ~(words[0] & words[1])


def _brackets(comparison: Comparison, add: _Add) -> None:
    gold, system = comparison.gold.brackets, comparison.system.brackets
    names = comparison.gold.forest.label[gold.row]
    theirs = comparison.system.forest.label[system.row]
    relabelled = np.flatnonzero((gold.partner < 0) & (gold.relabelled >= 0))
    others = theirs[gold.relabelled[relabelled]]
    add("wrong-label", gold.group[relabelled], names[relabelled], others)
    missing = np.flatnonzero((gold.partner < 0) & (gold.relabelled < 0))
    add("missing-bracket", gold.group[missing], names[missing])
    free = (system.partner < 0) & (system.relabelled < 0)
    crossing, extra = np.flatnonzero(free & system.crosses), np.flatnonzero(free & ~system.crosses)
    add("crossing-bracket", system.group[crossing], -1, theirs[crossing])
    add("extra-bracket", system.group[extra], -1, theirs[extra])


def _words(comparison: Comparison, add: _Add) -> None:
    gold, system = comparison.gold, comparison.system
    words = gold.words
    rows = np.flatnonzero(words.counted & (words.partner >= 0) & ~words.tagged)
    others = words.partner[rows]
    add("wrong-tag", words.group[rows], gold.forest.tag[rows], system.forest.tag[others])
    wrong = []
    for side in (gold, system):
        at = np.flatnonzero(wrong_words(side.words))
        columns = side.words.start[at].tolist(), side.words.end[at].tolist(), at.tolist()
        wrong.append(list(zip(*columns, strict=True)))
    groups: dict[Code, list[int]] = {"different-words": [], "missing-words": [], "extra-words": []}
    for golds, systems in stretches(*wrong):
        code: Code = "missing-words" if golds else "extra-words"
        side = gold if golds else system
        group = int(side.words.group[(golds or systems)[0]])
        groups["different-words" if golds and systems else code].append(group)
    for code, numbers in groups.items():
        add(code, np.array(numbers, np.int64))


def _arcs(comparison: Comparison, add: _Add) -> None:
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or gold.forest.dependencies is None or system.forest.dependencies is None:
        return
    words, arcs = gold.words, gold.arcs
    relation, other = gold.forest.dependencies.relation, system.forest.dependencies.relation
    paired = words.partner >= 0
    heads = np.flatnonzero(paired & ~arcs.attached)
    add("wrong-head", words.group[heads], relation[heads])
    relations = np.flatnonzero(paired & ~arcs.subtyped)
    add(
        "wrong-relation",
        words.group[relations],
        relation[relations],
        other[words.partner[relations]],
    )
    unlike = np.flatnonzero(paired & arcs.unlike.any(axis=1))
    add("wrong-morphology", words.group[unlike])
