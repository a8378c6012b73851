"""One enhanced dependency of a word or an empty node, changed by hand: its part of DEPS.

The graph may have circles and several roots; what is there already, or hangs on itself, is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from treelens.edits.attach import Refusal
from treelens.edits.text import Edit, Edits
from treelens.session.document import Document
from treelens.trees.enhanced import enhanced
from treelens.trees.forest import decode, encode

Span = tuple[int, int]

_NODE = re.compile(r"(\d+)(?:\.(\d+))?")
_RELATION = re.compile(r"[^\s|]+")


class DepsPart(NamedTuple):
    """A dependency of a node's field: where the field is, what it says, and which one of that it
    is. id: of the node's own line."""

    start: int
    end: int
    parts: tuple[str, ...]
    which: int
    id: str


def part_at(document: Document, sentence: int, span: Span) -> DepsPart | None:
    """The dependency that is written at a span of a document."""
    forest = document.forest(range(sentence, sentence + 1))
    shift = int(document.start[sentence]) - int(forest.piece[0, 0])
    for deps in enhanced(forest):
        spans = [(edge.start + shift, edge.end + shift) for edge in deps.edges]
        if span in spans:
            parts = tuple(decode(forest.source[edge.start : edge.end]) for edge in deps.edges)
            line = max(forest.source.rfind(end, 0, deps.start) for end in (b"\n", b"\r")) + 1
            id = decode(forest.source[line : deps.start].split(b"\t")[0])
            field = deps.start + shift, spans[-1][1]
            return DepsPart(*field, parts, spans.index(span), id)
    return None


def set_edge_head(part: DepsPart, head: str) -> Edits | Refusal:
    """Another head, by its ID; ``0`` is the root."""
    if head == part.id:
        return Refusal("a word cannot be its own head")
    _, _, relation = part.parts[part.which].partition(":")
    return _with(part, f"{head}:{relation}")


def set_edge_relation(part: DepsPart, relation: str) -> Edits | Refusal:
    if not _RELATION.fullmatch(relation):
        return Refusal("a relation without blanks and without “|” is needed")
    head, _, _ = part.parts[part.which].partition(":")
    return _with(part, f"{head}:{relation}")


def delete_edge(part: DepsPart) -> Edits:
    return _with_parts(part, part.parts[: part.which] + part.parts[part.which + 1 :])


def _with(part: DepsPart, new: str) -> Edits | Refusal:
    if new in part.parts:
        return Refusal(f"{new} is there already")
    return _with_parts(part, (*part.parts[: part.which], new, *part.parts[part.which + 1 :]))


def _with_parts(part: DepsPart, parts: tuple[str, ...]) -> Edits:
    """In the order of their heads, as the format wants them."""
    text = "|".join(sorted(parts, key=_place)) or "_"
    return (Edit(part.start, part.end, encode(text)),)


def _place(part: str) -> tuple[int, int]:
    found = _NODE.match(part)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)
