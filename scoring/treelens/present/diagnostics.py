"""What is wrong with a file: what the text breaks, and what the other files have instead.

What is *listed* does not depend on where one looks: the first of it until there is enough; how
much is left is said, in one line, at the top. All else is told, as not listed, while it is near
the view.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, partial
from typing import Literal, NamedTuple

import numpy as np

from treelens.differences.difference import Finding, Numbers
from treelens.differences.table import BY_CODE
from treelens.differences.wording import SideNames, message
from treelens.present import since, suspects
from treelens.present.alignment import explained, may_be_guess, uncertainty
from treelens.present.names import told_apart
from treelens.present.overlay import overlay_of
from treelens.present.parts import Part, of_differences, of_sentence
from treelens.present.parts import of_group as part_of_group
from treelens.present.revisions import side_names
from treelens.present.unknown import UNKNOWN_LABEL, unknown
from treelens.present.window import is_near, marked, near
from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.session.view import View
from treelens.trees.forest import Problem

MOST = 100
"""Diagnostics of a file that are listed, open or not, give or take those of one sentence: all of
them are sent with each keystroke."""

_MOST_IN_VIEW = 1000
"""Problems of a text that are told of in view: more are for no eye."""

IN_VIEW = "in view"
"""What clients are told of those that are not listed (``data``)."""

Severity = Literal["error", "warning", "information", "hint"]


class Related(NamedTuple):
    """Where the other file has what this one has not."""

    name: str
    start: int
    end: int
    message: str


class Diagnostic(NamedTuple):
    start: int
    end: int
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    link: str = ""
    """A page that explains it."""
    listed: bool = True
    """Whether it is told wherever one looks; else while its sentence is near the view."""


def diagnostics(snapshot: Snapshot, most: int = MOST) -> list[Diagnostic]:
    """The problems and mismatches that are listed or near the view, in text order."""
    found = [one for part in parts(snapshot, most) for one in part.make()]
    return sorted(found, key=lambda diagnostic: diagnostic[:2])


def parts(snapshot: Snapshot, most: int = MOST) -> list[Part[Diagnostic]]:
    """The same as parts: problems, a sentence each, and what differs, a group each; before that
    all the rest."""
    problems, count = _problems(snapshot, most)
    found = [*_unknown(snapshot), *_overlaid(snapshot, max(most - count, 1))]
    whole = is_near(len(snapshot.document))
    near_by = marked(snapshot.visible, len(snapshot.document))
    names = [other.name for other in snapshot.marked]
    share = max((most - count) // max(len(snapshot.marked), 1), 1)
    groups: list[Part[Diagnostic]] = []
    for counterpart in snapshot.marked:
        prefix = f"{told_apart(counterpart.name, names)}: " if len(names) > 1 else ""
        sides = side_names(snapshot.name, counterpart)
        shown = _shown(counterpart, snapshot.visible, near_by, share)
        for listed, of in ((True, shown.listed), (False, shown.near)):
            for group in of.tolist():
                groups += _of_group(snapshot, counterpart, group, prefix, sides, listed=listed)
        found += _rest(counterpart, shown.left, prefix)
    agreed = [
        Part((one.key, whole), one.anchors, partial(_agreed, one, whole))
        for one in suspects.parts(snapshot)
    ]
    return [*([Part(None, (), lambda: found)] if found else []), *problems, *groups, *agreed]


def _agreed(part: Part[suspects.SuspectPlace], listed: bool) -> list[Diagnostic]:
    """What a gold file's systems agree on against it."""
    return [
        Diagnostic(start, end, "information", suspects.CODE, suspects.message(one), listed=listed)
        for one, start, end in part.make()
    ]


def _of_group(
    snapshot: Snapshot,
    other: Counterpart,
    group: int,
    prefix: str,
    names: SideNames,
    *,
    listed: bool,
) -> Iterator[Part[Diagnostic]]:
    """What is said of it: that it is a guess, if it is one, and what differs."""
    if may_be_guess(other, group):
        guess = partial(_guess, other, group, prefix, listed)
        yield part_of_group(snapshot, other, group, ("guess", prefix, listed), guess)
    mine, _ = other.ranges(group)
    key = "diagnostics", prefix, listed, since.state(other, group)
    # (What is new is found for all of a group, whichever sentence asks first.)
    new = cache(partial(since.new, other, group))
    make = partial(_mismatches, other, new, prefix, names, listed)
    yield from of_differences(snapshot, other, group, mine, key, make)


def _as_listed(found: list[Diagnostic], listed: bool) -> list[Diagnostic]:
    return found if listed else [one._replace(listed=False) for one in found]


def _guess(other: Counterpart, group: int, prefix: str, listed: bool) -> list[Diagnostic]:
    """That sentences were paired with little to go by, at the start of the first one."""
    here, there = other.ranges(group)
    why = uncertainty(other, here.start) if here else ""
    if not why:
        return []
    start, end = _opening(other.pair.document(other.side), here.start)
    place = _opening(other.pair.document(other.side.other), there.start)
    # (Without the other's number, which changes with every sentence before it.)
    related = Related(other.name, *place, "the sentence that it is compared with")
    text = f"{prefix}the pairing of this sentence is {why}"
    code = "guessed-pairing"
    return [Diagnostic(start, end, "information", code, text, (related,), listed=listed)]


def _opening(document: Document, sentence: int) -> tuple[int, int]:
    """Where a sentence starts: its first bracket with its label, or as much of its first row."""
    tree = document.tree(sentence)
    return tree.start, max(tree.start + 1, tree.nodes[0].label_end if tree.nodes else 0)


def _problems(snapshot: Snapshot, most: int) -> tuple[list[Part[Diagnostic]], int]:
    """What the text breaks: the first of it, ``most`` at most, and what is near the view; and how
    much of that is listed."""
    document = snapshot.document
    if not len(document):
        found = [_problem(one) for one in document.problems()[:most]]
        return [Part(None, (), lambda: found)], len(found)
    wrong, listed, count = document.with_problems(), dict[int, range](), 0
    for sentence in wrong[:most].tolist():
        listed[sentence] = range(min(document.problem_count(sentence), most - count))
        count += len(listed[sentence])
    parts = [_of_sentence(snapshot, *one, listed=True) for one in listed.items() if one[1]]
    shown, room = marked(snapshot.visible, len(document)), _MOST_IN_VIEW
    for sentence in wrong[shown.away(wrong, wrong + 1) == 0].tolist():
        first = len(listed.get(sentence, ()))
        rest = range(first, min(document.problem_count(sentence), first + room))
        parts += [_of_sentence(snapshot, sentence, rest, listed=False)] if rest else []
        room -= len(rest)
    return parts, count


def _of_sentence(
    snapshot: Snapshot, sentence: int, which: range, *, listed: bool
) -> Part[Diagnostic]:
    make = partial(_some_problems, snapshot.document, sentence, which, listed)
    return of_sentence(snapshot, sentence, ("problems", which, listed), make)


def _some_problems(
    document: Document, sentence: int, which: range, listed: bool
) -> list[Diagnostic]:
    found = document.problems(sentence, sentence + 1)[which.start : which.stop]
    return _as_listed([_problem(one) for one in found], listed)


def _problem(one: Problem) -> Diagnostic:
    return Diagnostic(one.start, one.end, one.severity, one.code, one.message)


def _overlaid(snapshot: Snapshot, most: int) -> Iterator[Diagnostic]:
    """What is left to do, such as what two annotators disagree on and is not settled yet."""
    overlay = overlay_of(snapshot)
    if overlay is None:
        return
    marks = overlay.marks(snapshot, most)
    for one in marks:
        severity = BY_CODE[one.code].severity
        related = tuple(Related(*there) for there in one.related)
        told = one.start, one.end, severity, one.code, one.message, related
        yield Diagnostic(*told, listed=one.listed)
    text = overlay.left_out(sum(one.listed for one in marks))
    if text:
        yield Diagnostic(0, 1, "information", "more-disagreements", text)


def _unknown(snapshot: Snapshot) -> Iterator[Diagnostic]:
    whole = is_near(len(snapshot.document))
    for one in unknown(snapshot, *near(snapshot.visible, len(snapshot.document)).stretches):
        place = one.start, one.end
        yield Diagnostic(*place, "information", UNKNOWN_LABEL, one.message, listed=whole)


class _Shown(NamedTuple):
    """Groups whose mismatches are marked, ``(k,)`` each, and how many are not listed."""

    listed: Numbers
    near: Numbers
    left: int


def _shown(counterpart: Counterpart, visible: View, near_by: View, most: int) -> _Shown:
    """The first groups that make ``most`` marks in all are listed; of the others those in view, and
    near it as many as make ``most``."""
    pair, groups = counterpart.pair, counterpart.pair.groups
    gold = counterpart.side is Side.GOLD
    starts = groups.gold_start if gold else groups.system_start
    ends = groups.gold_end if gold else groups.system_end
    # A group without a sentence here has nothing here to point at.
    wrong = np.flatnonzero(pair.mismatching() & (ends > starts))
    wrong = wrong[np.argsort(starts[wrong], kind="stable")]
    # (As many as are begun before there are enough.)
    marks = np.cumsum(pair.differences()[wrong])
    count = int(np.searchsorted(marks - pair.differences()[wrong], most))
    rest = wrong[count:]
    near = rest[near_by.away(starts[rest], ends[rest]) == 0]
    distance = visible.away(starts[near], ends[near])
    order = np.argsort(distance, kind="stable")
    before = np.cumsum(pair.differences()[near[order]]) - pair.differences()[near[order]]
    kept = order[(distance[order] == 0) | (before < most)]
    return _Shown(wrong[:count], near[np.sort(kept)], len(rest))


def _rest(counterpart: Counterpart, left_out: int, prefix: str) -> Iterator[Diagnostic]:
    """What is said of what is not marked."""
    if not counterpart.complete:
        text = f"{prefix}the sentences outside of what is in view are still being compared"
        yield Diagnostic(0, 1, "information", "more-mismatches", text)
    elif left_out:
        yield _left_out(left_out, prefix)


def _mismatches(
    other: Counterpart,
    new: Callable[[], Collection[Finding]],
    prefix: str,
    names: SideNames,
    listed: bool,
    findings: Sequence[Finding],
) -> list[Diagnostic]:
    """Some of what differs in a group, where this file has anything to point at; ``new``: what of
    all that differs there is."""
    found, side = [], other.side
    for finding in findings:
        here, there = finding.at(side), finding.at(side.other)
        if here is None:
            continue
        related: tuple[Related, ...] = ()
        if there is not None:
            said = message(finding, side.other, names)
            related = (Related(other.name, there.start, there.end, said),)
        text = prefix + message(finding, side, names)
        text = ": ".join(filter(None, [text, explained(other, finding)]))
        text += f"; {since.new_since(other)}" if finding in new() else ""
        told = BY_CODE[finding.code].severity, finding.code, text, related
        found.append(Diagnostic(here.start, here.end, *told, listed=listed))
    return found


def _left_out(count: int, prefix: str) -> Diagnostic:
    what = "sentence with mismatches is" if count == 1 else "sentences with mismatches are"
    text = (
        f"{prefix}{count:,} more {what} not listed here, but marked in view: "
        "scroll there, or go to the next mismatch"
    )
    return Diagnostic(0, 1, "information", "more-mismatches", text)
