"""Many lines of large files at once, with numpy: the same as ``quick`` and ``comparison`` give.

An ordinary line is one tree of ``(TAG word)``, without blanks in odd places; a pair of such lines
with the same words needs no alignment, and nothing of it has to become a Python object. Where
parameters delete something, or the text has blanks, line ends or brackets that only Python and
NLTK take for such, this module is not used at all; any other line or pair is left to the others,
which it is tested against.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from treelens.compare.match import crossing, pack, partners
from treelens.dropin.jp.comparison import Score
from treelens.dropin.jp.reading import Sentence, bracket_label
from treelens.dropin.jp.sentences import Group
from treelens.dropin.shared.rows import OK, Tally
from treelens.formats.brackets import BLOCK_BYTES, ClassedText, prepare, read_columns
from treelens.trees.forest import Ints, Keys, Symbols, each_once, running

Flags = npt.NDArray[np.bool_]
Offsets = npt.NDArray[np.int64]

_NOT_YET = Score(Tally(0, OK), 0)
_CHUNK = 2048
"""Pairs that are counted at once."""
_RUN = 512
"""Pairs that are looked at together."""

_ODD_BYTES = b"\x0b\x0c\r\x1c\x1d\x1e\x1f"
_ODD_PARTS = {
    b"\\": re.compile(rb"\\[()]"),
    b"\xc2": re.compile(rb"\xc2[\x85\xa0]"),
    b"\xe1": re.compile(rb"\xe1\x9a\x80"),
    b"\xe2": re.compile(rb"\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)"),
    b"\xe3": re.compile(rb"\xe3\x80\x80"),
}
"""Blanks of Unicode and escaped brackets, by the first byte."""


class Side(NamedTuple):
    """A file's ordinary lines; ``t`` trees, ``w`` words, ``c`` constituents."""

    start: Offsets
    """Where each line starts; ``(lines+1,)``, the last one behind the end."""
    tree: Ints
    """Each line's tree; -1 if the line is not ordinary. ``(lines,)``"""
    first_word: Ints  # (t+1,)
    word: Keys  # (w,)
    tag: Ints  # (w,) label ids
    first_node: Ints  # (t+1,)
    label: Ints  # (c,) label ids
    first: Ints  # (c,) words of the tree
    last: Ints
    trees: list[int]
    """Each line's tree, once more."""
    words: bytes
    bounds: list[int]
    """All words, and where in them each tree's begin; ``(t+1,)``"""

    def text(self, tree: int) -> bytes:
        return self.words[self.bounds[tree] : self.bounds[tree + 1]]


def is_plain(source: bytes) -> bool:
    """Whether bytes mean to Python, to NLTK and here the same blanks, lines and brackets."""
    if len(source.translate(None, _ODD_BYTES)) != len(source):
        return False
    if any(first in source and odd.search(source) for first, odd in _ODD_PARTS.items()):
        return False
    try:
        source.decode()
    except UnicodeDecodeError:
        return False
    return True


def read(sources: Sequence[bytes], symbols: Symbols) -> list[Side]:
    """Read both files, blocks of lines by turns in two threads."""
    texts = [prepare(source, comments=False) for source in sources]
    starts = [_line_starts(text) for text in texts]
    with ThreadPoolExecutor(2) as pool:
        blocks = [
            [pool.submit(_read_block, text, part, symbols) for part in _blocks(start)]
            for text, start in zip(texts, starts, strict=True)
        ]
        return [
            _side(start, [block.result() for block in of_side])
            for start, of_side in zip(starts, blocks, strict=True)
        ]


def _line_starts(text: ClassedText) -> Offsets:
    size = len(text.source)
    start = np.append(0, np.flatnonzero(text.data[:size] == ord("\n")) + 1)
    return np.append(start, size + 1) if start[-1] < size else start


def _blocks(start: Offsets) -> Iterator[Offsets]:
    cuts = [0]
    while cuts[-1] < len(start) - 1:
        goal = int(np.searchsorted(start, start[cuts[-1]] + BLOCK_BYTES, side="right")) - 1
        cuts.append(max(goal, cuts[-1] + 1))
    return (start[first : end + 1] for first, end in itertools.pairwise(cuts))


def _side(start: Offsets, parts: list[_Block]) -> Side:
    leaves, nodes, counts, sizes, irregular = zip(*parts, strict=True)
    regular = ~np.concatenate(irregular)
    word, tag = map(np.concatenate, zip(*leaves, strict=True))
    label, first, last = map(np.concatenate, zip(*nodes, strict=True))
    tree = np.where(regular, np.cumsum(regular) - 1, -1).astype(np.int32)
    first_word = running(np.concatenate(counts))
    return Side(
        start,
        tree,
        first_word,
        word,
        tag,
        running(np.concatenate(sizes)),
        label,
        first,
        last,
        tree.tolist(),
        word.tobytes(),
        (word.itemsize * first_word.astype(np.int64)).tolist(),
    )


_Block = tuple[tuple[Keys, Ints], tuple[Ints, Ints, Ints], Ints, Ints, Flags]


def _read_block(text: ClassedText, start: Offsets, symbols: Symbols) -> _Block:
    """Of its ordinary lines the words and constituents, how many each has; and which lines
    are not ordinary."""
    found = read_columns(text, start[:-1], start[1:] - 1, symbols)
    forest = found.forest
    return (
        (forest.word, forest.tag),
        (forest.label, forest.first, forest.last),
        np.diff(forest.first_leaf),
        np.diff(forest.first_node),
        found.irregular,
    )


class Lines(Sequence[str]):
    """A file's lines, decoded when they are asked for."""

    def __init__(self, source: bytes, start: Offsets) -> None:
        self._source = source
        self._start: list[int] = start.tolist()

    def __len__(self) -> int:
        return len(self._start) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._source[self._start[number] : self._start[number + 1]].decode().strip()


class Pairs:
    """Both files, and their lines with the same words, which are counted together in the end."""

    def __init__(self, system_file: bytes, gold_file: bytes) -> None:
        symbols = Symbols()
        self.system, self.gold = read((system_file, gold_file), symbols)
        self.system_lines = Lines(system_file, self.system.start)
        self.gold_lines = Lines(gold_file, self.gold.start)
        self._symbols = symbols
        self._waiting: list[tuple[int, Group]] = []
        numbers: dict[str, int] = {"": -1}
        self._system_names, self._gold_names = (
            [bracket_label(label, is_gold=is_gold) for label in symbols.labels]
            for is_gold in (False, True)
        )
        self._system_class, self._gold_class = (
            np.array([numbers.setdefault(name, len(numbers)) for name in names])
            for names in (self._system_names, self._gold_names)
        )

    def sentence(self, number: int, *, is_gold: bool) -> Sentence | None:
        """What is counted of a line; None if it is not ordinary."""
        side, names = (
            (self.gold, self._gold_names) if is_gold else (self.system, self._system_names)
        )
        tree = int(side.tree[number])
        if tree < 0:
            return None
        leaves = slice(side.first_word[tree], side.first_word[tree + 1])
        nodes = slice(side.first_node[tree], side.first_node[tree + 1])
        token, labels = self._symbols.token, self._symbols.labels
        words = tuple([token(key).decode() for key in side.word[leaves].tolist()])
        tags = tuple(zip([labels[tag] for tag in side.tag[leaves].tolist()], words, strict=True))
        spans = zip(side.first[nodes].tolist(), side.last[nodes].tolist(), strict=True)
        brackets = [
            (names[label], first, last)
            for label, (first, last) in zip(side.label[nodes].tolist(), spans, strict=True)
            if names[label]
        ]
        text = " ".join(words).lower()
        return Sentence(text, text, words, tags, tuple(brackets), 0, False)

    def same(self, system: int, gold: int) -> bool:
        """Whether two lines are ordinary and have the same words."""
        one, other = self.system.trees[system], self.gold.trees[gold]
        return one >= 0 and other >= 0 and self.system.text(one) == self.gold.text(other)

    def same_run(self, system: int, gold: int) -> int:
        """How many pairs, from these two on, are; there may be more."""
        if not self.same(system, gold):
            return 0
        sides = (self.system, system), (self.gold, gold)
        trees = [side.tree[line : line + _RUN] for side, line in sides]
        most = min(map(len, trees))
        count = _true_first((trees[0][:most] >= 0) & (trees[1][:most] >= 0))
        # (Trees of ordinary lines that follow each other do so as well.)
        bounds = [
            side.first_word[tree[0] : tree[0] + count + 1]
            for (side, _), tree in zip(sides, trees, strict=True)
        ]
        ends = [bound[1:] - bound[0] for bound in bounds]
        count = _true_first(ends[0] == ends[1])
        words = [
            side.word[bound[0] : bound[count]]
            for (side, _), bound in zip(sides, bounds, strict=True)
        ]
        equal = _true_first(words[0] == words[1])
        return int(np.searchsorted(ends[0][:count], equal, side="right"))

    def later(self, place: int, group: Group) -> list[Score]:
        """Have pairs counted that are the same; ``place``: where their scores will be."""
        self._waiting.append((place, group))
        return [_NOT_YET] * len(group.system)

    def count(self, scores: list[Score]) -> None:
        """Put all scores that are waiting into their places."""
        if not self._waiting:
            return
        trees = np.stack(
            [
                np.concatenate([side.tree[lines.start : lines.stop] for lines in of_side])
                for side, of_side in (
                    (self.system, [group.system for _, group in self._waiting]),
                    (self.gold, [group.gold for _, group in self._waiting]),
                )
            ],
            axis=1,
        )
        chunks = [trees[at : at + _CHUNK] for at in range(0, len(trees), _CHUNK)]
        with ThreadPoolExecutor(2) as pool:
            rows = (row for part in pool.map(self._counts, chunks) for row in part.T.tolist())
            found = map(Tally._make, rows)
            for place, group in self._waiting:
                pairs = itertools.islice(found, len(group.system))
                scores[place : place + len(group.system)] = [
                    Score(tally, tally.length) for tally in pairs
                ]

    def _counts(self, chunk: Ints) -> Offsets:
        """The tallies' numbers, ``(8, pairs)``, of trees of both sides, ``(pairs, 2)``."""
        pairs = len(chunk)
        system = _Part(self.system, chunk[:, 0], self._system_class)
        gold = _Part(self.gold, chunk[:, 1], self._gold_class)
        matched = _both(system, gold)
        base = running(gold.words)
        spans = [
            base[side.pair] + column
            for side in (system, gold)
            for column in (side.first, side.last)
        ]
        crosses = crossing(spans[0], spans[1], spans[2], spans[3], int(base[-1]))
        counts = [
            np.bincount(pair, minlength=pairs)
            for pair in (matched, gold.pair, system.pair, system.pair[crosses])
        ]
        status = np.full(pairs, OK)
        tags = self._same_tags(system, gold, pairs)
        return np.stack([gold.words, status, *counts, gold.words, tags])

    def _same_tags(self, system: _Part, gold: _Part, pairs: int) -> Offsets:
        """Tagged words that both have, wherever they stand in the sentence."""
        tags = [side.tag[part.leaves] for side, part in ((self.system, system), (self.gold, gold))]
        pair = np.repeat(np.arange(pairs), gold.words)
        different = np.flatnonzero(tags[0] != tags[1])
        same = gold.words - np.bincount(pair[different], minlength=pairs)
        # Those in place are common to both bags; the others have to be looked for.
        pair = pair[different]
        word = np.unique(self.gold.word[gold.leaves[different]], return_inverse=True)[1]
        tag = np.concatenate([column[different] for column in tags])
        keys = pack(np.tile(pair, 2), np.tile(word, 2), tag)
        found = partners(keys[len(pair) :], keys[: len(pair)]).gold >= 0
        return same + np.bincount(pair[found], minlength=pairs)


def _true_first(flags: Flags) -> int:
    """How many are, before the first one that is not."""
    return len(flags) if flags.all() else int(flags.argmin())


class _Part:
    """Some trees of a side: their words, and the brackets of them that count."""

    def __init__(self, side: Side, trees: Ints, classes: npt.NDArray[np.int64]) -> None:
        self.words = np.diff(side.first_word)[trees]
        self.leaves, _ = _rows(side.first_word, trees)
        nodes, pair = _rows(side.first_node, trees)
        label = classes[side.label[nodes]]
        counted = np.flatnonzero(label >= 0)
        nodes = nodes[counted]
        self.pair, self.label = pair[counted], label[counted]
        self.first, self.last = side.first[nodes], side.last[nodes]


def _rows(first: Ints, trees: Ints) -> tuple[Offsets, Offsets]:
    """The rows of some trees, and which of those each one is of."""
    counts = first[trees + 1] - first[trees]
    tree = np.repeat(np.arange(len(trees)), counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(tree)) + (first[trees] - before)[tree], tree


def _both(system: _Part, gold: _Part) -> Offsets:
    """The pair of each bracket that both sides have; several equal ones are one."""
    parts = (system, gold)
    keys = pack(
        np.concatenate([part.pair for part in parts]),
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.last for part in parts]),
        np.concatenate([part.label for part in parts]),
    )
    cut = len(system.pair)
    mine = each_once(keys[:cut])
    theirs, at = np.unique(keys[cut:], return_index=True)
    if not len(mine):
        return at[:0]
    found = mine[np.minimum(np.searchsorted(mine, theirs), len(mine) - 1)] == theirs
    return gold.pair[at[found]]
