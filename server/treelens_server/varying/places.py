"""Places of what varies as the texts are by now: what is typed is taken in once it has rested, and
the cursor, like what is shown, is of the text that the editor has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lsprotocol import types
from treelens.align.groups import UNCHANGED, SentenceChange
from treelens.present.consistency import IndexView
from treelens.session.document import Document

from treelens_server.positions import offset_at, ranges
from treelens_server.varying.folders import Context


class _Text(NamedTuple):
    """A document as the index has it, as it is now, and what was changed in between."""

    read: Document
    now: Document
    change: SentenceChange


@dataclass(frozen=True, slots=True)
class Places:
    """Of one answer, in which no text becomes another."""

    context: Context
    view: IndexView
    _texts: dict[str, _Text] = field(default_factory=dict)

    def now(self, name: str) -> Document:
        """The document; where there is one for its pairs, that, which is the one to be edited."""
        return self._text(name).now

    def stands(self, name: str, sentence: int) -> bool:
        """Whether a sentence of the index is in the text as it is there."""
        return self._text(name).change.after(sentence) is not None

    def before(self, name: str, sentence: int) -> int | None:
        """The number that a sentence of the text has in the index; None of what is new."""
        return self._text(name).change.before(sentence)

    def offset(self, name: str, position: types.Position) -> int | None:
        """The byte of the index that a position of the text stands before; None in what is new."""
        read, now, change = self._text(name)
        at = offset_at(now, position, self.context.encoding)
        sentence = now.sentence_at(at)
        before = None if sentence is None else change.before(sentence)
        if sentence is None or before is None:
            return None
        return at - int(now.start[sentence]) + int(read.start[before])

    def changed_from(self, name: str) -> int:
        """The byte of the index behind which the text is new."""
        read, _, change = self._text(name)
        return int(read.start[change.first]) if change.first < len(read) else read.length

    def range(self, name: str, sentence: int, start: int, end: int) -> types.Range:
        """Where bytes of a sentence that stands are in the text."""
        read, now, change = self._text(name)
        after = change.after(sentence)
        assert after is not None, "what does not stand is nowhere"
        moved = int(now.start[after]) - int(read.start[sentence])
        (place,) = ranges(now, [(start + moved, end + moved)], self.context.encoding)
        return place

    def _text(self, name: str) -> _Text:
        if name not in self._texts:
            read = self.view.index.document(name)
            now = self.context.document(name) or read
            if now is read or (now.length == read.length and now.text() == read.text()):
                self._texts[name] = _Text(read, now, UNCHANGED)
            elif name in self.context.opened:
                self._texts[name] = _Text(read, now, now.since(read))
            else:  # Either may have been read before it was written.
                self._texts[name] = _Text(read, read, UNCHANGED)
        return self._texts[name]
