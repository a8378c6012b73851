"""What an adjudicator sees: where the two annotators differ and nobody has settled it yet.

Names the annotators as their files are called. Marks stand in the adjudicated file, where the
annotators' own files are marked as any pair's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from treelens.adjudication.adjudication import Adjudication, roles
from treelens.adjudication.disagreements import AdjudicatedFinding
from treelens.compare.sides import Side
from treelens.differences.difference import Difference
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.differences.wording import SideNames, brief, message, quoted, summary, written
from treelens.present.hints import unlike
from treelens.present.navigate import MismatchPlace
from treelens.present.overlay import OverlayMark, PlaceThere
from treelens.present.window import marked
from treelens.session.session import Snapshot

_IN_A_LINE = 2
"""Of what the others have, so much is said above a sentence."""


def open_marks(snapshot: Snapshot, now: Adjudication, most: int) -> list[OverlayMark]:
    """The disagreements that are open: as many of the first as make ``most``, give or take those
    of one sentence, and all near the view."""
    here = np.flatnonzero((now.open_of != 0) & (now.sentence_of >= 0))
    order = here[np.argsort(now.sentence_of[here], kind="stable")]
    found: list[OverlayMark] = []
    begun = 0
    for place in order[:most].tolist():
        if len(found) >= most:
            break
        found += _of_group(snapshot, now, place)
        begun += 1
    rest = order[begun:]
    shown = marked(snapshot.visible, len(snapshot.document))
    sentences = now.sentence_of[rest]
    for place in rest[shown.away(sentences, sentences + 1) == 0].tolist():
        found += [one._replace(listed=False) for one in _of_group(snapshot, now, place)]
    return found


def left_out(now: Adjudication, shown: int) -> str:
    """What to say of what is not marked; empty where all is."""
    first, second, _ = roles(now.task)
    parts = []
    absent = int(np.count_nonzero((now.open_of != 0) & (now.sentence_of < 0)))
    if absent:
        what = "sentence" if absent == 1 else "sentences"
        parts.append(f"{absent:,} {what} of {first} and {second} not here yet")
    if not now.complete:
        parts.append("what is open further away is still being counted")
    elif now.open > shown + int(now.open_of[now.sentence_of < 0].sum()):
        parts.append(f"{now.open:,} disagreements are open in all: go to the next open one")
    return "; ".join(parts)


def _of_group(
    snapshot: Snapshot, now: Adjudication, place: int, *, said: bool | None = None
) -> Iterator[OverlayMark]:
    """What is open in a group; of it what the first was said to be right in, or all else."""
    sentence = int(now.sentence_of[place])
    names = annotators(now)
    for one in now.disagreements(int(now.groups[place])):
        if one.open and (said is None or one.said is said):
            start, end = _span(snapshot, one.mark, sentence)
            right = f"{names.gold} is right here: " if one.said else ""
            told = right + summary(one.finding, names), _there(now, one)
            who = f"{names.gold} ✓" if one.said else _who(one, names)
            yield OverlayMark(start, end, one.finding.code, *told, who=who)


def _who(one: AdjudicatedFinding, names: SideNames) -> str:
    """What the annotators have there who have something else: ``boris: nmod``; of what is nothing
    else, but more, ``boris: +NP``."""
    difference = BY_CODE[one.finding.code]
    if difference.owner is not None:
        # (The side that lacks it may have a mark, too: where it would be.)
        name = names.of(difference.owner)
        if difference.owner is Side.GOLD and one.mark is not None:
            return f"only {name}"
        return f"{name}: +{brief(one.finding, difference.owner) or 'this sentence'}"
    there = ((names.of(side), one.finding.at(side)) for side in Side)
    others = ((name, _other(difference, mark, one.mark)) for name, mark in there if mark)
    said = [f"{name}: {text}" for name, text in others if text]
    left = (names.gold, one.first), (names.system, one.second)
    return " · ".join(said or [f"{name}: other {difference.noun.one}" for name, at in left if at])


def _other(difference: Difference, there: Mark, here: Mark | None) -> str:
    """What an annotator has that is not written here; empty where it is, or says nothing."""
    if difference.family == "words":
        return "" if here and here.words == there.words else quoted(there.words)
    if here and here.written == there.written:
        return ""
    theirs, mine = written(difference, there), written(difference, here)
    return unlike(theirs, mine) if difference.listed else theirs


def _span(snapshot: Snapshot, mark: Mark | None, sentence: int) -> tuple[int, int]:
    if mark is not None:
        return mark.start, mark.end
    start = snapshot.tree(sentence).start
    return start, start + 1


def annotators(now: Adjudication) -> SideNames:
    """The two annotators' names, for the sides of their pair."""
    return SideNames(*roles(now.task)[:2])


def _there(now: Adjudication, one: AdjudicatedFinding) -> tuple[PlaceThere, ...]:
    """The same place in both annotators' files."""
    names = annotators(now)
    return tuple(
        PlaceThere(name, mark.start, mark.end, message(one.finding, side, names))
        for name, side in ((now.task.first, Side.GOLD), (now.task.second, Side.SYSTEM))
        if (mark := one.finding.at(side)) is not None
    )


# --- walking -------------------------------------------------------------------------------


def step(
    snapshot: Snapshot, now: Adjudication, offset: int, by: Literal[1, -1]
) -> MismatchPlace | None:
    """The first open disagreement behind an offset, past the last one the first; or backwards.
    Those in which the first was said to be right come when there are no others."""
    for said in (False, True):
        if mark := _step(snapshot, now, offset, by, said=said):
            return mark
    return None


def _step(
    snapshot: Snapshot, now: Adjudication, offset: int, by: Literal[1, -1], *, said: bool
) -> MismatchPlace | None:
    places = np.flatnonzero((now.open_of != 0) & (now.sentence_of >= 0))
    places = places[np.argsort(now.sentence_of[places], kind="stable")]
    here = snapshot.document.sentence_at(offset) or 0
    at = int(np.searchsorted(now.sentence_of[places], here, side="left" if by > 0 else "right"))
    around = np.roll(places, -at)[::by].tolist()
    # Once around, and the sentence here once more: what is before the cursor may be all there is.
    for turn, place in enumerate([*around, *around[:1]]):
        of_group = _of_group(snapshot, now, place, said=said)
        marks = sorted({MismatchPlace(*one[:2]) for one in of_group})
        begun = not turn and int(now.sentence_of[place]) == here
        for mark in marks[::by]:
            if not begun or (mark.start > offset if by > 0 else mark.end < offset):
                return mark
    return None


# --- at a place ----------------------------------------------------------------------------


class PlacedDisagreement(NamedTuple):
    """A disagreement at a place of the adjudicated file."""

    disagreement: AdjudicatedFinding
    width: int


def disagreements_at(
    snapshot: Snapshot, now: Adjudication, start: int, end: int
) -> list[PlacedDisagreement]:
    """Those that are marked from one offset to another, open or settled; those first that are open
    and of which nothing is said yet, of these the narrow ones."""
    sentence = snapshot.document.sentence_at(start)
    group = now.group_at(sentence) if sentence is not None else None
    if group is None or sentence is None:
        return []
    found = []
    for one in now.disagreements(group):
        low, high = _span(snapshot, one.mark, sentence)
        if low <= end and start <= high:
            found.append(PlacedDisagreement(one, high - low))
    return sorted(found, key=_urgency)


def _urgency(at: PlacedDisagreement) -> tuple[bool, bool, int]:
    return not at.disagreement.open, at.disagreement.said, at.width


class OpenAndSettled(NamedTuple):
    """Of a sentence: how many disagreements are open, and how many settled."""

    open: int
    settled: int


def sums(now: Adjudication, sentence: int) -> OpenAndSettled | None:
    """None of a sentence that is none of the annotators'."""
    group = now.group_at(sentence)
    if group is None:
        return None
    at = int(np.searchsorted(now.groups, group))
    if at >= len(now.groups) or int(now.groups[at]) != group:
        return OpenAndSettled(0, 0)
    is_open = int(now.open_of[at])
    if is_open < 0:
        is_open = sum(one.open for one in now.disagreements(group))
    return OpenAndSettled(is_open, int(now.total_of[at]) - is_open)


def lens(now: Adjudication, sentence: int) -> str:
    """``2 open · 1 settled · 1 anna ✓ · boris: nmod``, or that the annotators agree."""
    found = sums(now, sentence)
    if found is None:
        return ""
    cut = _cut_otherwise(now, sentence)
    if not sum(found):
        return cut[0] if cut else "{} and {} agree".format(*roles(now.task)[:2])
    if not found.open:
        settled = f"all {found.settled} settled" if found.settled > 1 else "settled"
        return " · ".join([settled, *cut])
    said = [f"{found.open} open", *([f"{found.settled} settled"] if found.settled else [])]
    return " · ".join([*said, *cut, *_others(now, sentence)])


def _cut_otherwise(now: Adjudication, sentence: int) -> list[str]:
    """That the annotators have cut the text into other sentences, which is no disagreement that
    could be open: nothing of one sentence says that it is settled."""
    group = now.group_at(sentence)
    assert group is not None
    first, second = map(len, now.pairs.annotators.group(group))
    if not first or not second or first == second:
        return []
    names = roles(now.task)
    many = "sentence" if first == 1 else "sentences"
    return [f"{first} {many} of {names[0]}, {second} of {names[1]}"]


def _others(now: Adjudication, sentence: int) -> list[str]:
    """Who has what, where the line above a sentence has room for it: behind a long row, in a
    narrow column, notes are cut."""
    group = now.group_at(sentence)
    assert group is not None
    found, names = now.disagreements(group), annotators(now)
    right = sum(one.said for one in found)
    left = [_who(one, names) for one in found if one.open and not one.said]
    said = [*dict.fromkeys(filter(None, left))][:_IN_A_LINE]
    rest = sum(who not in said for who in left)
    as_first = [f"{right} {names.gold} ✓"] if right else []
    return [*as_first, *said, *([f"+{rest}"] if said and rest else [])]
