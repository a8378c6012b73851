"""Blocks that were moved and reworded, whichever side is gold; and nothing that is not alike."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import seeds
from noise import (
    Damage,
    Sentence,
    Sentences,
    Text,
    aligned,
    damaged,
    misheard,
    misspelt,
    real,
    reworded,
    shown,
)
from treelens.align import reworded as reworded_module
from treelens.align.groups import GroupedBy, Yields
from treelens.align.moves import Move, moves, taken_together
from treelens.align.reworded import KnownTexts
from treelens.align.uncertain import uncertain, warnings
from treelens.rules.parameters import PRESETS
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode


def lowered(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    return 1, [[word.lower() for word in gold[at]]]


def drawn(count: int, seed: int = 1) -> Sentences:
    """Sentences of many different words that have nothing to do with one another."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnoprstuvwy"
    words = ["".join(draw.choices(letters, k=draw.randrange(2, 9))) for _ in range(3_000)]
    return [
        [draw.choice(words).title(), *draw.choices(words, k=draw.randrange(12, 20)), "."]
        for _ in range(count)
    ]


def moved(gold: Sentences, system: Sentences) -> list[Move]:
    """The blocks that were moved; that those of their sentences that differ are said to is so."""
    found = moves([aligned(gold, system).groups], (Text(gold), Text(system)))
    for one in found:
        pairs = zip(one.gold, one.system, strict=True)
        assert one.reworded == tuple(g for g, s in pairs if "".join(gold[g]) != "".join(system[s]))
    return [one._replace(reworded=()) for one in found]


def pairs_of(found: Sequence[Move]) -> set[tuple[int, int]]:
    return {pair for move in found for pair in zip(*move[:2], strict=True)}


def changed(block: Sentences, kind: Damage) -> Sentences:
    return damaged(block, 1.0, (kind,)).system


@pytest.mark.parametrize("kind", [reworded, misheard, misspelt, lowered])
@pytest.mark.parametrize("size", [2, 10, 60])
def test_a_block_is_moved_also_where_its_words_differ(kind: Damage, size: int) -> None:
    gold = drawn(400)
    system = [*gold[:100], *gold[100 + size : 300], *changed(gold[100:][:size], kind), *gold[300:]]
    wanted = Move(range(100, 100 + size), range(300 - size, 300))
    assert moved(gold, system) == [wanted]
    assert moved(system, gold) == [Move(wanted.system, wanted.gold)]
    groups = aligned(gold, system).groups
    together = taken_together(groups, [wanted])
    assert (together.how == GroupedBy.MOVED).sum() == size
    assert len(together.how) == 400
    for count, said in ((0, ";"), (1, " (1 of them reworded: a guess);"), (size, " (reworded: ")):
        some = wanted._replace(reworded=(*wanted.gold[:count],))
        (line,) = warnings(uncertain([groups], [some]), compared=True)
        assert f"–{100 + size} of gold: moved to sentences {301 - size}–300 of system{said}" in line


def test_a_moved_block_has_sentences_that_are_the_same_and_such_as_differ() -> None:
    gold = drawn(200)
    block = changed(gold[50:60], misheard)
    block[3:5] = gold[53:55]
    assert moved(gold, [*gold[:50], *gold[60:150], *block, *gold[150:]]) == [
        Move(range(50, 60), range(140, 150))
    ]


def test_what_one_side_lacks_of_a_moved_block_parts_it() -> None:
    gold = drawn(200)
    block = changed(gold[50:60], reworded)
    del block[4]
    assert moved(gold, [*gold[:50], *gold[60:150], *block, *gold[150:]]) == [
        Move(range(50, 54), range(140, 144)),
        Move(range(55, 60), range(144, 149)),
    ]


@pytest.mark.parametrize("words", [3, 12])
def test_one_sentence_is_moved_if_it_is_long_enough(words: int) -> None:
    gold = drawn(200)
    gold[50] = [*gold[50][:words], "and"]
    system = [*gold[:50], *gold[51:150], [*gold[50][:-1], "or"], *gold[150:]]
    found = [Move(range(50, 51), range(149, 150))]
    assert moved(gold, system) == (found if words > 3 else [])


def test_unrelated_sentences_were_not_moved() -> None:
    for seed in range(5):
        assert moved(drawn(300, seed), drawn(300, seed + 100)) == []


@pytest.mark.parametrize("text", ["constituents", "dependencies"])
def test_of_real_text_nothing_but_what_is_much_the_same_was_moved(text: str) -> None:
    sentences = real(text)
    if not sentences:
        pytest.skip("needs the reference data")
    half = len(sentences) // 2
    gold, system = sentences[:half], sentences[half:]
    pairs = pairs_of(moved(gold, system))
    # (Two of “Posted by Hidden Nook to Hidden Nook at”, with other dates.)
    assert len(pairs) <= 2
    for one, other in pairs:
        assert len({*gold[one]} & {*system[other]}) >= 0.5 * len(gold[one])


@pytest.mark.parametrize("text", ["constituents", "dependencies"])
@pytest.mark.parametrize(("kind", "right"), [(reworded, 0.83), (misheard, 0.78), (lowered, 0.95)])
def test_moved_blocks_of_real_text_are_found(text: str, kind: Damage, right: float) -> None:
    """What was measured, a little below."""
    sentences = real(text)
    if not sentences:
        pytest.skip("needs the reference data")
    found = others = 0
    for first in range(100, 1_500, 200):
        block = damaged(sentences[first : first + 10], 1.0, (kind,), first).system
        rest = sentences[:first] + sentences[first + 10 :]
        system = [*rest[: first + 200], *block, *rest[first + 200 :]]
        wanted = {(first + step, first + 200 + step) for step in range(10)}
        pairs = pairs_of(moved(sentences, system))
        found, others = found + len(wanted & pairs), others + len(pairs - wanted)
    assert found >= right * 70
    assert others <= 2


def test_blocks_in_one_place_that_nothing_is_between_are_moved_only_if_they_cross() -> None:
    gold = drawn(40)
    system = changed(gold, misheard)
    known = KnownTexts()
    sides, alone = (Text(gold), Text(system)), aligned(gold, drawn(40, 5)).groups
    assert moves([alone], sides, known) == []
    crossed = Text([*system[20:], *system[:20]])
    assert moves([alone], (sides[0], crossed), known) == [
        Move(range(20), range(20, 40), tuple(range(20))),
        Move(range(20, 40), range(20), tuple(range(20, 40))),
    ]


_SENTENCES = drawn(30, 9)


@st.composite
def shuffled(draw: st.DrawFn) -> Sentences:
    """Sentences of which blocks are moved, or there twice, and some are reworded."""
    result = [*_SENTENCES]
    for _ in range(draw(st.integers(0, 4))):
        first, size = draw(st.integers(0, len(result))), draw(st.integers(1, 8))
        block = result[first : first + size]
        if draw(st.booleans()):
            del result[first : first + size]
        at = draw(st.integers(0, len(result)))
        result[at:at] = block
    for at in draw(st.sets(st.integers(0, len(result) - 1), max_size=12)):
        place = draw(st.integers(0, len(result[at]) - 1))
        word = draw(st.sampled_from(["other", "Words", "."]))
        result[at] = [*result[at][:place], word, *result[at][place + 1 :]]
    return result


def together(gold: Sentences, system: Sentences) -> list[tuple[int, int, int, int]]:
    groups = aligned(gold, system).groups
    found = moves([groups], (Text(gold), Text(system)))
    return [one for one in shown(taken_together(groups, found)) if one[0] < one[1]]


@given(shuffled(), shuffled())
def test_the_same_sentences_are_taken_together_whichever_side_is_gold(
    gold: Sentences, system: Sentences
) -> None:
    pairs = {one for one in together(gold, system) if one[2] < one[3]}
    mirrored = {(*one[2:], *one[:2]) for one in together(system, gold) if one[2] < one[3]}
    assert pairs == mirrored


@pytest.mark.parametrize(("one", "other"), [("aba", "ba"), ("bc", "cbca"), ("bcab", "abb")])
def test_of_copies_the_same_ones_were_moved_whichever_side_is_gold(one: str, other: str) -> None:
    texts = dict(zip("abc", drawn(3), strict=True))
    sides = [[texts[letter] for letter in letters] for letters in (one, other)]
    gold, system = (Text(side) for side in sides)
    # (None of them is in order.)
    alone = [aligned(drawn(len(a), 5), drawn(len(b), 6)).groups for a in sides for b in sides]
    found = pairs_of(moves([alone[1]], (gold, system)))
    assert found == {(its, mine) for mine, its in pairs_of(moves([alone[2]], (system, gold)))}
    assert found


def tree(sentence: Sentence) -> str:
    return "(S " + " ".join(f"(X {word})" for word in sentence) + ")\n"


def of_texts(sides: Sequence[Sentences], alignment: Literal["own", "moved"] = "own") -> Pair:
    symbols = Symbols()
    gold, system = (document(encode("".join(map(tree, side))), symbols) for side in sides)
    return pair(gold, system, dataclasses.replace(PRESETS["default"], alignment=alignment))


def block_moved() -> list[Sentences]:
    gold = drawn(60)
    return [gold, [*gold[:10], *gold[16:40], *changed(gold[10:16], misheard), *gold[40:]]]


def test_what_was_moved_and_reworded_is_compared_only_if_that_is_asked_for() -> None:
    sides = block_moved()
    own, compared = (of_texts(sides, alignment) for alignment in ("own", "moved"))
    block = Move(range(10, 16), range(34, 40), tuple(range(10, 16)))
    assert own.moves() == compared.moves() == [block]
    there = [own.elsewhere(Side.GOLD, one) for one in (9, 10, 15, 16)]
    assert there == [None, (34, True), (39, True), None]
    assert own.elsewhere(Side.SYSTEM, 34) == (10, True)
    assert (len(own), len(compared)) == (66, 60)
    assert f1(own) < f1(compared)


def f1(found: Pair) -> float:
    return next(one.value or 0 for one in found.scores() if one.ratio.name == "F1")


@given(shuffled(), shuffled())
def test_swapped_sides_have_precision_for_recall(gold: Sentences, system: Sentences) -> None:
    scores, mirrored = (
        {one.ratio.name: one.value for one in of_texts(sides, "moved").scores()}
        for sides in ((gold, system), (system, gold))
    )
    assert scores["F1"] == mirrored["F1"]
    assert scores["tedeval"] == mirrored["tedeval"]
    assert scores["precision"] == mirrored["recall"]
    assert scores["recall"] == mirrored["precision"]


@pytest.mark.parametrize("alignment", ["own", "moved"])
@pytest.mark.parametrize("seed", seeds(6))
def test_after_edits_what_was_moved_is_what_a_fresh_start_says(
    seed: int, alignment: Literal["own", "moved"]
) -> None:
    draw, sides = random.Random(seed), block_moved()
    found = of_texts(sides, alignment)
    for _ in range(25):
        side, at = draw.randrange(2), draw.randrange(8, 42)
        sentence = sides[side][at]
        word = draw.randrange(max(len(sentence) - 1, 1))
        new = draw.choice(
            [
                [[*sentence[:word], draw.choice(["x", "Of"]), *sentence[word + 1 :]]],
                [[*sentence[:word], "".join(sentence[word : word + 2]), *sentence[word + 2 :]]],
                [sides[1 - side][draw.randrange(55)]],
                [],
                [sentence, ["yes"]],
            ]
        )
        sides[side] = [*sides[side][:at], *new, *sides[side][at + 1 :]]
        before = found.document((Side.GOLD, Side.SYSTEM)[side])
        start = len("".join(map(tree, sides[side][:at])))
        edit = before.edit(start, start + len(tree(sentence)), encode("".join(map(tree, new))))
        found = found.edit((Side.GOLD, Side.SYSTEM)[side], *edit)
        fresh = of_texts(sides, alignment)
        assert shown(found.groups) == shown(fresh.groups)
        assert found.moves() == fresh.moves()
        assert found.uncertain() == fresh.uncertain()
        assert found.total.tolist() == fresh.total.tolist()


def test_an_edit_looks_at_no_other_sentence_to_see_what_was_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not at any if that which is edited has a counterpart."""
    read: list[int] = []
    look = reworded_module._text

    def counted(side: Yields, sentence: int) -> str:
        read.append(sentence)
        return look(side, sentence)

    monkeypatch.setattr(reworded_module, "_text", counted)
    found = of_texts(block_moved())
    assert len(found.moves()) == 1
    assert sorted(read) == [*range(10, 16), *range(34, 40)]
    for sentence, looked_at in ((3, []), (55, []), (36, [36]), (12, [])):
        read.clear()
        at = found.system.text().index(b"(S") if not sentence else _start(found, sentence)
        found = found.edit(Side.SYSTEM, *found.system.edit(at + 6, at + 7, b"Q"))
        assert len(found.moves()) == 1
        assert read == looked_at


def _start(found: Pair, sentence: int) -> int:
    """Where system has a sentence."""
    return sum(len(found.system.piece_text(one)) for one in range(sentence))


def test_of_sentences_that_are_all_alike_no_more_pairs_are_compared_than_so_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []
    alike = reworded_module._Search._is_alike

    def counted(search: reworded_module._Search, *asked: Any) -> bool:
        compared.append(1)
        return alike(search, *asked)

    monkeypatch.setattr(reworded_module, "_MOST", 40)
    monkeypatch.setattr(reworded_module._Search, "_is_alike", counted)
    draw = random.Random(2)
    often = [["Yes", "sir", ",", "certainly"], ["No", ",", "not", "at", "all"]]
    gold, system = (
        [[*draw.choice(often), draw.choice("abcdefgh")] for _ in range(1_000)] for _ in range(2)
    )
    for at in range(0, 1_000, 50):
        gold[at] = system[999 - at] = [f"number{at}", *often[0]]
    alone = aligned(drawn(1_000, 5), drawn(1_000, 6)).groups
    assert moves([alone], (Text(gold), Text(system)))
    assert len(compared) < 20 * 40
