"""The worst sentences of each system on a page: drawn, and told in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treelens.differences.difference import Finding
from treelens.differences.wording import counts_in_words, summary
from treelens.metrics import Ratio, fractions, headlines
from treelens.pictures.sentence import sentence_picture
from treelens.render.markup import Markup, element, isolated, joined
from treelens.render.width import shortened
from treelens.report.content import Report, SystemReport, line_of, numbers
from treelens.report.mismatches import headlined
from treelens.report.page.charts import mark
from treelens.report.page.pictures import how_drawn, legend, pictured
from treelens.report.page.tables import section
from treelens.session.pair import Pair, Side

_FINDINGS = 30
"""Differences of a sentence that are told in words."""
_MESSAGE = 160
_LISTED = 12
"""Numbers of unparsed sentences that are listed."""


def worst_section(report: Report, names: Sequence[str], most: int, *, arcs: bool) -> Markup:
    """Each system's worst sentences.

    names: gold's file and the systems'; arcs: whether it is dependencies that are drawn.
    """
    content = [_legend(headlines(report.metrics)[0], arcs)]
    for number in range(len(report.systems)):
        if len(report.systems) > 1:
            content.append(element("h3", mark(number), " ", isolated(names[number + 1])))
        content += _of_system(report, names, number, most)
    return section("worst", "Worst sentences", *content)


def worst(pair: Pair) -> list[int]:
    """Groups that differ, those first that score furthest below the system's own headline.

    Below for their size: how many more facts are wrong than the corpus's share of so many, by
    the square root of how many there are, as a proportion's deviation is measured. (By the
    score itself the worst sentences of any corpus are fragments of two words, by the number
    of mistakes the longest ones.)
    """
    groups = np.flatnonzero(pair.mismatching())
    ratio = headlines(pair.metrics)[0]
    right, there = fractions(pair.tallies(), pair.metrics, ratio)
    expected = right.sum() / max(int(there.sum()), 1) * there
    below = (expected - right) / np.sqrt(np.maximum(there, 1))
    if not ratio.higher_is_better:
        below = -below
    return groups[np.argsort(-below[groups], kind="stable")].tolist()


def _legend(ratio: Ratio, arcs: bool) -> Markup:
    score = ratio.headline or ratio.title
    order = f"First those furthest below the system’s own {score}, for their size."
    return joined([element("p", f"{order} {how_drawn(arcs)}"), legend(arcs)])


def _of_system(report: Report, names: Sequence[str], number: int, most: int) -> Iterator[Markup]:
    system = report.systems[number]
    groups = np.array(worst(system.at_hand), np.int64)
    parsed = np.logical_and(*system.at_hand.present())[groups] if len(groups) else groups > 0
    unparsed = sorted(groups[~parsed].tolist())
    shown = groups[parsed][:most].tolist()
    if not len(groups):
        yield element("p", "Nothing differs.")
        return
    if unparsed:
        yield element("p", _unparsed(system, unparsed))
    articles = (_sentence(report, names, number, group) for group in shown)
    yield element("div", *articles, class_="sentences")
    rest = int(parsed.sum()) - len(shown)
    if rest:
        yield element("p", f"{rest:,} more sentences differ.", class_="quiet")


def _unparsed(system: SystemReport, groups: Sequence[int]) -> str:
    ranges = [system.at_hand.group(group) for group in groups[:_LISTED]]
    listed = ", ".join(numbers(one.gold) or f"{numbers(one.system)} of system" for one in ranges)
    more = " …" if len(groups) > _LISTED else ""
    what = "1 sentence has" if len(groups) == 1 else f"{len(groups):,} sentences have"
    return f"{what} words on one side only, and no picture: {listed}{more}"


def _sentence(report: Report, names: Sequence[str], number: int, group: int) -> Markup:
    pair = report.systems[number].at_hand
    findings, ranges = pair.findings(group), pair.group(group)
    title = f"Sentence {numbers(ranges.gold)}"
    if numbers(ranges.gold) != numbers(ranges.system):
        title += f" / {numbers(ranges.system)}"
    said = " · ".join(counts_in_words(findings))
    comparison = pair.comparison(group)
    drawn = sentence_picture(comparison, f"{title}: gold above, system below. {said}")
    words = len(comparison.gold.forest.word)
    head = element(
        "h4" if len(report.systems) > 1 else "h3",
        title,
        element("span", headlined(pair.scores(group)), class_="score"),
        element("span", f"{said} · {words} {'word' if words == 1 else 'words'}", class_="quiet"),
    )
    picture = (
        pictured(drawn, f"picture-{number + 1}-{group + 1}")
        if drawn is not None
        else element("p", f"Too large to be drawn: {words:,} words.", class_="quiet")
    )
    place = joined(_places(report, names, number, group), " · ")
    return element(
        "article",
        head,
        element("p", place, class_="places"),
        picture,
        _told(findings),
        class_="sentence",
    )


def _places(report: Report, names: Sequence[str], number: int, group: int) -> Iterator[Markup]:
    """``FILE:LINE`` of both sides; what the other systems have for the same sentence of gold."""
    pair = report.systems[number].at_hand
    ranges = pair.group(group)
    files = names[0], names[number + 1]
    for side, name, sentences in zip(Side, files, ranges, strict=True):
        if sentences:
            line = line_of(pair.document(side), sentences[0])
            yield joined([isolated(name), f":{line}"])
    for other, system in enumerate(report.systems):
        if other != number and ranges.gold:
            there = system.at_hand.group_of(Side.GOLD, ranges.gold[0])
            yield joined([isolated(names[other + 1]), " ", headlined(system.at_hand.scores(there))])


def _told(findings: Sequence[Finding]) -> Markup:
    said = [summary(finding) for finding in findings[:_FINDINGS]]
    items = [element("li", isolated(shortened(text, _MESSAGE))) for text in said]
    if len(findings) > _FINDINGS:
        items.append(element("li", f"and {len(findings) - _FINDINGS:,} more"))
    return element("details", element("summary", "In words"), element("ul", *items))
