"""Long texts of which no sentence is there once, and few short sentences."""

from __future__ import annotations

import random

import pytest
from laws import seeds
from noise import Text, aligned, damaged, misheard, real, shown
from treelens.align import stretch
from treelens.align.groups import UNCHANGED, SentenceChange
from treelens.align.sentences import realign


@pytest.mark.parametrize("gap", [300, 1_000, 5_000])
@pytest.mark.parametrize(("words", "length"), [(50, 1), (12, 2), (144, 1)])
def test_a_gap_in_a_long_text_derails_nothing_where_no_sentence_is_there_once(
    words: int, length: int, gap: int
) -> None:
    """Of more pairs than are compared one by one."""
    drawn = random.Random(gap)
    gold = [[f"w{drawn.randrange(words)}" for _ in range(length)] for _ in range(20_000)]
    for first in 0, 9_000:
        # (What is beside the gap may be another one, too.)
        system = [*gold[:first], *gold[first + gap :]]
        system[first] = ["other"]
        groups = shown(aligned(gold, system).groups)
        same = [
            (one, other)
            for one, end, other, _ in groups
            if one < end and gold[one] == system[other]
        ]
        right = sum(one == other + gap * (other >= first) for one, other in same)
        assert right >= 0.98 * len(system)


@pytest.mark.parametrize(
    ("count", "texts", "gap"), [(40, 4, 2), (200, 10, 20), (500, 20, 50), (6_000, 50, 500)]
)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_repeated_is_found_behind_a_gap(
    count: int, texts: int, gap: int, seed: int
) -> None:
    """Not where some of it, one or two in a row, is there by chance."""
    drawn = random.Random(seed)
    pool = [[f"a{text}", f"b{text}"] for text in range(texts)]
    gold = drawn.choices(pool, k=count)
    for first in 0, count // 2:
        system = [*gold[:first], *gold[first + gap :]]
        pairs = _pairs(gold, system)
        assert len(pairs) == len(system)
        assert all(gold[one] == system[other] for one, other in pairs)


def test_short_answers_are_found_behind_a_gap_among_longer_ones_that_are_there_twice() -> None:
    drawn = random.Random(4)
    short = [[word, "."] for word in ("yes", "no", "okay", "thanks", "right", "hm")]
    long = [["the", f"n{k}", "runs", "."] for k in range(400)]
    gold = [drawn.choice(short if drawn.random() < 0.8 else long) for _ in range(2_000)]
    for first in range(0, 1_900, 100):
        system = [*gold[:first], *gold[first + 100 :]]
        pairs = _pairs(gold, system)
        assert len(pairs) == len(system)
        assert all(gold[one] == system[other] for one, other in pairs)


@pytest.mark.parametrize("seed", seeds(10))
def test_edits_where_no_sentence_is_there_once_are_as_a_fresh_start(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretch, "PAIRS_COMPARED", 1 << 12)
    drawn = random.Random(seed)
    texts = [[f"w{word}"] for word in range(drawn.choice((3, 8, 40, 90)))]
    gold = drawn.choices(texts, k=1_200)
    system = [*gold[:100], *gold[100 + drawn.choice((40, 300, 700)) :]]
    found = aligned(gold, system)
    for _ in range(12):
        at = drawn.choice((0, 99, 100, 101, drawn.randrange(len(system) - 1)))
        new = drawn.choice(
            ([], [["other"]], [drawn.choice(texts)], [system[at], drawn.choice(texts)])
        )
        edited = [*system[:at], *new, *system[at + 1 :]]
        change = SentenceChange(at, at + 1, at + len(new))
        found, _ = realign(Text(gold), Text(edited), found, UNCHANGED, change)
        system = edited
        assert shown(found.groups) == shown(aligned(gold, system).groups)


def test_one_short_sentence_of_many_is_where_it_is() -> None:
    """And not where another is somewhat like it."""
    gold = [[f"First{k}", "Union", f"Securities{k}", ",", "Inc", "."] for k in range(400)]
    short = ["Union", "job", ",", "guys", "."]
    gold[300] = short
    system = [gold[0], short, gold[399]]
    assert (300, 301, 1, 2) in shown(aligned(gold, system).groups)


def test_of_few_sentences_none_is_passed_by_for_a_nearer_one() -> None:
    gold = [[f"word{k}", "and", f"another{7 * k}"] for k in range(400)]
    gold[20], gold[300] = gold[240], gold[200]
    system = [gold[0], gold[200], gold[240], gold[399]]
    found = {*shown(aligned(gold, system).groups)}
    assert {(200, 201, 1, 2), (240, 241, 2, 3)} <= found


def test_a_sentence_among_many_is_with_the_one_that_is_most_alike() -> None:
    """Not with the first one that is somewhat so; of 1,000 that a recogniser half misheard."""
    sentences = real("dependencies")[:1_000]
    if not sentences:
        pytest.skip("needs the reference data")
    heard = damaged(sentences, 1.0, (misheard,)).system
    asked = [at for at, words in enumerate(sentences) if len(words) >= 10][::12]
    found = [(*next(iter(_pairs([sentences[at]], heard)), (0, -1)), at) for at in asked]
    right = sum(system == at for _, system, at in found)
    assert right >= 0.9 * len(asked)


def test_a_few_sentences_beside_a_gap_are_not_held_to_short_ones_by_chance() -> None:
    """Of those that both have, the short ones stand in the gap as well."""
    short = [["yes", "."], ["no", "."]]
    long = [[f"word{k}", "and", f"another{7 * k}", "it", f"is{k}", "then"] for k in range(8)]
    worse = [[*words[:4], "other", words[5]] for words in long]
    gold = [long[0], short[0], *long[1:4], short[1], *long[4:]]
    gap = [[f"what{k}", "is", f"missing{k}"] for k in range(12)]
    system = [worse[0], *gap[:3], short[0], *gap[3:6], short[1], *gap[6:]]
    system += [short[0], *worse[1:4], short[1], *worse[4:]]
    found = _pairs(gold, system)
    assert {(at, at + len(system) - len(gold)) for at in range(2, len(gold))} <= found


def _pairs(gold: list[list[str]], system: list[list[str]]) -> set[tuple[int, int]]:
    groups = shown(aligned(gold, system).groups)
    return {(one, other) for one, end, other, its in groups if one < end and other < its}
