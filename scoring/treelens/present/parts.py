"""What a feature says of a file, in parts that stay as they are for as long as what they are about.

A part is of a sentence, or of a group of a pair, and can be kept by its key: equal keys, equal
words, with offsets that have moved as its anchors have. Nothing here keeps anything.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar
from weakref import ref

from treelens.session.pair import Side
from treelens.trees.forest import Ints

if TYPE_CHECKING:
    from treelens.session.session import Counterpart, Snapshot

Content = TypeVar("Content")


class Anchor(NamedTuple):
    """A sentence of a document, by the document's name: offsets count from where it starts."""

    name: str
    sentence: int


class Part(NamedTuple, Generic[Content]):
    """What is said of a sentence or a group, worked out by ``make``, with offsets of the documents.

    key: None of what depends on more than can be named, and is made anew each time.
    """

    key: Hashable | None
    anchors: tuple[Anchor, ...]
    make: Callable[[], Sequence[Content]]


def of_sentence(
    snapshot: Snapshot,
    sentence: int,
    key: tuple[Hashable, ...],
    make: Callable[[], Sequence[Content]],
) -> Part[Content]:
    """Of what depends on a sentence's text alone; ``key`` is what else there is to know."""
    forest, row, _ = snapshot.document.piece(sentence)
    # A forest stands for the text that was read; what is kept by the key does not keep that.
    known = snapshot.name, ref(forest), row, *key
    return Part(known, (Anchor(snapshot.name, sentence),), make)


def of_group(
    snapshot: Snapshot,
    other: Counterpart,
    group: int,
    key: tuple[Hashable, ...],
    make: Callable[[], Sequence[Content]],
) -> Part[Content]:
    """Of what depends on a group's sentences in both files, and on what the files are called."""
    gold, system = other.pair.group(group)
    mine, theirs = (gold, system) if other.side is Side.GOLD else (system, gold)
    anchors = [Anchor(snapshot.name, mine.start)] if len(mine) else []
    anchors += [Anchor(other.name, theirs.start)] if len(theirs) else []
    return Part((*state_of(snapshot, other, group), *key), tuple(anchors), make)


def state_of(snapshot: Snapshot, other: Counterpart, group: int) -> tuple[Hashable, ...]:
    """What changes whenever anything about a group does but its place."""
    return states_of(snapshot, other, range(group, group + 1))[0]


def states_of(
    snapshot: Snapshot, other: Counterpart, groups: range | Ints
) -> list[tuple[Hashable, ...]]:
    """The same of some groups."""
    pair = other.pair
    held = snapshot.name, other.name, other.side, other.called, pair.origin, pair.strict
    return [(*held, state) for state in pair.states_of(groups)]
