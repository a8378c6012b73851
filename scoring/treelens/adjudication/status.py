"""How far two annotators agree and what is open between them, for the status bar."""

from __future__ import annotations

from typing import NamedTuple

from treelens.adjudication.adjudication import Adjudication, AdjudicationTask, roles
from treelens.metrics import headlines
from treelens.present.numbers import by_name, number
from treelens.present.status import totals
from treelens.render.markdown import escaped
from treelens.session.agreement import Agreement
from treelens.statistics.kappa import Kappa


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
    task: AdjudicationTask,
    agreement: Agreement,
    adjudication: Adjudication | None,
    refused: str = "",
) -> Adjudicated:
    """How far two annotators agree, and what is still open between them; ``refused``: why the
    adjudicated file is not read."""
    first, second, settled = roles(task)
    kappas = agreement.kappas
    headline = next((key for key in _HEADLINES if key in kappas), None)
    score = headlines(agreement.pair.metrics)[0]
    found = by_name(agreement.pair.scores())[score.name]
    parts = [f"{first}/{second} {score.headline or score.title} {number(found)}"]
    if headline:
        parts.append(f"κ {kappa_value(kappas[headline])}")
    complete = adjudication is not None and adjudication.complete
    left = f"{adjudication.open:,} open" if adjudication and complete else "counting…"
    parts.append(f"{settled} not read" if refused else left)
    lines = [f"**{escaped(first)}** ↔ **{escaped(second)}**", _kappas(agreement)]
    lines += filter(None, [_pairs(agreement, headline)])
    if refused:
        lines.append(f"Nothing is adjudicated in {escaped(settled)}: {escaped(refused)}")
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
    kappas = {**agreement.kappas, **agreement.uncounted_kappas}
    rows = [
        f"| {kind.title} | **{kappa_value(kappas[kind.key])}** | "
        f"{kappas[kind.key].agreed:,}/{kappas[kind.key].items:,} |"
        for kind in (*agreement.kinds, *agreement.uncounted_kinds)
    ]
    return "\n".join(["| Cohen’s κ | κ | the same |", "|:--|--:|--:|", *rows])


def _pairs(agreement: Agreement, key: str | None) -> str:
    """The most frequent pairs of categories."""
    found = agreement.disagreements(key)[:_DISAGREEMENTS] if key else []
    shown = (f"{escaped(one.first)} / {escaped(one.second)} {one.times:,}" for one in found)
    text = " · ".join(shown)
    return f"most often: {text}" if text else ""
