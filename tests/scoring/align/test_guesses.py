"""Sentences that have little in common: when they are counterparts."""

from __future__ import annotations

import random

import pytest
from laws import seeds
from noise import Sentences, Text, added, damaged, joined, misheard, real, shown, split
from test_reworded import drawn
from treelens.align.groups import GroupedBy, Groups
from treelens.align.moves import moves
from treelens.align.sentences import align_sentences
from treelens.align.uncertain import uncertain

SIDES = "gold", "system"


def aligned(gold: Sentences, system: Sentences) -> Groups:
    return align_sentences(Text(gold), Text(system)).groups


def test_sentences_that_have_only_short_words_in_common_are_no_counterparts() -> None:
    """Where the text goes on as it is on the other side; else many words may be other ones."""
    one = "Prévenez votre médecin ou votre dentiste si vous présentez de tels symptômes ."
    other = "La dose de 5 mg d' acide doit être administrée pendant 15 minutes à le moins ."
    wrong = "Prévenez la médecin ou la dose si vous le de tels minutes ."
    around = [[f"word{k}", "and", f"another{7 * k}"] for k in range(20)]
    for there, goes_on, how in (
        (other, True, GroupedBy.ALONE),
        (other, False, GroupedBy.GUESSED),
        (wrong, True, GroupedBy.ALIKE),
    ):
        gold = [*around[:10], one.split(), *around[10:]]
        behind = around[10:] if goes_on else [[*words[:-1], "other"] for words in around[10:]]
        system = [*around[:10], there.split(), *behind]
        for sides in ((gold, system), (system, gold)):
            groups = aligned(*sides)
            assert groups.how[10] == how
            assert len(groups.how) == 21 + (how == GroupedBy.ALONE)


@pytest.mark.parametrize("stop", [".", "。", "?!", "۔"])
@pytest.mark.parametrize("count", [1, 5, 30])
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("different", [2, 10_000])
@pytest.mark.parametrize("goes_on", [True, False])
def test_unrelated_short_sentences_are_not_paired_for_how_they_end(
    stop: str, count: int, words: int, different: int, goes_on: bool
) -> None:
    draw = random.Random(count)
    around = [[f"word{k}", "and", f"another{7 * k}", stop] for k in range(20)] if goes_on else []
    sides = []
    for letters in ("aeiouбгд", "bcdfgжзи"):
        some = ["".join(draw.choices(letters, k=6)) for _ in range(different)]
        own = [[*draw.choices(some, k=words), stop] for _ in range(count)]
        sides.append([*around[:10], *own, *around[10:]])
    for one, other in (sides, sides[::-1]):
        groups = aligned(one, other)
        assert (groups.how == GroupedBy.SAME).sum() == len(around)
        if goes_on and words == 1 and count == 1:
            assert groups.how[10] == GroupedBy.SINGLE
        else:
            assert (groups.how == GroupedBy.ALONE).sum() == 2 * count


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("= _ /", "= /"),
        ("! & ? * &", "! & _ * &"),
        ("x = - ( + ) * 2", "z = - ( + ) * 3"),
        ("😀 😀 😀 a", "😀 😀 😀 b"),
        ("* * *", "* A *"),
        ("[ http://a.b/c ]", "[ ]"),
        ("( Applause . )", "( . )"),
        ("Make $$$ .", "$$$ ."),
        ("$ 5", "$ 6"),
        ("ुर ।", "ु ।"),
        ("OH NO !", "oh no !"),
        ("ÓJÁ .", "ójá ."),
    ],
)
def test_symbols_case_and_what_is_hardly_more_than_punctuation_are_alike(
    one: str, other: str
) -> None:
    around = [[f"word{k}", "and", f"another{7 * k}", "."] for k in range(4)]
    sides = [[*around[:2], text.split(), *around[2:]] for text in (one, other)]
    sides[1][3] = [*sides[1][3][:-1], "!"]  # The next one differs, too.
    for gold, system in (sides, sides[::-1]):
        assert shown(aligned(gold, system)) == [(k, k + 1, k, k + 1) for k in range(5)]


def test_where_a_text_differs_throughout_a_stop_in_one_place_is_a_guess() -> None:
    """A recogniser's: the sentences around are counterparts, too."""
    gold = [[f"word{k}", "and", f"another{7 * k}", "then", "."] for k in range(9)]
    system = [[*one[:2], "other", *one[3:]] for one in gold]
    gold[4], system[4] = ["Thanks", "!"], ["Tanks", "!"]
    gold[6], system[6] = ["Great", "service", "!"], ["cold", "fish", "!"]
    groups = aligned(gold, system)
    assert shown(groups) == [(k, k + 1, k, k + 1) for k in range(9)]
    assert [GroupedBy(how) for how in groups.how[[4, 6]].tolist()] == [
        GroupedBy.ALIKE,
        GroupedBy.GUESSED,
    ]


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (["Foo .", "a b"], ["Foa ."]),
        (["a b", "Foo ."], ["Foa ."]),
        (["Good morning .", "No ."], ["Good morningg ."]),
        (["Oh !", "No .", "Good morning ."], ["Good morningg ."]),
    ],
)
def test_a_short_sentence_that_the_other_side_lacks_is_no_part_of_its_neighbour(
    gold: list[str], system: list[str]
) -> None:
    """Though it has what few letters it has."""
    around = ["alpha beta gamma delta epsilon", "the river runs slowly to sea"]
    counterpart = next(at for at, one in enumerate(gold) if one[:2] == system[0][:2])
    for before, behind in (([], []), ([around[0]], [around[1]])):
        sides = [[one.split() for one in [*before, *own, *behind]] for own in (gold, system)]
        at = len(before)
        for one, other in (sides, sides[::-1]):
            pair = at + counterpart, at
            first, second = pair if one is sides[0] else pair[::-1]
            groups = shown(aligned(one, other))
            assert (first, first + 1, second, second + 1) in groups
            assert len(groups) == len(sides[0])


@pytest.mark.parametrize(
    ("gold", "system", "groups"),
    [
        (["og vildi stanga", "hana ."], ["og vildi eftir hana loks"], [(0, 2, 0, 1)]),
        (["They sang a song", "on it"], ["They sang a tune on me"], [(0, 2, 0, 1)]),
        (["They came", "They came home ."], ["And They came home ."], [(0, 1, 0, 0), (1, 2, 0, 1)]),
    ],
)
def test_what_has_a_word_in_common_with_its_neighbour_s_counterpart_is_a_part_of_it(
    gold: list[str], system: list[str], groups: list[tuple[int, int, int, int]]
) -> None:
    """If the neighbour has not the same one."""
    sides = [[one.split() for one in own] for own in (gold, system)]
    assert shown(aligned(*sides)) == groups
    mirrored = [(*one[2:], one[0], one[1]) for one in groups]
    assert shown(aligned(*sides[::-1])) == mirrored


@pytest.mark.parametrize("kind", ["constituents", "dependencies"])
def test_what_is_split_off_is_a_part_of_its_neighbour_though_words_are_wrong(kind: str) -> None:
    draw = random.Random(3)
    sentences = [one for one in real(kind) if len(one) > 6][:300]
    if not sentences:
        pytest.skip("needs the reference data")
    damage = damaged(sentences, 0.3, (split,))
    system = [
        [
            _with_a_wrong_letter(one, draw) if len(one) > 2 and draw.random() < 0.3 else one
            for one in words
        ]
        for words in damage.system
    ]
    right, _ = damage._replace(system=system).found(aligned(damage.gold, system))
    assert right >= 0.99


def test_a_sentence_that_stands_elsewhere_is_no_counterpart_of_one_that_is_alike() -> None:
    gold = [
        ["old", "harbour", "and", "fishing", "village", "."],
        ["We", "walked", "along", "the", "pier", "at", "noon", ",", "and", "had", "tea", "."],
        ["The", "bread", "is", "fresh", "and", "warm", "."],
        ["old", "church", "and", "village", "."],
    ]
    system = [gold[1], gold[0]]
    for sides in ((gold, system), (system, gold)):
        groups = aligned(*sides)
        assert [one for one in shown(groups) if one[0] < one[1] and one[2] < one[3]] == [
            (1, 2, 0, 1) if sides[0] is gold else (0, 1, 1, 2)
        ]
        texts = [Text(side) for side in sides]
        ((golds, systems, _),) = moves([groups], (texts[0], texts[1]))
        assert [*golds, *systems] == ([0, 1] if sides[0] is gold else [1, 0])


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("kind", ["constituents", "dependencies"])
def test_a_block_that_was_moved_into_a_gap_is_found_whatever_is_alike_in_the_gap(
    kind: str, seed: int
) -> None:
    texts = [words for words in real(kind) if sum(map(len, words)) >= 16]
    if not texts:
        pytest.skip("no shared data")
    gold = [*dict.fromkeys(map(tuple, texts))][:1000]
    draw = random.Random(seed)
    gap, block = draw.randrange(100, 300), draw.randrange(600, 900)
    size, moved = 255, draw.choice([3, 10])
    system = [
        *gold[:gap],
        *gold[block : block + moved],
        *gold[gap + size : block],
        *gold[block + moved :],
    ]
    sides = Text(gold), Text(system)
    groups = align_sentences(*sides).groups
    (found,) = moves([groups], sides)
    assert found[:2] == (range(block, block + moved), range(gap, gap + moved))
    assert not {GroupedBy.GUESSED, GroupedBy.ALIKE}.intersection(groups.how.tolist())


@pytest.mark.parametrize(("many", "how"), [(8, GroupedBy.ALIKE), (60, GroupedBy.GUESSED)])
def test_that_one_of_many_is_the_counterpart_is_a_guess(many: int, how: GroupedBy) -> None:
    """Unless they are much the same: with so many to choose from, one is alike by chance."""
    around = [[f"word{k}", "and", f"another{7 * k}"] for k in range(20)]
    gap = [f"Nothing{k} else{3 * k} is like{5 * k}".split() for k in range(many)]
    here = ["We", "were", "all", "very", "happy", "there", "today", "."]
    gold = [*around[:10], *gap[:4], here, *gap[4:], *around[10:]]
    for there, wanted in (
        ("They are very happy now .", how),
        ("We were all very happy there .", GroupedBy.ALIKE),
    ):
        system = [*around[:10], there.split(), *around[10:]]
        for sides in ((gold, system), (system, gold)):
            groups = aligned(*sides)
            (pair,) = set(groups.how.tolist()) - {GroupedBy.SAME, GroupedBy.ALONE}
            assert pair == wanted


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (
            ["WIND BLOWS ALL DAY", "A wind blows all day in the hills , says the radio ."],
            ["wind blows all day", "a wind blows all day in the hills , says the radio ."],
        ),
        (
            ["WIND BLOWS ALL DAY", "A wind blows all day in the hills ."],
            ["wind blows all day", "and so wind all over the hills ."],
        ),
        (["WHICH WAY TO GO HERE"], ["which way to go here"]),
        (["ΠΟΙΟΣ ΔΡΟΜΟΣ ΕΙΝΑΙ ΑΥΤΟΣ"], ["ποιοσ δρομοσ ειναι αυτοσ"]),
    ],
)
def test_a_line_in_capitals_is_itself_beside_one_that_has_its_words(
    gold: list[str], system: list[str]
) -> None:
    texts = [[line.split() for line in side] for side in (gold, system)]
    for sides in (texts, texts[::-1]):
        groups = aligned(*sides)
        assert shown(groups) == [(k, k + 1, k, k + 1) for k in range(len(gold))]
        assert {*groups.how.tolist()} == {GroupedBy.ALIKE}


@pytest.mark.parametrize("kind", ["constituents", "dependencies"])
def test_few_sentences_that_stand_in_one_place_by_chance_are_guessed_to_be_counterparts(
    kind: str,
) -> None:
    texts = real(kind)
    if not texts:
        pytest.skip("no shared data")
    draw = random.Random(0)
    where = [draw.choice(["gold", "system", *["both"] * 3]) for _ in texts]
    kept = [[at for at, one in enumerate(where) if one in (side, "both")] for side in SIDES]
    groups = aligned(*([texts[at] for at in side] for side in kept))
    guesses = [
        (kept[0][one[0]], kept[1][one[2]])
        for one, how in zip(shown(groups), groups.how.tolist(), strict=True)
        if how == GroupedBy.GUESSED
    ]
    wrong = sum(gold != system for gold, system in guesses)
    assert wrong <= len(texts) / 450


@pytest.mark.parametrize("seed", seeds(10))
def test_gaps_and_guesses_are_the_same_whichever_side_is_gold(seed: int) -> None:
    """Also where sentences that the other side lacks stand beside a gap."""
    draw = random.Random(seed)
    gold = drawn(160, seed)
    at, size = draw.randrange(20, 60), draw.randrange(16, 60)
    kept = [*gold[:at], *gold[at + size :]]
    system = damaged(kept, 1.0, (misheard, added), seed).system
    found = uncertain([aligned(gold, system)], [])
    swapped = uncertain([aligned(system, gold)], [])
    mirrored = [one._replace(gold=one.system, system=one.gold) for one in swapped]
    assert any(one.kind == "gap" for one in found)
    # (Where in the other file a gap is is no stretch of it.)
    told, other = (
        {(one.kind, one.gold or None, one.system or None) for one in some}
        for some in (found, mirrored)
    )
    assert told == other


@pytest.mark.parametrize(("text", "most"), [("constituents", 0.02), ("dependencies", 0.04)])
@pytest.mark.parametrize("cut", [0.02, 0.1])
def test_where_no_word_is_the_same_and_sentences_are_cut_otherwise_letters_line_them_up(
    text: str, most: float, cut: float
) -> None:
    sentences = real(text)
    if not sentences:
        pytest.skip("needs the reference data")
    damage = damaged(sentences, cut, (joined, split))
    draw = random.Random(7)
    system = [[_with_a_wrong_letter(word, draw) for word in one] for one in damage.system]
    right, _ = damage._replace(system=system).found(aligned(damage.gold, system))
    assert right >= 1 - most


def _with_a_wrong_letter(word: str, draw: random.Random) -> str:
    place = draw.randrange(len(word))
    return word[:place] + draw.choice("aeioust") + word[place + 1 :]
