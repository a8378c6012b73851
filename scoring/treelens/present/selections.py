"""Growing a selection: label or word, bracket, the constituents around it, the sentence."""

from __future__ import annotations

from treelens.session.session import Snapshot


def selections(snapshot: Snapshot, offset: int) -> list[tuple[int, int]]:
    """Spans that hold an offset, each inside the next; none where there is no tree."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return []
    tree = snapshot.tree(sentence)
    index = tree.innermost(offset)
    if index is None:
        return []
    node = tree.nodes[index]
    spots = [(node.label_start, node.label_end), (node.word_start, node.word_end)]
    found = [spot for spot in spots if spot[0] < spot[1] and spot[0] <= offset <= spot[1]][:1]
    found += [(tree.nodes[at].start, tree.nodes[at].end) for at in tree.path(index)]
    return list(dict.fromkeys(found))
