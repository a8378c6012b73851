"""Everything wrong near the view: what the text breaks, and what the other files have instead.

Nearest first until there are enough; what is left out is said, in one line, at the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from treelens.differences.table import BY_CODE
from treelens.differences.wording import SideNames, message
from treelens.present import since, suspects
from treelens.present.alignment import explained, uncertainty
from treelens.present.names import told_apart
from treelens.present.overlay import overlay_of
from treelens.present.parts import Part, of_sentence
from treelens.present.parts import of_group as part_of_group
from treelens.present.revisions import side_names
from treelens.present.unknown import UNKNOWN_LABEL, unknown
from treelens.present.window import near, nearest
from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.forest import Problem

MOST = 250
"""Diagnostics of a file at once, give or take those of one sentence, if there are not more than
that in view: what is in view is marked, all of it."""

_MOST_IN_VIEW = 1000
"""Problems of a text that are told of in view: more are for no eye."""

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


def diagnostics(snapshot: Snapshot, most: int = MOST) -> list[Diagnostic]:
    """The problems and mismatches in view and around it, in text order."""
    found = [one for part in parts(snapshot, most) for one in part.make()]
    return sorted(found, key=lambda diagnostic: diagnostic[:2])


def parts(snapshot: Snapshot, most: int = MOST) -> list[Part[Diagnostic]]:
    """The same as parts: problems, a sentence each, and what differs, a group each; before that
    all the rest."""
    problems, count = _problems(snapshot, most)
    found = [*_unknown(snapshot)]
    found += _overlaid(snapshot, max(most - count - len(found), 1))
    names = [other.name for other in snapshot.marked]
    share = max((most - count - len(found)) // max(len(snapshot.marked), 1), 1)
    groups: list[Part[Diagnostic]] = []
    for counterpart in snapshot.marked:
        prefix = f"{told_apart(counterpart.name, names)}: " if len(names) > 1 else ""
        sides = side_names(snapshot.name, counterpart)
        shown, left_out = _shown(counterpart, snapshot.visible, share)
        groups += [_of_group(snapshot, counterpart, group, prefix, sides) for group in shown]
        found += _rest(counterpart, left_out, prefix)
    agreed = [
        Part(one.key, one.anchors, partial(_agreed, one), one.held)
        for one in suspects.parts(snapshot)
    ]
    return [*([Part(None, (), lambda: found)] if found else []), *problems, *groups, *agreed]


def _agreed(part: Part[suspects.Place]) -> list[Diagnostic]:
    """What a gold file's systems agree on against it."""
    return [
        Diagnostic(start, end, "information", suspects.CODE, suspects.message(one))
        for one, start, end in part.make()
    ]


def _of_group(
    snapshot: Snapshot, other: Counterpart, group: int, prefix: str, names: SideNames
) -> Part[Diagnostic]:
    make = partial(_made, other, group, prefix, names)
    key = "diagnostics", prefix, since.state(other, group)
    return part_of_group(snapshot, other, group, key, make)


def _made(other: Counterpart, group: int, prefix: str, names: SideNames) -> list[Diagnostic]:
    return [*_guess(other, group, prefix), *of_group(other, group, prefix, names)]


def _guess(other: Counterpart, group: int, prefix: str) -> Iterator[Diagnostic]:
    """That sentences were paired with little to go by, at the start of the first one."""
    gold, system = other.pair.group(group)
    here, there = (gold, system) if other.side is Side.GOLD else (system, gold)
    why = uncertainty(other, here.start) if here else ""
    if not why:
        return
    start, end = _opening(other.pair.document(other.side), here.start)
    place = _opening(other.pair.document(other.side.other), there.start)
    # (Without the other's number, which changes with every sentence before it.)
    related = Related(other.name, *place, "the sentence that it is compared with")
    text = f"{prefix}the pairing of this sentence is {why}"
    yield Diagnostic(start, end, "information", "guessed-pairing", text, (related,))


def _opening(document: Document, sentence: int) -> tuple[int, int]:
    """Where a sentence starts: its first bracket with its label, or as much of its first row."""
    tree = document.tree(sentence)
    return tree.start, max(tree.start + 1, tree.nodes[0].label_end if tree.nodes else 0)


def _problems(snapshot: Snapshot, most: int) -> tuple[list[Part[Diagnostic]], int]:
    """What the text breaks, and how much of that there is: ``most`` at most, and more in view."""
    document = snapshot.document
    if not len(document):
        found = [_problem(one) for one in document.problems()[:most]]
        return [Part(None, (), lambda: found)], len(found)
    wrong, count = document.with_problems(), 0
    parts: list[Part[Diagnostic]] = []
    for sentence in wrong[nearest(wrong, wrong + 1, snapshot.visible)].tolist():
        room = max(most, _MOST_IN_VIEW) if sentence in snapshot.visible else most
        here = min(document.problem_count(sentence), max(room - count, 0))
        make = partial(_of_sentence, document, sentence, here)
        parts.append(of_sentence(snapshot, sentence, ("problems", here), make))
        count += here
    return parts, count


def _of_sentence(document: Document, sentence: int, most: int) -> list[Diagnostic]:
    return [_problem(one) for one in document.problems(sentence, sentence + 1)[:most]]


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
        yield Diagnostic(one.start, one.end, severity, one.code, one.message, related)
    text = overlay.left_out(len(marks))
    if text:
        yield Diagnostic(0, 1, "information", "more-disagreements", text)


def _unknown(snapshot: Snapshot) -> Iterator[Diagnostic]:
    for one in unknown(snapshot, near(snapshot.visible, len(snapshot.document))):
        yield Diagnostic(one.start, one.end, "information", UNKNOWN_LABEL, one.message)


def _shown(counterpart: Counterpart, visible: range, most: int) -> tuple[list[int], int]:
    """The groups whose mismatches are marked, and how many others have some: all in view are, and
    of those around it as many as make ``most`` marks in all."""
    pair, groups = counterpart.pair, counterpart.pair.groups
    gold = counterpart.side is Side.GOLD
    starts = groups.gold_start if gold else groups.system_start
    ends = groups.gold_end if gold else groups.system_end
    # A group without a sentence here has nothing here to point at.
    wrong = np.flatnonzero(pair.mismatching() & (ends > starts))
    order = wrong[nearest(starts[wrong], ends[wrong], visible)]
    in_view = (starts[order] < visible.stop) & (ends[order] > visible.start)
    marks = np.cumsum(pair.differences()[order])
    # (As many as are begun before there are enough.)
    shown = order[in_view | (marks - pair.differences()[order] < most)].tolist()
    return shown, len(wrong) - len(shown)


def _rest(counterpart: Counterpart, left_out: int, prefix: str) -> Iterator[Diagnostic]:
    """What is said of what is not marked."""
    if not counterpart.complete:
        text = f"{prefix}the sentences outside of what is in view are still being compared"
        yield Diagnostic(0, 1, "information", "more-mismatches", text)
    elif left_out:
        yield _left_out(left_out, prefix)


def of_group(
    counterpart: Counterpart, group: int, prefix: str, names: SideNames
) -> Iterator[Diagnostic]:
    """What differs in a group of sentences, where this file has anything to point at."""
    side, new = counterpart.side, since.new(counterpart, group)
    for finding in counterpart.pair.findings(group):
        here, there = finding.at(side), finding.at(side.other)
        if here is None:
            continue
        related: tuple[Related, ...] = ()
        if there is not None:
            said = message(finding, side.other, names)
            related = (Related(counterpart.name, there.start, there.end, said),)
        text = prefix + message(finding, side, names)
        text = ": ".join(filter(None, [text, explained(counterpart, finding)]))
        text += f"; {since.said(counterpart)}" if finding in new else ""
        severity = BY_CODE[finding.code].severity
        yield Diagnostic(here.start, here.end, severity, finding.code, text, related)


def _left_out(count: int, prefix: str) -> Diagnostic:
    what = "sentence with mismatches lies" if count == 1 else "sentences with mismatches lie"
    text = (
        f"{prefix}{count:,} more {what} outside of the part shown here: "
        "scroll there, or go to the next mismatch"
    )
    return Diagnostic(0, 1, "information", "more-mismatches", text)
