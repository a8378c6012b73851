"""Files side by side over the protocol: what stands abreast, and a file as it was committed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from lsp_client import PULL, Client, Message, edit

CAPABILITIES: Message = {
    **PULL,
    "workspace": {
        **PULL["workspace"],
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True},
    },
}


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as found:
        found.start(capabilities=CAPABILITIES)
        yield found


def position(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def command(client: Client, name: str, argument: Any) -> None:
    client.request("workspace/executeCommand", {"command": name, "arguments": [argument]})


def test_places_stand_abreast_by_sentences(client: Client, tmp_path: Path) -> None:
    files = tmp_path / "a.gold.mrg", tmp_path / "a.system.mrg"
    files[0].write_text("(S (N a) (V b)) (S (N c))\n(S (N d))\n")
    files[1].write_text("(S\n  (N a)\n  (V b))\n\n# two\n(S (N c))\n(S (N d))\n")
    gold, system = (file.as_uri() for file in files)
    for uri, file in ((gold, files[0]), (system, files[1])):
        client.open(uri, file.read_text())
    whole = {"start": position(0, 0), "end": position(1, 0)}
    (found,) = client.request("treelens/abreast", {"uri": gold, "range": whole})
    assert found["uri"] == system
    assert found["stops"][1:] == [
        {"here": position(0, 0), "there": position(0, 0)},
        {"here": position(0, 16), "there": position(4, 0)},
        {"here": position(1, 0), "there": position(6, 0)},
        {"here": position(2, 0), "there": position(7, 0)},
    ]
    nowhere = {"uri": "untitled:none", "range": whole}
    assert client.request("treelens/abreast", nowhere) == []
    assert client.request("treelens/answering", {"uri": gold, "position": position(9, 9)})


def committed(path: Path, ref: str) -> str:
    return f"git:{path}?{quote(json.dumps({'path': str(path), 'ref': ref}))}"


def test_a_file_beside_itself_as_it_was_committed(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "a.gold.mrg"
    other = tmp_path / "a.system.mrg"
    file.write_text("(S (NP (N a)))\n")
    other.write_text("(S (VP (N a)))\n")
    uri = file.as_uri()
    client.open(uri, "(S (XP (N a)))\n")
    revisions = [committed(file, "HEAD"), committed(file, "main")]
    for old, text in zip(revisions, ("(S (NP (N a)))\n", "(S (PP (N a)))\n"), strict=True):
        client.open(old, text)
        command(client, "treelens.pair", {"gold": old, "system": uri})
        (found,) = client.diagnostics(uri)
        said = "the last commit has NP here" if old == revisions[0] else "main has PP here"
        assert found["message"].startswith(said)
        assert found["relatedInformation"][0]["location"]["uri"] == old
    # A commit: the client has the new text, of the same document.
    client.change(revisions[1], 2, edit(0, 4, 6, "XP"))
    assert client.diagnostics(uri) == []
    # Left alone by hand, and taken as partner again.
    command(client, "treelens.unpair", {"uri": revisions[1]})
    (found,) = client.diagnostics(uri)
    assert found["relatedInformation"][0]["location"]["uri"] == other.as_uri()
    command(client, "treelens.pair", {"gold": revisions[1], "system": uri})
    assert client.diagnostics(uri) == []
    # Closed, there is nothing on disk that could stand for it: names decide again.
    client.notify("textDocument/didClose", {"textDocument": {"uri": revisions[1]}})
    (found,) = client.diagnostics(uri)
    assert found["relatedInformation"][0]["location"]["uri"] == other.as_uri()


def test_what_was_committed_is_not_changed(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "a.mrg"
    file.write_text("(S (NP (N a)))\n")
    client.open(file.as_uri(), "(S (XP (N a)))\n")
    old = committed(file, "HEAD")
    client.open(old, "(S (NP (N a)))\n")
    command(client, "treelens.pair", {"gold": old, "system": file.as_uri()})
    place = {"uri": file.as_uri(), "position": position(0, 5)}
    command(client, "treelens.acceptSystem", place)
    told = client.wait_for("window/showMessage")
    assert told["message"] == "a.mrg (last commit) is as it was committed: it cannot be changed"
    command(client, "treelens.takeGold", place)
    made = client.wait_for("workspace/applyEdit")["edit"]
    assert [one["textDocument"]["uri"] for one in made["documentChanges"]] == [file.as_uri()]
