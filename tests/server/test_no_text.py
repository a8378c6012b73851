"""Files that are not open are not changed where bytes of them are no UTF-8: the editor that makes
the change would write U+FFFD in their place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_client import Client, Message
from test_consistency_requests import ABLE, CLOSED, OPENED, actions, look, marks
from test_faults import said

LATIN = "# Übung\n".encode("latin-1")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        started.start(tmp_path, ABLE)
        yield started
        assert not started.errors, b"".join(started.errors).decode()


def varying(client: Client, folder: Path) -> tuple[str, Message]:
    """What varies between an open file and one that is not, and what is offered there."""
    uri = (folder / "a.conllu").as_uri()
    (folder / "a.conllu").write_text(OPENED)
    client.open(uri, OPENED)
    look(client)
    (mark,) = marks(client, uri, 1)
    return uri, actions(client, uri, mark)


def test_what_is_right_both_ways_is_not_written_behind_such_bytes(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "b.conllu").write_text(CLOSED)
    (tmp_path / "treelens.consistent").write_bytes(LATIN)
    _, found = varying(client, tmp_path)
    command = found["Both are right: remember it in treelens.consistent"]["command"]
    client.request("workspace/executeCommand", command)
    assert said(client, "treelens.consistent has bytes in line 1 that are no UTF-8")
    assert not client.count("workspace/applyEdit")


def test_other_places_are_not_changed_in_a_file_with_such_bytes(
    client: Client, tmp_path: Path
) -> None:
    title = "Annotate the 2 other places as compound:prt<, as here"
    (tmp_path / "b.conllu").write_bytes(LATIN + CLOSED.encode())
    _, found = varying(client, tmp_path)
    assert "Both are right: remember it in treelens.consistent" in found
    assert title not in found


def test_a_label_is_not_renamed_in_a_file_with_such_bytes(client: Client, tmp_path: Path) -> None:
    tree = "(S (NP (N a)) (VP (V b)))\n"
    (tmp_path / "plain.mrg").write_text(tree)
    (tmp_path / "latin.mrg").write_bytes(tree.encode() + b"(S (NP (N \xe9)))\n")
    uri = (tmp_path / "open.mrg").as_uri()
    client.open(uri, tree)
    argument = {
        "uri": uri,
        "position": {"line": 0, "character": 5},
        "newName": "NX",
        "scope": "workspace",
    }
    command = {"command": "treelens.rename", "arguments": [argument]}
    client.request("workspace/executeCommand", command)
    changes = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
    changed = {one["textDocument"]["uri"] for one in changes}
    assert changed == {uri, (tmp_path / "plain.mrg").as_uri()}
    assert said(client, "latin.mrg")
