"""Many lines of large files at once, with numpy: the same as ``quick`` and ``comparison`` give.

An ordinary line is one tree of ``(TAG word)``, without blanks in odd places; a pair of such lines
with the same words needs no alignment, and nothing of it has to become a Python object. Lines are
taken in pairs as they come, until both files are out of step for the first time; then by their
letters. Of pairs that are not ordinary, those with the same text are scored here as well, one by
one, which is work that can be shared out. Where the text has blanks, line ends or brackets that
only Python and NLTK take for such, or the parameters are about quotes, this module is not used at
all; any other line or pair is left to the others, which it is tested against.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.dropin.jp.comparison import Score, compare
from treelens.dropin.jp.letters import by_letters, of_lines, same_letters
from treelens.dropin.jp.printing import percent, row
from treelens.dropin.jp.quick import Pieces, reader
from treelens.dropin.jp.reading import Sentence, bracket_label
from treelens.dropin.jp.sentences import Group, have_same_text
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
        """By the fields of scores, ``(9, pairs)``."""
        self._parts.append(numbers)

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
    """A stretch of both files, of which lines with the same text are scored together."""

    def __init__(
        self, system: bytes, gold: bytes, settings: Settings, world: World, *, in_step: bool
    ) -> None:
        """in_step: whether the lines of either side are taken to be partners as they come."""
        self.system, self.gold = (
            Lines(text, line_starts(text, len(text) + 2)) for text in (system, gold)
        )
        self._rules, self._share_out = _rules(settings), world.share_out
        self.deleted = np.full(self.gold.count, -1)
        """In each line of gold, what was taken out and counts for the length; -1: not known."""
        self.scores = Scores()
        self.in_step = in_step
        if in_step:
            every = range(min(self.system.count, self.gold.count))
            self._begin(every, every, self.system, self.gold)
        else:
            self._line_up(0, 0)

    def _line_up(self, system: int, gold: int) -> None:
        """Take lines to be partners by their letters, from these two lines on."""
        self.in_step = False
        pairs = by_letters(self.system, system, self.gold, gold)
        systems, golds = [i for i, _ in pairs], [j for _, j in pairs]
        chosen = of_lines(self.system, systems), of_lines(self.gold, golds)
        self._begin(systems, golds, *chosen)

    def _begin(
        self, systems: Sequence[int], golds: Sequence[int], system: Lines, gold: Lines
    ) -> None:
        """Look at pairs of lines: their numbers, and the lines themselves."""
        self._golds = golds
        self._place = {line: at for at, line in enumerate(systems)}
        """Which pair a line of system is of."""
        self._gaps = (np.diff([systems, golds]) != 1).any(axis=0).tobytes() + b"\1"
        """Of each pair whether the next one is not of the next lines."""
        work = functools.partial(_work, gold, system, self._rules)
        blocks = list(_blocks(gold, system))
        shared = self._share_out(work, blocks.__iter__, len(blocks))
        self._blocks = (found for _, found in shared)
        self._known = range(0)
        """Pairs that have been scored."""
        self._numbers = np.zeros((len(Tally._fields) + 1, 0), np.int64)
        self._same = b""
        """Of each of them whether it has the same text and a score."""

    def same(self, system: int, gold: int) -> bool:
        """Whether two lines are known to have the same text."""
        at = self._place.get(system, -1)
        is_known = at in self._known and self._golds[at] == gold
        return is_known and bool(self._same[at - self._known.start])

    def same_run(self, system: int, gold: int) -> int:
        """How many pairs, from these two on, are; there may be more."""
        if self.in_step and system != gold:
            self._line_up(system, gold)
        at = self._place.get(system, -1)
        if at < 0 or self._golds[at] != gold:
            return 0
        self._score(at)
        start = at - self._known.start
        end = self._same.find(b"\0", start)
        same = (end if end >= 0 else len(self._same)) - start
        return min(same, self._gaps.index(b"\1", at) + 1 - at)

    def add(self, group: Group) -> None:
        """Add the scores of pairs that are the same."""
        first = self._place[group.system.start] - self._known.start
        self.scores.extend(self._numbers[:, first : first + len(group.system)])

    def _score(self, at: int) -> None:
        """Score pairs up to the block with this one in it."""
        while at >= self._known.stop:
            numbers, same, deleted = next(self._blocks)
            self._numbers = np.frombuffer(numbers, np.int64).reshape(-1, len(same))
            self._same = bytes(same)
            first = self._known.stop
            self._known = range(first, first + len(same))
            self.deleted[self._golds[first : self._known.stop]] = np.frombuffer(deleted, np.int64)


def _blocks(gold: Lines, system: Lines) -> Iterator[Block]:
    first, last = 0, min(gold.count, system.count)
    while first < last:
        end = block_end(gold, system, first, last, BLOCK_BYTES)
        yield first, end
        first = end


class _Rules(NamedTuple):
    tables: tuple[LabelTable, LabelTable]
    """Gold's and system's."""
    equal: int
    """Labels whose numbers are lower are some that are equal."""
    tags_in_order: bool
    score: Callable[[str, str], tuple[Sentence, Score] | None]
    """Of a line of gold and one of system, if they have the same text: gold's sentence, and the
    score. None also where there is something to be said of either line."""


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
    tables = table(is_gold=True), table(is_gold=False)
    return _Rules(tables, equal, settings.as_evalb, _scorer(settings))


def _scorer(settings: Settings) -> Callable[[str, str], tuple[Sentence, Score] | None]:
    pieces, problems = Pieces(settings), dict[str, str]()
    readers = [reader(pieces, is_gold, problems) for is_gold in (True, False)]

    def score(*lines: str) -> tuple[Sentence, Score] | None:
        gold, system = (read(line) for read, line in zip(readers, lines, strict=True))
        if any(line in problems for line in lines) or not have_same_text(system.text, gold.text):
            return None
        return gold, compare(system, gold, settings)

    return score


def _work(gold: Lines, system: Lines, rules: _Rules, block: Block) -> Parts:
    """Of each pair its score, whether it has one, and what was deleted in gold."""
    numbers, same, deleted = _counted(gold, system, block, rules)
    numbers = np.concatenate([numbers, numbers[:1]])  # each word has its position
    for at in np.flatnonzero(~same).tolist():
        lines = [side.line(block[0] + at) for side in (gold, system)]
        if not same_letters(*lines):
            continue
        if found := rules.score(*(line.decode().strip() for line in lines)):
            sentence, (tally, short_length) = found
            numbers[:, at] = [*tally, short_length]
            same[at], deleted[at] = True, sentence.deleted
    return [found.tobytes() for found in (numbers, same, deleted)]


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
