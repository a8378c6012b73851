"""Scores as one page for people: no script is needed, and nothing is loaded from elsewhere.

The numbers are those of the other reports; intervals and tests are those of
:mod:`treelens.significance`. The same files and options give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import NamedTuple

from treelens import __version__
from treelens.metrics import Metric, Ratio, Score, headlines, scores
from treelens.report.as_table import number, pairing_lines, shown_per_sentence
from treelens.report.breakdown import Confusions, Lengths, by_length, confusions
from treelens.report.charts import Point, Series, chart, interval, mark
from treelens.report.content import Block, Report, best, headline, short_names
from treelens.report.differences import Comparison, Differences, differences
from treelens.report.html_tables import section, table
from treelens.report.markup import Markup, element, escaped, isolated, joined
from treelens.report.name_tables import names_section
from treelens.report.width import shortened
from treelens.report.worst_sentences import worst_section
from treelens.significance import Interval, bootstrap

_ITERATIONS = 1_000
"""Resamplings behind the intervals and tests of a page."""
_SURE = 0.05
_COMPARED_IN_FULL = 3
"""Systems of which every two are compared in every score at once, without being asked to."""
_NAME = 40


class _Page(NamedTuple):
    """A report with what is worked out for its page; ``names``: short ones of the systems."""

    report: Report
    gold: str
    names: tuple[str, ...]
    metrics: Sequence[Metric]
    differences: Differences


def html(report: Report, worst: int) -> Iterator[str]:
    """The page, piece by piece; ``worst``: how many sentences of each system are drawn."""
    pairs = [system.pair for system in report.systems]
    sources = [system.source.name for system in report.systems]
    found = differences(sources, pairs, report.parameters, _ITERATIONS, 0)
    gold, *names = (shortened(name, _NAME) for name in short_names([report.gold.name, *sources]))
    page = _Page(report, gold, tuple(names), report.metrics, found)
    kinds = _by_kind([confusions(pair) for pair in pairs])
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield _head(page)
    yield "<body>"
    yield _header(page, [kind[0].key for kind in kinds])
    yield "<main>"
    yield _scores(page)
    yield _lengths(page)
    for kind in kinds:
        yield names_section(names, kind)
    arcs = any(kind[0].key == "attachments" for kind in kinds)
    yield worst_section(report, [gold, *names], worst, arcs=arcs)
    yield _pairing(page)
    yield _parameters(page)
    yield "</main>"
    yield f"<script>{_asset('page.js')}</script>"
    yield "</body>"
    yield "</html>"


def _by_kind(found: Sequence[Sequence[Confusions]]) -> list[list[Confusions]]:
    """What every system has, kind by kind."""
    by_key = [{one.key: one for one in of_system} for of_system in found]
    keys = [one.key for one in found[0] if all(one.key in of_system for of_system in by_key)]
    return [[of_system[key] for of_system in by_key] for key in keys]


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _head(page: _Page) -> Markup:
    digest = hashlib.sha256(_asset("page.js").encode()).digest()
    # Should anything in a file ever be taken for markup, it can load and start nothing.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{base64.b64encode(digest).decode()}'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", attributes=[("http-equiv", "Content-Security-Policy")], content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"treelens {__version__}"),
        element("title", f"{page.gold} – Treelens"),
        Markup(f"<style>{_asset('page.css')}{_asset('picture.css')}</style>"),
    )


# --- the top ---------------------------------------------------------------------------------


def _header(page: _Page, kinds: Sequence[str]) -> Markup:
    report = page.report
    sources = [("gold", report.gold, Markup())]
    for at, system in enumerate(report.systems):
        sources.append(("system", system.source, mark(at) if len(page.names) > 1 else Markup()))
    files = (
        element(
            "div",
            element("dt", role),
            element(
                "dd",
                joined([key, " "]) if key else key,
                isolated(shortened(source.name, 160)),
                " ",
                element("span", f"{source.sentences:,} sentences", class_="quiet"),
            ),
        )
        for role, source, key in sources
    )
    links = [("scores", "Scores"), ("lengths", "Length")]
    links += [(key, key.capitalize()) for key in kinds]
    links += [("worst", "Worst sentences"), ("pairing", "Pairing"), ("parameters", "Parameters")]
    return element(
        "header",
        element("p", "Treelens report", class_="kicker"),
        element("h1", isolated(page.gold)),
        element("dl", *files, class_="files"),
        _signature(page),
        element(
            "nav",
            *(element("a", title, href=f"#{key}") for key, title in links),
            aria_label="Sections",
        ),
    )


def _signature(page: _Page) -> Markup:
    fields = page.report.signature.split("|")
    code = element("code", joined(fields, Markup("|<wbr/>")))
    return element("p", code, class_="signature")


# --- scores ----------------------------------------------------------------------------------


def _scores(page: _Page) -> Markup:
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
            f"Intervals hold 95 % of {_ITERATIONS:,} corpora drawn from the "
            f"{page.differences.units:,} stretches of gold (bootstrap). – is 0/0.",
            class_="quiet",
        )
    )
    return section("scores", "Scores", *content)


def _blocks(page: _Page) -> list[tuple[Block, ...]]:
    """Each block of all systems; the short sentences only where there are others too."""
    blocks = list(zip(*(system.blocks for system in page.report.systems), strict=True))
    return [
        one for one in blocks if one[0].key == "all" or one[0].sentences < blocks[0][0].sentences
    ]


def _headlines(page: _Page) -> Markup:
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


def _one_system(page: _Page, blocks: Sequence[Block]) -> Markup:
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
                f"{first.numerator:,} of {first.denominator:,}",
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


def _several_systems(page: _Page, blocks: Sequence[Block]) -> Markup:
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
    return table(f"{blocks[0].title} ({size:,})", ["", *_heads(page)], rows)


def _heads(page: _Page) -> list[Markup]:
    return [joined([mark(at), element("br"), isolated(name)]) for at, name in enumerate(page.names)]


def _interval(page: _Page, system: int, ratio: Ratio) -> Interval:
    return next(one for one in page.differences.intervals[system] if one.ratio.name == ratio.name)


def _bounds(found: Interval) -> str:
    if found.low is None or found.high is None:
        return "–"
    return f"{found.low:.2f}–{found.high:.2f}"


# --- significance ----------------------------------------------------------------------------


def _significance(page: _Page) -> Iterator[Markup]:
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
        f"p: how often {_ITERATIONS:,} random swaps of the two systems’ sentences set them at "
        "least as far apart (stratified shuffling); corrected for the number of pairs of systems "
        f"(Holm). Bold: below {_SURE} when corrected.",
        class_="quiet",
    )


def _all_against_all(page: _Page) -> Markup:
    """The headline's differences: a system's row minus another one's column."""
    chosen = headlines(page.metrics)[0]
    cells = [["" for _ in page.names] for _ in page.names]
    for found in page.differences.comparisons:
        tests = zip(found.differences, found.corrected, strict=True)
        test, corrected = next(both for both in tests if both[0].ratio == chosen)
        if test.first is None or test.second is None:
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
    return table(caption, ["", *_heads(page)], rows)


def _compared(page: _Page, found: Comparison) -> Markup:
    rows = []
    for test, corrected in zip(found.differences, found.corrected, strict=True):
        if test.first is None or test.second is None:
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


# --- by length -------------------------------------------------------------------------------


def _lengths(page: _Page) -> Markup:
    found = by_length([system.pair for system in page.report.systems])
    titles = [one.title for one in found[0]]
    sizes = [max(one.sentences for one in column) for column in zip(*found, strict=True)]
    chosen = headlines(page.metrics)[0]
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
    page: _Page, title: str, titles: Sequence[str], series: Sequence[Series], sizes: Sequence[int]
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
    if len(found.rows) < 2:  # One sentence drawn again and again says nothing of others.
        return Point(value)
    bounds = bootstrap(found.rows, metrics, _ITERATIONS)
    return Point(
        value, *next((one.low, one.high) for one in bounds if one.ratio.name == chosen.name)
    )


def _score(found: Lengths, metrics: Sequence[Metric], chosen: Ratio) -> Score:
    of_all = scores(found.total, metrics)
    return next(score for score in of_all if score.ratio.name == chosen.name)


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
    page: _Page,
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
    return table(f"{chosen.title} by sentence length", ["words", "sentences", *_heads(page)], rows)


# --- the end ---------------------------------------------------------------------------------


def _pairing(page: _Page) -> Markup:
    lines = [line for line in pairing_lines(page.report) if line.cells]
    rows = [[line.title.strip(), *line.cells] for line in lines]
    heads = ["", *(_heads(page) if len(page.names) > 1 else ["sentences"])]
    return section(
        "pairing", "How the sentences paired up", table("Pairing of sentences", heads, rows)
    )


def _parameters(page: _Page) -> Markup:
    given = page.report.parameters
    values = [
        ("parameters", given.name),
        ("brackets", "labelled" if given.labelled else "unlabelled"),
        ("left out", " ".join(given.delete)),
        ("not counted for the length", " ".join(given.delete_for_length)),
        ("held equal", ", ".join("/".join(pair) for pair in given.equal_labels)),
        ("words held equal", ", ".join("/".join(pair) for pair in given.equal_words)),
        ("cutoff", f"{given.cutoff} words"),
        ("intervals and tests", f"{_ITERATIONS:,} iterations, seed 0"),
    ]
    rows = (
        element("div", element("dt", key), element("dd", isolated(shortened(value, 400) or "–")))
        for key, value in values
    )
    sources = [[metric.title, isolated(metric.source)] for metric in page.metrics]
    return section(
        "parameters",
        "Parameters",
        element("dl", *rows, class_="files"),
        table("Metrics and their sources", ["metric", "source"], sources, kind="text"),
        _signature(page),
    )
