"""What errors in dependencies are called, and how they are told."""

from __future__ import annotations

import pytest
from edit_laws import paired
from treelens.errors import Error

WORDS = ["I", "saw", "the", "man", "with", "a", "telescope"]
RIGHT = ["2 nsubj", "0 root", "4 det", "2 obj", "7 case", "7 det", "2 obl"]


def table(arcs: list[str], words: list[str] = WORDS) -> str:
    rows = [
        f"{number}\t{word}\t_\t_\t_\t_\t{arc.split()[0]}\t{arc.split()[1]}\t_\t_"
        for number, (word, arc) in enumerate(zip(words, arcs, strict=True), 1)
    ]
    return "\n".join([*rows, "", ""])


def changed(**arcs: str) -> list[str]:
    """The right analysis with other arcs for some words."""
    return [arcs.get(word, arc) for word, arc in zip(WORDS, RIGHT, strict=True)]


def errors(gold: list[str], system: list[str], words: list[str] = WORDS) -> list[Error]:
    return list(paired(table(gold, words), table(system, words)).errors(0))


def told(error: Error) -> tuple[str, str, int, str]:
    return error.name, error.labels, error.words, error.message()


@pytest.mark.parametrize(
    ("arcs", "expected"),
    [
        (
            {"telescope": "4 nmod"},
            (
                "PP Attachment, too low",
                "obl → nmod",
                1,
                "“with a telescope” (obl) is attached too low: to “man”, not to “saw”, and as nmod",
            ),
        ),
        (
            {"man": "2 iobj"},
            ("Different Relation", "obj → iobj", 1, "system has iobj for “man”, not obj"),
        ),
        (
            {"a": "4 det"},
            (
                "Function Word Attachment",
                "det → det",
                1,
                "“a” (det) is attached to “man”, not to “telescope”",
            ),
        ),
        (
            {"the": "2 det"},
            (
                "Function Word Attachment, too high",
                "det → det",
                1,
                "“the” (det) is attached too high: to “saw”, not to “man”",
            ),
        ),
        (
            {"I": "4 nsubj"},
            (
                "Argument Attachment, too low",
                "nsubj → nsubj",
                1,
                "“I” (nsubj) is attached too low: to “man”, not to “saw”",
            ),
        ),
        (
            {"I": "0 root"},
            (
                "Argument Attachment, too high",
                "nsubj → root",
                1,
                "“I” (nsubj) is attached too high: to the root, not to “saw”, and as root",
            ),
        ),
    ],
)
def test_classes_and_messages(arcs: dict[str, str], expected: tuple[str, str, int, str]) -> None:
    (error,) = errors(RIGHT, changed(**arcs))
    assert told(error) == expected


def test_heads_the_wrong_way_round_are_one_error_with_what_follows() -> None:
    # "man" is the head of "saw", and what hung on "saw" hangs on "man".
    system = changed(saw="4 acl", man="0 root", I="4 nsubj", telescope="4 nmod")
    (error,) = errors(RIGHT, system)
    assert told(error) == (
        "Reversed Head",
        "obj → root",
        4,
        "“man” is the head of “saw” in system, in gold it is the other way round; "
        "2 more words hang on the wrong one",
    )
    assert [mark.span for mark in error.gold] == [(3, 4), (1, 2), (0, 1), (6, 7)]
    assert error.direction == ""


@pytest.mark.parametrize(
    ("relation", "kind"),
    [
        ("nsubj:pass", "Argument Attachment"),
        ("advcl:relcl", "Clause Attachment"),
        ("amod", "Modifier Attachment"),
        ("conj", "Coordination"),
        ("cc:preconj", "Coordination"),
        ("compound:prt", "Compound"),
        ("flat:name", "Multiword Expression"),
        ("mwe", "Multiword Expression"),
        ("punct", "Punctuation"),
        ("nmod:poss", "Nominal Attachment"),
        ("NMOD", "Nominal Attachment"),
        ("SBJ", "SBJ Attachment"),
        ("dep_cpd", "dep_cpd Attachment"),
        ("_", "Other Attachment"),
    ],
)
def test_the_relation_says_the_class(relation: str, kind: str) -> None:
    words = ["a", "b", "c"]
    gold, system = ["0 root", "1 x", f"2 {relation}"], ["0 root", "1 x", f"1 {relation}"]
    (error,) = errors(gold, system, words)
    assert error.name == f"{kind}, too high"


def test_the_root_is_a_class_and_what_hangs_on_a_word_of_its_own_is_too_low() -> None:
    words = ["a", "b", "c"]
    found = errors(["0 root", "1 x", "1 y"], ["3 root", "1 x", "0 y"], words)
    assert [error.kind for error in found] == ["Reversed Head"]
    found = errors(["0 root", "1 x", "2 y"], ["3 root", "0 x", "2 y"], words)
    assert [error.name for error in found] == ["Root, too low", "x Attachment, too high"]
    (error,) = errors(
        ["0 root", "1 x", "2 y", "3 z"], ["0 root", "4 x", "2 y", "3 z"], [*words, "d"]
    )
    assert error.name == "x Attachment, too low"


def test_a_head_that_gold_does_not_have_is_told_too() -> None:
    gold = table(["0 root", "1 x"], ["a", "b"])
    system = table(["0 root", "3 x", "1 y"], ["a", "b", "c"])
    found = paired(gold, system).errors(0)
    assert [error.kind for error in found] == ["x Attachment", "Different Words"]
    assert found[0].message() == "“b” (x) is attached too low: to “c”, not to “a”"


def test_circles_do_no_harm() -> None:
    found = errors(["2 x", "1 x", "1 x"], ["3 x", "3 x", "2 x"], ["a", "b", "c"])
    assert sum(error.words for error in found) == 3
