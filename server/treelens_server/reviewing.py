"""The states of sentences: which document has which sidecar, as it is on disk or in the client.

A sidecar is no treebank: nothing of it is ever in the session.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from treelens.edits.review import Lines, Unsaved, applied, from_unsure, unsaved
from treelens.present.names import isolated, short_name
from treelens.render.width import shortened
from treelens.session.document import Document
from treelens.session.review import Review, Reviewed, Reviews
from treelens.session.sidecar import ENDING, LARGEST_SIDECAR, Sidecar, SidecarLine
from treelens.trees.forest import decode, encode

from treelens_server import files
from treelens_server.beside import Beside
from treelens_server.client import Client
from treelens_server.files import Stamp, path_of
from treelens_server.positions import line_range, up_to, whole_line

_LOG = logging.getLogger("treelens")
_MOST_PROBLEMS = 200
_ROOM = 60
"""Columns for the words of a sentence."""

_NOTHING = Sidecar()
"""Beside what is no file: always the same object, so that nothing seems to change."""


def is_sidecar(name: str) -> bool:
    return name.endswith(ENDING)


@dataclass(slots=True)
class _Beside:
    """A sidecar as it is known: what the client has of it goes before what is on disk."""

    sidecar: Sidecar = field(default_factory=Sidecar)
    stamp: Stamp | None = None
    unread: str = ""
    """Why it could not be read."""
    expected: Sequence[Lines] | None = None
    """The edit that the client has been asked for and has not answered."""
    before: tuple[str, Unsaved | None] = ("", None)
    """The text, and what was certain of it, without that."""
    unsaved: Unsaved | None = None
    """If edits were made that nobody has seen on disk: what is certain whatever became of them."""
    published: tuple[Sidecar | None, tuple[SidecarLine, ...]] = (None, ())
    """The sidecar whose problems the client was last sent, and its lines without a sentence."""


class Reviewing:
    """What has been said of the sentences of each document."""

    def __init__(
        self,
        client: Client,
        beside: Beside,
        document: Callable[[str], Document | None],
        uri: Callable[[str], str],
        changed: Callable[[str], None],
    ) -> None:
        """``document`` gives what a name stands for now, ``uri`` how the client spells it;
        ``changed`` is told of documents that something else is said of beside them."""
        self._client = client
        self._open = beside
        self._document = document
        self._uri = uri
        self._changed = changed
        self._reviews: dict[str, Reviews] = {}
        self._beside: dict[str, _Beside] = {}
        self._news = False

    # --- what features ask -----------------------------------------------------------------

    def reviewed(self, name: str) -> Reviewed | None:
        """The states of all sentences of a document: the same object until one changes."""
        document = self._document(name)
        if document is None:
            self._reviews.pop(name, None)
            return None
        found = self.reviews(name).of(document, self.sidecar(name))
        self._publish(name, found)
        return found

    def review(self, name: str, document: Document, sentence: int) -> Review:
        return self.reviews(name).review(document, self.sidecar(name), sentence)

    def reviews(self, name: str) -> Reviews:
        """The memory that belongs to a document."""
        return self._reviews.setdefault(name, Reviews())

    def sidecar(self, name: str) -> Sidecar:
        """What is beside a document; empty where nothing is."""
        beside = name + ENDING
        if beside not in self._beside:
            if path_of(name) is None:
                return _NOTHING
            self._load(beside)
        return self._beside[beside].sidecar

    def has_news(self) -> bool:
        """Whether something is said otherwise than at the last call, without an edit of a file
        that is shown."""
        news, self._news = self._news, False
        return news

    def version(self, sidecar: str) -> int | None:
        """The client's version of a sidecar that is open."""
        return self._open.version(sidecar)

    def is_there(self, sidecar: str) -> bool:
        """Whether there is such a file, or the client has one."""
        known = self._beside.get(sidecar)
        return self.version(sidecar) is not None or (known is not None and known.stamp is not None)

    def refuses(self, name: str) -> str:
        """Why nothing can be written beside a document, without a full stop; empty where it can."""
        beside = name + ENDING
        if self.version(beside) is not None:
            return ""
        if path_of(beside) is None:
            return f"{short_name(beside)} is the name of no file"
        known = self._beside.get(beside)
        return known.unread if known else ""

    def text_edits(self, name: str, lines: Sequence[Lines]) -> list[types.TextEdit]:
        """Lines of a document's sidecar as edits of its text."""
        sidecar, encoding = self.sidecar(name), self._client.encoding
        kept, source = self._beside.get(name + ENDING), encode(sidecar.source)
        if kept is not None and kept.unsaved is not None:
            lines = from_unsure(sidecar.source, lines, kept.unsaved)
        edits = []
        for first, end, text in lines:
            place, ended = line_range(source, first, end, encoding)
            if end > sidecar.line_count:  # There may be more: what is not there is the end.
                place = up_to(place, end)
            edits.append(types.TextEdit(place, text if ended else f"\n{text}"))
        return edits

    def expect(self, name: str, lines: Sequence[Lines]) -> None:
        """Of clients that do not say what they have of a sidecar: it will have these lines."""
        beside = name + ENDING
        if self.version(beside) is not None:
            return
        known = self._beside[beside]
        known.expected, known.before = lines, (known.sidecar.source, known.unsaved)
        known.unsaved = unsaved(known.unsaved, known.sidecar, lines)
        self._take(beside, applied(known.sidecar.source, lines))

    def answered(self, name: str, lines: Sequence[Lines], *, made: bool) -> None:
        """The client has made an edit that was expected, or it has not: then it was never so."""
        known = self._beside.get(name + ENDING)
        if known is None or known.expected is not lines:
            return  # What there is has been read, or said, since.
        known.expected = None
        if not made:
            text, known.unsaved = known.before
            self._take(name + ENDING, text)

    # --- what the client says --------------------------------------------------------------

    def told(self, beside: str) -> None:
        """The client has opened a sidecar, or changed, or closed it."""
        text = self._open.text(beside)
        if text is not None:
            known = self._beside.setdefault(beside, _Beside())
            known.expected = known.unsaved = None
            self._take(beside, text)
        elif beside in self._beside:
            self._withdraw(beside)
            del self._beside[beside]
            self._has_changed(beside)

    def left(self, name: str) -> None:
        """Nobody has a document any more: nothing of what is beside it is shown."""
        self._reviews.pop(name, None)
        self._withdraw(name + ENDING)

    def look(self) -> None:
        """See whether sidecars have been written, or taken away, by somebody else."""
        for beside in self._beside:
            self._look_at(beside)

    def look_beside(self, name: str) -> None:
        """The same for one document's, before an edit of it is made: another window may have
        written there, and lines are replaced by their numbers."""
        if name + ENDING in self._beside:
            self._look_at(name + ENDING)

    def _look_at(self, beside: str) -> None:
        known, path = self._beside[beside], path_of(beside)
        if self.version(beside) is None and path and files.stamp_of_any(path) != known.stamp:
            self._load(beside)

    # ----------------------------------------------------------------------------------------

    def _load(self, name: str) -> None:
        known = self._beside.setdefault(name, _Beside())
        path = path_of(name)
        known.stamp = files.stamp_of_any(path) if path else None
        known.expected = known.unsaved = None
        text = known.unread = ""
        if path is not None and known.stamp is not None:
            try:
                text = self._read(path)
            except files.ReadError as problem:
                known.unread = str(problem)
                self._client.tell(
                    f"{problem}: what it says of sentences is not shown", types.MessageType.Warning
                )
        self._take(name, text)

    def _read(self, path: Path) -> str:
        if files.stamp(path) is None:
            raise files.ReadError(f"{path.name} is no file that can be read")
        if not files.is_inside(path, [path.parent]):
            raise files.ReadError(f"{path.name} is a link that leads out of its folder")
        return decode(files.read(path, LARGEST_SIDECAR, strict=True))

    def _take(self, beside: str, text: str) -> None:
        known = self._beside[beside]
        if known.sidecar.source != text:
            known.sidecar = Sidecar(text, known.sidecar)
            self._has_changed(beside)

    def _has_changed(self, beside: str) -> None:
        self._news = True
        self._changed(beside.removesuffix(ENDING))

    def _withdraw(self, beside: str) -> None:
        """Show nothing of a sidecar any more."""
        known = self._beside.get(beside)
        if known is None:
            return
        (sidecar, lost), known.published = known.published, (None, ())
        if lost or (sidecar is not None and sidecar.problems):
            self._client.publish(self._uri(beside.removesuffix(ENDING)) + ENDING, [])

    def _publish(self, name: str, reviewed: Reviewed) -> None:
        """Show what is wrong in a sidecar where it is written."""
        known = self._beside.get(name + ENDING)
        if known is None:
            return
        problems, lost = known.sidecar.problems, reviewed.lost
        (before, was_lost), known.published = known.published, (known.sidecar, lost)
        is_same = before is known.sidecar
        # (Sentences come and go while a file is edited.)
        if (is_same and was_lost == lost) or not (problems or lost or before):
            return
        file, encoding = short_name(name), self._client.encoding
        warning, hint = types.DiagnosticSeverity.Warning, types.DiagnosticSeverity.Information
        said = [(one.line, one.message, warning, one.code) for one in problems]
        said += [(one.number, _is_lost(one, file), hint, "review-lost") for one in lost]
        lines = known.sidecar.text_lines if said else []
        items = [
            types.Diagnostic(
                whole_line(line, lines[line], encoding), message, severity, code, source="treelens"
            )
            for line, message, severity, code in said
        ]
        self._client.publish(self._uri(name) + ENDING, items[:_MOST_PROBLEMS])
        for item in items[: 0 if is_same else _MOST_PROBLEMS]:
            line = item.range.start.line + 1
            _LOG.warning("%s%s, line %d: %s", short_name(name), ENDING, line, item.message)


def _is_lost(line: SidecarLine, file: str) -> str:
    """That the sentence which a line is about is not there, and which it is."""
    told = f"“{isolated(shortened(line.text, _ROOM))}”"
    if line.by_id:
        what = f"no sentence of {file} has the ID {told}"
    elif line.occurrence > 1:
        what = f"no {line.occurrence} sentences of {file} are {told}"
    else:
        what = f"no sentence of {file} is {told}"
    return f"{what} (any more); the line is kept"
