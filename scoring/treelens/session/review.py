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
from treelens.session.sidecar import Sidecar, SidecarLine
from treelens.trees.forest import Forest, Ints, decode

State = Literal["todo", "checked", "question", "changed"]
"""``changed``: it was checked, and is not any more what was checked."""

STATES: tuple[State, ...] = ("todo", "checked", "question", "changed")
_TODO, _CHECKED, _QUESTION, _CHANGED = range(4)

COMMENT = re.compile(
    rb"^#[ \t]*treelens_(review|note)\b[ \t]*=?[ \t]*([^\r\n]*?)[ \t]*(?:\r\n|\r|\n|\Z)",
    re.MULTILINE,
)
_CODE = {"checked": _CHECKED, "question": _QUESTION}
SENTENCE_ID = re.compile(
    rb"^[#%;][ \t]*(?:sent_)?id[ \t]*[:= \t][ \t]*([^\r\n]{1,200})", re.IGNORECASE | re.MULTILINE
)
"""Of the comments of tables (``# sent_id = x``), and of those before trees (``; id: x``)."""
_BLANKS = re.compile(r"[\s\0-\x1f\x7f]+")
_LONGEST = 500
"""Characters of a sentence that its key has; of longer ones, how long they are besides."""

_TRACE = "-NONE-"
_DELETE = 0x7F


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
        found = _reviewed(document, sidecar, self._parts(document))
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


def reviewed(document: Document, sidecar: Sidecar) -> Reviewed:
    """The states of the sentences of a document that nobody edits; nothing else of it is held."""
    parts = ((_Known(forest), numbers) for forest, numbers in document.parts())
    return _reviewed(document, sidecar, parts)


def review(found: Reviewed, document: Document, sidecar: Sidecar, sentence: int) -> Review:
    """What is said of one sentence, with the note, by the states of all."""
    state = STATES[int(found.code[sentence])]
    above = comments(document, sentence)
    if above.state or above.note:
        return Review(state, above.note)
    at = int(found.line[sentence])
    return Review(state, sidecar.lines[at].note if at >= 0 else "")


def _reviewed(document: Document, sidecar: Sidecar, parts: Iterable[_Part]) -> Reviewed:
    count = len(document)
    code, line = np.zeros(count, np.int8), np.full(count, -1, np.int32)
    beside, commented = list[_Hits](), list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]]()
    notes = [_NO_NOTES]
    for known, numbers in parts:
        if sidecar.lines:
            beside.append(known.hits(sidecar.texts).of_document(numbers))
        if document.format.layout == "rows":
            here = numbers[known.comments.row]
            commented.append((here[here >= 0], known.comments.code[here >= 0]))
            noted = numbers[known.comments.noted]
            noted = noted[noted >= 0]
            notes.append(np.stack([noted, np.full(len(noted), -1)], axis=1))
    lost, of_nodes = _take_beside(beside, sidecar, code, line)
    # (What a comment says counts more.)
    for here, said in commented:
        code[here] = said
    return Reviewed(code, line, lost, np.concatenate([of_nodes, *notes]))


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


ID_MARK = "id\t"
"""Before the ID of a sentence in a key: no words have a tab."""


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
    state, digest, note = "", "", ""
    for match in COMMENT.finditer(forest.source, *head(forest, row)):
        value = decode(match[2])
        if match[1] == b"review":
            state, _, digest = value.partition(" ")
        else:
            note = value
    return Commented(state.lower(), digest.strip().lower(), note)


def head(forest: Forest, row: int) -> tuple[int, int]:
    """Where the comments of a sentence stand: from its piece's start to its first line of words."""
    start, end = int(forest.piece[row, 0]), int(forest.piece[row, 1])
    first = int(forest.first_leaf[row])
    if first < int(forest.first_leaf[row + 1]):
        end = max(start, int(forest.leaf_open[first]))
    return start, end


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


# --- sentences -----------------------------------------------------------------------------


def digest(document: Document, sentence: int) -> str:
    """Eight letters that change with a sentence's tree or lines, not with blanks or comments."""
    return digest_of(*document.piece(sentence)[:2])


def digest_of(forest: Forest, row: int) -> str:
    import hashlib  # which loads OpenSSL; only asked for where something was said

    low, high = forest.piece[row].tolist()
    if forest.layout == "rows":
        lines = forest.source[low:high].splitlines()
        kept = b"\n".join(line for line in lines if line and not line.startswith(b"#"))
    else:
        low, high = forest.tree[row].tolist()
        # Blanks beside brackets are layout, and so is how many there are.
        text = forest.source[low:high].replace(b"(", b" ( ").replace(b")", b" ) ")
        kept = b" ".join(text.split())
    return hashlib.blake2b(kept, digest_size=4).hexdigest()


def sentence_keys(forest: Forest) -> list[str]:
    """What each sentence of a forest is called: its ID, or the words of its text."""
    return _keys(forest, 0, len(forest))


def sentence_key(document: Document, sentence: int) -> str:
    forest, row, _ = document.piece(sentence)
    return _keys(forest, row, row + 1)[0]


def _keys(forest: Forest, first: int, end: int) -> list[str]:
    keys = [_shortened(text) for text in _texts(forest, first, end)]
    if not keys:
        return keys
    starts = forest.piece[first:end, 0]
    for match in SENTENCE_ID.finditer(forest.source, int(starts[0]), int(forest.piece[end - 1, 1])):
        at = int(np.searchsorted(starts, match.start(), side="right")) - 1
        if match.start() < head(forest, first + at)[1] and not keys[at].startswith(ID_MARK):
            keys[at] = ID_MARK + _BLANKS.sub(" ", decode(match[1])).strip()
    return keys


def _texts(forest: Forest, first: int, end: int) -> list[str]:
    """The words of each sentence, traces left out, a blank between them."""
    bounds = forest.first_leaf[first : end + 1].astype(np.int64)
    trace = forest.symbols.label_id(_TRACE)
    rows = np.flatnonzero(forest.tag[bounds[0] : bounds[-1]] != trace) + bounds[0]
    sentence = np.searchsorted(bounds, rows, side="right") - 1
    firsts = np.flatnonzero(np.diff(sentence, prepend=-1))
    length = (forest.word_end[rows] - forest.word_start[rows]).astype(np.int64)
    starts = np.cumsum(length + 1) - length
    text = np.full(int(np.sum(length + 1)), ord(" "), np.uint8)
    text[starts[firsts] - 1] = ord("\n")
    into = np.ones(len(text), np.bool_)
    into[starts - 1] = False
    shift = np.repeat(forest.word_start[rows] - (np.cumsum(length) - length), length)
    letters = np.frombuffer(forest.source, np.uint8)[np.arange(len(shift)) + shift]
    # What a word has of blanks and such must not look like the end of it.
    plain = (letters > ord(" ")) & (letters != _DELETE)
    text[into] = np.where(plain, letters, np.uint8(ord("_")))
    found = [""] * (end - first)
    lines = decode(text.tobytes()).split("\n")[1:]
    for at, line in zip(sentence[firsts].tolist(), lines, strict=True):
        found[at] = line.strip(" ")  # (a word may be empty)
    return found


def _shortened(text: str) -> str:
    return f"{text[:_LONGEST]}… [{len(text)}]" if len(text) > _LONGEST else text
