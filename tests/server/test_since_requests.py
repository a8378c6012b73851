"""What is new in a system file since an earlier version of it, over real standard streams."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message, edit

GOLD = "(S (NP (N we)) (VP (V see)))\n(S (NP (N you)) (VP (V go)))\n"
OLD = "(S (XP (N we)) (VP (V see)))\n(S (NP (N you)) (VP (V go)))\n"
NEW = "(S (XP (N we)) (YP (V see)))\n(S (NP (N you)) (ZP (V go)))\n"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        started.start(tmp_path, PULL)
        yield started
        assert not started.errors, b"".join(started.errors).decode()


class Desk:
    def __init__(self, client: Client, folder: Path, system: str) -> None:
        self.client = client
        self.gold, self.system = (
            self.written(folder / f"a.{side}.mrg", text)
            for side, text in (("gold", GOLD), ("system", system))
        )
        self.said()

    def written(self, file: Path, text: str) -> str:
        file.write_text(text)
        self.client.open(file.as_uri(), text)
        return file.as_uri()

    def since(self, called: str, **version: str) -> None:
        argument = {"gold": self.gold, "system": self.system, "called": called, **version}
        params = {"command": "treelens.since", "arguments": [argument]}
        self.client.request("workspace/executeCommand", params)

    def said(self) -> list[str]:
        return [one["message"] for one in self.client.diagnostics(self.system)]

    def new(self, called: str) -> list[bool]:
        return [one.endswith(f"; new since {called}") for one in self.said()]

    def worst(self, **options: Any) -> Message:
        pair = {"gold": self.gold, "system": self.system}
        params = {"pair": pair, "order": "worse", **options}
        found: Message = self.client.request("treelens/worklist", params)
        return found


def test_what_an_earlier_text_does_not_have_is_new(client: Client, tmp_path: Path) -> None:
    desk = Desk(client, tmp_path, NEW)
    desk.since("the last commit", text=OLD)
    assert desk.new("the last commit") == [False, True, True]
    found = desk.worst(filter={"worse": True})
    assert found["since"] == "the last commit"
    assert [one["sentence"] for one in found["entries"]] == [1, 2]
    assert found["entries"][0]["summary"] == "1 new · 2 labels"
    status = client.wait_for("treelens/status", lambda one: "-" in one["pairs"][0]["score"])
    (pair,) = status["pairs"]
    assert "the last commit: F1" in pair["detail"]
    # What is mended in gold is new no longer, in either version.
    line = GOLD.splitlines()[1]
    client.change(desk.gold, 2, edit(1, line.index("VP"), line.index("VP") + 2, "ZP"))
    assert desk.new("the last commit") == [False, True]
    assert [one["sentence"] for one in desk.worst(filter={"worse": True})["entries"]] == [1]
    desk.since("")
    assert desk.new("the last commit") == [False, False]
    assert desk.worst()["since"] == ""


def test_what_another_system_has_not_is_new_while_either_is_edited(
    client: Client, tmp_path: Path
) -> None:
    desk = Desk(client, tmp_path, NEW)
    other = desk.written(tmp_path / "b.mrg", OLD)
    desk.since("b.mrg", old=other)
    assert desk.new("b.mrg") == [False, True, True]
    line = OLD.splitlines()[1]
    client.change(other, 2, edit(1, line.index("VP"), line.index("VP") + 2, "WP"))
    assert desk.new("b.mrg") == [False, True, False]
    # It is no counterpart of gold's: nothing of it is marked there.
    marked = [one["message"] for one in client.diagnostics(desk.gold)]
    assert [one.startswith("b.mrg") for one in marked] == [False] * 3
    # Closed, it is what is on disk.
    client.close(other)
    assert desk.new("b.mrg") == [False, True, True]


def test_a_file_is_held_against_what_it_was_when_it_was_opened(
    client: Client, tmp_path: Path
) -> None:
    desk = Desk(client, tmp_path, OLD)
    desk.since("it was opened")
    assert desk.new("it was opened") == [False]
    client.change(desk.system, 2, {"text": NEW})
    assert desk.new("it was opened") == [False, True, True]


def test_a_file_is_held_against_another_text_for_each_gold_file(
    client: Client, tmp_path: Path
) -> None:
    desk = Desk(client, tmp_path, NEW)
    first, second = desk.gold, desk.written(tmp_path / "b.mrg", GOLD)
    for gold, called, text in ((first, "the last commit", OLD), (second, "today", NEW)):
        desk.gold = gold
        pair = {"gold": gold, "system": desk.system}
        client.request(
            "workspace/executeCommand", {"command": "treelens.pair", "arguments": [pair]}
        )
        desk.since(called, text=text)
    assert [one for one in desk.said() if "new since" in one] == [
        "a.gold.mrg: gold has VP here, not YP, over “see”; new since the last commit",
        "a.gold.mrg: gold has VP here, not ZP, over “go”; new since the last commit",
    ]


def test_an_earlier_text_is_kept_while_there_is_no_gold_file(
    client: Client, tmp_path: Path
) -> None:
    desk = Desk(client, tmp_path, NEW)
    desk.since("before", text=OLD)
    client.close(desk.gold)
    (tmp_path / "a.gold.mrg").unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": desk.gold, "type": 3}]})
    assert desk.said() == []
    desk.written(tmp_path / "a.gold.mrg", GOLD)
    assert desk.new("before") == [False, True, True]


def test_a_file_has_nothing_new_since_itself(client: Client, tmp_path: Path) -> None:
    desk = Desk(client, tmp_path, NEW)
    desk.since("itself", old=desk.system)
    assert "nothing new" in client.wait_for("window/showMessage")["message"]
