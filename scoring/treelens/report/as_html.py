"""Scores as one page for people: no script is needed, and nothing is loaded from elsewhere.

The numbers are those of the other reports; intervals and tests are those of
:mod:`treelens.statistics.significance`. The same files and options give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from treelens.counting.waiting import Held, Waiting
from treelens.render.markup import Markup, element, isolated, joined
from treelens.render.width import shortened
from treelens.report import suspects
from treelens.report.as_table import pairing_lines
from treelens.report.breakdown import Confusions, confusions
from treelens.report.content import Report, short_names
from treelens.report.differences import Differences, add_stretches, resampled, waiting_rows
from treelens.report.page.charts import mark
from treelens.report.page.frame import framed
from treelens.report.page.lengths import lengths_section
from treelens.report.page.names import names_section
from treelens.report.page.page import ITERATIONS, ReportPage, column_heads
from treelens.report.page.scores import scores_section
from treelens.report.page.tables import section, table
from treelens.report.page.worst import worst_section

_NAME = 40
_VALUE = 400
_SUSPECTS = 50
"""Places that are listed."""


def html(report: Report, worst: int, waiting: Callable[[], Waiting] = Held) -> Iterator[str]:
    """The page, piece by piece; ``worst``: how many sentences of each system are drawn. waiting:
    makes room for what is too much for memory."""
    behind = [system.looked_at for system in report.systems]
    rows = [waiting_rows(waiting, report.metrics) for _ in behind]
    add_stretches(rows, behind, report.gold.sentences)
    sources = [system.source.name for system in report.systems]
    found = resampled(sources, rows, report.metrics, report.signature, ITERATIONS, 0)
    page = _page(report, found)._replace(waiting=waiting)
    kinds = _by_kind([confusions(system) for system in behind])
    yield from framed(page.gold, _content(page, kinds, worst))


def html_of_counts(report: Report, found: Differences) -> Iterator[str]:
    """The page of what counts alone say: of all sentences, by none of them."""
    page = _page(report, found)
    yield from framed(page.gold, _content_of_counts(page))


def _page(report: Report, found: Differences) -> ReportPage:
    sources = [report.gold, *(system.source for system in report.systems)]
    short = short_names([source.name for source in sources])
    gold, *names = (shortened(name, _NAME) for name in short)
    return ReportPage(report, gold, tuple(names), report.metrics, found)


def _content_of_counts(page: ReportPage) -> Iterator[str]:
    yield _header(page, [("scores", "Scores")])
    yield "<main>"
    yield scores_section(page)
    yield _pairing(page)
    yield _parameters(page)
    yield "</main>"


def _content(page: ReportPage, kinds: list[list[Confusions]], worst: int) -> Iterator[str]:
    links = [("scores", "Scores"), ("lengths", "Length")]
    links += [(kind[0].key, kind[0].key.capitalize()) for kind in kinds]
    links += [("worst", "Worst sentences")]
    if page.report.together:
        links += [("suspects", "Suspects")]
    yield _header(page, links)
    yield "<main>"
    yield scores_section(page)
    yield lengths_section(page)
    for kind in kinds:
        yield names_section(page.names, kind)
    arcs = any(kind[0].key == "attachments" for kind in kinds)
    yield worst_section(page, worst, arcs=arcs)
    if page.report.together:
        found = suspects.foremost(
            page.report.together, suspects.html_row, page.waiting(), limit=_SUSPECTS
        )
        yield suspects.section(map(Markup, found.told()), found.count)
    yield _pairing(page)
    yield _parameters(page)
    yield "</main>"


def _by_kind(found: Sequence[Sequence[Confusions]]) -> list[list[Confusions]]:
    """What every system has, kind by kind."""
    by_key = [{one.key: one for one in of_system} for of_system in found]
    keys = [one.key for one in found[0] if all(one.key in of_system for of_system in by_key)]
    return [[of_system[key] for of_system in by_key] for key in keys]


# --- the top ---------------------------------------------------------------------------------


def _header(page: ReportPage, links: Sequence[tuple[str, str]]) -> Markup:
    """links: to the sections, but the last two."""
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
    links = [*links, ("pairing", "Pairing"), ("parameters", "Parameters")]
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


def _signature(page: ReportPage) -> Markup:
    fields = page.report.signature.split("|")
    code = element("code", joined(fields, Markup("|<wbr/>")))
    return element("p", code, class_="signature")


# --- the end ---------------------------------------------------------------------------------


def _pairing(page: ReportPage) -> Markup:
    lines = [line for line in pairing_lines(page.report) if line.cells]
    rows = [[line.title.strip(), *line.cells] for line in lines]
    heads = ["", *(column_heads(page) if len(page.names) > 1 else ["sentences"])]
    return section(
        "pairing", "How the sentences paired up", table("Pairing of sentences", heads, rows)
    )


def _parameters(page: ReportPage) -> Markup:
    given = page.report.parameters
    values = [
        *(_settings(given) if given else ()),
        ("intervals and tests", f"{ITERATIONS:,} iterations, seed 0"),
    ]
    rows = (
        element("div", element("dt", key), element("dd", isolated(value or "–")))
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


def _settings(given: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every field of some options and what it is, those of options inside them too."""
    for field in fields(given):
        value = getattr(given, field.name)
        key = prefix + field.name.replace("_", " ")
        if is_dataclass(value):
            yield from _settings(value, f"{key}: ")
        else:
            yield key, shortened(_value(value), _VALUE)


def _value(value: object) -> str:
    """A value as it is shown: what belongs together joined by ``=``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(
            "=".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value
        )
    return str(value)
