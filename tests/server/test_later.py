"""Answers that take a while: what the user sees of them, how they end, and that typing goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsp_client import PULL, Client, Message, edit

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n(S (NP (N you)))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n(S (NP (N you)))\n"
CANCELLED, MODIFIED = -32800, -32801
LARGE = 4_000
"""Sentences with a mismatch: seconds of work, however fast the machine."""
ACTIONS: Message = {
    **PULL,
    "textDocument": {
        **PULL["textDocument"],
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
            "dataSupport": True,
        },
    },
}


def position(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def opened(client: Client, folder: Path, times: int, capabilities: Message = ACTIONS) -> str:
    """A pair that is compared; the system's URI."""
    uris = []
    client.start(folder, capabilities)
    for name, text in (("a.gold.mrg", GOLD), ("a.system.mrg", SYSTEM)):
        (folder / name).write_text(text * times)
        uris.append((folder / name).as_uri())
        client.open(uris[-1], text * times)
    client.wait_for("treelens/status", lambda status: status["pairs"] and not status["busy"])
    return uris[1]


def whole_file(client: Client, uri: str) -> Message:
    place = {"start": position(0, 18), "end": position(0, 18)}
    found: list[Message] = client.about("codeAction", uri, range=place, context={"diagnostics": []})
    (action,) = (one for one in found if "whole file" in one["title"])
    return action


def bar(client: Client, kind: str, token: object = None) -> Any:
    return client.wait_for(
        "$/progress",
        lambda one: one["value"]["kind"] == kind and token in (None, one["token"]),
    )


def test_a_whole_file_is_taken_in_one_edit(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path, 20)
    resolved = client.request("codeAction/resolve", whole_file(client, uri))
    (edits,) = resolved["edit"]["changes"].values()
    assert [one["range"]["start"]["line"] for one in edits] == [
        line for line in range(40) if line % 2 == 0 for _ in range(len(edits) // 20)
    ]


def test_meanwhile_other_requests_are_answered_and_it_can_be_cancelled(
    client: Client, tmp_path: Path
) -> None:
    uri = opened(client, tmp_path, LARGE)
    number = client.ask("codeAction/resolve", whole_file(client, uri))
    shown = bar(client, "begin")
    assert shown["value"] == {
        "kind": "begin",
        "title": "editing a.system.mrg",
        "cancellable": True,
        "percentage": 0,
    }
    first = bar(client, "report", shown["token"])["value"]["percentage"]
    assert client.about("hover", uri, position=position(0, 20))["contents"]
    # Typing goes on too, in a file that this is not about.
    other = (tmp_path / "other.mrg").as_uri()
    client.open(other, GOLD)
    client.change(other, 2, edit(0, 0, 1, ""))
    assert client.diagnostics(other)
    # What is under way has got further, and has not been answered yet.
    assert bar(client, "report", shown["token"])["value"]["percentage"] > first
    client.notify("$/cancelRequest", {"id": number})
    assert client.response(number)["error"]["code"] == CANCELLED
    bar(client, "end", shown["token"])
    assert client.diagnostics(other)


def test_the_bar_cancels_as_the_request_does(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path, LARGE)
    number = client.ask("codeAction/resolve", whole_file(client, uri))
    token = bar(client, "begin")["token"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert client.response(number)["error"]["code"] == CANCELLED
    assert client.about("hover", uri, position=position(0, 20))["contents"]


def test_what_was_asked_about_another_text_is_not_answered(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path, LARGE)
    number = client.ask("codeAction/resolve", whole_file(client, uri))
    bar(client, "begin")
    client.change(uri, 2, edit(0, 4, 6, "XP"))
    assert client.response(number)["error"]["code"] == MODIFIED
    said = client.wait_for("window/showMessage")["message"]
    assert said == "editing a.system.mrg: the text has changed meanwhile; ask again"


def test_a_client_that_resolves_nothing_runs_a_command(client: Client, tmp_path: Path) -> None:
    literal: Message = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    about = {**PULL["textDocument"], "codeAction": literal}
    workspace = {**PULL["workspace"], "applyEdit": True}
    capabilities = {**PULL, "textDocument": about, "workspace": workspace}
    uri = opened(client, tmp_path, 20, capabilities)
    action = whole_file(client, uri)
    assert "edit" not in action
    assert client.request("workspace/executeCommand", action["command"]) is None
    made = client.wait_for("workspace/applyEdit")["edit"]["changes"]
    assert len({one["range"]["start"]["line"] for one in made[uri]}) == 20
