"""How many examples a law draws that does not draw the usual number, and what it draws from."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

T = TypeVar("T")

USUAL = 25
"""Of a law, by what numbers are given elsewhere; ``make test`` draws its :data:`SHARE` of them,
always the same ones, and ``make fuzz`` more than ten times as many, others each time."""
SHARE = 0.4


def examples(number: int) -> settings:
    """``number``, or as many times more, or fewer, as other laws have."""
    return settings(max_examples=max(number * settings.default.max_examples // USUAL, 1))


def seeds(number: int) -> range:
    """``number`` of them, or fewer where other laws have fewer."""
    return range(max(number * min(settings.default.max_examples, USUAL) // USUAL, 1))


_made: Callable[[tuple[Any, ...]], st.SearchStrategy[Any]] = functools.cache(st.sampled_from)


def sampled(among: tuple[T, ...]) -> st.SearchStrategy[T]:
    """One of these, by the same strategy each time: one that is made where something is drawn is
    looked over before it gives its first value, which takes as long as all the rest."""
    return _made(among)
