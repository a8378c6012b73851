"""What a line beside a file calls a sentence, its ID or its words, and a digest of it as it is."""

from __future__ import annotations

import codecs
import re

import numpy as np

from treelens.session.document import Document
from treelens.trees.forest import Forest, decode
from treelens.trees.other_lines import at_line_start

SENTENCE_ID = re.compile(
    rb"%b[ \t]*(?:sent_)?id[ \t]*[:= \t][ \t]*([^\r\n]{1,200})" % at_line_start(rb"[#%;]"),
    re.IGNORECASE,
)
"""Of the comments of tables (``# sent_id = x``), and of those before trees (``; id: x``)."""
_BLANKS = re.compile(r"[\s\0-\x1f\x7f]+")
_LONGEST = 500
"""Characters of a sentence that its key has; of longer ones, how long they are besides."""

_TRACE = "-NONE-"
_DELETE = 0x7F

ID_MARK = "id\t"
"""Before the ID of a sentence in a key: no words have a tab."""


def digest(document: Document, sentence: int) -> str:
    """Eight letters that change with a sentence's tree or lines, not with blanks or comments."""
    return digest_of(*document.piece(sentence)[:2])


def digest_of(forest: Forest, row: int) -> str:
    import hashlib  # which loads OpenSSL; only asked for where something was said

    low, high = forest.piece[row].tolist()
    if forest.layout == "rows":
        text = forest.source[low:high]
        # (A first comment goes behind a byte order mark.)
        lines = (text if low else text.removeprefix(codecs.BOM_UTF8)).splitlines()
        kept = b"\n".join(line for line in lines if line and not line.startswith(b"#"))
    else:
        low, high = forest.tree[row].tolist()
        # Blanks beside brackets are layout, and so is how many there are.
        text = forest.source[low:high].replace(b"(", b" ( ").replace(b")", b" ) ")
        kept = b" ".join(text.split())
    return hashlib.blake2b(kept, digest_size=4).hexdigest()


def head(forest: Forest, row: int) -> tuple[int, int]:
    """Where the comments of a sentence stand: from its piece's start to its first line of words."""
    start, end = int(forest.piece[row, 0]), int(forest.piece[row, 1])
    first = int(forest.first_leaf[row])
    if first < int(forest.first_leaf[row + 1]):
        end = max(start, int(forest.leaf_open[first]))
    return start, end


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
