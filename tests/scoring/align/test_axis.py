"""Many groups at once are laid out as each is alone; words as parts of tokens."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from anchored import Sentence, forest, plain, sentence
from hypothesis import given
from hypothesis import strategies as st
from treelens.align.axis import lay
from treelens.align.words import Axis, Tokens, align_tokens
from treelens.rules.spelling import DEFAULT, words
from treelens.trees.forest import Forest, Symbols

Cells = list[tuple[int, int]]


def laid(
    gold: list[Sentence],
    system: list[Sentence],
    *,
    known: tuple[bool, bool] = (True, True),
    anchored: tuple[bool, bool] = (True, True),
) -> list[Axis]:
    """Each pair of sentences as a group; their axes, each counted from 0."""
    symbols = Symbols()
    sides: list[Forest] = []
    for sentences, is_known, has_anchors in zip((gold, system), known, anchored, strict=True):
        side = forest(sentences, symbols, known=is_known)
        sides.append(side if has_anchors else dataclasses.replace(side, anchors=None))
    groups = [np.repeat(np.arange(len(side)), np.diff(side.first_leaf)) for side in sides]
    trace = np.zeros(len(symbols.labels), np.bool_)
    found = lay(sides[0], groups[0], sides[1], groups[1], len(gold), trace, words(symbols, DEFAULT))
    axes = []
    for group in range(len(gold)):
        cells = [
            places[side.first_leaf[group] : side.first_leaf[group + 1]]
            for side, places in zip(sides, found[:2], strict=True)
        ]
        base, end = min(part.min() for part in cells), max(part.max() for part in cells)
        one, other = ([(a, b) for a, b in (part - base).tolist()] for part in cells)
        axes.append(Axis(one, other, int(end - base)))
    assert found.cells == sum(axis.cells for axis in axes)
    return axes


def tokens(sentence: Sentence, *, known: bool = True, anchored: bool = True) -> Tokens:
    """The same sentence as :func:`align_tokens` takes it."""
    words = [word.encode() for _, parts in sentence for word in parts]
    if not anchored:
        return Tokens(words, words, [1] * len(words), True)
    texts = [(form if known else "".join(parts)).encode() for form, parts in sentence]
    return Tokens(words, texts, [len(parts) for _, parts in sentence], known)


pairs = st.lists(st.tuples(sentence, sentence), min_size=1, max_size=4)
booleans = st.booleans()
both = st.tuples(booleans, booleans)


@given(pairs, both, both)
def test_many_groups_are_laid_out_as_each_is_alone(
    drawn: list[tuple[Sentence, Sentence]], known: tuple[bool, bool], anchored: tuple[bool, bool]
) -> None:
    gold, system = ([pair[side] for pair in drawn] for side in (0, 1))
    axes = laid(gold, system, known=known, anchored=anchored)
    for (one, other), axis in zip(drawn, axes, strict=True):
        alone = align_tokens(
            tokens(one, known=known[0], anchored=anchored[0]),
            tokens(other, known=known[1], anchored=anchored[1]),
        )
        same_words = [parts for _, parts in one] == [parts for _, parts in other]
        if not same_words or anchored[0] != anchored[1]:
            assert axis == alone
        else:  # then each word is its counterpart's partner, whatever the text of the tokens
            cells = [(k, k + 1) for k in range(len(tokens(one).words))]
            assert axis == (cells, cells, len(cells))


@given(sentence, sentence, both)
def test_every_word_has_cells_in_order_and_every_cell_a_word(
    gold: Sentence, system: Sentence, known: tuple[bool, bool]
) -> None:
    (axis,) = laid([gold], [system], known=known)
    for side in axis[:2]:
        assert all(start < end for start, end in side)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(side))
    covered = {cell for side in axis[:2] for start, end in side for cell in range(start, end)}
    assert covered == set(range(axis.cells))


@given(sentence, sentence)
def test_no_word_has_a_cell_outside_of_its_tokens_stretch(gold: Sentence, system: Sentence) -> None:
    """Where tokens of both sides end at one place, the words on either side of it do not mix."""
    words = align_tokens(tokens(gold), tokens(system))
    whole = align_tokens(
        *(tokens([(form, (form,)) for form, _ in side], anchored=True) for side in (gold, system))
    )
    first = [
        list(itertools.accumulate((len(parts) for _, parts in side), initial=0))
        for side in (gold, system)
    ]
    for place in range(whole.cells + 1):
        if any(start < place < end for side in whole[:2] for start, end in side):
            continue
        cuts = [sum(end <= place for _, end in side) for side in whole[:2]]
        before, behind = [0], [words.cells]
        for side, counts, cut in zip(words[:2], first, cuts, strict=True):
            before += [end for _, end in side[: counts[cut]]]
            behind += [start for start, _ in side[counts[cut] :]]
        assert max(before) <= min(behind)


@given(sentence, both)
def test_identical_sides_are_partners_throughout(
    both_sides: Sentence, known: tuple[bool, bool]
) -> None:
    one = align_tokens(tokens(both_sides, known=known[0]), tokens(both_sides, known=known[0]))
    (axis,) = laid([both_sides], [both_sides], known=known)
    cells = [(k, k + 1) for k in range(axis.cells)]
    assert one == axis == (cells, cells, len(tokens(both_sides).words))


@given(sentence, sentence, both)
def test_swapped_sides_are_swapped(
    gold: Sentence, system: Sentence, known: tuple[bool, bool]
) -> None:
    one = align_tokens(tokens(gold, known=known[0]), tokens(system, known=known[1]))
    other = align_tokens(tokens(system, known=known[1]), tokens(gold, known=known[0]))
    assert one == (other.system, other.gold, other.cells)


def _longest_common(one: list[bytes], other: list[bytes]) -> int:
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, j in itertools.product(reversed(range(len(one))), reversed(range(len(other)))):
        longer = max(best[i + 1][j], best[i][j + 1])
        best[i][j] = best[i + 1][j + 1] + 1 if one[i] == other[j] else longer
    return best[0][0]


parts = st.lists(st.sampled_from(["de", "le", "De", "x"]), min_size=2, max_size=7)


@given(parts, parts)
def test_within_a_token_equal_words_are_a_longest_common_subsequence_and_leftmost(
    gold: list[str], system: list[str]
) -> None:
    one, other = (tokens([("token", tuple(words))]) for words in (gold, system))
    axis = align_tokens(one, other)
    at = {cells: j for j, cells in enumerate(axis.system)}
    matched = [
        (i, at[cells])
        for i, cells in enumerate(axis.gold)
        if cells in at and one.words[i] == other.words[at[cells]]
    ]
    assert len(matched) == _longest_common(one.words, other.words)
    for (i, j), (later, its_later) in itertools.pairwise([(-1, -1), *matched]):
        assert one.words.index(one.words[later], i + 1) == later
        assert other.words.index(other.words[its_later], j + 1) == its_later


DU: Sentence = [("du", ("de", "le"))]


@pytest.mark.parametrize(
    ("gold", "system", "gold_cells", "system_cells"),
    [
        pytest.param(DU, DU, [(0, 1), (1, 2)], [(0, 1), (1, 2)], id="same"),
        pytest.param(DU, plain("du"), [(0, 1), (1, 2)], [(0, 2)], id="one word for two"),
        pytest.param(
            DU, [("du", ("De", "le"))], [(0, 1), (1, 2)], [(0, 1), (1, 2)], id="but for case"
        ),
        pytest.param(
            DU, [("du", ("le",))], [(0, 1), (1, 2)], [(1, 2)], id="a word that system has not"
        ),
        pytest.param(
            DU, [("du", ("le", "x", "y"))], [(0, 1), (1, 2)], [(1, 2), (2, 3), (3, 4)], id="both"
        ),
        pytest.param(
            [("du", ("d", "u"))], [("du", ("de", "le"))], [(0, 1), (1, 2)], [(0, 1), (1, 2)],
            id="as many words, none of them equal",
        ),
        pytest.param(
            [*plain("a"), *DU, *plain("b")], plain("a d u b"),
            [(0, 1), (1, 2), (2, 3), (3, 4)], [(0, 1), (1, 2), (2, 3), (3, 4)],
            id="a token in two pieces",
        ),
        pytest.param(
            [("dix-huit", ("dix", "-", "huit"))], [("dix-", ("dix", "-")), ("huit", ("huit",))],
            [(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 2), (2, 3)], id="tokens cut otherwise",
        ),
        pytest.param(
            [("BCL", ("B", "H", "CL")), ("HNEIM", ("H", "NEIM"))],
            [("BCL", ("B", "CL")), ("HNEIM", ("HNEIM",))],
            [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], [(0, 1), (2, 3), (3, 5)],
            id="Hebrew segments",
        ),
    ],
)  # fmt: skip
def test_typical_tokens(
    gold: Sentence, system: Sentence, gold_cells: Cells, system_cells: Cells
) -> None:
    assert laid([gold], [system])[0][:2] == (gold_cells, system_cells)


def test_tokens_that_nobody_knows_correspond_by_their_number() -> None:
    gold: Sentence = [("?", ("a", "b")), ("?", ("c",)), ("?", ("d", "e"))]
    system: Sentence = [("?", ("x",)), ("?", ("a", "b")), ("?", ("d", "e"))]
    (axis,) = laid([gold], [system], known=(False, False))
    assert axis.gold == [(0, 1), (1, 2), (2, 4), (4, 5), (5, 6)]
    assert axis.system == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]


def test_where_one_side_has_no_tokens_its_words_are() -> None:
    gold: Sentence = [*plain("a"), *DU, *plain("b")]
    (axis,) = laid([gold], [plain("a de le b")], anchored=(True, False))
    assert axis.gold == axis.system == [(0, 1), (1, 2), (2, 3), (3, 4)]
    (axis,) = laid([gold], [plain("a du b")], anchored=(True, False))
    assert axis.gold == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert axis.system == [(0, 1), (1, 3), (3, 4)]
