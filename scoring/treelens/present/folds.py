"""What can be folded: constituents and sentences that are spread over lines, near the view."""

from __future__ import annotations

from treelens.present.window import near
from treelens.session.session import Snapshot


def folds(snapshot: Snapshot) -> list[tuple[int, int]]:
    """Spans of constituents that hold a line break, in text order."""
    document = snapshot.document
    found = []
    for sentence in near(snapshot.visible, len(document)):
        if document.line[sentence + 1] - document.line[sentence] < 2:
            # At most the break behind the tree: nothing in it is spread over lines.
            start, end = document.start[sentence : sentence + 2].tolist()
            if b"\n" not in document.text(start, end).strip() or not document.line[sentence + 1]:
                continue
        found += [
            (node.start, node.end)
            for node in snapshot.tree(sentence).nodes
            if node.word is None and _spread(snapshot, node.start, node.end)
        ]
    return found


def _spread(snapshot: Snapshot, start: int, end: int) -> bool:
    text = snapshot.document.text(start, end)
    return b"\n" in text or b"\r" in text
