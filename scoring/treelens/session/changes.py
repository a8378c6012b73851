"""Two versions of a system against one gold file: what was mended, what is new, what stays.

A difference is told again by what it is about in gold's terms: the fact of gold that is not
matched, or the fact that only system has, over the words of gold that it covers. So the two
versions may split words and sentences each in its own way. What differs in a sentence that the
other version lacks is left out: it is no merit to have lost it. Knows no form of report.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import presence
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

_AT_ONCE = 512
"""Stretches that are looked at together."""


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

    gold, old, new: the sentences of each file. length: gold's words that count. left_out: how
    many differences of the old version, and of the new one, are in sentences of gold that the
    other one lacks; that it does is a difference of its own.
    """

    gold: range
    old: range
    new: range
    length: int
    differences: tuple[Change[Finding], ...]
    errors: tuple[Change[Error], ...]
    left_out: tuple[int, int]


def changes(old: Pair, new: Pair) -> Iterator[ChangedStretch]:
    """The stretches in which either version differs from gold, in gold's order; a few are looked
    at together.

    The pairs have the same gold.
    """
    starts = units([pair.groups.gold_start for pair in (old, new)], len(old.gold))
    lengths = by_unit(new.lengths()[:, np.newaxis], new.groups.gold_start, starts)[:, 0]
    ends = np.append(starts[1:], len(old.gold))
    for first in range(0, len(starts), _AT_ONCE):
        here = slice(first, first + _AT_ONCE)
        yield from _changes(old, new, starts[here], ends[here], lengths[here].tolist())


def _changes(
    old: Pair, new: Pair, starts: Numbers, ends: Numbers, lengths: list[int]
) -> Iterator[ChangedStretch]:
    """Those of some stretches that stand one behind the other."""
    there = range(int(starts[0]), int(ends[-1]))
    before, after = _versions(old, new, starts, there)
    findings = before.findings(), after.findings()
    errors = before.errors(), after.errors()
    for at in sorted(findings[0].keys() | findings[1].keys()):
        gold = range(int(starts[at]), int(ends[at]))
        base = after.words[gold.start - there.start]
        yield ChangedStretch(
            gold,
            before.sentences(at),
            after.sentences(at),
            lengths[at],
            tuple(_matched(findings[0][at], findings[1][at], base)),
            tuple(_matched(errors[0][at], errors[1][at], base)),
            (before.left_out[at], after.left_out[at]),
        )


def changes_in(old: Pair, new: Pair, gold: range) -> Iterator[tuple[range, list[Change[Finding]]]]:
    """The same of the stretches that some sentences of gold are in, differences alone; costs what
    these sentences do."""
    gold = up_to_whole_groups((old, new), gold)
    starts = np.arange(gold.start, gold.stop)
    for pair in (old, new):
        starts = np.intersect1d(starts, pair.groups.gold_start)
    starts = np.union1d(starts, [gold.start])
    before, after = _versions(old, new, starts, gold)
    findings = before.findings(), after.findings()
    ends = np.append(starts[1:], gold.stop)
    for at in sorted(findings[0].keys() | findings[1].keys()):
        here = range(int(starts[at]), int(ends[at]))
        base = after.words[here.start - gold.start]
        yield here, [*_matched(findings[0][at], findings[1][at], base)]


def up_to_whole_groups(pairs: tuple[Pair, Pair], gold: range) -> range:
    """Some sentences of gold with those around them, up to where both versions' groups end."""
    while gold:
        ends = [
            [pair.group(pair.group_of(Side.GOLD, at)).gold for at in (gold.start, gold.stop - 1)]
            for pair in pairs
        ]
        first, last = zip(*ends, strict=True)
        wider = range(min(one.start for one in first), max(one.stop for one in last))
        if wider == gold:
            break
        gold = wider
    return gold


def groups_of(pair: Pair, gold: range) -> range:
    """The groups of whole stretches of gold; what is behind gold's last sentence is of its."""
    starts = pair.groups.gold_start
    first = int(np.searchsorted(starts, gold.start))
    if gold.stop == len(pair.gold):
        return range(first, len(pair))
    return range(first, int(np.searchsorted(starts, gold.stop)))


def _first_words(document: Document, sentences: Numbers | range) -> list[int]:
    """The number of the first word of each of some sentences, and that of all their words."""
    return document.forest(sentences).first_leaf.tolist() if len(sentences) else [0]


class _Found(NamedTuple, Generic[Item]):
    """An item, what tells it again in the other version, and gold's words that it is about."""

    key: Hashable
    item: Item
    first: int
    end: int


_Stretches = defaultdict[int, list[_Found[Item]]]


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
    """One version's differences and errors by stretch, and what words of gold they are about.

    starts: gold's first sentence of each stretch. gold: the sentences of all of them; words and
    sentences are counted from the first of these.
    """

    def __init__(self, pair: Pair, starts: Numbers, gold: range) -> None:
        self._pair, self._gold, self._groups = pair, gold, groups_of(pair, gold)
        here = pair.groups.gold_start[self._groups.start : self._groups.stop]
        self._owner = np.maximum(np.searchsorted(starts, here, side="right") - 1, 0)
        bounds = np.searchsorted(self._owner, np.arange(len(starts) + 1))
        self._bounds = (bounds + self._groups.start).tolist()
        self.words = _first_words(pair.gold, gold)
        self.lacked: set[int] = set()
        """Sentences of gold of which it has nothing."""
        self.alone: set[int] = set()
        """Those of which the other version has nothing, and this one something."""
        self.left_out: Counter[int] = Counter()
        """Of each stretch, the differences in these."""
        self._system_words = self._system_places()
        self._covered = self._words_covered()

    def sentences(self, at: int) -> range:
        """The version's own sentences."""
        return self._system_sentences(range(self._bounds[at], self._bounds[at + 1]))

    def findings(self) -> _Stretches[Finding]:
        found = [*self._pair.all_findings(self._groups)]
        for group, items in found:
            self.left_out[self._stretch(group)] += len(items) * self._is_alone(group)
        return self._by_stretch(found, self._finding)

    def errors(self) -> _Stretches[Error]:
        return self._by_stretch(self._pair.all_errors(self._groups), self._error)

    def _system_sentences(self, groups: range) -> range:
        ranges = [self._pair.group(group).system for group in groups]
        there = [one for one in ranges if one]
        if not there:
            return range(0)
        return range(min(one.start for one in there), max(one.stop for one in there))

    def _by_stretch(
        self,
        by_group: Iterable[tuple[int, Sequence[Item]]],
        found: Callable[[Item], _Found[Item]],
    ) -> _Stretches[Item]:
        stretches: _Stretches[Item] = defaultdict(list)
        for group, items in by_group:
            if not self._is_alone(group):
                stretches[self._stretch(group)] += map(found, items)
        return stretches

    def _stretch(self, group: int) -> int:
        return int(self._owner[group - self._groups.start])

    def _is_alone(self, group: int) -> bool:
        gold = self._pair.group(group).gold if self.alone else ()
        return bool(gold) and self.alone.issuperset(gold)

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
        start = self.words[mark.sentence - self._gold.start]
        return start + mark.span[0], start + mark.span[1]

    def _of_system(self, mark: Mark) -> tuple[int, int]:
        """The words of gold that a mark on system's side covers."""
        start, first_of_group, gold = self._system_words[mark.sentence]
        rows = slice(start + mark.span[0], start + mark.span[1])
        firsts, ends = self._covered[0][rows], self._covered[1][rows]
        if not len(firsts):
            before = int(self._covered[1][start - 1]) if start > first_of_group else gold
            return before, before
        return int(firsts.min()), max(int(ends.max()), int(firsts.min()))

    def _system_places(self) -> dict[int, tuple[int, int, int]]:
        """Of each of system's sentences, its first word, in the order of the groups; that of its
        group; and the group's first word of gold."""
        groups = [self._pair.group(group) for group in self._groups]
        sentences = [sentence for group in groups for sentence in group.system]
        words = iter(_first_words(self._pair.system, np.array(sentences, np.int64)))
        places = dict[int, tuple[int, int, int]]()
        for group in groups:
            gold = self.words[group.gold.start - self._gold.start]
            firsts = [*itertools.islice(words, len(group.system))]
            places |= {
                sentence: (first, firsts[0], gold)
                for sentence, first in zip(group.system, firsts, strict=True)
            }
        return places

    def _words_covered(self) -> tuple[Numbers, Numbers]:
        """The first word of gold that each of system's words covers, and one behind the last.

        Of a word that covers none both are the one that comes after it.
        """
        firsts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        group = self._groups.start
        for comparison in self._pair.comparisons(self._groups):
            gold, system = comparison.gold.words, comparison.system.words
            base = self.words[self._pair.group(group).gold.start - self._gold.start]
            overt = np.flatnonzero(gold.end > gold.start)
            rows = np.append(overt, len(gold.start)) + base
            first = np.searchsorted(gold.end[overt], system.start, side="right")
            end = np.searchsorted(gold.start[overt], system.end, side="left")
            covers = end > first
            firsts.append(rows[first])
            ends.append(np.where(covers, rows[np.maximum(end, 1) - 1] + 1, rows[first]))
            in_gold, in_system = presence(comparison)
            for lone in np.flatnonzero(in_gold & ~in_system).tolist():
                self.lacked.update(self._pair.group(group + lone).gold)
            group += comparison.groups
        return np.concatenate(firsts), np.concatenate(ends)


def _versions(old: Pair, new: Pair, starts: Numbers, gold: range) -> tuple[_Version, _Version]:
    """Both, which know of each other what is alone."""
    before, after = (_Version(pair, starts, gold) for pair in (old, new))
    before.alone, after.alone = after.lacked - before.lacked, before.lacked - after.lacked
    return before, after
