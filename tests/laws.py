"""How many examples a law draws that does not draw the usual number."""

from __future__ import annotations

from hypothesis import settings

USUAL = 40
"""Of a law in ``make test``, always the same ones; ``make fuzz`` draws more than ten times as
many, and others each time."""


def examples(number: int) -> settings:
    """``number`` in ``make test``, and as many times more elsewhere as other laws have there."""
    return settings(max_examples=max(number * settings.default.max_examples // USUAL, 1))
