"""The live totals of a pair, or of two annotators: a few numbers for the status bar, the rest
behind them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from treelens.align.groups import How
from treelens.metrics import Score, headlines
from treelens.present.names import short_name
from treelens.present.numbers import beside, by_name, number, short, table
from treelens.render.markdown import escaped
from treelens.session.adjudication import Adjudication, AdjudicationTask, roles
from treelens.session.agreement import Agreement
from treelens.session.pair import Pair
from treelens.session.session import Link
from treelens.session.since import Earlier
from treelens.statistics.kappa import Kappa


class Status(NamedTuple):
    score: str
    detail: str
    """Markdown."""
    sentences: int
    mismatches: int


def status(
    link: Link, pair: Pair, before: Iterable[Score] = (), earlier: Earlier | None = None
) -> Status:
    """What a pair's files add up to, and what has moved since its scores were those ``before``, or
    those of an earlier version."""
    title = f"**{escaped(short_name(link.gold))}** ↔ **{escaped(short_name(link.system))}**"
    then = earlier.pair.scores() if earlier else before
    since = [f"{earlier.called}: {short(then)}"] if earlier else []
    detail = "\n\n".join([title, *since, totals(pair)])
    return Status(short(pair.scores(), then), detail, len(pair), pair.mismatches)


_FEWEST = 5
"""Sentences with words from which on it is said that files share hardly any."""

_SHARED = 0.1


def doubt(link: Link, pair: Pair) -> str:
    """What is to be said once of two files that are not of one text, or not of one kind: why, and
    what to do; empty of others. Looks at every group."""
    gold, system = short_name(link.gold), short_name(link.system)
    there, here = pair.present()
    surely = there & here & ~np.isin(pair.groups.how, (How.GUESSED, How.PLACE))
    shared, fewer = int(surely.sum()), int(min(there.sum(), here.sum()))
    if fewer >= _FEWEST and shared < _SHARED * fewer:
        return (
            f"{gold} and {system} share hardly any words: {shared:,} of {fewer:,} sentences have a "
            "counterpart. Choose another file with “Compare with…”, or say in treelens.toml which "
            "files belong together."
        )
    kinds = pair.gold.format.annotation, pair.system.format.annotation
    if fewer and kinds[0] != kinds[1]:
        what = " and ".join(metric.title for metric in pair.metrics)
        return (
            f"{gold} has {kinds[0]} and {system} has {kinds[1]}: only {what} can be compared. "
            "Choose another file with “Compare with…”, or give brackets heads by a table (heads in "
            "treelens.toml)."
        )
    return ""


class Adjudicated(NamedTuple):
    """``score``: ``anna/boris F1 91.20 · κ 0.87 · 14 open``; open is None while it is counted."""

    score: str
    detail: str
    """Markdown."""
    open: int | None
    settled: int


_HEADLINES = ("labels", "relations", "tags")
"""What κ is shown of where there is room for one: the first that there is."""

_DISAGREEMENTS = 5


def adjudicated(
    task: AdjudicationTask, agreement: Agreement, adjudication: Adjudication | None
) -> Adjudicated:
    """How far two annotators agree, and what is still open between them."""
    first, second, _ = roles(task)
    kappas = agreement.kappas
    headline = next((key for key in _HEADLINES if key in kappas), None)
    score = headlines(agreement.pair.metrics)[0]
    found = by_name(agreement.pair.scores())[score.name]
    parts = [f"{first}/{second} {score.headline or score.title} {number(found)}"]
    if headline:
        parts.append(f"κ {kappa_value(kappas[headline])}")
    complete = adjudication is not None and adjudication.complete
    parts.append(f"{adjudication.open:,} open" if adjudication and complete else "counting…")
    lines = [f"**{escaped(first)}** ↔ **{escaped(second)}**", _kappas(agreement)]
    lines += filter(None, [_pairs(agreement, headline)])
    if adjudication is not None and complete:
        lines.append(f"{adjudication.open:,} disagreements open, {adjudication.settled:,} settled")
    return Adjudicated(
        " · ".join(parts),
        "\n\n".join([*lines, totals(agreement.pair)]),
        adjudication.open if adjudication and complete else None,
        adjudication.settled if adjudication else 0,
    )


def kappa_value(kappa: Kappa) -> str:
    """Two decimals; a dash where κ is undefined."""
    return "–" if kappa.value is None else f"{kappa.value:.2f}"


def _kappas(agreement: Agreement) -> str:
    kappas = agreement.kappas
    rows = [
        f"| {kind.title} | **{kappa_value(kappas[kind.key])}** | "
        f"{kappas[kind.key].agreed:,}/{kappas[kind.key].items:,} |"
        for kind in agreement.kinds
    ]
    return "\n".join(["| Cohen’s κ | κ | the same |", "|:--|--:|--:|", *rows])


def _pairs(agreement: Agreement, key: str | None) -> str:
    """The most frequent pairs of categories."""
    found = agreement.disagreements(key)[:_DISAGREEMENTS] if key else []
    shown = (f"{escaped(one.first)} / {escaped(one.second)} {one.times:,}" for one in found)
    text = " · ".join(shown)
    return f"most often: {text}" if text else ""


def totals(pair: Pair) -> str:
    """The corpus's numbers as Markdown, with the signature that pins what they mean."""
    scores = pair.scores()
    named = by_name(scores)
    right = len(pair) - pair.mismatches
    others = [beside(scores)]
    if "complete" in named:
        others.append(f"complete match {number(named['complete'])}")
    if "crossing" in named:
        others.append(f"crossing {number(named['crossing'])} a sentence")
    counted = f"{len(pair):,} sentences, {right:,} without a mismatch"
    signature = f"parameters `{pair.parameters.signature}`"
    parts = [table(scores), " · ".join(filter(None, others)), f"{counted}; {signature}"]
    return "\n\n".join(filter(None, parts))
