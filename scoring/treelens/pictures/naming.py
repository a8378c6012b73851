"""What is read out of the things in a picture, and what became of each of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from treelens.compare.comparison import ComparedSide, wrong_tags
from treelens.pictures.arcs import DrawnArc
from treelens.pictures.canvas import DrawnWord, Outcome
from treelens.pictures.drawing import State
from treelens.pictures.trees import DrawnNode

_MORPHOLOGY = ("another lemma", "another second tag", "other features")

_QUOTED = 6
"""Words that are quoted before a quotation is shortened."""


def quoted(words: Sequence[DrawnWord]) -> str:
    """A few words in quotation marks."""
    texts = [word.lines[0] for word in words]
    if len(texts) > _QUOTED:
        half = _QUOTED // 2
        texts = [*texts[:half], "…", *texts[-half:]]
    return f"“{' '.join(texts)}”"


def bracket_title(node: DrawnNode, words: Sequence[DrawnWord], there: str, other: str) -> str:
    """``NP over “the dog”: system has ADJP``; ``there`` is what the other
    side is called, ``other`` its label.

    Labels that count as the same may be written otherwise: with another function or index.
    """
    written = f": {there} writes {other}" if other not in ("", node.label) else ""
    said: dict[Outcome, str] = {
        "matched": written,
        "otherwise": written,
        "missing": f": {there} has no such bracket",
        "extra": f": {there} has no such bracket",
        "crossing": f": crosses a bracket of {there}",
        "mislabelled": f": {there} has {other} here",
        "uncounted": ", which does not count",
    }
    return f"{node.label} over {quoted(words)}{said[node.kind]}"


def word_states(side: ComparedSide, words: Sequence[DrawnWord]) -> list[State]:
    """What became of each word of a side."""
    unlike = np.zeros(len(words), np.bool_)
    if side.arcs is not None:
        unlike = (side.words.partner >= 0) & side.arcs.unlike.any(axis=1)
    wrong_tag = wrong_tags(side.words).tolist()
    found: list[State] = []
    for word, tag, morphology in zip(words, wrong_tag, unlike.tolist(), strict=True):
        state: State = "different-words" if word.kind == "mislabelled" else word.kind
        if state in ("matched", "uncounted"):
            state = "wrong-tag" if tag else "wrong-morphology" if morphology else state
        found.append(state)
    return found


def unlike(side: ComparedSide, row: int) -> str:
    """``another lemma, other features``: what a word's partner has otherwise."""
    flags = [] if side.arcs is None else side.arcs.unlike[row].tolist()
    return ", ".join(itertools.compress(_MORPHOLOGY, flags))


def word_title(
    word: DrawnWord, state: State, there: str, other: DrawnWord | None, unlike: str
) -> str:
    """``“dog”, NN: system has VB``; ``unlike``: as :func:`unlike` says it."""
    text = f"“{' '.join(word.lines)}”" + (f", {word.tag}" if word.tag else "")
    if other is None:
        return text + (f": not in {there}" if state in ("missing", "extra") else "")
    said = {
        "different-words": f": {there} has “{' '.join(other.lines)}” here",
        "wrong-tag": f": {there} has {other.tag or 'no tag'}",
        "wrong-morphology": f": {there} has {unlike}",
        "uncounted": ", which does not count",
    }
    return text + said.get(state, "")


def arc_state(arc: DrawnArc, side: ComparedSide) -> State:
    if arc.kind == "mislabelled":
        return "wrong-relation"
    if arc.kind == "matched" or side.words.partner[arc.dependent] < 0:
        return arc.kind
    return "wrong-head"


def arc_title(
    arc: DrawnArc, state: State, words: Sequence[DrawnWord], there: str, other: str
) -> str:
    """``“dog” is nsubj of “barks”: system has nsubj of “runs”``; ``other``: what the other side
    has, as :func:`hanging` says it."""
    text = f"“{words[arc.dependent].lines[0]}” is {_hanging(arc, words)}"
    if state in ("wrong-head", "wrong-relation"):
        return f"{text}: {there} has {other}"
    return text + (f": {there} has no such word" if state in ("missing", "extra") else "")


def hanging(arcs: Sequence[DrawnArc], words: Sequence[DrawnWord]) -> list[str]:
    """For each word, by what relation it hangs on which word."""
    found = ["no head"] * len(words)
    for arc in arcs:
        found[arc.dependent] = _hanging(arc, words)
    return found


def _hanging(arc: DrawnArc, words: Sequence[DrawnWord]) -> str:
    relation = arc.label or "no relation"
    if arc.head is None:
        return f"the root ({relation})"
    return f"{relation} of “{words[arc.head].lines[0]}”"
