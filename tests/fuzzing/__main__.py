"""``make fuzz``: look for what the tests do not know yet, for some minutes.

In turn: rounds of the client that edits at random (:mod:`fuzzing.blackbox`) and of edits in one
process (:mod:`fuzzing.sittings`), hostile messages (:mod:`hostile`, :mod:`fuzzing.strangers`,
:mod:`fuzzing.storms`), hostile files for every command (:mod:`fuzzing.commands`), and the laws with
new seeds. What is found is printed so that it can be had again; it becomes an ``@example`` of the
law, or a test.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import lsp_client
from hostile import bodies, framed, misframed
from lsp_client import Client

from fuzzing import blackbox, commands, sittings, storms, strangers
from fuzzing.rounds import Finding, Round, again, drawn, smaller, told

TESTS = Path(__file__).resolve().parent.parent
_PASSED = re.compile(r"(\d+) passing\b")
_MESSAGES = 400
"""Hostile messages that one server is sent."""


_PATIENCE = 600.0
"""Seconds: what is slow because a machine is busy is no finding."""


class Counts(NamedTuple):
    """What was tried, and what went wrong."""

    rounds: int = 0
    edits: int = 0
    typed: int = 0
    """Edits in one process."""
    messages: int = 0
    storms: int = 0
    """Rounds of them."""
    files: int = 0
    """Hostile ones, that commands were given."""
    examples: int = 0
    """Of laws."""
    findings: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


def main() -> int:
    options = _options()
    lsp_client.PATIENCE = _PATIENCE
    if options.again:
        one = again(Path(options.again).read_text())
        with blackbox.Servers() as servers:
            found = blackbox.run(servers, one) or sittings.run(one)
        print(told(found) if found else "nothing differs")
        return bool(found)
    print(f"seed {options.seed}", flush=True)
    end = time.monotonic() + 60 * options.minutes
    counts, turn = Counts(), 0
    while time.monotonic() < end:
        turn += 1
        for part in options.parts.split(","):
            left = end - time.monotonic()
            if left > 0:
                counts = counts.plus(_PARTS[part](f"{options.seed}/{turn}", min(left, 60)))
                print(" · ".join(f"{n:,} {k}" for k, n in counts._asdict().items()), flush=True)
    return bool(counts.findings)


def edits(seed: str, seconds: float) -> Counts:
    """Rounds of edits, against fresh servers."""
    with blackbox.Servers() as servers:
        return _rounds(seed, seconds, "edits", lambda one: blackbox.run(servers, one))


def typing(seed: str, seconds: float) -> Counts:
    """The same in one process."""
    return _rounds(seed, seconds, "typed", sittings.run)


def _rounds(
    seed: str, seconds: float, counted: str, run: Callable[[Round], Finding | None]
) -> Counts:
    counts, end = Counts(), time.monotonic() + seconds
    while time.monotonic() < end:
        one = drawn(f"{seed}/{counts.rounds}")
        found = run(one)
        if found is not None:
            print(f"--- {seed}/{counts.rounds}", told(smaller(run, found)), flush=True)
        tried = Counts(rounds=1, findings=int(found is not None))
        counts = counts.plus(tried._replace(**{counted: sum(map(len, one.bursts))}))
    return counts


def messages(seed: str, seconds: float) -> Counts:
    """Hostile messages; after them the server answers, says nothing of a fault, and ends."""
    counts, end = Counts(), time.monotonic() + seconds
    while time.monotonic() < end:
        number = hash_of(f"{seed}/{counts.messages}")
        with Client() as client:
            try:
                client.start()
                _hostile(client, number)
            except (AssertionError, OSError) as problem:
                counts = counts.plus(Counts(findings=1))
                print(f"--- hostile.bodies({number}, {_MESSAGES}): {problem}", flush=True)
        counts = counts.plus(Counts(messages=_MESSAGES))
    return counts


def _hostile(client: Client, seed: int) -> None:
    wanted = []
    for id_, body in bodies(seed, _MESSAGES):
        client.send_raw(framed(body))
        wanted += [id_] if id_ is not None else []
    for junk in misframed(seed, 3):
        client.send_raw(junk + b"\n")
    for id_ in wanted:
        client.response(id_)
    assert client.process.stdin is not None
    client.process.stdin.close()
    client.process.wait(60)


def strange(seed: str, seconds: float) -> Counts:
    """Messages about what is there, half of them broken."""
    counts, end = Counts(), time.monotonic() + seconds
    while time.monotonic() < end:
        one = f"{seed}/{counts.messages}"
        with tempfile.TemporaryDirectory(prefix="treelens-fuzz-") as folder:
            found = strangers.finding(one, _MESSAGES, Path(folder))
        if found is not None:
            print(f"--- strangers.finding({one!r}, {_MESSAGES}): {found}", flush=True)
        counts = counts.plus(Counts(messages=_MESSAGES, findings=int(found is not None)))
    return counts


def rage(seed: str, seconds: float) -> Counts:
    """Bursts of what nobody should send so much of, beside edits of places anywhere."""
    counts, end = Counts(), time.monotonic() + seconds
    while time.monotonic() < end:
        one = f"{seed}/{counts.storms}"
        names = storms.some(one)
        with tempfile.TemporaryDirectory(prefix="treelens-fuzz-") as folder:
            found = storms.finding(one, names, Path(folder))
        if found is not None:
            print(f"--- storms.finding({one!r}, {names}): {found}", flush=True)
        counts = counts.plus(Counts(storms=1, findings=int(found is not None)))
    return counts


def files(seed: str, seconds: float) -> Counts:
    """Hostile files for every command."""
    counts, end = Counts(), time.monotonic() + seconds
    while time.monotonic() < end:
        found = commands.finding(f"{seed}/{counts.files}")
        if found is not None:
            print(f"--- {found}", flush=True)
        counts = counts.plus(Counts(files=1, findings=int(found is not None)))
    return counts


def laws(seed: str, seconds: float) -> Counts:
    """The property tests with another seed, file after file in any order."""
    counts, end, number = Counts(), time.monotonic() + seconds, hash_of(seed)
    files = [file for file in sorted(TESTS.rglob("test_*.py")) if "@given(" in file.read_text()]
    for file in random.Random(seed).sample(files, len(files)):
        if time.monotonic() > end:
            break
        counts = counts.plus(_laws_of(file, number))
    return counts


def _laws_of(file: Path, seed: int) -> Counts:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "hypothesis"]
    command += ["-p", "no:cacheprovider", "--hypothesis-show-statistics"]
    command += [f"--hypothesis-seed={seed}", str(file)]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "fuzz"}
    done = subprocess.run(
        command, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"--- --hypothesis-seed={seed} {file}\n{done.stdout[-6000:]}", flush=True)
    tried = sum(map(int, _PASSED.findall(done.stdout)))
    return Counts(examples=tried, findings=int(bool(done.returncode)))


def hash_of(text: str) -> int:
    """The same number for the same text in every process."""
    return int.from_bytes(text.encode(), "big") % (1 << 31)


_PARTS = {
    "edits": edits,
    "typing": typing,
    "messages": messages,
    "strange": strange,
    "rage": rage,
    "files": files,
    "laws": laws,
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--parts", default=",".join(_PARTS), help="of " + ", ".join(_PARTS))
    parser.add_argument("--again", metavar="FILE", help="a finding, as it was printed")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
