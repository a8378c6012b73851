"""Growing a selection: label or word, bracket, the constituents around it, the sentence.

In a table: field, line, the lines of all that depends on the word, on its head and so on.
"""

from __future__ import annotations

from treelens.session.session import Snapshot
from treelens.trees.dependency_tree import DependencyTree


def selections(snapshot: Snapshot, offset: int) -> list[tuple[int, int]]:
    """Spans that hold an offset, each inside the next; none where there is no tree."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return []
    table = snapshot.dependency_tree(sentence)
    if table is not None:
        return _in_table(table, offset)
    tree = snapshot.tree(sentence)
    index = tree.innermost(offset)
    if index is None:
        return []
    node = tree.nodes[index]
    spots = [(node.label_start, node.label_end), (node.word_start, node.word_end)]
    found = [spot for spot in spots if spot[0] < spot[1] and spot[0] <= offset <= spot[1]][:1]
    found += [(tree.nodes[at].start, tree.nodes[at].end) for at in tree.path(index)]
    return list(dict.fromkeys(found))


def _in_table(table: DependencyTree, offset: int) -> list[tuple[int, int]]:
    whole = (table.start, table.end)
    place = table.word_at(offset)
    if place is None:
        return [whole] if table.start <= offset <= table.end else []
    word = table.words[place]
    start, end = word.fields[word.column(offset)]
    found = [(start, end)] if start < end and start <= offset <= end else []
    found.append((word.start, word.end))
    for above in table.path(place):
        below = table.below(above)
        found.append((table.words[below[0]].start, table.words[below[-1]].end))
    return list(dict.fromkeys([*found, whole]))
