"""Every metric there is, in the order in which reports show them; choosing among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.metrics import (
    Metric,
    attachment,
    crossing,
    enhanced,
    leaf_ancestor,
    multiword,
    parseval,
    tagging,
    tedeval,
    tedeval_versions,
    universal,
)
from treelens.rules import distances
from treelens.trees.forest import Annotation

METRICS: tuple[Metric, ...] = (
    parseval.METRIC,
    attachment.METRIC,
    tedeval.METRIC,
    crossing.METRIC,
    tagging.METRIC,
    universal.METRIC,
    enhanced.METRIC,
    *tedeval_versions.METRICS,
    *leaf_ancestor.METRICS,
    multiword.METRIC,
)

_WHERE_THERE = enhanced.METRIC._replace(where=("gold", "system"))
"""What an editor counts beside attachments, and shows where both files have such."""

ALL, STANDARD = "all", "standard"
"""Names of all metrics that apply, and of those that are counted unasked."""

_LIKELY = 60
"""From this likeness on, out of 100, a name may be the one that was meant."""


def applicable(*annotations: Annotation, heads: bool = False) -> tuple[Metric, ...]:
    """The metrics that can be counted for files that say these things of their words.

    heads: constituents have heads, found by a table.
    """
    return tuple(
        metric
        for metric in METRICS
        if all(
            one in metric.takes or (heads and metric.from_heads and one == "constituents")
            for one in annotations
        )
    )


def metrics_of(*annotations: Annotation, heads: bool = False) -> tuple[Metric, ...]:
    """Those of them that are counted by default."""
    return tuple(metric for metric in applicable(*annotations, heads=heads) if metric.standard)


def metrics_shown(
    *annotations: Annotation, heads: bool = False, names: Sequence[str] = ()
) -> tuple[Metric, ...]:
    """Those that an editor counts: what applies of some names; where nothing does, the standard
    ones, and what is shown where both files have it. It is counted whatever they have, since that
    comes and goes with every edit."""
    chosen = choose(names, applicable(*annotations, heads=heads)).metrics
    if chosen:
        return chosen
    standard = metrics_of(*annotations, heads=heads)
    if attachment.METRIC not in standard or not _WHERE_THERE.takes.issuperset(annotations):
        return standard
    behind = standard.index(attachment.METRIC) + 1
    return (*standard[:behind], _WHERE_THERE, *standard[behind:])


class MetricChoice(NamedTuple):
    """Metrics by name: ``unknown`` are names of none; ``unfit`` of such as do not apply."""

    metrics: tuple[Metric, ...]
    unknown: tuple[str, ...]
    unfit: tuple[str, ...]


def names_in(text: str) -> list[str]:
    """The names in a text that has commas between them."""
    return [name.strip() for name in text.split(",")]


def choose(names: Iterable[str], possible: Sequence[Metric]) -> MetricChoice:
    """The metrics that are named, of the possible ones.

    A name is a metric's, a score's (the metric then has that score only), ``all`` or
    ``standard``; upper and lower case are the same.
    """
    wanted: set[str] = set()
    unknown, unfit = [], []
    for name in names:
        found = _scores_of(name, METRICS)
        there = _scores_of(name, possible)
        if found is None:
            unknown.append(name)
        elif not there:
            unfit.append(name)
        else:
            wanted.update(there)
    metrics = _with_headline(list(_with_scores(possible, wanted)))
    return MetricChoice(tuple(metrics), tuple(unknown), tuple(unfit))


def _scores_of(name: str, metrics: Sequence[Metric]) -> list[str] | None:
    """The scores that a name stands for; None if it is no name at all."""
    key = name.lower()
    if key in (ALL, STANDARD):
        return [r.name for m in metrics if m.standard or key == ALL for r in m.ratios]
    for metric in METRICS:
        if metric.name.lower() == key:
            return [r.name for m in metrics if m is metric for r in m.ratios]
    known = [r.name for m in METRICS for r in m.ratios if r.name.lower() == key]
    return [r.name for m in metrics for r in m.ratios if r.name in known] if known else None


def _with_scores(metrics: Sequence[Metric], wanted: set[str]) -> Iterable[Metric]:
    for metric in metrics:
        ratios = tuple(ratio for ratio in metric.ratios if ratio.name in wanted)
        if ratios == metric.ratios:
            yield metric
        elif ratios:
            yield metric._replace(ratios=ratios)


def _with_headline(metrics: list[Metric]) -> list[Metric]:
    """The metrics, of which some score is short: where none is, the first one by its title."""
    if metrics and not any(ratio.headline for metric in metrics for ratio in metric.ratios):
        first, *others = metrics[0].ratios
        first = first._replace(headline=first.title)
        metrics[0] = metrics[0]._replace(ratios=(first, *others))
    return metrics


def likely(name: str) -> list[str]:
    """Up to three names that may have been meant, the nearest first."""
    names = [*(m.name for m in METRICS), *(r.name for m in METRICS for r in m.ratios)]
    known = list(dict.fromkeys(names))
    found = distances.process.extract(
        name, known, scorer=distances.fuzz.ratio, processor=str.lower, limit=3, score_cutoff=_LIKELY
    )
    return [match for match, *_ in found]


def no_metric(name: str) -> str:
    """What to say of a name that is no metric's and no score's."""
    meant = likely(name)
    hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
    return f"“{name}” is no metric and no score{hint}"
