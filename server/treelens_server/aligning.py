"""Which pairs are computed at once and which in the background, what is in view first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from treelens.metrics.table import metrics_shown
from treelens.present.names import short_name
from treelens.present.window import near
from treelens.session.agreement import Agreement
from treelens.session.pair import Pair, Side, aligned, with_counts
from treelens.session.session import PairJob, Session

from treelens_server.background import Background, Progress
from treelens_server.texts import AT_ONCE


class Aligning:
    """Pairs that are being computed for a session."""

    def __init__(self, session: Session, background: Background, after: Callable[[], None]) -> None:
        """``after`` is called when what is in view of a pair is there before the rest."""
        self._session = session
        self._background = background
        self._after = after
        self._previewed: set[str] = set()

    def awaits(self, name: str, *, whole: bool = False) -> bool:
        """Whether nothing can be said yet of how a document compares with its partners; of the
        ``whole``: of what is not in view."""
        names = {name} | self._session.partners(name)
        return self._background.concerns(names if whole else names - self._previewed)

    def align(self) -> None:
        """Compute the pairs that are wanting."""
        for job in self._session.jobs():
            if job.gold.length + job.system.length <= 2 * AT_ONCE:
                found = with_counts(_start(job))
                self._session.settle(job, found)
            else:
                self._background.start(
                    f"aligning {short_name(job.link.gold)} and {short_name(job.link.system)}",
                    {job.link.gold, job.link.system},
                    partial(self._aligned, job, asyncio.get_running_loop()),
                    partial(self._has_aligned, job),
                )

    def _aligned(self, job: PairJob, loop: asyncio.AbstractEventLoop, progress: Progress) -> Pair:
        """On the thread: all of a pair, and first what is in view, which takes no time."""
        start = _start(job)
        shown = near(self._session.visible(job.link.gold), len(job.gold))
        if len(start) and len(shown):
            sentences = shown.stretches[0]  # (What other columns show comes with the rest.)
            ends = (sentences.start, sentences.stop - 1)
            first, last = (start.group_of(Side.GOLD, sentence) for sentence in ends)
            loop.call_soon_threadsafe(
                self._preview, job, with_counts(start, range(first, last + 1))
            )
        found = with_counts(start, progress=progress)
        if job.link.called and job.link.marked:  # two annotators: how far they agree besides
            agreement = Agreement(found)
            loop.call_soon_threadsafe(self._session.agree, job.link, agreement)
        return found

    def _preview(self, job: PairJob, part: Pair) -> None:
        if self._session.unread_or_pair(job.link) is None and self._session.preview(job, part):
            self._previewed |= {*job.link[:2]}
            self._after()

    def _has_aligned(self, job: PairJob, found: Pair | None) -> None:
        self._previewed -= {*job.link[:2]}
        if found is not None:
            self._session.settle(job, found)


def _start(job: PairJob) -> Pair:
    """A pair that is to be counted, with the metrics that an editor shows."""
    shown = partial(metrics_shown, names=job.link.metrics)
    return aligned(job.gold, job.system, job.link.parameters, unasked=shown)
