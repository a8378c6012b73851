"""The bracket under the cursor: where it opens, and where it closes."""

from __future__ import annotations

from treelens.session.session import Snapshot


def highlights(snapshot: Snapshot, offset: int) -> list[tuple[int, int]]:
    """The opening bracket with its label, and the closing one; for a word, all of its bracket."""
    sentence = snapshot.document.sentence_at(offset)
    tree = snapshot.tree(sentence) if sentence is not None else None
    index = tree.innermost(offset) if tree else None
    if tree is None or index is None:
        return []
    node = tree.nodes[index]
    if node.word is not None:
        return [(node.start, node.end)]
    closing = snapshot.document.text(node.end - 1, node.end) == b")"
    return [(node.start, node.label_end), *([(node.end - 1, node.end)] if closing else [])]
