"""What can be written at ``‸``: in which order, found by what, in the place of what."""

from __future__ import annotations

from conll_texts import hostile_tables
from drawn import alone, cursor
from hypothesis import given
from hypothesis import strategies as st
from treelens.present.completions import Completion, completions
from treelens.present.highlights import highlights
from treelens.trees.forest import encode
from trees import hostile

TREES = "(S (NP-SBJ-1 (N we)) (VP (V see) (NP (-NONE- *T*-1))))\n(S (NP (N you)) (VP (V go)))\n"


def at(text: str) -> list[Completion]:
    plain, offset = cursor(text)
    return completions(alone(plain), offset)


def names(text: str) -> list[str]:
    return [one.text for one in at(text)]


def test_labels_are_offered_by_use_and_without_indices() -> None:
    assert names(TREES + "(S (‸ (N x)))") == ["S", "NP", "VP", "NP-SBJ", "N", "V", "-NONE-"]
    assert names(TREES + "(S (N‸")[:2] == ["N", "V"]
    assert names(TREES + "(S (N x‸)") == []


def test_an_index_stays_and_is_not_completed() -> None:
    first, *_ = at("(S (NP-SBJ‸-1 (N we)) (VP (V see) (NP-OBJ (-NONE- *T*-1))))")
    assert (first.start, first.end) == (4, 10)
    assert names("(S (NP-SBJ-1‸ (N we)) (VP (V see) (NP (-NONE- *T*-1))))") == []


def test_what_is_the_beginning_of_nothing_finds_what_is_near() -> None:
    (first, *_) = found = at(TREES + "(S (NPX‸ (N x)))")
    assert [(one.text, one.found_by) for one in found[:2]] == [("NP", "NPX"), ("VP", "NPX")]
    assert (first.start, first.end) == (len(encode(TREES)) + 4, len(encode(TREES)) + 7)
    assert names(TREES + "(S (QUESTION‸ (N x)))") == []


ROW = "{}\t{}\t_\t{}\t_\t{}\t{}\tx\t_\t_\n"
TABLE = (
    ROW.format(1, "we", "PRON", "Case=Nom|Number=Plur", 2)
    + ROW.format(2, "go", "VERB", "Number=Plur", 0)
    + ROW.format(3, "far", "ADV", "{}", "{}")
)


def test_heads_are_offered_with_their_forms_the_nearest_first() -> None:
    found = at(TABLE.format("_", "‸"))
    assert [(one.text, one.form, one.detail) for one in found] == [
        ("2", "go", "VERB"),
        ("1", "we", "PRON"),
        ("0", "root", "no head"),
    ]
    assert found[0].found_by == "2 go"


def test_a_word_whose_id_means_another_is_no_head() -> None:
    rows = ROW.format(1, "we", "PRON", "_", 2) + ROW.format(1, "go", "VERB", "_", 0)
    found = at(rows + ROW.format("x", "far", "ADV", "_", 1) + ROW.format(4, "up", "ADV", "_", "‸"))
    assert [(one.text, one.form) for one in found] == [("1", "we"), ("0", "root")]


def test_enhanced_dependencies_are_offered_heads_and_then_relations() -> None:
    row = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t{}\t_\n"
    rows = row.format(1, "we", 2, "nsubj", "{}") + row.format(2, "go", 0, "root", "0:root|2.1:x:of")
    table = rows + row.format("2.1", "far", "_", "_", "2:x:of")
    assert names(table.format("‸")) == ["2:", "0:", "2.1:"]
    assert names(table.format("0:root|‸")) == ["2:", "0:", "2.1:"]
    assert names(table.format("2‸:nsubj")) == ["2", "0", "2.1"]
    assert names(table.format("2:‸")) == ["nsubj", "root", "x:of"]
    found = at(table.format("0:root|2:r‸"))
    assert [one.start - found[0].end for one in found] == [-1] * len(found)


def test_features_are_offered_that_the_word_has_not() -> None:
    assert names(TABLE.format("‸", "0")) == ["Number=Plur", "Case=Nom"]
    assert names(TABLE.format("Case=Acc|‸", "0")) == ["Number=Plur"]
    text = TABLE.format("Cas‸|Number=Plur", "0")
    (one,) = at(text)
    plain = cursor(text)[0]
    assert plain[one.start : one.end] == "Cas"
    assert [one.text for one in at(TABLE.format("Nmuber=Plur‸", "0"))] == ["Number=Plur"]


def test_an_index_lights_up_all_that_has_it() -> None:
    text, offset = cursor(TREES.replace("SBJ-1", "SBJ-1‸"))
    assert [text[one.start : one.end] for one in highlights(alone(text), offset)] == ["1", "1"]


@given(st.one_of(hostile, hostile_tables), st.integers(0, 300))
def test_anywhere_in_any_text_something_is_completed_or_nothing(text: str, offset: int) -> None:
    source = encode(text)
    offset = min(offset, len(source))
    for one in completions(alone(text), offset):
        assert 0 <= one.start <= offset <= one.end <= len(source)
