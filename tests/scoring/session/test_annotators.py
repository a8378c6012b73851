"""What several files say of the same words, and what systems say against gold."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.rules.parameters import PRESETS
from treelens.session.annotators import Judged, judged
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.statistics.reliability import MISSING
from treelens.trees.forest import Symbols


def said(*texts: str) -> list[Judged]:
    symbols = Symbols()
    first, *others = (document(text.encode(), symbols) for text in texts)
    return judged(first, [pair(first, other, PRESETS["default"]) for other in others])


def names(found: Sequence[Judged], key: str) -> list[list[str | None]]:
    (one,) = [one for one in found if one.key == key]
    return [
        [None if number == MISSING else one.name(number) for number in row]
        for row in one.category.tolist()
    ]


ROW = "{}\t{}\t_\t{}\t_\t{}\t{}\t{}\t_\t_\n"


def table(*words: tuple[str, str, int, str], feats: str = "_") -> str:
    rows = (
        ROW.format(at, form, tag, feats, *rest) for at, (form, tag, *rest) in enumerate(words, 1)
    )
    return "".join(rows) + "\n"


GOLD = table(("the", "DET", 2, "det"), ("dog", "NOUN", 0, "root"), ("barks", "VERB", 2, "acl"))
ONE = table(("the", "DET", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("barks", "VERB", 0, "root"))
TWO = table(("the", "PRON", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("barks", "VERB", 0, "root"))


def test_words_are_judged_by_tag_head_and_relation() -> None:
    found = said(GOLD, ONE, TWO)
    assert names(found, "tags") == [["DET", "DET", "PRON"], ["NOUN"] * 3, ["VERB"] * 3]
    assert names(found, "heads") == [["+1"] * 3, ["root", "+1", "+1"], ["-1", "root", "root"]]
    assert names(found, "attachments")[1] == ["root root", "nsubj +1", "nsubj +1"]


def test_a_word_that_a_file_does_not_have_is_not_judged_there() -> None:
    shorter = table(("the", "DET", 2, "det"), ("dog", "NOUN", 0, "root"))
    assert names(said(GOLD, ONE, shorter), "relations") == [
        ["det", "det", "det"],
        ["root", "nsubj", "root"],
        ["acl", "root", None],
    ]


def test_a_feature_is_judged_of_every_word() -> None:
    other = table(
        ("the", "DET", 2, "det"), ("dog", "NOUN", 0, "root"), ("barks", "VERB", 2, "acl"),
        feats="Number=Sing",
    )  # fmt: skip
    assert names(said(GOLD, other), "features:Number") == [["without", "Sing"]] * 3


def test_brackets_are_judged_wherever_anybody_has_one() -> None:
    found = said(
        "(S (NP (D the) (N dog)) (VP (V saw) (NP (D a) (N cat)) (PP (P by) (N night))))",
        "(S (NP (D the) (N dog)) (VP (V saw) (NP (NP (D a) (N cat)) (PP (P by) (N night)))))",
    )
    (one,) = [one for one in found if one.key == "brackets"]
    where = list(zip(one.first.tolist(), one.last.tolist(), strict=True))
    assert dict(zip(where, names(found, "brackets"), strict=True)) == {
        (0, 1): ["NP", "NP"],
        (0, 6): ["S", "S"],
        (2, 6): ["VP", "VP"],
        (3, 4): ["NP", "NP"],
        (3, 6): ["–", "NP"],
        (5, 6): ["PP", "PP"],
    }
