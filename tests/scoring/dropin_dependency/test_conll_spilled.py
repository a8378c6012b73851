"""Counters that go to disk give what counters in memory give, and so does the report of them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from dependency_programs import DEPENDENCY, NO_DATA
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from treelens.dropin.conll.arguments import Request
from treelens.dropin.conll.attachment import together
from treelens.dropin.conll.dialects import EVAL07
from treelens.dropin.conll.lines import read_blocks
from treelens.dropin.conll.report import long_report, made_apart
from treelens.dropin.conll.tally import Tally, add_block
from treelens.dropin.shared.spilled import Counters

BOUNDS = {"most": st.integers(0, 20), "part_bytes": st.integers(1, 20)}
KEYS = st.lists(st.sampled_from([b"", b" ", b"1 2", b"1 3", b"a 1", b"a 2", b"ab"]), max_size=9)


@given(st.lists(st.tuples(st.integers(0, 1), KEYS), max_size=9), st.fixed_dictionaries(BOUNDS))
def test_spilled_counters_are_counters(
    updates: list[tuple[int, list[bytes]]], bounds: dict[str, int]
) -> None:
    plain = Counter[bytes](), Counter[bytes]()
    with TemporaryDirectory() as folder:
        counters = Counters(lambda: folder, **bounds)
        spilled = counters.new(lambda key: key[:1]), counters.new()
        for which, keys in updates:
            plain[which].update(keys)
            spilled[which].update(keys)
            counters.bound()
            # They are read whenever it is asked for, and as often.
            assert together_again([*spilled[which].batches()]) == plain[which]
        for counter, expected in zip(spilled, plain, strict=True):
            assert together_again([*counter.batches()]) == expected
        groups = [{key[:1] for key in batch} for batch in spilled[0].batches()]
        assert sum(map(len, groups)) == len({key[:1] for key in plain[0]})


def together_again(batches: list[Counter[bytes]]) -> Counter[bytes]:
    """Counts of batches that have no key in common."""
    found = {key: count for batch in batches for key, count in batch.items()}
    assert len(found) == sum(map(len, batches))
    return Counter(found)


def report(gold: bytes, system: bytes, counters: Counters, size: int) -> bytes:
    """The long report of two parallel files that are read in blocks of this size."""
    request = Request(
        b"gold",
        b"system",
        b"-",
        short=False,
        one_line=False,
        rows=False,
        punctuation=True,
        derivations=True,
    )
    tally = Tally(counters)
    found = [
        one
        for block in read_blocks(io.BytesIO(gold), io.BytesIO(system), EVAL07, size)
        for one in add_block(tally, block, request)
    ]
    return long_report(tally, together(found), request, made_apart(tally))


def no_folder() -> str:
    raise AssertionError("what is small is not put on disk")


WORD = st.tuples(
    st.sampled_from([b"a", b"b", b"a+b", b"*", b"+", b".S", b"x0x01y"]),
    st.sampled_from([b"X", b"Y", b"X+Y", b"+"]),
    *[st.integers(0, 3), st.sampled_from([b"r", b"s"])] * 2,
)


@examples(15)
@given(
    st.lists(st.lists(WORD, min_size=1, max_size=5), min_size=1, max_size=8),
    st.integers(1, 99),
    st.fixed_dictionaries(BOUNDS),
)
def test_the_report_is_the_same_from_disk(
    sentences: list[list[tuple[bytes, bytes, int, bytes, int, bytes]]],
    size: int,
    bounds: dict[str, int],
) -> None:
    sides = [b"", b""]
    for sentence in sentences:
        for place, (word, tag, *arcs) in enumerate(sentence, 1):
            for side in (0, 1):
                head, relation = arcs[2 * side : 2 * side + 2]
                row = (place, word, word, tag, tag, b"_", head, relation)
                sides[side] += b"%d\t%b\t%b\t%b\t%b\t%b\t%d\t%b\t_\t_\n" % row
        sides = [side + b"\n" for side in sides]
    with TemporaryDirectory() as folder:
        from_disk = report(sides[0], sides[1], Counters(lambda: folder, **bounds), size)
    assert from_disk == report(sides[0], sides[1], Counters(no_folder), 1 << 18)


@pytest.mark.skipif(not DEPENDENCY.exists(), reason=NO_DATA)
def test_the_report_of_a_real_file_is_the_same_from_disk(tmp_path: Path) -> None:
    gold = max(DEPENDENCY.glob("*/gold.conllx"), key=lambda path: path.stat().st_size)
    sides = gold.read_bytes(), gold.with_name("system.conllx").read_bytes()
    from_disk = report(*sides, Counters(lambda: str(tmp_path), 4000, 20_000), 1 << 16)
    assert [*tmp_path.iterdir()]
    assert from_disk == report(*sides, Counters(no_folder), 1 << 18)


PROGRAM = """
import sys
from treelens.cli import main
from treelens.dropin.shared import spilled

spilled.Counters.__init__.__defaults__ = 10, 1 << 20
sys.exit(main())
"""
"""The command, with so little memory that all its counters go to disk."""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
def test_a_long_report_that_is_ended_leaves_nothing(tmp_path: Path) -> None:
    rows = [
        f"1\tw{n}\t_\tX\tX\t_\t%d\tx\t_\t_\n2\ty\t_\tY\tY\t_\t0\ty\t_\t_\n\n" for n in range(9000)
    ]
    (tmp_path / "gold").write_text("".join(row % 2 for row in rows))
    os.mkfifo(tmp_path / "slow")
    (tmp_path / "waiting").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "eval07", "-g", "gold", "-s", "slow"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "waiting")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL),
    )
    # The end that is written to stays open until then, so there is more to come.
    with open(tmp_path / "slow", "wb", buffering=0) as slow:
        slow.write("".join(row % 0 for row in rows).encode())
        deadline = time.monotonic() + 60
        while not [*tmp_path.glob("waiting/*/*")] and time.monotonic() < deadline:
            time.sleep(0.02)
        assert [*tmp_path.glob("waiting/*/*")]
        process.terminate()
    # (Lines that are being gathered are gathered until there is something to read.)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (128 + signal.SIGTERM, b"", b"interrupted\n")
    assert not [*(tmp_path / "waiting").iterdir()]
