"""What two sequences have in common: exact up to a size, and of longer ones nearly, in bounds."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noise import aligned
from treelens.align import subsequence
from treelens.align.groups import GroupedBy
from treelens.align.subsequence import blocks, in_common, share_in_common
from treelens.align.words import align_words
from treelens.rules import distances

_LONG = 17_000
"""Words of a sentence that are too many to be compared with as many, pair by pair."""

items = st.lists(st.integers(0, 6), max_size=40)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sequences are long ones."""
    for name, size in (("PAIRS_COMPARED", 60), ("PAIRS_COUNTED", 60), ("_PAIRS_BETWEEN", 9)):
        monkeypatch.setattr(subsequence, name, size)


@pytest.mark.usefixtures("small")
@given(items, items)
def test_blocks_of_long_sequences_are_in_order_and_equal(one: list[int], other: list[int]) -> None:
    found = blocks(one, other)
    i = j = 0
    for block in found:
        assert (block.gold.start, block.system.start) == (i, j)
        mine, its = (
            [side[at] for at in rows] for side, rows in zip((one, other), block[:2], strict=True)
        )
        assert mine == its if block.equal else mine + its
        i, j = block.gold.stop, block.system.stop
    assert (i, j) == (len(one), len(other))
    assert all(a.equal != b.equal for a, b in itertools.pairwise(found))
    common = sum(len(block.gold) for block in found if block.equal)
    assert common <= distances.LCSseq.similarity(one, other)
    assert in_common(one, other) <= distances.LCSseq.similarity(one, other)
    assert in_common(one, one) == len(one)
    assert share_in_common(one, one, 0.4) == 1


@pytest.mark.usefixtures("small")
@given(items, items, st.sampled_from([0.213, 0.419, 0.707]))
def test_a_share_is_that_of_the_longer_one_or_nothing(
    one: list[int], other: list[int], least: float
) -> None:
    share = in_common(one, other) / max(len(one), len(other), 1)
    if one and other:
        assert share_in_common(one, other, least) == pytest.approx(share if share >= least else 0)


def misheard(words: Sequence[bytes], share: float) -> list[bytes]:
    """With so many words lost, others, or more."""
    draw = random.Random(5)
    made = []
    for word in words:
        kind = draw.choice(("lost", "other", "more")) if draw.random() < share else ""
        made += {"lost": [], "other": [b"?"], "more": [draw.choice(words), word]}.get(kind, [word])
    return made


def texts() -> Iterator[tuple[str, list[bytes]]]:
    draw = random.Random(3)
    yield "each word once", [b"w%d" % number for number in range(_LONG)]
    yield "fifty words", [b"w%d" % draw.randrange(50) for _ in range(_LONG)]
    yield "a text six times", [b"w%d" % draw.randrange(900) for _ in range(_LONG // 6)] * 6


@pytest.mark.parametrize(("kind", "words"), [*texts()], ids=[kind for kind, _ in texts()])
def test_words_of_very_long_sentences_are_aligned(kind: str, words: list[bytes]) -> None:
    other = misheard(words, 0.01)
    assert in_common(words, other) >= 0.99 * len(words)
    axis = align_words(words, other)
    cells = dict(zip(axis.gold, words, strict=True))
    same = sum(cells.get(cell) == word for cell, word in zip(axis.system, other, strict=True))
    assert same >= 0.985 * len(words)
    mirrored = align_words(other, words)
    assert axis == (mirrored.system, mirrored.gold, mirrored.cells)


def test_very_long_sentences_that_differ_little_are_alike_and_no_guess() -> None:
    words = [f"w{number}" for number in range(_LONG)]
    other = [word.decode() for word in misheard([word.encode() for word in words], 0.02)]
    assert aligned([words], [other]).groups.how.tolist() == [GroupedBy.ALIKE]


def test_unrelated_very_long_sentences_are_compared_in_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = [0]
    _count_pairs(monkeypatch, compared)
    draw = random.Random(1)
    sides = [
        [[f"w{draw.randrange(10**6)}" for _ in range(_LONG)] for _ in range(count)]
        for count in (2, 3)
    ]
    assert aligned(*sides).groups.how.tolist() == [GroupedBy.ALONE] * 5
    assert compared[0] < _LONG**2


def _count_pairs(monkeypatch: pytest.MonkeyPatch, compared: list[int]) -> None:
    """Adds up the pairs of items that are compared one by one."""
    for name, method in (("LCSseq", "similarity"), ("Indel", "opcodes")):
        compare = getattr(getattr(distances, name), method)

        def counted(one: Any, other: Any, *, compare: Any = compare) -> Any:
            compared[0] += len(one) * len(other)
            return compare(one, other)

        measure = type(name, (), {method: staticmethod(counted)})
        monkeypatch.setattr(distances, name, measure)
