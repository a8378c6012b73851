"""Parameter files as PARSEVAL means them: directives, problems by line, names, equivalences."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from shared import SHARED
from treelens.rules.parameters import (
    PRESETS,
    ParameterProblem,
    Parameters,
    bare,
    label_table,
    read_parameters,
    word_table,
)
from treelens.trees.forest import Symbols

SAMPLES = SHARED / "parseval" / "samples"

COLLINS = """\
##---- the usual ----##
DEBUG 0
MAX_ERROR                  10
CUTOFF_LEN                 40
LABELED    1

DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""


def test_a_file_with_the_same_directives_is_the_preset() -> None:
    parameters, problems = read_parameters(COLLINS, "collins")
    assert problems == []
    assert parameters == PRESETS["collins"]
    assert parameters.signature == "collins"


@pytest.mark.skipif(not SAMPLES.exists(), reason="no shared reference data here")
@pytest.mark.parametrize("name", ["COLLINS", "sample", "new", "nk", "spmrl"])
def test_real_parameter_files_are_read_without_a_problem(name: str) -> None:
    text = (SAMPLES / f"{name}.prm").read_text(encoding="utf-8")
    parameters, problems = read_parameters(text, name)
    assert problems == []
    assert parameters.delete
    if name == "COLLINS":
        assert dataclasses.replace(parameters, name="collins") == PRESETS["collins"]


def test_directives() -> None:
    text = "LABELED 0\nCUTOFF_LEN 10\nCUTOFF_LEN 70\nEQ_WORD a b\nEQ_WORD b c\nQUOTE_LABEL ``\n"
    parameters, problems = read_parameters(text + "DELETE_LABEL X\nDELETE_LABEL X", "x")
    assert problems == []
    assert parameters == Parameters(
        "x",
        delete=("X",),
        delete_for_length=(),
        equal_words=(("a", "b"), ("b", "c")),
        cutoff=70,
        labelled=False,
    )


def test_what_is_not_understood_is_told_by_its_line_and_left_out() -> None:
    text = (
        "# fine\nDELETE_LABLE X\r\nEQ_LABEL A B C\nDELETE_LABEL\nCUTOFF_LEN many\n\nDELETE_LABEL Y"
    )
    parameters, problems = read_parameters(text, "x")
    assert problems == [
        ParameterProblem(2, "'DELETE_LABLE' is no directive; left out"),
        ParameterProblem(3, "EQ_LABEL takes 2 value(s), found 3; left out"),
        ParameterProblem(4, "DELETE_LABEL takes 1 value(s), found 0; left out"),
        ParameterProblem(5, "CUTOFF_LEN takes a number, found 'many'; left out"),
    ]
    assert parameters == Parameters("x", delete=("Y",), delete_for_length=())


@pytest.mark.parametrize("number", ["-", "+", "--1", "4-2", "٣", "²", "1" * 5000, "4.5", "0x1"])
def test_no_number_stops_the_reading(number: str) -> None:
    parameters, problems = read_parameters(f"CUTOFF_LEN {number}\nLABELED {number}", "x")
    assert isinstance(parameters.cutoff, int)
    assert len(problems) in (0, 2)


def test_a_text_with_a_byte_order_mark_is_read_like_one_without() -> None:
    assert read_parameters("\ufeffLABELED 0", "x") == read_parameters("LABELED 0", "x")


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("NP", "NP"),
        ("NP-SBJ", "NP"),
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("NP-SBJ=2", "NP"),
        ("NP##case=nom##", "NP"),
        ("NP-SBJ##a=b-c##", "NP"),
        ("-NONE-", "-NONE-"),
        ("-LRB-", "-LRB-"),
        ("=", "="),
        ("##", "##"),
        ("", ""),
        ("WHADVP|<a-b>", "WHADVP|<a"),
    ],
)
def test_bare_labels(label: str, name: str) -> None:
    assert bare(label) == name


def test_the_table_knows_what_counts_and_what_is_equal() -> None:
    symbols = Symbols()
    names = ["NP", "NP-SBJ", "TOP", "ADVP", "PRT", "", "ADVP|PRT", "-NONE-", ",", "DT##a=b##", "DT"]
    ids = {name: symbols.label_id(name) for name in names}
    table = label_table(symbols, PRESETS["collins"])
    number = {name: int(table.bracket[ids[name]]) for name in names}
    assert number["NP"] == number["NP-SBJ"] >= 0
    assert number["ADVP"] == number["PRT"] not in (number["NP"], -1)
    assert {number[name] for name in ("TOP", "", "-NONE-", ",")} == {-1}
    assert [name for name in names if table.deleted[ids[name]]] == ["TOP", "-NONE-", ","]
    assert [name for name in names if table.trace[ids[name]]] == ["-NONE-"]
    assert table.tag[ids["DT"]] == table.tag[ids["DT##a=b##"]] != table.tag[ids["NP"]]


def test_equal_labels_are_an_equivalence_and_take_deletion_with_them() -> None:
    symbols = Symbols()
    a, b, c, d = (symbols.label_id(name) for name in "ABCD")
    equal = Parameters("x", equal_labels=(("A", "B"), ("C", "B"), ("A", "C")))
    bracket = label_table(symbols, equal).bracket
    assert bracket[a] == bracket[b] == bracket[c] != bracket[d]
    deleted = dataclasses.replace(equal, delete=("B",))
    assert label_table(symbols, deleted).bracket[[a, b, c, d]].tolist()[:3] == [-1, -1, -1]
    assert label_table(symbols, deleted).bracket[d] >= 0


def test_equal_words_are_an_equivalence() -> None:
    symbols = Symbols()
    parameters = Parameters("x", equal_words=(("ca", "can"), ("can", "kann")))
    table = word_table(symbols, parameters)
    keys = [symbols.key(word) for word in (b"ca", b"can", b"kann", b"other")]
    assert len(set(table.normal(table.ids(np.array(keys, np.uint64))).tolist())) == 2


def test_a_lone_surrogate_in_a_word_is_borne() -> None:
    parameters, _ = read_parameters("EQ_WORD \ud800 b", "x")
    symbols = Symbols()
    keys = np.array([symbols.key(word) for word in (b"\xed\xa0\x80", b"b")], np.uint64)
    table = word_table(symbols, parameters)
    assert len(set(table.normal(table.ids(keys)).tolist())) == 1


def test_signatures_differ_whenever_the_parameters_do() -> None:
    every = [*PRESETS.values()]
    every += [dataclasses.replace(preset, labelled=False) for preset in PRESETS.values()]
    every += [dataclasses.replace(preset, cutoff=7) for preset in PRESETS.values()]
    every += [dataclasses.replace(PRESETS["none"], name="default")]
    assert len({parameters.signature for parameters in every}) == len(every)
    assert [PRESETS[name].signature for name in PRESETS] == list(PRESETS)
