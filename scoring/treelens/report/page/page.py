"""A report with everything that its page is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from treelens.counting.waiting import Held, Waiting
from treelens.metrics import Metric
from treelens.render.markup import Markup, element, isolated, joined
from treelens.report.content import Report
from treelens.report.differences import Differences
from treelens.report.page.charts import mark

ITERATIONS = 1_000
"""Resamplings behind the intervals and tests of a page."""


class ReportPage(NamedTuple):
    """A report with what is worked out for its page.

    gold, names: short names of gold's file and of the systems'. waiting: makes room for what is
    written before its turn comes.
    """

    report: Report
    gold: str
    names: tuple[str, ...]
    metrics: Sequence[Metric]
    differences: Differences
    waiting: Callable[[], Waiting] = Held


def column_heads(page: ReportPage) -> list[Markup]:
    """The heads of columns that are a system each."""
    return [joined([mark(at), element("br"), isolated(name)]) for at, name in enumerate(page.names)]
