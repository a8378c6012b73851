"""One name of labels, tags or relations changed wherever it is used.

A bracket's label is a category with functions and an index (``NP-SBJ=2``); a name is one such
part, so that NP is renamed in NP-SBJ too. A tag is a name up to its features, a relation as a
whole.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from treelens.edits.text import Edit, Edits
from treelens.forest import encode
from treelens.session.document import Document
from treelens.session.vocabulary import Kind, parts, uses


class Name(NamedTuple):
    """A name as it is written at ``[start, end)`` of a document."""

    kind: Kind
    text: str
    start: int
    end: int


def problem(name: str, kind: Kind) -> str | None:
    """Why something can be no such name; None if it can."""
    if not name:
        return "a name cannot be empty"
    unfit = r"[\s()]" if kind == "label" else r"[\s()\t]"
    if re.search(unfit, name) or (kind in ("xpos", "relation") and name == "_"):
        return f"“{name}” can be no {kind}: blanks and brackets would end it"
    return None


def renamed(document: Document, name: Name, new: str) -> Edits:
    """The edits that put ``new`` wherever the document uses a name, in text order."""
    replacement = encode(new)
    places: dict[int, list[tuple[int, int]]] = {}
    labels = document.symbols.labels
    for number, label in enumerate(labels):
        spans = [span for span in parts(label, name.kind) if label[slice(*span)] == name.text]
        if spans:
            places[number] = [
                (len(encode(label[:start])), len(encode(label[:end]))) for start, end in spans
            ]
    wanted = np.zeros(len(labels), np.bool_)
    wanted[list(places)] = True
    found = uses(document, name.kind, wanted)
    return tuple(
        Edit(offset + start, offset + end, replacement)
        for offset, number in zip(found.offset.tolist(), found.name.tolist(), strict=True)
        for start, end in places[number]
    )
