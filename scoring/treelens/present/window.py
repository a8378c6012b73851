"""Which sentences a feature speaks of where the protocol asks for the whole file at once."""

from __future__ import annotations

from treelens.session.view import View

SENTENCES = 40
"""What is in view and its surroundings together, where less than that is in view."""

_MOST = 80
"""Sentences in view that lenses, symbols and folds are of."""

_MOST_MARKED = 500
"""Sentences in view whose mismatches are marked: a screen of lines that hold several each."""

_AROUND = 4


def near(visible: View, count: int) -> View:
    """The sentences in view and those around it, of ``count`` in all."""
    return View.of(*(_around(one, count, _MOST) for one in visible.stretches))


def marked(visible: View, count: int) -> View:
    """The same where mismatches are marked: all that is in view, however much that is."""
    return View.of(*(_around(one, count, _MOST_MARKED) for one in visible.stretches))


def is_near(count: int) -> bool:
    """Whether all of a file is near the view, wherever that is: what is looked for there only can
    be listed as the file's."""
    return count <= SENTENCES


def _around(visible: range, count: int, most: int) -> range:
    inside = min(len(visible), most)
    total = max(SENTENCES, inside + 2 * _AROUND)
    first = min(max(visible.start - (total - inside) // 2, 0), max(count - total, 0))
    return range(first, min(first + total, count))
