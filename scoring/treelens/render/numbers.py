"""Numbers in words."""

from __future__ import annotations


def number_of(count: int, noun: str) -> str:
    """A number of things: “1 pair”, “2,000 pairs”."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
