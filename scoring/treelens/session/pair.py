"""Gold and system documents, aligned and scored: a frozen snapshot that an edit turns into another.

The counts of every group of sentences are rows of one growing table; which row is a group's
own is all that an edit changes, and the totals change by ``- old + new``. Reads no files and
knows no editor. Longer than other modules are: one class, and all that is asked of a pair.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.align.groups import GroupedBy, Groups, SentenceChange, Splice, There
from treelens.align.moves import Move
from treelens.align.uncertain import Uncertain
from treelens.compare.comparison import Comparison
from treelens.compare.sides import Side as Side
from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE, find
from treelens.metrics import Metric, Ratio, Score, Tallies, fractions, scores
from treelens.metrics.table import metrics_of
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.alignment import (
    AlignedSentences,
    DocumentYields,
    Theirs,
    known,
    line_up,
    line_up_again,
    yields_of,
)
from treelens.session.counts import (
    BATCH,
    COUNTED,
    FINDING_WEIGHT,
    IN_GOLD,
    IN_SYSTEM,
    LENGTH,
    MISMATCH,
    UNCOUNTED,
    UNEQUAL,
    CountTable,
    Progress,
    compare_groups,
    count_batches,
    count_groups,
    counts_of,
    without_pairs,
)
from treelens.session.document import Document
from treelens.session.kept import Kept
from treelens.session.texts import fitting
from treelens.trees.forest import Annotation, Ints, running

if TYPE_CHECKING:
    from treelens.errors import CountedError, Error

Flags = npt.NDArray[np.bool_]
_Found = TypeVar("_Found")

_EVERY = slice(None)

_PLACED = 64
"""Groups whose findings are kept with their places, which the next edit moves."""

_AHEAD, _AHEAD_BYTES = 16, 1 << 14
"""How many groups are looked at together where one is asked for, and of how much text: it takes as
long as two of them one by one, and who asks for one that stands in view asks for the next."""

_UNSURE = (GroupedBy.GUESSED, GroupedBy.PLACE, GroupedBy.SINGLE)
"""How sentences are grouped that need not have a word in common."""


class Unasked(Protocol):
    """Which metrics are counted where none were chosen, by what the files say of their words."""

    def __call__(self, *annotations: Annotation, heads: bool = False) -> tuple[Metric, ...]: ...


class Group(NamedTuple):
    """Sentences that hold the same text; one of the ranges may be empty."""

    gold: range
    system: range


class GroupChange(NamedTuple):
    """Groups ``[first, old_end)`` of an earlier state are ``[first, new_end)`` of a later one."""

    first: int
    old_end: int
    new_end: int


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A snapshot of two documents and everything that is known of their differences."""

    gold: Document
    system: Document
    asked: Parameters
    """What was asked for, of which :attr:`parameters` is what holds between such files."""
    parameters: Parameters
    metrics: tuple[Metric, ...]
    """What is counted, in the order of the columns of every row of counts."""
    unasked: Unasked
    """What would be, had nobody chosen."""
    _lined: AlignedSentences
    _total: Tallies
    _shared: int
    _table: CountTable
    _number: Ints
    _state: Ints
    """A number of each group that it had in no other state; ``(groups,)``."""
    strict: bool = False
    """Whether findings are all differences in the annotation, or only what scores count."""
    _findings: dict[int, tuple[Finding, ...]] = field(default_factory=dict, init=False)
    """Of the groups that were asked for last, where they are in this state."""
    _by_sentence: dict[tuple[Side, int], dict[int, list[Finding]]] = field(
        default_factory=dict, init=False
    )
    """The same by the sentence that they are marked in on a side."""
    _elsewhere: dict[Side, Theirs] = field(default_factory=dict, init=False)
    """Of each side's sentences that were moved, where they stand; once that was asked for."""

    def __len__(self) -> int:
        return len(self._number)

    def document(self, side: Side) -> Document:
        return self.gold if side is Side.GOLD else self.system

    @property
    def groups(self) -> Groups:
        """Which sentences belong together."""
        return self._lined.together

    def moves(self) -> list[Move]:
        """Blocks of sentences that the other file has elsewhere, by their place in gold."""
        return self._lined.moves(self._sentences())

    def uncertain(self) -> list[Uncertain]:
        """What is to be said of how sentences were paired."""
        return self._lined.uncertain(self._sentences())

    def elsewhere(self, side: Side, sentence: int) -> There | None:
        """The sentence that is this one and that the other file has out of order, if any, of the
        whole file, where this is a pair of stretches. (To be asked of those without counterparts:
        where one is out of order takes a look at all that have none.)"""
        if not self._elsewhere:
            self._elsewhere.update(zip(Side, self._lined.elsewhere(self._sentences()), strict=True))
        return self._elsewhere[side].get(sentence)

    def _sentences(self) -> tuple[DocumentYields, DocumentYields]:
        gold, system = self._lined.alignment.numbers
        return yields_of((self.gold, self.system), self.parameters, (gold[:], system[:]))

    def how(self, group: int) -> GroupedBy:
        """Why the sentences of a group are one."""
        return GroupedBy(int(self.groups.how[group]))

    def group(self, number: int) -> Group:
        groups = self.groups
        return Group(
            range(int(groups.gold_start[number]), int(groups.gold_end[number])),
            range(int(groups.system_start[number]), int(groups.system_end[number])),
        )

    def numbered(self, number: int) -> Group:
        """The sentences of a group by their numbers in the whole files, where this is a pair of
        stretches."""
        shifts = self.gold.before.sentences, self.system.before.sentences
        ranges = zip(self.group(number), shifts, strict=True)
        return Group(*(range(one.start + by, one.stop + by) for one, by in ranges))

    def group_of(self, side: Side, sentence: int) -> int:
        """The group a sentence is in."""
        groups = self.groups
        if side is Side.SYSTEM and self.parameters.alignment == "moved":
            inside = (groups.system_start <= sentence) & (sentence < groups.system_end)
            return int(np.argmax(inside))
        ends = groups.gold_end if side is Side.GOLD else groups.system_end
        return int(ends.searchsorted(sentence, side="right"))

    def groups_of(self, side: Side, sentences: Iterable[int]) -> Ints:
        """The groups that some sentences are in, in the order of the sentences."""
        if side is Side.SYSTEM and self.parameters.alignment == "moved":
            return np.array([self.group_of(side, one) for one in sentences], np.int32)
        ends = self.groups.gold_end if side is Side.GOLD else self.groups.system_end
        return ends.searchsorted(np.fromiter(sentences, np.int64), side="right").astype(np.int32)

    def tally(self, group: int) -> Tallies:
        """One group's counts."""
        return self._table.rows(self._number[group])[:UNCOUNTED]

    def tallies(self, groups: slice | Flags = _EVERY) -> Tallies:
        """The counts of some groups, by default of all, in order; a copy."""
        return self._table.rows(self._number[groups])[:, :UNCOUNTED]

    def fractions(self, ratio: Ratio) -> tuple[Tallies, Tallies]:
        """Numerators and denominators of one score of every group; ``(groups,)`` each."""
        # (Their counts are wide: some groups at a time.)
        parts = [
            fractions(self.tallies(slice(first, first + BATCH)), self.metrics, ratio)
            for first in range(0, len(self) or 1, BATCH)
        ]
        above, below = map(np.concatenate, zip(*parts, strict=True))
        return above, below

    def rows(self, groups: slice = _EVERY) -> Tallies:
        """The same with each group's own columns behind them (:data:`OWN`)."""
        return without_pairs(self._table.rows(self._number[groups]))

    @property
    def origin(self) -> object:
        """The same for all states of one pair: numbers of :meth:`states` compare among these."""
        return self._table.origin

    @property
    def total(self) -> Tallies:
        """The counts of all groups together: one row."""
        return self._total[:UNCOUNTED]

    def lengths(self) -> npt.NDArray[np.int64]:
        """Gold's length of every group."""
        return self._column(LENGTH)

    def mismatching(self) -> Flags:
        """Which groups have a finding."""
        return self._column(UNEQUAL if self.strict else MISMATCH) > 0

    def differences(self) -> npt.NDArray[np.int64]:
        """How many findings each group has."""
        counted = self._column(COUNTED)
        return counted + self._column(UNCOUNTED) if self.strict else counted

    def _column(self, at: int) -> npt.NDArray[np.int64]:
        return self._table.column(at, self._number)

    def strictly(self, strict: bool = True) -> Pair:
        """The same pair with the differences that no score counts, or without; scores stay."""
        return self if strict == self.strict else dataclasses.replace(self, strict=strict)

    def present(self) -> tuple[Flags, Flags]:
        """Which groups have words on gold's side, and on system's."""
        return self._column(IN_GOLD) > 0, self._column(IN_SYSTEM) > 0

    @property
    def shared(self) -> int:
        """How many groups have sentences of both sides that surely belong together."""
        return self._shared

    @property
    def worded(self) -> int:
        """How many groups have words on the side that has fewer such groups."""
        return int(min(self._total[IN_GOLD], self._total[IN_SYSTEM]))

    @property
    def unread(self) -> Side | None:
        """The side whose file is in a format that is not read, if one is: nothing is compared."""
        return next((side for side in Side if self.document(side).format.unread), None)

    @property
    def is_mixed(self) -> bool:
        """Whether one is trees and the other a table, say: neither has what the other annotates."""
        return self.document(Side.GOLD).format.annotation != (
            self.document(Side.SYSTEM).format.annotation
        )

    @property
    def is_takeable(self) -> bool:
        """Whether what one file has can be written into the other."""
        return self.gold.format.name == self.system.format.name

    @property
    def mismatches(self) -> int:
        """How many groups have a finding."""
        return int(self._total[UNEQUAL if self.strict else MISMATCH])

    def scores(self, group: int | None = None) -> tuple[Score, ...]:
        """Every score of the corpus, or of one group."""
        return scores(self.total if group is None else self.tally(group), self.metrics)

    def findings(self, group: int) -> tuple[Finding, ...]:
        """What differs in a group; marks have sentence numbers and offsets of the documents."""
        found = self._findings.get(group)
        if found is None:
            if len(self._findings) >= _PLACED:
                self._findings.clear()
                self._by_sentence.clear()
            found = self._findings[group] = self._findings_of(group)
        return found

    def findings_in(self, side: Side, sentence: int) -> list[Finding]:
        """What differs in a sentence: those of its group's findings that are marked there."""
        group = self.group_of(side, sentence)
        found = self._by_sentence.get((side, group))
        if found is None:
            findings, found = self.findings(group), {}
            for finding in findings:
                mark = finding.at(side)
                if mark is not None:
                    found.setdefault(mark.sentence, []).append(finding)
            self._by_sentence[side, group] = found
        return found.get(sentence, [])

    def _findings_of(self, group: int) -> tuple[Finding, ...]:
        number = int(self._number[group])
        known = self._table.findings.get(number)
        if known is None:
            self.look_at(self._from(group))
            known = self._table.findings.get(number)
            assert known is not None, "it has just been looked at"
        return tuple(
            self._finding_at_place(group, finding)
            for finding in known
            if self.strict or BY_CODE[finding.code].counted
        )

    def _from(self, group: int) -> range:
        """A group and some that follow it."""
        some, gold, system = self.groups.part(group, group + _AHEAD), self.gold, self.system
        texts = gold.start[some.gold_end] - gold.start[some.gold_start]
        texts += system.start[some.system_end] - system.start[some.system_start]
        few = np.searchsorted(np.cumsum(texts), _AHEAD_BYTES)
        return range(group, group + max(int(few), 1))

    def look_at(self, groups: Sequence[int]) -> None:
        """Find at once what differs in groups that are to be asked for one after the other."""
        numbers, known = self._number[np.asarray(groups, np.intp)].tolist(), self._table.findings
        known.tidy()
        wanted = {
            number: group
            for number, group in zip(numbers, groups, strict=True)
            if known.get(number) is None
        }
        if len(wanted) == 1:
            ((number, group),) = wanted.items()
            _keep(known, number, find(self.comparison(group)))
        elif wanted:
            found = self._found(np.array([*wanted.values()], np.intp))
            for number, one in zip(wanted, found, strict=True):
                _keep(known, number, tuple(one))

    def all_findings(self, groups: range | None = None) -> Iterator[tuple[int, list[Finding]]]:
        """The groups that have findings, of some or of all, in order, with these."""
        groups = range(len(self)) if groups is None else groups
        for first in groups[::BATCH]:
            some = range(first, min(first + BATCH, groups.stop))
            for group, found in zip(some, self._found(np.array(some), self.strict), strict=True):
                if found:
                    yield group, [self._finding_at_place(group, one) for one in found]

    def _found(self, groups: npt.NDArray[np.intp], strict: bool = True) -> list[list[Finding]]:
        """What differs in each of some groups; marks count sentences and offsets as those of a
        comparison of the group alone."""
        asked = Groups._make(column[groups] for column in self.groups)
        comparison = compare_groups(self.gold, self.system, asked, self.parameters)
        firsts = [
            running(end - start)
            for start, end in (
                (asked.gold_start, asked.gold_end),
                (asked.system_start, asked.system_end),
            )
        ]
        found: list[list[Finding]] = [[] for _ in groups]
        for finding in find(comparison, strict):
            row = _group_in(comparison, finding)
            marks = (
                mark and mark._replace(sentence=mark.sentence - int(first[row]))
                for mark, first in zip((finding.gold, finding.system), firsts, strict=True)
            )
            found[row].append(Finding(finding.code, *marks))
        return found

    def _finding_at_place(self, group: int, finding: Finding) -> Finding:
        ranges = self.group(group)
        return dataclasses.replace(
            finding,
            gold=_placed(finding.gold, self.gold, ranges.gold),
            system=_placed(finding.system, self.system, ranges.system),
        )

    def errors(self, group: int) -> tuple[Error, ...]:
        """A group's errors by class; marks as those of findings."""
        number = int(self._number[group])
        known = self._table.errors.get(number)
        if known is None:
            self._table.errors.tidy()
            (known,) = _classified(self.comparison(group))
            _keep(self._table.errors, number, known)
        return tuple(self._at_place(group, error) for error in known)

    def all_errors(self, groups: range | None = None) -> Iterator[tuple[int, tuple[Error, ...]]]:
        """The groups that have errors, of some or of all, in order, with these."""
        for first, comparison in self._batches(groups):
            for group, errors in enumerate(_classified(comparison), first):
                if errors:
                    yield group, tuple(self._at_place(group, error) for error in errors)

    def counted_errors(self) -> Iterator[tuple[int, list[CountedError]]]:
        """What reports count of the same, in any order within a group."""
        from treelens.errors import count  # which scores and mismatches do without

        wrong = np.flatnonzero(self._column(MISMATCH))
        for first in range(0, len(wrong), BATCH):
            part = wrong[first : first + BATCH]
            asked = Groups._make(column[part] for column in self.groups)
            comparison = compare_groups(self.gold, self.system, asked, self.parameters)
            for group, errors in sorted(count(comparison).items()):
                yield int(part[group]), errors

    def _at_place(self, group: int, error: Error) -> Error:
        ranges = self.group(group)
        return error.at(
            tuple(_moved(one, self.gold, ranges.gold) for one in error.gold),
            tuple(_moved(one, self.system, ranges.system) for one in error.system),
        )

    def comparison(self, group: int) -> Comparison:
        """The words and brackets of one group and their partners."""
        number = int(self._number[group])
        known = self._table.comparisons.get(number)
        return known or self._table.compared(number, self.compared(group, group + 1))

    def compared(self, first: int, end: int) -> Comparison:
        """The words and brackets of the groups ``[first, end)`` and their partners."""
        groups = self.groups.part(first, end)
        return compare_groups(self.gold, self.system, groups, self.parameters)

    def comparisons(self, groups: range | None = None) -> Iterator[Comparison]:
        """All groups in order, or some, so many in each comparison."""
        for _, comparison in self._batches(groups):
            yield comparison

    def _batches(self, groups: range | None) -> Iterator[tuple[int, Comparison]]:
        """The same, each with the number of its first group."""
        groups = range(len(self)) if groups is None else groups
        for first in groups[::BATCH]:
            yield first, self.compared(first, min(first + BATCH, groups.stop))

    def edit(self, side: Side, document: Document, change: SentenceChange) -> Pair:
        """The pair after one of its documents changed."""
        gold, system = (document, self.system) if side is Side.GOLD else (self.gold, document)
        formats = document.format, self.document(side).format
        kind, before = ((one.layout, one.annotation) for one in formats)
        if self.parameters.alignment != "own" or kind != before:
            # What a file is decides how all groups are compared, those of the other side alone too.
            made = pair(
                gold, system, self.asked, metrics=self._chosen_metrics(), unasked=self.unasked
            )
            return made.strictly(self.strict)
        if change.first == change.old_end == change.new_end:
            return dataclasses.replace(self, gold=gold, system=system)
        lined, splices = line_up_again(
            self._lined,
            (self.gold, self.system),
            (gold, system),
            self.parameters,
            0 if side is Side.GOLD else 1,
            change,
        )
        return self._recounted(gold, system, lined, splices)

    def _chosen_metrics(self) -> tuple[Metric, ...] | None:
        """The metrics if they were chosen; None if they are those that fit the files."""
        annotations = self.gold.format.annotation, self.system.format.annotation
        fitting = self.unasked(*annotations, heads=self.parameters.heads is not None)
        return None if self.metrics == fitting else self.metrics

    def _recounted(
        self, gold: Document, system: Document, lined: AlignedSentences, splices: tuple[Splice, ...]
    ) -> Pair:
        """With the counts of the groups that an edit touched taken anew."""
        table, number, state, total = self._table, self._number, self._state, self._total
        shared = self._shared
        if table.used > 4 * len(number) + (1 << 12):
            table, number = table.packed(number), np.arange(len(number), dtype=np.int32)
        numbers, states, done = [], [], 0
        for first, old_end, new_first, new_end in splices:
            touched = lined.together.part(new_first, new_end)
            compared = None
            if len(touched.stood) == 1:  # as when somebody types: features ask for it next
                compared = compare_groups(gold, system, touched, self.parameters)
                rows = counts_of(compared, self.parameters, self.metrics)
            else:
                rows = count_groups(gold, system, touched, self.parameters, self.metrics)
            total = total - table.sum(number[first:old_end]) + rows.sum(axis=0)
            fresh = np.arange(table.serial, table.serial + len(rows), dtype=np.int32)
            added = table.add(rows)
            shared -= _shared(self.groups.part(first, old_end), table, number[first:old_end])
            shared += _shared(touched, table, added)
            if compared is not None:
                table.compared(int(added[0]), compared)
            numbers += [number[done:first], added]
            states += [state[done:first], fresh]
            done = old_end
        return dataclasses.replace(
            self,
            gold=gold,
            system=system,
            _lined=lined,
            _total=total,
            _shared=shared,
            _table=table,
            _number=np.concatenate([*numbers, number[done:]]),
            _state=np.concatenate([*states, state[done:]]),
        )

    def since(self, before: Pair) -> GroupChange | None:
        """Which groups ``[first, old_end)`` of an earlier state are ``[first, new_end)`` of this
        one, all others being as they were; None if this is no later state of that pair."""
        if self._table.origin is not before._table.origin:
            return None
        first = _alike(before._state, self._state)
        tail = _alike(before._state[first:][::-1], self._state[first:][::-1])
        return GroupChange(first, len(before) - tail, len(self) - tail)

    def states(self) -> Ints:
        """A number for each group, another one whenever an edit has touched it; a copy."""
        return self._state.copy()

    def states_of(self, groups: range | Ints) -> tuple[int, ...]:
        """Of some groups; with the origin they stand for what is in them."""
        chosen = slice(groups.start, groups.stop) if isinstance(groups, range) else groups
        return tuple(self._state[chosen].tolist())


def pair(
    gold: Document,
    system: Document,
    parameters: Parameters = PRESETS["default"],
    progress: Progress | None = None,
    metrics: tuple[Metric, ...] | None = None,
    unasked: Unasked = metrics_of,
) -> Pair:
    """Align and score two documents, which share their symbols.

    ``metrics``: by default those that are ``unasked`` for what the documents have in common: the
    standard ones.
    ``progress`` is called with the share that is done, from this thread; what it raises ends
    the work (that is how it is cancelled).
    """
    return with_counts(aligned(gold, system, parameters, metrics, unasked), progress=progress)


def aligned(
    gold: Document,
    system: Document,
    parameters: Parameters = PRESETS["default"],
    metrics: tuple[Metric, ...] | None = None,
    unasked: Unasked = metrics_of,
) -> Pair:
    """Two documents aligned and not scored yet: as if every group held nothing."""
    asked, parameters = parameters, fitting(parameters, gold.format, system.format)
    lined = line_up((gold, system), parameters)
    if metrics is None:
        annotations = gold.format.annotation, system.format.annotation
        metrics = unasked(*annotations, heads=parameters.heads is not None)
    nothing = _table(metrics, len(lined.together.stood))
    nothing.used = len(lined.together.stood)
    return _pair(gold, system, asked, parameters, metrics, unasked, lined, nothing)


def with_counts(start: Pair, part: range | None = None, progress: Progress | None = None) -> Pair:
    """A pair with the counts of some groups taken, by default of all.

    An editor shows those in view while the others are being counted; totals mean nothing then.
    """
    some = range(len(start)) if part is None else part
    groups = start.groups.part(some.start, some.stop)
    table = _table(start.metrics, len(start))
    table.add(start._table.rows(start._number[: some.start]))
    for rows in count_batches(start.gold, start.system, groups, start.parameters, start.metrics):
        table.add(rows)
        if progress:
            # (Two files without a sentence are one batch of nothing.)
            progress((table.used - some.start) / max(len(some), 1))
    table.add(start._table.rows(start._number[some.stop :]))
    what = start.asked, start.parameters, start.metrics, start.unasked
    return _pair(start.gold, start.system, *what, start._lined, table)


def counted(
    gold: Document,
    system: Document,
    parameters: Parameters,
    metrics: tuple[Metric, ...],
    groups: Groups,
    rows: Tallies,
    apart: tuple[Theirs, Theirs] | None = None,
) -> Pair:
    """Two documents whose groups are known, and these groups' counts
    (:func:`~treelens.session.counts.count_groups`). apart: where in the other text sentences of
    either stand that are out of order."""
    table = _table(metrics, len(rows))
    table.add(rows)
    lined = known(groups, apart)
    return _pair(gold, system, parameters, parameters, metrics, metrics_of, lined, table)


def _table(metrics: Sequence[Metric], groups: int) -> CountTable:
    """Room for the rows of so many groups."""
    return CountTable(sum(len(one.counts) for one in metrics) - UNCOUNTED, groups)


def _pair(
    gold: Document,
    system: Document,
    asked: Parameters,
    parameters: Parameters,
    metrics: tuple[Metric, ...],
    unasked: Unasked,
    lined: AlignedSentences,
    table: CountTable,
) -> Pair:
    numbers = np.arange(table.used, dtype=np.int32)
    shared = _shared(lined.together, table, numbers)
    counts = table.sum(numbers), shared, table, numbers, numbers
    return Pair(gold, system, asked, parameters, metrics, unasked, lined, *counts)


def _shared(groups: Groups, table: CountTable, numbers: Ints) -> int:
    """How many of these groups have words on both sides, and not by a guess; ``numbers``: their
    rows."""
    both = (table.column(IN_GOLD, numbers) > 0) & (table.column(IN_SYSTEM, numbers) > 0)
    return int((both & ~np.isin(groups.how, _UNSURE)).sum())


def _alike(before: Ints, now: Ints) -> int:
    """How many of the first ones are the same."""
    shorter = min(len(before), len(now))
    differs = before[:shorter] != now[:shorter]
    return int(np.argmax(differs)) if differs.any() else shorter


def _classified(comparison: Comparison) -> list[tuple[Error, ...]]:
    from treelens.errors import classify  # which scores and mismatches do without

    return classify(comparison)


def _group_in(comparison: Comparison, finding: Finding) -> int:
    """The group of a comparison that a finding is in."""
    for side, mark in ((comparison.gold, finding.gold), (comparison.system, finding.system)):
        if mark is not None:
            return int(side.sentence_group[mark.sentence])
    raise AssertionError(f"{finding.code} without a mark")


def _keep(kept: Kept[tuple[_Found, ...]], number: int, found: tuple[_Found, ...]) -> None:
    kept.keep(number, found, FINDING_WEIGHT * (1 + len(found)))


def _placed(mark: Mark | None, document: Document, sentences: range) -> Mark | None:
    return _moved(mark, document, sentences) if mark else None


def _moved(mark: Mark, document: Document, sentences: range) -> Mark:
    sentence = sentences[mark.sentence]
    base = int(document.start[sentence])
    return mark._replace(sentence=sentence, start=mark.start + base, end=mark.end + base)
