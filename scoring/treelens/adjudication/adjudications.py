"""The adjudications of a session: the pairs that they need, and what is open in each.

The session knows nothing of it: it is given links, and is asked for pairs. What an adjudicated
file's snapshot has is an overlay; features ask :func:`adjudication_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from treelens.adjudication import actions, marks
from treelens.adjudication.adjudication import (
    Adjudicating,
    Adjudication,
    AdjudicationTask,
    Flags,
    roles,
)
from treelens.adjudication.disagreements import AnnotatorPairs
from treelens.present.actions import Action
from treelens.present.navigate import MismatchPlace
from treelens.present.overlay import OverlayMark
from treelens.session.agreement import Agreement
from treelens.session.review import Reviewed
from treelens.session.session import Link, Session, Snapshot


def links_of(task: AdjudicationTask) -> tuple[Link, ...]:
    """The pairs that an adjudication needs: the annotators', and either's with the adjudicated
    file, whose differences from one annotator are nothing to be marked. What the second has
    instead is the work to do: the adjudicated file began as a copy of the first's."""
    first, second, settled = roles(task)
    rest = task.parameters, task.metrics
    pairs = [Link(task.first, task.second, *rest, (first, second))]
    if task.adjudicated:
        files = task.first, task.second, task.adjudicated
        pairs += [
            Link(task.adjudicated, task.first, *rest, (settled, first), marked=False),
            Link(task.adjudicated, task.second, *rest, (settled, second), False, files),
        ]
    return tuple(pairs)


@dataclass(frozen=True, slots=True, eq=False)
class AdjudicationOverlay:
    """What is open: the :class:`~treelens.present.overlay.ShownOverlay` of an adjudicated file."""

    now: Adjudication
    _has_news: Callable[[], bool]
    next_title: str = "next open ↓"
    nothing_left: str = "Nothing is open here: every disagreement is settled"

    @property
    def kept(self) -> Flags:
        return self.now.checked

    def is_stale(self) -> bool:
        return not self.now.complete or self._has_news()

    def marks(self, snapshot: Snapshot, most: int) -> Sequence[OverlayMark]:
        return marks.open_marks(snapshot, self.now, most)

    def left_out(self, shown: int) -> str:
        return marks.left_out(self.now, shown)

    def left(self, sentence: int) -> int:
        found = marks.sums(self.now, sentence)
        return found.open if found else 0

    def lens(self, sentence: int) -> str:
        return marks.lens(self.now, sentence)

    def step(self, snapshot: Snapshot, offset: int, by: Literal[1, -1]) -> MismatchPlace | None:
        return marks.step(snapshot, self.now, offset, by)

    def actions(self, snapshot: Snapshot, start: int, end: int) -> list[Action]:
        return actions.adjudicating_actions(snapshot, self.now, start, end)


def adjudication_of(snapshot: Snapshot) -> Adjudication | None:
    """What is open in an adjudicated file."""
    overlay = snapshot.overlay
    return overlay.now if isinstance(overlay, AdjudicationOverlay) else None


class Adjudications:
    """Those of a session; what an edit leaves alone is not looked at again."""

    def __init__(self, session: Session, checked: Callable[[str], Reviewed | None]) -> None:
        """``checked``: what is said of a document's sentences."""
        self._session = session
        self._checked = checked
        self._adjudicating: dict[AdjudicationTask, Adjudicating] = {}

    @property
    def tasks(self) -> tuple[AdjudicationTask, ...]:
        return tuple(self._adjudicating)

    def put(self, tasks: Iterable[AdjudicationTask]) -> None:
        """These are all from now on; their links are :func:`links_of`."""
        kept = self._adjudicating
        self._adjudicating = {task: kept.get(task) or Adjudicating(task) for task in tasks}
        self._session.renew(task.adjudicated for task in {*kept} ^ {*self._adjudicating})

    def adjudication(self, task: AdjudicationTask) -> Adjudication | None:
        """What is open, once the pairs are there. Of much that is new, a part is looked at: ask
        again until it is complete."""
        return self._now(task, self._checked(task.adjudicated))

    def say_right(self, now: Adjudication, group: int, number: int) -> Adjudication | None:
        """The first annotator is right in a disagreement of a group, by its number: how things are
        then."""
        self._adjudicating[now.task].say_right(now.pairs, group, number)
        self._session.renew([now.task.adjudicated])
        return self.adjudication(now.task)

    def _now(self, task: AdjudicationTask, said: Reviewed | None) -> Adjudication | None:
        annotators, *others = (self._session.pair(link) for link in links_of(task))
        if task not in self._adjudicating or annotators is None or None in others:
            return None
        pairs = AnnotatorPairs(annotators, *others)
        count = len(pairs.first.gold) if pairs.first is not None else 0
        checked = said.checked if said is not None else np.zeros(count, np.bool_)
        return self._adjudicating[task].now(pairs, checked)

    def overlay(self, name: str) -> AdjudicationOverlay | None:
        """What is laid over a document that is adjudicated."""
        task = next((one for one in self._adjudicating if one.adjudicated == name), None)
        if task is None or not name:
            return None
        said = self._checked(name)
        now = self._now(task, said)
        if now is None:
            return None
        return AdjudicationOverlay(now, lambda: self._checked(name) is not said)

    def refused(self, task: AdjudicationTask) -> str:
        """Why the adjudicated file is told by name and not read; empty if it is."""
        document = self._session.document(task.adjudicated)
        unread = document.format.unread if document is not None else None
        return unread.message if unread is not None else ""

    def agreement(self, task: AdjudicationTask) -> Agreement | None:
        """How far the two annotators agree, once their pair is there."""
        return self._session.agreement(links_of(task)[0])
