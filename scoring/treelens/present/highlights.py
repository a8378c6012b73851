"""What belongs to the place under the cursor: a bracket's ends; a word's head and dependents; all
that has the same index.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from treelens.present.lines import line_at, numbered
from treelens.present.linked import linked
from treelens.session.document import Document
from treelens.session.session import Snapshot
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import FORM
from treelens.trees.tree import Node, Tree


class Highlight(NamedTuple):
    start: int
    end: int
    kind: Literal["here", "head", "dependent"] = "here"


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    """A bracket's opening with its label and its closing; a word, its head, its dependents."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return []
    table = snapshot.dependency_tree(sentence)
    if table is not None:
        return _of_word(snapshot, table, offset)
    same = linked(snapshot, offset)
    if same:
        return [Highlight(*span) for span in same]
    tree = snapshot.tree(sentence)
    index = tree.innermost(offset)
    if index is None:
        return []
    node = tree.nodes[index]
    if node.word is not None:
        return [Highlight(node.start, node.end)]
    end = closing(snapshot.document, tree, node)
    return [Highlight(node.start, node.label_end), *([Highlight(*end)] if end else [])]


def closing(document: Document, tree: Tree, node: Node) -> tuple[int, int] | None:
    """The bracket that closes a constituent; None if it is missing."""
    inside = max((tree.nodes[child].end for child in node.children), default=node.label_end)
    closed = node.end > inside and document.text(node.end - 1, node.end) == b")"
    return (node.end - 1, node.end) if closed else None


def _of_word(snapshot: Snapshot, table: DependencyTree, offset: int) -> list[Highlight]:
    place = table.word_at(offset)
    if place is None:
        inside = numbered(line_at(snapshot.document, offset), table)
        return [Highlight(*table.words[one].fields[FORM]) for one in inside]
    word = table.words[place]
    found = [Highlight(*word.fields[FORM])]
    if word.head >= 0:
        found.append(Highlight(*table.words[word.head].fields[FORM], "head"))
    below = (table.words[one].fields[FORM] for one in word.dependents if one != place)
    return sorted([*found, *(Highlight(*span, "dependent") for span in below)])
