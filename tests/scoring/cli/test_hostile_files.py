"""Whatever file a command is given, it answers: ``make fuzz`` draws larger ones, for longer."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import threading
from pathlib import Path

import hostile_files
import pytest
from hostile_files import Outcome, laid_out, prepare
from treelens.cli import main
from treelens.cli.consistency import tree_files
from treelens.corpus import sources

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes and devices")

PARTS = 12
DRAWN = 60


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    return tmp_path


@pytest.mark.parametrize("part", range(PARTS))
def test_every_command_answers(
    part: int, place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for number in range(DRAWN):
        folder = place / str(number)
        folder.mkdir()
        prepare(folder)
        monkeypatch.chdir(folder)
        arguments = laid_out(f"{part}/{number}", folder, largest=2)
        if arguments[0] != "validate":  # (a process of its own, a second each)
            status = main(arguments)
            wrong = hostile_files.wrong(arguments, Outcome(status, capfd.readouterr().err))
            assert not wrong, (arguments, wrong)


@pytest.mark.parametrize(
    "arguments",
    ["score ?.mrg ?.mrg --counts ?.parquet", "score ?.mrg ?.mrg --counts ?.csv",
     "score ?.mrg ?.mrg --format html", "compare ?.mrg ?.mrg --format json",
     "consistency ?.mrg ?.mrg ?.conllu --format sarif", "consistency ?.mrg --format html",
     "consistency ?.mrg --format csv -o ?.out", "picture ?.mrg -o ?.svg", "worklist ?.mrg ?.mrg",
     "validate ?.conllu --format sarif", "tedeval -g ?.mrg -p ?.mrg -o ?.out"],
)  # fmt: skip
def test_a_name_that_is_no_text_is_a_name(
    arguments: str, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    name = os.fsdecode(b"a\n\xff")
    varies = (
        b"(S (NP (DT the) (NN dog)) (VP (VB barks)))\n(S (NP (DT the) (VB dog)) (VP (VB barks)))\n"
    )
    try:
        (place / f"{name}.mrg").write_bytes(varies)
    except OSError:
        pytest.skip("this file system takes no such name")
    (place / f"{name}.conllu").write_bytes(hostile_files.TABLE)
    assert main([word.replace("?", name) for word in arguments.split()]) in (0, 1)
    said = capfd.readouterr().out
    if "sarif" in arguments:
        (run,) = json.loads(said)["runs"]
        places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
        assert {one["artifactLocation"]["uri"].split(".")[0] for one in places} == {"a%0A%FF"}
    if ".parquet" in arguments:
        assert main(["merge", f"{name}.parquet"]) == 0


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize(
    "arguments",
    ["score gold.mrg ?", "compare ? gold.mrg", "score @? @?", "merge ?", "consistency ?",
     "evalb gold.mrg ?", "conll18 ? ?", "score -p ? gold.mrg gold.mrg", "tedeval -g ? -p ?"],
)  # fmt: skip
def test_a_device_is_no_file(
    arguments: str, device: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([word.replace("?", device) for word in arguments.split()])
    said = capsys.readouterr()
    assert status != 0
    assert "a device, not a file" in said.err or f"{device}" in said.out + said.err
    assert said.err.count("\n") + said.out.count("\n") == 1


def test_a_line_without_an_end_is_no_text(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sources, "LONGEST_LINE", 1 << 20)
    with _fed(place / "pipe", bytes(1 << 22)):
        assert main(["score", "gold.mrg", "pipe"]) == 2
    assert capsys.readouterr().err == (
        "treelens score: pipe is no text: a line of it is longer than 1 MB\n"
    )


def test_counts_are_written_to_a_pipe_and_read_from_one(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is no file is written as it is, and nothing takes its name."""
    os.mkfifo(place / "written")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((place / "written").read_bytes()))
    reader.start()
    assert main(["score", "gold.mrg", "system.mrg", "--counts", "written"]) == 0
    reader.join(10)
    assert (place / "written").is_fifo()
    with _fed(place / "fed", read[0]):
        assert main(["merge", "fed"]) == 0
    assert "gold.mrg" in capsys.readouterr().out


class _fed:  # noqa: N801 — a context manager
    """A pipe that gets a text."""

    def __init__(self, path: Path, text: bytes) -> None:
        os.mkfifo(path)
        self._thread = threading.Thread(target=self._write, args=(path, text), daemon=True)

    def _write(self, path: Path, text: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):  # who reads it has enough
            path.write_bytes(text)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)


def test_of_a_folder_what_is_no_file_is_left_out(place: Path) -> None:
    """A pipe that nobody writes to would be waited for, a link that leads nowhere was an error."""
    folder = place / "corpus-of-one"
    folder.mkdir()
    (folder / "own.mrg").write_bytes((place / "gold.mrg").read_bytes())
    (folder / "nowhere.mrg").symlink_to("nothing")
    (folder / "circle.mrg").symlink_to("circle.mrg")
    (folder / "device.mrg").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.mrg")
    assert tree_files([str(folder)]) == [str(folder / "own.mrg")]


def test_files_of_different_annotations_have_nothing_to_agree_on(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("agreement gold.conllu gold.mrg", "suspects gold.mrg gold.conllu gold.conllu"):
        assert main(command.split()) == 2
        assert "no score is of both" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-p", "--heads", "--equivalences", "--contractions"])
def test_the_first_lines_that_are_no_rules_are_told(
    option: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "rules").write_text(f"{'a' * 1000}\n" * 1000)
    assert main(["errors", option, "rules", "gold.mrg", "system.mrg"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 11
    assert max(map(len, said)) < 400
    assert re.fullmatch(r"rules: and 99\d more such lines", said[-1])


@pytest.mark.parametrize(
    "arguments",
    ["score gold.mrg system.mrg --counts ?", "score gold.mrg system.mrg --counts ./?",
     "picture gold.mrg system.mrg -o ?", "consistency . -o ?", "consistency gold.mrg -o ?",
     "tedeval convert gold.mrg ?", "tedeval combine --unify system.mrg gold.mrg -o ?"],
)  # fmt: skip
def test_nothing_is_written_over_what_is_read(
    arguments: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    gold, system = "(S (NP (N a)) (V b))\n", "(S (N a) (V b))\n"
    (tmp_path / "gold.mrg").write_text(gold)
    (tmp_path / "system.mrg").write_text(system)
    assert main(arguments.replace("?", "gold.mrg").split()) == 2
    assert "gold.mrg is one of the files that are read" in capsys.readouterr().err
    assert (tmp_path / "gold.mrg").read_text() == gold
    assert main(arguments.replace("?", "other.txt").split()) == 0
    assert main(arguments.replace("?", "other.txt").split()) == 0, "its own may be written anew"


@pytest.mark.parametrize("arguments", ["gold system", "gold/*.mrg system/*.mrg", "@golds @systems"])
@pytest.mark.parametrize("over", ["gold/a.mrg", "system/b.mrg", "golds"])
def test_counts_are_not_written_over_one_of_many_files_that_are_read(
    arguments: str,
    over: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("gold", "system"):
        (tmp_path / folder).mkdir()
        names = [f"{folder}/{name}.mrg" for name in "ab"]
        for name in names:
            Path(name).write_text("(S (NP (N a)) (V b))\n")
        Path(f"{folder}s").write_text("\n".join(names))
    before = Path(over).read_text()
    is_read = over != "golds" or arguments.startswith("@")
    assert main(["score", *arguments.split(), "--counts", over]) == (2 if is_read else 0)
    said = f"{over} is one of the files that are read" in capsys.readouterr().err
    assert said == is_read == (Path(over).read_text() == before)


def test_what_is_said_has_bounds_whatever_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "list"
    listed.write_text("".join(f"{letter * 100_000}.mrg\n" for letter in "ab"))
    assert main(["score", f"@{listed}", f"@{listed}"]) == 2
    assert 0 < len(capsys.readouterr().err) < 20_000
    assert main(["score", "c" * 100_000, str(listed)]) == 2
    said = capsys.readouterr().err
    assert said.endswith("no such file\n") or "name too long" in said
    assert len(said) < 5_000
