"""Gaps of any length, moved blocks, unrelated sentences; and damage of every kind to real text."""

from __future__ import annotations

import random

import pytest
from laws import seeds
from noise import (
    MIXED,
    Damage,
    Group,
    Sentences,
    Text,
    aligned,
    damaged,
    joined,
    lost,
    misheard,
    misspelt,
    real,
    reworded,
    shown,
    split,
)
from treelens.align.groups import UNCHANGED, GroupedBy, SentenceChange
from treelens.align.moves import Move, moves, taken_together
from treelens.align.sentences import Alignment, realign
from treelens.align.uncertain import Uncertain, uncertain, warnings


def numbered(count: int) -> Sentences:
    return [[f"word{k}", "and", f"another{7 * k}"] for k in range(count)]


def without(count: int, first: int, gap: int) -> list[Group]:
    """The groups where system lacks some of as many sentences."""
    before = [(k, k + 1, k, k + 1) for k in range(first)]
    missing = [(k, k + 1, first, first) for k in range(first, first + gap)]
    behind = [(k, k + 1, k - gap, k - gap + 1) for k in range(first + gap, count)]
    return before + missing + behind


@pytest.mark.parametrize("gap", [1, 255, 256, 257, 300, 500, 5_000])
@pytest.mark.parametrize("period", [10_000, 2_400])
def test_a_gap_of_any_length_derails_nothing(gap: int, period: int) -> None:
    count = 6_000
    texts = numbered(period)
    gold = [texts[k % period] for k in range(count)]
    system = gold[:700] + gold[700 + gap :]
    groups = aligned(gold, system).groups
    pairs = [group for group in shown(groups) if group[1] > group[0] and group[3] > group[2]]
    # (Where text repeats itself it may be another stretch of the same text that is missing.)
    assert len(pairs) == len(system)
    assert all(gold[one[0]] == system[one[2]] for one in pairs)
    if period > count:
        assert shown(groups) == without(count, 700, gap)
        assert uncertain([groups], [])[:1] == (
            [Uncertain("gap", range(700, 700 + gap), range(700, 700))] if gap > 15 else []
        )
    mirrored = aligned(system, gold).groups
    assert len(mirrored.how) == len(groups.how)


def test_a_moved_block_is_seen_as_one() -> None:
    gold = numbered(2_000)
    gold[550] = gold[560] = ["yes"]  # not unique, and in the block
    system = gold[:500] + gold[800:1_500] + gold[500:800] + gold[1_500:]
    alignment = aligned(gold, system)
    found = moves([alignment.groups], (Text(gold), Text(system)))
    assert found == [Move(range(500, 800), range(1_200, 1_500))]
    assert (alignment.groups.how == GroupedBy.ALONE).sum() == 600
    together = taken_together(alignment.groups, found)
    assert (together.how == GroupedBy.MOVED).sum() == 300
    pairs = shown(together)
    assert len(pairs) == 2_000
    assert all(gold[one[0]] == system[one[2]] for one in pairs)
    (line,) = warnings(uncertain([alignment.groups], found), compared=False)
    assert line.startswith("sentences 501–800 of gold: moved to sentences 1,201–1,500 of system")


@pytest.mark.parametrize("back", [False, True])
def test_what_is_the_longer_part_of_a_file_stays_however_seldom_its_text_is_there_once(
    back: bool,
) -> None:
    gold = numbered(300)
    for k in range(60, 300):
        if k % 20 > 1:
            gold[k] = ["yes"] if k % 7 else ["no"]
    system = gold[60:] + gold[:60]
    if back:
        gold, system = system, gold
    alignment = aligned(gold, system)
    assert sum(how == GroupedBy.SAME for how in alignment.groups.how) == 240
    (move,) = moves([alignment.groups], (Text(gold), Text(system)))
    assert len(move.gold) == 60


@pytest.mark.parametrize("seed", seeds(10))
def test_edits_beside_what_was_moved_are_as_a_fresh_start(seed: int) -> None:
    draw = random.Random(seed)
    once = numbered(80)
    gold = [draw.choice((once[k], once[k], ["yes"], ["no"])) for k in range(80)]
    system = gold[30:60] + gold[:30] + gold[60:]
    found = aligned(gold, system)
    for _ in range(30):
        at = draw.randrange(80)
        new = draw.choice(([once[at]], [["yes"]], [], [once[at], ["no"]]))
        edited = [*system[:at], *new, *system[at + 1 :]]
        change = SentenceChange(at, at + 1, at + len(new))
        found, _ = realign(Text(gold), Text(edited), found, UNCHANGED, change)
        system = [*edited, *numbered(1)] if len(edited) < 80 else edited
        if len(system) > len(edited):
            end = SentenceChange(len(edited), len(edited), len(system))
            found, _ = realign(Text(gold), Text(system), found, UNCHANGED, end)
        assert shown(found.groups) == shown(aligned(gold, system).groups)


def test_several_moved_blocks_are_in_the_order_of_gold() -> None:
    gold = numbered(400)
    system = gold[20:40] + gold[:20] + gold[40:200] + gold[260:300] + gold[200:260] + gold[300:]
    alignment = aligned(gold, system)
    found = moves([alignment.groups], (Text(gold), Text(system)))
    assert [move.gold.start for move in found] in ([0, 200], [0, 260], [20, 200], [20, 260])
    assert all(gold[a] == system[b] for move in found for a, b in zip(*move[:2], strict=True))
    assert len(shown(taken_together(alignment.groups, found))) == 400
    assert len([*warnings(uncertain([alignment.groups], found), compared=False)]) == 2


def test_unrelated_sentences_are_left_alone() -> None:
    gold = [["a", "cat", "sleeps"]]
    system = [["some", "fish", "swim"]]
    assert shown(aligned(gold, system).groups) == [(0, 1, 0, 0), (1, 1, 0, 1)]
    both = [["before", "all", "of", "it"], *gold, ["and", "what", "comes", "behind"]]
    other = [both[0], *system, both[2]]
    assert shown(aligned(both, other).groups) == [
        (0, 1, 0, 1),
        (1, 2, 1, 1),
        (2, 2, 1, 2),
        (2, 3, 2, 3),
    ]


def test_what_is_repeated_is_not_taken_for_a_gap() -> None:
    name, other = ["Debra", "Perlingiere"], ["we", "Perlingiere"]
    gold = [["begins"], name, ["Kathleen", ","], ["Best", "regards", ","], name, ["and", "ends"]]
    assert shown(aligned(gold, [gold[0], other, *gold[2:]]).groups) == [
        (k, k + 1, k, k + 1) for k in range(6)
    ]
    twice = [["There", "is", "no", "delivery", "yet", "."]] * 2
    assert shown(aligned([*twice, ["x"]], [["passing", *twice[0][1:]], twice[0], ["y"]]).groups)[
        :2
    ] == [
        (0, 1, 0, 1),
        (1, 2, 1, 2),
    ]


def test_a_repeated_name_is_not_taken_for_one_further_on() -> None:
    signed = ["Debra", "Perlingiere"]
    letters = [[[f"word{k}", "and", f"more{k}", f"of{k}", f"it{k}"], signed] for k in range(20)]
    gold = [sentence for letter in letters for sentence in letter]
    changed = {"and": "amd", "Debra": "Dabra"}
    system = [[changed.get(word, word) for word in sentence] for sentence in gold]
    system[5] = signed
    assert shown(aligned(gold, system).groups) == [(k, k + 1, k, k + 1) for k in range(40)]


def test_single_words_are_paired_by_their_place_where_the_same_text_follows() -> None:
    gold = [["before", "it"], ["Vince"], ["Kay"], ["and", "behind", "it"]]
    system = [gold[0], ["to"], ["would"], gold[3]]
    groups = aligned(gold, system).groups
    assert [GroupedBy(how) for how in groups.how.tolist()] == [
        GroupedBy.SAME,
        GroupedBy.SINGLE,
        GroupedBy.SINGLE,
        GroupedBy.SAME,
    ]
    (line,) = warnings(uncertain([groups], []), compared=False)
    assert line == "sentence 2 of gold and 1 more: paired by place, a word each"
    assert (aligned(gold[:3], system[:3]).groups.how == GroupedBy.SINGLE).sum() == 0


def test_how_a_group_is_known_is_said() -> None:
    gold = [["one", "two", "three"], ["and", "more", "of", "it"], ["never", "ending"], ["x", "y"]]
    system = [["one", "two"], ["three"], ["and", "more", "on", "us"], [], ["x", "y"]]
    groups = aligned(gold, system).groups
    assert [GroupedBy(how) for how in groups.how.tolist()] == [
        GroupedBy.CUT,
        GroupedBy.ALIKE,
        GroupedBy.PLACE,
        GroupedBy.SAME,
    ]


def test_an_edit_in_a_gap_counts_its_own_sentence_anew() -> None:
    gold = numbered(3_000)
    system = gold[:1_000] + gold[1_900:]
    before = aligned(gold, system)
    edited = [*gold[:1_500], ["something", "else"], *gold[1_501:]]
    now, splices = realign(
        Text(edited), Text(system), before, SentenceChange(1_500, 1_501, 1_501), UNCHANGED
    )
    assert shown(now.groups) == shown(aligned(edited, system).groups)
    assert [splice.new_end - splice.new_first for splice in splices] == [1]


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("gap", [40, 256, 257, 3_000])
@pytest.mark.parametrize("parts", [2, 4])
@pytest.mark.parametrize("before", [True, False])
def test_a_joined_sentence_beside_a_gap_stays_with_its_parts(
    seed: int, gap: int, parts: int, before: bool
) -> None:
    drawn = random.Random(seed)
    words = [f"w{number}" for number in range(3_000)]
    gold = [drawn.choices(words, k=drawn.randrange(3, 25)) for _ in range(gap + 200)]
    first = 100 if before else 100 + gap
    whole = [word for sentence in gold[first : first + parts] for word in sentence]
    end, start = (100 + parts, 100 + parts + gap) if before else (100, 100 + gap)
    kept = [*gold[:end], *gold[start:]]
    at = kept.index(gold[first])
    system = [*kept[:at], whole, *kept[at + parts :]]
    assert (first, first + parts, at, at + 1) in shown(aligned(gold, system).groups)
    assert (at, at + 1, first, first + parts) in shown(aligned(system, gold).groups)


@pytest.mark.parametrize("seed", seeds(20))
def test_edits_of_what_is_joined_beside_a_gap_are_as_a_fresh_start(seed: int) -> None:
    drawn = random.Random(seed)
    gold = [drawn.choices("abcdef", k=4) for _ in range(500)]
    system = [*gold[:100], gold[400] + gold[401], *gold[402:]]
    found = aligned(gold, system)
    for _ in range(12):
        at = drawn.choice((100, 399, 400, 401, 402, 403, drawn.randrange(90, 410)))
        new = drawn.choice(([], [gold[at] + gold[at + 1]], [gold[at][:2], gold[at][2:]], [["x"]]))
        edited = [*gold[:at], *new, *gold[at + 1 :]]
        change = SentenceChange(at, at + 1, at + len(new))
        found, _ = realign(Text(edited), Text(system), found, change, UNCHANGED)
        gold = edited
        assert shown(found.groups) == shown(aligned(gold, system).groups)


def test_what_becomes_twice_changes_its_own_groups_only() -> None:
    gold = numbered(2_000)
    before = aligned(gold, gold)
    edited = [*gold[:50], gold[1_900], *gold[51:]]
    now, splices = realign(Text(edited), Text(gold), before, SentenceChange(50, 51, 51), UNCHANGED)
    assert shown(now.groups) == shown(aligned(edited, gold).groups)
    assert sum(splice.new_end - splice.new_first for splice in splices) <= 2


@pytest.mark.parametrize("length", [300, 1_467])
@pytest.mark.parametrize("kinds", [(joined, split), (misspelt,), (misheard,), (reworded,)])
def test_an_insertion_is_passed_where_no_sentence_is_the_same(
    kinds: tuple[Damage, ...], length: int
) -> None:
    gold = real("constituents")
    if not gold:
        pytest.skip("needs the reference data")
    damage = damaged(gold, 1.0, kinds)
    draw, words = random.Random(length), [word for sentence in gold for word in sentence]
    inserted = [draw.choices(words, k=len(sentence)) for sentence in gold[:length]]
    at = next(group for group in damage.groups if group[0] >= 700)[2]
    system = [*damage.system[:at], *inserted, *damage.system[at:]]
    wanted = [
        (*one[:2], *(step + length * (one[2] >= at) for step in one[2:])) for one in damage.groups
    ]
    found = set(shown(aligned(gold, system).groups))
    assert sum(one in found for one in wanted) >= 0.98 * len(wanted)


def few_words(words: int, count: int, seed: int = 7) -> tuple[Sentences, Sentences]:
    """Sentences of few different words, and the same with half of their words wrong."""
    draw = random.Random(words)
    names = [f"w{number}" for number in range(words)]
    gold = [draw.choices(names, k=draw.randrange(3, 12)) for _ in range(count)]
    return gold, damaged(gold, 1.0, (misheard,), seed).system


@pytest.mark.parametrize("gap", [0, 300, 1_000])
@pytest.mark.parametrize("words", [10, 20, 50])
def test_few_words_half_of_which_are_wrong_are_lined_up_behind_a_gap(words: int, gap: int) -> None:
    gold, system = few_words(words, 2_000)
    system = system[:400] + system[400 + gap :]
    found = {*shown(aligned(gold, system).groups)}
    kept = [group for group in without(2_000, 400, gap) if group[3] > group[2]]
    assert sum(group in found for group in kept) >= 0.98 * len(kept)


@pytest.mark.parametrize("words", [3, 6, 10, 30])
def test_edits_among_few_words_are_as_a_fresh_start(words: int) -> None:
    gold, system = few_words(words, 700)
    sides = [gold, system[:200] + system[500:]]
    alignment = aligned(*sides)
    draw = random.Random(words)
    for _ in range(8):
        side, at = draw.randrange(2), draw.randrange(180, 240)
        put = [draw.choice(gold) for _ in range(draw.randrange(3))]
        end = at + draw.randrange(3)
        changes = [UNCHANGED, UNCHANGED]
        changes[side] = SentenceChange(at, end, at + len(put))
        sides[side] = [*sides[side][:at], *put, *sides[side][end:]]
        alignment, _ = realign(*map(Text, sides), alignment, *changes)
        _same(alignment, aligned(*sides))


@pytest.mark.parametrize("text", ["constituents", "dependencies"])
@pytest.mark.parametrize(
    ("kinds", "share", "right", "untouched"),
    [
        (MIXED, 0.5, 0.975, 0.995),
        ((reworded,), 0.5, 0.975, 1.0),  # What is one word, or a word and a stop, is another one.
        (MIXED, 0.1, 0.995, 0.995),
        ((misheard,), 1.0, 0.99, 0.0),
        ((misheard,), 0.5, 0.995, 0.995),
        ((*(misheard,) * 9, lost), 1.0, 0.97, 0.0),
        ((misspelt,), 0.5, 0.99, 0.995),
        ((lost,), 0.5, 0.98, 0.985),
    ],
)
def test_damaged_text_is_lined_up(
    text: str, kinds: tuple[Damage, ...], share: float, right: float, untouched: float
) -> None:
    """What was measured, a little below: shares of groups, and of untouched ones, exactly right."""
    sentences = real(text)
    if not sentences:
        pytest.skip("needs the reference data")
    damage = damaged(sentences, share, kinds)
    found = damage.found(aligned(damage.gold, damage.system).groups)
    assert found[0] >= right
    assert found[1] >= untouched


@pytest.mark.parametrize("text", ["constituents", "dependencies"])
@pytest.mark.parametrize("gap", [11, 30, 45])
def test_gaps_in_another_spelling_cost_nothing_beside_them(text: str, gap: int) -> None:
    """In lower case hardly any sentence is the same, and some are alike by chance; of ten gaps."""
    sentences = real(text)
    if not sentences:
        pytest.skip("needs the reference data")
    lost = 0
    for first in range(0, 1_500, 150):
        gold = sentences[first : first + 150]
        lower = [[word.lower() for word in sentence] for sentence in gold]
        system = lower[:60] + lower[60 + gap :]
        pairs = {group[::2] for group in shown(aligned(gold, system).groups) if _is_pair(group)}
        lost += sum((at + gap * (at >= 60), at) not in pairs for at in range(40, 80))
    assert lost <= 7


def _is_pair(group: Group) -> bool:
    return group[1] - group[0] == group[3] - group[2] == 1


@pytest.mark.parametrize("seed", seeds(6))
def test_edits_of_damaged_text_that_repeats_itself_are_as_a_fresh_start(seed: int) -> None:
    sentences = real("constituents")
    if not sentences:
        pytest.skip("needs the reference data")
    draw = random.Random(seed)
    first = draw.randrange(len(sentences) - 200)
    gold = sentences[first : first + 150] + sentences[first : first + draw.randrange(150)]
    sides = [gold, damaged(gold, draw.choice((0.02, 0.1, 0.3)), MIXED, seed).system]
    alignment = aligned(*sides)
    for _ in range(8):
        side, taken = draw.randrange(2), draw.choice((0, 1, 3, 20, 80))
        at, other = draw.randrange(len(sides[side])), draw.randrange(len(sides[0]))
        put = sides[1 - side][other : other + draw.choice((0, 1, 5, 30))]
        end = min(at + taken, len(sides[side]))
        changes = [UNCHANGED, UNCHANGED]
        changes[side] = SentenceChange(at, end, at + len(put))
        sides[side] = [*sides[side][:at], *put, *sides[side][end:]]
        alignment, _ = realign(*map(Text, sides), alignment, *changes)
        _same(alignment, aligned(*sides))


def _same(one: Alignment, other: Alignment) -> None:
    columns = zip((*one.groups, *one.pins), (*other.groups, *other.pins), strict=True)
    assert all(column.tolist() == its.tolist() for column, its in columns)
