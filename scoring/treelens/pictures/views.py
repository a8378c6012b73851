"""Both sides of a comparison with everything in them named, ready to be put into a picture."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.differences.wording import ROLES, SideNames
from treelens.pictures.analysis import Constituents, arcs, constituents
from treelens.pictures.arcs import DrawnArc
from treelens.pictures.canvas import DrawnWord, Outcome
from treelens.pictures.drawing import (
    AS_IT_SHOULD_BE,
    DrawnPart,
    RowPlace,
    State,
    identified,
    letter,
)
from treelens.pictures.enhanced import EnhancedArcs, below
from treelens.pictures.naming import (
    arc_state,
    arc_title,
    bracket_title,
    hanging,
    unlike,
    word_states,
    word_title,
)
from treelens.pictures.otherwise import UncountedRows, nothing, otherwise
from treelens.pictures.words import compared_words, with_other_tag


class DrawnSide(NamedTuple):
    """One side: its words by row, and its constituents or its arcs, each with its part.

    number: 0 for gold, else the system's. node_partners: the other side's node with the same
    span, by index; -1: none. empty: a table's empty nodes, which are no words. enhanced: arcs below
    the words, between these and the empty nodes behind them.
    """

    number: int
    side: ComparedSide
    words: list[DrawnWord]
    empty: list[DrawnWord]
    word_parts: list[DrawnPart]
    tree: Constituents | None
    node_parts: list[DrawnPart]
    node_partners: list[int]
    arcs: list[DrawnArc]
    arc_parts: list[DrawnPart]
    enhanced: EnhancedArcs = EnhancedArcs([], [])


def views(
    comparison: Comparison, number: int, names: SideNames = ROLES, *, strict: bool = False
) -> tuple[DrawnSide, DrawnSide]:
    """Gold's and the system's, whose number is given; ``names``: what the sides are called;
    ``strict``: with what differs and no score counts."""
    sides = comparison.gold, comparison.system
    numbers = 0, number
    drawn = compared_words(*sides)
    words = identified(drawn[0].words, 0), identified(drawn[1].words, number)
    pale = otherwise(comparison) if strict else nothing()
    if comparison.gold.arcs is None:
        return _trees(sides, numbers, words, names, pale)
    gold, system = _tables(sides, numbers, words, names, pale)
    spoken = tuple([*side.words, *side.empty] for side in drawn)
    called = names.gold, names.system
    enhanced = below(comparison, (spoken[0], spoken[1]), numbers, called, strict=strict)
    return (
        gold._replace(empty=drawn[0].empty, enhanced=enhanced[0]),
        system._replace(empty=drawn[1].empty, enhanced=enhanced[1]),
    )


def with_words_compared(
    view: DrawnSide,
    comparison: Comparison,
    own: int,
    there: str,
    *,
    strict: bool = False,
) -> DrawnSide:
    """A side that is drawn by itself, with what a comparison says of its words: with an analysis of
    another kind, of which nothing else can be compared. ``own``: whether it is gold's, 0, or the
    system's, 1; ``there``: what the other side is called."""
    sides = comparison.gold, comparison.system
    drawn = [identified(side.words, at) for at, side in enumerate(compared_words(*sides))]
    pale = otherwise(comparison) if strict else nothing()
    found = _words(sides[own], drawn[own], drawn[1 - own], own, there, pale[own])
    partners = sides[own].words.partner.tolist()
    words, parts = [], []
    for at, (word, part) in enumerate(zip(*found, strict=True)):
        mine = view.words[at]._replace(
            kind=word.kind, tag=word.tag, tag_kind=word.tag_kind, title=word.title
        )
        if partners[at] >= 0:
            mine = with_other_tag(mine, drawn[1 - own][partners[at]])
        words.append(mine)
        parts.append(view.word_parts[at]._replace(state=part.state, title=part.title))
    tree = view.tree
    return view._replace(words=words, word_parts=parts, tree=tree and tree._replace(words=words))


_ALONE: tuple[Outcome, Outcome] = ("missing", "extra")


def _trees(
    sides: tuple[ComparedSide, ComparedSide],
    numbers: tuple[int, int],
    words: tuple[list[DrawnWord], list[DrawnWord]],
    names: SideNames,
    pale: tuple[UncountedRows, UncountedRows],
) -> tuple[DrawnSide, DrawnSide]:
    trees = [
        constituents(side, drawn, alone, letter(number))
        for side, drawn, alone, number in zip(sides, words, _ALONE, numbers, strict=True)
    ]
    found = []
    for at in (0, 1):
        tree, other = trees[at], trees[1 - at]
        partners = _partners(sides[at], tree, other)
        parts = []
        for index, node in enumerate(tree.nodes):
            if at == 0 and node.kind == "crossing":
                # What crosses is system's: of gold's bracket, system has none.
                node = node._replace(kind="missing")
            theirs = other.nodes[partners[index]] if partners[index] >= 0 else None
            over = words[at][slice(*tree.spans[index])]
            if node.kind in AS_IT_SHOULD_BE and tree.rows[index] in pale[at].nodes:
                node = node._replace(kind="otherwise")
            title = bracket_title(node, over, names[1 - at], theirs.label if theirs else "")
            title += "".join(pale[at].nodes.get(tree.rows[index], ()))
            place = RowPlace(numbers[at], tree.rows[index])
            twins = (theirs.id,) if theirs else ()
            many = tree.ends[index] > index + 1 or len(over) > 1
            part = DrawnPart(
                node.id, "constituent", node.label, node.kind, title, (place,), twins, many
            )
            tree.nodes[index] = node._replace(title=title)
            parts.append(part)
        drawn, word_parts = _words(
            sides[at], words[at], words[1 - at], numbers[at], names[1 - at], pale[at]
        )
        hung = [
            word._replace(parent=one.parent) for word, one in zip(drawn, tree.words, strict=True)
        ]
        tree = tree._replace(words=hung)
        found.append(
            DrawnSide(numbers[at], sides[at], hung, [], word_parts, tree, parts, partners, [], [])
        )
    return found[0], found[1]


def _partners(side: ComparedSide, tree: Constituents, other: Constituents) -> list[int]:
    """For each node the other side's of the same span, also if its label is another."""
    index = {bracket: at for at, bracket in enumerate(other.brackets) if bracket >= 0}
    same, relabelled = side.brackets.partner.tolist(), side.brackets.relabelled.tolist()
    return [
        index.get(max(same[bracket], relabelled[bracket]), -1) if bracket >= 0 else -1
        for bracket in tree.brackets
    ]


def _words(
    side: ComparedSide,
    words: list[DrawnWord],
    others: list[DrawnWord],
    number: int,
    there: str,
    pale: UncountedRows,
) -> tuple[list[DrawnWord], list[DrawnPart]]:
    """A side's words with what is read out of them, and their parts; ``there``: what the other
    side is called."""
    partners = side.words.partner.tolist()
    named, parts = [], []
    for row, (word, state) in enumerate(zip(words, word_states(side, words), strict=True)):
        other = others[partners[row]] if partners[row] >= 0 else None
        title = word_title(word, state, there, other, unlike(side, row))
        if state in AS_IT_SHOULD_BE and row in pale.words:
            word, state = word._replace(kind="otherwise"), "otherwise"
        title += "".join(pale.words.get(row, ()))
        twins = (other.id,) if other else ()
        place = (RowPlace(number, row),)
        named.append(word._replace(title=title))
        parts.append(DrawnPart(word.id, "word", " ".join(word.lines), state, title, place, twins))
    return named, parts


def _tables(
    sides: tuple[ComparedSide, ComparedSide],
    numbers: tuple[int, int],
    words: tuple[list[DrawnWord], list[DrawnWord]],
    names: SideNames,
    pale: tuple[UncountedRows, UncountedRows],
) -> tuple[DrawnSide, DrawnSide]:
    drawn = [
        arcs(side, alone, letter(number))
        for side, alone, number in zip(sides, _ALONE, numbers, strict=True)
    ]
    said = [hanging(drawn[at], words[at]) for at in (0, 1)]
    found = []
    for at in (0, 1):
        side, partners = sides[at], sides[at].words.partner.tolist()
        named, word_parts = _words(
            side, words[at], words[1 - at], numbers[at], names[1 - at], pale[at]
        )
        heads = _foldable(drawn[at], len(words[at]))
        for row in heads:
            word_parts[row] = word_parts[row]._replace(foldable=True)
        made, parts = [], []
        by_dependent = {arc.dependent: arc for arc in drawn[1 - at]}
        for arc in drawn[at]:
            partner = partners[arc.dependent]
            state: State = arc_state(arc, side)
            other = said[1 - at][partner] if partner >= 0 else ""
            title = arc_title(arc, state, words[at], names[1 - at], other)
            theirs = by_dependent.get(partner)
            twins = (theirs.id,) if theirs and arc.kind in ("matched", "mislabelled") else ()
            place = (RowPlace(numbers[at], arc.dependent),)
            made.append(arc._replace(title=title))
            parts.append(DrawnPart(arc.id, "arc", arc.label, state, title, place, twins))
        found.append(DrawnSide(numbers[at], side, named, [], word_parts, None, [], [], made, parts))
    return found[0], found[1]


def _foldable(found: Sequence[DrawnArc], words: int) -> set[int]:
    """The words that have two neighbours below them, themselves among these."""
    heads = {arc.dependent: arc.head for arc in found}
    paths = []
    for row in range(words):
        path, above = {row}, heads.get(row)
        while above is not None and above not in path:
            path.add(above)
            above = heads.get(above)
        paths.append(path)
    return set().union(*(one & other for one, other in itertools.pairwise(paths)))
