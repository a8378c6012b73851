"""One name of labels, tags or relations changed wherever it is used; an index, a sentence's ID.

A bracket's label is a category with functions and an index (``NP-SBJ=2``); a name is one such
part, so that NP is renamed in NP-SBJ too. A tag is a name up to its features, a relation as a
whole. An index means something in its sentence only.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import numpy as np

from treelens.edits.text import Edit, Edits
from treelens.rules.parameters import TRACE
from treelens.session.document import Document
from treelens.session.sentence_names import SENTENCE_ID
from treelens.session.vocabulary import LabelKind, parts, uses
from treelens.trees.forest import encode

NameKind = LabelKind | Literal["index", "id"]
_INDEX = re.compile(rb"(?<=[-=])\d+(?![^-=|])")
"""``NP-SBJ-1``, ``NP=2``, ``*T*-1``: a number behind a hyphen or an equals sign."""


class Name(NamedTuple):
    """A name as it is written at ``[start, end)`` of a document."""

    kind: NameKind
    text: str
    start: int
    end: int


def problem(name: str, kind: NameKind) -> str | None:
    """Why something can be no such name; None if it can."""
    if not name.strip():
        return "a name cannot be empty"
    if kind == "index":
        return None if name.isascii() and name.isdigit() else f"“{name}” is no number: indices are"
    if kind == "id":
        return "an ID cannot have several lines" if re.search(r"[\r\n]", name) else None
    unfit = r"[\s()]" if kind == "label" else r"[\s()\t]"
    if re.search(unfit, name) or (kind in ("xpos", "relation") and name == "_"):
        return f"“{name}” can be no {kind}: blanks and brackets would end it"
    if kind == "label" and parts(name, kind) != [(0, len(name))]:
        return f"“{name}” is not one name: a category and each function are renamed by themselves"
    return None


def renamed(document: Document, name: Name, new: str, sentences: range | None = None) -> Edits:
    """The edits that put ``new`` wherever some sentences, by default all, use a name, in text
    order. Of an index, only those of the sentence that the name is written in."""
    start, end = 0, document.length
    if sentences is not None:
        start, end = (int(document.start[k]) for k in (sentences.start, sentences.stop))
    replacement = encode(new)
    return tuple(
        Edit(*span, replacement) for span in _uses(document, name) if start <= span[0] < end
    )


def index_spans(document: Document, sentence: int) -> list[tuple[int, int]]:
    """Where indices are written in a sentence: on constituents and traces."""
    found = []
    for node in document.tree(sentence).nodes:
        start, end = node.label_start, node.label_end
        if node.word is not None:
            start, end = node.word_start, node.word_end
        if node.word is None or node.label == TRACE:
            text = document.text(start, end).split(b"##", 1)[0]
            found += [(start + one.start(), start + one.end()) for one in _INDEX.finditer(text)]
    return found


def id_spans(document: Document, start: int, end: int) -> list[tuple[int, int]]:
    """Where the IDs of sentences are written in a stretch of whole lines."""
    found = []
    for match in SENTENCE_ID.finditer(document.text(start, end)):
        written = match[1].rstrip()
        found.append((start + match.start(1), start + match.start(1) + len(written)))
    return found


def _uses(document: Document, name: Name) -> list[tuple[int, int]]:
    if name.kind == "index" or name.kind == "id":
        spans = id_spans(document, 0, document.length)
        if name.kind == "index":
            spans = index_spans(document, document.sentence_at(name.start) or 0)
        written = encode(name.text)
        return [span for span in spans if document.text(*span) == written]
    places: dict[int, list[tuple[int, int]]] = {}
    labels, kind = document.symbols.labels, name.kind
    for number, label in enumerate(labels):
        spans = [span for span in parts(label, kind) if label[slice(*span)] == name.text]
        if spans:
            places[number] = [
                (len(encode(label[:start])), len(encode(label[:end]))) for start, end in spans
            ]
    wanted = np.zeros(len(labels), np.bool_)
    wanted[list(places)] = True
    found = uses(document, kind, wanted)
    return [
        (offset + start, offset + end)
        for offset, number in zip(found.offset.tolist(), found.name.tolist(), strict=True)
        for start, end in places[number]
    ]
