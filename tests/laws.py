"""How many examples a law draws that does not draw the usual number, and what it draws from."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

T = TypeVar("T")

USUAL = 25
"""Of a law in ``make test``, always the same ones; ``make fuzz`` draws more than ten times as
many, and others each time."""


def examples(number: int) -> settings:
    """``number`` in ``make test``, and as many times more elsewhere as other laws have there."""
    return settings(max_examples=max(number * settings.default.max_examples // USUAL, 1))


_made: Callable[[tuple[Any, ...]], st.SearchStrategy[Any]] = functools.cache(st.sampled_from)


def sampled(among: tuple[T, ...]) -> st.SearchStrategy[T]:
    """One of these, by the same strategy each time: one that is made where something is drawn is
    looked over before it gives its first value, which takes as long as all the rest."""
    return _made(among)
