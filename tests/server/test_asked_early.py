"""What a client asks of a document before it says that it is open, it is told to ask again."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import PULL, Client

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n"
REFRESH = "workspace/diagnostic/refresh"


@pytest.mark.parametrize("first", [0, 1])
def test_marks_of_what_is_opened_later_are_asked_for_again(
    client: Client, tmp_path: Path, first: int
) -> None:
    texts = {"a.gold.mrg": GOLD, "a.system.mrg": SYSTEM}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    here, there = [*texts][first], [*texts][1 - first]
    client.start(tmp_path, PULL)
    client.open((tmp_path / here).as_uri(), texts[here])
    client.wait_for("treelens/status", lambda status: status["pairs"] and not status["busy"])
    assert client.diagnostics((tmp_path / here).as_uri())
    early = (tmp_path / there).as_uri()
    assert client.diagnostics(early) == []
    assert client.count(REFRESH) == 0
    client.open(early, texts[there])
    client.wait_for(REFRESH)
    assert client.diagnostics(early)
