"""To the head of a word, and to its dependents, in the same file."""

from __future__ import annotations

from treelens.session.session import Snapshot
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import FORM

Span = tuple[int, int]


def head(snapshot: Snapshot, offset: int) -> Span | None:
    """Where the head of the word at an offset is written; None if there is none."""
    at = word_at(snapshot, offset)
    if at is None:
        return None
    tree, place = at
    above = tree.words[place].head
    return tree.words[above].fields[FORM] if above >= 0 else None


def dependents(snapshot: Snapshot, offset: int) -> list[Span] | None:
    """Where the dependents of the word at an offset are written; None if there is no word."""
    at = word_at(snapshot, offset)
    if at is None:
        return None
    tree, place = at
    return [tree.words[below].fields[FORM] for below in tree.words[place].dependents]


def word_at(snapshot: Snapshot, offset: int) -> tuple[DependencyTree, int] | None:
    """The sentence and, in it, the word on whose line an offset is; None where there is none."""
    sentence = snapshot.document.sentence_at(offset)
    tree = snapshot.dependency_tree(sentence) if sentence is not None else None
    place = tree.word_at(offset) if tree is not None else None
    return None if tree is None or place is None else (tree, place)
