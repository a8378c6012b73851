"""What a document is written in: its labels, tags and relations, and how often each is used."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.forest import DEPREL, UPOS, XPOS, Forest, Ints
from treelens.session.document import Document

Kind = Literal["label", "tag", "xpos", "relation"]

COLUMNS: dict[int, Kind] = {UPOS: "tag", XPOS: "xpos", DEPREL: "relation"}
"""What the fields of a table's line are names of."""


def vocabulary(document: Document, kind: Kind) -> Counter[str]:
    """How often each name of a kind is used in the sentences as they are now."""
    labels = document.symbols.labels
    total = np.zeros(len(labels), np.int64)
    for forest, numbers in document.parts():
        column = _column(forest, kind)
        if column is not None:
            used = np.repeat(numbers >= 0, np.diff(column.first))
            total += np.bincount(column.name[used], minlength=len(total))
    return Counter({labels[k]: int(total[k]) for k in np.flatnonzero(total).tolist() if labels[k]})


class Uses(NamedTuple):
    """Where names are written; ``(n,)`` each, in text order."""

    offset: npt.NDArray[np.int64]
    """Bytes of the document."""
    name: Ints
    """Label ids."""


def uses(document: Document, kind: Kind, wanted: npt.NDArray[np.bool_]) -> Uses:
    """Where names of a kind are used that ``wanted``, by label id, asks for."""
    offsets, names = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    for forest, numbers in document.parts():
        column = _column(forest, kind)
        if column is None:
            continue
        row = np.repeat(np.arange(len(forest)), np.diff(column.first))
        chosen = np.flatnonzero(wanted[column.name] & (numbers[row] >= 0))
        row = row[chosen]
        offsets.append(document.start[numbers[row]] - forest.piece[row, 0] + column.start[chosen])
        names.append(column.name[chosen])
    offset, name = np.concatenate(offsets), np.concatenate(names)
    order = np.argsort(offset, kind="stable")
    return Uses(offset[order], name[order])


class _Column(NamedTuple):
    first: Ints
    """The first row of each sentence, and the end."""
    name: Ints
    start: Ints


def _column(forest: Forest, kind: Kind) -> _Column | None:
    if kind == "label":
        return _Column(forest.first_node, forest.label, forest.label_start)
    if kind == "tag":
        return _Column(forest.first_leaf, forest.tag, forest.tag_start)
    if forest.rows is None:
        return None
    column, names = (XPOS, forest.rows.xpos) if kind == "xpos" else (DEPREL, forest.rows.relation)
    return _Column(forest.first_leaf, names, forest.rows.field[:, column])
