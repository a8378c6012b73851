"""What annotators have said of sentences: checked, or in question, and why.

A state is kept where version control sees it: in tables as comments above the sentence,

    # treelens_review = checked 3fa2b1c9
    # treelens_note = is this a fragment?

and for formats that have no comments in a text beside the file, a line a sentence
(:mod:`treelens.session.sidecar`). The number is a digest of the sentence as it was then: a
sentence that has been changed since says so. A sentence of which nothing is said is to do.
Reads no files.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.session.document import Document
from treelens.session.notes import NOTE_COMMENT, NodeNote, beside_notes, commented_notes
from treelens.session.sentence_names import ID_MARK, digest_of, head, sentence_key, sentence_keys
from treelens.session.sidecar import Sidecar, SidecarLine, together
from treelens.trees.forest import Forest, Ints, decode
from treelens.trees.other_lines import at_line_start

State = Literal["todo", "checked", "question", "changed"]
"""``changed``: it was checked, and is not any more what was checked."""

STATES: tuple[State, ...] = ("todo", "checked", "question", "changed")
_TODO, _CHECKED, _QUESTION, _CHANGED = range(4)

COMMENT = re.compile(
    rb"%b[ \t]*treelens_(review|note)\b[ \t]*=?[ \t]*([^\r\n]*?)[ \t]*(?:\r\n|\r|\n|\Z)"
    % at_line_start(b"#")
)
_CODE = {"checked": _CHECKED, "question": _QUESTION}


class Review(NamedTuple):
    """What is said of a sentence."""

    state: State = "todo"
    note: str = ""


class Key(NamedTuple):
    """How a line beside the file names a sentence: by its ID if it has one, else by its words,
    and the how-manieth of the file it is that is so called."""

    text: str
    by_id: bool
    occurrence: int


_NO_NOTES = np.zeros((0, 2), np.int64)


class Reviewed(NamedTuple):
    """What is said of the sentences of a document; ``code`` are places in :data:`STATES`."""

    code: npt.NDArray[np.int8]
    line: npt.NDArray[np.int32]
    """The sidecar's line that says it, a place in its lines; -1: none does."""
    lost: tuple[SidecarLine, ...]
    """Lines of sentences that are not there; they are kept."""
    notes: npt.NDArray[np.int64] = _NO_NOTES
    """Notes on nodes, ``(notes, 2)``: the sentence, and the place of the sidecar's line or -1."""

    @property
    def checked(self) -> npt.NDArray[np.bool_]:
        """Which sentences are checked, and as they were then."""
        return self.code == _CHECKED


def unreviewed(count: int) -> Reviewed:
    """Of ``count`` sentences of which nothing was said."""
    return Reviewed(np.zeros(count, np.int8), np.full(count, -1, np.int32), ())


class _Comments(NamedTuple):
    """Of the sentences of a forest that have comments of ours; ``(k,)`` each."""

    row: Ints
    code: npt.NDArray[np.int8]
    noted: Ints
    """Those with notes on nodes, once for each."""


class _Hits(NamedTuple):
    """Sentences of a forest that lines of a sidecar may be about; ``(k,)`` each."""

    row: npt.NDArray[np.integer[Any]]
    text: npt.NDArray[np.int64]
    """Places in the sidecar's list of texts."""
    digest: npt.NDArray[np.int64]

    def of_document(self, numbers: npt.NDArray[np.int64]) -> _Hits:
        """The same by the document's sentences, of which these are the forest's."""
        here = numbers[self.row]
        return _Hits(here[here >= 0], self.text[here >= 0], self.digest[here >= 0])


class _Known:
    """What is worked out of a forest, once."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self._digests: dict[int, int] = {}
        self._hits: tuple[dict[str, int], _Hits] | None = None

    @functools.cached_property
    def comments(self) -> _Comments:
        return _comments(self.forest)

    @functools.cached_property
    def keys(self) -> list[str]:
        return sentence_keys(self.forest)

    def hits(self, wanted: dict[str, int]) -> _Hits:
        if self._hits is not None and self._hits[0] is wanted:
            return self._hits[1]
        rows = [row for row, key in enumerate(self.keys) if key in wanted]
        for row in rows:
            if row not in self._digests:
                self._digests[row] = int(digest_of(self.forest, row), 16)
        found = _Hits(
            np.array(rows, np.int32),
            np.array([wanted[self.keys[row]] for row in rows], np.int64),
            np.array([self._digests[row] for row in rows], np.int64),
        )
        self._hits = wanted, found
        return found


_NO_HITS = _Hits(*(np.zeros(0, np.int64) for _ in _Hits._fields))

_Part = tuple[_Known, npt.NDArray[np.int64]]
"""What is known of a forest, and for each of its sentences the document's that it is, or -1."""


class Reviews:
    """The states of one document's sentences, as it changes; what is known of a sentence is
    worked out once."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._last: tuple[Document, Sidecar, Reviewed] | None = None

    def of(self, document: Document, sidecar: Sidecar) -> Reviewed:
        """The states as they are now: the same object while nothing has changed."""
        known = self._last
        if known is not None and known[0] is document and known[1] is sidecar:
            return known[2]
        parts = self._parts(document)
        texts = sidecar.texts
        hits = [known.hits(texts).of_document(numbers) for known, numbers in parts if texts]
        found = _with_comments(_beside(hits, sidecar, len(document)), document, parts)
        self._last = document, sidecar, found
        return found

    def _parts(self, document: Document) -> list[_Part]:
        parts = list(document.parts())
        # An ID names an object for as long as the object is there: it is held here.
        known = {id(forest): self._known.get(id(forest)) or _Known(forest) for forest, _ in parts}
        self._known = known
        return [(known[id(forest)], numbers) for forest, numbers in parts]

    def review(self, document: Document, sidecar: Sidecar, sentence: int) -> Review:
        """What is said of one sentence, with the note."""
        return review(self.of(document, sidecar), document, sidecar, sentence)

    def notes(self, document: Document, sidecar: Sidecar, sentence: int) -> list[NodeNote]:
        """The notes on nodes of one sentence."""
        found = self.of(document, sidecar).notes
        places = found[found[:, 0] == sentence, 1]
        notes = beside_notes([sidecar.lines[at] for at in places[places >= 0].tolist()])
        if (places < 0).any():
            forest, row, shift = document.piece(sentence)
            notes += commented_notes(forest, row, head(forest, row)[1], shift)
        return notes

    def key(self, document: Document, sentence: int) -> Key:
        """How a line beside the file would name a sentence."""
        text = sentence_key(document, sentence)
        occurrence = 1
        for known, numbers in self._parts(document):
            before = np.flatnonzero((numbers >= 0) & (numbers < sentence)).tolist()
            occurrence += sum(known.keys[row] == text for row in before)
        return Key(text.removeprefix(ID_MARK), text.startswith(ID_MARK), occurrence)


def beside(documents: Iterable[Document], sidecar: Sidecar) -> Reviewed:
    """What a sidecar says of the sentences of a text that comes some at a time: of stretches that
    have each of them, in any order."""
    hits, count = [_NO_HITS], 0
    for document in documents:
        first = document.before.sentences
        count = max(count, first + len(document))
        parts = ((_Known(forest), numbers) for forest, numbers in document.parts())
        found = (known.hits(sidecar.texts).of_document(numbers) for known, numbers in parts)
        hits += [one._replace(row=one.row + first) for one in found]
    columns = [np.concatenate(column) for column in zip(*hits, strict=True)]
    once = np.unique(columns[0], return_index=True)[1]
    return _beside([_Hits(*(column[once] for column in columns))], sidecar, count)


def reviewed(document: Document, said: Reviewed | None) -> Reviewed:
    """The states of the sentences of a stretch of a text, which nobody edits. said: what is said of
    all of it beside it, if anything is."""
    first, end = document.before.sentences, document.before.sentences + len(document)
    if said is None:
        found = unreviewed(len(document))
    else:
        here = (said.notes[:, 0] >= first) & (said.notes[:, 0] < end)
        notes = said.notes[here] - np.array([first, 0])
        found = Reviewed(said.code[first:end].copy(), said.line[first:end], (), notes)
    parts = ((_Known(forest), numbers) for forest, numbers in document.parts())
    return _with_comments(found, document, parts)


def review(found: Reviewed, document: Document, sidecar: Sidecar, sentence: int) -> Review:
    """What is said of one sentence, with the note, by the states of all."""
    state = STATES[int(found.code[sentence])]
    above = comments(document, sentence)
    if above.state or above.note:
        return Review(state, above.note)
    at = int(found.line[sentence])
    return Review(state, sidecar.note_of(sidecar.lines[at]) if at >= 0 else "")


def _beside(hits: Sequence[_Hits], sidecar: Sidecar, count: int) -> Reviewed:
    """What a sidecar says of so many sentences."""
    code, line = np.zeros(count, np.int8), np.full(count, -1, np.int32)
    lost, notes = _take_beside(hits, sidecar, code, line)
    return Reviewed(code, line, lost, notes)


def _with_comments(found: Reviewed, document: Document, parts: Iterable[_Part]) -> Reviewed:
    """With what comments say, which counts more."""
    notes = [found.notes]
    for known, numbers in parts if document.format.layout == "rows" else ():
        here = numbers[known.comments.row]
        found.code[here[here >= 0]] = known.comments.code[here >= 0]
        noted = numbers[known.comments.noted]
        noted = noted[noted >= 0]
        notes.append(np.stack([noted, np.full(len(noted), -1)], axis=1))
    return found._replace(notes=np.concatenate(notes))


def _take_beside(
    hits: Sequence[_Hits],
    sidecar: Sidecar,
    code: npt.NDArray[np.int8],
    line: npt.NDArray[np.int32],
) -> tuple[tuple[SidecarLine, ...], npt.NDArray[np.int64]]:
    """Write down what a sidecar says; the lines whose sentence is not there, and notes on nodes."""
    if not hits:
        return sidecar.lines, _NO_NOTES
    sentence, text, digest = (np.concatenate(column) for column in zip(*hits, strict=True))
    order = np.lexsort((sentence, text))
    sentence, text, digest = sentence[order], text[order], digest[order]
    starts = np.flatnonzero(np.diff(text, prepend=-1))
    occurrence = np.arange(len(text)) - np.repeat(starts, np.diff(np.append(starts, len(text))))
    names, wanted = (text << 32) + occurrence, sidecar.columns
    place = np.searchsorted(names, wanted.name)
    there = place < len(names)
    there[there] = names[place[there]] == wanted.name[there]
    of_node = np.flatnonzero(there & wanted.of_node)
    notes = np.stack([sentence[place[of_node]], of_node], axis=1)
    lost = tuple(sidecar.lines[k] for k in np.flatnonzero(~there).tolist())
    there &= ~wanted.of_node
    which, at = np.flatnonzero(there), place[there]
    changed = (wanted.digest[which] >= 0) & (wanted.digest[which] != digest[at])
    said = np.where(wanted.question[which], np.int8(_QUESTION), np.int8(_CHECKED))
    said[changed & (said == _CHECKED)] = _CHANGED
    # Of several lines for a sentence the last one written here stands: a question, the first one.
    last = np.lexsort((-which, said == _QUESTION))
    code[sentence[at[last]]] = said[last]
    line[sentence[at[last]]] = which[last]
    return lost, notes


# --- comments ------------------------------------------------------------------------------


class Commented(NamedTuple):
    """What the comments above a sentence say, as it is written; empty where they do not."""

    state: str
    digest: str
    note: str


def comments(document: Document, sentence: int) -> Commented:
    forest, row, _ = document.piece(sentence)
    return _commented(forest, row) if forest.layout == "rows" else Commented("", "", "")


def _commented(forest: Forest, row: int) -> Commented:
    state, digest, notes = "", "", []
    for match in COMMENT.finditer(forest.source, *head(forest, row)):
        value = decode(match[2])
        if match[1] == b"review":
            state, _, digest = value.partition(" ")
        else:
            notes.append(value)
    return Commented(state.lower(), digest.strip().lower(), together(notes))


def _comments(forest: Forest) -> _Comments:
    found: dict[int, None] = {}
    starts = forest.piece[:, 0]
    for match in COMMENT.finditer(forest.source):
        found[int(np.searchsorted(starts, match.start(), side="right")) - 1] = None
    rows = [row for row in sorted(found) if row >= 0]
    code = []
    for row in rows:
        said = _commented(forest, row)
        state = _CODE.get(said.state, _QUESTION if said.note or said.state else _TODO)
        if state == _CHECKED and said.digest not in ("", digest_of(forest, row)):
            state = _CHANGED
        code.append(state)
    noted = [match.start() for match in NOTE_COMMENT.finditer(forest.source)]
    owners: Ints = (np.searchsorted(starts, noted, side="right") - 1).astype(np.int32)
    owners = owners[owners >= 0]
    return _Comments(np.array(rows, np.int32), np.array(code, np.int8), owners)
