"""Code actions over real standard streams: asked for, resolved, applied, and refused when late."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message

GOLD = "( (S (NP (N 𝔸𝔹)) (VP (V see) (NP (D the) (N sea)))))\n(S (NP (N you)))\n"
SYSTEM = "(S (NX (N 𝔸𝔹))\n  (V see) (NP (D the) (N sea)))\n(S (NP (N you)))\n"
CONFIG = '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n'

ACTIONS: Message = copy.deepcopy(PULL)
ACTIONS["textDocument"]["codeAction"] = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
    "resolveSupport": {"properties": ["edit"]},
}
ACTIONS["workspace"]["workspaceEdit"] = {"documentChanges": True}
ACTIONS["workspace"]["applyEdit"] = True


class Desk:
    """A pair that is open in a client, which makes the edits that it is given."""

    def __init__(self, client: Client, folder: Path, capabilities: Message = ACTIONS) -> None:
        (folder / "treelens.toml").write_text(CONFIG)
        self.client, self.texts, self.versions = client, {}, {}
        self.gold, self.system = (
            (folder / f"a.{side}.mrg").as_uri() for side in ("gold", "system")
        )
        client.start(folder, capabilities)
        for uri, text in ((self.gold, GOLD), (self.system, SYSTEM)):
            self.texts[uri], self.versions[uri] = text, 1
            client.open(uri, text)

    def actions(self, uri: str, line: int, character: int, **context: Any) -> list[Message]:
        place = {"line": line, "character": character}
        context = {"diagnostics": [], "triggerKind": 2, **context}
        range_ = {"start": place, "end": place}
        found: list[Message] = self.client.about("codeAction", uri, range=range_, context=context)
        return found

    def choose(self, found: list[Message], title: str) -> Message:
        (action,) = (one for one in found if one["title"] == title)
        resolved: Message = self.client.request("codeAction/resolve", action)
        return resolved

    def make(self, edit: Message) -> None:
        """What an editor does: all edits of a document at once, from the last one up."""
        changes = edit.get("documentChanges") or [
            {"textDocument": {"uri": uri, "version": self.versions[uri]}, "edits": edits}
            for uri, edits in edit["changes"].items()
        ]
        for change in changes:
            uri = change["textDocument"]["uri"]
            assert change["textDocument"]["version"] == self.versions[uri]
            parts = sorted(
                change["edits"], key=lambda one: tuple(one["range"]["start"].values()), reverse=True
            )
            self.versions[uri] += 1
            for one in parts:
                start, end = (self._offset(uri, one["range"][key]) for key in ("start", "end"))
                units = self.texts[uri].encode("utf-16-le")
                new = units[:start] + one["newText"].encode("utf-16-le") + units[end:]
                self.texts[uri] = new.decode("utf-16-le")
            events = [{"range": one["range"], "text": one["newText"]} for one in parts]
            self.client.change(uri, self.versions[uri], *events)

    def _offset(self, uri: str, place: Message) -> int:
        lines = self.texts[uri].split("\n")[: place["line"]]
        before = sum(len(line.encode("utf-16-le")) + 2 for line in lines)
        return int(before + 2 * place["character"])

    def codes(self, uri: str) -> list[str]:
        return [item["code"] for item in self.client.diagnostics(uri)]


@pytest.fixture
def desk(client: Client, tmp_path: Path) -> Desk:
    return Desk(client, tmp_path)


def test_what_can_be_done_at_a_mismatch(desk: Desk) -> None:
    found = desk.actions(desk.system, 0, 5)
    assert [one["title"] for one in found] == [
        "Take gold’s label NP",
        "Accept label NX into gold",
        "Take gold’s at all 3 mismatches of this sentence",
        "Take gold’s whole tree",
        "Accept system’s whole tree into gold",
        "Take gold’s label at every NX → NP in this file",
        "Take gold’s for the whole file",
    ]
    assert [one.get("isPreferred", False) for one in found] == [True] + [False] * 6
    assert all("edit" not in one for one in found)
    (only,) = desk.actions(desk.system, 0, 5, only=["source"])
    assert only["kind"] == "source.takeGold"
    assert desk.actions(desk.system, 2, 5) != []
    assert not [one for one in desk.actions(desk.system, 2, 5) if one["kind"] == "quickfix"]


def test_an_action_ends_its_diagnostic(desk: Desk) -> None:
    (wrong,) = (d for d in desk.client.diagnostics(desk.system) if d["code"] == "wrong-label")
    found = desk.actions(desk.system, 0, 5, diagnostics=[wrong])
    assert [one["title"] for one in found if one.get("diagnostics") == [wrong]] == [
        "Take gold’s label NP",
        "Accept label NX into gold",
        "Take gold’s label at every NX → NP in this file",
    ]
    desk.make(desk.choose(found, "Take gold’s label NP")["edit"])
    assert desk.texts[desk.system].startswith("(S (NP (N 𝔸𝔹))\n  (V see)")
    assert desk.codes(desk.system) == ["missing-uncounted-bracket", "missing-bracket"]


@pytest.mark.parametrize(
    "title", ["Take gold’s at all 3 mismatches of this sentence", "Take gold’s whole tree"]
)
def test_a_sentence_is_right_then(desk: Desk, title: str) -> None:
    desk.make(desk.choose(desk.actions(desk.system, 0, 1), title)["edit"])
    assert desk.codes(desk.system) == desk.codes(desk.gold) == []
    said = desk.client.wait_for("treelens/status", lambda one: one["pairs"][0]["mismatches"] == 0)
    assert said["pairs"][0]["score"].startswith("F1 100.00")
    assert "\n  " in desk.texts[desk.system]


def test_the_other_file_is_edited_from_here(desk: Desk) -> None:
    found = desk.actions(desk.system, 0, 5)
    edit = desk.choose(found, "Accept label NX into gold")["edit"]
    assert [one["textDocument"]["uri"] for one in edit["documentChanges"]] == [desk.gold]
    desk.make(edit)
    assert "(NX (N 𝔸𝔹))" in desk.texts[desk.gold]
    assert desk.texts[desk.system] == SYSTEM


@pytest.mark.parametrize("changed", ["gold", "system"])
def test_nothing_is_done_to_a_text_that_has_changed(desk: Desk, changed: str) -> None:
    found = desk.actions(desk.system, 0, 5)
    uri = desk.gold if changed == "gold" else desk.system
    end = {"line": 9, "character": 0}
    desk.client.change(uri, 2, {"range": {"start": end, "end": end}, "text": "\n"})
    assert desk.choose(found, "Take gold’s label NP").get("edit") is None
    said = desk.client.wait_for("window/showMessage")
    assert "has changed since" in said["message"]


def test_a_command_takes_the_sentence_under_the_cursor(desk: Desk) -> None:
    place = {"uri": desk.gold, "position": {"line": 0, "character": 8}}
    params = {"command": "treelens.takeGold", "arguments": [place]}
    desk.client.request("workspace/executeCommand", params)
    desk.make(desk.client.wait_for("workspace/applyEdit")["edit"])
    assert desk.codes(desk.system) == []
    desk.client.request("workspace/executeCommand", params)
    assert "no mismatch" in desk.client.wait_for("window/showMessage")["message"]


def test_clients_that_can_do_less_get_what_they_can(client: Client, tmp_path: Path) -> None:
    plain = copy.deepcopy(ACTIONS)
    del plain["textDocument"]["codeAction"]["resolveSupport"]
    del plain["workspace"]["workspaceEdit"]
    desk = Desk(client, tmp_path, plain)
    first = desk.actions(desk.system, 0, 5)[0]
    desk.make(first["edit"])
    assert desk.texts[desk.system].startswith("(S (NP (N 𝔸𝔹))")


def test_clients_without_actions_get_commands(client: Client, tmp_path: Path) -> None:
    plain = copy.deepcopy(ACTIONS)
    del plain["textDocument"]["codeAction"]
    desk = Desk(client, tmp_path, plain)
    first = desk.actions(desk.system, 0, 5)[0]
    params = {"command": first["command"], "arguments": first["arguments"]}
    client.request("workspace/executeCommand", params)
    desk.make(client.wait_for("workspace/applyEdit")["edit"])
    assert desk.texts[desk.system].startswith("(S (NP (N 𝔸𝔹))")


def test_what_can_be_done_to_a_tree_is_offered_when_it_is_asked_for(desk: Desk) -> None:
    found = desk.actions(desk.system, 1, 12, triggerKind=1)
    titles = [one["title"] for one in found]
    assert len(found) <= 12
    assert {"Wrap NP in a new XP", "Delete bracket NP"} <= {*titles}
    assert "Wrap NP in a new XP" not in [one["title"] for one in desk.actions(desk.system, 1, 12)]
    desk.make(desk.choose(found, "Delete bracket NP")["edit"])
    assert "(V see) (D the) (N sea)" in desk.texts[desk.system]


def test_a_problem_is_mended(desk: Desk) -> None:
    end = {"line": 1, "character": 30}
    start = {"line": 1, "character": 29}
    desk.versions[desk.system] = 2
    text = desk.texts[desk.system].splitlines(keepends=True)
    broken = text[1][:29] + text[1][30:]
    desk.texts[desk.system] = text[0] + broken + text[2]
    desk.client.change(desk.system, 2, {"range": {"start": start, "end": end}, "text": ""})
    (problem,) = (d for d in desk.client.diagnostics(desk.system) if d["code"] == "unclosed")
    found = desk.actions(desk.system, 0, 1, diagnostics=[problem])
    assert found[0]["diagnostics"] == [problem]
    desk.make(desk.choose(found, "Close the open brackets behind the last word")["edit"])
    assert desk.texts[desk.system] == SYSTEM
