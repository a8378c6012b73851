"""Small notes in the line: the other file's label behind a label that differs."""

from __future__ import annotations

from typing import NamedTuple

from treelens.present.names import short_name
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot

_SENTENCES = 100
"""What is asked for at once; a client that wants the whole file gets its beginning."""


class Hint(NamedTuple):
    offset: int
    text: str
    tooltip: str


def hints(snapshot: Snapshot, start: int, end: int) -> list[Hint]:
    """The notes from one offset to another, in text order."""
    first, last = snapshot.document.sentence_at(start), snapshot.document.sentence_at(end)
    if first is None or last is None:
        return []
    found = set()
    for other in snapshot.counterparts:
        several = len(snapshot.counterparts) > 1
        wrong = other.pair.mismatching()
        groups = {
            other.pair.group_of(other.side, sentence)
            for sentence in range(first, min(last + 1, first + _SENTENCES))
        }
        for group in groups:
            if wrong[group]:
                found |= _of_group(other, group, f"{short_name(other.name)}: " if several else "")
    return sorted(hint for hint in found if start <= hint.offset <= end)


def _of_group(other: Counterpart, group: int, prefix: str) -> set[Hint]:
    found = set()
    for finding in other.pair.findings(group):
        here, there = finding.gold, finding.system
        if other.side is Side.SYSTEM:
            here, there = there, here
        if finding.code.startswith("wrong-") and here and there:
            found.add(Hint(here.end, f"≠{there.written}", prefix + here.message))
    return found
