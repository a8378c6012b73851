"""What mends a problem of the text as its reader took it: the text then says what was assumed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from treelens.edits.brackets import bracket_text, closed, untagged
from treelens.edits.rows import renumbered
from treelens.edits.text import Edit, Edits, difference, ordered
from treelens.edits.whole import line_break
from treelens.session.document import Document
from treelens.trees.forest import Problem

_BLANKS = re.compile(rb"[ \t]* [ \t]*")


class Repair(NamedTuple):
    """A title, and the edits for a problem in a sentence of a document; None: not possible."""

    title: str
    edits: Callable[[Document, int, Problem], Edits | None]


def _close(document: Document, sentence: int, problem: Problem) -> Edits | None:
    """Closing brackets behind the last word, where the reader took them to be."""
    text = bracket_text(document, sentence)
    tree = text.tree
    missing = sum(not untagged(node) and not closed(text, node) for node in tree.nodes)
    return (Edit(tree.end, tree.end, b")" * missing),) if missing else None


def _take_out(document: Document, sentence: int, problem: Problem) -> Edits | None:
    return (Edit(problem.start, problem.end, b""),)


def _attach_label(document: Document, sentence: int, problem: Problem) -> Edits | None:
    """No blank between a bracket and its label."""
    inside = document.text(problem.start + 1, problem.end)
    blanks = len(inside) - len(inside.lstrip())
    if inside[:blanks].strip(b" \t") or not blanks:
        return None
    return (Edit(problem.start + 1, problem.start + 1 + blanks, b""),)


def _tabs(document: Document, sentence: int, problem: Problem) -> Edits | None:
    text = document.text(problem.start, problem.end)
    return ordered(
        Edit(problem.start + blanks.start(), problem.start + blanks.end(), b"\t")
        for blanks in _BLANKS.finditer(text)
    )


def _blank_line(document: Document, sentence: int, problem: Problem) -> Edits | None:
    """A blank line above a sentence, and above its comments."""
    at = next(
        (
            document.tree(number).start
            for number in (sentence, sentence + 1)
            if number < len(document)
            and document.tree(number).start <= problem.start < document.tree(number).end
        ),
        None,
    )
    return None if at is None else (Edit(at, at, line_break(document)),)


def _renumber(document: Document, sentence: int, problem: Problem) -> Edits | None:
    return numbered_anew(document, sentence)


def numbered_anew(document: Document, sentence: int) -> Edits | None:
    """The edits that number a sentence's words from 1 on; none where they are, None where it is
    not clear what ranges mean."""
    text = document.piece_text(sentence)
    new = renumbered(text)
    return None if new is None else difference(text, new, int(document.start[sentence]))


_RENUMBER = Repair("Number the words of this sentence anew", _renumber)

REPAIRS: dict[str, Repair] = {
    "unclosed": Repair("Close the open brackets behind the last word", _close),
    "unopened": Repair("Remove this bracket", _take_out),
    "label-apart": Repair("Remove the blank before the label", _attach_label),
    "space-for-tab": Repair("Put tabs for spaces", _tabs),
    "no-blank-line": Repair("Put a blank line before this sentence", _blank_line),
    "blanks": Repair("Remove the blanks from this line", _take_out),
    "id": _RENUMBER,
    "id-order": _RENUMBER,
    "id-again": _RENUMBER,
}
"""By the problem's code."""
