"""The words of both sides of a comparison on the columns of a picture."""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import ComparedSide, wrong_tags, wrong_words
from treelens.pictures.canvas import DrawnToken, DrawnWord, Outcome
from treelens.trees.forest import Forest, Ints, decode
from treelens.trees.other_lines import at_line_start


class SideWords(NamedTuple):
    """One side's words, one for each row of its forest, and its empty nodes, which are no words."""

    words: list[DrawnWord]
    empty: list[DrawnWord]


def compared_words(gold: ComparedSide, system: ComparedSide) -> tuple[SideWords, SideWords]:
    """Both sides' words on shared columns."""
    columns = _columns(gold, system)
    words = _words(gold, columns[0], "missing"), _words(system, columns[1], "extra")
    empty = _empty_nodes(gold.forest, words[0]), _empty_nodes(system.forest, words[1])
    if not any(empty):
        return SideWords(words[0], []), SideWords(words[1], [])
    return _with_room(words[0], empty[0], empty), _with_room(words[1], empty[1], empty)


_EMPTY_NODE = re.compile(
    rb"(%b\d{0,8})\.\d{1,9}\t([^\t\r\n]*)(?:\t[^\t\r\n]*)?(?:\t([^\t\r\n]*))?"
    % at_line_start(rb"\d")
)


def _empty_nodes(forest: Forest, words: list[DrawnWord]) -> list[DrawnWord]:
    """A table's empty nodes, each over no column yet, before the one that it is to stand before."""
    if forest.layout != "rows":
        return []
    found = []
    for sentence in range(len(forest)):
        start, end = (int(forest.first_leaf[at]) for at in (sentence, sentence + 1))
        low, high = forest.piece[sentence].tolist()
        for match in _EMPTY_NODE.finditer(forest.source[low:high]):
            after = start + min(int(match[1]), end - start) - 1
            column = words[after].last if after >= start else words[start].first
            form, tag = decode(match[2]), decode(match[3] or b"").replace("_", "")
            found.append(DrawnWord((form,), tag, column, column, kind="uncounted"))
    return found


def _with_room(
    words: list[DrawnWord], own: list[DrawnWord], all_: tuple[list[DrawnWord], list[DrawnWord]]
) -> SideWords:
    """Everything moved by what is put in before it: at a column, as many as either side has."""
    counts = Counter[int]()
    for side in all_:
        counts |= Counter(word.first for word in side)
    places = sorted(counts)
    sums = [0, *itertools.accumulate(counts[place] for place in places)]
    moved = [
        word._replace(
            first=word.first + sums[bisect.bisect_right(places, word.first)],
            last=word.last + sums[bisect.bisect_left(places, word.last)],
        )
        for word in words
    ]
    empty, nth = [], Counter[int]()
    for word in own:
        first = word.first + sums[bisect.bisect_left(places, word.first)] + nth[word.first]
        nth[word.first] += 1
        empty.append(word._replace(first=first, last=first + 1))
    return SideWords(moved, empty)


def with_other_tag(word: DrawnWord, other: DrawnWord) -> DrawnWord:
    """A word with both tags, where they differ and it is the same word."""
    if word.tag_kind != "mislabelled" or word.kind == "mislabelled":
        return word
    return word._replace(tag_other=other.tag or "–")


def unwritten(word: DrawnWord) -> DrawnWord:
    """A word where it is drawn once more, for what is drawn at it."""
    return word._replace(written=False, tag="", id="", title="")


def without_features(label: str) -> str:
    """A label without features; they are longer than any picture has room for."""
    return label.split("##", 1)[0] or label


def tokens(forest: Forest, words: list[DrawnWord]) -> list[DrawnToken]:
    """The tokens of the text that several words are parts of, as far as they are known."""
    if forest.anchors is None:
        return []
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf)).tolist()
    rows = zip(
        sentence, forest.anchors.token.tolist(), forest.anchors.surface.tolist(), words, strict=True
    )
    found = []
    for _, group in itertools.groupby(rows, key=lambda row: row[:2]):
        parts = list(group)
        surface = next((row[2] for row in parts if row[2]), 0)
        if len(parts) > 1 and surface:
            columns = [column for row in parts for column in row[3][2:4]]
            found.append(DrawnToken(_text(forest, surface), min(columns), max(columns)))
    return found


def _text(forest: Forest, key: int) -> str:
    return decode(forest.symbols.token(key))


def _columns(gold: ComparedSide, system: ComparedSide) -> tuple[Ints, Ints]:
    """First column and end of each side's words; ``(w, 2)`` each.

    A column is a cell of the axis. Traces that take no room there get columns of their own
    before the cell that follows them, those of both sides together.
    """
    cells = max(int(side.words.end.max(initial=0)) for side in (gold, system))
    silent = [side.words.start == side.words.end for side in (gold, system)]
    traces = [
        np.bincount(side.words.start[flags], minlength=cells + 1)
        for side, flags in zip((gold, system), silent, strict=True)
    ]
    extra = np.maximum(*traces)
    after = np.cumsum(extra)
    before = after - extra
    found = []
    for side, flags in zip((gold, system), silent, strict=True):
        start, end = side.words.start, side.words.end
        first, last = start + after[start], end - 1 + after[np.maximum(end - 1, 0)] + 1
        at = np.flatnonzero(flags)
        nth = np.arange(len(at)) - np.searchsorted(start[at], start[at])
        first[at] = start[at] + before[start[at]] + nth
        last[at] = first[at] + 1
        found.append(np.stack((first, last), axis=1).astype(np.int32))
    return found[0], found[1]


def _words(side: ComparedSide, columns: Ints, alone: Outcome) -> list[DrawnWord]:
    forest, words = side.forest, side.words
    wrong, retagged = wrong_words(words).tolist(), wrong_tags(words).tolist()
    partnered = (words.partner >= 0).tolist()
    found = []
    for row, (first, last) in enumerate(columns.tolist()):
        kind: Outcome = "matched" if words.counted[row] else "uncounted"
        if wrong[row]:
            kind = "mislabelled" if partnered[row] else alone
        tag = forest.symbols.label(int(forest.tag[row]))
        text = _text(forest, int(forest.word[row]))
        tag_kind: Outcome = "mislabelled" if retagged[row] else "matched"
        found.append(DrawnWord((text,), without_features(tag), first, last, -1, kind, tag_kind))
    return found
