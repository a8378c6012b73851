"""Heads by table: the format, the order of rules, and the tables from the literature."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import SHARED
from treelens.rules.head_tables import TABLES
from treelens.rules.heads import HeadTable, Rule, head_table_text, read_head_table

SHIPPED = SHARED / "sparseval" / "headInfo.txt"
LABELS = ["NP", "NN", "DT", "JJ", "VP", "VBD", "MD", "IN", "S", "XYZ"]


def table(text: str) -> HeadTable:
    found, problems = read_head_table(text)
    assert problems == []
    return found


def test_any_label_of_a_class_will_do_and_the_direction_decides() -> None:
    rules = table("NP (r NN DT)\nPP (l NN DT)\n*default* (r)\n")
    assert rules.head("NP", ["NN", "DT", "JJ"]) == 1
    assert rules.head("PP", ["JJ", "NN", "DT"]) == 1


def test_an_earlier_rule_goes_before_a_later_one_wherever_its_child_is() -> None:
    rules = table("NP (r NN) (l NP) (r)\n*default* (r)\n")
    assert rules.head("NP", ["NN", "NP", "NP"]) == 0
    assert rules.head("NP", ["DT", "NP", "NP"]) == 1
    assert rules.head("NP", ["DT", "JJ"]) == 1


def test_the_default_is_for_other_labels_and_for_children_that_no_rule_fits() -> None:
    rules = table("*default* (l)\nNP (r NN)\n")
    assert rules.head("X", ["A", "B"]) == 0
    assert rules.head("NP", ["A", "B"]) == 0


def test_without_a_rule_that_fits_nothing_is_found_and_the_last_child_is_the_head() -> None:
    rules = HeadTable({"NP": (Rule(True, frozenset({"NN"})),)}, ())
    assert rules.find("NP", ["A", "B"]) is None
    assert rules.head("NP", ["A", "B"]) == 1


def test_a_child_that_is_set_aside_is_head_of_its_class_only_where_it_is_alone() -> None:
    rules = table("S (r EDITED VP) (r NP)\n*default* (r)\n")
    assert rules.head("S", ["VP", "NP", "EDITED"], set_aside={2}) == 0
    # The class is not left for the sake of a child that is set aside.
    assert rules.head("S", ["NP", "EDITED"], set_aside={1}) == 1


def test_a_label_without_rules_takes_its_last_child() -> None:
    assert table("X\n*default* (l)\n").head("X", ["A", "B"]) == 1


def test_blank_lines_and_windows_line_ends_are_no_rules() -> None:
    assert table("\r\nNP  (r NN)\t(l)\r\n\r\n*default* (r)\r\n") == table(
        "NP (r NN) (l)\n*default* (r)\n"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("NP r NN", "a rule such as (r NN) is expected where “r NN” is; the line is left out"),
        ("NP (r NN", "“(r NN” is not closed by a ); the line is left out"),
    ],
)
def test_a_line_without_rules_is_left_out_and_told(line: str, said: str) -> None:
    found, problems = read_head_table(f"*default* (r)\n{line}\n")
    assert found.rules == {}
    assert [(problem.line, problem.message, problem.is_error) for problem in problems] == [
        (2, said, True)
    ]


def test_what_is_strange_is_told_with_what_happens() -> None:
    found, problems = read_head_table("NP (right NN)\nNP (l NN)\n")
    # As SParseval reads it: a direction, and a label 'ight'.
    assert found.rules == {"NP": (Rule(False, frozenset({"ight", "NN"})),)}
    assert [(problem.line, problem.is_error) for problem in problems] == [
        (1, False),
        (2, False),
        (0, False),
    ]
    assert "'NP' has a line already" in problems[1].message


@given(st.text(alphabet="NP (rl)*default\n\t\r", max_size=80))
def test_whatever_the_text_is_it_is_read(text: str) -> None:
    found, _ = read_head_table(text)
    assert found.head("NP", ["A", "B"]) in (0, 1)


@pytest.mark.parametrize("name", TABLES)
@given(label=st.sampled_from(LABELS), children=st.lists(st.sampled_from(LABELS), min_size=1))
def test_the_tables_find_a_head_in_every_phrase(name: str, label: str, children: list[str]) -> None:
    found = TABLES[name].find(label, children)
    assert found is not None
    assert 0 <= found < len(children)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_is_written_is_read_again(name: str) -> None:
    assert table(head_table_text(TABLES[name])) == TABLES[name]


@pytest.mark.skipif(not SHIPPED.exists(), reason="no shared data")
def test_charniaks_table_is_the_one_that_comes_with_sparseval() -> None:
    assert table(SHIPPED.read_text(encoding="utf-8")) == TABLES["charniak"]


@pytest.mark.parametrize(
    ("label", "children", "charniak", "collins"),
    [
        ("NP", "DT NN", "NN", "NN"),
        ("NP", "NP PP", "NP", "NP"),
        ("NP", "NNP POS", "POS", "POS"),
        ("VP", "MD VP", "MD", "MD"),
        ("VP", "VBZ VBN", "VBN", "VBN"),
        ("VP", "TO VP", "TO", "TO"),
        ("S", "NP VP .", "VP", "VP"),
        ("SBAR", "IN S", "IN", "IN"),
        ("SBAR", "WHNP S", "WHNP", "WHNP"),
        ("SINV", "VP VBD NP", "VP", "VBD"),
        ("ADJP", "RB JJ", "JJ", "JJ"),
        ("ADJP", "JJ NNS", "JJ", "NNS"),
        ("QP", "IN CD", "CD", "IN"),
        ("PP", "IN NP", "IN", "IN"),
        ("S1", "S .", "S", "S"),
    ],
)
def test_heads_as_the_literature_has_them(
    label: str, children: str, charniak: str, collins: str
) -> None:
    labels = children.split()
    assert labels[TABLES["charniak"].head(label, labels)] == charniak
    assert labels[TABLES["collins"].head(label, labels)] == collins
