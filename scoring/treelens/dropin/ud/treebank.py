"""A CoNLL-U file as columns: what either way of reading gives.

A sentence with a fault contributes no words, but is remembered with as much of its text as can
be read. Nothing here needs dataclasses: to load them takes as long as to read a small file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from treelens.rules.universal import UNIVERSAL_FEATURES, universal_relation

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
WIDTH = 10

_SPACES = re.compile("[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
"""Characters of the category Zs, which are no part of a form: treebanks differ in them."""


class Problem(NamedTuple):
    """Something wrong in a line (counted from 1) of a file."""

    line: int
    sentence: str
    message: str


class Sentence(NamedTuple):
    """A sentence of a file: where it is, and what of it is in the columns."""

    line: int
    """The line (from 1) of its first token; 0 after quick reading."""
    name: str
    """What the comments above it call it, else its number; empty after quick reading."""
    words: range
    tokens: range
    text: str | None = None
    """Of a faulty sentence, which has no words: its forms, as far as they can be read."""


class Rules(NamedTuple):
    """What a program demands of a file."""

    many_roots: bool = False
    """A sentence may have several roots."""
    empty_nodes: bool = True
    """Empty nodes are skipped; otherwise they are faults."""
    enhanced: bool = False
    """DEPS is read, and can be at fault."""


class Words(NamedTuple):
    """A list per column, an element a word."""

    form: list[str]
    lemma: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    """Universal features only, sorted."""
    relation: list[str]
    """Without its subtype."""
    deps: list[str]
    """Empty unless enhanced graphs are asked for."""
    parent: list[int]
    """The word that is the head, as an index into these lists; -1 for the root."""
    token: list[int]
    """The token that the word is or belongs to."""
    multiword: set[int]
    """Words that belong to a multiword token."""


class Treebank(NamedTuple):
    """A file without its faulty sentences, and what is wrong with those."""

    words: Words
    forms: list[str]
    """The forms of all tokens, without spaces."""
    ends: list[int]
    """Where each token ends in the text that they make together; it starts where the one
    before ends."""
    sentences: list[Sentence]
    problems: list[Problem]


class Table(dict[str, str]):
    """Distinct values of a column and what is made of them, computed once for each."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, value: str) -> str:
        made = self[value] = self._make(value)
        return made


def universal_features(feats: str) -> str:
    kept = [feat for feat in feats.split("|") if feat.split("=", 1)[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(kept))


# Both files share them, so that equal values are one string, and quick to compare.
FEATURES = Table(universal_features)
RELATIONS = Table(universal_relation)


def without_spaces(forms: list[str]) -> list[str]:
    text = "".join(forms)
    # (To look for any white space is many times quicker than for these characters.)
    if text.split() == [text] or not _SPACES.search(text):
        return forms
    return [_SPACES.sub("", form) for form in forms]
