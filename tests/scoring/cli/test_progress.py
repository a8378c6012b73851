"""Progress: for people at a terminal who have waited, and gone when the work is done."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from treelens.cli import main, output, progress
from treelens.session import counts


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


def shown(stream: io.StringIO, times: list[float], monkeypatch: pytest.MonkeyPatch) -> str:
    """What is written to standard error when the work reports at the given times."""
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr("sys.stderr", stream)
    with progress.Progress("system.mrg") as report:
        for number, now in enumerate(times, 1):
            clock.now = now
            report(number / len(times))
    return stream.getvalue()


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(Terminal(), [0.1, 0.2, 0.4], monkeypatch) == ""


def test_nobody_at_a_terminal_nothing_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), [1, 2, 3], monkeypatch) == ""


def test_lines_that_nobody_sees_come_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, stream = Clock(), Terminal()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr("sys.stderr", stream)

    def slow() -> Iterator[str]:
        for number in range(4):
            clock.now += 0.3
            yield str(number)

    output.write(slow())
    assert capsys.readouterr().out == "0\n1\n2\n3\n"
    drawn = [line.removesuffix("\x1b[K") for line in stream.getvalue().split("\r")]
    assert drawn == ["", "Writing  2 lines", "Writing  3 lines", "Writing  4 lines", ""]


def test_long_work_shows_how_far_it_is_and_cleans_up(monkeypatch: pytest.MonkeyPatch) -> None:
    written = shown(Terminal(), [0.3, 0.6, 0.61, 3], monkeypatch)
    assert [line.rstrip("\x1b[K") for line in written.split("\r")] == [
        "",
        "system.mrg  ████████████░░░░░░░░░░░░  50%  0:01 left",
        "system.mrg  ████████████████████████ 100%",
        "",
    ]


TREE = "(S (NP (D the) (N dog{0})) (VP (V barks)))\n"
ROW = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"


@pytest.mark.parametrize(
    "command",
    [
        "score g.mrg s.mrg",
        "score g.mrg s.mrg t.mrg",
        "score gold system",
        "compare g.mrg s.mrg",
        "consistency g.mrg",
        "suspects g.mrg s.mrg t.mrg",
        "agreement g.mrg s.mrg",
        "errors g.mrg s.mrg",
        "worklist g.mrg s.mrg",
        "changes g.mrg s.mrg t.mrg",
        "significance g.mrg s.mrg t.mrg",
        "tedeval -g g.mrg -p s.mrg",
        "validate g.conllu",
    ],
)
def test_every_command_that_may_have_one_wait_says_how_far_it_is(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Patience being none: of so little work perhaps no more than that it is done."""
    monkeypatch.setattr(counts, "BATCH", 2)
    gold = "".join(TREE.format(number) for number in range(9))
    system, other = gold.replace("(N dog3)", "(V dog3)"), gold.replace("(NP (D", "(AP (D", 2)
    texts = {"g": gold, "s": system, "t": other}
    for name, text in texts.items():
        (tmp_path / f"{name}.mrg").write_text(text)
    for name, text in (("gold", gold), ("system", system)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.mrg").write_text(text)
    words = ROW.format(1, "dogs", "NOUN", 2, "nsubj") + ROW.format(2, "bark", "VERB", 0, "root")
    (tmp_path / "g.conllu").write_text(f"# sent_id = 1\n# text = dogs bark\n{words}\n")
    stream = Terminal()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_PERIOD", 0)
    monkeypatch.setattr("sys.stderr", stream)
    assert main(command.split()) in (0, 1)
    assert "%" in stream.getvalue(), "what is done was drawn"
    assert "\r\x1b[K" in stream.getvalue(), "what was drawn is taken away"


TIME = re.compile(rb"\r\d:\d\d\x1b\[K\r")
WAITING = """
import pathlib, sys, time
from treelens import cli
from treelens.cli import output

def done(name):
    end = time.monotonic() + 120
    while not pathlib.Path(name).exists() and time.monotonic() < end:
        time.sleep(0.01)
    yield "done"

class Module:
    @staticmethod
    def run(arguments):
        output.write([*done(arguments[0])] if arguments[1] == "before" else done(arguments[0]))
        return 0

sys.modules["waiting"] = Module
cli.COMMANDS["wait"] = cli.Command("waiting", "waits until there is a file")
sys.exit(cli.main(["wait", *sys.argv[1:]]))
"""


@pytest.mark.skipif(os.name == "nt", reason="has no such terminals")
@pytest.mark.parametrize("wait", ["before", "within"])
def test_the_time_spent_is_shown_where_nothing_says_how_far_the_work_is(
    tmp_path: Path, wait: str
) -> None:
    """The wait may be for the report, or for its first line."""
    import pty

    finished, said = tmp_path / "finished", b""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", WAITING, str(finished), wait]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        with contextlib.suppress(OSError):  # what Linux says where the other end is closed
            while part := os.read(ours, 1 << 12):
                said += part
                if TIME.search(said):
                    finished.touch()
    os.close(ours)
    assert (finished.exists(), child.returncode) == (True, 0)
    left = TIME.sub(b"", said)
    assert b"\r\x1b[K" in left, "what was drawn is taken away"
    assert left.replace(b"\r\x1b[K", b"") == b"done\r\n"
