"""What is shown of what varies goes with the corpus, or with the file that leaves it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Client
from test_folders_left import change, published, start
from test_varying_as_offered import MANY, NEW, ONE, RIGHT, Corpus, able


@pytest.mark.parametrize("how", ["configured", "folder"])
def test_marks_and_fixes_go_with_what_is_no_corpus(
    client: Client, tmp_path: Path, how: str
) -> None:
    config = tmp_path / "treelens.toml"
    config.write_text("[consistency]\n")
    corpus = Corpus(client, tmp_path, able())
    corpus.look()
    assert RIGHT in corpus.offered()
    if how == "configured":
        config.write_text('[consistency]\nfiles = "a*.mrg"\n')
        changes = [{"uri": config.as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    else:
        change(client, removed=(tmp_path,))
    published(client, tmp_path / "b.mrg", marks=False)
    assert RIGHT not in corpus.offered()
    found = client.request("treelens/variations", {})
    assert (found["total"], found["files"]) == (0, 1 if how == "configured" else None)


def test_a_file_that_comes_is_a_reference_where_it_is_called_so(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "treelens.toml").write_text('[consistency]\nagainst = "right*.mrg"\n')
    for name, text in (("a", MANY), ("b", ONE), ("right0", NEW)):
        (tmp_path / f"{name}.mrg").write_text(text)
    start(client, able(), tmp_path)
    client.open((tmp_path / "b.mrg").as_uri(), ONE)
    client.request("workspace/executeCommand", {"command": "treelens.consistency"})
    assert client.request("treelens/variations", {})["total"] == 0
    comes = tmp_path / "right.mrg"
    comes.write_text(MANY)
    changes = [{"uri": comes.as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    published(client, tmp_path / "b.mrg", marks=True)
    assert client.request("treelens/variations", {})["total"] == 1


def filled(*folders: Path) -> None:
    for folder in folders:
        folder.mkdir()
        (folder / "a.mrg").write_text(MANY)
        (folder / "b.mrg").write_text(ONE)


def test_a_folder_that_joins_is_read(client: Client, tmp_path: Path) -> None:
    first, joins = tmp_path / "first", tmp_path / "joins"
    filled(first, joins)
    start(client, able(), first)
    client.request("workspace/executeCommand", {"command": "treelens.consistency"})
    assert client.request("treelens/variations", {})["files"] == 2
    change(client, added=(joins,))
    while client.request("treelens/variations", {})["files"] == 2:
        client.wait_for("treelens/variationsChanged")
    assert client.request("treelens/variations", {})["total"] == 2


def test_another_folder_keeps_its_own(client: Client, tmp_path: Path) -> None:
    stays, left = tmp_path / "stays", tmp_path / "left"
    filled(stays, left)
    start(client, able(), stays, left)
    for folder in (stays, left):
        client.open((folder / "b.mrg").as_uri(), ONE)
    client.request("workspace/executeCommand", {"command": "treelens.consistency"})
    published(client, left / "b.mrg", marks=True)
    change(client, removed=(left,))
    published(client, left / "b.mrg", marks=False)
    assert client.request("treelens/variations", {})["total"] == 1
