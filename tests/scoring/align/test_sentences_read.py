"""Which sentences are read to align others, and how often."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from noise import Sentences, Text, shown
from treelens.align.sentences import align_sentences


class _Read(Text):
    """A text that knows how often each of its sentences was read."""

    def __init__(self, sentences: Sentences) -> None:
        super().__init__(sentences)
        self.read: Counter[int] = Counter()

    def words(self, sentence: int) -> Sequence[bytes]:
        self.read[sentence] += 1
        return super().words(sentence)


def test_sentences_that_are_all_unrelated_are_read_once() -> None:
    chance = random.Random(7)
    sides = [_Read([[f"word{chance.randrange(10**6)}"] for _ in range(3_000)]) for _ in "gs"]
    align_sentences(*sides)
    assert all(set(side.read.values()) == {1} for side in sides)


def test_a_changed_sentence_behind_a_gap_is_looked_for_in_the_gap_alone() -> None:
    chance = random.Random(7)
    texts = [[f"word{chance.randrange(10**6)}" for _ in range(8)] for _ in range(2_000)]
    changed = ["another", *texts[800][1:]]
    gold, system = _Read(texts), _Read([*texts[:500], changed, *texts[801:]])
    groups = align_sentences(gold, system).groups
    assert (800, 801, 500, 501) in shown(groups)
    assert {500} <= {*system.read} <= {*range(500, 510)}
    assert {*gold.read} <= {*range(500, 810)}
