"""The commands as processes: closed pipes, a full disk, Ctrl-C; work shared between processes."""

from __future__ import annotations

import contextlib
import errno
import gzip
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from treelens import cli
from treelens.cli import conll18, main, processes
from treelens.cli.processes import Workers
from treelens.corpus.sources import CHUNK_BYTES

TREE = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
OTHER = "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n"


@pytest.fixture
def large(folder: Path) -> Path:
    """A pair whose reports are longer than what a pipe holds."""
    (folder / "gold").write_text(TREE * 3000)
    (folder / "system").write_text(OTHER * 3000)
    return folder


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("score", "gold", "system", "--per-sentence"), 0),
        (("score", "gold", "system", "--format", "json"), 0),
        (("compare", "gold", "system"), 1),
        (("compare", "gold", "system", "--format", "json"), 1),
    ],
)
def test_a_reader_that_goes_away_is_no_error(
    arguments: tuple[str, ...], status: int, large: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "treelens", *arguments],
        cwd=large,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == status


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_neither_is_one_who_never_reads(option: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "treelens", option],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_that_nobody_reads_the_problems_stops_nothing(folder: Path) -> None:
    (folder / "many").write_text("(S (X a)\n" * 3000)
    with subprocess.Popen(
        [sys.executable, "-m", "treelens", "score", "gold", "many", "--all-problems"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stderr.close()
        assert b"Bracketing F1" in process.stdout.read()
        assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "treelens", "compare", "gold", "system"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"treelens compare: cannot write: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["score", "merge", "tedeval", "server", "conll18", ""])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_that_cannot_be_written_is_an_error(command: str, unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "treelens", *command.split(), "--help"],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    named = command or "--help"
    assert done.stderr.decode() == f"treelens {named}: cannot write: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX’s")
@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("score many many --counts {}", "old.csv"),
        ("score many many --counts {}", "old.parquet"),
        ("picture many -o {}", "old.svg"),
        ("consistency many -o {}", "old.txt"),
        ("tedeval convert many {}", "old.ftrees"),
        ("tedeval -g many -p many -o {}", "old.ted"),
    ],
)
def test_what_cannot_be_written_whole_is_not_begun(command: str, file: str, folder: Path) -> None:
    import resource

    (folder / file).write_text("precious")
    (folder / "many").write_text(
        "(S (NP-SBJ (N a) (N b)) (V c))\n(S (NP (N a) (N b)) (V c))\n" * 500
    )
    before = sorted(folder.iterdir())
    done = subprocess.run(
        [sys.executable, "-m", "treelens", *command.format(file).split()],
        cwd=folder,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)),
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.decode().splitlines()[-1].endswith("File too large")
    assert b"Traceback" not in done.stderr
    assert (folder / file).read_text() == "precious"
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("wanted", [("score", "--per-sentence"), ("score", "--format", "csv")])
def test_a_full_disk_of_temporary_files_is_said_to_be_that(
    wanted: tuple[str, ...],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full() -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cli, "silence", lambda stream: None)  # (A captured one has no number.)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    monkeypatch.setattr(tempfile, "tempdir", "/some/\nwhere")
    assert main([*wanted, str(folder / "gold"), str(folder / "system")]) == 2
    assert capsys.readouterr() == (
        "",
        "treelens score: cannot write the output, or temporary files in /some/␊where "
        "(TMPDIR names another folder): No space left on device\n",
    )


def test_a_copy_that_cannot_be_written_is_no_file_that_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "packed.gz").write_bytes(gzip.compress(b"1\ta\n\n"))
    monkeypatch.setattr(conll18, "_IN_MEMORY", 1)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(folder / "none")])
    assert main(["conll18", *2 * [str(folder / "packed.gz")]]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"No usable temporary directory found in ['{folder}/none']" in err
    assert err.endswith(" (TMPDIR names another one)\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_counts_that_cannot_be_written_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [str(folder / name) for name in ("gold", "system")]
    assert main(["score", *sides, "--counts", "/dev/full"]) == 2
    said = capsys.readouterr().err
    assert said == "treelens score: cannot write /dev/full: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_report_that_cannot_be_written_is_no_success(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "treelens", "sparseval", "gold", "system", "-F", "/dev/full"],
        cwd=folder,
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == b"treelens sparseval: cannot write: No space left on device\n"


def test_what_is_written_keeps_its_place_and_its_permissions(folder: Path) -> None:
    (folder / "real.svg").write_text("old")
    (folder / "real.svg").chmod(0o640)
    (folder / "link.svg").symlink_to("real.svg")
    for name in ("link.svg", "new.svg", os.devnull):
        assert main(["picture", str(folder / "gold"), "-o", str(folder / name)]) == 0
    assert (folder / "link.svg").is_symlink()
    assert (folder / "real.svg").read_text() == (folder / "new.svg").read_text() != "old"
    assert (folder / "real.svg").stat().st_mode & 0o777 == 0o640
    assert not Path(os.devnull).is_file()
    assert not [one for one in folder.iterdir() if one.suffix == ".part"]


def test_nothing_else_is_written_than_the_file_that_is_named(folder: Path) -> None:
    longest = "x" * 251 + ".svg"
    (folder / "mine").write_text("precious")
    for name in ("some.svg", longest):
        with contextlib.suppress(OSError):  # (Such a name is too long.)
            (folder / f"{name}.part").symlink_to("mine")
        assert main(["picture", str(folder / "gold"), "-o", str(folder / name)]) == 0
        assert (folder / name).is_file()
        assert not (folder / name).is_symlink()
    assert (folder / "mine").read_text() == "precious"


@pytest.mark.skipif(os.name != "posix", reason="shells of POSIX close streams so")
@pytest.mark.parametrize(("closed", "status"), [(">&-", 1), (">&- 2>&-", 1)])
def test_streams_that_are_closed_are_not_missed(closed: str, status: int, folder: Path) -> None:
    command = f"'{sys.executable}' -m treelens compare gold system {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=False)
    assert done.returncode == status
    assert done.stderr == b""


def interrupted(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What a process writes when it is interrupted; again if that came as it began to wait."""
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=3)
    pytest.fail("the command went on")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
def test_an_interrupt_ends_it_without_a_traceback(folder: Path) -> None:
    os.mkfifo(folder / "slow")  # nobody writes to it: the command waits until it is interrupted
    process = subprocess.Popen(
        [sys.executable, "-m", "treelens", "score", "gold", "slow"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Shells have what runs in the background ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # Once this end can be opened, the command has got to reading the other.
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            writer = os.open(folder / "slow", os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:
            time.sleep(0.05)
    else:
        process.kill()
        pytest.fail("the command never opened its file")
    try:
        out, err = interrupted(process)
    finally:
        process.kill()
        os.close(writer)
    assert (process.returncode, out, err) == (130, b"", b"interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_ended_leaves_nothing(
    jobs: str, number: signal.Signals, folder: Path
) -> None:
    os.mkfifo(folder / "slow")
    (folder / "copies").mkdir()
    before = sorted(folder.iterdir())
    process = subprocess.Popen(
        [sys.executable, "-m", "treelens", "score", "gold", "slow", "-j", jobs, "--counts", "c"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "copies")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    # What it reads is copied; the end that is written to stays open, so there is more to come.
    with open(folder / "slow", "wb", buffering=0) as slow:
        slow.write(TREE.encode() * (2 * CHUNK_BYTES // len(TREE)))
        deadline = time.monotonic() + 60
        while not [*folder.glob("copies/*/text")] and time.monotonic() < deadline:
            time.sleep(0.02)
        assert [*folder.glob("copies/*/text")]
        for _ in range(3):  # so that it comes while there is something to read, and then no more
            slow.write(TREE.encode())
        try:
            out, err = told_to_end(process, number)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (128 + number, b"", b"interrupted\n")
    assert not [*(folder / "copies").iterdir()]
    assert sorted(folder.iterdir()) == before


def told_to_end(process: subprocess.Popen[bytes], number: signal.Signals) -> tuple[bytes, bytes]:
    """Once more after a while: in a moment in which Python 3.11 takes its lock it may lose one."""
    process.send_signal(number)
    try:
        return process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        return process.communicate(timeout=60)


def square(number: int) -> int:
    return number * number


def square_or_die(number: int) -> int:
    if number == 5 and multiprocessing.parent_process() is not None:
        os._exit(1)
    return square(number)


@pytest.mark.parametrize("jobs", [1, 2])
def test_shared_work_comes_in_order_and_little_ahead(jobs: int) -> None:
    begun: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(30):
            begun.append(number)
            yield number

    with processes.shared_out(Workers(jobs)) as shared:
        found = shared(square, numbers())
        assert next(found) == 0
        assert len(begun) < 10
        assert [*found] == [number * number for number in range(1, 30)]


def test_what_a_lost_process_had_in_hand_is_done_once() -> None:
    with processes.shared_out(Workers(2)) as shared:
        assert [*shared(square_or_die, range(12))] == [number * number for number in range(12)]


def test_work_that_is_left_early_leaves_no_process() -> None:
    with processes.shared_out(Workers(2)) as shared:
        assert next(shared(square, iter(range(1000)))) == 0
    assert not multiprocessing.active_children()
