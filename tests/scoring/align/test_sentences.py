"""Sentence groups: complete, in order, sensible; and after an edit those of a fresh walk."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noise import Sentences, Text, shown
from treelens.align.groups import UNCHANGED, GroupedBy, Groups, SentenceChange, Splice
from treelens.align.sentences import Alignment, align_sentences, realign
from treelens.align.stretch import WINDOW

words = st.sampled_from(
    ["the", "dog", "a", "man", "runs", "quickly", "home", "yes", "no", "extraordinarily"]
)
sentences = st.lists(st.lists(words, max_size=8), max_size=12)


def grouped(gold: Sentences, system: Sentences) -> list[tuple[int, int, int, int]]:
    return shown(align_sentences(Text(gold), Text(system)).groups)


@st.composite
def changed(draw: st.DrawFn, original: Sentences) -> Sentences:
    """Sentences with some lost, added, joined, split, emptied or reworded."""
    result = [list(sentence) for sentence in original]
    for _ in range(draw(st.integers(0, 5))):
        if not result:
            break
        at = draw(st.integers(0, len(result) - 1))
        kind = draw(st.integers(0, 5))
        if kind == 0:
            result.insert(at, draw(st.lists(words, max_size=6)))
        elif kind == 1:
            result.pop(at)
        elif kind == 2:
            result[at : at + 2] = [[word for part in result[at : at + 2] for word in part]]
        elif kind == 3:
            cut = draw(st.integers(0, len(result[at])))
            result[at : at + 1] = [result[at][:cut], result[at][cut:]]
        elif kind == 4:
            result[at] = []
        elif result[at]:
            result[at][draw(st.integers(0, len(result[at]) - 1))] = draw(words)
    return result


def difference(old: Sentences, new: Sentences) -> SentenceChange:
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    same = 0
    while same < min(len(old), len(new)) - first and old[-1 - same] == new[-1 - same]:
        same += 1
    return SentenceChange(first, len(old) - same, len(new) - same)


@given(st.data(), sentences)
def test_an_edit_gives_the_groups_of_a_fresh_walk(data: st.DataObject, gold: Sentences) -> None:
    system = data.draw(changed(gold))
    alignment = align_sentences(Text(gold), Text(system))
    for _ in range(3):
        new_gold, new_system = data.draw(changed(gold)), data.draw(changed(system))
        changes = difference(gold, new_gold), difference(system, new_system)
        new, splices = realign(Text(new_gold), Text(new_system), alignment, *changes)
        assert columns(new) == columns(align_sentences(Text(new_gold), Text(new_system)))
        assert untouched(alignment.groups, new.groups, splices, changes)
        gold, system, alignment = new_gold, new_system, new


@given(st.data(), sentences)
def test_sentences_written_anew_one_by_one_give_the_groups_of_a_fresh_walk(
    data: st.DataObject, gold: Sentences
) -> None:
    sides = [gold, data.draw(changed(gold))]
    alignment = align_sentences(*map(Text, sides))
    for _ in range(4):
        side = data.draw(st.integers(0, 1))
        at = data.draw(st.integers(0, len(sides[side])))
        # What the other side has makes sentences the same again.
        known = st.sampled_from(sides[1 - side]) if sides[1 - side] else st.nothing()
        put = [data.draw(known | st.lists(words, max_size=8))] if at < len(sides[side]) else []
        changes = [UNCHANGED, UNCHANGED]
        changes[side] = SentenceChange(at, at + len(put), at + len(put))
        before = columns(alignment)
        sides[side] = [*sides[side][:at], *put, *sides[side][at + len(put) :]]
        new, splices = realign(*map(Text, sides), alignment, *changes)
        assert columns(new) == columns(align_sentences(*map(Text, sides)))
        assert columns(alignment) == before
        assert untouched(alignment.groups, new.groups, splices, (changes[0], changes[1]))
        alignment = new


def test_a_pin_that_appears_close_by_was_looked_for() -> None:
    ones = [[f"word{k}", "and", f"another{7 * k}"] for k in range(60)]
    gold, system = [*ones, *ones], [*ones[:10], ["else"], *ones[11:], *ones]
    alignment = align_sentences(Text(gold), Text(system))
    changes = [SentenceChange(85, 120, 85)] * 2
    sides = [Text(side[:85]) for side in (gold, system)]
    new, _ = realign(*sides, alignment, *changes)
    assert columns(new) == columns(align_sentences(*sides))


def columns(alignment: Alignment) -> list[list[int]]:
    return [column.tolist() for column in (*alignment.groups, *alignment.pins)]


def untouched(
    old: Groups,
    new: Groups,
    splices: tuple[Splice, ...],
    changes: tuple[SentenceChange, SentenceChange],
) -> bool:
    """Whether the groups that no splice replaces hold the sentences that they held."""
    done = its = 0
    for first, old_end, new_first, new_end in [
        *splices,
        Splice(len(old.stood), 0, len(new.stood), 0),
    ]:
        pairs = zip(shown(old.part(done, first)), shown(new.part(its, new_first)), strict=True)
        for before, now in pairs:
            for at, change in ((0, changes[0]), (2, changes[1])):
                start, end = before[at : at + 2]
                shift = change.shift if start >= change.old_end else 0
                if start == end:
                    assert now[at] == now[at + 1]
                else:
                    assert end <= change.first or start >= change.old_end
                    assert now[at : at + 2] == (start + shift, end + shift)
        done, its = old_end, new_end
    return True


@given(sentences, sentences)
def test_groups_hold_every_sentence_once_and_in_order(gold: Sentences, system: Sentences) -> None:
    i = j = 0
    for gold_start, gold_end, system_start, system_end in grouped(gold, system):
        assert (gold_start, system_start) == (i, j)
        assert gold_end > gold_start or system_end > system_start
        i, j = gold_end, system_end
    assert (i, j) == (len(gold), len(system))


@given(sentences, st.data())
def test_where_the_same_text_is_cut_otherwise_groups_hold_the_same_text(
    gold: Sentences, data: st.DataObject
) -> None:
    gold = [sentence for sentence in gold if sentence]
    whole = [word for sentence in gold for word in sentence]
    cuts = sorted(data.draw(st.sets(st.integers(1, max(len(whole) - 1, 1)))) if whole else [])
    bounds = itertools.pairwise([0, *cuts, len(whole)])
    system = [whole[start:end] for start, end in bounds if whole[start:end]]
    for gold_start, gold_end, system_start, system_end in grouped(gold, system):
        texts = gold[gold_start:gold_end], system[system_start:system_end]
        one, other = ("".join(word for sentence in side for word in sentence) for side in texts)
        assert one == other


def _nowhere_together(count: int) -> tuple[Sentences, Sentences]:
    """A text, cut behind every other word, and behind all the others."""
    whole = [f"word{number}" for number in range(2 * count)]
    ends = range(1, len(whole), 2)
    return (
        [whole[at : at + 2] for at in range(0, len(whole), 2)],
        [whole[start:end] for start, end in itertools.pairwise([0, *ends, len(whole)])],
    )


@pytest.mark.parametrize("count", [30, 64, 65, 700])
def test_the_same_text_is_one_group_where_no_sentences_end_together(count: int) -> None:
    gold, system = _nowhere_together(count)
    alone = [["and", "then"]]
    assert grouped(gold, system) == [(0, count, 0, count + 1)]
    assert grouped(gold + alone, system + alone)[0] == (0, count, 0, count + 1)
    assert grouped([[*itertools.chain(*gold)]], system) == [(0, 1, 0, count + 1)]


@pytest.mark.parametrize("at", [0, 10, 63, 64, 65, 128, 200, 298, 299])
def test_an_edit_there_gives_the_groups_of_a_fresh_walk(at: int) -> None:
    sides = [*_nowhere_together(300)]
    alignment = align_sentences(*map(Text, sides))
    for side in (0, 1):
        for put in ([["else"]], [], [["word", "and"], ["more"]], [sides[side][at]]):
            changes = [UNCHANGED, UNCHANGED]
            old_end = at + 1 if put != [sides[side][at]] else at
            changes[side] = SentenceChange(at, old_end, at + len(put))
            edited = [*sides]
            edited[side] = [*sides[side][:at], *put, *sides[side][old_end:]]
            new, _ = realign(*map(Text, edited), alignment, *changes)
            assert columns(new) == columns(align_sentences(*map(Text, edited)))
            changes[side] = SentenceChange(at, at + len(put), old_end)
            back, _ = realign(*map(Text, sides), new, *changes)
            assert columns(back) == columns(alignment)


@given(st.data(), sentences)
def test_the_same_sentences_are_paired_whichever_side_is_gold(
    data: st.DataObject, gold: Sentences
) -> None:
    system = data.draw(changed(gold) | sentences)
    there, back = grouped(gold, system), grouped(system, gold)
    turned = [(first, end, start, its_end) for start, its_end, first, end in back]
    assert _both(there) == _both(turned)


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (["one sentence of them", "and another one of these"],) * 2,
        (["Regards ,", 'Vangie Power , Inc. ( " )'], ["if ,", "the not Power you , Inc. ( need"]),
        (["þeir sofna fast", "a b"], ["þeir svara", "c d e f", "og sofna þeir"]),
    ],
)
def test_a_tie_is_broken_the_same_way_whichever_side_is_gold(
    gold: list[str], system: list[str]
) -> None:
    golds, systems = ([line.split() for line in side] for side in (gold, system))
    if gold == system:
        systems.reverse()
    back = [(first, end, start, its_end) for start, its_end, first, end in grouped(systems, golds)]
    assert _both(grouped(golds, systems)) == _both(back)


def _both(groups: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Those with sentences of both sides."""
    return [one for one in groups if one[0] < one[1] and one[2] < one[3]]


@given(sentences)
def test_equal_texts_pair_up_one_to_one(gold: Sentences) -> None:
    assert grouped(gold, gold) == [(k, k + 1, k, k + 1) for k in range(len(gold))]


A, B, C, D = (line.split() for line in ("the dog runs", "a man", "quickly home yes", "no no no"))


@pytest.mark.parametrize(
    ("gold", "system", "groups"),
    [
        ([A, B, C], [A + B, C], [(0, 2, 0, 1), (2, 3, 1, 2)]),
        ([A + B, C], [A, B, C], [(0, 1, 0, 2), (1, 2, 2, 3)]),
        ([A, B, C], [A, C], [(0, 1, 0, 1), (1, 2, 1, 1), (2, 3, 1, 2)]),
        ([A, C], [A, B, C], [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)]),
        ([A, B, C], [A, [], C], [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)]),
        ([A, B, C, D], [A, ["the", "a"], ["man", "quickly", "home", "yes"], D], None),
        ([A], [["thedog", "runs"]], [(0, 1, 0, 1)]),
        ([A, C, D], [[*A, *C[:1]], C[1:], D], [(0, 2, 0, 2), (2, 3, 2, 3)]),
        ([[*A, *B], C, D], [A, [*B, *C], D], [(0, 2, 0, 2), (2, 3, 2, 3)]),
        ([A, D], [B, D], [(0, 1, 0, 0), (1, 1, 0, 1), (1, 2, 1, 2)]),
        ([A, B], [], [(0, 1, 0, 0), (1, 2, 0, 0)]),
        ([], [A], [(0, 0, 0, 1)]),
    ],
)
def test_typical_differences(gold: Sentences, system: Sentences, groups: object) -> None:
    found = grouped(gold, system)
    if groups is None:  # several cuts are sensible, but the ends must be kept apart
        assert found[0] == (0, 1, 0, 1)
        assert found[-1] == (3, 4, 3, 4)
    else:
        assert found == groups


@pytest.mark.parametrize("system_length", [0, 100, 500])
def test_an_edit_decides_anew_on_its_own_sentence_only(system_length: int) -> None:
    gold = [[f"w{k}", "x"] for k in range(500)]
    system = gold[:system_length]
    edited = [*gold[:300], ["w300", "y"], *gold[301:]]
    change, nothing = SentenceChange(300, 301, 301), UNCHANGED
    groups = align_sentences(Text(gold), Text(system))
    _, splices = realign(Text(edited), Text(system), groups, change, nothing)
    assert splices == (Splice(300, 301, 300, 301),)
    groups = align_sentences(Text(system), Text(gold))
    _, splices = realign(Text(system), Text(edited), groups, nothing, change)
    assert splices == (Splice(300, 301, 300, 301),)


def test_texts_that_share_nothing_are_left_alone() -> None:
    gold = [[chr(0x4E00 + k)] for k in range(3 * WINDOW)]
    system = [[chr(0x6E00 + k)] for k in range(2 * WINDOW)]
    groups = align_sentences(Text(gold), Text(system)).groups
    assert set(groups.how.tolist()) == {GroupedBy.ALONE}
    assert len(groups.how) == 5 * WINDOW
