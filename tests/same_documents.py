"""When two documents are the same: of an edited one and one that is read anew."""

from __future__ import annotations

import numpy as np
from treelens.session.document import Document
from treelens.trees.forest import LEAF_COLUMNS, NODE_COLUMNS, OFFSETS, Forest


def same(one: Document, other: Document) -> None:
    assert one.text() == other.text()
    assert one.start.tolist() == other.start.tolist()
    assert one.line.tolist() == other.line.tolist()
    for k in range(len(one)):
        assert one.tree(k) == other.tree(k)
        assert one.dependency_tree(k) == other.dependency_tree(k)
    assert one.problems() == other.problems()
    if len(one):
        _same_columns(*(each.forest(range(len(each))) for each in (one, other)))


def _same_columns(one: Forest, other: Forest) -> None:
    """To the last offset, each from its sentence's piece on in its own source."""
    for column in ("first_node", "first_leaf", "label", "first", "last", "word", "tag"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist()
    for name in ("dependencies", "anchors"):
        ours, theirs = getattr(one, name) or (), getattr(other, name) or ()
        assert [column.tolist() for column in ours] == [column.tolist() for column in theirs]
    assert _placed(one) == _placed(other)
    pieces = [[forest.source[a:b] for a, b in forest.piece.tolist()] for forest in (one, other)]
    assert pieces[0] == pieces[1]


def _placed(forest: Forest) -> list[object]:
    base = forest.piece[:, 0]
    node, leaf = (np.repeat(base, np.diff(f)) for f in (forest.first_node, forest.first_leaf))
    columns = [(forest.tree - base[:, None]).tolist()]
    for names, by in ((NODE_COLUMNS, node), (LEAF_COLUMNS, leaf)):
        columns += [(getattr(forest, name) - by).tolist() for name in names if name in OFFSETS]
    if forest.fields is not None:
        *said, bounds = forest.fields
        columns += [(bounds - leaf[:, None]).tolist(), *(column.tolist() for column in said)]
    return columns
