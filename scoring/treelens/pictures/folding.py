"""What is folded in a picture: a constituent with all in it, or a word with all that hangs on it,
as one text that still has every word.

A folded constituent is a triangle over its words. Where all bands of a picture fold the same
columns they become one column; else each keeps its own. Of what is hidden and differs, it is
written how much there is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, TypeVar

import numpy as np

from treelens.pictures import arcs, trees
from treelens.pictures.analysis import nested
from treelens.pictures.canvas import DrawnToken, DrawnWord
from treelens.pictures.drawing import AS_IT_SHOULD_BE, Drawing, DrawnPart, Parts, Sketch
from treelens.pictures.trees import DrawnNode

_NARROWEST, _WIDEST = 15, 60
"""Characters of a line of text, the widest unless there are many lines."""
_LONG = 25
"""Words from which on what is alike is folded when nothing is said of it."""
_WORTH = 3
"""Words of what is folded then, at least."""


def wrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Words in lines of about the same length, more of them the longer the text is."""
    length = sum(map(len, words)) + len(words) - 1
    most = max(_WIDEST, round(3 * math.sqrt(length)))
    room = max(_NARROWEST, min(-(-length // 3), most))
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def folded(drawing: Drawing, ids: Set[str]) -> Drawing:
    """The drawing with some of its parts folded; what cannot be folded stays as it is."""
    wanted = {id for id in ids if id in drawing.parts and drawing.parts[id].foldable}
    wanted |= {twin for id in wanted for twin in drawing.parts[id].twins if twin in drawing.parts}
    if not wanted:
        return drawing
    return (_trees if drawing.kind == "trees" else _arcs)(drawing, wanted)


def alike(drawing: Drawing) -> set[str]:
    """Of a long sentence, the constituents in which nothing differs, the largest of each; of a
    short one, and of dependencies, none."""
    above = drawing.sketches[0].above
    if isinstance(above, arcs.DrawnArcs) or len(above.words) < _LONG or len(drawing.sketches) > 1:
        return set()
    differing = [
        (one.first, one.last)
        for one in _everything(drawing.sketches[0])
        if one.id in drawing.parts and drawing.parts[one.id].state not in AS_IT_SHOULD_BE
    ]
    first, last = np.array(differing, np.int64).reshape(-1, 2).T
    found: set[str] = set()
    reach = 0
    for node in above.nodes:
        if node.first < reach or node.parent < 0 or node.kind not in AS_IT_SHOULD_BE:
            continue
        inside = sum(node.first <= word.first < node.last for word in above.words)
        # (What is larger than a constituent holds it, and is not hidden in it.)
        larger = (
            (first <= node.first) & (last >= node.last) & (last - first > node.last - node.first)
        )
        if inside >= _WORTH and not ((first < node.last) & (node.first < last) & ~larger).any():
            found.add(node.id)
            reach = node.last
    return found


def _everything(sketch: Sketch) -> Iterable[DrawnNode | DrawnWord]:
    for half in (sketch.above, sketch.below):
        if half is not None:
            yield from half.words
            yield from half.nodes if isinstance(half, trees.DrawnTree) else ()


class _Fold(NamedTuple):
    """A constituent of a band that is folded: its index, and its columns."""

    at: int
    first: int
    last: int


# --- constituents ------------------------------------------------------------------------------


def _trees(drawing: Drawing, wanted: Set[str]) -> Drawing:
    folds = [_topmost(sketch.above, wanted) for sketch in drawing.sketches]
    common = set.intersection(*({fold[1:] for fold in found} for found in folds))
    column = _columns(drawing, common)
    parts: Parts = {}
    sketches = []
    for sketch, found in zip(drawing.sketches, folds, strict=True):
        kept, of_sketch = _folded_sketch(sketch, found, drawing.parts, column)
        sketches.append(kept)
        parts |= of_sketch
    return drawing._replace(sketches=tuple(sketches), parts=parts)


def _topmost(half: trees.DrawnTree | arcs.DrawnArcs, wanted: Set[str]) -> list[_Fold]:
    assert isinstance(half, trees.DrawnTree)
    found: list[_Fold] = []
    for index, node in enumerate(half.nodes):
        inside = found and node.first < found[-1].last
        if node.id in wanted and not inside:
            found.append(_Fold(index, node.first, node.last))
    return found


def _columns(drawing: Drawing, common: Iterable[tuple[int, int]]) -> list[int]:
    """The new number of each column, and of the end: those of a fold are one."""
    words = [word for sketch in drawing.sketches for word in sketch.above.words]
    words += [word for sketch in drawing.sketches if sketch.below for word in sketch.below.words]
    total = max(word.last for word in words)
    kept = [True] * total
    for first, last in common:
        kept[first + 1 : last] = [False] * (last - first - 1)
    found, number = [], -1
    for one in kept:
        number += one
        found.append(number)
    return [*found, number + 1]


class _Hidden:
    """What a band's folds hide: how much of it differs, and the parts of all the rest."""

    def __init__(self, folds: Sequence[_Fold], parts: Parts) -> None:
        self._at = {column: fold for fold in folds for column in range(fold.first, fold.last)}
        self._parts = parts
        self.kept: Parts = {}
        self.differing = {fold.at: 0 for fold in folds}

    def fold(self, one: DrawnNode | DrawnWord) -> _Fold | None:
        """The fold that something is in, or crosses; what holds a fold stays as it is."""
        for fold in (self._at.get(one.first), self._at.get(one.last - 1)):
            if fold and not (one.first <= fold.first and fold.last <= one.last):
                return fold
        return None

    def keeps(self, one: DrawnNode | DrawnWord, fold: _Fold | None) -> bool:
        """Take note of something that is in a fold, or in none; whether it is in none."""
        part = self._parts.get(one.id)
        if fold is None and part is not None:
            self.kept[part.id] = part
        elif fold is not None and part is not None and part.state not in AS_IT_SHOULD_BE:
            self.differing[fold.at] += 1
        return fold is None


def _folded_sketch(
    sketch: Sketch, folds: Sequence[_Fold], parts: Parts, column: list[int]
) -> tuple[Sketch, Parts]:
    """A band with some constituents folded, and its parts."""
    above, below = sketch.above, sketch.below
    assert isinstance(above, trees.DrawnTree)
    hidden = _Hidden(folds, parts)
    nodes = [
        (at, node)
        for at, node in enumerate(above.nodes)
        if hidden.keeps(node, _over(at, node, folds))
    ]
    words = [word for word in above.words if hidden.keeps(word, _over(-1, word, folds))]
    lower = None
    if isinstance(below, trees.DrawnTree):
        braces = [node for node in below.nodes if hidden.keeps(node, hidden.fold(node))]
        found = [word for word in below.words if word.written]
        found = [word for word in found if hidden.keeps(word, hidden.fold(word))]
        parents, _ = nested([(node.first, node.last) for node in braces])
        hung = zip(braces, parents, strict=True)
        lower = trees.DrawnTree(
            [_moved(node, column)._replace(parent=up) for node, up in hung],
            [_moved(word, column) for word in found],
        )
        lower = lower if lower.nodes or lower.words else None
    for fold in folds:
        texts = [word.lines[0] for word in above.words if fold.first <= word.first < fold.last]
        words.append(DrawnWord(wrapped(texts), "", *fold[1:], fold.at, folded=True))
        node = above.nodes[fold.at]
        hidden.kept[node.id] = _as_folded(parts[node.id], hidden.differing[fold.at])
    place = {-1: -1, **{index: at for at, (index, _) in enumerate(nodes)}}
    drawn = [
        _moved(node, column)._replace(
            parent=place[node.parent],
            inside=hidden.differing.get(index, 0),
            title=hidden.kept[node.id].title,
        )
        for index, node in nodes
    ]
    words = [_moved(word, column)._replace(parent=place[word.parent]) for word in words]
    words.sort(key=lambda word: word.first)
    return sketch._replace(above=trees.DrawnTree(drawn, words), below=lower), hidden.kept


def _over(index: int, one: DrawnNode | DrawnWord, folds: Sequence[_Fold]) -> _Fold | None:
    """The fold that a node (by its index) or a word (-1) of the same tree is in."""
    for fold in folds:
        inside = fold.first <= one.first < fold.last
        if inside and (index < 0 or index > fold.at):
            return fold
    return None


def _as_folded(part: DrawnPart, differing: int) -> DrawnPart:
    verb = "differs" if differing == 1 else "differ"
    more = f"; folded, {differing} inside {verb}" if differing else "; folded"
    return part._replace(folded=True, title=part.title + more)


_Drawn = TypeVar("_Drawn", DrawnNode, DrawnWord, DrawnToken)


def _moved(one: _Drawn, column: list[int]) -> _Drawn:
    """Where something is after columns have become one."""
    return one._replace(first=column[one.first], last=column[one.last - 1] + 1)


# --- arcs ----------------------------------------------------------------------------------------


class _Run(NamedTuple):
    """Columns that become one, and the word that its words hang on."""

    first: int
    last: int
    id: str


def _arcs(drawing: Drawing, wanted: Set[str]) -> Drawing:
    runs, heads = _runs(drawing, wanted)
    column = _columns(drawing, {run[:2] for run in runs})
    parts: Parts = {}
    sketches = []
    for sketch in drawing.sketches:
        assert isinstance(sketch.above, arcs.DrawnArcs)
        above, of_above = _folded_half(sketch.above, runs, heads, drawing.parts, column)
        below = sketch.below
        parts |= of_above
        if isinstance(below, arcs.DrawnArcs):
            below, of_below = _folded_half(below, runs, heads, drawing.parts, column)
            parts |= of_below
        sketches.append(sketch._replace(above=above, below=below))
    return drawing._replace(sketches=tuple(sketches), parts=parts)


def _runs(drawing: Drawing, wanted: Set[str]) -> tuple[list[_Run], set[str]]:
    """The columns of what hangs on the wanted words, in stretches without a gap, and those words.

    Where those of several touch they are one, which is called what the largest is. (A word need
    not be in any of its own stretches.)
    """
    stretches: list[tuple[int, int, int, str]] = []
    for sketch in drawing.sketches:
        half = sketch.above
        assert isinstance(half, arcs.DrawnArcs)
        below: list[list[int]] = [[] for _ in half.words]
        for arc in half.arcs:
            if arc.head is not None:
                below[arc.head].append(arc.dependent)
        for row, word in enumerate(half.words):
            if word.id in wanted:
                under = sorted(_under(row, below))
                size = len(under)
                for start, end in _contiguous(under):
                    low, high = half.words[start].first, half.words[end - 1].last
                    stretches.append((low, high, size if start <= row < end else 0, word.id))
    runs: list[tuple[int, int, int, str]] = []
    for one in sorted(stretches):
        if runs and one[0] < runs[-1][1]:
            low, high, size, id = runs.pop()
            best = max((size, id), one[2:])
            one = (low, max(high, one[1]), *best)
        runs.append(one)
    found = [_Run(low, high, id if size else "") for low, high, size, id in runs]
    return found, {stretch[-1] for stretch in stretches}


def _under(row: int, below: Sequence[Sequence[int]]) -> set[int]:
    """A word and all that hangs on it; a circle is gone round once."""
    seen, open_ = {row}, [row]
    while open_:
        new = [one for one in below[open_.pop()] if one not in seen]
        seen.update(new)
        open_ += new
    return seen


def _contiguous(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending rows as stretches of two and more."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and row == found[-1][1]:
            found[-1] = found[-1][0], row + 1
        else:
            found.append((row, row + 1))
    return [(start, end) for start, end in found if end - start > 1]


def _folded_half(
    half: arcs.DrawnArcs, runs: Sequence[_Run], heads: Set[str], parts: Parts, column: list[int]
) -> tuple[arcs.DrawnArcs, Parts]:
    """Words with each run as one, arcs between what is left, and the parts of these.

    heads: what is folded, wherever it is drawn.
    """
    run_of = [_run(word, runs) for word in half.words]
    words: list[DrawnWord] = []
    place: list[int] = []
    at: dict[_Run, int] = {}
    for word, run in zip(half.words, run_of, strict=True):
        if run is None:
            words.append(_moved(word, column))
        elif run not in at:
            at[run] = len(words)
            words.append(_joined(half, run, run_of, column))
        place.append(len(words) - 1 if run is None else at[run])
    kept: Parts = {word.id: parts[word.id] for word in words if word.id in parts}
    differing = dict.fromkeys(at, 0)
    for word, run in zip(half.words, run_of, strict=True):
        if run is not None and word.id in parts:
            differing[run] += parts[word.id].state not in AS_IT_SHOULD_BE
    found = []
    for arc in half.arcs:
        head = None if arc.head is None else place[arc.head]
        run = run_of[arc.dependent]
        if run is not None and head == place[arc.dependent]:
            differing[run] += parts[arc.id].state not in AS_IT_SHOULD_BE
            continue
        kept[arc.id] = parts[arc.id]
        found.append(arc._replace(head=head, dependent=place[arc.dependent]))
    for run, index in at.items():
        word = words[index]
        if word.id not in parts:
            continue
        part = parts[word.id]._replace(label=" ".join(word.lines))
        kept[word.id] = _as_folded(part, differing[run])._replace(folded=word.id in heads)
        if differing[run]:
            words[index] = word._replace(tag=str(differing[run]), tag_kind="mislabelled")
    for index, word in enumerate(words):
        if word.id in heads and not kept[word.id].folded:
            kept[word.id] = _as_folded(kept[word.id], 0)
        if word.id in kept:
            words[index] = word._replace(title=kept[word.id].title)
    tokens = [
        _moved(token, column)
        for token in half.tokens
        if not any(run.first < token.last and token.first < run.last for run in runs)
    ]
    return arcs.DrawnArcs(found, words, tokens), kept


def _run(word: DrawnWord, runs: Sequence[_Run]) -> _Run | None:
    return next((run for run in runs if run.first <= word.first < run.last), None)


def _joined(
    half: arcs.DrawnArcs, run: _Run, run_of: Sequence[_Run | None], column: list[int]
) -> DrawnWord:
    """The words of a run as one, which is called what they hang on."""
    inside = [word for word, its in zip(half.words, run_of, strict=True) if its is run]
    named = [word for word in inside if word.id] or inside
    head = next((word for word in named if word.id == run.id), named[0])
    texts = [word.lines[0] for word in sorted(inside, key=lambda word: word.first)]
    written = any(word.written for word in inside)
    made = DrawnWord(
        wrapped(texts), "", run.first, run.last, folded=True, written=written, id=head.id
    )
    return _moved(made._replace(kind=head.kind), column)
