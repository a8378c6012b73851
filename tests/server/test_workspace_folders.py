"""Folders of a workspace come and go."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest
from lsp_client import Client
from test_shares import Wire

RULE = '[[pairs]]\ngold = "texts/one.mrg"\nsystem = "texts/other.mrg"\n'
TREE = "(S (NP (N a)) (VP (V b)))\n"


def test_what_a_folder_that_was_removed_says_counts_no_more(client: Client, tmp_path: Path) -> None:
    """Not as the root either, which clients name that know of one folder only."""
    one, other = (tmp_path / "texts" / name for name in ("one.mrg", "other.mrg"))
    one.parent.mkdir()
    one.write_text(TREE)
    other.write_text(TREE.replace("VP", "XP"))
    (tmp_path / "treelens.toml").write_text(RULE)
    client.start(tmp_path)
    client.open(one.as_uri(), TREE)
    asked, folder = {"uri": one.as_uri()}, {"uri": tmp_path.as_uri(), "name": tmp_path.name}
    paired = [{"gold": one.as_uri(), "system": other.as_uri()}]
    for kind, expected in (("", paired), ("removed", []), ("added", paired)):
        if kind:
            event = {"added": [], "removed": [], kind: [folder]}
            client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert client.request("treelens/pairs", asked) == expected


def test_a_client_that_names_a_root_alone_has_that_for_its_folder(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "texts").mkdir()
    for name in ("one.mrg", "other.mrg"):
        (tmp_path / "texts" / name).write_text(TREE)
    (tmp_path / "treelens.toml").write_text(RULE)
    params = {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}}
    client.request("initialize", params)
    client.notify("initialized", {})
    one = (tmp_path / "texts" / "one.mrg").as_uri()
    client.open(one, TREE)
    assert len(client.request("treelens/pairs", {"uri": one})) == 1


def test_a_folder_is_not_held_against_each_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[PurePath] = []
    is_relative_to = PurePath.is_relative_to

    def comparing(path: PurePath, other: PurePath) -> bool:
        compared.append(path)
        return is_relative_to(path, other)

    monkeypatch.setattr(PurePath, "is_relative_to", comparing)
    wire = Wire()
    wire.open("file:///many/7/a.gold.mrg", TREE)
    compared.clear()
    folders = [{"uri": f"file:///many/{number}", "name": ""} for number in range(100)]
    event = {"added": folders, "removed": []}
    wire.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    assert len(compared) < len(folders)
