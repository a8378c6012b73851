"""The words of both sides of a comparison on the columns of a picture."""

from __future__ import annotations

import itertools

import numpy as np

from treelens.compare import Side, wrong_tags, wrong_words
from treelens.forest import Forest, Ints, decode
from treelens.pictures.canvas import Kind, Token, Word


def compared_words(gold: Side, system: Side) -> tuple[list[Word], list[Word]]:
    """Each side's words, one for each row of its forest, on shared columns."""
    columns = _columns(gold, system)
    return _words(gold, columns[0], "missing"), _words(system, columns[1], "extra")


def shown(label: str) -> str:
    """A label without features; they are longer than any picture has room for."""
    return label.split("##", 1)[0] or label


def tokens(forest: Forest, words: list[Word]) -> list[Token]:
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
            found.append(Token(_text(forest, surface), min(columns), max(columns)))
    return found


def _text(forest: Forest, key: int) -> str:
    return decode(forest.symbols.token(key))


def _columns(gold: Side, system: Side) -> tuple[Ints, Ints]:
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


def _words(side: Side, columns: Ints, alone: Kind) -> list[Word]:
    forest, words = side.forest, side.words
    wrong, retagged = wrong_words(words).tolist(), wrong_tags(words).tolist()
    partnered = (words.partner >= 0).tolist()
    found = []
    for row, (first, last) in enumerate(columns.tolist()):
        kind: Kind = "matched" if words.counted[row] else "uncounted"
        if wrong[row]:
            kind = "mislabelled" if partnered[row] else alone
        tag = forest.symbols.label(int(forest.tag[row]))
        text = _text(forest, int(forest.word[row]))
        tag_kind: Kind = "mislabelled" if retagged[row] else "matched"
        found.append(Word((text,), shown(tag), first, last, -1, kind, tag_kind))
    return found
