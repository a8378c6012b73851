"""The worklist of a pair: which of its groups are to be worked on, in what order and sections.

An order over whole columns of numbers; only the lines of the page that is shown are worked out
(:mod:`treelens.present.worklist_lines`). The reviewed side is the one whose sentences have the
states; a group without a sentence there is reviewed on the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.differences.table import Kinds, counted_only, kind_of
from treelens.differences.wording import ROLES, SideNames, heading, title
from treelens.metrics import Ratio, headlines
from treelens.session.pair import Pair, Side
from treelens.session.ranking import badness
from treelens.session.review import STATES, Reviewed, State
from treelens.trees.forest import each_once

if TYPE_CHECKING:
    from treelens.session.since import ChangeCounts
    from treelens.session.suspects import SuspectCounts

WorklistOrder = Literal["score", "mismatches", "suspects", "worse", "file"]
WorklistBy = Literal["nothing", "class", "labels", "kind", "state"]
WorklistShown = Literal["all", "todo", "question", "changed", "checked"]

Numbers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]

_TODO, _CHECKED, _QUESTION, _CHANGED = range(4)
STATE_ORDER: tuple[State, ...] = ("question", "changed", "todo", "checked")
_SHOWN: dict[WorklistShown, tuple[State, ...]] = {
    "all": STATES,
    "todo": ("todo", "changed"),
    "question": ("question",),
    "changed": ("changed",),
    "checked": ("checked",),
}


class ListOptions(NamedTuple):
    """How the list is sorted, grouped and filtered.

    order: the lowest score first, the most mismatches first, what most systems agree on against
    gold first, what got worse most since an earlier version first, or as in the file; but for the
    last, sentences whose text is broken come before all others.
    least: mismatches that a sentence must have. low, high: of the first headline's values, both
    in; a sentence without that score is left out where either is given.
    """

    order: WorklistOrder = "score"
    by: WorklistBy = "nothing"
    query: str = ""
    show: WorklistShown = "all"
    least: int = 0
    low: float | None = None
    high: float | None = None
    worse: bool = False
    """Only sentences that have more differences than in the earlier version."""


class StateCounts(NamedTuple):
    """How many sentences are in which state."""

    total: int
    checked: int
    questions: int
    changed: int

    @property
    def left(self) -> int:
        """Neither checked nor in question."""
        return self.total - self.checked - self.questions


class Section(NamedTuple):
    """Sentences that are listed together. ``errors``: how often they have what it is of."""

    key: str
    title: str
    sentences: int
    left: int
    errors: int


@dataclass(frozen=True, slots=True, eq=False)
class Worklist:
    """A pair with what is said of its groups; ``code`` are places in ``STATES``."""

    pair: Pair
    side: Side
    code: npt.NDArray[np.int8]
    broken: Flags
    """Groups with a sentence whose text is broken, in either file."""
    names: SideNames = ROLES
    """What the two sides are called."""
    suspects: SuspectCounts | None = None
    """Of each group, where it is asked for: places where gold's systems agree against it."""
    notes: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    """Notes on nodes of each group, in either file."""
    moved: ChangeCounts | None = None
    """Of each group, where it is asked for: what is new since an earlier version, and mended."""

    @property
    def counts(self) -> StateCounts:
        counts = np.bincount(self.code, minlength=len(STATES)).tolist()
        return StateCounts(len(self.code), counts[_CHECKED], counts[_QUESTION], counts[_CHANGED])

    def anchor(self, group: int) -> tuple[Side, int]:
        """The sentence that stands for a group, and has its state."""
        return anchor(self.pair, self.side, group)


def anchor(pair: Pair, side: Side, group: int) -> tuple[Side, int]:
    """The first sentence of a group on one side, or on the other if there is none."""
    gold, system = pair.group(group)
    mine, theirs = (gold, system) if side is Side.GOLD else (system, gold)
    return (side, mine.start) if mine else (side.other, theirs.start)


def worklist(
    pair: Pair, side: Side, reviewed: dict[Side, Reviewed], names: SideNames = ROLES
) -> Worklist:
    """The states of a pair's groups, from those of both documents' sentences."""
    groups = pair.groups
    bounds = {
        Side.GOLD: (groups.gold_start, groups.gold_end),
        Side.SYSTEM: (groups.system_start, groups.system_end),
    }
    code, notes = np.zeros(len(pair), np.int8), np.zeros(len(pair), np.int64)
    for one in (side.other, side):
        start, end = bounds[one]
        counts = np.bincount(reviewed[one].notes[:, 0], minlength=len(pair.document(one)))
        before = np.append(0, np.cumsum(counts))
        notes += before[end] - before[start]
        here = np.flatnonzero(end > start)
        code[here] = reviewed[one].code[start[here]]
    return Worklist(pair, side, code, _broken(pair), names, notes=notes)


def with_suspects(work: Worklist, counts: SuspectCounts) -> Worklist:
    """The list with what systems agree on against gold, given of each of gold's sentences; what is
    not known yet counts as nothing."""
    groups = work.pair.groups
    owner = np.repeat(np.arange(len(work.pair)), groups.gold_end - groups.gold_start)
    most = np.zeros(len(work.pair), np.int64)
    np.maximum.at(most, owner, np.maximum(counts.said, 0))
    return replace(
        work, suspects=counts._replace(places=_of_groups(work, counts.places), said=most)
    )


def with_changes(work: Worklist, counts: ChangeCounts) -> Worklist:
    """The list with what is new since an earlier version, given of each of gold's sentences; what
    is not known yet counts as nothing."""
    new, mended = (_of_groups(work, column) for column in counts)
    return replace(work, moved=counts._replace(new=new, mended=mended))


def _of_groups(work: Worklist, counts: Numbers) -> npt.NDArray[np.int64]:
    """What each group's sentences of gold have together; below 0 is nothing."""
    groups, before = work.pair.groups, np.append(0, np.cumsum(np.maximum(counts, 0)))
    found: npt.NDArray[np.int64] = before[groups.gold_end] - before[groups.gold_start]
    return found


# --- which sentences -----------------------------------------------------------------------


def let_through(work: Worklist, options: ListOptions, found: dict[Side, Flags]) -> Flags:
    """The groups that the filters let through; ``(groups,)``.

    found: the sentences of each document that match the query.
    """
    pair = work.pair
    shown = np.array([state in _SHOWN[options.show] for state in STATES], np.bool_)
    flags: Flags = shown[work.code]
    if options.query.strip():
        groups = pair.groups
        flags &= _any(found[Side.GOLD], groups.gold_start, groups.gold_end) | _any(
            found[Side.SYSTEM], groups.system_start, groups.system_end
        )
    if options.least > 0:
        flags &= pair.differences() >= options.least
    if options.low is not None or options.high is not None:
        values = _values(pair)
        low = -np.inf if options.low is None else options.low
        high = np.inf if options.high is None else options.high
        flags &= (values >= low) & (values <= high)
    if options.worse:
        flags &= _balance(work) > 0
    return flags


def _balance(work: Worklist) -> Numbers:
    """How many differences each group has more than in the earlier version."""
    if work.moved is None:
        return np.zeros(len(work.pair), np.int64)
    return work.moved.new - work.moved.mended


def _any(flags: Flags, start: Numbers, end: Numbers) -> Flags:
    """Whether a flag is set in ``[start, end)``."""
    before = np.append(0, np.cumsum(flags))
    there: Flags = before[end] > before[start]
    return there


def _values(pair: Pair) -> npt.NDArray[np.float64]:
    """The first headline of every group; not a number where it has none."""
    ratio = headline_of(pair)
    above, below = pair.fractions(ratio)
    return np.where(below > 0, ratio.scale * above / np.maximum(below, 1), np.nan)


def headline_of(pair: Pair) -> Ratio:
    """What a list shows of each group, and is filtered by."""
    return headlines(pair.metrics)[0]


def ordered(work: Worklist, options: ListOptions, groups: Numbers) -> Numbers:
    """Some groups as the list has them."""
    columns = sort_keys(work, options.order)
    # (The last of them counts first.)
    order: Numbers = groups[np.lexsort([column[groups] for column in reversed(columns)])]
    return order


def sort_keys(work: Worklist, order: WorklistOrder) -> tuple[npt.NDArray[np.float64], ...]:
    """What the groups are sorted by, each rising; ``(groups,)``, the last a group's number."""
    numbers = np.arange(len(work.pair), dtype=np.float64)
    if order == "file":
        return (numbers,)
    worst = *badness(work.pair).keys(), numbers
    most: tuple[npt.NDArray[Any], ...] = ()
    if order == "mismatches":
        most = (-work.pair.differences(),)
    if order == "suspects" and work.suspects is not None:
        most = -work.suspects.said, -work.suspects.places
    if order == "worse" and work.moved is not None:
        most = -_balance(work), -work.moved.new
    return (~work.broken, *most, *worst)


def _broken(pair: Pair) -> Flags:
    groups, flags = pair.groups, np.zeros(len(pair), np.bool_)
    for document, start, end in (
        (pair.gold, groups.gold_start, groups.gold_end),
        (pair.system, groups.system_start, groups.system_end),
    ):
        wrong = np.zeros(len(document), np.bool_)
        wrong[document.with_problems(errors=True)] = True
        flags |= _any(wrong, start, end)
    return flags


# --- in sections ----------------------------------------------------------------------------


class NamedErrors(NamedTuple):
    """Which groups have an error of which name; ``(errors,)`` each, names as places."""

    group: Numbers
    name: Numbers
    names: Sequence[str]


def by_state(work: Worklist, flags: Flags) -> list[Section]:
    counts = np.bincount(work.code[flags], minlength=len(STATES)).tolist()
    titles = {
        "question": "In Question",
        "changed": "Changed since Checked",
        "todo": "To Do",
        "checked": "Checked",
    }
    found = []
    for state in STATE_ORDER:
        count = counts[STATES.index(state)]
        left = count if state in ("todo", "changed") else 0
        if count:
            found.append(Section(state, titles[state], count, left, 0))
    return found


def named_errors(
    errors: Kinds, pair: Pair, by: WorklistBy, names: SideNames = ROLES
) -> NamedErrors:
    """Mismatches by label pair, or by what kind of difference they are."""
    if not pair.strict:
        errors = counted_only(errors)
    kinds, place = np.unique(errors.kind, return_inverse=True)
    titles = []
    for kind in kinds.tolist():
        what = kind_of(kind, pair.gold.symbols)
        titles.append(title(what, names) if by == "labels" else heading(what.difference, names))
    distinct = [*dict.fromkeys(titles)]
    number_of = {name: at for at, name in enumerate(distinct)}
    table = np.array([number_of[title] for title in titles], np.int64)
    return NamedErrors(errors.group, table[place] if len(table) else errors.group, distinct)


def by_name(work: Worklist, flags: Flags, errors: NamedErrors) -> list[Section]:
    """A section for each name, the most frequent first."""
    here = flags[errors.group]
    group, name = errors.group[here].astype(np.int64), errors.name[here].astype(np.int64)
    times = np.bincount(name, minlength=len(errors.names))
    both = each_once(name * max(len(work.pair), 1) + group)
    owners, groups = np.divmod(both, max(len(work.pair), 1))
    sentences = np.bincount(owners, minlength=len(errors.names))
    is_left = np.isin(work.code[groups], (_TODO, _CHANGED))
    left = np.bincount(owners[is_left], minlength=len(errors.names))
    order = sorted(np.flatnonzero(sentences).tolist(), key=lambda k: (-times[k], errors.names[k]))
    return [
        Section(errors.names[k], errors.names[k], int(sentences[k]), int(left[k]), int(times[k]))
        for k in order
    ]


def of_section(work: Worklist, key: str, by: WorklistBy, errors: NamedErrors) -> Flags:
    """The groups that are in a section."""
    if by == "state":
        code: Flags = work.code == (STATES.index(key) if key in STATES else -1)
        return code
    flags = np.zeros(len(work.pair), np.bool_)
    if key in errors.names:
        flags[errors.group[errors.name == errors.names.index(key)]] = True
    return flags


# --- one after the other -------------------------------------------------------------------


class WorklistStop(NamedTuple):
    """Where one is in the list: a group, and what it was sorted by when one came there.

    A sentence that is being mended becomes better and moves down the list; the next one is the
    one that was next before.
    """

    group: int
    key: tuple[float, ...]


def stop(
    work: Worklist, options: ListOptions, group: int, before: WorklistStop | None
) -> WorklistStop:
    """Where one is now; the place of before, if that is still the same sentence."""
    columns = sort_keys(work, options.order)
    if before is not None and before.group == group and len(before.key) == len(columns):
        return before
    return WorklistStop(group, tuple(float(column[group]) for column in columns))


def step(
    work: Worklist,
    options: ListOptions,
    flags: Flags,
    at: WorklistStop | None,
    *,
    back: bool = False,
) -> int | None:
    """The next group of the list that is not checked, or the one before; None at its end.

    Without a place to start from, the first one.
    """
    open_ = np.isin(work.code, (_TODO, _CHANGED))
    if options.show in ("question", "checked"):
        open_ = np.ones(len(work.code), np.bool_)
    groups = np.flatnonzero(flags & open_)
    if at is not None:
        groups = groups[groups != at.group]
    if not len(groups):
        return None
    order = ordered(work, options, groups)
    if at is None:
        return int(order[-1 if back else 0])
    behind, same = np.zeros(len(order), np.bool_), np.ones(len(order), np.bool_)
    for column, value in zip(sort_keys(work, options.order), at.key, strict=True):
        behind |= same & (column[order] > value)
        same &= column[order] == value
    rest = order[~behind] if back else order[behind]
    return int(rest[-1 if back else 0]) if len(rest) else None
