"""The scores on a page: every metric of every system, with intervals and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.metrics import Ratio, Score, headlines
from treelens.render.markup import Markup, element, isolated, joined
from treelens.report.as_table import number
from treelens.report.content import ScoreBlock, best, headline
from treelens.report.differences import SystemComparison
from treelens.report.page.charts import Point, interval, mark
from treelens.report.page.page import ITERATIONS, ReportPage, column_heads
from treelens.report.page.tables import section, table
from treelens.statistics.significance import Interval

_SURE = 0.05
_COMPARED_IN_FULL = 3
"""Systems of which every two are compared in every score at once, without being asked to."""


def scores_section(page: ReportPage) -> Markup:
    content = [_headlines(page)]
    blocks = _blocks(page)
    if len(page.names) == 1:
        content.append(_one_system(page, [of_systems[0] for of_systems in blocks]))
    else:
        tables = (_several_systems(page, of_systems) for of_systems in blocks)
        content.append(element("div", *tables, class_="beside"))
        content += _significance(page)
    content.append(
        element(
            "p",
            f"Intervals hold 95 % of {ITERATIONS:,} corpora drawn from the "
            f"{page.differences.units:,} stretches of gold (bootstrap). – is 0/0.",
            class_="quiet",
        )
    )
    return section("scores", "Scores", *content)


def _blocks(page: ReportPage) -> list[tuple[ScoreBlock, ...]]:
    """Each block of all systems; the short sentences only where there are others too."""
    blocks = list(zip(*(system.blocks for system in page.report.systems), strict=True))
    return [
        one for one in blocks if one[0].key == "all" or one[0].sentences < blocks[0][0].sentences
    ]


def _headlines(page: ReportPage) -> Markup:
    """Each system's one number, large."""
    found = []
    for at, system in enumerate(page.report.systems):
        score = headline(system.blocks[0].scores)
        bounds = _interval(page, at, score.ratio)
        name = element("p", mark(at), " ", isolated(page.names[at]), class_="name")
        found.append(
            element(
                "div",
                name if len(page.names) > 1 else Markup(),
                element(
                    "p",
                    element("span", number(score), class_="big"),
                    f" {score.ratio.headline or score.ratio.title}",
                ),
                element("p", f"95 % interval {_bounds(bounds)}", class_="quiet"),
                class_="headline",
            )
        )
    return element("div", *found, class_="headlines")


def _one_system(page: ReportPage, blocks: Sequence[ScoreBlock]) -> Markup:
    """The blocks side by side, with intervals and with what was counted."""
    intervals = page.differences.intervals[0]
    low = _lowest(intervals)
    rows = []
    for of_score, bounds in zip(
        zip(*(block.scores for block in blocks), strict=True), intervals, strict=True
    ):
        first: Score = of_score[0]
        plotted = first.ratio.scale == 100 and first.value is not None
        point = Point(first.value, bounds.low, bounds.high)
        rows.append(
            [
                first.ratio.title,
                element("b", number(first)),
                _bounds(bounds),
                interval(point, low, 100) if plotted else "",
                *(number(score) for score in of_score[1:]),
                first.counted,
            ]
        )
    others = [
        f"{block.title[:1].lower()}{block.title[1:]} ({block.sentences:,})" for block in blocks[1:]
    ]
    heads = ["", "all", "95 % interval", f"{low:.0f} to 100", *others, "counts"]
    return table(f"Scores over {blocks[0].sentences:,} sentences", heads, rows)


def _lowest(intervals: Sequence[Interval]) -> float:
    """Where the axis of all percentages starts: a ten at or below the lowest one."""
    known = [one.low for one in intervals if one.low is not None and one.ratio.scale == 100]
    return min(90.0, min(known, default=0.0) // 10 * 10)


def _several_systems(page: ReportPage, blocks: Sequence[ScoreBlock]) -> Markup:
    """The systems side by side, the best of each score in bold."""
    rows = []
    for at, of_score in enumerate(zip(*(block.scores for block in blocks), strict=True)):
        ratio = of_score[0].ratio
        top = best([score.value for score in of_score], ratio.higher_is_better)
        cells: list[str] = [ratio.title]
        for system, score in enumerate(of_score):
            is_best = top is not None and score.value == top
            cells.append(element("b", number(score)) if is_best else number(score))
            if blocks[0].key == "all":
                cells[-1] = joined(
                    [
                        cells[-1],
                        element(
                            "small",
                            _bounds(page.differences.intervals[system][at]),
                            class_="bounds",
                        ),
                    ],
                    " ",
                )
        rows.append(cells)
    size = blocks[0].sentences
    return table(f"{blocks[0].title} ({size:,})", ["", *column_heads(page)], rows)


def _interval(page: ReportPage, system: int, ratio: Ratio) -> Interval:
    return next(one for one in page.differences.intervals[system] if one.ratio == ratio)


def _bounds(found: Interval) -> str:
    if found.low is None or found.high is None:
        return "–"
    return f"{found.low:.2f}–{found.high:.2f}"


# --- significance ----------------------------------------------------------------------------


def _significance(page: ReportPage) -> Iterator[Markup]:
    yield element("h3", "Are the differences more than chance?")
    compared = (_compared(page, found) for found in page.differences.comparisons)
    every = element("div", *compared, class_="beside")
    if len(page.names) <= _COMPARED_IN_FULL:
        yield every
    else:
        yield _all_against_all(page)
        yield element("details", element("summary", "Every score of every two systems"), every)
    yield element(
        "p",
        f"p: how often {ITERATIONS:,} random swaps of the two systems’ sentences set them at "
        "least as far apart (stratified shuffling); corrected for the number of pairs of systems "
        f"that have the score (Holm). Bold: below {_SURE} when corrected.",
        class_="quiet",
    )


def _all_against_all(page: ReportPage) -> Markup:
    """The headline's differences: a system's row minus another one's column."""
    chosen = headlines(page.metrics)[0]
    cells = [["" for _ in page.names] for _ in page.names]
    for found in page.differences.comparisons:
        tests = zip(found.differences, found.corrected, strict=True)
        test, corrected = next(both for both in tests if both[0].ratio == chosen)
        if test.first is None or test.second is None or corrected is None:
            continue
        for row, column, apart in (
            (found.first, found.second, test.first - test.second),
            (found.second, found.first, test.second - test.first),
        ):
            text = _apart(apart)
            said = element("b", text) if corrected < _SURE else text
            cells[row][column] = joined([said, element("small", f"{corrected:.4f}")], " ")
    rows = [[name, *row] for name, row in zip(map(isolated, page.names), cells, strict=True)]
    caption = f"{chosen.title}: the row’s system minus the column’s, and the corrected p"
    return table(caption, ["", *column_heads(page)], rows)


def _compared(page: ReportPage, found: SystemComparison) -> Markup:
    rows = []
    for test, corrected in zip(found.differences, found.corrected, strict=True):
        if test.first is None or test.second is None or corrected is None:
            rows.append([test.ratio.title, *["–"] * 3])
            continue
        sure = f"{corrected:.4f}"
        rows.append(
            [
                test.ratio.title,
                _apart(test.second - test.first),
                f"{test.p:.4f}",
                element("b", sure) if corrected < _SURE else sure,
            ]
        )
    second, first = page.names[found.second], page.names[found.first]
    return table(f"{second} minus {first}", ["", "apart", "p", "corrected"], rows)


def _apart(value: float) -> str:
    text = f"{value:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text
