"""Penn-style brackets: text in, a forest and its problems out, whatever the text.

Well-formed trees are read by passes over whole blocks of bytes (:func:`read_columns`); a
stretch that is not well-formed, as is normal while somebody types, goes to the careful
reader of :mod:`treelens.formats.brackets_repair`, alone: its neighbours never notice.

What lets a broken tree be cut off from the next one are *anchors*: places where a tree must
start. Which places those are is a habit of the whole file (:class:`Habit`), which its beginning
says, so that what an edit further on means depends on its surroundings only.

Longer than other modules are: the passes work on the same arrays, one after the other.
"""

from __future__ import annotations

import enum
import itertools
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.formats.care import Care, Offsets
from treelens.trees.forest import (
    DEEPEST,
    INLINE_BYTES,
    Forest,
    Ints,
    Keys,
    Problem,
    Symbols,
    concatenate,
    gather,
    running,
)

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

BLOCK_BYTES = 1 << 19
"""About what the inner caches hold; blocks are also what two threads share out."""

_TOKEN, _BLANK, _OPEN, _CLOSE = range(4)
_CLASSES = bytearray([_TOKEN]) * 256
_CLASSES[ord("(")], _CLASSES[ord(")")] = _OPEN, _CLOSE
for _blank in b" \t\n\v\f\r":
    _CLASSES[_blank] = _BLANK

_CLEARLY = 0.05
_SOME = 256
"""Labels that say enough of a text's."""
_COMMENT_MARKS = b"#%;"
_BOM = b"\xef\xbb\xbf"
_NEWLINE, _RETURN = 10, 13
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
MOST_CARE = 10_000_000
"""How much of a text is read with care, in brackets and words and ten for each tree: twenty
megabytes of trees that are broken all. What is behind is left out, and said to be; what a command
reads in parts never has so much."""
_CARE_OF_ONE = 10


class Habit(enum.Enum):
    """Where a tree is certain to start, also after one that was left open."""

    COLUMN = "at each bracket in the first column"
    PARAGRAPH = "at the first bracket after a blank line"


class ClassedText(NamedTuple):
    """A text ready to be read in blocks: its bytes, and the class of each."""

    source: bytes
    data: Bytes
    """Eight NULs longer than the source, so that eight bytes can be read at any token."""
    classes: Bytes
    nuls: bool
    """Whether any byte is NUL: such tokens are no keys themselves."""
    lines: Offsets
    """Where lines start, behind each byte of a line break; the first one, behind a BOM."""


class RegularTrees(NamedTuple):
    """The regular trees among some regions, and which regions were not (``(regions,)``)."""

    forest: Forest
    irregular: Flags


def read(
    source: bytes, symbols: Symbols, habit: Habit | None = None
) -> tuple[Forest, list[Problem]]:
    """Read a whole text of brackets; never raises.

    Blank lines and comments (lines that start with ``#``, ``%`` or ``;``, unless that is a
    word whose brackets close right behind it) belong to the tree
    that follows them, those at the end to the last. A text without any tree has no sentences.
    Problems are in text order.
    """
    if len(source) > MOST_CARE and (why := _holds_none(source)):
        return _no_tree(source, symbols, why)
    text = prepare(source)
    anchors = _anchors(text, habit or sniff(source))
    blocks = _of_lines(text, anchors, symbols)
    if blocks is None:
        blocks = _read_blocks(text, _regions(text, anchors), symbols)
    parts, problems, care = _with_care(text, blocks, symbols)
    forest = replace(concatenate(parts), care=care)
    if len(forest):
        # Whatever stands before, between and behind the trees belongs to one of them.
        forest.piece[0, 0] = 0
        forest.piece[:-1, 1] = forest.piece[1:, 0]
        forest.piece[-1, 1] = len(source)
    return forest, problems


def sniff(source: bytes) -> Habit:
    """The habit under which more of the text is well-formed.

    First column unless the other is clearly better: it cuts a broken tree off sooner, and
    in a text without blank lines two mistakes that cancel out would look like one good tree,
    unless there most trees have brackets of their own in the first column.
    So, too, one tree that is being typed does not make another text of a hundred others.
    """
    text = prepare(source)
    starts = _anchors(text, Habit.COLUMN)
    column = _well_formed(text, starts)
    paragraph = _well_formed(text, _anchors(text, Habit.PARAGRAPH))
    if not len(paragraph) or not len(column):
        return Habit.COLUMN if len(column) else Habit.PARAGRAPH
    better = paragraph.mean() - column.mean() > _CLEARLY
    if better and (len(paragraph) > 1 or column.mean() < 0.5):
        return Habit.PARAGRAPH
    flush = len(paragraph) == 1 and not column.all() and _are_flush(text, starts)
    return Habit.PARAGRAPH if flush else Habit.COLUMN


def _are_flush(text: ClassedText, column: Offsets) -> bool:
    """Whether most trees, of those that are closed, have other brackets than their first in the
    first ``column``, which mostly have other labels: trees that a bracket too few and one too many
    make one tree have the same."""
    brackets = np.flatnonzero(text.classes >= _OPEN)
    depth = _depth(text.classes[brackets])
    ends = np.flatnonzero(depth == 0)
    if not len(ends) or depth.min() < 0:
        return False
    starts = brackets[np.append(0, ends[:-1] + 1)]
    column = column[column <= brackets[ends[-1]]]
    tree = np.searchsorted(starts, column, side="right") - 1
    inner = column > starts[tree]
    if 2 * np.count_nonzero(np.diff(tree[inner], prepend=-1)) <= len(starts):
        return False
    some = np.flatnonzero(inner)[:_SOME]
    pairs = zip(starts[tree[some]].tolist(), column[some].tolist(), strict=True)
    same = sum(_label(text, of_tree) == _label(text, other) for of_tree, other in pairs)
    return 2 * same < len(some)


def _label(text: ClassedText, bracket: int) -> bytes:
    end = bracket + 1
    while text.classes[end] == _TOKEN and end < len(text.source):
        end += 1
    return text.source[bracket + 1 : end]


def prepare(source: bytes) -> ClassedText:
    """Classify every byte; comment lines and a BOM count as blank."""
    data = np.frombuffer(source + bytes(8), np.uint8)
    classes = np.frombuffer(bytearray(source.translate(_CLASSES)), np.uint8)
    first = len(_BOM) if source.startswith(_BOM) else 0
    classes[:first] = _BLANK
    lines = np.append(first, _line_breaks(source, data[: len(source)]) + 1)
    for start, end in _comments(source, data, lines):
        classes[start:end] = _BLANK
    return ClassedText(source, data, classes, 0 in source, lines)


def _comments(source: bytes, data: Bytes, lines: Offsets) -> list[tuple[int, int]]:
    """Start and end of each comment line."""
    first = data[lines]
    marked = np.zeros(len(lines), np.bool_)
    for mark in _COMMENT_MARKS:
        marked |= first == mark
    marks = np.flatnonzero(marked)
    if not len(marks):
        return []
    from treelens.trees.other_lines import CLOSED_WORD  # which text without comments does without

    ends = np.append(lines[1:] - 1, len(source))[marks]
    return [
        (start, end)
        for start, end in zip(lines[marks].tolist(), ends.tolist(), strict=True)
        if not CLOSED_WORD.match(source, start)
    ]


def _line_breaks(source: bytes, data: Bytes) -> Offsets:
    breaks = data == _NEWLINE
    if _RETURN in source:
        breaks |= data == _RETURN
    return np.flatnonzero(breaks)


# --- regions: one tree each, or one stretch that needs care --------------------------------


class _Regions(NamedTuple):
    """Consecutive stretches that cover the text: ``(n+1,)`` starts, ``(n,)`` the rest."""

    piece: Offsets
    tree: Offsets  # where the brackets begin, after comments
    careful: Flags


def _well_formed(text: ClassedText, anchors: Offsets) -> Flags:
    """Which stretches between anchors are balanced; (anchors,)."""
    if not len(anchors):
        return np.zeros(0, np.bool_)
    brackets = np.flatnonzero(text.classes >= _OPEN)
    low = np.searchsorted(brackets, anchors)
    return _balance(_depth(text.classes[brackets]), low)[1]


def _anchors(text: ClassedText, habit: Habit) -> Offsets:
    if habit is Habit.COLUMN:
        starts = text.lines[text.lines < len(text.source)]
        return starts[text.classes[starts] == _OPEN]
    solid = np.flatnonzero(text.classes != _BLANK)
    lines = np.searchsorted(_line_ends(text), solid, side="right")
    starts = solid[np.diff(lines, prepend=-2) > 1]
    return starts[text.classes[starts] == _OPEN]


def _depth(bracket_classes: Bytes) -> Ints:
    """Depth after each bracket."""
    return _depths(bracket_classes != _CLOSE)[1:]


def _depths(opens: Flags) -> Ints:
    """How many brackets are open before each, and after the last; ``opens`` says which do."""
    depth = running(opens)
    depth *= 2
    depth -= np.arange(len(depth), dtype=np.int32)
    return depth


def _balance(depth: Ints, low: Offsets) -> tuple[Ints, Flags]:
    """Depth before each stretch of brackets that begins at ``low``, and which are balanced."""
    base = np.where(low > 0, depth[low - 1], 0).astype(np.int32)
    last = np.append(low[1:], len(depth)) - 1
    return base, (depth[last] == base) & (np.minimum.reduceat(depth, low) >= base)


def _regions(text: ClassedText, anchors: Offsets) -> _Regions:
    """Cut the text at its anchors, and balanced stretches between two of them at each tree."""
    brackets = np.flatnonzero(text.classes >= _OPEN)
    end = len(text.source)
    if not len(anchors):
        return _Regions(np.array([0, end]), np.zeros(1, np.int64), np.ones(1, np.bool_))
    low = np.searchsorted(brackets, anchors)
    bracket_classes = text.classes[brackets]
    depth = _depth(bracket_classes)
    base, balanced = _balance(depth, low)
    counts = np.diff(np.append(low, len(brackets)))
    stretch = slice(int(low[0]), None)
    starts = depth[stretch] - np.repeat(base, counts) == 1
    starts &= (bracket_classes[stretch] == _OPEN) & np.repeat(balanced, counts)
    starts[low - low[0]] = True  # a stretch that is out of balance is one region
    tree = brackets[stretch][starts]
    careful = np.repeat(~balanced, counts)[starts]
    if np.any(text.classes[: tree[0]] != _BLANK):  # stray text before the first tree
        tree = np.append(0, tree)
        careful = np.append(True, careful)
    piece = _piece_starts(text, brackets, tree)
    piece[0] = 0
    return _Regions(np.append(piece, end), tree, careful)


def _piece_starts(text: ClassedText, brackets: Offsets, tree: Offsets) -> Offsets:
    """Where the lines of each tree start: after the line on which what is before it ends."""
    before = brackets[np.maximum(np.searchsorted(brackets, tree) - 1, 0)]
    if _are_lines(text, before, tree):
        return tree.copy()
    gap = np.maximum(tree - before - 1, 0)
    inner = np.repeat(before + 1 - (np.cumsum(gap) - gap), gap) + np.arange(gap.sum())
    stray = (text.classes[inner] == _TOKEN).any()
    if stray or (text.classes[: brackets[0]] == _TOKEN).any():
        solid = np.flatnonzero(text.classes != _BLANK)
        before = solid[np.maximum(np.searchsorted(solid, tree) - 1, 0)]
    breaks = np.append(_line_ends(text), len(text.source) + 1)
    ends = breaks[np.searchsorted(breaks, before, side="right")]
    return np.where(ends <= tree, ends, tree)


def _are_lines(text: ClassedText, before: Offsets, tree: Offsets) -> bool:
    """Whether each tree starts where the line of the one before it ends, as most do; ``before``:
    the bracket before each."""
    alone = text.data[before[1:] + 1] == _NEWLINE
    return bool(tree[0] == 0 and (tree[1:] - before[1:] == 2).all() and alone.all())


def _line_ends(text: ClassedText) -> Offsets:
    """The offset after each line break: ``\\n``, ``\\r\\n`` or a lone ``\\r``."""
    data = text.data[: len(text.source)]
    ends = data == _NEWLINE
    if _RETURN in text.source:
        ends |= (data == _RETURN) & (text.data[1 : len(data) + 1] != _NEWLINE)
    return np.flatnonzero(ends) + 1


def _of_lines(text: ClassedText, anchors: Offsets, symbols: Symbols) -> list[_Block] | None:
    """The blocks of a text with one tree from each anchor to the next, and nothing in between, as
    in most; None for others. That trees are balanced need not be seen to first: what is not just
    one tree is not read as one."""
    later = anchors[1:]
    if not len(anchors) or anchors[0] or (text.data[later - 1] != _NEWLINE).any():
        return None
    if (text.classes[later - 2] != _CLOSE).any():
        return None
    piece = np.append(anchors, len(text.source))
    lines = _Regions(piece, anchors, np.zeros(len(anchors), np.bool_))
    blocks = _read_blocks(text, lines, symbols)
    if not any(len(block.careful) for block in blocks):
        return blocks
    # (What is wrong may be that there are several trees.)
    return blocks if np.array_equal(_regions(text, anchors).tree, anchors) else None


def _read_blocks(text: ClassedText, regions: _Regions, symbols: Symbols) -> list[_Block]:
    blocks = _blocks(regions)
    if len(blocks) == 1:
        return [_read_block(text, blocks[0], symbols)]
    from concurrent.futures import ThreadPoolExecutor  # which small files do without

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda block: _read_block(text, block, symbols), blocks))


def _blocks(regions: _Regions) -> list[_Regions]:
    """The regions in runs of about :data:`BLOCK_BYTES`."""
    count = len(regions.tree)
    cuts = [0]
    while cuts[-1] < count:
        goal = int(regions.piece[cuts[-1]]) + BLOCK_BYTES
        cuts.append(max(cuts[-1] + 1, int(np.searchsorted(regions.piece, goal)) - 1))
        cuts[-1] = min(cuts[-1], count)
    return [
        _Regions(regions.piece[a : b + 1], regions.tree[a:b], regions.careful[a:b])
        for a, b in itertools.pairwise(cuts)
    ]


class _Block(NamedTuple):
    """The regular trees of some regions, and the stretches that are not: (stretches, 2)."""

    forest: Forest | None
    careful: Offsets


def _read_block(text: ClassedText, regions: _Regions, symbols: Symbols) -> _Block:
    """Regular trees by columns."""
    trusted = np.flatnonzero(~regions.careful)
    forest = None
    careful = regions.careful.copy()
    if len(trusted):
        columns = read_columns(text, regions.tree[trusted], regions.piece[trusted + 1], symbols)
        careful[trusted] = columns.irregular
        forest = columns.forest
        forest.piece[:, 0] = regions.piece[trusted[~columns.irregular]]
    return _Block(forest, np.stack([regions.piece[:-1], regions.piece[1:]], axis=1)[careful])


def _with_care(
    text: ClassedText, blocks: list[_Block], symbols: Symbols
) -> tuple[list[Forest], list[Problem], float]:
    """Blocks with their other stretches read as well, in text order, what is wrong there, and the
    share of care that was spent."""
    care, parts, problems = Care(MOST_CARE), list[Forest](), list[Problem]()
    for forest, careful in blocks:
        if len(careful):
            careful = care.within(careful, _care(text, careful))
        if len(careful) or forest is None:
            from treelens.formats.brackets_repair import read_carefully  # (the same)

            part, found = read_carefully(text.source, map(tuple, careful.tolist()), symbols)
            problems += found
            if forest is not None:
                part = concatenate([forest, part])
                part = gather(part, np.argsort(part.piece[:, 0], kind="stable"))
            forest = part
        parts.append(forest)
    return parts, problems + care.problems("tree"), care.share


def _care(text: ClassedText, stretches: Offsets) -> Offsets:
    """How much care each stretch takes, as :data:`MOST_CARE` counts it."""
    low, high = int(stretches[0, 0]), int(stretches[-1, 1])
    classes = text.classes[low:high]
    events = np.zeros(len(classes) + 1, np.int32)
    events[1:] = classes == _TOKEN
    events[2:] -= events[1:-1] & events[2:]  # of a token, the first byte
    events[1:] += classes >= _OPEN
    before = np.cumsum(events, out=events)
    return before[stretches[:, 1] - low] - before[stretches[:, 0] - low] + _CARE_OF_ONE


def _holds_none(source: bytes) -> str:
    """Why a large text is not looked through: what there is of it to be counted says that it holds
    no trees; else nothing."""
    opening = source.count(b"(")
    if not opening:
        return "this text has no opening bracket, so that it holds no tree"
    more = opening - source.count(b")")
    if more > MOST_CARE:
        return f"{more:,} brackets of this text are not closed: it is not read"
    return ""


def _no_tree(source: bytes, symbols: Symbols, why: str) -> tuple[Forest, list[Problem]]:
    from treelens.formats.brackets_repair import read_carefully

    first = len(source) - len(source.lstrip())
    problems = [Problem("unread", why, first, first + 1)] if first < len(source) else []
    return read_carefully(source, [], symbols)[0], problems


# --- regular trees, all at once ------------------------------------------------------------

_OUTSIDE = _BLANK  # blanks are no events, so their class is free to stand for the outside
_LEAF, _NODE, _BARE_NODE, _NODE_END, _BAD = 1, 2, 4, 8, 128


def _role(before: int, kind: int, after: int, second: int) -> int:
    """What an event is, by its neighbours; bad where a regular tree cannot have it.

    Of each mistake it is enough that one event is bad.
    """
    if kind == _OPEN and after == _TOKEN:
        return {_TOKEN: _LEAF, _OPEN: _NODE}.get(second, _BAD)
    if kind == _OPEN:
        return _BARE_NODE if after == _OPEN else _BAD
    if kind == _TOKEN:
        is_label = before == _OPEN
        is_word = before == _TOKEN and after == _CLOSE
        return 0 if is_label or is_word else _BAD
    if kind == _CLOSE:
        return {_TOKEN: 0, _CLOSE: _NODE_END}.get(before, _BAD)
    return 0


_ROLES = bytes(_role(code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6) for code in range(256))


class _Events(NamedTuple):
    """Brackets and starts of tokens in one block, in text order; ``m`` of them."""

    offset: Ints  # (m,) in the source
    role: Bytes  # (m,)
    leaves: Offsets  # which of them start a word's bracket
    brackets: Offsets  # which of them are brackets of constituents


def read_columns(
    text: ClassedText, starts: Offsets, ends: Offsets, symbols: Symbols
) -> RegularTrees:
    """Read the trees in the regions ``[starts[k], ends[k])``, ascending, one tree in each.

    Regular is ``(LABEL child ...)`` over ``(TAG word)``, with blanks between and no other
    text: what every reader of brackets understands alike. Other regions, empty ones included,
    are flagged irregular and have no rows in the forest.
    """
    events = _events(text.classes, int(starts[0]), int(ends[-1]))
    regions = np.stack([starts, ends], axis=1).astype(np.int32)
    bounds = np.searchsorted(events.offset, regions)
    irregular = _irregular(events, bounds, text.classes)
    if not irregular.any() and len(bounds) and np.array_equal(bounds[1:, 0], bounds[:-1, 1]):
        return RegularTrees(_rows(text, events, None, bounds, regions, symbols), irregular)
    regular = np.flatnonzero(~irregular)
    inside = _inside(bounds[regular], len(events.offset))
    return RegularTrees(
        _rows(text, events, inside, bounds[regular], regions[regular], symbols), irregular
    )


def _events(classes: Bytes, low: int, high: int) -> _Events:
    block = classes[low:high]
    tokens = block == _TOKEN
    starts = tokens.copy()
    starts[1:] &= ~tokens[:-1]
    places = np.flatnonzero((block >= _OPEN) | starts)
    kind = np.full(len(places) + 3, _OUTSIDE, np.uint8)
    kind[1:-2] = block[places]
    # (numpy multiplies many bytes at once, but shifts them one by one.)
    pairs = kind[:-1] | kind[1:] * np.uint8(4)
    windows = pairs[:-2] | pairs[2:] * np.uint8(16)
    role = np.frombuffer(windows.tobytes().translate(_ROLES), np.uint8)
    offset = places.astype(np.int32)
    offset += low
    # (Of flags the places are found in a fifth of the time that those of numbers take.)
    brackets = np.flatnonzero((role & (_NODE | _BARE_NODE | _NODE_END)) != 0)
    return _Events(offset, role, np.flatnonzero(role == _LEAF), brackets)


def _misplaced(events: _Events, classes: Bytes) -> Offsets:
    """Events that are bad, labels apart from their bracket, words apart from theirs."""
    role, offset = events.role, events.offset
    wrong = role >= _BAD
    apart = offset[1:] != offset[:-1] + 1
    apart &= (role[:-1] & (_LEAF | _NODE)) != 0
    wrong[:-1] |= apart
    leaves = events.leaves
    # At the block's end the word is bad already.
    leaves = leaves[: np.searchsorted(leaves, len(role) - 3)]
    words_apart = leaves[classes[offset[leaves + 3] - 1] != _TOKEN]
    return np.append(np.flatnonzero(wrong), words_apart)


def _irregular(events: _Events, bounds: Offsets, classes: Bytes) -> Flags:
    """Which regions hold anything but one balanced tree of fitting events; (regions,)."""
    irregular = bounds[:, 0] >= bounds[:, 1]
    misplaced = np.sort(_misplaced(events, classes))
    low, high = np.searchsorted(misplaced, bounds.T)
    irregular |= low < high

    brackets = events.brackets
    cuts = np.searchsorted(brackets, bounds)
    # A word alone is a tree as well; all others start and end with a constituent's bracket.
    lone = (cuts[:, 0] == cuts[:, 1]) & (bounds[:, 1] - bounds[:, 0] == 4)
    trees = np.flatnonzero((cuts[:, 0] < cuts[:, 1]) & ~irregular)
    irregular |= ~lone
    if not len(trees):
        return irregular
    low, high = cuts[trees].T
    depth = _depths(events.role[brackets] != _NODE_END)
    depth[:-1] = depth[1:]  # after each; one more, so that the last end is an index
    base = np.where(low > 0, depth[low - 1], 0).astype(np.int32)
    # reduceat runs from each index to the next: every second result is a region's, the others
    # are those of the gaps behind them.
    between = cuts[trees].ravel()
    if base.any():
        depth[low[0] :] -= np.repeat(np.repeat(base, 2), np.diff(np.append(between, len(depth))))
    # Back at zero once, and then at the end: one tree.
    good = np.add.reduceat(depth == 0, between, dtype=np.int32)[::2] == 1
    good &= depth[high - 1] == 0
    if depth.max() > DEEPEST:
        good &= np.maximum.reduceat(depth, between)[::2] <= DEEPEST
    good &= brackets[low] == bounds[trees, 0]
    good &= brackets[high - 1] == bounds[trees, 1] - 1
    irregular[trees] = ~good
    return irregular


def _inside(bounds: Offsets, length: int) -> Flags:
    """Which of ``length`` events are in one of the regions, which do not overlap."""
    change = np.zeros(length + 1, np.int8)
    change[bounds[:, 0]] += 1
    change[bounds[:, 1]] -= 1  # one that ends where the next starts changes nothing
    return np.cumsum(change[:-1], dtype=np.int8).view(np.bool_)


def _rows(
    text: ClassedText,
    events: _Events,
    inside: Flags | None,
    bounds: Offsets,
    regions: Ints,
    symbols: Symbols,
) -> Forest:
    """The columns of trees that are known to be regular; ``inside`` None: all events."""
    offset, role, leaves, brackets = events
    if inside is not None:
        leaves, brackets = leaves[inside[leaves]], brackets[inside[brackets]]
    ends = role[brackets] == _NODE_END
    opened = running(~ends)[:-1]
    opening = np.flatnonzero(~ends)
    closing = _partners(opened, ends)[opening]
    nodes = brackets[opening]

    first_event = np.append(bounds[:, 0], len(role))
    first_leaf, first_node = (
        np.searchsorted(rows, first_event).astype(np.int32) for rows in (leaves, nodes)
    )
    labelled = np.flatnonzero(role[nodes] == _NODE)
    before = _events_of_words(brackets, opened, opening, labelled)
    before_sentence = np.repeat(np.append(before[opening], 0)[first_node[:-1]], np.diff(first_node))

    label_start = offset[nodes] + 1
    label_end = label_start.copy()
    label_end[labelled] = _token_ends(
        text.classes, label_start[labelled], offset[nodes[labelled] + 2]
    )
    tag_start, word_start, word_end = (offset[leaves + nth] for nth in (1, 2, 3))
    tag_end = _token_ends(text.classes, tag_start, word_start)
    spots = np.append(label_start, tag_start), np.append(label_end, tag_end)
    labels = symbols.label_ids(token_keys(text, *spots, symbols))
    extent = np.stack([offset[bounds[:, 0]], offset[bounds[:, 1] - 1] + 1], axis=1)
    return Forest(
        source=text.source,
        symbols=symbols,
        piece=regions,
        tree=extent,
        first_node=first_node,
        first_leaf=first_leaf,
        label=labels[: len(nodes)],
        label_start=label_start,
        label_end=label_end,
        first=(before[opening] - before_sentence) // 4,
        last=(before[closing] - before_sentence) // 4,
        open=offset[nodes],
        close=offset[brackets[closing]] + 1,
        word=token_keys(text, word_start, word_end, symbols),
        tag=labels[len(nodes) :],
        leaf_open=offset[leaves],
        leaf_close=word_end + 1,
        tag_start=tag_start,
        tag_end=tag_end,
        word_start=word_start,
        word_end=word_end,
    )


def _token_ends(classes: Bytes, starts: Ints, behind: Ints) -> Ints:
    """Where tokens end; ``behind``: where what follows each begins."""
    ends = behind - (classes.take(behind - 1) == _BLANK)
    more = np.flatnonzero(classes.take(ends - 1) == _BLANK)  # than one blank follows
    if len(more):
        first, last = int(starts[more[0]]), int(behind[more[-1]])
        solid = np.flatnonzero(classes[first:last] != _BLANK) + first
        ends[more] = solid[np.searchsorted(solid, behind[more]) - 1] + 1
    return ends


def _events_of_words(brackets: Offsets, opened: Ints, opening: Offsets, labelled: Offsets) -> Ints:
    """How many of the events before each bracket are those of words, four of each; from the first
    bracket of a sentence on. The others are two of each constituent that begins, or one if it has
    no label, and one of each that ends."""
    events = brackets.astype(np.int32)
    events -= np.arange(len(brackets), dtype=np.int32)
    events -= opened
    if len(labelled) < len(opening):
        bare = np.zeros(len(brackets), np.bool_)
        bare[opening] = True
        bare[opening[labelled]] = False
        events += running(bare)[:-1]
    return events


def _partners(opened: Ints, ends: Flags) -> Offsets:
    """Of balanced brackets, each one's other end; ``ends`` says which of them close, ``opened``
    how many open before each."""
    depth = 2 * opened
    depth -= np.arange(len(depth), dtype=np.int32)
    depth -= ends  # the same number at both ends of a constituent
    # Among brackets of one depth, each opening one is followed by its own closing one; the
    # sort must be stable, and on two bytes it is a radix sort.
    order = np.argsort(depth.astype(np.int16), kind="stable")
    partner = np.empty(len(ends), np.int64)
    partner[order[0::2]] = order[1::2]
    return partner


def token_keys(
    text: ClassedText, starts: Ints | Offsets, ends: Ints | Offsets, symbols: Symbols
) -> Keys:
    """The key of each token ``[starts[k], ends[k])`` (see :class:`Symbols`)."""
    length = ends - starts
    eight = np.ndarray((len(text.source) + 1,), "<u8", text.data, strides=(1,))
    starts = starts.astype(np.intp, copy=False)
    keys = eight[starts].astype(np.uint64, copy=False)
    keys &= _MASKS.take(np.minimum(length, INLINE_BYTES))
    long = length > INLINE_BYTES
    if text.nuls:
        nuls = np.flatnonzero(text.data[: len(text.source)] == 0)
        long |= np.searchsorted(nuls, ends) > np.searchsorted(nuls, starts)
    halves = long & (length <= 16)
    if not text.nuls and len(at := np.flatnonzero(halves)):
        rest = eight[starts[at] + 8] & _MASKS[length[at] - 8]
        keys[at] = symbols.halves_keys(np.stack([eight[starts[at]], rest]))
        long &= ~halves
    at = np.flatnonzero(long)
    if len(at):
        spans = zip(starts[at].tolist(), ends[at].tolist(), strict=True)
        keys[at] = symbols.long_keys([text.source[start:end] for start, end in spans])
    return keys
