"""What lattices, mapping and CoNLL-UL files say of words and no score counts."""

from __future__ import annotations

import pytest
from treelens.differences.wording import summary
from treelens.edits.take import after_edits, take, take_sentence
from treelens.formats.table import CONLLUL, LATTICE, MAPPING, SEGMENTATION, Format
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode


def made(gold: str, system: str, format: Format) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols, format) for text in (gold, system))).strictly()


def codes(of: Pair) -> list[str]:
    return [finding.code for group in range(len(of)) for finding in of.findings(group)]


_ARC = "0\t1\ta\tl\tN\tP\tA=a|B=b\t1\n"
_CONLLUL = "0-1\ta\t_\n0\t1\ta\tl\tN\tP\tA=a|B=b\t_\t_\n"


@pytest.mark.parametrize(
    ("format", "gold"), [(LATTICE, _ARC), (MAPPING, _ARC), (CONLLUL, _CONLLUL)]
)
@pytest.mark.parametrize(
    ("here", "there", "differs"),
    [
        ("l", "k", "k for “a”, not l"),
        ("l", "_", "no lemma for “a”, not l"),
        ("P", "Q", "Q for “a”, not P"),
        ("P", "", "no second tag for “a”, not P"),
        ("A=a|B=b", "A=a|B=c", "B=c for “a”, not B=b"),
        ("A=a|B=b", "_", "no features for “a”, not A=a|B=b"),
    ],
)
def test_what_a_lattice_says_of_a_word_is_marked_and_taken(
    format: Format, gold: str, here: str, there: str, differs: str
) -> None:
    system = gold.replace(f"\t{here}\t", f"\t{there}\t")
    of = made(gold, system, format)
    (finding,) = of.findings(0)
    assert finding.code == "uncounted-morphology"
    assert summary(finding) == f"system has {differs}; not counted by any score"
    for side, written in ((Side.GOLD, here), (Side.SYSTEM, there)):
        mark = finding.at(side)
        assert mark
        assert of.document(side).text(mark.start, mark.end).decode() == (written or "a")
        edits = take(of, 0, finding, side)
        assert edits
        after = after_edits(of, side, edits)
        assert not codes(after)
        if there or side is Side.SYSTEM:
            assert after.document(side).text() == of.document(side.other).text()
    assert of.scores() == made(gold, gold, format).scores()


def test_the_order_of_features_and_what_is_not_read_are_no_annotation() -> None:
    for gold, system, format in (
        (_ARC, "# odd\n" + _ARC.replace("A=a|B=b", "B=b|A=a"), MAPPING),
        (_CONLLUL, _CONLLUL.replace("_\t_\n", "x\ty\n"), CONLLUL),
    ):
        assert not codes(made(gold, system, format))


def test_a_tag_of_a_lattice_is_taken() -> None:
    of = made(_ARC, _ARC.replace("\tN\t", "\tV\t"), MAPPING)
    (finding,) = of.findings(0)
    for into in Side:
        edits = take(of, 0, finding, into)
        assert edits
        assert not codes(after_edits(of, into, edits))


@pytest.mark.parametrize("format", [LATTICE, MAPPING, CONLLUL])
def test_a_lattice_cut_otherwise_is_taken_as_a_whole(format: Format) -> None:
    whole, parts = _ARC, _ARC.replace("\ta\t", "\tb\t") + _ARC.replace("0\t1", "1\t2")
    if format is CONLLUL:
        whole, parts = (
            f"0-{n}\t{form}\t_\n" + text.replace("\t1\n", "\t_\t_\n")
            for n, form, text in ((1, "a", whole), (2, "ba", parts))
        )
    of = made(whole, parts, format)
    for into in Side:
        edits = take_sentence(of, 0, into)
        assert edits
        after = after_edits(of, into, edits)
        assert after.document(into).text() == of.document(into.other).text()


def test_nothing_is_written_into_another_format() -> None:
    symbols = Symbols()
    gold = document(encode(_ARC), symbols, MAPPING)
    for text, format in ((_CONLLUL.replace("N", "V"), CONLLUL), ("\tb:a\n", SEGMENTATION)):
        of = pair(gold, document(encode(text), symbols, format)).strictly()
        assert codes(of)
        assert not take_sentence(of, 0, Side.SYSTEM)
