"""Work shared out between processes is the work done in one, whatever happens to the others."""

from __future__ import annotations

import os

import pytest
from treelens.cli import processes
from treelens.cli.processes import map_in_processes


@pytest.mark.parametrize("processors", [1, 2, 3, 16])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 50])
def test_results_come_in_order(
    count: int, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_processors", lambda: processors)
    found = map_in_processes(lambda item: (item, -1) if item % 3 else None, range(count))
    assert found == [(item, -1) if item % 3 else None for item in range(count)]


def test_a_process_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_processors", lambda: 2)
    here = os.getpid()

    def work(item: int) -> tuple[int]:
        if os.getpid() != here:
            os._exit(9)
        return (2 * item,)

    assert map_in_processes(work, range(20)) == [(2 * item,) for item in range(20)]


def test_several_processes_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_processors", lambda: 3)
    found = map_in_processes(lambda item: (os.getpid(),), range(30))
    assert len(set(found)) == 3
    assert found[0] == (os.getpid(),)
