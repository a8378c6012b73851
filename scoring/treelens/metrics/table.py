"""Every metric there is, in the order in which reports show them."""

from treelens.metrics import Metric, crossing, parseval, tagging, tedeval

METRICS: tuple[Metric, ...] = (
    parseval.METRIC,
    tedeval.METRIC,
    crossing.METRIC,
    tagging.METRIC,
)
