"""Every metric there is, in the order in which reports show them."""

from treelens.forest import Annotation
from treelens.metrics import Metric, crossing, parseval, tagging, tedeval

METRICS: tuple[Metric, ...] = (
    parseval.METRIC,
    tedeval.METRIC,
    crossing.METRIC,
    tagging.METRIC,
)


def metrics_of(*annotations: Annotation) -> tuple[Metric, ...]:
    """The metrics that are counted by default for files that say these things of their words."""
    return tuple(m for m in METRICS if m.standard and m.takes.issuperset(annotations))
