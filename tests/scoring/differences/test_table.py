"""Laws of every kind of difference: found = counted = marked = said."""

from __future__ import annotations

from collections import Counter

from conll_texts import arc_pairs, table_pairs
from hypothesis import given
from hypothesis import strategies as st
from treelens.differences import wording
from treelens.differences.table import BY_CODE, DIFFERENCES, find, kind_of, kinds
from treelens.differences.wording import SideNames
from treelens.formats.table import CONLL, Format
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode
from trees import commented

texts = st.one_of(
    commented().map(lambda two: (*two, None)),
    table_pairs(rich=True).map(lambda two: (*two, CONLL)),
    arc_pairs(),
)
NAMES = SideNames("ANNA", "{they}")
"""Names as annotators may have them, braces and all."""


def made(gold: str, system: str, format: Format | None) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols, format) for text in (gold, system))).strictly()


@given(texts)
def test_what_is_found_is_what_is_counted(drawn: tuple[str, str, Format | None]) -> None:
    of = made(*drawn)
    counted: list[Counter[str]] = [Counter() for _ in range(len(of))]
    for first, comparison in enumerate(of.comparisons()):
        assert first == 0
        found = kinds(comparison)
        for group, kind in zip(found.group.tolist(), found.kind.tolist(), strict=True):
            counted[group][kind_of(kind, of.gold.symbols).difference.code] += 1
        everywhere = Counter(finding.code for finding in find(comparison))
        assert everywhere == sum(counted, Counter[str]())
    for group, codes in enumerate(counted):
        findings = of.findings(group)
        assert Counter(finding.code for finding in findings) == codes
        assert of.differences()[group] == len(findings)
        assert of.mismatching()[group] == bool(findings)
    assert of.mismatches == sum(map(bool, counted))


@given(texts)
def test_what_a_side_has_is_marked_there(drawn: tuple[str, str, Format | None]) -> None:
    of = made(*drawn)
    for group, ranges in enumerate(map(of.group, range(len(of)))):
        for finding in of.findings(group):
            difference = BY_CODE[finding.code]
            for side, sentences in zip(Side, ranges, strict=True):
                mark = finding.at(side)
                assert mark or difference.owner is side.other
                if mark:
                    start = int(of.document(side).start[mark.sentence])
                    end = int(of.document(side).start[mark.sentence + 1])
                    assert mark.sentence in sentences
                    assert start <= mark.start < mark.end <= end


@given(texts)
def test_all_is_said_with_the_names_of_the_sides(drawn: tuple[str, str, Format | None]) -> None:
    of = made(*drawn)
    for group in range(len(of)):
        for finding in of.findings(group):
            for side in Side:
                assert wording.message(finding, side, NAMES) or finding.at(side) is None
                taking = wording.taking(finding, side, NAMES)
                assert NAMES.of(side.other) in taking
                everywhere = wording.taking_everywhere(finding, side, NAMES)
                assert bool(everywhere) == BY_CODE[finding.code].everywhere
            assert "ANNA" in wording.accepting(finding, NAMES)
            assert wording.drawn(finding, NAMES).label
        for text in wording.counts_in_words(of.findings(group), NAMES):
            assert "gold" not in text
            assert "system" not in text


def test_codes_are_told_apart_and_each_has_words() -> None:
    assert len(BY_CODE) == len(DIFFERENCES)
    for difference in DIFFERENCES:
        assert wording.heading(difference, NAMES)
        assert difference.tally.one
        assert difference.phrases.at_gold or difference.owner is Side.SYSTEM
        assert difference.phrases.at_system or difference.owner is Side.GOLD


def test_the_order_depends_on_nothing_before() -> None:
    """Words and constituents are numbered apart, and what stands before is many words, or many
    constituents, or nothing."""
    gold = "(S (, ,) (NP (N a) (, ,)) (VP (V b)))\n"
    system = "(S (: ,) (NP (N a)) (, ,) (VP (V b)))\n"
    found = set()
    for before in ("", "(S (A a) (B b) (C c) (D d))\n" * 9, "(S (X (Y (Z (A a)))))\n" * 9):
        of = made(before + gold, before + system, None)
        for comparison in of.comparisons():
            found.add(tuple(finding.code for finding in find(comparison)))
    assert found == {("uncounted-tag", "wrong-extent")}
