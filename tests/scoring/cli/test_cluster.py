"""On a Dask cluster, with a worker killed while it works: each piece is counted once."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from treelens.cli import cluster as cluster_module
from treelens.cli import main

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as made:
        yield made


@pytest.fixture
def treebank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Many small files, and one that is cut in stretches, out of step in its middle."""
    monkeypatch.chdir(tmp_path)
    for side, label in (("gold", "NP"), ("system", "QP")):
        (tmp_path / side / "small").mkdir(parents=True)
        for number in range(30):
            text = "".join(_tree(f"{number}-{at}", label if at % 7 else "NP") for at in range(40))
            (tmp_path / side / "small" / f"{number:02}.mrg").write_text(text)
        large = [_tree(f"large{at}", label if at % 5 else "NP") for at in range(12_000)]
        if side == "system":
            del large[6_000:6_300]
        (tmp_path / side / "large.mrg").write_text("".join(large))
    return tmp_path


def _tree(word: str, label: str) -> str:
    return (
        f"(S ({label} (DT the{word}) (NN dog{word})) (VP (VBZ sees{word}) (NP (PRP it{word}))))\n"
    )


def scored(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["score", "gold", "system", "--format", "json", *options]) == 0
    return capsys.readouterr().out


def test_a_cluster_counts_what_one_process_counts(
    treebank: Path, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    here = scored(capsys, "--jobs", "1")
    assert scored(capsys, "--scheduler", cluster.scheduler_address) == here


def test_what_a_killed_worker_had_is_counted_once(
    treebank: Path, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    here = scored(capsys, "--jobs", "1")
    with one_killed(cluster):
        there = scored(capsys, "--scheduler", cluster.scheduler_address)
    assert there == here


@contextlib.contextmanager
def one_killed(cluster: Any) -> Iterator[None]:
    """While a worker is killed at its work."""
    killed: list[int] = []
    watching = threading.Event()
    killer = threading.Thread(target=_kill_one_that_works, args=(cluster, killed, watching))
    killer.start()
    assert watching.wait(60)
    yield
    killer.join()
    assert killed, "a worker was killed while it worked"


def _kill_one_that_works(cluster: Any, killed: list[int], watching: threading.Event) -> None:
    with distributed.Client(cluster.scheduler_address) as client:
        pids = client.run(os.getpid)
        watching.set()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not killed:
            for address, tasks in client.processing().items():
                if tasks:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pids[address], signal.SIGKILL)
                        killed.append(pids[address])
                    break


@pytest.fixture
def varied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Trees in which what is one bracket is another in every seventh sentence."""
    monkeypatch.chdir(tmp_path)
    trees = [_tree(f"{at % 3_000}", "NP" if at % 7 else "QP") for at in range(16_000)]
    monkeypatch.setattr("treelens.cli.varying.PORTION_BYTES", 1 << 15)
    (tmp_path / "a.mrg").write_text("".join(trees[:9_000]))
    (tmp_path / "b.mrg").write_text("".join(trees[9_000:]))
    return tmp_path


def varying(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["consistency", "a.mrg", "b.mrg", "--format", "jsonl", *options]) == 0
    return capsys.readouterr().out


def test_what_varies_is_the_same_with_a_worker_killed(
    varied: Path, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    here = varying(capsys)
    assert len(here.splitlines()) > 1_000
    with one_killed(cluster):
        there = varying(capsys, "--scheduler", cluster.scheduler_address)
    assert there == here


def test_workers_read_addresses_themselves(
    varied: Path, cluster: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fsspec")
    here = varying(capsys)
    monkeypatch.delattr("treelens.cli.inputs.chunks")  # by which texts are copied here
    where = [f"{varied.as_uri()}/{name}" for name in ("a.mrg", "b.mrg")]
    options = ["--format", "jsonl", "--scheduler", cluster.scheduler_address]
    assert main(["consistency", *where, *options]) == 0
    assert capsys.readouterr().out.replace(f"{varied.as_uri()}/", "") == here


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
def test_an_interrupt_ends_the_processes_of_a_cluster(treebank: Path) -> None:
    (treebank / "copies").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "treelens", "score", "gold", "system", "--engine", "dask"],
        env={**os.environ, "TMPDIR": str(treebank / "copies")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not [*treebank.glob("copies/*/*")] and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it: to all of them
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"interrupted\n")
    assert not [*(treebank / "copies").iterdir()]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ends_it_waits_until_the_processes_are_started_and_can_be_ended(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ToldError(Exception):
        pass

    done: list[str] = []

    class Starting(contextlib.AbstractContextManager["Starting"]):
        def __init__(self, **_: object) -> None:
            os.kill(os.getpid(), number)
            time.sleep(0.05)  # in which a handler is called
            done.append("started")

        def __exit__(self, *_: object) -> None:
            done.append("ended")

    def told(number: int, frame: object) -> None:
        raise ToldError

    monkeypatch.setattr(distributed, "LocalCluster", Starting)
    before = signal.signal(number, told)
    try:
        with pytest.raises(ToldError), cluster_module.pool(None, 2):
            pytest.fail("it went on")
        assert signal.getsignal(number) is told
    finally:
        signal.signal(number, before)
    assert done == ["started", "ended"]


def test_no_scheduler_is_said(treebank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "gold", "system", "--scheduler", "nowhere"]) == 2
    assert "no Dask scheduler answers at nowhere" in capsys.readouterr().err


def test_a_worker_that_is_lost_before_it_works_is_said(
    treebank: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", lost)
    assert main(["score", "gold", "system", "--engine", "dask"]) == 2
    told = capsys.readouterr()
    assert "Dask's processes could not be started: Nanny failed to start." in told.err
    assert not told.out
