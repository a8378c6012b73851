"""What the commands say and how they end: exit statuses, one clear line for what stops them."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, NoReturn, Protocol

import pytest
from treelens.cli import files, in_parts, main, output, processes

TREE = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
OTHER = "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n"
FORMATS = ("table", "json", "csv", "markdown")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class Run(Protocol):
    def __call__(self, *arguments: str, stdin: str = "") -> Done: ...


@pytest.fixture
def treelens(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """The command, run in the folder of files."""
    monkeypatch.chdir(folder)

    def run(*arguments: str, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            status = main(list(arguments))
        finally:
            said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold", "missing"), "missing: no such file"),
        (("missing", "system"), "missing: no such file"),
        (("gold", "empty"), "empty is empty"),
        (("blank", "system"), "blank is empty"),
        (("nothing", "system"), "nothing holds only empty trees: there is nothing to score"),
        (("gold", "damaged.gz"), "damaged.gz cannot be read: "),
        (("gold", "prose"), "prose holds neither bracketed trees"),
        (("treebank.xml", "system"), "treebank.xml holds neither bracketed trees"),
        (("gold",), "the following arguments are required"),
        (("gold", "system", "--nonsense"), "unrecognized arguments: --nonsense"),
        (("gold", "system", "--format", "xml"), "invalid choice: 'xml'"),
        (("gold", "system", "-p", "no.prm"), "no.prm: no such parameter file, nor a preset"),
        (("gold", "system", "-p", "directory"), "directory is a directory, not a file"),
        (("-", "-"), "only one of the files can be read from standard input"),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_what_stops_a_command_is_one_line_and_status_2(
    command: str, arguments: tuple[str, ...], message: str, treelens: Run
) -> None:
    done = treelens(command, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"treelens {command}: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("score", "--jobs"),
        ("consistency", "--jobs"),
        ("consistency", "--distance"),
        ("suspects", "--least"),
        ("significance", "--iterations"),
        ("changes", "--iterations"),
        ("merge", "--iterations"),
    ],
)
def test_none_of_what_it_takes_one_of_is_refused(command: str, option: str, treelens: Run) -> None:
    done = treelens(command, "gold", "system", "system", option, "0")
    assert done.returncode == 2
    assert done.stdout == ""
    assert f"argument {'-j/' if option == '--jobs' else ''}{option}: it takes 1 or more, not 0" in (
        done.stderr
    )


def test_no_number_of_processes_takes_the_machine_down() -> None:
    parser = argparse.ArgumentParser()
    processes.add_jobs(parser, output.one_or_more)
    assert parser.parse_args(["--jobs", "9" * 30]).jobs == 500


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(treelens: Run, folder: Path) -> None:
    (folder / "gold").chmod(0)
    done = treelens("score", "gold", "system")
    assert (done.returncode, done.stderr) == (2, "treelens score: gold: Permission denied\n")


def test_rules_that_are_too_long_are_not_read_to_their_end(
    treelens: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_LARGEST_RULES", 1 << 20)
    (folder / "long").write_bytes(bytes(2 << 20))
    found = treelens("score", "--parameters", "long", "gold", "system")
    assert found.returncode == 2
    assert found.stderr == "treelens score: long is larger than 1 MB, more than is read at once\n"


def test_that_memory_is_not_enough_is_one_line(
    treelens: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise MemoryError

    monkeypatch.setattr(in_parts, "each", full)
    assert treelens("compare", "gold", "system")[::2] == (
        2,
        "treelens compare: not enough memory\n",
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("gold", "gold"), 0),
        (("gold", "system"), 1),
        (("gold", "longer"), 1),
        (("gold", "nothing"), 1),
        (("gold", "system", "--limit", "0"), 1),
        (("gold", "system", "--format", "json"), 1),
        (("gold", "system", "--fail-under", "60"), 0),
        (("gold", "system", "--fail-under", "70"), 1),
        (("gold", "nothing", "--fail-under", "1"), 1),
    ],
)
def test_compare_says_by_its_status_whether_anything_differs(
    arguments: tuple[str, ...], status: int, treelens: Run
) -> None:
    done = treelens("compare", *arguments)
    assert done.returncode == status, done.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_score_succeeds_whatever_the_score(form: str, treelens: Run) -> None:
    done = treelens("score", "gold", "nothing", "--format", form)
    assert (done.returncode, done.stderr) == (0, "")


def test_syntax_problems_are_told_and_stop_nothing(treelens: Run) -> None:
    done = treelens("score", "gold", "broken", "--format", "json")
    assert done.returncode == 0
    problem, note = done.stderr.splitlines()
    assert problem.startswith("broken:1:1: (S is not closed before the next tree")
    assert note == "note: gold has 1 tree, broken 2; sentences are aligned by their text"
    assert json.loads(done.stdout)["systems"][0]["source"]["problems"] == 1


def test_the_first_ten_problems_are_told_or_all(treelens: Run, folder: Path) -> None:
    (folder / "many").write_text("(S (X a)\n" * 25)
    told = treelens("score", "gold", "many").stderr.splitlines()
    assert [line.split(": ")[0] for line in told[:10]] == [f"many:{n}:1" for n in range(1, 11)]
    assert told[10] == "many: and 15 more (--all-problems shows them)"
    told = treelens("score", "gold", "many", "--all-problems").stderr.splitlines()
    assert [line.split(": ")[0] for line in told[:25]] == [f"many:{n}:1" for n in range(1, 26)]


def test_problems_of_a_parameter_file_are_told(treelens: Run, folder: Path) -> None:
    (folder / "x.prm").write_text("DELETE_LABEL TOP\n\nNONSENSE 1\nEQ_LABEL A\n")
    done = treelens("score", "-p", "x.prm", "gold", "system")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "x.prm:3: 'NONSENSE' is no directive; left out",
        "x.prm:4: EQ_LABEL takes 2 value(s), found 1; left out",
    ]
    assert "|parameters:x.prm#" in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        OTHER.encode("utf-8-sig"),
        OTHER.encode("utf-16"),
        b"\xfe\xff" + OTHER.encode("utf-16-be"),
        OTHER.encode("utf-16-le"),
        OTHER.encode("utf-32"),
        OTHER.replace("\n", "\r\n").encode(),
    ],
    ids=["utf-8 with mark", "utf-16", "utf-16 big-endian", "utf-16 without one", "utf-32", "CRLF"],
)
def test_encodings_are_told_by_how_a_text_begins(text: bytes, treelens: Run, folder: Path) -> None:
    as_it_is = treelens("score", "gold", "system", "--format", "json")
    (folder / "system").write_bytes(text)
    assert treelens("score", "gold", "system", "--format", "json") == as_it_is


def test_bytes_that_are_no_text_are_borne(treelens: Run, folder: Path) -> None:
    (folder / "bad").write_bytes(b"(S (NP (DT \xff\xfe\x00) (NN \x1b[31mdog)) (VP (VB barks)))\n")
    done = treelens("compare", "gold", "bad")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\0" not in done.stdout


@pytest.mark.parametrize("command", ["score", "compare"])
def test_standard_input_can_be_either_file(command: str, treelens: Run) -> None:
    from_files = treelens(command, "gold", "system")
    for arguments, text in ((("gold", "-"), OTHER), (("-", "system"), TREE)):
        done = treelens(command, *arguments, stdin=text)
        assert done.returncode == from_files.returncode
        name = "system" if arguments[1] == "-" else "gold"
        lines = [line.replace("<stdin>", name) for line in done.stdout.splitlines()]
        assert [line.split() for line in lines] == [
            line.split() for line in from_files.stdout.splitlines()
        ]


def test_colour_is_for_terminals_and_for_who_asks(treelens: Run) -> None:
    arguments = ("compare", "gold", "system")
    assert "\x1b[" not in treelens(*arguments).stdout
    assert "\x1b[" in treelens(*arguments, "--color", "always").stdout
    assert "\x1b[" not in treelens(*arguments, "--color", "never").stdout


@pytest.mark.parametrize("command", ["score", "compare"])
def test_help_has_examples(command: str, treelens: Run) -> None:
    done = treelens(command, "--help")
    assert done.returncode == 0
    assert "examples:" in done.stdout


def test_unlabelled_scores_need_no_labels(treelens: Run, folder: Path) -> None:
    (folder / "renamed").write_text(TREE.replace("VP", "X"))
    arguments = ("score", "gold", "renamed", "--format", "json")
    values = [json.loads(treelens(*arguments, *more).stdout) for more in ((), ("--unlabelled",))]
    labelled, unlabelled = (value["systems"][0]["corpus"]["all"]["scores"] for value in values)
    assert labelled["F1"] < labelled["UF1"] == unlabelled["F1"] == 100
    assert "|brackets:unlabelled|" in values[1]["signature"]


def test_the_cutoff_makes_the_second_block(treelens: Run, folder: Path) -> None:
    (folder / "gold").write_text(TREE + "(S (X (Y one)))\n")
    for cutoff, sentences in (("0", 0), ("1", 1), ("2", 1), ("3", 2), ("9" * 30, 2)):
        arguments = ("score", "gold", "gold", "--format", "json", "--cutoff", cutoff)
        value = json.loads(treelens(*arguments).stdout)
        block = value["systems"][0]["corpus"]["cutoff"]
        assert block["sentences"] == sentences
        assert (block["scores"]["F1"] is None) == (sentences == 0)
        assert f"|cutoff:{cutoff}|" in value["signature"]


def test_files_of_different_texts_are_wondered_at(treelens: Run, folder: Path) -> None:
    (folder / "gold").write_text(TREE * 20)
    (folder / "system").write_text("(Z (Q (W quite) (W other) (W words)))\n" * 20)
    assert "are these the same sentences?" in treelens("score", "gold", "system").stderr


def test_a_name_that_is_no_text_can_be_read_back_from_json(treelens: Run, folder: Path) -> None:
    name = os.fsdecode(b"g\xff.mrg")
    try:
        (folder / name).write_text(TREE)
    except (OSError, UnicodeError):
        pytest.skip("such names cannot be had here")
    value = json.loads(treelens("score", name, "system", "--format", "json").stdout)
    assert value["gold"]["name"] == name
    assert treelens("score", name, "system").returncode == 0


@pytest.mark.parametrize(("options", "status"), [((), 1), (("--counted",), 0)])
def test_what_no_score_counts_differs_unless_only_the_counted_is_wanted(
    options: tuple[str, ...], status: int, treelens: Run, tmp_path: Path
) -> None:
    files = [tmp_path / "gold.mrg", tmp_path / "system.mrg"]
    for file, function in zip(files, ("SBJ", "OB1"), strict=True):
        file.write_text(f"(S (NP-{function} (N we)) (VP (V see)))\n")
    done = treelens("compare", *map(str, files), *options)
    assert done.returncode == status, done.stderr
    assert ("1 not counted: function tag" in done.stdout) == bool(status)
    assert ("nothing that F1 or LAS counts differs" in done.stdout) != bool(status)


def test_what_was_to_be_done_at_the_end_of_the_process_is(tmp_path: Path) -> None:
    program = (
        "import atexit, sys; from treelens.cli import main\n"
        "atexit.register(print, 'at the end'); sys.argv = ['treelens', '--version']; main()\n"
        "sys.argv = ['treelens', 'evalb', 'none', 'none']; main(); print('not here')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout.decode().split("\n")[1:]) == (1, ["at the end", ""])


@pytest.mark.parametrize(
    "command",
    [
        "changes gold gold system --fail-worse 0.1",
        "compare gold system",
        "consistency gold system --fail-over 0",
        "suspects gold system system --fail-over 0",
        "validate -l en table",
    ],
)
def test_a_reader_who_has_seen_enough_does_not_change_the_status(
    command: str, folder: Path
) -> None:
    (folder / "table").write_text("1\tbarks\n\n", encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    program = [sys.executable, "-m", "treelens", *command.split()]
    try:
        done = subprocess.run(
            program, cwd=folder, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
        )
    finally:
        os.close(writing)
    assert done.returncode == 1, done.stderr.decode()
