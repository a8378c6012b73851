"""What a client asks of a document before it says that it is open, it is told to ask again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client
from test_actions import ACTIONS

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


LATE = 7_000
"""A sentence that is not in view, of some that are read in the background."""
AT = {"line": LATE, "character": 28}
RANGE = {"start": AT, "end": AT}
WHOLE = {"diagnostics": [], "only": ["source.takeGold"]}


@pytest.mark.parametrize(
    ("method", "asked", "said"),
    [
        ("textDocument/hover", {"position": AT}, "a.gold.mrg"),
        ("textDocument/implementation", {"position": AT}, "a.gold.mrg"),
        ("textDocument/codeAction", {"range": RANGE, "context": {"diagnostics": []}}, "Take"),
        ("textDocument/codeAction", {"range": RANGE, "context": WHOLE}, "source.takeGold"),
        ("workspace/symbol", {"query": f"w{LATE}"}, f"w{LATE}"),
    ],
)
def test_what_is_asked_of_files_that_are_read_is_answered_once_they_are(
    client: Client, tmp_path: Path, method: str, asked: dict[str, Any], said: str
) -> None:
    texts = [
        "".join(text.replace("sea", f"w{number}") for number in range(LATE + 9))
        for text in (GOLD, SYSTEM)
    ]
    uris = [(tmp_path / name).as_uri() for name in ("a.gold.mrg", "a.system.mrg")]
    client.start(tmp_path, ACTIONS)
    for uri, text in zip(uris, texts, strict=True):
        client.open(uri, text)
    document = {} if method == "workspace/symbol" else {"textDocument": {"uri": uris[1]}}
    assert said in json.dumps(client.request(method, {**document, **asked}))
