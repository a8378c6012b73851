"""``treelens score`` of two files whose stretches are counted in processes that are forked."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from treelens.cli import corpora, main
from treelens.counting.stretched import CountingPlan
from treelens.counting.work import CountingTask, TaskResult

SAME = "".join(f"(X{number} (D a) (N w{number}))\n" for number in range(200))
GOLD = f"(S (NP (D the) (N dog)) (VP (V barks)))\n{SAME}(S (NP (N rain)) (VP (V falls)))\n"
OTHERWISE = {
    "the words are the same": GOLD.replace("(D the) (N dog)", "(D the (N dog))"),
    "a sentence is missing": GOLD.replace("(X9 (D a) (N w9))\n", ""),
    "a sentence is broken": GOLD.replace("(X9 (D a) (N w9))", "(X9 (D a) (N w9"),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
@pytest.mark.parametrize("dies", [False, True])
@pytest.mark.parametrize("system", OTHERWISE.values(), ids=[*OTHERWISE])
def test_they_come_to_what_one_process_counts(
    system: str,
    dies: bool,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold").write_text(GOLD)
    Path("system").write_text(system)
    arguments = ["score", "gold", "system", "--format", "csv", "--jobs"]
    assert main([*arguments, "1"]) == 0
    expected = capfd.readouterr()
    parent, here = os.getpid(), set()

    def work(task: CountingTask) -> TaskResult:
        if os.getpid() == parent:
            here.add(task.gold_stretch)
        elif dies and task.gold_stretch.start > 1000:
            os._exit(1)
        return counting(task)

    counting = corpora.work
    monkeypatch.setattr(corpora, "work", work)
    monkeypatch.setattr(corpora, "CountingPlan", partial(CountingPlan, size=300))
    # (Who runs the tests may have threads, which are at rest.)
    monkeypatch.setattr(corpora, "can_fork", lambda: True)
    assert main([*arguments, "3"]) == 0
    assert capfd.readouterr() == expected
    assert here, "this process has its share"
