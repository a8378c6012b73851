"""Every metric there is, in the order in which reports show them."""

from treelens.forest import Annotation
from treelens.metrics import (
    Metric,
    attachment,
    crossing,
    leaf_ancestor,
    parseval,
    tagging,
    tedeval,
    universal,
)

METRICS: tuple[Metric, ...] = (
    parseval.METRIC,
    attachment.METRIC,
    tedeval.METRIC,
    crossing.METRIC,
    tagging.METRIC,
    universal.METRIC,
    leaf_ancestor.METRIC,
)


def metrics_of(*annotations: Annotation) -> tuple[Metric, ...]:
    """The metrics that are counted by default for files that say these things of their words."""
    return tuple(m for m in METRICS if m.standard and m.takes.issuperset(annotations))
