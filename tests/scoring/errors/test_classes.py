"""What errors in constituents are called, and how they are told."""

from __future__ import annotations

import pytest
from edit_laws import paired
from treelens.errors import CLASSES, Error
from treelens.rules.parameters import PRESETS

DOG = "(NP (DT the) (NN dog))"


def errors(gold: str, system: str, parameters: str = "default") -> list[Error]:
    found = paired(f"(TOP {gold})\n", f"(TOP {system})\n", PRESETS[parameters])
    assert len(found) == 1
    return list(found.errors(0))


def only(gold: str, system: str) -> tuple[str, str, int, str]:
    (error,) = errors(gold, system)
    assert error.kind in CLASSES
    return error.name, error.labels, error.brackets, error.message()


LOW = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes))))))"
HIGH = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes)))))"
SENTENCE = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man))) (PP (IN with) (NP (NNS eyes))))"


@pytest.mark.parametrize(
    ("gold", "system", "told"),
    [
        (
            HIGH,
            LOW,
            (
                "PP Attachment, too low",
                "VP → NP",
                1,
                "PP “with eyes” is attached too low: to a needless NP, not to VP",
            ),
        ),
        (
            LOW,
            HIGH,
            (
                "PP Attachment, too high",
                "NP → VP",
                1,
                "PP “with eyes” is attached too high: to VP, not to a missing NP",
            ),
        ),
        (
            SENTENCE,
            HIGH,
            (
                "PP Attachment, too low",
                "S → VP",
                2,
                "PP “with eyes” is attached too low: to VP, not to S",
            ),
        ),
        (
            LOW,
            SENTENCE,
            (
                "PP Attachment, too high",
                "NP → S",
                3,
                "PP “with eyes” is attached too high: to S, not to a missing NP",
            ),
        ),
        (
            "(S (NP (NN work)) (VP (VBZ is) (NP (NN fun)) (SBAR (IN if) (S (VP (VBN done))))))",
            "(S (NP (NN work)) (VP (VBZ is) (NP (NN fun))) (SBAR (IN if) (S (VP (VBN done)))))",
            (
                "Clause Attachment, too high",
                "VP → S",
                2,
                "SBAR “if done” is attached too high: to S, not to VP",
            ),
        ),
        (
            f"(S {DOG} (VP (VBZ barks)) (ADVP (RB now)))",
            f"(S {DOG} (VP (VBZ barks) (ADVP (RB now))))",
            (
                "Modifier Attachment, too low",
                "S → VP",
                2,
                "ADVP “now” is attached too low: to VP, not to S",
            ),
        ),
        (
            f"(S {DOG} (VP (VBD saw) (VP (VB bark) (NP (PRP me)))))",
            f"(S {DOG} (VP (VBD saw) (VP (VB bark)) (NP (PRP me))))",
            (
                "NP Attachment, too high",
                "VP → VP",
                2,
                "NP “me” is attached too high: to VP, not to the VP before it",
            ),
        ),
        (
            "(NP (NP (DT the) (NN dog)) (CC and) (NP (DT the) (NN cat)))",
            "(NP (DT the) (NN dog) (CC and) (NP (DT the) (NN cat)))",
            ("Coordination", "NP → ∅", 1, "system has no NP over “the dog”"),
        ),
        (
            "(S (NP (NP (NN a)) (CC and) (NP (NN b))) (VP (VBZ is)))",
            "(S (NP (NP (NN a))) (CC and) (NP (NN b)) (VP (VBZ is)))",
            (
                "Coordination, too high",
                "NP → S",
                2,
                "“and b” is attached too high: to S, not to NP",
            ),
        ),
        (
            "(NP (NP (DT the) (NN bank)) (NN rate))",
            "(NP (DT the) (NN bank) (NN rate))",
            ("NP Internal Structure", "NP → ∅", 1, "system has no NP over “the bank”"),
        ),
        (
            "(S (NP (DT that)) (VP (VBZ is) (SBAR (S (NP (PRP it)) (VP (VBZ is))))))",
            "(S (NP (DT that)) (VP (VBZ is) (S (NP (PRP it)) (VP (VBZ is)))))",
            ("Unary", "SBAR → ∅", 1, "system has no SBAR over S “it is”"),
        ),
        (
            "(S (NP (PRP I)) (VP (VBD saw) (DT that)))",
            "(S (NP (PRP I)) (VP (VBD saw) (NP (DT that))))",
            ("Single Word Phrase", "∅ → NP", 1, "gold has no NP over the single word “that”"),
        ),
        (
            "(S (ADVP (RB so)) (VP (VBZ is)))",
            "(S (NP (RB so)) (VP (VBZ is)))",
            ("Single Word Phrase", "ADVP → NP", 2, "NP “so” is ADVP in gold"),
        ),
        (
            "(S (ADJP (JJ so) (JJ big)) (VP (VBZ is)))",
            "(S (NP (JJ so) (JJ big)) (VP (VBZ is)))",
            ("Different Label", "ADJP → NP", 2, "NP “so big” is ADJP in gold"),
        ),
        (
            "(X (NN a) (Y (NN b) (NN c)) (NN d))",
            "(X (NN a) (NN b) (NN c) (NN d))",
            ("Missing Node", "Y → ∅", 1, "system has no Y over “b c”"),
        ),
        (
            "(X (NN a) (NN b) (NN c) (NN d))",
            "(X (NN a) (Y (NN b) (NN c)) (NN d))",
            ("Extra Node", "∅ → Y", 1, "gold has no Y over “b c”"),
        ),
        (
            "(X (Y (NN a) (NN b)) (Z (NN c) (NN d) (NN e)))",
            "(X (Y (NN a) (NN b) (NN c)) (Z (NN d) (NN e)))",
            (
                "Other Attachment",
                "Z → Y",
                4,
                "NN “c” is attached to Y, not to the Z behind it",
            ),
        ),
    ],
)
def test_classes_and_messages(gold: str, system: str, told: tuple[str, str, int, str]) -> None:
    assert only(gold, system) == told


def test_what_is_attached_two_nodes_too_low_is_one_error() -> None:
    system = "(S (NP (NNS we)) (VP (VBP eat) (PP (IN at) (NP (NN noon) (ADVP (RB here))))) (UH oh))"
    gold = "(S (NP (NNS we)) (VP (VBP eat) (PP (IN at) (NP (NN noon)))) (ADVP (RB here)) (UH oh))"
    assert only(gold, system) == (
        "Modifier Attachment, too low",
        "S → NP",
        6,
        "ADVP “here” is attached too low: to NP, not to S",
    )


def test_a_node_too_much_is_told_by_the_words_it_is_over_in_the_file() -> None:
    # “and B” goes into “she” first, and the CONJP grows with it.
    found = errors(
        "(S (ADJP (JJ h)) (NP (PRP she) (CC and) (NN B)))",
        "(S (ADJP (JJ h)) (CONJP (NP (PRP she))) (CONJP (CC and) (NP (NN B))))",
    )
    assert (found[0].kind, found[0].message()) == ("Unary", "gold has no CONJP over “she”")
    assert [mark.span for mark in (*found[0].gold, *found[0].system)] == [(1, 2), (1, 2)]


def test_marks_are_on_what_moved_and_on_the_brackets_that_it_cost() -> None:
    found = paired(f"{SENTENCE}\n", f"{HIGH}\n")
    (error,) = found.errors(0)
    gold, system = found.gold.text().decode(), found.system.text().decode()
    assert [gold[mark.start : mark.end] for mark in error.gold] == ["with) (NP (NNS eyes", "(VP"]
    assert [system[mark.start : mark.end] for mark in error.system] == [
        "with) (NP (NNS eyes",
        "(VP",
    ]
    (error,) = paired(f"{HIGH}\n", f"{LOW}\n").errors(0)
    assert [LOW[mark.start : mark.end] for mark in error.system] == [
        "with) (NP (NNS eyes",
        "(NP",
    ]
    assert [HIGH[mark.start : mark.end] for mark in error.gold] == ["with) (NP (NNS eyes"]


def test_labels_that_make_no_difference_make_no_error() -> None:
    assert errors("(S (PRT (RP up)))", "(S (ADVP (RP up)))") == []
    assert errors("(S (NP-SBJ (NN a) (NN b)))", "(S (NP (NN a) (NN b)))") == []
    assert len(errors("(S (PRT (RP up)))", "(S (ADVP (RP up)))", "none")) == 1


def test_sentences_with_other_words_are_classed_over_those_they_share() -> None:
    gold = "(S (VP (VBD saw) (NP (DT a) (NN man))) (PP (IN with) (NP (NNS eyes))))"
    system = "(S (VP (VBD saw) (NP (DT a) (JJ big) (NN man)) (PP (IN with) (NP (NNS eyes)))))"
    found = [(error.kind, error.brackets, error.words) for error in errors(gold, system)]
    assert sorted(found) == [("Different Words", 0, 1), ("PP Attachment", 2, 0)]


def test_a_phrase_of_words_that_the_other_side_lacks_is_no_matter_of_structure() -> None:
    found = errors("(S (NP (NN a)) (PP (IN in) (NN b)))", "(S (NP (NN a)))")
    assert [(error.kind, error.brackets, error.words) for error in found] == [
        ("Different Words", 1, 1),
        ("Different Words", 0, 1),
    ]


def test_punctuation_before_such_words_is_not_what_the_phrase_is_of() -> None:
    gold = "(TOP (S (NN a) (NN c)))\n(TOP (S (NN b) (PP (, ,) (IN in))))\n"
    found = paired(gold, "(TOP (S (NN a) (NN d)))\n(TOP (S (NN b) (, ,)))\n")
    assert [
        [(error.kind, error.brackets) for error in errors] for _, errors in found.all_errors()
    ] == [
        [("Different Words", 0)],
        [("Different Words", 1)],
    ]


def test_tags_are_errors_of_their_own() -> None:
    (error,) = errors("(S (NN a) (VB b))", "(S (NN a) (NN b))")
    assert (error.kind, error.labels, error.brackets, error.words) == ("Tag", "VB → NN", 0, 1)
    assert error.message() == "system has NN for “b”, not VB"


def test_a_sentence_that_is_not_there_is_one_error() -> None:
    found = paired("(S (NP (NN a)))\n(S (VP (VB go)))\n", "(S (NP (NN a)))\n(())\n")
    (error,) = found.errors(1)
    assert (error.kind, error.brackets, error.words) == ("Missing Sentence", 2, 1)
    found = paired("(S (NP (NN a)))\n", "(S (NP (NN a)))\n(S (VP (VB go)))\n")
    assert [error.kind for error in found.errors(1)] == ["Extra Sentence"]


def test_of_words_that_the_other_side_lacks_those_are_counted_that_the_score_counts() -> None:
    gold = "(S (NN b))\n(S (NN a) (, ,) (NP (NN b) (NN c)) (. .))\n(S (. .))\n"
    found = paired(gold, "(S (NN b))\n(S (NN a) (NP (NN b)) (. .))\n(())\n")
    assert [
        [(error.kind, error.words) for error in errors] for _, errors in found.all_errors()
    ] == [
        [("Different Words", 0), ("Different Words", 1)],
        [("Missing Sentence", 0)],
    ]
    found = paired(gold, "(S (NN b))\n")
    counted = {at: [one.words for one in of] for at, of in found.counted_errors()}
    assert counted == {1: [3], 2: [0]}
