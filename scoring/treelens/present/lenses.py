"""A line above each sentence near the view: what is broken in its text, its score, and how many of
which mismatches."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import NamedTuple

import numpy as np

from treelens.align.groups import GroupedBy
from treelens.differences.wording import ROLES, SideNames, counts_in_words
from treelens.present import since
from treelens.present.alignment import joined, moved_in_short
from treelens.present.broken import broken
from treelens.present.names import told_apart
from treelens.present.nothing import in_what
from treelens.present.numbers import headlines_of
from treelens.present.overlay import overlay_of
from treelens.present.parts import Anchor, Part, states_of
from treelens.present.revisions import revision, side_names
from treelens.present.window import near
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.session.view import View

OVERLAID = -1


class Lens(NamedTuple):
    """One for each sentence and each file it is compared with (a place in ``marked``); or
    :data:`OVERLAID`, where it is said what is left to do. ``mismatch``: it is
    the first of a sentence that differs in any file, and has the way to the next one before it,
    which is then in view however little room there is."""

    offset: int
    sentence: int
    other: int
    mismatch: bool


def lenses(snapshot: Snapshot) -> list[Lens]:
    """Where lenses are; what they say is :func:`title`'s, and worked out when it is seen."""
    return [lens for part in parts(snapshot) for lens in part.make()]


def parts(snapshot: Snapshot) -> list[Part[Lens]]:
    """The same as parts, a lens each, with what it and its title depend on."""
    shown, overlay = near(snapshot.visible, len(snapshot.document)), overlay_of(snapshot)
    compared = [_compared(snapshot, other, shown) for other in snapshot.marked]
    names = [_name(snapshot, number) for number in range(len(compared))]
    found: list[Part[Lens]] = []
    for at, sentence in enumerate(shown):
        where = (Anchor(snapshot.name, sentence),)
        differs = any(one.differs[at] for one in compared)
        if overlay is not None:
            differs = overlay.left(sentence) > 0
            make = partial(_lens, snapshot, sentence, OVERLAID, differs)
            found.append(Part(None, where, make))
        said = sentence in snapshot.visible, broken(snapshot.document, sentence)
        for number, (one, name) in enumerate(zip(compared, names, strict=True)):
            first = differs and number == 0 and overlay is None
            key = *one.keys[at], number, name, first, *said
            found.append(Part(key, where, partial(_lens, snapshot, sentence, number, first)))
    return found


def _lens(snapshot: Snapshot, sentence: int, other: int, mismatch: bool) -> list[Lens]:
    forest, row, shift = snapshot.document.piece(sentence)
    return [Lens(int(forest.tree[row, 0]) + shift, sentence, other, mismatch)]


class _Compared(NamedTuple):
    """Of some sentences, whether each differs from its counterpart, and what that depends on."""

    differs: list[bool]
    keys: list[tuple[Hashable, ...]]


def _compared(snapshot: Snapshot, other: Counterpart, sentences: View) -> _Compared:
    pair, together = other.pair, other.pair.groups
    groups = pair.groups_of(other.side, sentences)
    starts = together.gold_start if other.side is Side.GOLD else together.system_start
    within = (np.fromiter(sentences, np.int64) - starts[groups]).tolist()
    states, differs = states_of(snapshot, other, groups), pair.mismatching()[groups].tolist()
    # (What was moved is known by a sentence elsewhere, which may change without this group.)
    apart = np.isin(together.how[groups], (GroupedBy.ALONE, GroupedBy.MOVED)).tolist()
    keys = [
        (*state, inside, out and moved_in_short(other, sentence), since.state(other, group))
        for state, inside, out, sentence, group in zip(
            states, within, apart, sentences, groups.tolist(), strict=True
        )
    ]
    return _Compared(differs, keys)


def title(snapshot: Snapshot, sentence: int, number: int) -> str:
    """``F1 83.33 · 2 missing · 1 extra``, with the other file's name if there are several."""
    sentences, others = range(len(snapshot.document)), range(len(snapshot.marked))
    if sentence not in sentences or (number != OVERLAID and number not in others):
        return ""
    overlay = overlay_of(snapshot)
    first = number == (0 if overlay is None else OVERLAID)
    said = [broken(snapshot.document, sentence)] if first else []
    if number == OVERLAID:
        return " · ".join(filter(None, [*said, overlay.lens(sentence) if overlay else ""]))
    other = snapshot.marked[number]
    group = other.pair.group_of(other.side, sentence)
    said += [_name(snapshot, number), headlines_of(other.pair, group), joined(other, sentence)]
    said += counts(other, group, side_names(snapshot.name, other))
    said += since.new_in_words(other, group)
    return " · ".join(filter(None, said))


def _name(snapshot: Snapshot, number: int) -> str:
    """What a lens calls the other file; nothing where there is only one to be meant."""
    others = [other.name for other in snapshot.marked]
    called = revision(others[number])
    return called or (told_apart(others[number], others) if len(others) > 1 else "")


def counts(other: Counterpart, group: int, names: SideNames = ROLES) -> list[str]:
    """How many mismatches of which kind: ``["2 missing", "1 label"]``."""
    none = f"no mismatch{in_what(other.pair)}"
    return counts_in_words(other.pair.findings(group), names) or [none]
