"""CoNLL-X and CoNLL-U tables: text in, a forest and its problems out, whatever the text.

A line a word, ten columns (or, in all of a sentence, eight) with tabs between them, a blank line
between sentences. Sentences that are well-formed are read by passes over whole blocks of bytes;
one that is not goes to the careful reader of :mod:`treelens.formats.conll_repair`, alone. What a
sentence means depends on nothing but its own lines, so an edit is read where it is made.

Both formats are read alike. Lines of multiword tokens (``3-4``) say which words are parts of
one token (:class:`~treelens.trees.forest.Anchors`); empty nodes (``5.1``) are not words. An
underscore as a tag or a relation is none at all; as a form, a lemma or a set of features it is
kept as it is written. A HEAD column of nothing but underscores is a text that is only tagged.
Read and not looked into: features, DEPS, MISC. A little longer than other modules are, as both
formats are read by the same passes.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.formats.brackets import BLOCK_BYTES, ClassedText, token_keys
from treelens.formats.care import Care
from treelens.formats.conll_repair import BOM, DIGITS, another_root, blanks, read_carefully
from treelens.trees.forest import (
    COLUMNS,
    DEPREL,
    DEPS,
    FEATS,
    FEWER_COLUMNS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    ROOT,
    UPOS,
    XPOS,
    Anchors,
    Dependencies,
    Fields,
    Forest,
    Ints,
    Keys,
    Problem,
    Symbols,
    concatenate,
    gather,
    running,
)

Flags = npt.NDArray[np.bool_]
Offsets = npt.NDArray[np.int64]

_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32
_DASH, _DOT, _COMMENT, _ZERO, _UNDERSCORE = b"-.#0_"

MOST_CARE = 1_000_000
"""How much of a text is read with care, in lines and one for each sentence: fifty megabytes of
tables of which each has something unusual. What is behind is left out, and said to be; what a
command reads in parts never has so much."""
_CARE_OF_ONE = 1
_START = attrgetter("start")

_BLANK_LINE = re.compile(rb"(?>\r\n|\r|\n)[ \t]*+(?>\r\n|\r|\n)")


def read(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """Read a whole text of tables; never raises.

    Comments and blank lines before a sentence belong to it, those at the end to the last. A
    text without any word has no sentences. Problems are in text order.
    """
    # (Rows with NULs are read with care. Behind the text is room for a number, and for a key.)
    data = np.frombuffer(source + bytes(max(DIGITS + 1, 8)), np.uint8)
    text = ClassedText(source, data, data, nuls=False, lines=np.zeros(0, np.intp))
    blocks = _blocks(source)
    if len(blocks) > 1:
        from concurrent.futures import ThreadPoolExecutor  # which small files do without

        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda block: _read_block(text, block, symbols), blocks))
    else:
        results = [_read_block(text, block, symbols) for block in blocks]
    parts, problems, care = _with_care(text, results, symbols)
    forest = dataclasses.replace(concatenate(parts), care=care)
    if len(forest):
        forest.piece[0, 0] = 0
        forest.piece[1:, 0] = _next_lines(source, forest.tree[:-1, 1])
        forest.piece[:-1, 1] = forest.piece[1:, 0]
        forest.piece[-1, 1] = len(source)
    return forest, problems


def _blocks(source: bytes) -> list[tuple[int, int]]:
    """The text in stretches of about :data:`BLOCK_BYTES`, cut behind blank lines."""
    cuts = [0]
    while cuts[-1] + BLOCK_BYTES < len(source):
        blank = _BLANK_LINE.search(source, cuts[-1] + BLOCK_BYTES)
        if blank is None:
            break
        cuts.append(blank.end())
    return list(itertools.pairwise([*cuts, len(source)]))


def _next_lines(source: bytes, ends: Ints) -> Ints:
    """Where the next line starts after each end of a line (which is not the text's)."""
    data = np.frombuffer(source, np.uint8)
    after = np.minimum(ends + 1, len(data) - 1)
    return ends + 1 + ((data[ends] == _RETURN) & (data[after] == _NEWLINE) & (after > ends))


class _Block(NamedTuple):
    """Regular sentences of a block and what is said of them, and the stretches that are others:
    (stretches, 2), with how many lines each has."""

    forest: Forest
    problems: list[Problem]
    careful: Offsets
    lines: Offsets


def _read_block(text: ClassedText, block: tuple[int, int], symbols: Symbols) -> _Block:
    """Regular sentences by columns."""
    lines = _lines(text, *block)
    stretches = _stretches(text, lines)
    forest, irregular = _regular(text, lines, stretches, symbols)
    problems = [*_several_roots(forest), *(blanks(*span) for span in stretches.blanks)]
    careful = stretches.extent[irregular]
    return _Block(forest, problems, careful, np.diff(stretches.first_row)[irregular])


def _with_care(
    text: ClassedText, blocks: list[_Block], symbols: Symbols
) -> tuple[list[Forest], list[Problem], float]:
    """Blocks with their other stretches read as well, together in text order, and the share of
    care that was spent."""
    care, parts, problems = Care(MOST_CARE), list[Forest](), list[Problem]()
    for forest, found, careful, lines in blocks:
        if len(careful):
            stretches = care.within(careful, lines + _CARE_OF_ONE)
            part, more = read_carefully(text.source, map(tuple, stretches.tolist()), symbols)
            part = concatenate([forest, part])
            forest = gather(part, np.argsort(part.tree[:, 0], kind="stable"))
            found = sorted(found + more, key=_START)
        parts.append(forest)
        problems += found
    return parts, problems + care.problems("table"), care.share


# --- lines and sentences -------------------------------------------------------------------


class _Lines(NamedTuple):
    """The lines of a block; ``l`` of them."""

    start: Offsets  # (l,)
    end: Offsets  # (l,) without the line break
    first: Offsets  # (l,) its first tab's number, or the next one's
    tabs: Offsets  # (l,) how many it has
    tab: Offsets  # of all tabs and line breaks, and the block's end
    nul: Offsets


def _lines(text: ClassedText, low: int, high: int) -> _Lines:
    # Whatever is of interest is among the control characters below 14.
    offset = np.flatnonzero(text.data[low:high] <= _RETURN)
    offset += low
    kind = text.data[offset]
    breaks = kind == _NEWLINE
    nul = offset[:0]
    if not (breaks | (kind == _TAB)).all():
        nul = offset[kind == 0]
        breaks |= (kind == _RETURN) & (text.data[offset + 1] != _NEWLINE)
        kept = breaks | (kind == _TAB)
        offset, breaks = offset[kept], breaks[kept]
    at = np.flatnonzero(breaks)
    end = offset[at]
    start = np.append(low, end + 1)
    end = np.append(end - ((text.data[end] == _NEWLINE) & (text.data[end - 1] == _RETURN)), high)
    first = np.append(0, at + 1)
    tabs = np.append(at, len(offset)) - first
    if low == 0 and text.source.startswith(BOM):
        start[0] = len(BOM)
    return _Lines(start, end, first, tabs, np.append(offset, high), nul)


class _Stretches(NamedTuple):
    """Runs of lines that are not blank and of which one is a row; ``s`` of them."""

    extent: Offsets  # (s, 2)
    row: Offsets  # (r,) lines that are rows
    first_row: Offsets  # (s+1,)
    commented: Flags  # (s,) a comment stands behind the first row
    blanks: list[tuple[int, int]]  # lines that are not empty but blank


def _stretches(text: ClassedText, lines: _Lines) -> _Stretches:
    start, end = lines.start, lines.end
    blank = start == end
    initial = text.data[start]
    found = []
    for at in np.flatnonzero(~blank & ((initial == _BLANK) | (initial == _TAB))).tolist():
        span = int(start[at]), int(end[at])
        if not text.source[slice(*span)].strip(b" \t"):
            blank[at] = True
            found.append(span)
    row = np.flatnonzero(~blank & (initial != _COMMENT))
    # Blank lines, and one before and one behind all lines.
    cuts = np.concatenate([[-1], np.flatnonzero(blank), [len(start)]])
    run = np.cumsum(blank)[row]
    new = np.flatnonzero(np.diff(run, prepend=-1))
    first_row = np.append(new, len(row))
    above, below = cuts[run[new]] + 1, cuts[run[new] + 1] - 1
    extent = np.stack([start[above], end[below]], axis=1)
    commented = below - row[new] + 1 != np.diff(first_row)
    return _Stretches(extent, row, first_row, commented, found)


# --- regular sentences, all at once --------------------------------------------------------


class _Parts(NamedTuple):
    """Rows that are no words; ``p`` of them."""

    row: Offsets  # (p,)
    dash: Flags  # (p,) a multiword token; else an empty node
    first: Ints  # (p,) the numbers of the ID, -1 where there is none
    second: Ints  # (p,)


def _regular(
    text: ClassedText, lines: _Lines, stretches: _Stretches, symbols: Symbols
) -> tuple[Forest, Flags]:
    """The sentences in which nothing is unusual; which stretches are none of these, ``(s,)``."""
    field = _fields(lines, stretches.row)
    sizes = np.diff(stretches.first_row)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    number = _numbers(text, field[:, ID], field[:, ID + 1] - 1)
    word = np.flatnonzero(number >= 0)
    of = sentence[word]
    size = np.bincount(of, minlength=len(sizes))
    place = np.arange(1, len(word) + 1) - running(size)[of]
    parts = _parts(text, field, np.flatnonzero(number < 0))
    head_start, head_end = field[word, HEAD], field[word, HEAD + 1] - 1
    head = _numbers(text, head_start, head_end)

    irregular = stretches.commented | (size == 0)
    at = np.searchsorted(stretches.extent[:, 0], lines.nul, side="right") - 1
    irregular[at[at >= 0]] = True
    irregular[sentence[_bad_rows(text, lines, stretches.row, sentence)]] = True
    irregular[of[number[word] != place]] = True
    irregular[of[field[word, FORM] >= field[word, FORM + 1] - 1]] = True
    irregular[sentence[_bad_parts(parts, field, word, sentence, size)]] = True
    bare = (text.data[head_start] == _UNDERSCORE) & (head_end - head_start == 1)
    tagged_only = np.bincount(of[bare], minlength=len(sizes)) == size
    irregular |= ~tagged_only & _bad_heads(head, of, size)

    kept = ~irregular
    used, dashed = kept[of], parts.dash & kept[sentence[parts.row]]
    # A missing number is -1; a head's number counts from 1, and then from 0.
    head = (head - 1)[used]
    forest = _forest(text, stretches.extent[kept], size[kept], field[word[used]], head, symbols)
    forest = _anchored(text, forest, word[used], field, _Parts(*(c[dashed] for c in parts)))
    return forest, irregular


def _fields(lines: _Lines, row: Offsets) -> Ints:
    """``(r, 11)``, as :attr:`treelens.trees.forest.Fields.bounds`."""
    field = np.empty((len(row), COLUMNS + 1), np.int32)
    field[:, 0] = lines.start[row]
    at = lines.first[row][:, None] + np.arange(COLUMNS - 1)
    field[:, 1:COLUMNS] = lines.tab.take(at, mode="clip")
    field[:, 1:COLUMNS] += 1
    field[:, COLUMNS] = lines.end[row] + 1
    return np.minimum(field, field[:, COLUMNS:], out=field)


def _numbers(text: ClassedText, start: Ints, end: Ints) -> Ints:
    """The whole number that stands at each place, -1 where none does."""
    length = end - start
    number = np.zeros(len(start), np.int32)
    good = (length > 0) & (length <= DIGITS)
    for place in range(min(int(length.max(initial=0)), DIGITS)):
        here = length > place
        digit = text.data[start + place] - np.uint8(_ZERO)  # below the zero it wraps round
        good &= ~here | (digit < 10)
        number = np.where(here, number * np.int32(10) + digit, number)
    return np.where(good, number, np.int32(-1))


def _parts(text: ClassedText, field: Ints, row: Offsets) -> _Parts:
    start, end = field[row, ID], field[row, ID + 1] - 1
    cut = end.copy()
    for place in range(DIGITS, 0, -1):
        there = start + place
        mark = text.data[there]
        cut = np.where(((mark == _DASH) | (mark == _DOT)) & (there < end), there, cut)
    dash = text.data[cut] == _DASH
    return _Parts(row, dash, _numbers(text, start, cut), _numbers(text, cut + 1, end))


def _bad_rows(text: ClassedText, lines: _Lines, row: Offsets, sentence: Offsets) -> Flags:
    tabs = lines.tabs[row]
    fewer = np.bincount(sentence[tabs != FEWER_COLUMNS - 1], minlength=len(row)) == 0
    few = (tabs != COLUMNS - 1) & ~fewer[sentence]
    return few | (text.data[lines.end[row] - 1] == _BLANK)


def _bad_parts(
    parts: _Parts, field: Ints, word: Offsets, sentence: Offsets, size: Offsets
) -> Offsets:
    """Rows of multiword tokens and empty nodes that are not as they should be."""
    row, dash, first, second = parts
    of = sentence[row]
    before = np.searchsorted(word, row) - running(size)[of]
    follows = np.zeros(len(row), np.bool_)
    follows[1:] = (of[1:] == of[:-1]) & (first[1:] == first[:-1]) & ~dash[:-1]
    expected = np.where(follows, np.append(0, second[:-1]) + 1, 1)
    bad_node = (first != before) | (second != expected)
    bad_range = (first != before + 1) | (second < first) | (second > size[of])
    bad_range |= field[row, FORM] >= field[row, FORM + 1] - 1
    ranges = np.flatnonzero(dash)
    one, other = ranges[:-1], ranges[1:]
    bad_range[other] |= (of[one] == of[other]) & (second[one] >= first[other])
    return row[np.where(dash, bad_range, bad_node)]


def _bad_heads(head: Ints, of: Offsets, size: Offsets) -> Flags:
    """Which sentences are not trees with a root, ``(s,)``; heads count from 1."""
    bad = np.bincount(of[head == 0], minlength=len(size)) == 0
    wrong = (head < 0) | (head > size[of])
    bad[of[wrong]] = True
    # Follow all heads at once, twice as far each time. The root is one word past the last.
    end = len(head)
    up = np.full(end + 1, end)
    np.copyto(up[:-1], running(size)[of] + head - 1, where=(head > 0) & ~wrong)
    for _ in range(int(size.max(initial=1)).bit_length()):
        up = up[up]
        if (up == end).all():
            return bad
    bad[of[up[:-1] != end]] = True
    return bad


def _forest(
    text: ClassedText, extent: Offsets, size: Offsets, field: Ints, head: Ints, symbols: Symbols
) -> Forest:
    def keys(column: int) -> Keys:
        return _keys(text, field, column, symbols)

    names = np.concatenate([keys(UPOS), keys(XPOS), keys(DEPREL)])
    names[names == _UNDERSCORE] = 0
    tag, xpos, relation = symbols.label_ids(names).reshape(3, -1)
    tree = extent.astype(np.int32)
    nothing = np.zeros(0, np.int32)
    return Forest(
        source=text.source,
        symbols=symbols,
        piece=tree.copy(),
        tree=tree,
        first_node=np.zeros(len(tree) + 1, np.int32),
        first_leaf=running(size),
        label=nothing,
        label_start=nothing,
        label_end=nothing,
        first=nothing,
        last=nothing,
        open=nothing,
        close=nothing,
        word=keys(FORM),
        tag=tag,
        leaf_open=field[:, 0].copy(),
        leaf_close=field[:, COLUMNS] - 1,
        tag_start=field[:, UPOS].copy(),
        tag_end=field[:, UPOS + 1] - 1,
        word_start=field[:, FORM].copy(),
        word_end=field[:, FORM + 1] - 1,
        layout="rows",
        dependencies=Dependencies(head, relation),
        fields=Fields(keys(LEMMA), xpos, keys(FEATS), keys(DEPS), keys(MISC), field),
    )


def _several_roots(forest: Forest) -> Iterator[Problem]:
    """Of regular sentences; nothing else can be wrong with them."""
    if forest.dependencies is None or forest.fields is None:
        return
    roots = np.flatnonzero(forest.dependencies.head == ROOT)
    of = np.searchsorted(forest.first_leaf, roots, side="right")
    more = np.flatnonzero(of[1:] == of[:-1]) + 1
    first = roots[np.searchsorted(of, of[more])]
    for one, other in zip(first.tolist(), roots[more].tolist(), strict=True):
        cells = [list(itertools.pairwise(forest.fields.bounds[k].tolist())) for k in (one, other)]
        spans = [[(start, behind - 1) for start, behind in each] for each in cells]
        yield another_root(forest.source, *spans)


def _keys(text: ClassedText, field: Ints, column: int, symbols: Symbols) -> Keys:
    start, end = (field[:, at].astype(np.int64) for at in (column, column + 1))
    # (A field that the line does not have is behind its end.)
    start = np.minimum(start, len(text.source))
    return token_keys(text, start, np.maximum(end - 1, start), symbols)


def _anchored(
    text: ClassedText, forest: Forest, word: Offsets, field: Ints, ranges: _Parts
) -> Forest:
    """With the tokens that words are parts of: ``ranges`` are the multiword tokens' rows."""
    starts = np.ones(len(word), np.bool_)
    surface = forest.word
    if len(ranges.row):
        sizes = ranges.second - ranges.first + 1
        first = np.searchsorted(word, ranges.row)
        inside = np.repeat(first - running(sizes)[:-1], sizes) + np.arange(sizes.sum())
        starts[inside] = False
        starts[first] = True
        forms = _keys(text, field[ranges.row], FORM, forest.symbols)
        surface = surface.copy()
        surface[inside] = np.repeat(forms, sizes)
    token = np.cumsum(starts, dtype=np.int32) - 1
    first_word = forest.first_leaf[:-1]
    token -= np.repeat(token[first_word], np.diff(forest.first_leaf))
    return dataclasses.replace(forest, anchors=Anchors(token, surface))
