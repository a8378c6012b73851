"""Work in processes that are forked: in order, each once, none left behind."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from treelens.cli import forked

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin", reason="nothing is forked here"
)
ITEMS = list(range(23))
LARGE = 3 << 20
"""More bytes than wait in a pipe."""


@pytest.fixture(autouse=True)
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "all_processors", lambda: 3)
    # (Who runs the tests may have threads, which are at rest.)
    monkeypatch.setattr(forked, "can_fork", lambda: True)


def results(work: Callable[[int], Any], items: Sequence[int]) -> list[Any]:
    found = [*forked.share_out(work, items.__iter__, len(items))]
    assert [item for item, _ in found] == [*items]
    return [result for _, result in found]


def shown(item: int) -> list[bytes]:
    return [b"%d" % item, b"", b"\n\0" * item]


def where(item: int) -> list[bytes]:
    return [b"%d" % os.getpid()]


def slowly(item: int) -> list[bytes]:
    time.sleep(0.01)  # (so that nobody is done before another has begun)
    return [b"%d" % os.getpid(), b"x" * LARGE]


@pytest.mark.parametrize("processors", [1, 2, 3, 16])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 50])
def test_results_are_those_of_one_process_in_their_order(
    count: int, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forked, "all_processors", lambda: processors)
    assert results(shown, range(count)) == [*map(shown, range(count))]


def test_the_work_is_shared_out() -> None:
    processes = {parts[0] for parts in results(slowly, ITEMS)}
    assert len(processes) == 3
    assert b"%d" % os.getpid() in processes


def test_so_many_processes_as_are_asked_for() -> None:
    found = forked.share_out(slowly, ITEMS.__iter__, len(ITEMS), 2)
    assert len({parts[0] for _, parts in found}) == 2


def test_few_items_are_done_here() -> None:
    assert {parts[0] for parts in results(where, ITEMS[:3])} == {b"%d" % os.getpid()}


def test_what_is_larger_than_a_pipe_arrives_whole() -> None:
    found = results(lambda item: [bytes([item]) * LARGE], ITEMS[:12])
    assert all(parts[0] == bytes([item]) * LARGE for item, parts in enumerate(found))


@pytest.mark.parametrize("after", [0, 1, 3])
def test_work_of_a_process_that_dies_is_done_here(after: int) -> None:
    parent = os.getpid()

    def work(item: int) -> list[bytes]:
        if os.getpid() != parent and item >= 3 * after:
            os._exit(1)
        return shown(item)

    assert results(work, ITEMS) == [*map(shown, ITEMS)]


def test_half_a_result_counts_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def half(number: int, parts: object, results: BinaryIO) -> None:
        os.write(results.fileno(), (99).to_bytes(8, "little") + b"%d 5\nonly" % number)
        os._exit(0)

    monkeypatch.setattr(forked, "_send", half)
    assert results(shown, ITEMS) == [*map(shown, ITEMS)]


def test_work_that_is_left_early_leaves_no_process() -> None:
    found = forked.share_out(slowly, ITEMS.__iter__, len(ITEMS))
    processes = {int(parts[0]) for _, (_, parts) in zip(ITEMS[:12], found, strict=False)}
    found.close()  # type: ignore[attr-defined]
    assert len(processes) == 3
    for process in processes - {os.getpid()}:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_there_may_be_more_items_than_numbers_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "_TICKETS", 3)
    assert results(shown, ITEMS) == [*map(shown, ITEMS)]


@pytest.mark.parametrize("processors", [1, 2, 3, 16])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 50])
def test_results_of_items_that_are_told_are_those_of_one_process(
    count: int, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forked, "all_processors", lambda: processors)
    items = [(number, 1 << 40) for number in range(count)]
    found = forked.share_out_told(lambda item: shown(item[0]), items, 2, count)
    assert [*found] == [(item, shown(item[0])) for item in items]


def test_items_that_are_told_are_made_once_and_shared_out() -> None:
    made = list[int]()

    def items() -> Iterator[tuple[int, ...]]:
        for item in ITEMS:
            made.append(item)
            yield (item,)

    found = [*forked.share_out_told(lambda item: slowly(item[0]), items(), 1, len(ITEMS))]
    assert made == ITEMS
    processes = {parts[0] for _, parts in found}
    assert len(processes) == 3
    assert b"%d" % os.getpid() in processes


@pytest.mark.parametrize("after", [0, 1, 3])
def test_items_that_were_told_to_a_process_that_dies_are_done_here(after: int) -> None:
    parent = os.getpid()

    def work(item: tuple[int, ...]) -> list[bytes]:
        if os.getpid() != parent and item[0] >= 3 * after:
            os._exit(1)
        return shown(item[0])

    found = forked.share_out_told(work, [(item,) for item in ITEMS], 1, len(ITEMS))
    assert [parts for _, parts in found] == [*map(shown, ITEMS)]


@pytest.mark.parametrize("others", [2, 3])
def test_what_one_had_taken_that_dies_is_done_though_others_live(
    others: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(forked, "_processors", lambda: 1 + others)
    parent, died = os.getpid(), tmp_path / "died"

    def work(item: tuple[int, ...]) -> list[bytes]:
        while os.getpid() == parent and not died.exists():
            time.sleep(0.01)
        if os.getpid() != parent:
            with contextlib.suppress(FileExistsError):
                died.touch(exist_ok=False)
                os._exit(1)
        return shown(item[0])

    found = forked.share_out_told(work, [(item,) for item in ITEMS], 1, len(ITEMS))
    assert [parts for _, parts in found] == [*map(shown, ITEMS)]


def test_numbers_come_as_they_are() -> None:
    def work(item: int) -> tuple[int, ...] | None:
        return None if item % 5 == 0 else (item, -item)

    assert forked.map_numbers(work, ITEMS) == [work(item) for item in ITEMS]


def test_work_beside_is_waited_for() -> None:
    with forked.beside(lambda: [b"%d" % os.getpid(), b"x" * LARGE]) as result:
        assert result
        process, text = result() or (b"0", b"")
    assert int(process) not in (0, os.getpid())
    assert len(text) == LARGE
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)


def test_of_work_beside_that_fails_nothing_comes() -> None:
    with forked.beside(lambda: [{}["nothing"]]) as result:
        assert result
        assert result() is None


def test_there_is_nothing_beside_a_lone_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "all_processors", lambda: 1)
    with forked.beside(list) as result:
        assert result is None
