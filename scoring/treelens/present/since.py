"""What is new in a system file since an earlier version: which marks are, and in what words."""

from __future__ import annotations

from collections.abc import Collection, Hashable

from treelens.differences.difference import Finding
from treelens.session.session import Counterpart
from treelens.session.since import new_in, state_in


def new(other: Counterpart, group: int) -> Collection[Finding]:
    """Those of a group's findings that an earlier version does not have; none without one."""
    if other.earlier is None or not other.pair.mismatching()[group]:
        return ()
    return new_in(other.earlier.pair, other.pair, group)


def state(other: Counterpart, group: int) -> Hashable:
    """What changes whenever these do, or what is said of them."""
    if other.earlier is None:
        return None
    return state_in(other.earlier.pair, other.pair, group), other.earlier.called


def new_since(other: Counterpart) -> str:
    """Of a mark that is among them."""
    return f"new since {other.earlier.called}" if other.earlier else ""


def new_in_words(other: Counterpart, group: int) -> list[str]:
    """How many there are in a group: ``["2 new since the last commit"]``; nothing of none."""
    found = len(new(other, group))
    return [f"{found} {new_since(other)}"] if found else []
