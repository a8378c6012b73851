"""What is said of fields that list parts: what differs, and no more."""

from __future__ import annotations

import pytest
from treelens.compare.sides import Side
from treelens.differences.parts import apart
from treelens.differences.wording import accepting, message, taking
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols

ROW = "1\tdog\t{}\tN\t{}\t{}\t0\troot\t_\t{}\n\n"


def said(gold: str, system: str) -> list[tuple[str, str]]:
    symbols = Symbols()
    found = pair(*(document(text.encode(), symbols) for text in (gold, system))).strictly()
    findings = found.findings(0)
    return [(message(one, Side.GOLD), message(one, Side.SYSTEM)) for one in findings]


@pytest.mark.parametrize(
    ("gold", "system", "at_gold", "at_system"),
    [
        (
            ("dog", "N", "Case=Nom|Gender=Masc|Number=Sing", "_"),
            ("dog", "N", "Case=Acc|Gender=Masc|Number=Sing", "_"),
            "system has Case=Acc for “dog”, not Case=Nom",
            "gold has Case=Nom for “dog”, not Case=Acc",
        ),
        (
            ("dog", "N", "Case=Nom|Gender=Masc|Number=Sing", "_"),
            ("dog", "N", "Case=Nom|Gender=Fem|Number=Plur", "_"),
            "system has Gender=Fem|Number=Plur for “dog”, not Gender=Masc|Number=Sing",
            "gold has Gender=Masc|Number=Sing for “dog”, not Gender=Fem|Number=Plur",
        ),
        (
            ("dog", "N", "Case=Nom|Number=Sing", "_"),
            ("dog", "N", "Number=Sing", "_"),
            "system has no Case=Nom for “dog”",
            "gold has Case=Nom for “dog” too",
        ),
        (
            ("a|b", "N|x", "Case=Nom", "_"),
            ("a|c", "N|y", "Case=Nom", "_"),
            "system has a|c; N|y for “dog”, not a|b; N|x",
            "gold has a|b; N|x for “dog”, not a|c; N|y",
        ),
        (
            ("dog", "N", "Case=Nom|Number=Sing", "_"),
            ("cat", "N", "Case=Acc|Number=Sing", "_"),
            "system has cat; Case=Acc for “dog”, not dog; Case=Nom",
            "gold has dog; Case=Nom for “dog”, not cat; Case=Acc",
        ),
        (
            ("dog", "N", "Case=Nom", "Gloss=dog|SpaceAfter=No"),
            ("dog", "N", "Case=Nom", "Gloss=cat|SpaceAfter=No"),
            "system has Gloss=cat for “dog”, not Gloss=dog; not counted by LAS",
            "gold has Gloss=dog for “dog”, not Gloss=cat; not counted by LAS",
        ),
        (
            ("dog", "N", "Case=Nom", "Gloss=dog|SpaceAfter=No"),
            ("dog", "N", "Case=Nom", "Gloss=dog"),
            "system has no SpaceAfter=No for “dog”; not counted by LAS",
            "gold has SpaceAfter=No for “dog” too; not counted by LAS",
        ),
        (
            ("dog", "N", "Case=Nom", "Gloss=dog"),
            ("dog", "N", "Case=Nom", "_"),
            "system has no MISC for “dog”, not Gloss=dog; not counted by LAS",
            "gold has Gloss=dog for “dog”, no MISC here; not counted by LAS",
        ),
        (
            ("dog", "N", "Case=Nom", "_"),
            ("dog", "N", "_", "_"),
            "system has no features for “dog”, not Case=Nom; not counted by LAS",
            "gold has Case=Nom for “dog”, no features here; not counted by LAS",
        ),
        (
            # (A lemma is no word of ours, whatever it begins with.)
            ("_", "N", "Case=Nom", "_"),
            ("north", "N", "_", "_"),
            "system has north; no features for “dog”, no lemma; Case=Nom here; not counted by LAS",
            "gold has no lemma; Case=Nom for “dog”, not north; no features; not counted by LAS",
        ),
        (
            ("_", "N", "Case=Nom", "_"),
            ("dog", "N", "_", "_"),
            "system has dog; no features for “dog”, no lemma; Case=Nom here; not counted by LAS",
            "gold has no lemma; Case=Nom for “dog”, not dog; no features; not counted by LAS",
        ),
    ],
)
def test_of_lists_what_differs_is_said(
    gold: tuple[str, ...], system: tuple[str, ...], at_gold: str, at_system: str
) -> None:
    assert said(ROW.format(*gold), ROW.format(*system)) == [(at_gold, at_system)]


def test_what_lists_the_same_stays_whole() -> None:
    assert apart("a=1|b=2", "b=2|a=1") == ("a=1|b=2", "b=2|a=1")
    assert apart("x; y", "x") == ("x; y", "x")


@pytest.mark.parametrize(
    ("gold", "system", "taken", "accepted"),
    [
        (
            ROW.format("dog", "N", "Case=Nom", "_"),
            ROW.format("dog", "N", "Case=Nom", "Gloss=dog"),
            "Remove MISC Gloss=dog, which gold does not have",
            "Accept MISC Gloss=dog into gold",
        ),
        (
            ROW.format("dog", "N", "Case=Nom", "Gloss=dog"),
            ROW.format("dog", "N", "Case=Nom", "_"),
            "Take gold’s MISC Gloss=dog",
            "Remove MISC Gloss=dog from gold, as in system",
        ),
        (
            ROW.format("dog", "N", "_", "_"),
            ROW.format("dog", "N", "Case=Nom", "_"),
            "Remove fields Case=Nom, which gold does not have",
            "Accept fields Case=Nom into gold",
        ),
        (
            "1-1\tdog" + "\t_" * 8 + "\n" + ROW.format("dog", "N", "_", "_"),
            "1-1\tdog" + "\t_" * 7 + "\tX=1\n" + ROW.format("dog", "N", "_", "_"),
            "Remove X=1, which gold does not have",
            "Accept multiword token X=1 into gold",
        ),
        (
            ROW.format("dog", "N", "_", "_"),
            ROW.format("dog", "N", "_", "_").replace("\tN\t", "\t_\t", 1),
            "Take gold’s tag N",
            "Remove tag N from gold, as in system",
        ),
    ],
)
def test_what_a_side_has_nothing_of_is_removed(
    gold: str, system: str, taken: str, accepted: str
) -> None:
    symbols = Symbols()
    found = pair(*(document(text.encode(), symbols) for text in (gold, system))).strictly()
    finding = found.findings(0)[0]
    assert (taking(finding, Side.SYSTEM), accepting(finding)) == (taken, accepted)


def test_a_head_that_is_not_there_is_said_to_be_none() -> None:
    rows = "1\tdogs\t_\tN\t_\t_\t{}\tnsubj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n\n"
    symbols = Symbols()
    gold, system = (document(rows.format(head).encode(), symbols) for head in ("_", "2"))
    (finding,) = pair(gold, system).strictly().findings(0)
    assert message(finding, Side.SYSTEM) == "gold has no head for “dogs”, not “bark”"
    assert message(finding, Side.GOLD) == "system attaches “dogs” to “bark”, no head here"
    assert taking(finding, Side.SYSTEM) == "Remove head “bark”: gold has no head"
    assert accepting(finding) == "Accept head “bark” into gold"
