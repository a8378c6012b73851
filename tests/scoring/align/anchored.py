"""Sentences of tokens of words, as CoNLL-U writes them: what the alignment's tests draw from."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import strategies as st
from treelens.formats import conll
from treelens.trees.forest import Anchors, Forest, Symbols

Token = tuple[str, tuple[str, ...]]
"""A token as the text has it, and its words."""
Sentence = list[Token]

PARTS = ("de", "le", "De", "du", "l", "a", "que", "à", "À")
token = st.one_of(
    st.sampled_from(PARTS).map(lambda form: (form, (form,))),
    st.tuples(
        st.sampled_from(["du", "Du", "au", "delà"]),
        st.lists(st.sampled_from(PARTS), min_size=2, max_size=4).map(tuple),
    ),
)
sentence = st.lists(token, min_size=1, max_size=6)


def plain(words: str) -> Sentence:
    return [(word, (word,)) for word in words.split()]


def conllu(sentences: list[Sentence]) -> str:
    lines = []
    for tokens in sentences:
        number = 0
        for form, words in tokens:
            if len(words) > 1:
                lines.append(f"{number + 1}-{number + len(words)}\t{form}" + "\t_" * 8)
            for word in words:
                number += 1
                head = number - 1
                lines.append(f"{number}\t{word}\t{word}\tX\t_\t_\t{head}\tdep\t_\t_")
        lines.append("")
    return "".join(line + "\n" for line in lines)


def forest(sentences: list[Sentence], symbols: Symbols, *, known: bool = True) -> Forest:
    """The sentences as a forest; not ``known``: without what the text has for each token."""
    found, problems = conll.read(conllu(sentences).encode(), symbols)
    assert not problems
    assert found.anchors is not None
    if known:
        return found
    nothing = np.zeros_like(found.anchors.surface)
    return dataclasses.replace(found, anchors=Anchors(found.anchors.token, nothing))
