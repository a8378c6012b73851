"""The tallies of many ordinary pairs at once: the same as the model gives.

An ordinary pair is two ordinary lines (see ``tree_lines``), or one and an empty line that is
skipped. Of two that cannot be compared the fault is told. Every other pair is left to the model
(``sentences``, ``comparison``), which is also the oracle that this module is tested against.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treelens.dropin.evalb.faults import Fault, length_fault, word_fault
from treelens.dropin.evalb.run import Run
from treelens.dropin.shared.labels import LabelTable
from treelens.dropin.shared.line_brackets import Kept, keep, match
from treelens.dropin.shared.lines import Lines
from treelens.dropin.shared.rows import OK, SKIPPED
from treelens.dropin.shared.tree_lines import Flags, Ints, Side, different_words, read_side


class Tallies(NamedTuple):
    """What is known of the pairs of a block."""

    numbers: Ints
    """(8, pairs) The fields of ``rows.Tally``, in their order."""
    ordinary: Flags
    """(pairs,) Whether the numbers are valid at all. Where not, and there is no fault either,
    the model reads the pair."""
    faults: dict[int, Fault]
    """Of pairs of ordinary lines with different words; of their numbers the length is valid."""
    compared: Flags
    """(pairs,) Whether a label was compared with the DELETE_LABEL entries."""


def tallies(
    gold: Lines, test: Lines, first: int, last: int, table: LabelTable, run: Run
) -> Tallies:
    """The tallies of the pairs ``first`` to ``last``."""
    odd, same = np.zeros(last - first, np.bool_), _same_lines(gold, test, first, last)
    sides = read_side(gold, first, last, table, odd), read_side(test, first, last, table, odd, same)
    return _compare(sides, (keep(sides[0], table), keep(sides[1], table)), table, odd, same, run)


def _same_lines(gold: Lines, test: Lines, first: int, last: int) -> Flags:
    """Which pairs are twice the same line, of which one is read: all of it has a partner."""
    left, right = (np.array(lines.starts[first : last + 1]) for lines in (gold, test))
    size = np.diff(left)
    same = size == np.diff(right)
    likely = np.flatnonzero(same)
    places = (each[likely].tolist() for each in (left, right, size))
    same[likely] = [
        gold.text[start : start + size] == test.text[other : other + size]
        for start, other, size in zip(*places, strict=True)
    ]
    return same


def _compare(
    sides: tuple[Side, Side],
    kept: tuple[Kept, Kept],
    table: LabelTable,
    odd: Flags,
    same: Flags,
    run: Run,
) -> Tallies:
    """Compare two sides, and what was kept of them; of pairs that are the same line, of gold."""
    (gold, test), (left, right) = sides, kept
    pairs = len(odd)
    words = np.diff(left.first_word)
    test_words = np.where(same, words, np.diff(right.first_word))
    skipped = test_words == 0
    # With -X an empty parse is not skipped; its row is the model's.
    odd |= skipped & run.settings.counts_unparsed
    unequal = (words != test_words) & ~skipped & ~odd
    faults = _length_faults(np.flatnonzero(unequal), words, test_words, run)
    odd |= unequal
    comparable = ~(odd | skipped | same)
    line = np.repeat(np.arange(pairs), np.where(comparable, words, 0))
    left_words = left.words[np.repeat(comparable, words)]
    right_words = right.words[np.repeat(comparable, np.diff(right.first_word))]
    # The first of a line is told, so it has to be entered last.
    for k in reversed(_different(gold, test, left_words, right_words, run)):
        faults[int(line[k])] = word_fault(gold.word(left_words[k]), test.word(right_words[k]))
        odd[line[k]] = True
    same_tag = table.columns.tag[gold.tag[left_words]] == table.columns.tag[test.tag[right_words]]
    brackets = np.bincount(left.sentence, minlength=pairs)
    matches = match(left.of(~same), right, pairs)
    counts = (
        np.where(same, brackets, matches.matched),
        brackets,
        np.where(same, brackets, np.bincount(right.sentence, minlength=pairs)),
        matches.crossing,
        words,
        np.where(same, words, np.bincount(line[same_tag], minlength=pairs)),
    )
    numbers = np.stack([_lengths(gold, table), np.where(skipped, SKIPPED, OK), *counts])
    numbers[2:, skipped] = 0
    compared = (left.compared | right.compared) & ~skipped
    return Tallies(numbers, ~(odd | matches.beyond), faults, compared)


def _length_faults(unequal: Ints, words: Ints, test_words: Ints, run: Run) -> dict[int, Fault]:
    if run.settings.quote_labels:
        return {}  # the model may mend them
    few = 1 if run.dialect.counts_length_mismatch else -1
    numbers = zip(
        unequal.tolist(), words[unequal].tolist(), test_words[unequal].tolist(), strict=True
    )
    return {k: length_fault(gold, test, run.dialect) for k, gold, test in numbers if gold > few}


def _lengths(gold: Side, table: LabelTable) -> Ints:
    counts = table.columns.counts_for_length[gold.tag]
    if counts.all():
        return np.diff(gold.first_word)
    return np.diff(np.append(0, np.cumsum(counts))[gold.first_word])


def _different(gold: Side, test: Side, left: Ints, right: Ints, run: Run) -> list[int]:
    """Which of the words ``left`` are not the words ``right``, nor equal to them."""
    found: list[int] = different_words(gold, test, left, right).tolist()
    if run.settings.equal_words:
        same = run.same_word
        return [k for k in found if not same(gold.word(left[k]), test.word(right[k]))]
    return found
