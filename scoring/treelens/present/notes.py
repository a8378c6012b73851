"""Notes on nodes: where they are in the file that has them and in those that it is compared
with, and in what words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from treelens.present.counterpart import matching, node_at
from treelens.present.diagnostics import Diagnostic
from treelens.present.names import isolated
from treelens.session.document import Document
from treelens.session.notes import About, NodeNote, about, node_of
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.tree import Node

CODE = "note"


class NotedNode(NamedTuple):
    """A node that a note can be on, and the notes on it that there are."""

    sentence: int
    about: About
    there: tuple[NodeNote, ...]

    @property
    def text(self) -> str:
        return " · ".join(note.text for note in self.there)


def noted_at(snapshot: Snapshot, offset: int, notes: Sequence[NodeNote]) -> NotedNode | None:
    """The node at a place; None beside all sentences. ``notes``: its sentence's."""
    at = node_at(snapshot, offset)
    if at is None:
        return None
    sentence, node = at
    tree, table = snapshot.tree(sentence), snapshot.dependency_tree(sentence)
    if table is not None:
        word = table.word_at(offset)
        if word is None:
            return None
        node = next(one for one in tree.nodes if one.word is not None and one.row == word)
    here = [one for one in notes if one.about and node_of(tree, one.about) == node]
    return NotedNode(sentence, about(snapshot.document, sentence, tree, node), tuple(here))


def name_of(one: About) -> str:
    """``NP “the…sea”``."""
    return isolated(f"{one.label} “{one.words}”")


def in_file(document: Document, sentence: int, note: NodeNote) -> list[Diagnostic]:
    """A note where its node is; where that is gone, at the start of the sentence, and said so."""
    tree = document.tree(sentence)
    node = node_of(tree, note.about) if note.about else None
    if node is not None and note.about is not None:
        named = _now(about(document, sentence, tree, node), note.about)
        return [_marked(node, f"note on {named}: {isolated(note.text)}")]
    text = f"note on {_lost(note)}: {isolated(note.text)}"
    if tree.nodes:
        return [_marked(tree.nodes[0], text)]
    return [Diagnostic(tree.start, tree.start + 1, "information", CODE, text)]


def _lost(note: NodeNote) -> str:
    return f"{name_of(note.about)}, which is not there any more" if note.about else "no node"


def _now(now: About, noted: About) -> str:
    """What a node is called now, and what its label was: ``YP “the…sea” (was XP)``."""
    was = f" (was {noted.label})" if now.label != noted.label else ""
    return f"{name_of(noted._replace(label=now.label))}{was}"


def in_other(other: Counterpart, sentence: int, note: NodeNote, called: str) -> list[Diagnostic]:
    """A note of the other file's on a node, in this one, where this one has anything there.

    sentence: the other file's; called: that file.
    """
    tree = other.document.tree(sentence)
    node = node_of(tree, note.about) if note.about else None
    back = replace(other, side=other.side.other)
    found = matching(back, sentence, node or tree.nodes[0]) if tree.nodes else None
    if found is None:
        return []
    named = _lost(note)
    if node is not None and note.about is not None:
        named = _now(about(other.document, sentence, tree, node), note.about)
    text = f"{called}: note on {named}: {isolated(note.text)}"
    if found.kind != "words":
        return [_marked(found.node, text)]
    return [Diagnostic(found.start, found.end, "information", CODE, text)]


def _marked(node: Node, text: str) -> Diagnostic:
    start, end = node.label_start, node.label_end
    if node.word is not None or start == end:
        start, end = node.word_start, node.word_end
    if start == end:
        start, end = node.start, node.start + 1
    return Diagnostic(start, end, "information", CODE, text)
