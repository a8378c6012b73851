"""What several systems agree on against gold: of a whole file, and kept up while it is edited.

That systems agree with each other and not with gold is the sharpest sign of an error in gold that
is known (van Halteren 2000; Rehbein & Ruppenhofer 2018). A place is a word, whose tag or whose
head with its relation is judged, or a stretch of words over which anybody has a bracket. A system
that has no word for it does not judge it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.session.annotators import NOTHING as NOTHING
from treelens.session.annotators import Judged, judged
from treelens.session.by_sentence import Numbers, SentenceInventory
from treelens.session.document import Document
from treelens.session.pair import Pair
from treelens.statistics.reliability import MISSING

ASKED = ("tags", "attachments", "brackets")
"""What says all there is: heads and relations are the attachments."""
FEWEST = 2
"""Systems that agree by chance are one."""

_SLICE = 128
"""Sentences that are looked at in one go: some milliseconds."""


class Suspect(NamedTuple):
    """A judgement of gold's that systems agree on being another.

    sentence, first, last: where it is in gold, words counted from 0 in the sentence, ``last``
    included. said: how many of ``systems``, those that judge it at all, say the same other thing.
    """

    key: str
    title: str
    sentence: int
    first: int
    last: int
    gold: str
    other: str
    said: int
    systems: int


def claim(one: Suspect) -> str:
    """In a few words, as “3 of 3 systems say NP here”."""
    what = "no bracket" if one.other == NOTHING else one.other
    return f"{one.said} of {one.systems} systems say {what} here"


def suspects(
    gold: Document,
    pairs: Sequence[Pair],
    least: int | None = None,
    progress: Callable[[float], object] = lambda _: None,
) -> list[Suspect]:
    """What systems agree on against gold, what most say first: all that judge it, two or more;
    with ``least``, so many or more. ``pairs`` are gold's with each system.

    ``progress`` is called now and then with the share that is done, and may raise.
    """
    found: list[Suspect] = []
    for number, some in enumerate(batches(gold, pairs, least)):
        progress(number * _SLICE / len(gold))
        found += some
    return sorted(found, key=lambda one: (-one.said, one.sentence, one.first, one.key))


def batches(
    gold: Document, pairs: Sequence[Pair], least: int | None = None
) -> Iterator[list[Suspect]]:
    """The same in text order, those of some sentences at a time."""
    for first in range(0, len(gold), _SLICE):
        part = range(first, min(first + _SLICE, len(gold)))
        yield suspects_in(gold, pairs, part, least)


def suspects_in(
    gold: Document, pairs: Sequence[Pair], sentences: range, least: int | None = None
) -> list[Suspect]:
    """The same of some sentences, in text order."""
    found = [
        one
        for part in judged(gold, pairs, sentences)
        if part.key in ASKED
        for one in _suspects(part, least)
        if one.sentence in sentences and one.last < _words(gold, one.sentence)
    ]
    return sorted(found, key=lambda one: (one.sentence, one.first, -one.last, one.key))


def _words(gold: Document, sentence: int) -> int:
    """How many there are (systems may have several of gold's sentences as one)."""
    forest, row, _ = gold.piece(sentence)
    return int(forest.first_leaf[row + 1] - forest.first_leaf[row])


def _suspects(found: Judged, least: int | None) -> Iterator[Suspect]:
    gold, systems = found.category[:, 0], found.category[:, 1:]
    others = ((systems != gold[:, None]) & (systems != MISSING)).sum(axis=1)
    for row in np.flatnonzero((others >= (least or FEWEST)) & (gold != MISSING)).tolist():
        values = systems[row][systems[row] != MISSING].tolist()
        other = max(dict.fromkeys(values), key=lambda one: (one != gold[row], values.count(one)))
        said = values.count(other)
        if said >= (least or max(len(values), FEWEST)):
            where = int(found.sentence[row]), int(found.first[row]), int(found.last[row])
            names = found.name(int(gold[row])), found.name(int(other))
            yield Suspect(found.key, found.title, *where, *names, said, len(values))


# --- counted, and kept up while files are edited -------------------------------------------------


class SuspectCounts(NamedTuple):
    """Of each sentence of gold, ``(sentences,)``: its places where systems agree against gold, and
    how many systems do at most. -1 where it is not known yet."""

    places: Numbers
    said: Numbers


def inventory() -> SentenceInventory:
    """To keep :class:`SuspectCounts` of one gold file's pairs with several systems."""
    return SentenceInventory(_look, len(SuspectCounts._fields))


def _look(pairs: Sequence[Pair], sentences: range) -> Numbers:
    counts = np.zeros((len(sentences), len(SuspectCounts._fields)), np.int64)
    for one in suspects_in(pairs[0].gold, pairs, sentences):
        row = counts[one.sentence - sentences.start]
        row[0] += 1
        row[1] = max(row[1], one.said)
    return counts
