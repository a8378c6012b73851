"""The two sides of every comparison."""

from __future__ import annotations

import enum


class Side(enum.Enum):
    """Gold, or a system; of two annotators the first is gold's side."""

    GOLD = "gold"
    SYSTEM = "system"

    __hash__ = object.__hash__  # a member is one object; Enum's own is looked up all the time

    @property
    def other(self) -> Side:
        return Side.SYSTEM if self is Side.GOLD else Side.GOLD
