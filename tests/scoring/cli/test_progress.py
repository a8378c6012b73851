"""Progress: for people at a terminal who have waited, and gone when the work is done."""

from __future__ import annotations

import io

import pytest
from treelens.cli import progress


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


def test_long_work_shows_how_far_it_is_and_cleans_up(monkeypatch: pytest.MonkeyPatch) -> None:
    written = shown(Terminal(), [0.3, 0.6, 0.61, 3], monkeypatch)
    assert [line.rstrip("\x1b[K") for line in written.split("\r")] == [
        "",
        "system.mrg  ████████████░░░░░░░░░░░░  50%  0:01 left",
        "system.mrg  ████████████████████████ 100%",
        "",
    ]
