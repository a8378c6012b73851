"""A line above each sentence near the view: what is broken in its text, its score, and how many of
which mismatches."""

from __future__ import annotations

import re
from typing import NamedTuple

from treelens.differences.wording import ROLES, SideNames, counted
from treelens.present import since
from treelens.present.alignment import joined, moved
from treelens.present.names import isolated, told_apart
from treelens.present.numbers import short
from treelens.present.overlay import overlay_of
from treelens.present.parts import Anchor, Part, state_of
from treelens.present.revisions import revision, side_names
from treelens.present.window import near
from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot

OVERLAID = -1

_SAID = 48
"""Characters of what is broken; the mark has all of it."""


class Lens(NamedTuple):
    """One for each sentence and each file it is compared with (a place in ``marked``); or
    :data:`OVERLAID`, where it is said what is left to do. ``mismatch``: it is
    the last of a sentence that differs in any file, and has the way to the next one behind it."""

    offset: int
    sentence: int
    other: int
    mismatch: bool


def lenses(snapshot: Snapshot) -> list[Lens]:
    """Where lenses are; what they say is :func:`title`'s, and worked out when it is seen."""
    found = []
    wrong = [other.pair.mismatching() for other in snapshot.marked]
    overlay = overlay_of(snapshot)
    for sentence in near(snapshot.visible, len(snapshot.document)):
        forest, row, shift = snapshot.document.piece(sentence)
        start = int(forest.tree[row, 0]) + shift
        numbers, differs = [*range(len(snapshot.marked))], False
        for number, other in enumerate(snapshot.marked):
            differs |= bool(wrong[number][other.pair.group_of(other.side, sentence)])
        if overlay is not None:
            numbers.insert(0, OVERLAID)
            differs = overlay.left(sentence) > 0
        found += [
            Lens(start, sentence, number, differs and number == numbers[-1]) for number in numbers
        ]
    return found


def part(snapshot: Snapshot, lens: Lens) -> Part[Lens]:
    """A lens, and what it and its title depend on."""
    where, visible = (Anchor(snapshot.name, lens.sentence),), lens.sentence in snapshot.visible
    if lens.other == OVERLAID:
        return Part(None, where, lambda: [lens])
    other = snapshot.marked[lens.other]
    group = other.pair.group_of(other.side, lens.sentence)
    first = other.pair.group(group)[0 if other.side is Side.GOLD else 1].start
    # (What was moved is known by a sentence elsewhere, which may change without this group.)
    known = (
        lens.sentence - first,
        lens.other,
        lens.mismatch,
        visible,
        _name(snapshot, lens.other),
        broken(snapshot.document, lens.sentence),
        moved(other, lens.sentence) is None,
        since.state(other, group),
    )
    key = (*state_of(snapshot, other, group), *known)
    return Part(key, where, lambda: [lens])


def title(snapshot: Snapshot, sentence: int, number: int) -> str:
    """``F1 83.33 · 2 missing · 1 extra``, with the other file's name if there are several."""
    if not (number < len(snapshot.marked) and sentence < len(snapshot.document)):
        return ""
    overlay = overlay_of(snapshot)
    first = number == (0 if overlay is None else OVERLAID)
    said = [broken(snapshot.document, sentence)] if first else []
    if number == OVERLAID:
        return " · ".join(filter(None, [*said, overlay.lens(sentence) if overlay else ""]))
    other = snapshot.marked[number]
    group = other.pair.group_of(other.side, sentence)
    said += [_name(snapshot, number), short(other.pair.scores(group)), joined(other, sentence)]
    said += counts(other, group, side_names(snapshot.name, other))
    said += since.counted(other, group)
    return " · ".join(filter(None, said))


def _name(snapshot: Snapshot, number: int) -> str:
    """What a lens calls the other file; nothing where there is only one to be meant."""
    if number == OVERLAID:
        return ""
    others = [other.name for other in snapshot.marked]
    called = revision(others[number])
    return called or (told_apart(others[number], others) if len(others) > 1 else "")


def broken(document: Document, sentence: int) -> str:
    """``broken: (S is not closed before the next tree``; empty where the text holds."""
    if not document.is_broken(sentence):
        return ""
    problems = [one for one in document.problems(sentence, sentence + 1) if one.severity == "error"]
    said = re.split("[:;,] ", problems[0].message, maxsplit=1)[0]
    said = said if len(said) <= _SAID else f"{said[: _SAID - 1]}…"
    more = f", {len(problems) - 1} more" if len(problems) > 1 else ""
    return f"broken: {isolated(said)}{more}"


def counts(other: Counterpart, group: int, names: SideNames = ROLES) -> list[str]:
    """How many mismatches of which kind: ``["2 missing", "1 label"]``."""
    return counted(other.pair.findings(group), names) or ["no mismatch"]
