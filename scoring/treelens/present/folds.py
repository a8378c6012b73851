"""What can be folded: constituents and sentences that are spread over lines, near the view.

Of a table or a lattice, each sentence with its comments.
"""

from __future__ import annotations

from functools import partial

from treelens.present.parts import Part, of_sentence
from treelens.present.window import near
from treelens.session.session import Snapshot

Span = tuple[int, int]


def folds(snapshot: Snapshot) -> list[Span]:
    """Spans of constituents that hold a line break, in text order."""
    return [span for part in parts(snapshot) for span in part.make()]


def parts(snapshot: Snapshot) -> list[Part[Span]]:
    """The same as parts, a sentence each."""
    return [
        of_sentence(snapshot, sentence, (), partial(_of_sentence, snapshot, sentence))
        for sentence in near(snapshot.visible, len(snapshot.document))
    ]


def _of_sentence(snapshot: Snapshot, sentence: int) -> list[Span]:
    document = snapshot.document
    if document.format.layout == "rows":
        return [_table(snapshot, sentence)]
    if not _has_break(document.piece_text(sentence).strip()):
        return []
    nodes = (node for node in snapshot.tree(sentence).nodes if node.word is None)
    spans = ((node.start, node.end) for node in nodes)
    return [span for span in spans if _has_break(document.text(*span))]


def _table(snapshot: Snapshot, sentence: int) -> Span:
    forest, row, shift = snapshot.document.piece(sentence)
    start, end = (forest.tree[row] + shift).tolist()
    return start, end


def _has_break(text: bytes) -> bool:
    return b"\n" in text or b"\r" in text
