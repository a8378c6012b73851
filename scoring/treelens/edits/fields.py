"""A word's head and relation in a table, changed by hand: one field of its line.

A change that would make a circle or leave the sentence without a root is refused, with the reason.
"""

from __future__ import annotations

from treelens.edits.attach import Refusal
from treelens.edits.text import Edit, Edits
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import DEPREL, HEAD, UPOS, encode


def set_head(table: DependencyTree, place: int, target: int | None) -> Edits | Refusal:
    """Another head for a word; both by place, None for the root of the sentence."""
    word = table.words[place]
    if target is None:
        root = next(
            (one for one in table.words if one.head < 0 and one.number != word.number), None
        )
        if word.head >= 0 and root is not None:
            return Refusal(
                f"“{root.form}” is the root already: give it a head first, and the sentence has "
                "one root again"
            )
        return set_field(table, place, HEAD, "0")
    head = table.words[target]
    if target == place:
        return Refusal(f"“{word.form}” cannot be its own head")
    if target == word.head:
        return Refusal(f"“{head.form}” is the head of “{word.form}” already")
    if place in table.path(target):
        return Refusal(
            f"“{head.form}” hangs on “{word.form}” itself: that would be a circle. Give "
            f"“{head.form}” another head first"
        )
    return set_field(table, place, HEAD, head.number)


def set_relation(table: DependencyTree, place: int, relation: str) -> Edits | Refusal:
    return set_field(table, place, DEPREL, relation)


def set_tag(table: DependencyTree, place: int, tag: str) -> Edits | Refusal:
    return set_field(table, place, UPOS, tag)


def set_field(table: DependencyTree, place: int, column: int, value: str) -> Edits | Refusal:
    """Another value for a field that the word's line has."""
    word = table.words[place]
    start, end = word.fields[column]
    if start == end:
        return Refusal(f"the line of “{word.form}” does not have this field: mend the line first")
    return (Edit(start, end, encode(value)),)
