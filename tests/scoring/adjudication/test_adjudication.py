"""What is open between two annotators: by hand, and laws over random files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from tables import table_pairs, tables
from treelens.adjudication.adjudication import (
    Adjudicating,
    Adjudication,
    AdjudicationTask,
    AnnotatorPairs,
)
from treelens.edits.take import after_edits, take, take_everything
from treelens.formats.table import MAPPING, Format
from treelens.rules.parameters import PRESETS
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode
from trees import pairs, sentences

THREE = AdjudicationTask("anna", "boris", "gold")
either = st.one_of(pairs(), table_pairs())


def task(
    first: str, second: str, adjudicated: str, format: Format | None = None, rules: str = "none"
) -> AnnotatorPairs:
    symbols = Symbols()
    a, b, c = (document(encode(text), symbols, format) for text in (first, second, adjudicated))
    rule = PRESETS[rules]
    return AnnotatorPairs(pair(a, b, rule), pair(c, a, rule), pair(c, b, rule))


def unchecked(found: AnnotatorPairs) -> np.ndarray:
    assert found.first is not None
    return np.zeros(len(found.first.gold), np.bool_)


def complete(memory: Adjudicating, found: AnnotatorPairs, checked: np.ndarray) -> Adjudication:
    for _ in range(1000):
        now = memory.now(found, checked)
        if now.complete:
            return now
    raise AssertionError("never complete")


def adjudicated(found: AnnotatorPairs, checked: np.ndarray | None = None) -> Adjudication:
    flags = unchecked(found) if checked is None else checked
    return complete(Adjudicating(THREE), found, flags)


def follows(first: str, second: str, settled: str) -> list[tuple[str, str, bool]]:
    now = adjudicated(task(first, second, settled))
    return [
        (one.finding.code, one.follows, one.open)
        for group in now.groups.tolist()
        for one in now.disagreements(group)
    ]


# --- by hand ---------------------------------------------------------------------------------

ANNA = "(S (NP (D a) (N b)) (VP (V c) (PP (P d))))"
BORIS = "(S (NP (D a) (X b)) (VP (V c)) (ADVP (P d)))"


def test_a_comment_above_a_tree_is_settled_like_any_other_annotation() -> None:
    first, second = ("# odd\n; why: " + why + "\n(S (N a))" for why in ("this", "that"))
    both = (first, "first", True), (second, "second", False)
    for settled, whose, is_open in (*both, (first.replace("this", "x"), "neither", False)):
        pairs = AnnotatorPairs(*(of and of.strictly() for of in task(first, second, settled)))
        (found,) = adjudicated(pairs).disagreements(0)
        assert (found.finding.code, found.follows, found.open) == ("wrong-comment", whose, is_open)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(S (N a) (VP (V c) (NP (-NONE- *t*))))", "(S (X a) (VP (V c)))"),
        ("(TOP (S (N a) (V c)))", "(S (X a) (V c))"),
        ("# odd\n(S (N a) (V c))", "(S (X a) (V c))"),
        ("(S (N a) (V c))", "(S (X a) (V c) (NP (-NONE- *t*)))"),
        ("(S (N a) (V c))", "(TOP (S (X a) (V c)))"),
        ("(S (N a) (V c))", "# odd\n(S (X a) (V c))"),
    ],
)
def test_what_one_annotator_lacks_stays_open_until_it_is_taken(first: str, second: str) -> None:
    """Whatever else was taken in its sentence, and with its place in the adjudicated file."""
    for settled in (first, first.replace("(N a)", "(X a)"), first.replace("(N a)", "(Y a)")):
        three = task(first, second, settled, rules="default")
        pairs = AnnotatorPairs(*(of and of.strictly() for of in three))
        found = [
            one for one in adjudicated(pairs).disagreements(0) if "tag" not in one.finding.code
        ]
        assert [(one.follows, one.open) for one in found] == [("first", True)]
        (one,) = found
        assert one.mark
        assert one.second
        left = pairs.of(Side.SYSTEM)
        finding = left.findings(one.second.group)[one.second.number]
        edits = take(left, one.second.group, finding, Side.GOLD)
        assert edits
        after = after_edits(left, Side.GOLD, edits)
        assert {other.code for other in after.findings(0)} <= {"wrong-tag"}


def test_a_copy_of_the_firsts_is_all_open() -> None:
    assert follows(ANNA, BORIS, ANNA) == [
        ("missing-bracket", "first", True),
        ("wrong-label", "first", True),
        ("extra-bracket", "first", True),
        ("wrong-tag", "first", True),
    ]


def test_one_thing_of_the_seconds_settles_one_thing() -> None:
    with_tag = ANNA.replace("(N b)", "(X b)")
    assert [one[1] for one in follows(ANNA, BORIS, with_tag)] == ["first"] * 3 + ["second"]
    with_label = ANNA.replace("(PP (P d))", "(ADVP (P d))")
    assert [one[1] for one in follows(ANNA, BORIS, with_label)] == [
        "first", "second", "first", "first",
    ]  # fmt: skip


def test_what_neither_has_is_settled() -> None:
    other = ANNA.replace("(N b)", "(Y b)").replace("(PP (P d))", "(QP (P d))")
    assert follows(ANNA, BORIS, other) == [
        ("missing-bracket", "first", True),
        ("wrong-label", "neither", False),
        ("extra-bracket", "first", True),
        ("wrong-tag", "neither", False),
    ]


def test_other_words_shift_nothing() -> None:
    # The adjudicator splits the first word: the rest is told apart as before.
    split = ANNA.replace("(D a)", "(D a1) (D a2)")
    joined = BORIS.replace("(D a) (X b)", "(X ab)")
    assert {one[1] for one in follows(ANNA, BORIS, split)} == {"first"}
    of_labels = [one for one in follows(ANNA, BORIS, joined) if one[0] == "wrong-label"]
    assert of_labels == [("wrong-label", "second", False)]


def test_a_sentence_that_is_not_there_yet_is_open() -> None:
    before = "(S (NP (N x)))\n"
    assert {one[1:] for one in follows(before + ANNA, before + BORIS, before)} == {
        ("nothing", True)
    }


def test_a_sentence_that_only_one_has_is_his() -> None:
    assert follows(ANNA, "(())", ANNA) == [("missing-sentence", "first", True)]
    assert follows(ANNA, "(())", "(())") == [("missing-sentence", "second", False)]
    assert follows("(())", BORIS, "(())") == [("extra-sentence", "first", True)]


ROW = "1\ta\t_\tX\t_\t_\t{}\t{}\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_heads_and_relations_are_settled_one_by_one() -> None:
    first, second = ROW.format(2, "nsubj"), ROW.format(0, "obj")
    assert follows(first, second, ROW.format(2, "obj")) == [
        ("wrong-head", "first", True),
        ("wrong-relation", "second", False),
    ]
    assert [one[1] for one in follows(first, second, ROW.format(0, "dep"))] == ["second", "neither"]


def test_comments_tokens_and_empty_nodes_are_settled_one_by_one() -> None:
    token, node = "1-2\tab" + "\t_" * 8 + "\n", "2.1\tc" + "\t_" * 8 + "\n"
    row = ROW.format(2, "nsubj").rstrip() + "\n"
    first, second = "# a = 1\n# b = 1\n" + token + row, "# a = 2\n# b = 2\n" + row + node

    def followed(settled: str) -> list[tuple[str, str, bool]]:
        found = AnnotatorPairs(*(one.strictly() for one in task(first, second, settled) if one))
        now = adjudicated(found)
        return [(one.finding.code, one.follows, one.open) for one in now.disagreements(0)]

    codes = ["wrong-comment", "wrong-comment", "missing-token", "extra-empty-node"]
    assert followed(first) == [(code, "first", True) for code in codes]
    assert followed(second) == [(code, "second", False) for code in codes]
    mixed = "# a = 1\n# b = 2\n" + token + row + node
    assert [one[1] for one in followed(mixed)] == [
        "first", "second", "first", "second",
    ]  # fmt: skip


def test_what_lattices_say_is_settled_word_by_word() -> None:
    arcs = "0\t1\ta\t_\tN\tN\tA={}\t1\n1\t2\tb\t_\tN\t{}\t_\t2\n"
    first, second, mixed = (arcs.format(*said) for said in ("aP", "bQ", "aQ"))

    def followed(settled: str) -> list[str]:
        found = task(first, second, settled, MAPPING)
        strict = AnnotatorPairs(*(one.strictly() for one in found if one))
        return [one.follows for one in adjudicated(strict).disagreements(0)]

    assert followed(first) == ["first", "first"]
    assert followed(mixed) == ["first", "second"]
    assert followed(arcs.format("c", "P")) == ["neither", "first"]


def test_enhanced_dependencies_are_settled_one_by_one() -> None:
    row = "1\ta\t_\tX\t_\t_\t2\tx\t{}\t_\n2\tb\t_\tX\t_\t_\t0\troot\t0:root\t_\n\n"
    first, second = row.format("2:x"), row.format("0:y|2:x:of")

    def followed(settled: str) -> list[str]:
        found = AnnotatorPairs(*(one.strictly() for one in task(first, second, settled) if one))
        return [one.follows for one in adjudicated(found).disagreements(0)]

    assert followed(first) == ["first", "first"]
    assert followed(second) == ["second", "second"]
    assert sorted(followed(row.format("0:y|2:x"))) == ["first", "second"]


def test_what_is_checked_is_settled() -> None:
    found = task(ANNA + "\n" + ANNA.replace("a)", "x)"), BORIS + "\n" + BORIS, ANNA)
    now = adjudicated(found, np.array([True]))
    assert now.open_of.tolist()[0] == 0
    assert now.open_of.tolist()[1] > 0
    assert not any(one.open for one in now.disagreements(0))
    assert now.settled == 4


def test_without_an_adjudicated_file_all_is_open() -> None:
    found = task(ANNA, BORIS, ANNA)
    alone = Adjudicating(THREE).now(AnnotatorPairs(found.annotators), np.zeros(0, np.bool_))
    assert (alone.open, alone.settled, alone.sentence_of.tolist()) == (4, 0, [-1])


def test_marks_are_where_the_adjudicated_file_has_it() -> None:
    now = adjudicated(task(ANNA, BORIS, "(S (X (Q q)))\n" + ANNA))
    (group,) = now.groups.tolist()
    marked = [one.mark for one in now.disagreements(group)]
    text = "(S (X (Q q)))\n" + ANNA
    assert [text[mark.start : mark.end] for mark in marked if mark] == ["(VP", "(PP", "c", "(N"]
    assert now.sentence_of.tolist() == [1]
    assert now.group_at(1) == group


# --- laws ------------------------------------------------------------------------------------


def texts(trees: tuple[list[str], list[str]]) -> tuple[str, str]:
    first, second = ("\n".join(part) for part in trees)
    return first, second


@examples(20)
@given(either)
def test_a_copy_is_followed_everywhere(trees: tuple[list[str], list[str]]) -> None:
    first, second = texts(trees)
    total = sum(
        len(found.findings(group))
        for found in [task(first, second, first).annotators]
        for group in range(len(found))
    )
    as_first = adjudicated(task(first, second, first))
    assert (as_first.open, as_first.settled) == (total, 0)
    assert sum(
        one.open for group in as_first.groups.tolist() for one in as_first.disagreements(group)
    ) == total  # fmt: skip
    as_second = adjudicated(task(first, second, second))
    assert (as_second.open, as_second.settled) == (0, total)


one_sentence = st.sampled_from([sentences, tables])
WORDS = ["the", "dog", "barks", "a", "cat"]


@examples(15)
@given(st.data(), one_sentence)
def test_every_disagreement_that_follows_the_first_can_be_taken_from_the_second(
    data: st.DataObject, strategy: object
) -> None:
    one = strategy  # type: ignore[assignment]
    first, second = data.draw(one(WORDS)), data.draw(one(WORDS))  # type: ignore[operator]
    found = task(first, second, first)
    now = adjudicated(found)
    for _ in range(60):
        open_ones = [
            each for group in now.groups.tolist() for each in now.disagreements(group) if each.open
        ]
        if not open_ones:
            break
        chosen = data.draw(st.sampled_from(open_ones))
        assert chosen.second is not None
        pair_ = found.of(Side.SYSTEM)
        finding = pair_.findings(chosen.second.group)[chosen.second.number]
        edits = take(pair_, chosen.second.group, finding, Side.GOLD)
        if edits is None:
            edits = take_everything(pair_, Side.GOLD)
        found = edited(found, edits)
        now = adjudicated(found)
    assert now.open == 0


def edited(found: AnnotatorPairs, edits: object) -> AnnotatorPairs:
    second = after_edits(found.of(Side.SYSTEM), Side.GOLD, edits)  # type: ignore[arg-type]
    first = found.of(Side.GOLD)
    return AnnotatorPairs(
        found.annotators, pair(second.gold, first.system, first.parameters), second
    )


@examples(20)
@given(either, either, st.integers(0, 2**20))
@example(
    (
        ["(TOP (DT the))", "(TOP (DT the))", "(TOP (-NONE- the) (-NONE- the) (DT barks))"],
        ["(TOP (DT the))", "(TOP (DT the))", "(())"],
    ),
    (
        ["(TOP (DT dog))", "(TOP (DT the))", "(TOP (DT the))", "(TOP (DT the))"],
        ["(TOP (-NONE- the))"],
    ),
    0,
)
def test_kept_up_it_is_as_made_afresh(
    one: tuple[list[str], list[str]], other: tuple[list[str], list[str]], seed: int
) -> None:
    first, second = texts(one)
    found = task(first, second, first)
    memory = Adjudicating(THREE)
    complete(memory, found, unchecked(found))
    for step, which in enumerate((2, 0, 1, 2)):
        source = encode("".join(line + "\n" for line in other[step % 2][:2]))
        found = changed(found, which, source)
        checked = np.array(
            [(seed >> at % 20) & 1 for at in range(len(found.of(Side.GOLD).gold))], np.bool_
        )
        kept, fresh = complete(memory, found, checked), adjudicated(found, checked)
        for name in ("groups", "open_of", "total_of", "sentence_of"):
            assert getattr(kept, name).tolist() == getattr(fresh, name).tolist(), name
        by_one = [sum(d.open for d in fresh.disagreements(g)) for g in fresh.groups.tolist()]
        assert fresh.open_of.tolist() == by_one


def changed(found: AnnotatorPairs, which: int, inserted: bytes) -> AnnotatorPairs:
    """After an edit in the middle of the first's file (0), the second's or the adjudicated."""
    annotators, first, second = found.annotators, found.of(Side.GOLD), found.of(Side.SYSTEM)
    document_ = (annotators.gold, annotators.system, first.gold)[which]
    at = int(document_.start[len(document_) // 2]) if len(document_) else 0
    after = document_.edit(at, min(at + 9, document_.length), inserted)

    def edit(pair_: Pair, side: Side) -> Pair:
        return pair_.edit(side, *after)

    if which == 0:
        return AnnotatorPairs(edit(annotators, Side.GOLD), edit(first, Side.SYSTEM), second)
    if which == 1:
        return AnnotatorPairs(edit(annotators, Side.SYSTEM), first, edit(second, Side.SYSTEM))
    return AnnotatorPairs(annotators, edit(first, Side.GOLD), edit(second, Side.GOLD))


def test_much_that_is_mixed_is_looked_at_bit_by_bit() -> None:
    trees = [tree.replace("a)", f"a{at})") for at in range(60) for tree in [ANNA]]
    others = [tree.replace("a)", f"a{at})") for at in range(60) for tree in [BORIS]]
    mixed = [tree.replace("(N b)", "(X b)") for tree in trees]
    found = task(*("\n".join(part) for part in (trees, others, mixed)))
    memory = Adjudicating(THREE)
    states = [memory.now(found, unchecked(found))]
    while not states[-1].complete:
        states.append(memory.now(found, unchecked(found)))
        assert states[-1].open > states[-2].open
    assert len(states) > 2
    assert memory.now(found, unchecked(found)) is states[-1]
    assert (states[-1].open, states[-1].settled) == (180, 60)


@pytest.mark.parametrize("text", ["", "(", "((((", "\0", "(S (NP"])
def test_broken_text_has_an_answer(text: str) -> None:
    for first, second, settled in ((text, ANNA, ANNA), (ANNA, text, ANNA), (ANNA, BORIS, text)):
        now = adjudicated(task(first, second, settled))
        assert now.open + now.settled == int(now.total_of.sum())


def test_a_file_that_is_read_anew_is_looked_at_anew() -> None:
    memory = Adjudicating(THREE)
    tag, label = ANNA.replace("(N b)", "(X b)"), ANNA.replace("(PP (P d))", "(ADVP (P d))")
    followed = []
    for settled in (tag, label):
        found = task(ANNA, BORIS, settled)
        now = complete(memory, found, unchecked(found))
        followed.append([one.follows for one in now.disagreements(0)])
    assert followed == [
        ["first", "first", "first", "second"],
        ["first", "second", "first", "first"],
    ]
