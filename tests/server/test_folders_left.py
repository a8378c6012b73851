"""What is shown of a folder goes with it, once it has left the workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, PUSH, Client, Message

GOLD = "(S (NP (D the) (N dog)) (VP (V barks)))\n"
SYSTEM = "(S (NP (D the)) (N dog) (VP (V barks)))\n"
FILES = {
    "left/y.gold.mrg": GOLD,
    "left/y.system.mrg": SYSTEM,
    "left/treelens.toml": "[[pairs]\n",
    "stays/z.gold.mrg": GOLD,
    "stays/z.system.mrg": SYSTEM,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def named(path: Path) -> Message:
    return {"uri": path.as_uri(), "name": path.name}


def start(client: Client, capabilities: Message, *folders: Path) -> None:
    params = {"processId": None, "rootUri": None, "capabilities": capabilities}
    client.request("initialize", {**params, "workspaceFolders": [*map(named, folders)]})
    client.notify("initialized", {})


def change(client: Client, *, added: tuple[Path, ...] = (), removed: tuple[Path, ...] = ()) -> None:
    event = {"added": [*map(named, added)], "removed": [*map(named, removed)]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})


def published(client: Client, path: Path, *, marks: bool) -> Any:
    def fits(params: Any) -> bool:
        return bool(params["uri"] == path.as_uri() and bool(params["diagnostics"]) == marks)

    return client.wait_for("textDocument/publishDiagnostics", fits)


def test_marks_of_a_corpus_go_with_their_folder(client: Client, folder: Path) -> None:
    start(client, PUSH, folder / "left", folder / "stays")
    client.request("workspace/executeCommand", {"command": "treelens.checkCorpus"})
    published(client, folder / "left/y.system.mrg", marks=True)
    client.wait_for("treelens/checked")
    change(client, removed=(folder / "left",))
    published(client, folder / "left/y.gold.mrg", marks=False)
    change(client, added=(folder / "left",))
    published(client, folder / "left/y.gold.mrg", marks=True)


def test_a_client_that_asks_is_told_to_ask_again(client: Client, folder: Path) -> None:
    start(client, PULL, folder / "left", folder / "stays")
    wanted = {"previousResultIds": []}
    assert len(client.request("workspace/diagnostic", wanted)["items"]) == 4
    for changed, count in (("removed", 2), ("added", 4)):
        change(client, **{changed: (folder / "left",)})
        client.wait_for("treelens/corpusChanged")
        assert len(client.request("workspace/diagnostic", wanted)["items"]) == count


def test_what_is_wrong_in_a_configuration_goes_with_its_folder(
    client: Client, folder: Path
) -> None:
    config = folder / "left/treelens.toml"
    start(client, PUSH, folder / "left", folder / "stays")
    client.open((folder / "stays/z.gold.mrg").as_uri(), GOLD)
    published(client, config, marks=True)
    change(client, removed=(folder / "left",))
    published(client, config, marks=False)
    change(client, added=(folder / "left",))
    published(client, config, marks=True)
    # It is read as long as one of the folders has it inside.
    change(client, added=(folder,), removed=(folder / "left",))
    count = client.count("textDocument/publishDiagnostics")
    client.request("treelens/pairs", {"uri": config.as_uri()})
    assert client.count("textDocument/publishDiagnostics") == count


def test_it_stays_while_an_open_file_asks_for_it(client: Client, folder: Path) -> None:
    config, gold = folder / "left/treelens.toml", folder / "left/y.gold.mrg"
    start(client, PUSH, folder / "left", folder / "stays")
    client.open(gold.as_uri(), GOLD)
    published(client, config, marks=True)
    change(client, removed=(folder / "left",))
    client.request("treelens/pairs", {"uri": gold.as_uri()})
    said = [one["params"] for one in client.seen if "publishDiagnostics" in one["method"]]
    assert [one for one in said if one["uri"] == config.as_uri()][-1]["diagnostics"]
