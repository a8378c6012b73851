"""The class of a step of repair, by what is moved and what is around it.

The classes of Kummerfeld et al. (2012), section 4. What the paper says of English labels is
said here of kinds of phrases (:mod:`treelens.errors.categories`). Differences:

* Their “Other” is three classes here: nodes missing, nodes that are too much, and moves.
* Their “XoverX Unary”, a node over one of its own label, is a Unary.
* A node that is missing before a conjunction is a Coordination, as one that is too much is;
  their program asks that of the latter only.
* A node around a conjunction, where no PP or clause is what it is about, is a Coordination too.
* A phrase that is there for a coordination (IcePaHC's CONJP, FTB's COORD) counts as the
  conjunction in it.
"""

from __future__ import annotations

from treelens.errors.categories import (
    CLAUSE,
    COORDINATION,
    MODIFIER,
    MODIFIER_TAGS,
    NP,
    PP,
    QP,
    VP,
    any_of,
    conjunction,
)
from treelens.errors.transform import ContextNode, Step

_ATTACHMENTS = (
    ("PP Attachment", PP),
    ("NP Attachment", NP),
    ("VP Attachment", VP),
    ("Clause Attachment", CLAUSE),
)
"""What a run is called that has such a phrase in it; the first one that fits."""


def class_of(step: Step) -> str:
    """The class of a step, one of :data:`treelens.errors.error.CLASSES`."""
    return _of_move(step) if step.operation == "move" else _of_node(step)


def _of_move(step: Step) -> str:
    parts = step.parts
    # A conjunction just outside of the run, on either side of either place, or at its edge.
    if any(map(conjunction, (*step.left, *step.right, parts[0], parts[-1]))):
        return "Coordination"
    for name, kind in _ATTACHMENTS:
        if any_of(parts, kind):
            return name
    if any_of(parts, MODIFIER) or any(part.leaf and part.name in MODIFIER_TAGS for part in parts):
        return "Modifier Attachment"
    if step.parent in NP | QP and step.new_parent in NP | QP:
        return "NP Internal Structure"
    return "Other Attachment"


def _of_node(step: Step) -> str:
    parts = step.parts
    if len(parts) == 1 and parts[0].leaf:
        return "Single Word Phrase"
    if step.operation == "relabel":
        return "Different Label"
    if len(parts) == 1 or (step.operation == "remove" and not step.left and not step.right):
        return "Unary"
    return _of_contents(step) or ("Missing Node" if step.operation == "add" else "Extra Node")


def _of_contents(step: Step) -> str | None:
    """The class of a node with several children, by these and its surroundings."""
    later = step.parts[1:]
    if step.label in COORDINATION or any(map(conjunction, step.right)):
        return "Coordination"
    if any_of(later, PP):
        return "PP Attachment"
    if any_of(later, CLAUSE):
        return "Clause Attachment"
    if any(map(conjunction, later)):
        return "Coordination"
    if step.parent in NP and all(part.leaf for part in step.parts):
        return "NP Internal Structure"
    if step.label in MODIFIER or any_of(later, MODIFIER):
        return "Modifier Attachment"
    if all(not part.leaf and part.name == step.label for part in step.parts):
        return "NP Internal Structure" if step.label in NP else "Coordination"
    return None


def attached(step: Step, kind: str) -> ContextNode | None:
    """Of a node that was added or taken out, the child that its class is about."""
    if step.operation not in ("add", "remove"):
        return None
    kinds = {"PP Attachment": PP, "Clause Attachment": CLAUSE, "Modifier Attachment": MODIFIER}
    wanted = kinds.get(kind, frozenset())
    return next((part for part in step.parts[1:] if any_of([part], wanted)), None)
