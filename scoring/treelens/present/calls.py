"""Heads and dependents step by step, for a client's view of calls: a head "calls" its dependents.

Of tables only: how constituents hang together is what the outline and growing selections show.
"""

from __future__ import annotations

from treelens.present.heads import word_at
from treelens.present.lines import line_at, numbered
from treelens.present.symbols import Symbol
from treelens.session.session import Snapshot
from treelens.trees.dependency_tree import DependencyTree, Word
from treelens.trees.forest import FORM


def words_at(snapshot: Snapshot, offset: int) -> list[Symbol]:
    """The word at an offset; of a multiword token all of its words."""
    sentence = snapshot.document.sentence_at(offset)
    tree = None if sentence is None else snapshot.dependency_tree(sentence)
    return [] if tree is None else [_symbol(tree.words[k]) for k in _places(snapshot, tree, offset)]


def head(snapshot: Snapshot, offset: int) -> list[Symbol]:
    """The head of the word at an offset; none of a root."""
    at = word_at(snapshot, offset)
    if at is None:
        return []
    tree, place = at
    above = tree.words[place].head
    return [_symbol(tree.words[above])] if above >= 0 else []


def dependents(snapshot: Snapshot, offset: int) -> list[Symbol]:
    """The dependents of the word at an offset, in text order."""
    at = word_at(snapshot, offset)
    if at is None:
        return []
    tree, place = at
    return [_symbol(tree.words[below]) for below in tree.words[place].dependents]


def _places(snapshot: Snapshot, tree: DependencyTree, offset: int) -> list[int]:
    place = tree.word_at(offset)
    return [place] if place is not None else numbered(line_at(snapshot.document, offset), tree)


def _symbol(word: Word) -> Symbol:
    """A word's line, and on it the form."""
    detail = f"{word.tag} · {word.relation}".strip(" ·")
    name = word.form or word.number or "–"
    return Symbol(name, detail, "word", word.start, word.end, *word.fields[FORM])
