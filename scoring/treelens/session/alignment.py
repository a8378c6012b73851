"""Two documents lined up: which sentences belong together, kept so that an edit costs little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align import groups
from treelens.align.groups import UNCHANGED, Groups, SentenceChange, Splice, There
from treelens.align.moves import Move, elsewhere, moves, taken_together
from treelens.align.pins import pinned
from treelens.align.reworded import KnownTexts
from treelens.align.sentences import Alignment, Sides, align_sentences, realign
from treelens.align.uncertain import Uncertain, uncertain
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.texts import text_keys, text_keys_of_both, texts_of
from treelens.trees.forest import Ints, Keys

_FEW = 8
"""So many sentences are looked at for whether an edit left their words as they were."""

_AT_ONCE = 512
"""Sentences whose texts are looked at together."""

_READ_AHEAD = 64
"""So many are read at once, at most, as one after the other is asked for."""

Documents = tuple[Document, Document]
"""Gold's and system's."""


Theirs = Mapping[int, There]
"""By a file's own sentences that stand elsewhere."""


class AlignedSentences(NamedTuple):
    """Sentences in groups, and what they are found by when something changes.

    together: the groups, in which sentences that were moved may be taken together. apart: what
    :meth:`elsewhere` says of stretches of texts, whose alignment does not. known: what was looked
    at to see what was moved, in this state and those before it.
    """

    alignment: Alignment
    together: Groups
    apart: tuple[Theirs, Theirs] | None = None
    known: KnownTexts | None = None

    def moves(self, sides: Sides) -> list[Move]:
        """What stands elsewhere in the other file; ``sides``: the sentences."""
        return moves([self.alignment.groups], sides, self.known)

    def uncertain(self, sides: Sides) -> list[Uncertain]:
        """What is to be said of how sentences were paired."""
        return uncertain([self.alignment.groups], self.moves(sides))

    def elsewhere(self, sides: Sides) -> tuple[Theirs, Theirs]:
        """Of gold's sentences and of system's, where in the other text those stand that were
        moved."""
        if self.apart is not None:
            return self.apart
        gold, system, reworded = elsewhere(self.moves(sides))
        return theirs(gold, system, reworded), theirs(system, gold, reworded)


def theirs(own: Ints, others: Ints, reworded: npt.NDArray[np.bool_]) -> Theirs:
    """Where the other file has each of one's own."""
    there = map(There, others.tolist(), reworded.tolist())
    return dict(zip(own.tolist(), there, strict=True))


class DocumentYields:
    """A document's sentences from one on, as :mod:`treelens.align` reads them; ``numbers``: theirs
    (:func:`~treelens.session.texts.text_keys`)."""

    def __init__(
        self, document: Document, parameters: Parameters, numbers: Keys, first: int = 0
    ) -> None:
        self._document = document
        self._parameters = parameters
        self._first = first
        self.numbers = numbers
        self._read: list[list[bytes]] = []
        self._sentences = range(0)
        """Those that were read last."""

    def words(self, sentence: int) -> Sequence[bytes]:
        if sentence not in self._sentences:
            # (Read one by one, those of a gap would take ten times as long.)
            before = len(self._sentences) if sentence == self._sentences.stop else 0
            count = min(2 * before or 1, _READ_AHEAD)
            self._sentences = range(sentence, min(sentence + count, len(self.numbers)))
            self._read = self._texts(self._sentences)
        return self._read[sentence - self._sentences.start]

    def _texts(self, sentences: range) -> list[list[bytes]]:
        here = range(self._first + sentences.start, self._first + sentences.stop)
        return [
            text
            for forest, rows, _ in self._document.runs(here)
            for text in texts_of(forest, rows, self._parameters)
        ]


def yields_of(
    documents: Documents, parameters: Parameters, texts: tuple[Keys, Keys]
) -> tuple[DocumentYields, DocumentYields]:
    """Documents as they are aligned; ``texts``: the numbers of their sentences."""
    return (
        DocumentYields(documents[0], parameters, texts[0]),
        DocumentYields(documents[1], parameters, texts[1]),
    )


def line_up(documents: Documents, parameters: Parameters) -> AlignedSentences:
    """Documents lined up, by the alignment that the parameters name."""
    parts = [
        _texts(documents, first, parameters)
        for first in range(0, max(map(len, documents)) or 1, _AT_ONCE)
    ]
    gold = np.concatenate([one for one, _ in parts])
    alike = all(one is other for one, other in parts)
    system = gold if alike else np.concatenate([other for _, other in parts])
    return lined(*yields_of(documents, parameters, (gold, system)), parameters)


def _texts(documents: Documents, first: int, parameters: Parameters) -> tuple[Keys, Keys]:
    """The keys of some sentences of both."""
    gold, system = (
        document.forest(range(len(document))[first : first + _AT_ONCE]) for document in documents
    )
    return text_keys_of_both(gold, system, parameters)


def lined(gold: groups.Yields, system: groups.Yields, parameters: Parameters) -> AlignedSentences:
    """The same of sentences, wherever they are."""
    if parameters.alignment == "jp":
        from treelens.align import jp  # with the drop-in's words and sentences

        return known(jp.align_sentences(gold, system))
    alignment, looked_at = align_sentences(gold, system), KnownTexts()
    found = AlignedSentences(alignment, alignment.groups, known=looked_at)
    if parameters.alignment == "moved":
        moved = found.moves((gold, system))
        return found._replace(together=taken_together(alignment.groups, moved))
    return found


def known(found: Groups, apart: tuple[Theirs, Theirs] | None = None) -> AlignedSentences:
    """Groups of sentences of whose texts nothing is kept."""
    nothing = np.zeros((0, 2), np.uint64)
    texts = nothing, nothing
    return AlignedSentences(Alignment(found, pinned(*texts), texts), found, apart)


def line_up_again(
    before: AlignedSentences,
    old: Documents,
    now: Documents,
    parameters: Parameters,
    side: int,
    change: SentenceChange,
) -> tuple[AlignedSentences, tuple[Splice, ...]]:
    """Documents of which one was edited, and what became of which groups; of our own alignment.

    ``side``: 0 for gold.
    """
    forest = now[side].forest(range(change.first, change.new_end))
    numbers = before.alignment.numbers[0][:], before.alignment.numbers[1][:]
    known = numbers[side]
    new = text_keys(forest, parameters)
    text = np.concatenate([known[: change.first], new, known[change.old_end :]])
    texts = (text, numbers[1]) if side == 0 else (numbers[0], text)
    yields = yields_of(now, parameters, texts)
    if np.array_equal(known[change.first : change.old_end], new) and len(new) <= _FEW:
        were = yields_of(old, parameters, numbers)[side]
        sentences = range(change.first, change.new_end)
        if all(were.words(one) == yields[side].words(one) for one in sentences):
            alignment = before.alignment._replace(numbers=texts)
            holding = _holding(before.together, side, sentences)
            return before._replace(alignment=alignment), (holding,)
    changes = [UNCHANGED, UNCHANGED]
    changes[side] = change
    alignment, splices = realign(*yields, before.alignment, changes[0], changes[1])
    return before._replace(alignment=alignment, together=alignment.groups), splices


def _holding(found: Groups, side: int, sentences: range) -> Splice:
    """The groups of some sentences, which stay what they are."""
    ends = found[2 * side + 1]
    first = int(np.searchsorted(ends, sentences.start, side="right"))
    end = int(np.searchsorted(ends, sentences.stop - 1, side="right")) + 1
    return Splice(first, end, first, end)
