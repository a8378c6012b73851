"""Sentences of two to six different words: alike by chance, the same ones too. What is paired has
nearly as much in common as sentences in order can have."""

from __future__ import annotations

import random

import pytest
from noise import Damage, Group, Sentences, Text, damaged, lost, misheard, reworded, shown
from treelens.align.likeness import heaviest_pairs
from treelens.align.sentences import align_sentences
from treelens.rules.distances import LCSseq, process

COUNT = 400
NAMES = ("a", "bbb", "c", "ddd", "e", "fff")


def drawn(words: int, longest: int) -> Sentences:
    draw = random.Random(words)
    return [draw.choices(NAMES[:words], k=draw.randint(1, longest)) for _ in range(COUNT)]


def in_common(gold: Sentences, system: Sentences) -> tuple[float, float]:
    """Shares of the words that are in pairs: of the pairs found, and at best."""
    letters = dict(zip(NAMES, "abcdef", strict=True))
    texts = [["".join(map(letters.get, one)) for one in side] for side in (gold, system)]  # type: ignore[arg-type]
    shared = process.cdist(*texts, scorer=LCSseq.similarity).astype(float)
    groups = paired(gold, system)
    assert {(*group[2:], *group[:2]) for group in paired(system, gold)} == {*groups}
    words = sum(map(len, [*gold, *system])) / 2
    found = sum(
        LCSseq.similarity("".join(texts[0][first:end]), "".join(texts[1][other:its]))
        for first, end, other, its in groups
    )
    return found / words, sum(shared[pair] for pair in heaviest_pairs(shared)) / words


def paired(gold: Sentences, system: Sentences) -> list[Group]:
    groups = shown(align_sentences(Text(gold), Text(system)).groups)
    return [group for group in groups if group[1] > group[0] and group[3] > group[2]]


@pytest.mark.parametrize("longest", [3, 8])
@pytest.mark.parametrize("words", [2, 3, 4, 6])
@pytest.mark.parametrize("kinds", [(reworded,), (misheard,), (*(reworded,) * 9, lost)])
@pytest.mark.parametrize("gap", [0, 3])
def test_nearly_as_much_is_in_common_as_can_be(
    gap: int, kinds: tuple[Damage, ...], words: int, longest: int
) -> None:
    gold = drawn(words, longest)
    system = damaged(gold, 1.0, kinds).system
    found, best = in_common(gold, system[:150] + system[150 + gap :])
    assert found >= best - 0.1
