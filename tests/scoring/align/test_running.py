"""Text of few different words that is cut into sentences otherwise and has other words here and
there: sentences are alike by chance, and long runs of the same words tell where it goes on."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from laws import seeds
from noise import Sentence, Sentences, Text, aligned, shown
from rapidfuzz.distance import LCSseq
from test_sentences import columns
from treelens.align.groups import UNCHANGED, SentenceChange
from treelens.align.running import goes_on
from treelens.align.sentences import realign

TURNS = [
    turn.split() for turn in ("yes", "no", "yes .", "no .", "ok", "well yes", "I see", "what ?")
]


def dialogue(draw: random.Random) -> Sentence:
    return draw.choice(TURNS)


def numbers(draw: random.Random) -> Sentence:
    return draw.choices("0123456789", k=draw.randint(1, 9))


def form(draw: random.Random) -> Sentence:
    return ["row", draw.choice("0123456789"), ":", draw.choice("abcd"), draw.choice("xy")]


Kind = Callable[[random.Random], Sentence]


def litany(draw: random.Random) -> Sentence:
    """A refrain, in which one word tells where one is."""
    return ["Saint", f"N{draw.randrange(40)}", ",", "pray", "for", "us", "."]


KINDS = [dialogue, numbers, form, litany]


def cut(text: Sentence, draw: random.Random) -> Sentences:
    """Sentences of 1 to 15 words."""
    found: Sentences = []
    while text:
        size = draw.randint(1, 15)
        found.append(text[:size])
        text = text[size:]
    return found


def heard(text: Sentence, wrong: float, draw: random.Random) -> Sentence:
    """With some words missing, put in, or other ones."""
    found: Sentence = []
    for word in text:
        others = draw.choice(([], [draw.choice(text)], [word, draw.choice(text)]))
        found += others if draw.random() < wrong else [word]
    return found


def words(sentences: Sentences) -> Sentence:
    return [word for sentence in sentences for word in sentence]


def kept(gold: Sentences, system: Sentences) -> float:
    """The share of the words that both have, in order, that are so within groups."""
    inside = sum(
        LCSseq.similarity(words(gold[first:end]), words(system[other:its_end]))
        for first, end, other, its_end in shown(aligned(gold, system).groups)
    )
    return inside / LCSseq.similarity(words(gold), words(system))


@pytest.mark.parametrize("wrong", [0.002, 0.02, 0.05])
@pytest.mark.parametrize("kind", KINDS)
def test_words_that_are_the_same_are_in_groups_with_their_counterparts(
    kind: Kind, wrong: float
) -> None:
    draw = random.Random(3)
    gold = [kind(draw) for _ in range(300)]
    system = cut(heard(words(gold), wrong, draw), draw)
    assert kept(gold, system) >= 0.95
    assert kept(system, gold) >= 0.95


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_so_where_one_side_has_a_word_to_a_sentence(kind: Kind) -> None:
    draw = random.Random(11)
    gold = [kind(draw) for _ in range(300)]
    system = [[word] for word in heard(words(gold), 0.01, draw)]
    assert kept(gold, system) >= 0.95


@pytest.mark.parametrize("kind", [dialogue, numbers])
def test_it_goes_on_behind_a_gap(kind: Kind) -> None:
    draw = random.Random(5)
    gold = [kind(draw) for _ in range(400)]
    system = cut(heard(words(gold[:100] + gold[200:]), 0.01, draw), draw)
    assert kept(gold, system) >= 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_cut_alike_is_paired_one_by_one_behind_a_gap(kind: Kind) -> None:
    draw = random.Random(7)
    gold = [kind(draw) for _ in range(400)]
    assert kept(gold, gold[:100] + gold[200:]) == 1.0


def sides(gold: str, system: str) -> tuple[list[list[bytes]], list[list[bytes]]]:
    one, other = (
        [sentence.encode().split() for sentence in text.split("|")] for text in (gold, system)
    )
    return one, other


@pytest.mark.parametrize(
    ("gold", "system", "end"),
    [
        # The first end of both, behind the word that differs, in words that are the same.
        ("3 1 | 4 1 5 | 9 2 6 5 3 5 8 9 7 | 9 3", "3 8 4 | 1 5 9 | 2 6 5 3 5 8 9 7 | 9 3", (3, 3)),
        # The same sentences: others look for these.
        ("3 1 | 4 1 5 9 2 6 5 3 5 | 8 9 7", "3 8 | 4 1 5 9 2 6 5 3 5 | 8 9 7", (0, 0)),
        # Few words in a row, as chance has them.
        ("3 1 | 4 1 5 | 9 2 6 5 3 5", "8 1 4 | 2 1 5 7 | 9 6 5 8 3", None),
        # It goes on, and ends no sentence of both: where the ends are a word apart.
        ("3 1 | 4 1 5 9 2 | 6 5 3 5 8 9 7 | 9", "3 8 4 | 1 5 9 | 2 6 5 3 5 8 9 | 7 1", (1, 1)),
        ("1 1 1 1 | 1 1", "1 1 1 | 1 1 1", None),
        ("", "1 2 | 3", None),
    ],
)
def test_where_running_text_goes_on(gold: str, system: str, end: tuple[int, int] | None) -> None:
    assert goes_on(*sides(gold, system)) == end


@pytest.mark.parametrize("seed", seeds(12))
def test_an_edit_of_such_text_gives_the_groups_of_a_fresh_walk(seed: int) -> None:
    draw = random.Random(seed)
    gold = [draw.choice(KINDS)(draw) for _ in range(draw.choice([60, 300]))]
    both = [gold, cut(heard(words(gold), 0.03, draw), draw)]
    alignment = aligned(*both)
    for _ in range(8):
        side = draw.randrange(2)
        first = draw.randrange(len(both[side]))
        end = min(first + draw.choice([0, 1, 2, 60]), len(both[side]))
        put = cut(draw.choices(words(gold), k=draw.choice([0, 3, 20])), draw)
        if draw.random() < 0.5:
            put = [words(both[side][first:end])] if first < end else []
        both[side] = [*both[side][:first], *put, *both[side][end:]]
        changes = [UNCHANGED, UNCHANGED]
        changes[side] = SentenceChange(first, end, first + len(put))
        alignment, _ = realign(*map(Text, both), alignment, *changes)
        assert columns(alignment) == columns(aligned(*both))
