"""What is done to a node of a picture: an edit of the text, or the reason why it cannot be.

Whatever would leave a sentence that reads worse than before is refused, even if nobody has thought
of it: the edited text is read before it is offered.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from treelens.edits import structure
from treelens.edits.attach import Refusal, attach
from treelens.edits.brackets import TreeText, bracket_text, replace_label, untagged, wrap
from treelens.edits.deps import (
    DepsPart,
    delete_edge,
    part_at,
    set_edge_head,
    set_edge_relation,
)
from treelens.edits.fields import set_head, set_relation, set_tag
from treelens.edits.text import Edits, edited
from treelens.render.width import shortened
from treelens.session.document import Document
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.enhanced import means_itself
from treelens.trees.tree import Node

Operation = Literal["relabel", "delete", "raise", "lower", "wrap", "attach", "relation", "head"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

_LABEL = re.compile(r"[^\s()]+")
_FIELD = re.compile(r"[^\t\r\n\v\f\x85\u2028\u2029]*[^\s][^\t\r\n\v\f\x85\u2028\u2029]*")
_ROOT = ("0", "root", "ROOT")

Span = tuple[int, int]


def node_edits(
    document: Document,
    span: Span,
    operation: Operation,
    argument: str = "",
    target: Span | None = None,
) -> Edits | Refusal:
    """One operation on the node that is written at a span, as a picture says.

    argument: the new label or relation, the label of what is wrapped around, ``left`` or ``right``
    for where to lower; target: the span of what to attach to, or of the new head (none and
    ``0``: the root).
    """
    sentence = document.sentence_at(span[0])
    if sentence is None:
        return Refusal("there is no sentence here any more")
    table = document.dependency_tree(sentence)
    found = (
        _of_tree(bracket_text(document, sentence), span, operation, argument, target)
        if table is None
        else _of_table(document, sentence, table, span, operation, argument, target)
    )
    if isinstance(found, Refusal) or _reads(document, sentence, found):
        return found
    return Refusal("the sentence could not be read any more")


def _reads(document: Document, sentence: int, edits: Edits) -> bool:
    """Whether a sentence has no more problems after some edits, and no other one has changed."""
    after = edited(document, edits)
    before, now = (len(one.problems(sentence, sentence + 1)) for one in (document, after))
    return len(after) == len(document) and now <= before


# --- trees -------------------------------------------------------------------------------------


def _of_tree(
    text: TreeText, span: Span, operation: Operation, argument: str, target: Span | None
) -> Edits | Refusal:
    index = _index(text, span)
    if index is None:
        return Refusal("there is no such bracket here any more")
    if operation == "attach":
        there = None if target is None else _index(text, target)
        if there is None:
            return Refusal("choose a bracket of the same sentence to attach it to")
        return attach(text, index, there)
    if operation in ("relabel", "wrap"):
        return _labelled(text, index, operation, argument)
    if operation in ("delete", "raise"):
        made = structure.OPERATIONS[operation].edits(text, index)
        return made or Refusal(_REASONS[operation](text, text.node(index)))
    if operation == "lower":
        return _lowered(text, index, argument)
    return Refusal("words of a tree have no heads: attach it to a bracket")


def _index(text: TreeText, span: Span) -> int | None:
    """The node that is written at a span; a span's edges may be those of one node only."""
    for index, node in enumerate(text.tree.nodes):
        if (node.start, node.end) == span:
            return index
    return None


def _labelled(text: TreeText, index: int, operation: Operation, argument: str) -> Edits | Refusal:
    """With another label, or in a new bracket that has it.

    The label is the whole one: whoever is asked for it sees the functions, index and features that
    are written, and may have taken them out.
    """
    label = argument or (structure.NEW if operation == "wrap" else "")
    if not label:
        return Refusal("a label is needed")
    if not _LABEL.fullmatch(label):
        return Refusal(f"“{label}” cannot be a label: labels have no blanks and no brackets")
    if operation == "wrap":
        return wrap(text, index, index, label) or Refusal(
            "this word has no tag: a bracket around it would be taken for one"
        )
    if untagged(text.node(index)):
        return Refusal("this word has no tag that could be another one")
    return replace_label(text, index, label)


def _lowered(text: TreeText, index: int, side: str) -> Edits | Refusal:
    """Into the constituent on a side, or on either."""
    sides = (side,) if side in ("left", "right") else ("left", "right")
    made = (structure.OPERATIONS[f"lower-{side}"].edits(text, index) for side in sides)
    where = {"left": "before", "right": "behind"}.get(side, "beside")
    reason = Refusal(f"there is no constituent {where} it in which it could be")
    return next((edits for edits in made if edits), reason)


def _why_not_deleted(text: TreeText, node: Node) -> str:
    if node.word is not None:
        return "words are not deleted here: only brackets are"
    if node.parent < 0:
        return "the root holds several constituents, which would be trees of their own"
    return "what is left would read as something else: a word without a tag, or a lost bracket"


def _why_not_raised(text: TreeText, node: Node) -> str:
    parent = text.node(node.parent) if node.parent >= 0 else None
    if parent is None:
        return "the root is in nothing that it could be raised out of"
    name = parent.label or "the root"
    if parent.parent < 0:
        return f"it is directly under the root {parent.label}".rstrip()
    if len(parent.children) == 1:
        return f"{name} holds nothing else: delete {name} instead"
    return f"it stands inside of {name}, which would be cut in two"


_REASONS = {"delete": _why_not_deleted, "raise": _why_not_raised}


# --- tables ------------------------------------------------------------------------------------


def _of_table(
    document: Document,
    sentence: int,
    table: DependencyTree,
    span: Span,
    operation: Operation,
    argument: str,
    target: Span | None,
) -> Edits | Refusal:
    place = _place(table, span)
    if place is None:
        part = part_at(document, sentence, span)
        if part is None:
            return Refusal("there is no such word here any more")
        return _of_edge(document, sentence, table, part, operation, argument, target)
    if operation in _HANGS:
        there = _head(document, sentence, table, argument, target)
        return there if isinstance(there, Refusal) else set_head(table, place, there)
    if operation in ("relation", "relabel"):
        if not _FIELD.fullmatch(argument):
            return Refusal("a name without tabs and line breaks is needed")
        return (set_relation if operation == "relation" else set_tag)(table, place, argument)
    return Refusal("a table has no brackets: choose a head or a relation")


def _of_edge(
    document: Document,
    sentence: int,
    table: DependencyTree,
    part: DepsPart,
    operation: Operation,
    argument: str,
    target: Span | None,
) -> Edits | Refusal:
    if operation in _HANGS:
        there = _head(document, sentence, table, argument, target)
        if isinstance(there, Refusal):
            return there
        return set_edge_head(part, "0" if there is None else table.words[there].number)
    if operation in ("relation", "relabel"):
        return set_edge_relation(part, argument)
    if operation == "delete":
        return delete_edge(part)
    return Refusal("an enhanced dependency has a head and a relation, and can be deleted")


_HANGS = ("head", "attach")


def _head(
    document: Document, sentence: int, table: DependencyTree, argument: str, target: Span | None
) -> int | Refusal | None:
    """The word that is to be the head, by its ID; None: the root."""
    there = None if target is None else _place(table, target)
    if there is None:
        return None if argument in _ROOT else Refusal(_NO_HEAD)
    if means_itself(document.forest(range(sentence, sentence + 1)), table.words)[there]:
        return there
    word = table.words[there]
    number = shortened(word.number, 12) or "which is empty"
    return Refusal(
        f"the ID of “{word.form}”, {number}, does not mean this word as a head: it is no number, "
        "or the ID of a word above. Number the words of this sentence anew first"
    )


_NO_HEAD = "choose a word of the same sentence as the head"


def _place(table: DependencyTree, span: Span) -> int | None:
    """The word whose line is at a span."""
    for place, word in enumerate(table.words):
        if (word.start, word.end) == span:
            return place
    return None
