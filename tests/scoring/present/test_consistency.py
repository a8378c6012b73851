"""What varies, at its places in a document: marks, related places, fixes, the next one."""

from __future__ import annotations

from treelens.consistency.agreed import Agreed, line
from treelens.consistency.index import Index
from treelens.consistency.options import ConsistencyOptions
from treelens.edits.text import applied
from treelens.present.consistency import (
    Fix,
    IndexView,
    as_elsewhere,
    diagnostics,
    next_variation,
    others_as_here,
    variations,
)
from treelens.session.document import document
from treelens.session.view import BEGINNING, View
from treelens.trees.forest import Symbols


def view(*texts: str, tier: str = "B", agreed: str = "") -> IndexView:
    symbols = Symbols()
    documents = {f"f{n}": document(text.encode(), symbols) for n, text in enumerate(texts)}
    assert tier in ("A", "B")
    return IndexView(
        Index(ConsistencyOptions(), documents), "A" if tier == "A" else "B", Agreed(agreed)
    )


def get_back(relation: str, number: int) -> str:
    return (
        f"1\tto\tto\tPART\t_\t_\t2\tmark\t_\t_\n2\tget\tget\tVERB\t_\t_\t0\troot\t_\t_\n"
        f"3\tback\tback\tADV\t_\t_\t2\t{relation}\t_\t_\n4\tto\tto\tADP\t_\t_\t5\tcase\t_\t_\n"
        f"5\twork{number}\twork\tNOUN\t_\t_\t2\tobl\t_\t_\n\n"
    )


MOST = get_back("advmod", 1) + get_back("advmod", 2)
ODD = get_back("compound:prt", 3)


def marked(given: IndexView, name: str) -> list[str]:
    text = given.index.document(name).text()
    everything = View.of(range(len(given.index.document(name))))
    return [text[one.start : one.end].decode() for one in diagnostics(given, name, everything)]


def test_the_field_that_is_another_is_marked_and_the_others_are_related() -> None:
    given = view(MOST, ODD)
    assert marked(given, "f1") == ["compound:prt"]
    assert marked(given, "f0") == []  # the majority has nothing to do
    (one,) = diagnostics(given, "f1", BEGINNING)
    assert one.severity == "information"
    assert one.message == (
        "“get back” is compound:prt here and advmod in 2 other places, with the same words "
        "around (to … to)"
    )
    first = given.index.document("f0").text()
    assert [(r.name, first[r.start : r.end], r.message) for r in one.related] == [
        ("f0", b"advmod", "advmod<")
    ] * 2


def fixed(given: IndexView, fix: Fix) -> dict[str, str]:
    return {
        name: applied(given.index.document(name).text(), edits).decode()
        for name, edits in fix.edits
    }


def test_annotated_as_elsewhere_nothing_varies_any_more() -> None:
    given = view(MOST, ODD)
    (one,) = variations(given, "f1", 0)
    (fix,) = as_elsewhere(given, "f1", 0, one)
    assert fix.title == "Annotate as advmod<, as in 2 other places"
    assert fixed(given, fix) == {"f1": ODD.replace("compound:prt", "advmod")}


def test_the_others_can_be_annotated_as_here_in_all_files() -> None:
    given = view(MOST, ODD, get_back("advmod", 4))
    (one,) = variations(given, "f1", 0)
    fix = others_as_here(given, one)
    assert fix is not None
    assert fix.title == "Annotate the 3 other places as compound:prt<, as here"
    assert fixed(given, fix) == {
        "f0": MOST.replace("advmod", "compound:prt"),
        "f2": get_back("compound:prt", 4),
    }


def test_another_structure_is_no_change_of_names() -> None:
    none = ODD.replace("\t2\tcompound:prt", "\t1\tcompound:prt")
    given = view(MOST, none)
    (one,) = [
        v for v in variations(given, "f1", 0) if len(v.group.key) == 4 and v.here.label is None
    ]
    assert as_elsewhere(given, "f1", 0, one) == []
    assert others_as_here(given, one) is None
    assert given.index.document("f1").text()[one.start : one.end] == b"1"


def test_of_brackets_labels_change_and_functions_stay() -> None:
    given = view(
        "(S (X x) (NP-SBJ (D a) (N b)) (V c) (Y 1))\n(S (X x) (NP (D a) (N b)) (V c) (Y 2))\n" * 2,
        "(S (X x) (QP-SBJ (D a) (N b)) (V c) (Y 3))\n",
    )
    (one,) = variations(given, "f1", 0)
    assert marked(given, "f1") == ["QP-SBJ"]
    (fix,) = as_elsewhere(given, "f1", 0, one)
    assert fixed(given, fix) == {"f1": "(S (X x) (NP-SBJ (D a) (N b)) (V c) (Y 3))\n"}


def test_of_tags_features_stay() -> None:
    row = "(S (X x) (NN##num=sg## b) (V c) (Y {}))\n"
    odd = row.format(9).replace("NN##", "JJ##")
    given = view(row.format(1) + row.format(2) + row.format(3), odd, tier="A")
    assert marked(given, "f1") == ["JJ##num=sg##"]
    (one,) = variations(given, "f1", 0)
    (fix,) = as_elsewhere(given, "f1", 0, one)
    assert fixed(given, fix) == {"f1": row.format(9)}


def test_what_is_right_both_ways_is_not_marked() -> None:
    given = view(MOST, ODD)
    (one,) = variations(given, "f1", 0)
    assert marked(view(MOST, ODD, agreed=line(one.group)), "f1") == []


def test_the_next_one_is_found_round_the_end() -> None:
    given = view(MOST + ODD + MOST + ODD, "")
    text = given.index.document("f0").text()
    first, second = text.index(b"compound"), text.rindex(b"compound")

    def step(offset: int, *, back: bool = False) -> int:
        found = next_variation(given, "f0", offset, back=back)
        assert found is not None
        variation = found.variation
        ends.update({variation.start: variation.end})
        return variation.start

    ends: dict[int, int] = {}
    assert [step(0), step(first), step(second)] == [first, second, first]
    back = [step(0, back=True), step(second, back=True), step(first, back=True)]
    assert back == [second, first, second]
    # An editor that has gone there has the cursor behind it.
    assert [step(ends[second], back=True), step(ends[first], back=True)] == [first, second]
    assert next_variation(view(MOST, MOST), "f0", 0) is None


def test_from_a_file_of_which_all_was_deleted_the_next_one_is_in_another() -> None:
    given = view(MOST, MOST + ODD)
    given.index.put("f0", document(b"", given.index.document("f0").symbols))
    found = next_variation(given, "f0", 0)
    assert found is not None
    assert found.name == "f1"


def test_an_identical_sentence_takes_the_others_heads_and_relations() -> None:
    one = get_back("advmod", 1)
    odd = one.replace("\t2\tadvmod", "\t5\tdep").replace("5\twork1\twork", "5\twork1\tlemma")
    given = view(one, one, odd)
    (found,) = [v for v in variations(given, "f2", 0) if v.group.kind == "texts"]
    (fix,) = as_elsewhere(given, "f2", 0, found)
    assert fix.title == "Annotate as “3 back: advmod of 2”, as in 2 other places"
    # The lemma is not what varies.
    assert fixed(given, fix) == {"f2": one.replace("5\twork1\twork", "5\twork1\tlemma")}
    others = others_as_here(given, found)
    assert others is not None
    assert fixed(given, others) == {
        name: one.replace("\t2\tadvmod", "\t5\tdep") for name in ("f0", "f1")
    }


def test_an_identical_sentence_takes_the_others_tree_in_its_own_layout() -> None:
    one = "(S (NP (D a) (N b)) (VP (V c)))\n"
    odd = "(S\n  (D a)\n  (NP (N b))\n  (VP (V c)))\n"
    given = view(one, odd)
    (found,) = [v for v in variations(given, "f1", 0) if v.group.kind == "texts"]
    (fix,) = as_elsewhere(given, "f1", 0, found)
    text = fixed(given, fix)["f1"]
    assert " ".join(text.split()) == " ".join(one.split())
    assert text.count("\n") > 1


def test_an_identical_sentence_with_other_numbers_is_left_alone() -> None:
    one = get_back("advmod", 1)
    # The same words, the first two of them one token.
    other = "1-2\ttoget\t" + "_\t" * 7 + "_\n" + one.replace("\t2\tadvmod", "\t5\tdep")
    shifted = other.replace("\n5\t", "\n6\t").replace("\t5\t", "\t6\t")
    for text, fixes in ((other, 1), (shifted, 0)):
        given = view(one, text)
        (found,) = [v for v in variations(given, "f1", 0) if v.group.kind == "texts"]
        assert len(as_elsewhere(given, "f1", 0, found)) == fixes
