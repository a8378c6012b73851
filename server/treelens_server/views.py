"""What is in view: as the client says, else around what it last asked about or edited."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.present.window import near
from treelens.session.session import Session, Snapshot
from treelens.session.view import View

_MOST = 16
"""Columns of a document, and its stretches between folds; of more it is all that lies between."""


class Views:
    """The lines that a client has said are in view of each document, for the session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lines: dict[str, Sequence[tuple[int, int]]] = {}

    def say(self, name: str, lines: Sequence[tuple[int, int]]) -> None:
        """The client says it, stretch by stretch, from its first line to its last: from then on
        nothing is guessed of this document."""
        self._lines[name] = lines
        self.look(name)

    def look(self, name: str) -> None:
        """Tell the session which sentences these lines are."""
        document = self._session.document(name)
        if document is not None and len(document) and name in self._lines:
            ends = (
                [document.sentence_at(document.line_bounds(line)[0]) or 0 for line in lines]
                for lines in self._lines[name]
            )
            stretches = View.of(*(range(first, last + 1) for first, last in ends)).stretches
            if len(stretches) > _MOST:
                stretches = (range(stretches[0].start, stretches[-1].stop),)
            self._session.look(name, *stretches)

    def guess(self, snapshot: Snapshot, offset: int) -> bool:
        """Of clients that do not say: it is around this place, and beside it in the other files;
        whether that is anything new."""
        sentence = snapshot.document.sentence_at(offset)
        if sentence is None or snapshot.name in self._lines:
            return False
        if sentence in near(snapshot.visible, len(snapshot.document)):
            return False
        self._session.look(snapshot.name, range(sentence, sentence + 1))
        for other in snapshot.counterparts:
            there = other.sentences(sentence)
            if other.name not in self._lines and len(there):
                self._session.look(other.name, there)
        return True

    def forget(self, name: str) -> None:
        self._lines.pop(name, None)
