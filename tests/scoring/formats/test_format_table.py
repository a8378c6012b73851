"""Every format says its layout and its annotation, and its forests say the same."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from treelens.cli import CannotContinue
from treelens.cli.files import read_trees
from treelens.formats.brackets import Habit
from treelens.formats.table import (
    BRACKETS,
    CONLL,
    CONLLUL,
    EVERY,
    LATTICE,
    MAPPING,
    SEGMENTATION,
    Format,
    named,
    read,
    sniff,
)
from treelens.tedeval.treebank import guess
from treelens.trees.forest import Symbols, encode

TABLE = b"1\tdogs\t_\tN\t_\t_\t2\tsbj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n"
ARC = b"0\t1\tdogs\t_\tN\tN\t_\t1\n"
TEXTS: list[tuple[Format, bytes]] = [
    *((one, b"(S (N dogs) (V bark))\n") for one in BRACKETS.values()),
    (CONLL, TABLE),
    (LATTICE, ARC),
    (MAPPING, ARC),
    (SEGMENTATION, b"\tdog:s\n"),
    (CONLLUL, b"0-1\tdogs\n0\t1\tdogs\t_\tN\tN\t_\t_\t_\n"),
]


@pytest.mark.parametrize("format", EVERY, ids=lambda one: one.name)
def test_formats_are_the_same_in_another_process(format: Format) -> None:
    assert pickle.loads(pickle.dumps(format)) is format


@pytest.mark.parametrize(("format", "text"), TEXTS, ids=lambda one: getattr(one, "name", ""))
def test_forests_say_what_their_format_says(format: Format, text: bytes) -> None:
    for source in (text, b""):
        forest, _ = read(format, source, Symbols())
        assert (forest.layout, forest.annotation) == (format.layout, format.annotation)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.conllu", TABLE, CONLL),
        ("a.CONLL", TABLE, CONLL),
        ("a.mrg", TABLE, CONLL),
        ("a", b"(S (N dogs))\n", sniff(b"(S (N dogs))\n")),
        ("a.lattice", ARC, LATTICE),
        ("a.mapping", ARC, MAPPING),
    ],
)
def test_a_file_is_read_in_one_format_wherever_it_is_opened(
    name: str, text: bytes, expected: Format, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    assert read_trees(str(path), Symbols()).format is expected
    # (The server asks for the format of a document by its URI.)
    assert (named(path.as_uri()) or sniff(text)) is expected
    assert guess(str(path), text).startswith("conll") == (expected is CONLL)


def test_a_name_that_does_not_fit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(b"(S (N dogs))\n")
    with pytest.raises(CannotContinue, match=r"name stands for \(conll\); it starts with “\(S"):
        read_trees(str(path), Symbols())


@pytest.mark.parametrize(("format", "text"), TEXTS, ids=lambda one: getattr(one, "name", ""))
def test_what_is_no_utf_8_is_said_once_for_each_sentence(format: Format, text: bytes) -> None:
    broken = text.replace(b"dogs", b"d\xf6gs \xfc").replace(b"dog:s", b"d\xf6g:s")
    source = broken + b"\n" + text + b"\n" + broken
    _, problems = read(format, source, Symbols())
    of_bytes = [one for one in problems if one.code == "encoding"]
    assert [source[one.start : one.end] for one in of_bytes] == [b"\xf6", b"\xf6"]
    assert all("0xF6" in one.message and one.severity == "warning" for one in of_bytes)
    assert problems == sorted(problems, key=lambda one: one.start)


def test_text_in_other_alphabets_and_half_of_a_pair_are_utf_8() -> None:
    text = encode("(S (N \u05db\u05dc\u05d1) (V \U0001f415 \ud83d))\n")
    _, problems = read(BRACKETS[Habit.COLUMN], text, Symbols())
    assert "encoding" not in {one.code for one in problems}
