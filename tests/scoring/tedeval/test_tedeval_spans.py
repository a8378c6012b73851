"""Spans of dependency trees: by definition, in arrays, and for heads that make no tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.tedeval.algebra import crossed
from treelens.tedeval.spans import forest_spans, mended, remarks, sentence_spans, without_cycles
from treelens.trees.forest import NOWHERE, ROOT, running


@st.composite
def any_heads(draw: st.DrawFn) -> list[int]:
    """Heads of any kind: cycles, words as their own heads, none at all, out of range."""
    length = draw(st.integers(1, 9))
    return draw(st.lists(st.integers(NOWHERE, length), min_size=length, max_size=length))


@st.composite
def tree_heads(draw: st.DrawFn) -> list[int]:
    """Heads of a tree, projective or not: each word hangs at one that was there before."""
    order = draw(st.permutations(range(draw(st.integers(1, 9)))))
    heads = [ROOT] * len(order)
    for at, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, at - 1))]
    return heads


def dominated(heads: list[int], word: int) -> set[int]:
    """The word with all that is below it, by walking up from every word."""
    found = set()
    for other in range(len(heads)):
        above = other
        while above not in (word, ROOT):
            above = heads[above]
        if above == word:
            found.add(other)
    return found


@given(any_heads() | tree_heads())
def test_a_span_is_the_stretch_without_a_gap_around_the_word(heads: list[int]) -> None:
    mended = without_cycles(heads)
    for word, (first, last) in enumerate(sentence_spans(heads)):
        below = dominated(mended, word)
        assert set(range(first, last)) <= below
        assert first <= word < last
        assert first - 1 not in below
        assert last not in below


@given(any_heads() | tree_heads())
def test_spans_are_those_of_a_tree(heads: list[int]) -> None:
    spans = sentence_spans(heads)
    assert len(set(spans)) == len(spans)
    assert crossed(spans) is None


@given(tree_heads())
def test_heads_of_a_tree_stay(heads: list[int]) -> None:
    assert without_cycles(heads) == heads


@given(st.lists(any_heads() | tree_heads(), max_size=6), st.booleans())
def test_whole_files_are_read_as_sentences_are(sentences: list[list[int]], longer: bool) -> None:
    # A few words are taken one by one; so the arrays are met with many.
    sentences = sentences + [[ROOT, *range(80)]] * longer
    head = np.array([head for heads in sentences for head in heads], np.int32)
    first_leaf = running(np.array([len(heads) for heads in sentences], np.int32))
    found = forest_spans(head, first_leaf)
    expected = [span for heads in sentences for span in sentence_spans(heads)]
    assert list(zip(found.first.tolist(), found.last.tolist(), strict=True)) == expected
    strange = [at for at, heads in enumerate(sentences) if remarks(heads)]
    assert mended(head, first_leaf, found) == strange


@pytest.mark.parametrize(
    ("heads", "spans", "said"),
    [
        # Words 0 and 2 cross words 1 and 3: 2 is lifted from 0 to the root.
        ([ROOT, ROOT, 0, 1], [(0, 1), (1, 2), (2, 3), (3, 4)], ["not projective: 2 words lifted"]),
        # 3 hangs at 0, over the root's 2, and is lifted to 2, which dominates all in between.
        ([1, 2, ROOT, 0], [(0, 1), (0, 2), (0, 4), (3, 4)], ["not projective: 1 word lifted"]),
        # A cycle of the last two, and a third below it.
        ([1, 2, 1], [(0, 1), (0, 3), (2, 3)], ["1 cycle, cut at its first word"]),
        ([0], [(0, 1)], ["1 cycle, cut at its first word"]),
        ([NOWHERE, 0], [(0, 2), (1, 2)], ["1 word without a head, put below the root"]),
        ([ROOT, 0, ROOT], [(0, 2), (1, 2), (2, 3)], []),  # two roots are two trees
    ],
)
def test_by_hand(heads: list[int], spans: list[tuple[int, int]], said: list[str]) -> None:
    assert sentence_spans(heads) == spans
    assert remarks(heads) == said


def test_a_very_deep_and_a_very_crossed_sentence() -> None:
    deep = [ROOT, *range(50_000)]
    assert sentence_spans(deep)[:2] == [(0, 50_001), (1, 50_001)]
    assert len(set(sentence_spans(deep))) == len(deep)
    crossed_heads = [ROOT, ROOT, *range(50_000)]
    assert set(sentence_spans(crossed_heads)) == {(at, at + 1) for at in range(50_002)}
