"""Text that is cut into sentences otherwise all along, and has other words here and there: it is
grouped where both sides end a sentence, so that words that are the same are compared."""

from __future__ import annotations

import random

import pytest
from laws import seeds
from noise import Sentence, Sentences, Text, aligned, shown
from rapidfuzz.distance import LCSseq
from test_sentences import columns
from treelens.align.ends import ends_of, goes_on, runs_on
from treelens.align.found import FoundGroup, before_alone
from treelens.align.groups import UNCHANGED, GroupedBy, SentenceChange
from treelens.align.running import resumes
from treelens.align.sentences import realign

ONSETS, RIMES = "bdfgklmnprst", ("arch", "ill", "oven", "u", "ey")
WORDS = [f"{a}{b}{c}{d}" for a in ONSETS for b in RIMES for c in ONSETS for d in RIMES]


def words(text: str) -> list[bytes]:
    return text.encode().split()


@pytest.mark.parametrize(
    ("one", "after", "goes"),
    [
        (("the cat sat on", "the cat sat"), ("the mat .", "on the mat ."), True),
        (("the cat sat", "the cat sat on"), ("on the mat .", "the mat ."), True),
        (("the cat sat", "the cat sat"), ("on the mat .", "on the mat ."), False),
        # A word for each that is the same across stands against another one.
        (("the cat sat on", "the cat sat in"), ("the mat .", "on the mat ."), False),
        (("the cat sat on it", "the cat sat in"), ("and slept .", "on it and slept ."), True),
        (("the cat", "a dog"), ("a dog ran", "the bird ran"), False),
    ],
)
def test_text_runs_on_where_more_is_the_same_than_stands_against_others(
    one: tuple[str, str], after: tuple[str, str], goes: bool
) -> None:
    ends = [ends_of(*map(words, group)) for group in (one, after)]
    assert runs_on(*ends) is goes


def test_text_goes_on_in_a_sentence_of_which_no_group_is_known() -> None:
    ends = ends_of(words("the cat sat on the"), words("the cat sat"))
    assert goes_on(ends, words("dogs bark"), words("on the mat ."))
    assert not goes_on(ends, words("on the mat ."), words("dogs bark"))
    assert not goes_on(ends, [], [])


def cut(text: Sentence, length: int, draw: random.Random) -> Sentences:
    """Sentences of so many words on average."""
    found: Sentences = []
    while text:
        size = draw.randint(max(length // 2, 1), length * 3 // 2)
        found.append(text[:size])
        text = text[size:]
    return found


def cut_otherwise(lengths: tuple[int, int], wrong: float, seed: int) -> tuple[Sentences, Sentences]:
    """A text, and it with other words and cut otherwise."""
    draw = random.Random(seed)
    text = draw.choices(WORDS, k=3_000)
    heard = [draw.choice(WORDS) if draw.random() < wrong else word for word in text]
    return cut(text, lengths[0], draw), cut(heard, lengths[1], draw)


def in_common(one: Sentences, other: Sentences) -> int:
    sides = ([word for sentence in side for word in sentence] for side in (one, other))
    return int(LCSseq.similarity(*sides))


def kept(gold: Sentences, system: Sentences) -> float:
    """Share of the words that both have in common, in order, that are so within a group."""
    groups = shown(aligned(gold, system).groups)
    compared = (in_common(gold[a:b], system[c:d]) for a, b, c, d in groups)
    return sum(compared) / in_common(gold, system)


@pytest.mark.parametrize("wrong", [0.005, 0.05, 0.15])
@pytest.mark.parametrize("lengths", [(17, 20), (20, 17), (10, 22), (30, 6), (8, 60)])
def test_words_that_are_the_same_are_in_groups_with_their_counterparts(
    lengths: tuple[int, int], wrong: float
) -> None:
    gold, system = cut_otherwise(lengths, wrong, 5)
    assert kept(gold, system) >= 0.97


@pytest.mark.parametrize("seed", seeds(12))
def test_an_edit_of_such_text_gives_the_groups_of_a_fresh_walk(seed: int) -> None:
    draw = random.Random(seed)
    lengths = draw.choice([(17, 20), (10, 22), (30, 6)])
    sides = [*cut_otherwise(lengths, draw.choice([0.01, 0.1]), seed)]
    alignment = aligned(*sides)
    for _ in range(8):
        side = draw.randrange(2)
        first = draw.randrange(len(sides[side]))
        end = min(first + draw.randrange(3), len(sides[side]))
        put = cut(draw.choices(WORDS, k=draw.choice([0, 3, 20])), 5, draw)
        if draw.random() < 0.5:
            put = [[word for sentence in sides[side][first:end] for word in sentence]]
        sides[side] = [*sides[side][:first], *put, *sides[side][end:]]
        changes = [UNCHANGED, UNCHANGED]
        changes[side] = SentenceChange(first, end, first + len(put))
        alignment, _ = realign(*map(Text, sides), alignment, *changes)
        assert columns(alignment) == columns(aligned(*sides))


@pytest.mark.parametrize("wrong", [0, 0.05])
@pytest.mark.parametrize("lengths", [(17, 9), (14, 11), (9, 7)])
def test_a_gap_is_passed_by_whatever_is_the_same_by_chance_behind_it(
    lengths: tuple[int, int], wrong: float
) -> None:
    """A line that gold has again and again, and the other side once in lines of its own: what was
    missing there was looked for behind it, and the rest of the file lost."""
    refrain = ["Debra", "Perlingiere", "Esquire"]
    draw = random.Random(7)
    gold: Sentences = []
    for sentence in cut(draw.choices(WORDS, k=6_000), lengths[0], draw):
        gold += [sentence, refrain] if len(gold) % 20 == 18 else [sentence]
    left = [*gold[:30], *gold[len(gold) // 2 :]]
    text = [word for sentence in left for word in sentence]
    heard = [draw.choice(WORDS) if draw.random() < wrong else word for word in text]
    system = cut(heard, lengths[1], draw)
    system.insert(len(system) * 3 // 4, refrain)
    assert kept(gold, system) >= 0.97


def test_a_sentence_that_both_sides_have_once_by_chance_is_no_end_of_running_text() -> None:
    """Of one that is there twice the other copy is cut otherwise, and this one missing."""
    draw = random.Random(11)
    gold = cut(draw.choices(WORDS, k=5_000), 15, draw)
    quoted = gold[150]
    gold[300:300] = [[*quoted, *gold[300]]]
    gap = range(140, 170)
    system = cut([word for k, one in enumerate(gold) if k not in gap for word in one], 10, draw)
    at = next(k for k, one in enumerate(system) if quoted[0] in one and k > 200)
    system.insert(at, quoted)
    assert kept(gold, system) >= 0.97


def test_text_goes_on_past_a_sentence_of_a_copy_that_is_missing() -> None:
    """Of a passage that gold has twice, the first one in a gap; a sentence of it is where both were
    thought to agree again."""
    draw = random.Random(3)
    before, missing, passage, behind = (
        cut(draw.choices(WORDS, k=size), 11, draw) for size in (70, 900, 220, 2_000)
    )
    gold = [*before, *missing[:40], *passage, *missing[40:], *passage, *behind]
    lines = cut([word for one in (*before, *passage, *behind) for word in one], 17, draw)
    texts = [[words(" ".join(one)) for one in side] for side in (gold, lines)]
    copied = len(before) + 40 + len(passage), sum(map(len, before)) // 17 + len(passage) * 11 // 17
    found = resumes(*texts, copied)
    assert found is not None
    assert 0 < found[0] <= len(before)
    itself = len(before) + len(missing) + 2 * len(passage), copied[1]
    assert resumes(*texts, itself) == (0, 0)


def test_where_running_text_is_cut_otherwise_a_gap_begins_with_sentences_that_stand_alone() -> None:
    pair, gold, system = FoundGroup(0, 9, 0, 4, GroupedBy.ALIKE), (1, 0), (0, 1)
    alone = [FoundGroup(0, a, 0, b, GroupedBy.ALONE) for a, b in (gold, system, system)]
    assert before_alone([*alone, pair, *alone, pair], 3) == 4
    assert before_alone([*alone, pair, *alone[:2], pair], 3) == 7
