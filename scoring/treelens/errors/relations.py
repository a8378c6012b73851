"""The class of an error in a head, by what the word is to its head: Universal Dependencies' names.

The names that version 1 and Stanford Dependencies had for the same are among them; names
compare without subtypes and in either case. Any other relation is a class by itself.
"""

from __future__ import annotations

from treelens.errors.error import ATTACHMENT
from treelens.rules.universal import universal_relation

CASE = "case"
"""The relation of an adposition to its noun."""

_RELATIONS = {
    "PP Attachment": "prep",
    "Nominal Attachment": "nmod obl appos vocative dislocated npadvmod tmod poss",
    "Argument Attachment": ("nsubj obj iobj expl dobj nsubjpass pobj agent attr acomp oprd"),
    "Clause Attachment": (
        "csubj ccomp xcomp advcl acl parataxis csubjpass relcl rcmod vmod partmod infmod pcomp"
    ),
    "Modifier Attachment": "amod advmod nummod discourse num neg quantmod",
    "Function Word Attachment": "aux cop mark det clf case auxpass predet preconj complm",
    "Coordination": "conj cc",
    "Compound": "compound nn prt",
    "Multiword Expression": "fixed flat goeswith mwe name foreign",
    "Punctuation": "punct p",
    "Root": "root",
    "Other Attachment": "list orphan reparandum dep remnant",
}

_CLASS = {name: kind for kind, names in _RELATIONS.items() for name in names.split()}

_NOMINAL_IN_PP = frozenset({"nmod", "obl"})


def class_of_relation(relation: str, *, has_case: bool) -> str:
    """The class of a word with this relation that has a wrong head.

    has_case: whether an adposition is among its dependents, so that the two are a PP.
    """
    bare = universal_relation(relation).lower()
    if has_case and bare in _NOMINAL_IN_PP:
        return "PP Attachment"
    return _CLASS.get(bare) or (f"{relation} {ATTACHMENT}" if relation else f"Other {ATTACHMENT}")
