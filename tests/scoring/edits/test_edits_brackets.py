"""Taking what the other file of brackets has: laws over random pairs, and layouts by hand."""

from __future__ import annotations

import itertools
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.take import after_edits, take, take_everything, take_sentence, take_whole
from treelens.edits.text import Edits, applied, edited, inverse
from treelens.forest import Symbols, encode
from treelens.parameters import PRESETS, Parameters
from treelens.session.document import Document, document
from treelens.session.pair import Pair, Side, pair
from trees import pairs, sentences

presets = st.sampled_from(list(PRESETS.values()))
sides = st.sampled_from(list(Side))
layouts = st.sampled_from(["\n", "\n\n", " \r\n", "\n# a comment\n"])

SCORES = ("F1", "UF1", "tagging")


def paired(gold: str, system: str, parameters: Parameters = PRESETS["default"]) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols) for text in (gold, system)), parameters)


def perfect(found: Pair, group: int) -> bool:
    named = {score.ratio.name: score.value for score in found.scores(group)}
    return not found.findings(group) and all(named[name] in (100, None) for name in SCORES)


def others(document: Document, sentences: range) -> list[bytes]:
    """The texts of all sentences but some."""
    return [document.piece_text(k).strip() for k in range(len(document)) if k not in sentences]


def of_side(found: Pair, group: int, side: Side) -> range:
    ranges = found.group(group)
    return ranges.gold if side is Side.GOLD else ranges.system


def check(found: Pair, group: int, into: Side, edits: Edits) -> None:
    """That edits do not overlap, touch no other sentence, and can be taken back."""
    text = found.document(into).text()
    assert all(one.end <= other.start for one, other in itertools.pairwise(edits))
    after = edited(found.document(into), edits)
    assert after.text() == applied(text, edits)
    assert applied(after.text(), inverse(text, edits)) == text
    mine, grown = of_side(found, group, into), len(after) - len(found.document(into))
    assert others(after, range(mine.start, mine.stop + grown)) == others(found.document(into), mine)


@given(pairs(), layouts, presets, sides)
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


@given(pairs(), presets, sides, st.randoms(use_true_random=False))
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
    assert all(perfect(found, group) for group in range(len(found)))


@given(pairs(), presets, sides)
def test_a_finding_that_is_taken_is_no_finding_any_more(
    trees: tuple[list[str], list[str]], parameters: Parameters, into: Side
) -> None:
    found = paired(*("\n".join(each) for each in trees), parameters)
    for group in range(len(found)):
        for finding in found.findings(group):
            edits = take(found, group, finding, into)
            if edits and finding.code in ("wrong-label", "wrong-tag", "extra-bracket"):
                now = after_edits(found, into, edits)
                assert len(now.findings(group)) < len(found.findings(group))


@given(pairs(), presets, sides)
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
