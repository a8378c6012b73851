"""What differs elsewhere: Windows' paths and line ends, spawned processes, names that differ in
case."""

from __future__ import annotations

from pathlib import Path

import pytest
from treelens.cli import inputs, main, processes
from treelens.corpus import of_text, pair_names
from treelens.corpus.sources import Source

TREE = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
OTHER = "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n"
ROWS = "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
WRONG = ROWS.replace("\t2\tdet", "\t2\tdep")
RULES = "DELETE_LABEL VP\nEQ_LABEL NP NX\n"


@pytest.mark.parametrize(
    ("path", "pattern", "separator", "expected"),
    [
        ("gold/a/x.mrg", "gold/**/*.mrg", "/", "a/x.mrg"),
        ("gold\\a\\x.mrg", "gold\\**\\*.mrg", "\\", "a/x.mrg"),
        ("gold/a\\x.mrg", "gold/**/*.mrg", "\\", "a/x.mrg"),
        ("c:\\gold\\x.mrg", "c:\\gold\\*.mrg", "\\", "x.mrg"),
        ("\\\\server\\share\\x.mrg", "\\\\server\\share\\*.mrg", "\\", "x.mrg"),
        ("gold/a\\x.mrg", "gold/*.mrg", "/", "a\\x.mrg"),
    ],
)
def test_files_of_a_pattern_go_by_their_place_on_every_system(
    path: str, pattern: str, separator: str, expected: str
) -> None:
    assert inputs.place(path, pattern, separator) == expected


def test_names_that_differ_in_case_are_two() -> None:
    assert pair_names(["A.mrg", "a.mrg"], ["a.mrg"]).pairs == (("a.mrg", "a.mrg"),)

    def files(folder: str, *names: str) -> inputs.Files:
        return inputs.Files(folder, {name: _text(f"{folder}/{name}") for name in names})

    found = inputs.paired(files("gold", "A.mrg", "a.mrg"), files("system", "A.mrg", "a.mrg"))
    assert [(one.gold.name, one.system.name) for one in found.pairs] == [
        ("gold/A.mrg", "system/A.mrg"),
        ("gold/a.mrg", "system/a.mrg"),
    ]


def _text(name: str) -> Source:
    return of_text(name, TREE.encode())


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for folder, tree, rows in (("gold", TREE, ROWS), ("system", OTHER, WRONG)):
        for ending in ("unix", "wind"):
            here = tmp_path / ending
            (here / folder).mkdir(parents=True)
            _write(here / folder / "a.mrg", tree * 3, ending)
            _write(here / folder / "b.mrg", tree, ending)
            _write(here / f"{folder}.conllu", rows * 2, ending)
    for ending in ("unix", "wind"):
        _write(tmp_path / ending / "rules.prm", RULES, ending)
        for folder in ("gold", "system"):
            lines = f"{ending}/{folder}/a.mrg\n# no more\n\n{ending}/{folder}/b.mrg\n"
            _write(tmp_path / ending / f"{folder}.txt", lines, ending)
    return tmp_path


def _write(path: Path, text: str, ending: str) -> None:
    path.write_bytes(text.replace("\n", "\r\n" if ending == "wind" else "\n").encode())


@pytest.mark.parametrize(
    "arguments",
    [
        "score -s {0}/gold/a.mrg {0}/system/a.mrg -p {0}/rules.prm",
        "score -s {0}/gold.conllu {0}/system.conllu",
        "score @{0}/gold.txt @{0}/system.txt",
        "compare {0}/gold/a.mrg {0}/system/a.mrg --color never",
        "errors {0}/gold.conllu {0}/system.conllu",
    ],
)
@pytest.mark.usefixtures("corpus")
def test_line_ends_of_windows_change_no_number(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for ending in ("unix", "wind"):
        main(arguments.format(ending).split())
        said.append([text.replace(ending, "") for text in capsys.readouterr()])
    assert said[0] == said[1]
    assert said[0][0]
    assert not said[0][1]


@pytest.mark.usefixtures("corpus")
def test_processes_that_are_spawned_count_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processes, "can_fork", lambda: False)
    found = []
    for jobs in ("1", "2"):
        assert main(["score", "-j", jobs, "--format", "json", "unix/gold", "unix/system"]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
