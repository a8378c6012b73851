"""What is said where nothing differs, or nothing can be taken. Of a file of trees beside a table,
say, it is to be said what was compared at all: words and tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treelens.differences.wording import ALL_SHARED, SHARED
from treelens.session.pair import Pair

if TYPE_CHECKING:
    from treelens.session.session import Snapshot


def in_what(pair: Pair) -> str:
    """``" in words and tags"``, of a pair of which no more can be compared; else empty."""
    return SHARED if pair.is_mixed else ""


def nowhere(snapshot: Snapshot | None) -> str:
    """That no mismatch is left to go to in a document."""
    mixed = snapshot is not None and any(other.pair.is_mixed for other in snapshot.marked)
    return f"There are no mismatches {ALL_SHARED.strip() if mixed else 'here'}"


def untaken(snapshot: Snapshot | None, offset: int) -> str:
    """Why nothing of a sentence can be taken: it is the same, or its file is of another format."""
    sentence = snapshot.document.sentence_at(offset) if snapshot else None
    others = snapshot.marked if snapshot is not None and sentence is not None else ()
    mixed = False
    for other in others:
        group = other.pair.group_of(other.side, sentence or 0)
        if other.pair.mismatching()[group] and not other.pair.is_takeable:
            return "Nothing can be taken here: the two files have different formats"
        mixed = mixed or other.pair.is_mixed
    return f"This sentence has no mismatch{ALL_SHARED if mixed else ''}"
