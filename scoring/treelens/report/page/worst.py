"""The worst sentences of each system on a page: drawn, and told in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.differences.difference import Finding
from treelens.differences.wording import counts_in_words, summary
from treelens.metrics import Ratio, headlines
from treelens.pictures.sentence import sentence_picture
from treelens.render.markup import Markup, element, isolated, joined
from treelens.render.width import shortened
from treelens.report.batches import in_order
from treelens.report.content import Behind, line_of, numbers
from treelens.report.mismatches import headlined
from treelens.report.page.charts import mark
from treelens.report.page.page import ReportPage
from treelens.report.page.pictures import how_drawn, legend, pictured
from treelens.report.page.tables import section
from treelens.session.pair import Group, Pair, Side
from treelens.session.ranking import Places

_FINDINGS = 30
"""Differences of a sentence that are told in words."""
_MESSAGE = 160
_LISTED = 12
"""Numbers of unparsed sentences that are listed."""


class Worst(NamedTuple):
    """The groups of one system that differ: the worst of those that both sides have words for, how
    many there are of them, and of those that only one side has words for, with the first ones.

    first: the number of the first group of each part.
    """

    places: Places
    parsed: int
    unparsed: int
    listed: tuple[Group, ...]
    first: Sequence[int]


def worst_section(page: ReportPage, most: int, *, arcs: bool) -> Markup:
    """Each system's worst sentences. arcs: whether it is dependencies that are drawn."""
    content = [_legend(headlines(page.metrics)[0], arcs)]
    for number, name in enumerate(page.names):
        if len(page.names) > 1:
            content.append(element("h3", mark(number), " ", isolated(name)))
        content += _of_system(page, number, most)
    return section("worst", "Worst sentences", *content)


def worst(system: Behind, ratio: Ratio, most: int) -> Worst:
    """Groups that differ, those first that score furthest below the system's own headline.

    Below for their size: how many more facts are wrong than the corpus's share of so many, by
    the square root of how many there are, as a proportion's deviation is measured. (By the
    score itself the worst sentences of any corpus are fragments of two words, by the number
    of mistakes the longest ones.)
    """
    rights = theres = 0
    for pair in system.counts():
        right, there = pair.fractions(ratio)
        rights, theres = rights + right.sum(), theres + int(there.sum())
    keys = np.zeros(0)
    places = Places(np.zeros(0, np.int32), np.zeros(0, np.int32))
    listed: list[Group] = []
    first, parsed, unparsed = [0], 0, 0
    for number, pair in enumerate(system.counts()):
        groups = np.flatnonzero(pair.mismatching())
        right, there = (column[groups] for column in pair.fractions(ratio))
        below = (rights / max(theres, 1) * there - right) / np.sqrt(np.maximum(there, 1))
        there_both = np.logical_and(*pair.present())[groups]
        listed += map(pair.numbered, groups[~there_both][: _LISTED - len(listed)].tolist())
        first.append(first[-1] + len(pair))
        parsed, unparsed = parsed + int(there_both.sum()), unparsed + int((~there_both).sum())
        keys = np.append(keys, (below if ratio.higher_is_better else -below)[there_both])
        here = groups[there_both].astype(np.int32)
        places = places.plus(Places(np.full(len(here), number, np.int32), here))
        order = np.argsort(-keys, kind="stable")[:most]
        keys, places = keys[order], places.chosen(order)
    return Worst(places, parsed, unparsed, tuple(listed), first)


def _legend(ratio: Ratio, arcs: bool) -> Markup:
    score = ratio.headline or ratio.title
    order = f"First those furthest below the system’s own {score}, for their size."
    return joined([element("p", f"{order} {how_drawn(arcs)}"), legend(arcs)])


def _of_system(page: ReportPage, number: int, most: int) -> Iterator[Markup]:
    behind = page.report.systems[number].looked_at
    found = worst(behind, headlines(page.metrics)[0], most)
    if not found.parsed + found.unparsed:
        yield element("p", "Nothing differs.")
        return
    if found.unparsed:
        yield element("p", _unparsed(found))

    def tell(pair: Pair, group: int, part: int) -> Markup:
        return _sentence(page, number, pair, group, found.first[part] + group)

    articles = map(Markup, in_order(behind, found.places, tell, page.waiting()))
    yield element("div", *articles, class_="sentences")
    rest = found.parsed - len(found.places)
    if rest:
        yield element("p", f"{rest:,} more sentences differ.", class_="quiet")


def _unparsed(found: Worst) -> str:
    listed = ", ".join(
        numbers(one.gold) or f"{numbers(one.system)} of system" for one in found.listed
    )
    more = " …" if found.unparsed > _LISTED else ""
    what = "1 sentence has" if found.unparsed == 1 else f"{found.unparsed:,} sentences have"
    return f"{what} words on one side only, and no picture: {listed}{more}"


def _sentence(page: ReportPage, number: int, pair: Pair, group: int, place: int) -> Markup:
    """place: the group's number among all."""
    findings, ranges = pair.findings(group), pair.numbered(group)
    title = f"Sentence {numbers(ranges.gold)}"
    if numbers(ranges.gold) != numbers(ranges.system):
        title += f" / {numbers(ranges.system)}"
    said = " · ".join(counts_in_words(findings))
    comparison = pair.comparison(group)
    drawn = sentence_picture(comparison, f"{title}: gold above, system below. {said}")
    words = len(comparison.gold.forest.word)
    head = element(
        "h4" if len(page.names) > 1 else "h3",
        title,
        element("span", headlined(pair.scores(group)), class_="score"),
        element("span", f"{said} · {words} {'word' if words == 1 else 'words'}", class_="quiet"),
    )
    picture = (
        pictured(drawn, f"picture-{number + 1}-{place + 1}")
        if drawn is not None
        else element("p", f"Too large to be drawn: {words:,} words.", class_="quiet")
    )
    return element(
        "article",
        head,
        element("p", joined(_places(page, number, pair, group), " · "), class_="places"),
        picture,
        _told(findings),
        class_="sentence",
    )


def _places(page: ReportPage, number: int, pair: Pair, group: int) -> Iterator[Markup]:
    """``FILE:LINE`` of both sides; what the other systems have for the same sentence of gold."""
    files = page.gold, page.names[number]
    for side, name, sentences in zip(Side, files, pair.group(group), strict=True):
        if sentences:
            line = line_of(pair.document(side), sentences[0])
            yield joined([isolated(name), f":{line}"])
    gold = pair.numbered(group).gold
    for other, system in enumerate(page.report.systems):
        if other != number and gold:
            scored = system.looked_at.scores_of(gold[0])
            yield joined([isolated(page.names[other]), " ", headlined(scored)])


def _told(findings: Sequence[Finding]) -> Markup:
    said = [summary(finding) for finding in findings[:_FINDINGS]]
    items = [element("li", isolated(shortened(text, _MESSAGE))) for text in said]
    if len(findings) > _FINDINGS:
        items.append(element("li", f"and {len(findings) - _FINDINGS:,} more"))
    return element("details", element("summary", "In words"), element("ul", *items))
