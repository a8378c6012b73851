"""What is found in texts and said of them, kept while it is asked for: bounded by its weight.

A count would bound nothing: of a sentence of three thousand words one answer is half a megabyte,
and each keystroke there makes another.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")

_LEAST = 4 << 20
"""Bytes that anything may weigh."""


class _Entry(Generic[Value]):
    __slots__ = ("is_asked", "value", "weight")

    def __init__(self, value: Value, weight: int) -> None:
        self.value = value
        self.weight = weight
        self.is_asked = True
        """Since things were last let go of."""


class Kept(Generic[Value]):
    """Values by keys, of which those go that nobody has asked for in a while."""

    def __init__(self) -> None:
        self._known: dict[Hashable, _Entry[Value]] = {}
        self._weight, self._most = 0, _LEAST

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: Hashable) -> Value | None:
        entry = self._known.get(key)
        if entry is None:
            return None
        entry.is_asked = True
        return entry.value

    def keep(self, key: Hashable, value: Value, weight: int) -> None:
        """What was not known; ``weight``: about how many bytes it takes."""
        self._known[key] = _Entry(value, weight)
        self._weight += weight

    def tidy(self) -> None:
        """After an answer: where much was added since the last time, let go of what was not asked
        for since then. (All that is asked for stays, though it be more than the least: answers
        about one document are not to drive out those about another.)"""
        if self._weight <= self._most:
            return
        self._known = {key: one for key, one in self._known.items() if one.is_asked}
        self._weight = 0
        for one in self._known.values():
            one.is_asked = False
            self._weight += one.weight
        self._most = _LEAST + self._weight * 5 // 4
