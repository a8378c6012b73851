"""What a feature says of a file, in parts that stay as they are for as long as what they are about.

A part is of a sentence, or of a group of a pair, and can be kept by its key: equal keys, equal
words, with offsets that have moved as its anchors have. Nothing here keeps anything.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar
from weakref import ref

from treelens.differences.difference import Finding
from treelens.session.document import Document
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
    known = snapshot.name, *_pieces(snapshot.document, (sentence,)), *key
    return Part(known, (Anchor(snapshot.name, sentence),), make)


def _pieces(document: Document, sentences: Iterable[int]) -> Iterator[Hashable]:
    """What stands for the text of some sentences; what is kept by it does not keep that."""
    for sentence in sentences:
        forest, row, _ = document.piece(sentence)
        yield ref(forest), row


def of_group(
    snapshot: Snapshot,
    other: Counterpart,
    group: int,
    key: tuple[Hashable, ...],
    make: Callable[[], Sequence[Content]],
) -> Part[Content]:
    """Of what depends on a group's sentences in both files, and on what the files are called."""
    mine, theirs = other.ranges(group)
    anchors = [Anchor(snapshot.name, mine.start)] if len(mine) else []
    anchors += [Anchor(other.name, theirs.start)] if len(theirs) else []
    return Part((*state_of(snapshot, other, group), *key), tuple(anchors), make)


def of_differences(
    snapshot: Snapshot,
    other: Counterpart,
    group: int,
    sentences: Iterable[int],
    key: tuple[Hashable, ...],
    make: Callable[[Sequence[Finding]], Sequence[Content]],
) -> Iterator[Part[Content]]:
    """Of what differs in some sentences of a group. Where that is of several here, each by itself:
    what is typed in one leaves what is said of the others."""
    if is_alone(other, group):
        yield of_group(snapshot, other, group, key, lambda: make(other.pair.findings(group)))
        return
    for sentence in sentences:
        found = other.pair.findings_in(other.side, sentence)
        if found:
            yield _of_findings(snapshot, other, found, key, partial(make, found))


def is_alone(other: Counterpart, group: int) -> bool:
    """Whether a group has no other sentence here."""
    return len(other.ranges(group)[0]) == 1


def _of_findings(
    snapshot: Snapshot,
    other: Counterpart,
    findings: Sequence[Finding],
    key: tuple[Hashable, ...],
    make: Callable[[], Sequence[Content]],
) -> Part[Content]:
    """Of what differs in a sentence, for as long as that does, in the same text."""
    anchors, held = [], list[Hashable]()
    for name, side in ((snapshot.name, other.side), (other.name, other.side.other)):
        document, marks = other.pair.document(side), [one.at(side) for one in findings]
        places = [mark.sentence for mark in marks if mark is not None]
        sentences = range(min(places), max(places) + 1) if places else range(0)
        base = int(document.start[sentences.start])
        anchors += [Anchor(name, one) for one in sentences[:1]]
        held += [name, *_pieces(document, sentences)]
        held += [mark and (mark.start - base, mark.end - base, *mark[3:]) for mark in marks]
    codes = tuple([one.code for one in findings])
    return Part((other.side, other.called, codes, *held, *key), tuple(anchors), make)


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
