"""What an adjudicator can do at a place: take the first's, take the second's, keep it as it is."""

from __future__ import annotations

from collections.abc import Iterator

from treelens.adjudication.adjudication import Adjudication, roles
from treelens.adjudication.disagreements import FindingPlace
from treelens.adjudication.marks import PlacedDisagreement, disagreements_at, sums
from treelens.differences.difference import Finding
from treelens.differences.wording import SideNames, taking, taking_everywhere
from treelens.present.actions import Action, Recipe, What, nth
from treelens.session.pair import Side
from treelens.session.session import Snapshot

_MOST = 3
"""Disagreements at a place that have actions of their own."""


def adjudicating_actions(
    snapshot: Snapshot, now: Adjudication, start: int, end: int
) -> list[Action]:
    """What can be done from one offset to another of the adjudicated file, best first."""
    sentence = snapshot.document.sentence_at(start)
    files = now.pairs.annotators, now.pairs.of(Side.GOLD)
    if sentence is None or not all(one.is_takeable for one in files):
        return []
    found = disagreements_at(snapshot, now, start, end)[:_MOST]
    actions = [
        action
        for rank, at in enumerate(found)
        for side in (Side.SYSTEM, Side.GOLD)
        for action in _taking(snapshot, now, at, side, preferred=not rank)
    ]
    if found:
        actions += _alike(snapshot, now, found[0])
    counted = sums(now, sentence)
    if counted and sum(counted):
        actions += _of_sentence(snapshot, now, sentence)
    if counted and counted.open:
        title = "Keep this sentence as it is: settled"
        actions.append(Action(title, "quickfix", Recipe("keep", "gold", "", sentence, start)))
    return actions


def take_recipe(snapshot: Snapshot, now: Adjudication, offset: int, side: Side) -> Recipe | None:
    """An annotator's at the disagreement at an offset; all of his where none is marked there."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return None
    for at in disagreements_at(snapshot, now, offset, offset):
        place = at.disagreement.first if side is Side.GOLD else at.disagreement.second
        return _recipe("finding", snapshot, now, side, place) if place else None
    group = now.pairs.of(side).group_of(Side.GOLD, sentence)
    if not now.pairs.of(side).mismatching()[group]:
        return None
    return _recipe("sentence", snapshot, now, side, FindingPlace(group, 0))


def _recipe(
    what: What, snapshot: Snapshot, now: Adjudication, side: Side, place: FindingPlace
) -> Recipe:
    other = now.task.first if side is Side.GOLD else now.task.second
    number = nth(snapshot, now.pairs.of(side))
    return Recipe(what, Side.GOLD.value, other, place.group, place.number, number)


def _left(
    now: Adjudication, at: PlacedDisagreement, side: Side
) -> tuple[FindingPlace, Finding] | None:
    """What is left between the adjudicated file and an annotator's."""
    place = at.disagreement.first if side is Side.GOLD else at.disagreement.second
    if place is None:
        return None
    return place, now.pairs.of(side).findings(place.group)[place.number]


def _taking(
    snapshot: Snapshot,
    now: Adjudication,
    at: PlacedDisagreement,
    side: Side,
    *,
    preferred: bool,
) -> Iterator[Action]:
    left = _left(now, at, side)
    if left is None:
        return
    place, finding = left
    mark = at.disagreement.mark
    title = taking(finding, Side.GOLD, _names(now, side))
    span = (mark.start, mark.end) if mark else (0, 0)
    recipe = _recipe("finding", snapshot, now, side, place)
    first = preferred and side is Side.SYSTEM
    yield Action(title, "quickfix", recipe, first, at.disagreement.finding.code, *span)


def _alike(snapshot: Snapshot, now: Adjudication, at: PlacedDisagreement) -> Iterator[Action]:
    """The same everywhere in the file, but in sentences that are checked."""
    for side in (Side.SYSTEM, Side.GOLD):
        left = _left(now, at, side)
        title = taking_everywhere(left[1], Side.GOLD, _names(now, side)) if left else None
        if left and title:
            yield Action(title, "quickfix", _recipe("alike", snapshot, now, side, left[0]))


def _of_sentence(snapshot: Snapshot, now: Adjudication, sentence: int) -> Iterator[Action]:
    for side in (Side.SYSTEM, Side.GOLD):
        pair = now.pairs.of(side)
        group = pair.group_of(Side.GOLD, sentence)
        if pair.mismatching()[group]:
            title = f"Take all of {_names(now, side).system}’s in this sentence"
            recipe = _recipe("sentence", snapshot, now, side, FindingPlace(group, 0))
            yield Action(title, "refactor.rewrite", recipe)


def _names(now: Adjudication, side: Side) -> SideNames:
    """Of an annotator's pair with the adjudicated file."""
    first, second, adjudicated = roles(now.task)
    return SideNames(adjudicated, first if side is Side.GOLD else second)
