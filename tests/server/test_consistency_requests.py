"""What varies in a folder, over real standard streams: marks, fixes, the next one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message, edit

EDITS = {
    "applyEdit": True,
    "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
}


def get_back(relation: str, number: int) -> str:
    return (
        f"1\tto\tto\tPART\t_\t_\t2\tmark\t_\t_\n2\tget\tget\tVERB\t_\t_\t0\troot\t_\t_\n"
        f"3\tback\tback\tADV\t_\t_\t2\t{relation}\t_\t_\n4\tto\tto\tADP\t_\t_\t5\tcase\t_\t_\n"
        f"5\twork{number}\twork\tNOUN\t_\t_\t2\tobl\t_\t_\n\n"
    )


OPENED = get_back("compound:prt", 1)
CLOSED = get_back("advmod", 2) + get_back("advmod", 3)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "a.conllu").write_text(OPENED, encoding="utf-8")
    (tmp_path / "b.conllu").write_text(CLOSED, encoding="utf-8")
    with Client() as started:
        started.start(tmp_path, {**PULL, "workspace": {**PULL["workspace"], **EDITS}})
        started.open((tmp_path / "a.conllu").as_uri(), OPENED)
        yield started
        assert not started.errors, b"".join(started.errors).decode()


def look(client: Client) -> None:
    client.request(
        "workspace/executeCommand", {"command": "treelens.consistency", "arguments": [{}]}
    )


def marks(client: Client, uri: str, count: int) -> list[Message]:
    """The marks that are published last, once there are so many."""
    found: Message = client.wait_for(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == uri and len(params["diagnostics"]) == count,
    )
    diagnostics: list[Message] = found["diagnostics"]
    return diagnostics


def actions(client: Client, uri: str, mark: Message) -> dict[str, Message]:
    context = {"diagnostics": [mark], "only": ["quickfix"]}
    found = client.about("codeAction", uri, range=mark["range"], context=context)
    return {one["title"]: one for one in found}


def test_the_deviant_is_marked_with_the_other_places(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    look(client)
    (mark,) = marks(client, uri, 1)
    assert mark["range"] == {
        "start": {"line": 2, "character": 22},
        "end": {"line": 2, "character": 34},
    }
    assert mark["message"].startswith(
        "“get back” is compound:prt here and advmod in 2 other places"
    )
    other = (tmp_path / "b.conllu").as_uri()
    assert [one["location"]["uri"] for one in mark["relatedInformation"]] == [other, other]


def test_marks_follow_what_is_typed(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    look(client)
    marks(client, uri, 1)
    client.change(uri, 2, edit(2, 22, 34, "advmod"))
    marks(client, uri, 0)
    client.change(uri, 3, edit(2, 22, 28, "obj"))
    (mark,) = marks(client, uri, 1)
    assert "is obj here" in mark["message"]


def test_fixes_change_this_place_or_the_others(client: Client, tmp_path: Path) -> None:
    uri, other = (tmp_path / "a.conllu").as_uri(), (tmp_path / "b.conllu").as_uri()
    look(client)
    (mark,) = marks(client, uri, 1)
    found = actions(client, uri, mark)
    (here,) = found["Annotate as advmod<, as in 2 other places"]["edit"]["documentChanges"]
    assert here["textDocument"] == {"uri": uri, "version": 1}
    assert [one["newText"] for one in here["edits"]] == ["advmod"]
    title = "Annotate the 2 other places as compound:prt<, as here"
    (there,) = found[title]["edit"]["documentChanges"]
    assert there["textDocument"]["uri"] == other
    assert [one["newText"] for one in there["edits"]] == ["compound:prt"] * 2
    assert all("annotationId" in one for one in there["edits"])
    # A file that was written since is not what the edits were made for.
    (tmp_path / "b.conllu").write_text(CLOSED + get_back("obj", 4), encoding="utf-8")
    assert title not in actions(client, uri, mark)


def test_what_is_right_both_ways_is_written_down(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    look(client)
    (mark,) = marks(client, uri, 1)
    found = actions(client, uri, mark)
    command = found["Both are right: remember it in treelens.consistent"]["command"]
    client.ask(
        "workspace/executeCommand",
        {"command": command["command"], "arguments": command["arguments"]},
    )
    asked: Message = client.wait_for("workspace/applyEdit")
    create, change = asked["edit"]["documentChanges"]
    assert create["uri"] == (tmp_path / "treelens.consistent").as_uri()
    (insert,) = change["edits"]
    assert insert["newText"].endswith("relations\tto get back to\tadvmod<\tcompound:prt<\n")
    marks(client, uri, 0)


def test_the_next_one_is_shown(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    look(client)
    marks(client, uri, 1)
    argument: Any = {"uri": uri, "position": {"line": 0, "character": 0}}
    client.ask(
        "workspace/executeCommand", {"command": "treelens.nextVariation", "arguments": [argument]}
    )
    shown: Message = client.wait_for("window/showDocument")
    assert (shown["uri"], shown["selection"]["start"]["line"]) == (uri, 2)


def test_a_folder_says_what_its_corpus_is(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    (tmp_path / "treelens.toml").write_text('[consistency]\nfiles = "a.*"\n', encoding="utf-8")
    look(client)
    client.wait_for("window/showMessage", lambda p: "1 file read: nothing" in p["message"])
    (tmp_path / "treelens.toml").write_text("", encoding="utf-8")
    look(client)
    assert marks(client, uri, 1)
