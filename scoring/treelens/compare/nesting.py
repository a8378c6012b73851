"""Which span directly holds each span and each word, for the spans of trees in text order.

Takes numbers only: what the spans are of is for others to know.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treelens.compare.match import Numbers
from treelens.trees.forest import Ints


class Nesting(NamedTuple):
    """``depth``: how many spans hold a span. Parents are rows of spans, -1 where there is none."""

    depth: Numbers
    parent: Numbers
    word_parent: Numbers
    """The innermost span of each word."""


def nest(first: Ints, last: Ints, words: int) -> Nesting:
    """Nest half-open spans, none of them empty, parents before what they hold; ``(s,)`` each.

    Of two equal spans the earlier holds the later. ``words``: how many words there are.
    """
    rows = np.arange(len(first))
    opened = np.cumsum(np.bincount(first, minlength=words))  # up to and with each word
    closed = np.cumsum(np.bincount(last, minlength=words))[:words]  # before each word
    # Whatever has ended before a span starts stands before it; all others before it are open.
    depth = rows - closed[first]
    order = np.argsort(depth, kind="stable")
    key = depth[order] * len(rows) + order
    of_words = opened - closed - 1
    return Nesting(
        depth,
        _last_below(key, order, depth - 1, rows, len(rows)),
        _last_below(key, order, of_words, opened, len(rows)),
    )


def _last_below(key: Numbers, order: Numbers, depth: Numbers, row: Numbers, rows: int) -> Numbers:
    """The last span at a depth that stands before a row."""
    at = np.searchsorted(key, depth * rows + row) - 1
    return np.where(depth >= 0, np.append(order, -1)[at], -1)
