"""Which sentences a feature speaks of where the protocol asks for the whole file at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

SENTENCES = 40
"""What is in view and its surroundings together, where less than that is in view."""

_LEAST = 30
"""Sentences with mismatches that are shown, however few are in view."""

_MOST = 80
"""Sentences in view that lenses, symbols and folds are of."""

_MOST_MARKED = 500
"""Sentences in view whose mismatches are marked: a screen of lines that hold several each."""

_AROUND = 4


def near(visible: range, count: int) -> range:
    """The sentences in view and those around it, of ``count`` in all."""
    inside = min(len(visible), _MOST)
    total = max(SENTENCES, inside + 2 * _AROUND)
    first = min(max(visible.start - (total - inside) // 2, 0), max(count - total, 0))
    return range(first, min(first + total, count))


def nearest(
    starts: npt.NDArray[np.integer[Any]], ends: npt.NDArray[np.integer[Any]], visible: range
) -> npt.NDArray[np.intp]:
    """Which of some ranges of sentences to show: those in view first, then by distance."""
    distance = np.maximum(starts - visible.stop + 1, visible.start - ends + 1).clip(0)
    in_view = int(np.count_nonzero(distance == 0))
    most = min(max(_LEAST, in_view), _MOST_MARKED, len(starts))
    if not most:
        return np.zeros(0, np.intp)
    chosen = np.argpartition(distance, most - 1)[:most]
    return chosen[np.lexsort((starts[chosen], distance[chosen]))]
