"""Taking what the other file of brackets has: laws over random pairs, and layouts by hand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from edit_laws import check, check_alike, paired, perfect
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from treelens.edits.take import (
    after_edits,
    take,
    take_alike,
    take_everything,
    take_sentence,
    take_whole,
)
from treelens.edits.text import Edits
from treelens.rules.parameters import PRESETS, TRACE, Parameters
from treelens.session.pair import Pair, Side
from trees import pairs, sentences

presets = st.sampled_from(list(PRESETS.values()))
sides = st.sampled_from(list(Side))
layouts = st.sampled_from(["\n", "\n\n", " \r\n", "\n# a comment\n"])


@examples(20)
@given(pairs(most=3), layouts, presets, sides)
def test_a_sentence_that_takes_every_finding_is_right(
    trees: tuple[list[str], list[str]], between: str, parameters: Parameters, into: Side
) -> None:
    found = paired(*(between.join(each) for each in trees), parameters)
    for group in range(len(found)):
        if found.findings(group):
            for way in (take_sentence, take_whole):
                edits = way(found, group, into)
                assert edits
                check(found, group, into, edits)


@given(pairs(most=1), layouts, presets, sides)
def test_a_sentence_by_itself_is_right_once_everything_is_taken(
    trees: tuple[list[str], list[str]], between: str, parameters: Parameters, into: Side
) -> None:
    found = paired(*(between.join(each) for each in trees), parameters)
    for way in (take_sentence, take_whole):
        now = found
        for group in reversed(range(len(found))):
            if found.findings(group):
                now = after_edits(now, into, way(found, group, into) or ())
        assert all(perfect(now, group) for group in range(len(now)))


@examples(20)
@given(pairs(most=2), presets, sides, st.randoms(use_true_random=False))
def test_findings_taken_one_after_the_other_come_to_an_end(
    trees: tuple[list[str], list[str]], parameters: Parameters, into: Side, chance: Random
) -> None:
    found = paired(*("\n".join(each) for each in trees), parameters)
    for _ in range(200):
        if not found.mismatches:
            break
        group = int(found.mismatching().nonzero()[0][0])
        findings = list(found.findings(group))
        chance.shuffle(findings)
        takes = (take(found, group, finding, into) for finding in findings)
        edits = next((edits for edits in takes if edits), None)
        edits = edits or take_whole(found, group, into)
        assert edits
        check(found, group, into, edits)
        found = after_edits(found, into, edits)
    assert not found.mismatches
    # Traces that count are no findings, so that only a whole tree takes them.
    if parameters.name != "none":
        assert all(perfect(found, group) for group in range(len(found)))


def test_a_root_over_what_is_two_sentences_there_is_taken_out() -> None:
    one = "(TOP (TOP (A a) (B b)) (TOP (C c) (D d)))"
    two = "(TOP (A a) (B b))\n(TOP (C c) (D d))"
    found = paired(one, two, PRESETS["none"])
    (root,) = found.findings(0)
    edits = take(found, 0, root, Side.GOLD)
    assert edits
    found = after_edits(found, Side.GOLD, edits)
    assert found.gold.text() == b"( (TOP (A a) (B b)) (TOP (C c) (D d)))"
    assert not found.mismatches


@given(pairs(most=3), presets, sides)
@example(
    (
        [
            f"(TOP (-NONE- the) (DT the){' (DT the)' * 5} (DT dog) (DT the))",
            "(TOP (DT the))",
        ],
        [f"(S (DT thethe){' (DT the)' * 5} (DT dog) (DT the))"],
    ),
    PRESETS["default"],
    Side.GOLD,
)
@example(
    (
        ["(TOP (-NONE- the) (DT a))", f"(TOP{' (DT the)' * 8} (-NONE- the))"],
        ["(TOP (DT thea))", f"(TOP{' (DT the)' * 9})"],
    ),
    PRESETS["none"],
    Side.GOLD,
)
def test_a_finding_that_is_taken_is_no_finding_any_more(
    trees: tuple[list[str], list[str]], parameters: Parameters, into: Side
) -> None:
    found = paired(*("\n".join(each) for each in trees), parameters)
    for group in range(len(found)):
        for finding in found.findings(group):
            edits = take(found, group, finding, into)
            # A tag can decide that its word counts, and then words may be aligned otherwise.
            written = {mark.written for mark in (finding.gold, finding.system) if mark}
            simple = finding.code in ("wrong-label", "wrong-tag", "extra-bracket")
            if edits and simple and written.isdisjoint({*parameters.delete, TRACE}):
                now = after_edits(found, into, edits)
                assert len(now.findings(group)) < len(found.findings(group))


@given(pairs(most=3), presets, sides)
def test_a_file_that_takes_everything_is_the_other(
    trees: tuple[list[str], list[str]], parameters: Parameters, into: Side
) -> None:
    found = paired(*("\n".join(each) for each in trees), parameters)
    now = after_edits(found, into, take_everything(found, into))
    assert not now.mismatches


@given(st.lists(st.sampled_from(["the", "dog", ",", "."]), min_size=1, max_size=7), st.data())
def test_over_the_same_words_every_finding_can_be_taken(
    words: list[str], data: st.DataObject
) -> None:
    """Nothing of a sentence that differs in its brackets only is given anew as a whole."""
    trees = [data.draw(sentences(words, traces=False)) for _ in range(2)]
    found = paired(*trees)
    for finding in found.findings(0):
        if finding.code != "wrong-tag":
            assert take(found, 0, finding, Side.SYSTEM)


@given(pairs(most=3), sides, st.data())
def test_all_findings_of_a_kind_are_taken_everywhere(
    trees: tuple[list[str], list[str]], into: Side, data: st.DataObject
) -> None:
    """Also where some trees are not closed, of which a bracket is taken with its sentence."""
    lacking = st.sampled_from([0, 0, 1, 2])
    texts = ["\n".join(_unclosed(tree, data.draw(lacking)) for tree in side) for side in trees]
    check_alike(paired(*texts).strictly(), into, data)


def _unclosed(tree: str, lacking: int) -> str:
    return tree[: len(tree) - min(lacking, len(tree) - len(tree.rstrip(")")))]


@pytest.mark.parametrize(
    ("other", "here", "becomes"),
    [
        (
            "(S (QP (D a) (N b)) (NP (P c)))",
            "(S (D a) (N b) (NP (P c))",
            "(S (QP (D a) (N b)) (NP (P c)))",
        ),
        ("(S (D a) (N b))", "(S (D a) (QP (N b", "(S (D a) (N b))"),
        # What begins within a word stays in a tree that is whole: all else may be meant so.
        ("(S (A a) (QP (B bc) (D d)))", "(S (A ab) (B c) (D d))", "(S (A ab) (B c) (D d))"),
    ],
)
@pytest.mark.parametrize("into", Side)
def test_what_ends_with_its_sentence_only_is_taken_everywhere_where_that_is_broken(
    other: str, here: str, becomes: str, into: Side
) -> None:
    same = "(S (X x) (Y y))\n"
    two = (f"{other}\n{same}{other}\n", f"{here}\n{same}{here}\n")
    found = paired(*(two if into is Side.SYSTEM else two[::-1]))
    one = found.findings(0)[0]
    assert take(found, 0, one, into) is None
    after = after_edits(found, into, take_alike(found, into, lambda like: like.code == one.code))
    assert after.document(into).text().decode() == f"{becomes}\n{same}{becomes}\n"


@given(pairs(most=3), st.sampled_from([" ", "\n", "\n  "]), st.sampled_from([" ", "\n", "\n\n"]))
@example((["(S (D a))", "(S (D a) (N b))", "(S (D a))"], ["(S (-NONE- *))", "(())"]), " ", " ")
def test_what_is_not_closed_where_it_is_taken_from_holds_nothing_of_what_follows(
    trees: tuple[list[str], list[str]], within: str, between: str
) -> None:
    gold = [tree.replace(" ", within, 1) for tree in trees[0]]
    system = [tree.rstrip(")") for tree in trees[1]]
    found = paired(between.join(gold), "\n\n".join(system))
    for group in range(len(found)):
        if edits := take_whole(found, group, Side.GOLD):
            after = after_edits(found, Side.GOLD, edits)
            here = found.group(group)
            assert len(after.gold) == len(gold) - len(here.gold) + len(here.system)
            # (A sentence without words is anyone's counterpart, also another one's than before.)
            stays = _systems(after) == _systems(found)
            assert not here.system or not stays or perfect(after, group)


def _systems(of: Pair) -> list[range]:
    return [of.group(group).system for group in range(len(of))]


@pytest.mark.parametrize("into", Side)
@pytest.mark.parametrize("way", [take_sentence, take_whole])
@pytest.mark.parametrize(
    ("indented", "other"),
    [
        ("(S\n (N one)\n (N\n%))", "(S (N ones) (N %))"),
        ("(S\n  (V a)\n  (NP (CD 50) (NN\n%)))", "(S (V a) (NP (CD 50)) (NN %))"),
    ],
)
def test_a_per_cent_sign_that_begins_a_line_is_a_word_when_its_sentence_is_taken(
    way: Callable[..., Edits | None], into: Side, indented: str, other: str
) -> None:
    for gold, system in ((indented, other), (other, indented)):
        found = paired(gold, system)
        edits = way(found, 0, into)
        assert edits
        after = after_edits(found, into, edits)
        assert perfect(after, 0)
        trees = [after.document(side).tree(0) for side in Side]
        assert trees[0].words == trees[1].words
        assert trees[0].words[-1] == "%"


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("(S (NP (N a)) (X ))", "(S (NP (N a)))"),
        ("(S (X )(NP (N a)))", "(S (NP (N a)))"),
        ("(S (NP (N a)) (X (Y )))", "(S (NP (N a)))"),
        ("(S (NP (N a)) (X (Y ) (Z)))", "(S (NP (N a)))"),
        ("(S (N a) (NP b(X )c))", "(S (N a) (NP b c))"),
        ("(S (N a) # so\n (X ))", "(S (N a) # so\n)"),
    ],
)
def test_brackets_that_hold_nothing_are_taken_out(text: str, left: str, alone: bool) -> None:
    found = paired(left + "\n", text + "\n").strictly()
    if alone:
        while findings := found.findings(0):
            edits = next(filter(None, (take(found, 0, one, Side.SYSTEM) for one in findings)))
            found = after_edits(found, Side.SYSTEM, edits)
    else:
        edits = take_sentence(found, 0, Side.SYSTEM) or ()
        found = after_edits(found, Side.SYSTEM, edits)
    assert found.system.text().decode() == left + "\n"
