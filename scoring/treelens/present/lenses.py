"""A line above each sentence near the view: its score, and how many of which mismatches."""

from __future__ import annotations

from typing import NamedTuple

from treelens.differences.wording import ROLES, SideNames, counted
from treelens.present.adjudicating import lens, sums
from treelens.present.alignment import joined, moved
from treelens.present.names import short_name
from treelens.present.numbers import short
from treelens.present.parts import Anchor, Part, state_of
from treelens.present.revisions import revision, side_names
from treelens.present.window import near
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot

ADJUDICATED = -1


class Lens(NamedTuple):
    """One for each sentence and each file it is compared with (a place in ``marked``); or
    :data:`ADJUDICATED`, where it is said what is open between two annotators."""

    offset: int
    sentence: int
    other: int
    mismatch: bool


def lenses(snapshot: Snapshot) -> list[Lens]:
    """Where lenses are; what they say is :func:`title`'s, and worked out when it is seen."""
    found = []
    wrong = [other.pair.mismatching() for other in snapshot.marked]
    for sentence in near(snapshot.visible, len(snapshot.document)):
        forest, row, shift = snapshot.document.piece(sentence)
        start = int(forest.tree[row, 0]) + shift
        if snapshot.adjudication is not None:
            open_here = sums(snapshot, sentence)
            found.append(Lens(start, sentence, ADJUDICATED, bool(open_here and open_here.open)))
        for number, other in enumerate(snapshot.marked):
            group = other.pair.group_of(other.side, sentence)
            found.append(Lens(start, sentence, number, bool(wrong[number][group])))
    return found


def part(snapshot: Snapshot, lens: Lens) -> Part[Lens]:
    """A lens, and what it and its title depend on."""
    where, visible = (Anchor(snapshot.name, lens.sentence),), lens.sentence in snapshot.visible
    if lens.other == ADJUDICATED:
        return Part(None, where, lambda: [lens])
    other = snapshot.marked[lens.other]
    group = other.pair.group_of(other.side, lens.sentence)
    first = other.pair.group(group)[0 if other.side is Side.GOLD else 1].start
    known = (lens.sentence - first, lens.other, len(snapshot.marked), visible)
    # (What was moved is known by a sentence elsewhere, which may change without this group.)
    key = (*state_of(snapshot, other, group), *known, moved(other, lens.sentence) is None)
    return Part(key, where, lambda: [lens])


def title(snapshot: Snapshot, sentence: int, number: int) -> str:
    """``F1 83.33 · 2 missing · 1 extra``, with the other file's name if there are several."""
    if not (number < len(snapshot.marked) and sentence < len(snapshot.document)):
        return ""
    if number == ADJUDICATED:
        return lens(snapshot, sentence)
    other = snapshot.marked[number]
    group = other.pair.group_of(other.side, sentence)
    named = len(snapshot.marked) > 1 or revision(other.name) is not None
    name = [revision(other.name) or short_name(other.name)] if named else []
    parts = [*name, short(other.pair.scores(group)), joined(other, sentence)]
    said = counts(other, group, side_names(snapshot.name, other))
    return " · ".join(filter(None, [*parts, *said]))


def counts(other: Counterpart, group: int, names: SideNames = ROLES) -> list[str]:
    """How many mismatches of which kind: ``["2 missing", "1 label"]``."""
    return counted(other.pair.findings(group), names) or ["no mismatch"]
