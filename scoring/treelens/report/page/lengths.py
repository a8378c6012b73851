"""The scores by sentence length on a page: a chart and a table."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.metrics import Metric, Ratio, Score, headlines, scores
from treelens.render.markup import Markup, element, escaped, isolated
from treelens.report.as_table import number, shown_per_sentence
from treelens.report.breakdown import Lengths, by_length
from treelens.report.content import best
from treelens.report.page.charts import Point, Series, chart, mark
from treelens.report.page.page import ITERATIONS, ReportPage, column_heads
from treelens.report.page.tables import section, table
from treelens.statistics.significance import bootstrap_ratio


def lengths_section(page: ReportPage) -> Markup:
    chosen = headlines(page.metrics)[0]
    found = by_length([system.looked_at.counts() for system in page.report.systems], chosen)
    titles = [one.title for one in found[0]]
    sizes = [max(one.sentences for one in column) for column in zip(*found, strict=True)]
    series = [
        Series(name, [_point(one, page.metrics, chosen) for one in of_system])
        for name, of_system in zip(page.names, found, strict=True)
    ]
    content = [_drawn(page, f"{chosen.title} by sentence length", titles, series, sizes)]
    if len(page.names) == 1:
        content.append(_length_table(page.metrics, found[0]))
    else:
        content.append(_length_comparison(page, chosen, series, titles, sizes))
    return section("lengths", "Score by sentence length", *content)


def _drawn(
    page: ReportPage,
    title: str,
    titles: Sequence[str],
    series: Sequence[Series],
    sizes: Sequence[int],
) -> Markup:
    keys = (element("li", mark(at), " ", isolated(name)) for at, name in enumerate(page.names))
    words = f"{title}, with 95 % intervals; bars: how many sentences."
    return element(
        "figure",
        element("figcaption", words),
        element("ul", *keys, class_="legend") if len(page.names) > 1 else Markup(),
        element("div", chart(title, titles, series, sizes, "sentences"), class_="scroll"),
    )


def _point(found: Lengths, metrics: Sequence[Metric], chosen: Ratio) -> Point:
    value = _score(found, metrics, chosen).value
    if len(found.fractions[0]) < 2:  # One sentence drawn again and again says nothing of others.
        return Point(value)
    bounds = bootstrap_ratio(found.fractions, chosen, ITERATIONS)
    return Point(value, bounds.low, bounds.high)


def _score(found: Lengths, metrics: Sequence[Metric], chosen: Ratio) -> Score:
    of_all = scores(found.total, metrics)
    return next(score for score in of_all if score.ratio == chosen)


def _length_table(metrics: Sequence[Metric], found: Sequence[Lengths]) -> Markup:
    chosen = shown_per_sentence(metrics)
    rows = [
        [
            one.title,
            f"{one.sentences:,}",
            *(number(_score(one, metrics, ratio)) for ratio in chosen),
        ]
        for one in found
    ]
    heads = ["words", "sentences", *(ratio.title for ratio in chosen)]
    return table("Scores by sentence length", heads, rows)


def _length_comparison(
    page: ReportPage,
    chosen: Ratio,
    series: Sequence[Series],
    titles: Sequence[str],
    sizes: Sequence[int],
) -> Markup:
    rows = []
    for at, (title, size) in enumerate(zip(titles, sizes, strict=True)):
        values = [one.points[at].value for one in series]
        top = best(values, chosen.higher_is_better)
        cells: list[str] = [title, f"{size:,}"]
        for value in values:
            text = "–" if value is None else f"{value:.2f}"
            cells.append(element("b", text) if top is not None and value == top else escaped(text))
        rows.append(cells)
    return table(
        f"{chosen.title} by sentence length", ["words", "sentences", *column_heads(page)], rows
    )
