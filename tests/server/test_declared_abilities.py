"""What clients say that they can is read, not only that they say something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message

GOLD = "(S (NP (D the) (N c*t)) (VP (V sat)))\n"
SYSTEM = GOLD.replace("NP", "XP")
IN_NP = {"line": 0, "character": 4}
ROWS = (
    "1\tget\tget\tVERB\t_\t_\t0\troot\t_\t_\n2\tback\tback\tADV\t_\t_\t1\t{}\t_\t_\n"
    "3\tto\tto\tADP\t_\t_\t1\tcase\t_\t_\n\n"
)
"""What varies between sentences: a relation."""

ACTIONS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}


def can(*, workspace: Message | None = None, **more: Any) -> Message:
    """What a client that pulls can do, and ``more`` in documents."""
    document = {"diagnostic": PULL["textDocument"]["diagnostic"], **more}
    return {"textDocument": document, "workspace": {**PULL["workspace"], **(workspace or {})}}


def pair(client: Client, folder: Path, capabilities: Message) -> tuple[str, str]:
    client.start(folder, capabilities)
    gold, system = ((folder / f"a.{side}.mrg").as_uri() for side in ("gold", "system"))
    client.open(gold, GOLD)
    client.open(system, SYSTEM)
    return gold, system


def varying(client: Client, folder: Path, capabilities: Message) -> Message:
    """The last thing that is offered where something varies."""
    client.start(folder, capabilities)
    text = "".join(map(ROWS.format, ("advmod", "prt", "prt")))
    (folder / "v.conllu").write_text(text)
    uri = (folder / "v.conllu").as_uri()
    client.open(uri, text)
    client.request(
        "workspace/executeCommand", {"command": "treelens.consistency", "arguments": [{}]}
    )
    published = client.wait_for("textDocument/publishDiagnostics", lambda it: it["diagnostics"])
    remember = offered(client, uri, published["diagnostics"][0]["range"]["start"])[-1]
    assert remember["title"] == "Both are right: remember it in treelens.consistent"
    return remember


def offered(client: Client, uri: str, place: Message) -> list[Message]:
    context = {"diagnostics": [], "triggerKind": 2}
    range_ = {"start": place, "end": place}
    found: list[Message] = client.about("codeAction", uri, range=range_, context=context)
    return found


@pytest.mark.parametrize("more", [{}, {"codeAction": {}}])
def test_who_knows_of_no_actions_is_offered_commands(
    more: Message, client: Client, tmp_path: Path
) -> None:
    for who, text in (("anna", GOLD), ("boris", SYSTEM), ("settled", GOLD)):
        (tmp_path / who).mkdir()
        (tmp_path / who / "x.mrg").write_text(text)
    config = '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\nadjudicated = "settled/*"\n'
    (tmp_path / "treelens.toml").write_text(config)
    client.start(tmp_path, can(**more))
    uri = (tmp_path / "settled/x.mrg").as_uri()
    client.open(uri, GOLD)
    found = {one["title"]: one["command"] for one in offered(client, uri, IN_NP)}
    assert found.pop("Keep this sentence as it is: settled") == "treelens.keepAdjudicated"
    assert {*found.values()} == {"treelens.apply"}


def test_what_varies_is_a_command_for_who_knows_of_no_actions(
    client: Client, tmp_path: Path
) -> None:
    assert varying(client, tmp_path, can())["command"] == "treelens.variesRightly"


@pytest.mark.parametrize("deferred", [["command"], ["edit"], [], ["command", "edit"]])
def test_an_action_has_all_that_a_client_does_not_ask_for_later(
    deferred: list[str], client: Client, tmp_path: Path
) -> None:
    able = {**ACTIONS, "resolveSupport": {"properties": deferred}}
    _, system = pair(client, tmp_path, can(codeAction=able))
    found = offered(client, system, IN_NP)
    has_all = {"edit" in one or "command" in one for one in found}  # (What is long is a command.)
    assert has_all == {"edit" not in deferred}


MAKES = [["create"], ["rename", "delete"], None]


def editing(makes: list[str] | None, *, changes: bool = True) -> Message:
    made = {} if makes is None else {"resourceOperations": makes}
    workspace = {"applyEdit": True, "workspaceEdit": {"documentChanges": changes, **made}}
    return can(workspace=workspace, codeAction=ACTIONS)


def kinds(edit: Message) -> list[str]:
    return [one.get("kind", "change") for one in edit["documentChanges"]]


def wanted(makes: list[str] | None) -> list[str]:
    return ["create", "change"] if makes == ["create"] else ["change"]


@pytest.mark.parametrize("makes", MAKES)
def test_a_file_of_states_is_made_for_who_can_make_files(
    makes: list[str] | None, client: Client, tmp_path: Path
) -> None:
    gold, _ = pair(client, tmp_path, editing(makes))
    at = {"uri": gold, "position": IN_NP}
    state = client.request("treelens/review", {"at": at, "state": "checked"})["edit"]
    note = client.request("treelens/note", {"at": at, "note": "why?"})["edit"]
    assert [kinds(state), kinds(note)] == [wanted(makes)] * 2


@pytest.mark.parametrize("makes", MAKES)
@pytest.mark.parametrize("changes", [True, False])
def test_what_is_right_both_ways_is_a_file_for_who_can_make_one(
    makes: list[str] | None, changes: bool, client: Client, tmp_path: Path
) -> None:
    remember = varying(client, tmp_path, editing(makes, changes=changes))["command"]
    params = {"command": remember["command"], "arguments": remember["arguments"]}
    client.ask("workspace/executeCommand", params)
    asked = client.wait_for("workspace/applyEdit")["edit"]
    if changes:
        assert kinds(asked) == wanted(makes)
    else:
        assert [*asked] == ["changes"]
