"""Many lines of large files at once, with numpy: the same as ``quick`` and ``comparison`` give.

An ordinary line is one tree of ``(TAG word)``, without blanks in odd places; a pair of such lines
with the same words needs no alignment, and nothing of it has to become a Python object. Lines are
taken in pairs for as long as both files are in step. Where the text has blanks, line ends or
brackets that only Python and NLTK take for such, or the parameters are about quotes, this module
is not used at all; any other line or pair is left to the others, which it is tested against.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.dropin.jp.comparison import Score
from treelens.dropin.jp.printing import percent, row
from treelens.dropin.jp.reading import bracket_label
from treelens.dropin.jp.sentences import Group
from treelens.dropin.jp.settings import Settings
from treelens.dropin.shared.labels import FIRST_BYTES, Keys, Label, LabelTable, eight_bytes
from treelens.dropin.shared.line_brackets import Kept, keep, match
from treelens.dropin.shared.lines import Lines
from treelens.dropin.shared.row_columns import RowPrinter, totals
from treelens.dropin.shared.rows import OK, Tally, Totals
from treelens.dropin.shared.tree_lines import (
    Flags,
    Ints,
    Side,
    block_end,
    different_words,
    line_starts,
    read_side,
)
from treelens.dropin.shared.world import Parts, World

BLOCK_BYTES = 1 << 18
"""Of either side: so that a few megabytes are enough blocks to be shared out."""
_FIRST_BYTES = 1 << 14
"""The same of the first block where both sides have come into step again."""
_SETTLED = 16
"""Groups in step after which they are taken to stay so."""

Block = tuple[int, int]

_MIX = np.uint64(0x9E3779B97F4A7C15)

_ODD_BYTES = b"\x0b\x0c\r\x1c\x1d\x1e\x1f"
_ODD_PARTS = {
    b"\\": re.compile(rb"\\[()]"),
    b"\xc2": re.compile(rb"\xc2[\x85\xa0]"),
    b"\xe1": re.compile(rb"\xe1\x9a\x80"),
    b"\xe2": re.compile(rb"\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)"),
    b"\xe3": re.compile(rb"\xe3\x80\x80"),
}
"""Blanks of Unicode and escaped brackets, by the first byte."""


def is_simple(settings: Settings) -> bool:
    """Whether what is deleted and what is equal can be told by labels alone."""
    equal = settings.equal_labels
    return not settings.quote_labels and len(frozenset().union(*equal)) == sum(map(len, equal))


def is_plain(source: bytes) -> bool:
    """Whether bytes mean to Python, to NLTK and here the same blanks, lines and brackets."""
    if any(odd in source for odd in _ODD_BYTES):
        return False
    if any(first in source and odd.search(source) for first, odd in _ODD_PARTS.items()):
        return False
    try:
        source.decode()
    except UnicodeDecodeError:
        return False
    return True


class Scores:
    """The scores of a stretch, as ``printing.Scores``."""

    def __init__(self) -> None:
        self._parts = [np.zeros((len(Tally._fields) + 1, 0), np.int64)]

    def __len__(self) -> int:
        return sum([part.shape[1] for part in self._parts])

    def append(self, score: Score) -> None:
        self._parts.append(np.array([[*score.tally, score.short_length]], np.int64).T)

    def extend(self, numbers: Ints) -> None:
        """By the fields of tallies, ``(8, pairs)``, in which each word has its position."""
        self._parts.append(np.concatenate([numbers, numbers[:1]]))

    def lengthen(self, by: Sequence[int]) -> None:
        """Add to each one's length."""
        self._all()[[0, -1]] += np.array(by, np.int64)

    def rows(self, first: int) -> bytes:
        """Their rows, numbered from ``first`` on."""
        return _printer().rows(first, self._all()[:-1])

    def totals(self, longest: int | None = None) -> Totals:
        """Their totals; of those up to some length if one is given."""
        numbers = self._all()
        return totals(numbers[:-1, numbers[-1] <= longest] if longest else numbers[:-1])

    def _all(self) -> Ints:
        """The fields of all tallies, and what is compared with the cutoff; ``(9, groups)``."""
        self._parts = [np.concatenate(self._parts, axis=1)]
        return self._parts[0]


@functools.cache
def _printer() -> RowPrinter:
    return RowPrinter(row, percent)


class Pairs:
    """A stretch of both files, of which lines with the same words are counted together."""

    def __init__(self, system: bytes, gold: bytes, settings: Settings, world: World) -> None:
        self.system, self.gold = (
            Lines(text, line_starts(text, len(text) + 2)) for text in (system, gold)
        )
        self._rules, self._share_out = _rules(settings), world.share_out
        self._ahead = 0
        """By how many lines gold is, where both sides are in step."""
        self._in_step_since = -_SETTLED
        """The line of system."""
        self._blocks = self._counted(0, BLOCK_BYTES)
        self._known = range(0)
        """Lines of system that have been counted with their partners."""
        self._numbers = np.zeros((len(Tally._fields), 0), np.int64)
        self._same = b""
        """Of each of them whether both lines are ordinary and have the same words."""
        self.deleted = np.full(self.gold.count, -1)
        """In each line of gold, what was taken out and counts for the length; -1: not known."""
        self.scores = Scores()

    def same(self, system: int, gold: int) -> bool:
        """Whether two lines are known to be ordinary, with the same words."""
        in_step = gold - system == self._ahead and system in self._known
        return in_step and bool(self._same[system - self._known.start])

    def same_run(self, system: int, gold: int) -> int:
        """How many pairs, from these two on, are; there may be more."""
        if gold - system != self._ahead:
            self._ahead, self._in_step_since, self._known = gold - system, system, range(0)
        if system not in self._known and not self._count(system):
            return 0
        start = system - self._known.start
        end = self._same.find(b"\0", start)
        return (end if end >= 0 else len(self._same)) - start

    def add(self, group: Group) -> None:
        """Add the scores of pairs that are the same."""
        first = self._known.start
        self.scores.extend(self._numbers[:, group.system.start - first : group.system.stop - first])

    def _count(self, system: int) -> bool:
        """Count a block of pairs with this line in it, if both sides are likely to be in step."""
        if system - self._in_step_since < _SETTLED:
            return False
        if not self._known and system > 0:
            self._known = range(system, system)
            self._blocks = self._counted(system, _FIRST_BYTES)
        while system >= self._known.stop:
            numbers, same, deleted = next(self._blocks)
            self._numbers = np.frombuffer(numbers, np.int64).reshape(-1, len(same))
            self._same = bytes(same)
            first = self._known.stop
            self._known = range(first, first + len(same))
            self.deleted[first + self._ahead :][: len(same)] = np.frombuffer(deleted, np.int64)
        return True

    def _counted(self, first: int, size: int) -> Iterator[Parts]:
        """What comes of the lines from ``first`` on, in blocks that grow from a size."""
        gold, system = _shifted(self.gold, self._ahead), self.system
        work = functools.partial(_work, gold, system, self._rules)
        blocks = list(_blocks(gold, system, first, size))
        return (found for _, found in self._share_out(work, blocks.__iter__, len(blocks)))


def _shifted(lines: Lines, by: int) -> Lines:
    """The same lines under numbers that are less; those below zero are left out."""
    starts = lines.starts
    return Lines(lines.text, starts[by:] if by >= 0 else [*starts[:1]] * -by + [*starts])


def _blocks(gold: Lines, system: Lines, first: int, size: int) -> Iterator[Block]:
    last = min(gold.count, system.count)
    while first < last:
        end = block_end(gold, system, first, last, size)
        yield first, end
        first, size = end, min(2 * size, BLOCK_BYTES)


class _Rules(NamedTuple):
    tables: tuple[LabelTable, LabelTable]
    """Gold's and system's."""
    equal: int
    """Labels whose numbers are lower are some that are equal."""
    tags_in_order: bool


def _rules(settings: Settings) -> _Rules:
    tags: dict[bytes, int] = {}
    names = {name: n for n, equal in enumerate(settings.equal_labels) for name in equal}
    alone = itertools.count(len(settings.equal_labels))

    def table(is_gold: bool) -> LabelTable:
        def describe(label: bytes) -> Label:
            written = label.decode()
            name = bracket_label(written, is_gold)
            if name and name not in names:
                names[name] = next(alone)
            return Label(
                deletes_word=written in settings.delete_labels,
                counts_for_length=written not in settings.delete_for_length,
                tag=tags.setdefault(label, len(tags)),
                bracket=names[name] if name else -1,
            )

        return LabelTable(describe)

    equal = len(settings.equal_labels)
    return _Rules((table(is_gold=True), table(is_gold=False)), equal, settings.as_evalb)


def _work(gold: Lines, system: Lines, rules: _Rules, block: Block) -> Parts:
    return [found.tobytes() for found in _counted(gold, system, block, rules)]


def _counted(gold: Lines, system: Lines, block: Block, rules: _Rules) -> tuple[Ints, Flags, Ints]:
    """The tallies' numbers of pairs, ``(8, pairs)``, which of them are valid, and ``deleted``."""
    pairs = block[1] - block[0]
    odd = np.zeros(pairs, np.bool_)
    tables = rules.tables
    sides = [
        read_side(lines, *block, table, odd)
        for lines, table in zip((gold, system), tables, strict=True)
    ]
    words, system_words = (np.diff(side.first_word) for side in sides)
    for side, table in zip(sides, tables, strict=True):
        odd |= ~_one_tree(side) | _phrases_go(side, table)
    odd |= words != system_words
    pair = np.repeat(np.arange(pairs), np.where(odd, 0, words))
    leaves = [np.flatnonzero(np.repeat(~odd, np.diff(side.first_word))) for side in sides]
    odd[pair[different_words(sides[0], sides[1], leaves[0], leaves[1])]] = True
    labels = [side.tag[of_side] for side, of_side in zip(sides, leaves, strict=True)]
    goes, other_goes = (
        table.columns.deletes_word[label] for table, label in zip(tables, labels, strict=True)
    )
    odd[pair[goes != other_goes]] = True
    counts = tables[0].columns.counts_for_length[labels[0]]
    deleted = np.bincount(pair[goes & counts], minlength=pairs)
    stays = np.flatnonzero(~goes)
    pair, gold_leaves = pair[stays], leaves[0][stays]
    tags = [table.columns.tag[label[stays]] for table, label in zip(tables, labels, strict=True)]
    kept = [keep(side, table) for side, table in zip(sides, tables, strict=True)]
    for of_side in kept:
        odd[_equal_twice(of_side, rules.equal)] = True
    matches = match(kept[0], kept[1], pairs, once=True)
    words = np.diff(kept[0].first_word)
    tallies = (
        words,
        np.full(pairs, OK),
        matches.matched,
        *(np.bincount(each.sentence, minlength=pairs) for each in kept),
        matches.crossing,
        words,
        np.bincount(pair[tags[0] == tags[1]], minlength=pairs)
        if rules.tags_in_order
        else _same_tags(sides[0], gold_leaves, pair, tags, pairs),
    )
    odd |= matches.beyond
    return np.stack(tallies), ~odd, np.where(odd, -1, deleted)


def _phrases_go(side: Side, table: LabelTable) -> Flags:
    """Which lines have phrases that are deleted, or of which nothing is left."""
    deletes = table.columns.deletes_word
    found = np.zeros(len(side.first_word) - 1, np.bool_)
    if not deletes.any():
        return found
    left = np.append(0, np.cumsum(~deletes[side.tag]))
    found[side.sentence[left[side.first] == left[side.last]]] = True
    phrase = np.flatnonzero(deletes[side.label])
    # The root stays if it has one child: a word, or a phrase that is as long as it is.
    behind = np.minimum(phrase + 1, len(side.label) - 1)
    alone = (behind > phrase) & (side.sentence[behind] == side.sentence[phrase])
    alone &= (side.first[behind] == side.first[phrase]) & (side.last[behind] == side.last[phrase])
    alone |= side.last[phrase] - side.first[phrase] == 1
    is_root = (phrase == 0) | (side.sentence[phrase - 1] != side.sentence[phrase])
    found[side.sentence[phrase[~(is_root & alone)]]] = True
    return found


def _equal_twice(kept: Kept, equal: int) -> Ints:
    """The lines with two brackets of equal labels, which may match several, over one span."""
    some = np.flatnonzero(kept.label < equal)
    columns = (kept.sentence[some], kept.start[some], kept.end[some])
    # (Those over one span are one inside the other, with none in between that is over others.)
    twice = np.logical_and.reduce([each[1:] == each[:-1] for each in columns])
    return columns[0][1:][twice]


def _one_tree(side: Side) -> Flags:
    """Which lines are one tree, a phrase."""
    lines = len(side.first_word) - 1
    root = np.searchsorted(side.sentence, np.arange(lines + 1))
    found: Flags = np.diff(root) > 0
    root, line = root[:-1][found], np.flatnonzero(found)
    first, last = side.first_word[line], side.first_word[line + 1]
    found[line] = (side.first[root] == first) & (side.last[root] == last)
    return found


def _same_tags(gold: Side, leaves: Ints, pair: Ints, tags: Sequence[Ints], pairs: int) -> Ints:
    """Tagged words that both have, wherever they stand in the sentence; ``leaves`` are gold's
    words, ``pair`` and ``tags`` say what each is of and has."""
    is_same = tags[0] == tags[1]
    count = np.bincount(pair[is_same], minlength=pairs)
    # Those in place are common to both bags; the others have to be looked for: exactly, where
    # numbers made of them are equal.
    moved = np.flatnonzero(~is_same)
    start = gold.word_start[leaves[moved]]
    length = np.minimum(gold.word_end[leaves[moved]] - start, len(FIRST_BYTES) - 1)
    word: Keys = eight_bytes(gold.text)[start] & FIRST_BYTES[length]
    key = (word * _MIX + pair[moved].astype(np.uint64)) * _MIX
    wanted, found = (key + of_side[moved].astype(np.uint64) for of_side in tags)
    # (``isin`` and ``unique`` would load masked arrays: a twentieth of the time.)
    found.sort()
    there = found.take(np.searchsorted(found, wanted), mode="clip") == wanted
    for each in dict.fromkeys(pair[moved[there]].tolist()):
        places = moved[pair[moved] == each].tolist()
        bags = [Counter((gold.word(leaves[at]), of_side[at]) for at in places) for of_side in tags]
        count[each] += (bags[0] & bags[1]).total()
    return count
