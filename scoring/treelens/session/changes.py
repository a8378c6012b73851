"""Two versions of a system against one gold file: what was mended, what is new, what stays.

A difference is told again by what it is about in gold's terms: the fact of gold that is not
matched, or the fact that only system has, over the words of gold that it covers. So the two
versions may split words and sentences each in its own way. Knows no form of report.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.errors.error import Error
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.statistics.significance import by_unit, units

Numbers = npt.NDArray[np.integer[Any]]

Fate = Literal["mended", "new", "stays"]
FATES: tuple[Fate, ...] = ("mended", "new", "stays")

Item = TypeVar("Item", Finding, Error)


class Change(NamedTuple, Generic[Item]):
    """What became of one difference, or of one error.

    old, new: as it is in either version; None where that version does not have it. first, end:
    the words of gold that it is about, counted from 0 over the stretch; ``first == end`` of what
    covers no word of gold.
    """

    fate: Fate
    old: Item | None
    new: Item | None
    first: int
    end: int

    @property
    def item(self) -> Item:
        """As the new version has it, or as it was."""
        found = self.new if self.new is not None else self.old
        assert found is not None
        return found


class ChangedStretch(NamedTuple):
    """Sentences of gold that both versions' alignments respect, and what changed there.

    gold, old, new: the sentences of each file. length: gold's words that count. before, after:
    differences of either version.
    """

    gold: range
    old: range
    new: range
    length: int
    differences: tuple[Change[Finding], ...]
    errors: tuple[Change[Error], ...]

    @property
    def before(self) -> int:
        return sum(one.old is not None for one in self.differences)

    @property
    def after(self) -> int:
        return sum(one.new is not None for one in self.differences)

    @property
    def is_another(self) -> bool:
        """Whether anything was mended or is new."""
        return any(one.fate != "stays" for one in self.differences)


def changes(old: Pair, new: Pair) -> Iterator[ChangedStretch]:
    """The stretches in which either version differs from gold, in gold's order.

    The pairs have the same gold.
    """
    starts = units([pair.groups.gold_start for pair in (old, new)], len(old.gold))
    ends = np.append(starts[1:], len(old.gold))
    words = _first_words(old.gold)
    before, after = (_Version(pair, starts, words) for pair in (old, new))
    lengths = by_unit(new.lengths()[:, np.newaxis], new.groups.gold_start, starts)[:, 0].tolist()
    differing = sorted(before.findings.keys() | after.findings.keys())
    for at in differing:
        gold = range(int(starts[at]), int(ends[at]))
        base = words[gold.start]
        yield ChangedStretch(
            gold,
            before.sentences(at),
            after.sentences(at),
            lengths[at],
            tuple(_matched(before.findings[at], after.findings[at], base)),
            tuple(_matched(before.errors[at], after.errors[at], base)),
        )


def _first_words(document: Document) -> list[int]:
    """The number of the first word of each sentence, and that of all words."""
    if not len(document):
        return [0]
    return document.forest(range(len(document))).first_leaf.tolist()


class _Found(NamedTuple, Generic[Item]):
    """An item, what tells it again in the other version, and gold's words that it is about."""

    key: Hashable
    item: Item
    first: int
    end: int


def _matched(
    old: Sequence[_Found[Item]], new: Sequence[_Found[Item]], base: int
) -> Iterator[Change[Item]]:
    """Each of the new ones with the first of the old ones that is the same and not taken yet;
    words are counted from ``base``."""
    waiting: dict[Hashable, list[_Found[Item]]] = defaultdict(list)
    for found in reversed(old):
        waiting[found.key].append(found)
    changed: list[Change[Item]] = []
    for found in new:
        before = waiting[found.key].pop().item if waiting[found.key] else None
        fate: Fate = "new" if before is None else "stays"
        changed.append(Change(fate, before, found.item, found.first - base, found.end - base))
    gone = (found for left in waiting.values() for found in left)
    changed += [
        Change("mended", found.item, None, found.first - base, found.end - base) for found in gone
    ]
    yield from sorted(changed, key=lambda one: (one.first, -one.end, FATES.index(one.fate)))


class _Version:
    """One version's differences and errors by stretch, and what words of gold they are about."""

    def __init__(self, pair: Pair, starts: Numbers, words: list[int]) -> None:
        self.pair = pair
        self._words = words
        self._covered = _covered(pair, words)
        self._owner = np.maximum(
            np.searchsorted(starts, pair.groups.gold_start, side="right") - 1, 0
        )
        self._bounds = np.searchsorted(self._owner, np.arange(len(starts) + 1)).tolist()
        self._system_words = _first_words(pair.system)
        self.findings = self._by_stretch(pair.all_findings(), self._finding)
        self.errors = self._by_stretch(pair.all_errors(), self._error)

    def groups(self, at: int) -> range:
        return range(self._bounds[at], self._bounds[at + 1])

    def sentences(self, at: int) -> range:
        """The version's own sentences."""
        ranges = [self.pair.group(group).system for group in self.groups(at)]
        there = [one for one in ranges if one]
        return range(there[0].start, there[-1].stop) if there else range(0)

    def _by_stretch(
        self,
        by_group: Iterable[tuple[int, Sequence[Item]]],
        found: Callable[[Item], _Found[Item]],
    ) -> dict[int, list[_Found[Item]]]:
        stretches: dict[int, list[_Found[Item]]] = defaultdict(list)
        for group, items in by_group:
            stretches[int(self._owner[group])] += map(found, items)
        return stretches

    def _finding(self, finding: Finding) -> _Found[Finding]:
        difference = BY_CODE[finding.code]
        theirs = difference.owner is Side.SYSTEM
        mark = finding.system if theirs else finding.gold
        assert mark is not None
        first, end = self._of_system(mark) if theirs else self._of_gold(mark)
        key = difference.family, theirs, first, end, mark.written or mark.words
        return _Found(key, finding, first, end)

    def _error(self, error: Error) -> _Found[Error]:
        """An error is the same if its class and labels are, and its place."""
        spans = [*map(self._of_gold, error.gold), *map(self._of_system, error.system)]
        first, end = min(span[0] for span in spans), max(span[1] for span in spans)
        return _Found((error.name, error.gold_label, first, end), error, first, end)

    def _of_gold(self, mark: Mark) -> tuple[int, int]:
        start = self._words[mark.sentence]
        return start + mark.span[0], start + mark.span[1]

    def _of_system(self, mark: Mark) -> tuple[int, int]:
        """The words of gold that a mark on system's side covers."""
        start = self._system_words[mark.sentence]
        rows = slice(start + mark.span[0], start + mark.span[1])
        firsts, ends = self._covered[0][rows], self._covered[1][rows]
        if not len(firsts):
            return (before := int(self._covered[1][start - 1]) if start else 0), before
        return int(firsts.min()), max(int(ends.max()), int(firsts.min()))


def _covered(pair: Pair, words: list[int]) -> tuple[Numbers, Numbers]:
    """The first word of gold that each of system's words covers, and one behind the last.

    Of a word that covers none both are the one that comes after it.
    """
    firsts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    group = 0
    for comparison in pair.comparisons():
        gold, system = comparison.gold.words, comparison.system.words
        base = words[pair.group(group).gold.start] if comparison.groups else 0
        overt = np.flatnonzero(gold.end > gold.start)
        rows = np.append(overt, len(gold.start)) + base
        first = np.searchsorted(gold.end[overt], system.start, side="right")
        end = np.searchsorted(gold.start[overt], system.end, side="left")
        covers = end > first
        firsts.append(rows[first])
        ends.append(np.where(covers, rows[np.maximum(end, 1) - 1] + 1, rows[first]))
        group += comparison.groups
    return np.concatenate(firsts), np.concatenate(ends)
