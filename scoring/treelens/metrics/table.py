"""Every metric there is, in the order in which reports show them."""

from treelens.metrics import Metric, crossing, parseval, tagging

METRICS: tuple[Metric, ...] = (parseval.METRIC, crossing.METRIC, tagging.METRIC)
