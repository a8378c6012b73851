"""Everything wrong near the view: what the text breaks, and what the other files have instead.

Nearest first until there are enough; what is left out is said, in one line, at the top.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from treelens.present.adjudicating import left_out, open_marks
from treelens.present.alignment import explained
from treelens.present.names import short_name
from treelens.present.revisions import spoken
from treelens.present.unknown import UNKNOWN_LABEL, unknown
from treelens.present.window import near, nearest
from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot

MOST = 250
"""Diagnostics of a file at once, give or take those of one sentence."""

Severity = Literal["error", "warning", "information"]

_MILD = {"wrong-tag", "wrong-morphology"}


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


def diagnostics(snapshot: Snapshot, most: int = MOST) -> list[Diagnostic]:
    """The problems and mismatches in view and around it, in text order."""
    found = list(itertools.islice(_problems(snapshot.document, snapshot.visible), most))
    found += _unknown(snapshot)
    found += _open(snapshot, max(most - len(found), 1))
    several = len(snapshot.marked) > 1
    share = max((most - len(found)) // max(len(snapshot.marked), 1), 1)
    for counterpart in snapshot.marked:
        prefix = f"{short_name(counterpart.name)}: " if several else ""
        mismatches = _mismatches(counterpart, snapshot.visible, share, prefix)
        found += (_spoken(one, snapshot.name, counterpart) for one in mismatches)
    return sorted(found, key=lambda diagnostic: diagnostic[:2])


def _problems(document: Document, visible: range) -> Iterator[Diagnostic]:
    troubled = document.troubled()
    chosen = troubled[nearest(troubled, troubled + 1, visible)].tolist()
    each = (document.problems(k, k + 1) for k in chosen) if len(document) else [document.problems()]
    for problem in itertools.chain.from_iterable(each):
        yield Diagnostic(
            problem.start, problem.end, problem.severity, problem.code, problem.message
        )


def _open(snapshot: Snapshot, most: int) -> Iterator[Diagnostic]:
    """What two annotators disagree on and is not settled yet."""
    marks = open_marks(snapshot, most)
    for one in marks:
        severity: Severity = "information" if one.code in _MILD else "warning"
        related = tuple(Related(*there) for there in one.related)
        yield Diagnostic(one.start, one.end, severity, one.code, one.message, related)
    message = left_out(snapshot, len(marks))
    if message:
        yield Diagnostic(0, 1, "information", "more-disagreements", message)


def _unknown(snapshot: Snapshot) -> Iterator[Diagnostic]:
    for one in unknown(snapshot, near(snapshot.visible, len(snapshot.document))):
        yield Diagnostic(one.start, one.end, "information", UNKNOWN_LABEL, one.message)


def _mismatches(
    counterpart: Counterpart, visible: range, most: int, prefix: str
) -> Iterator[Diagnostic]:
    pair, groups = counterpart.pair, counterpart.pair.groups
    gold = counterpart.side is Side.GOLD
    starts = groups.gold_start if gold else groups.system_start
    ends = groups.gold_end if gold else groups.system_end
    # A group without a sentence here has nothing here to point at.
    wrong = np.flatnonzero(pair.mismatching() & (ends > starts))
    shown = count = 0
    for group in wrong[nearest(starts[wrong], ends[wrong], visible)].tolist():
        if count >= most:
            break
        marked = [*_of_group(counterpart, group, prefix)]
        yield from marked
        shown, count = shown + 1, count + len(marked)
    if not counterpart.complete:
        message = f"{prefix}the sentences outside of what is in view are still being compared"
        yield Diagnostic(0, 1, "information", "more-mismatches", message)
    elif shown < len(wrong):
        yield _left_out(len(wrong) - shown, prefix)


def _of_group(counterpart: Counterpart, group: int, prefix: str) -> Iterator[Diagnostic]:
    for finding in counterpart.pair.findings(group):
        here, there = finding.gold, finding.system
        if counterpart.side is Side.SYSTEM:
            here, there = there, here
        if here is None:
            continue
        related = (
            (Related(counterpart.name, there.start, there.end, there.message),) if there else ()
        )
        severity: Severity = "information" if finding.code in _MILD else "warning"
        message = ": ".join(filter(None, [prefix + here.message, explained(counterpart, finding)]))
        yield Diagnostic(here.start, here.end, severity, finding.code, message, related)


def _spoken(diagnostic: Diagnostic, name: str, counterpart: Counterpart) -> Diagnostic:
    """With both files called what they are."""
    related = tuple(
        one._replace(message=spoken(one.message, name, counterpart)) for one in diagnostic.related
    )
    message = spoken(diagnostic.message, name, counterpart)
    return diagnostic._replace(message=message, related=related)


def _left_out(count: int, prefix: str) -> Diagnostic:
    what = "sentence with mismatches lies" if count == 1 else "sentences with mismatches lie"
    message = (
        f"{prefix}{count:,} more {what} outside of the part shown here: "
        "scroll there, or go to the next mismatch"
    )
    return Diagnostic(0, 1, "information", "more-mismatches", message)
