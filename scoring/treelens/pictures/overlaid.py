"""Gold and system in one drawing: gold above the words, and over it what system has otherwise.

A bracket of system that gold has not stands in gold's tree, between the brackets around it and
those inside; without its brackets marked extra the tree is gold's, without those marked
missing it is system's. A bracket that crosses gold's has no place there and is a brace below the
words; so are, of dependencies, the arcs of system that gold has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from treelens.pictures import arcs, trees
from treelens.pictures.analysis import nested
from treelens.pictures.arcs import DrawnArc
from treelens.pictures.canvas import DrawnWord
from treelens.pictures.drawing import DrawnPart, Parts, RowPlace, Sketch
from treelens.pictures.trees import DrawnNode
from treelens.pictures.views import DrawnSide
from treelens.pictures.words import tokens, unwritten, with_other_tag


def overlaid(gold: DrawnSide, system: DrawnSide) -> tuple[Sketch, Parts]:
    """Both sides as one band, and its parts."""
    words = _words(gold, system)
    if gold.tree is None or system.tree is None:
        sketch, parts = _arcs(gold, system, *words)
    else:
        sketch, parts = _trees(gold, system, *words)
    theirs = {part.id: part.places[0] for part in system.word_parts}
    both = {part.id: _joined(part, theirs) for part in gold.word_parts}
    # (What hangs on a word of system's alone is not drawn as such: it cannot be folded.)
    alone = {
        word.id: part._replace(foldable=False)
        for word, part in zip(words[1], system.word_parts, strict=True)
        if word.id
    }
    return sketch, {**parts, **both, **alone}


def _joined(part: DrawnPart, theirs: Mapping[str, RowPlace]) -> DrawnPart:
    """A part of gold with the place of the system's word that is drawn as the same one."""
    if part.state == "different-words":
        return part
    return part._replace(places=part.places + tuple(theirs[twin] for twin in part.twins))


def _words(gold: DrawnSide, system: DrawnSide) -> tuple[list[DrawnWord], list[DrawnWord]]:
    """Gold's words with both tags where they differ; of system's, those that gold has not."""
    partners = gold.side.words.partner.tolist()
    upper = [
        word if partner < 0 else with_other_tag(word, system.words[partner])
        for word, partner in zip(gold.words, partners, strict=True)
    ]
    lower = [
        word
        if word.kind in ("extra", "mislabelled") or (word.kind == "otherwise" and partner < 0)
        else unwritten(word)
        for word, partner in zip(system.words, system.side.words.partner.tolist(), strict=True)
    ]
    return upper, lower


# --- trees -----------------------------------------------------------------------------------


class _Placed(NamedTuple):
    """A node with what decides among those of the same span: the smaller is above."""

    node: DrawnNode
    part: DrawnPart
    rank: tuple[float, int]


def _trees(
    gold: DrawnSide, system: DrawnSide, upper: list[DrawnWord], lower: list[DrawnWord]
) -> tuple[Sketch, Parts]:
    golds = [
        _Placed(*_with_partner(gold, system, index), (float(index), -1))
        for index in range(len(gold.node_parts))
    ]
    fitting, crossing = _fitting(gold, system)
    placed = [*golds, *_ranked(system, fitting)]
    placed.sort(key=lambda one: (one.node.first, -one.node.last, one.rank))
    above = _hung([one.node for one in placed], upper)
    assert system.tree is not None
    braces = [system.tree.nodes[index] for index in crossing]
    parts = {one.part.id: one.part for one in placed}
    # (Nothing hangs on a brace: it cannot be folded.)
    crossed = [system.node_parts[index]._replace(foldable=False) for index in crossing]
    parts |= {part.id: part for part in crossed}
    parents, _ = nested([(node.first, node.last) for node in braces])
    braces = [node._replace(parent=up) for node, up in zip(braces, parents, strict=True)]
    lower = [word._replace(parent=-1) for word in lower]
    if not braces and not any(word.written for word in lower):
        return Sketch(above), parts
    return Sketch(above, trees.DrawnTree(braces, lower)), parts


def _with_partner(gold: DrawnSide, system: DrawnSide, index: int) -> tuple[DrawnNode, DrawnPart]:
    """One of gold's nodes, together with the system's of the same span."""
    assert gold.tree is not None
    assert system.tree is not None
    node, part, partner = gold.tree.nodes[index], gold.node_parts[index], gold.node_partners[index]
    if partner < 0:
        return node, part
    theirs = system.tree.nodes[partner].label
    if node.kind in ("mislabelled", "otherwise") and theirs != node.label:
        node = node._replace(other=theirs)
    return node, part._replace(places=part.places + system.node_parts[partner].places)


def _fitting(gold: DrawnSide, system: DrawnSide) -> tuple[list[int], list[int]]:
    """Of system's nodes that gold has not: those that cross none of gold's, and the others."""
    assert gold.tree is not None
    assert system.tree is not None
    spans = [(node.first, node.last) for node in gold.tree.nodes]
    first, last = np.array(spans, np.int64).reshape(-1, 2).T
    fitting, crossing = list[int](), list[int]()
    for index, node in enumerate(system.tree.nodes):
        alone = node.kind == "otherwise" and system.node_partners[index] < 0
        if node.kind not in ("extra", "crossing") and not alone:
            continue
        a, b = node.first, node.last
        crossed = (first < a) & (a < last) & (last < b) | (a < first) & (first < b) & (b < last)
        (crossing if crossed.any() else fitting).append(index)
    return fitting, crossing


def _ranked(system: DrawnSide, indices: Sequence[int]) -> list[_Placed]:
    """System's own nodes, each below the last one above it that gold has too."""
    assert system.tree is not None
    found = []
    for index in indices:
        node, above = system.tree.nodes[index], index
        while above >= 0 and system.node_partners[above] < 0:
            above = system.tree.nodes[above].parent
        rank = system.node_partners[above] + 0.5 if above >= 0 else -1.0
        found.append(_Placed(node, system.node_parts[index], (rank, index)))
    return found


def _hung(nodes: list[DrawnNode], words: list[DrawnWord]) -> trees.DrawnTree:
    """Nodes and words with what each hangs on, parents first."""
    parents, _ = nested([(node.first, node.last) for node in nodes])
    columns = max(word.last for word in words)
    over = [-1] * max([columns, *(node.last for node in nodes)])
    for index, node in enumerate(nodes):
        over[node.first : node.last] = [index] * (node.last - node.first)
    return trees.DrawnTree(
        [node._replace(parent=up) for node, up in zip(nodes, parents, strict=True)],
        [word._replace(parent=over[word.first]) for word in words],
    )


# --- arcs ------------------------------------------------------------------------------------


def _arcs(
    gold: DrawnSide, system: DrawnSide, upper: list[DrawnWord], lower: list[DrawnWord]
) -> tuple[Sketch, Parts]:
    others = {part.id: (part, arc) for part, arc in zip(system.arc_parts, system.arcs, strict=True)}
    parts: Parts = {}
    above: list[DrawnArc] = []
    for arc, part in zip(gold.arcs, gold.arc_parts, strict=True):
        theirs = others.get(part.twins[0]) if part.twins else None
        if theirs is not None:
            part = part._replace(places=part.places + theirs[0].places)
            if arc.kind == "mislabelled":
                arc = arc._replace(other=theirs[1].label or "–")
        above.append(arc)
        parts[part.id] = part
    alone = [(arc, part) for part, arc in others.values() if arc.kind == "extra"]
    parts |= {part.id: part for _, part in alone}
    # (Empty nodes stand behind the words, whose places arcs know.)
    half = arcs.DrawnArcs(above, [*upper, *gold.empty], tokens(gold.side.forest, upper))
    known = {(word.first, word.lines) for word in gold.empty}
    empty = [word for word in system.empty if (word.first, word.lines) not in known]
    below = [arc for arc, _ in alone]
    words = [*lower, *(word if word in empty else unwritten(word) for word in system.empty)]
    for arc, part in zip(*system.enhanced, strict=True):
        if arc.kind == "otherwise":  # (The others are gold's, too.)
            below.append(arc)
            parts[part.id] = part
    for arc, part in zip(*gold.enhanced, strict=True):
        head = None if arc.head is None else arc.head + len(words)
        below.append(arc._replace(head=head, dependent=arc.dependent + len(words)))
        parts[part.id] = part
    words += map(unwritten, (*upper, *gold.empty)) if gold.enhanced.arcs else ()
    if not below and not empty and not any(word.written for word in lower):
        return Sketch(half), parts
    return Sketch(half, arcs.DrawnArcs(below, words)), parts
