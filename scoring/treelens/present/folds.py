"""What can be folded: constituents and sentences that are spread over lines, near the view.

Of a table or a lattice, each sentence with its comments.
"""

from __future__ import annotations

from treelens.present.window import near
from treelens.session.session import Snapshot


def folds(snapshot: Snapshot) -> list[tuple[int, int]]:
    """Spans of constituents that hold a line break, in text order."""
    sentences = near(snapshot.visible, len(snapshot.document))
    if snapshot.document.format.layout == "rows":
        return [_table(snapshot, sentence) for sentence in sentences]
    return [
        (node.start, node.end)
        for sentence in sentences
        if _has_break(snapshot.document.piece_text(sentence).strip())
        for node in snapshot.tree(sentence).nodes
        if node.word is None and _has_break(snapshot.document.text(node.start, node.end))
    ]


def _table(snapshot: Snapshot, sentence: int) -> tuple[int, int]:
    forest, row, shift = snapshot.document.piece(sentence)
    start, end = (forest.tree[row] + shift).tolist()
    return start, end


def _has_break(text: bytes) -> bool:
    return b"\n" in text or b"\r" in text
