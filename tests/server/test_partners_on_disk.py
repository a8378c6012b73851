"""Partners that are not open and were written by somebody else, of which nobody has said so yet:
what is made of them is made of what they are now."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from fuzzing.positions import offset
from lsp_client import Client, Message
from test_actions import ACTIONS

GOLD = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
SYSTEM = "(S (QP (DT the) (NN dog)) (VP (VB barks)))\n"
MORE = "(X (Y one) (Z two))\n"
ROWS = "1\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
CONFIG = '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\nadjudicated = "settled/*"\n'


def _edited(text: str, edits: Any) -> str:
    """What becomes of the text that is on disk by now."""
    places = [
        (*(offset(text, one["range"][end], "utf-16") for end in ("start", "end")), one["newText"])
        for one in edits
    ]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


class Desk:
    """A system file that is open, and gold beside it that is not."""

    def __init__(self, client: Client, folder: Path, ending: str = "mrg") -> None:
        self.client = client
        self.gold, self.system = (folder / f"x.{side}.{ending}" for side in ("gold", "system"))
        texts = (GOLD, SYSTEM) if ending == "mrg" else (ROWS, ROWS)
        for file, text in zip((self.gold, self.system), texts, strict=True):
            file.write_text(text)
        self.system_uri = self.system.as_uri()

    def begin(self, folder: Path, capabilities: Message = ACTIONS) -> None:
        self.client.start(folder, capabilities)
        self.client.open(self.system_uri, self.system.read_text())
        assert self.client.request("treelens/pairs", {"uri": self.system_uri})

    def at(self, character: int) -> Message:
        return {"uri": self.system_uri, "position": {"line": 0, "character": character}}

    def run(self, command: str, **argument: Any) -> Any:
        params = {"command": f"treelens.{command}", "arguments": [argument]}
        self.client.request("workspace/executeCommand", params)
        return self.client.wait_for("workspace/applyEdit")["edit"]

    def becomes(self, edit: Any, file: Path) -> str:
        text, changes = file.read_text(), edit["documentChanges"]
        uri = file.as_uri()
        (edits,) = (one["edits"] for one in changes if one["textDocument"]["uri"] == uri)
        return _edited(text, edits)


@pytest.fixture
def desk(client: Client, tmp_path: Path) -> Desk:
    desk = Desk(client, tmp_path)
    desk.begin(tmp_path)
    desk.gold.write_text(MORE + GOLD)
    return desk


def test_all_of_a_sentence_is_put_where_it_is_by_now(desk: Desk) -> None:
    edit = desk.run("acceptSystem", **desk.at(4))
    assert desk.becomes(edit, desk.gold) == MORE + SYSTEM


def test_all_of_a_sentence_is_taken_as_it_is_by_now(desk: Desk) -> None:
    desk.gold.write_text(MORE + GOLD.replace("NP", "ZP"))
    edit = desk.run("takeGold", **desk.at(4))
    assert desk.becomes(edit, desk.system) == GOLD.replace("NP", "ZP")


def test_a_name_is_another_wherever_it_is_by_now(desk: Desk) -> None:
    at = desk.at(SYSTEM.index("VB"))
    desk.gold.write_text(MORE.replace("Y", "VB") + GOLD)
    assert desk.client.request("treelens/renaming", at)["compared"] == 2
    edit = desk.run("rename", **at, newName="VBZ", scope="compared")
    assert desk.becomes(edit, desk.gold) == (MORE.replace("Y", "VB") + GOLD).replace("VB", "VBZ")


def test_the_counterpart_is_where_it_is_by_now(desk: Desk) -> None:
    at = {"line": 0, "character": SYSTEM.index("VB")}
    (found,) = desk.client.about("implementation", desk.system_uri, position=at)
    assert (found["uri"], found["range"]["start"]["line"]) == (desk.gold.as_uri(), 1)


def _without_resolving() -> Message:
    plain = copy.deepcopy(ACTIONS)
    del plain["textDocument"]["codeAction"]["resolveSupport"]
    return plain


def test_edits_that_are_given_at_once_are_of_what_is_there(client: Client, tmp_path: Path) -> None:
    desk = Desk(client, tmp_path)
    desk.begin(tmp_path, _without_resolving())
    desk.gold.write_text(MORE + GOLD.replace("NP", "ZP"))
    place = desk.at(5)["position"]
    found = client.about(
        "codeAction",
        desk.system_uri,
        range={"start": place, "end": place},
        context={"diagnostics": [], "triggerKind": 1},
    )
    (edit,) = (one["edit"] for one in found if one["title"] == "Take gold’s label ZP")
    assert _edited(SYSTEM, _only(edit)) == GOLD.replace("NP", "ZP")


def _only(edit: Any) -> Any:
    (change,) = edit["documentChanges"]
    return change["edits"]


def test_a_state_is_written_above_its_sentence(client: Client, tmp_path: Path) -> None:
    desk = Desk(client, tmp_path, "conllu")
    desk.begin(tmp_path)
    desk.gold.write_text(ROWS.replace("dog", "cat") + ROWS)
    asked = {"at": desk.at(2), "reviewed": "gold", "state": "checked"}
    found = client.request("treelens/review", asked)
    first, second = desk.becomes(found["edit"], desk.gold).split("\n\n")[:2]
    assert ("treelens_review" in first, "treelens_review" in second) == (False, True)


@pytest.mark.parametrize(
    ("command", "who", "text"),
    [
        ("takeSecond", "boris", MORE + SYSTEM.replace("QP", "ZP")),
        ("takeFirst", "anna", MORE + GOLD),
    ],
    ids=["second", "first"],
)
def test_an_annotators_is_taken_as_it_is_by_now(
    client: Client, tmp_path: Path, command: str, who: str, text: str
) -> None:
    (tmp_path / "treelens.toml").write_text(CONFIG)
    files = {one: tmp_path / one / "x.mrg" for one in ("anna", "boris", "settled")}
    for one, file in files.items():
        file.parent.mkdir()
        file.write_text(SYSTEM if one == "boris" else GOLD.replace("NP", "WP"))
    client.start(tmp_path, ACTIONS)
    uri = files["settled"].as_uri()
    client.open(uri, files["settled"].read_text())
    client.wait_for("treelens/adjudications", lambda params: params["adjudications"])
    files[who].write_text(text)
    argument = {"uri": uri, "position": {"line": 0, "character": 4}}
    params = {"command": f"treelens.{command}", "arguments": [argument]}
    client.request("workspace/executeCommand", params)
    edit = client.wait_for("workspace/applyEdit")["edit"]
    assert _edited(files["settled"].read_text(), _only(edit)) == text.removeprefix(MORE)


_COMMANDS = ["takeGold", "acceptSystem", "nextMismatch", "previousMismatch", "showCounterpart"]


@pytest.mark.parametrize("command", _COMMANDS)
def test_that_nothing_differs_is_not_said_while_it_is_read(desk: Desk, command: str) -> None:
    desk.gold.write_text("".join(f"(X (Y one) (Z w{number}))\n" for number in range(14_000)) + GOLD)
    params = {"command": f"treelens.{command}", "arguments": [desk.at(4)]}
    desk.client.request("workspace/executeCommand", params)
    said = desk.client.wait_for("window/showMessage")["message"]
    assert "still being read and compared" in said
    # Once it has been, the answer is as always.
    while (now := _answered(desk, params)) == said:
        pass
    assert now in ("workspace/applyEdit", "window/showDocument")


def _answered(desk: Desk, params: Message) -> str | None:
    """What the server says in answer to a command: a message, or the method of what it asks."""
    before = len(desk.client.seen)
    desk.client.request("workspace/executeCommand", params)
    for one in desk.client.seen[before:]:
        if one["method"] == "window/showMessage":
            return str(one["params"]["message"])
        if one["method"] in ("workspace/applyEdit", "window/showDocument"):
            return str(one["method"])
    return None
