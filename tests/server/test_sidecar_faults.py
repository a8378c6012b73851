"""Files of states (``.review``) as the world has them: nothing of one is lost, or put elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsp_client import Client, Message
from test_faults import GOLD, changed, differs, pair, posix, said
from treelens.session.sidecar import Sidecar


@pytest.mark.parametrize("end", range(0, 60, 7))
def test_a_sidecar_that_is_half_written_is_kept_as_it_is(end: int) -> None:
    whole = "checked\t1\twe see the sea\t3fa2b1c9\tsure\nquestion\t1\tyou\t0badcafe\n"
    half = Sidecar(whole[:end])
    assert half.source == whole[:end]
    assert len(half.lines) + len(half.problems) == half.line_count


def test_a_sidecar_that_cannot_be_read_is_said_and_left_alone(
    client: Client, tmp_path: Path
) -> None:
    gold, _ = pair(tmp_path)
    sidecar = tmp_path / "a.gold.mrg.review"
    with sidecar.open("wb") as file:
        file.truncate((64 << 20) + 1)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    client.about("codeLens", gold.as_uri())
    assert differs(client, gold)
    assert sidecar.stat().st_size == (64 << 20) + 1


@posix
@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("pipe", "is no file that can be read"),
        ("folder", "is no file that can be read"),
        ("dangling", "is no file that can be read"),
        ("elsewhere", "is a link that leads out of its folder"),
        ("large", "is larger than 64 MB; it is not read"),
        ("latin-1", "has bytes in line 2 that are no UTF-8"),
    ],
)
def test_nothing_is_written_to_a_sidecar_that_cannot_be_read(
    kind: str, why: str, client: Client, tmp_path: Path
) -> None:
    gold, system = pair(tmp_path / "work")
    sidecar = system.with_name(f"{system.name}.review")
    client.start(tmp_path / "work", {"workspace": {"applyEdit": True}})
    client.open(gold.as_uri(), GOLD)
    place = {"uri": gold.as_uri(), "position": {"line": 0, "character": 0}}
    asked = {"at": place, "state": "question", "note": "why?"}
    whole = client.request("treelens/review", asked)["edit"]["changes"][sidecar.as_uri()]
    if kind == "pipe":
        os.mkfifo(sidecar)
    elif kind == "folder":
        sidecar.mkdir()
    elif kind == "large":
        sidecar.touch()
        os.truncate(sidecar, (64 << 20) + 1)
    elif kind == "latin-1":
        sidecar.write_text("# states\nquestion\t1\twe see\t\tgrüß\n", "latin-1")
    else:
        (tmp_path / "secret").write_text("root:x:0:0")
        sidecar.symlink_to(tmp_path / ("secret" if kind == "elsewhere" else "nothing"))
    changed(client, sidecar)
    found = client.request("treelens/review", asked)
    assert _shown_once(client, f"{sidecar.name} {why}: what it says of sentences is not shown")
    refused = f"{sidecar.name} {why}: states are neither read nor written there"
    assert (found["refused"], found.get("edit")) == (refused, None)
    argument = {**place, "state": "question", "note": "why?"}
    params = {"command": "treelens.review", "arguments": [argument]}
    client.request("workspace/executeCommand", params)
    assert said(client, refused)
    assert differs(client, gold)
    sidecar.rmdir() if kind == "folder" else sidecar.unlink()
    changed(client, sidecar)
    again = client.request("treelens/review", asked)
    assert again["edit"]["changes"][sidecar.as_uri()] == whole


def test_nothing_is_written_beside_what_is_the_name_of_no_file(
    client: Client, tmp_path: Path
) -> None:
    client.start(tmp_path, {"workspace": {"applyEdit": True}})
    uri = "file:///a\ud800.mrg"
    client.open(uri, GOLD)
    argument = {"uri": uri, "position": {"line": 0, "character": 0}, "state": "checked"}
    for _ in range(2):
        params = {"command": "treelens.review", "arguments": [argument]}
        client.request("workspace/executeCommand", params)
    refused = "mrg.review is the name of no file: states are neither read nor written there"
    assert said(client, refused)
    assert not any(one["method"] == "workspace/applyEdit" for one in client.seen)


@posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "dangling", "circle"])
def test_what_is_no_file_is_said_to_be_none_once(kind: str, client: Client, tmp_path: Path) -> None:
    gold, _ = pair(tmp_path)
    sidecar = tmp_path / "a.gold.mrg.review"
    if kind == "pipe":
        os.mkfifo(sidecar)
    elif kind == "folder":
        sidecar.mkdir()
    else:
        leads_to = {"device": "/dev/zero", "dangling": "nothing", "circle": sidecar.name}
        sidecar.symlink_to(leads_to[kind])
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    client.about("codeLens", gold.as_uri())
    client.close(gold.as_uri())
    client.open(gold.as_uri(), GOLD)
    changed(client, sidecar)
    assert differs(client, gold)
    message = f"{sidecar.name} is no file that can be read: what it says of sentences is not shown"
    assert _shown_once(client, message)


def _shown_once(client: Client, message: str) -> bool:
    shown = [one["params"] for one in client.seen if one["method"] == "window/showMessage"]
    return [one["message"] for one in shown].count(message) == 1


REFUSALS = {
    "no": {"result": {"applied": False}},
    "why": {"result": {"applied": False, "failureReason": "disk full."}},
    "error": {"error": {"code": -32603, "message": "disk full"}},
}


@pytest.mark.parametrize("how", REFUSALS)
def test_what_a_client_refuses_to_write_was_never_said(
    how: str, client: Client, tmp_path: Path
) -> None:
    gold, system = pair(tmp_path)
    client.start(tmp_path, {"workspace": {"applyEdit": True}})
    client.open(gold.as_uri(), GOLD)
    client.edited = REFUSALS[how]
    client.request("workspace/executeCommand", _asked(system))
    first = client.wait_for("workspace/applyEdit")
    why = "" if how == "no" else ": disk full"
    told = client.wait_for("window/showMessage")["message"]
    assert told == (
        f"{system.name}.review could not be changed{why}. "
        "Nothing has changed for sentence 1. The note was: why?"
    )
    assert _state(client, system) == "todo"
    # The next one is the first again, and stands as soon as the client has made it.
    client.edited = {"result": {"applied": True}}
    client.request("workspace/executeCommand", _asked(system))
    assert client.wait_for("workspace/applyEdit") == first
    assert _state(client, system) == "question"


@pytest.mark.parametrize("made", [[True, False], [False, True], [False, False]])
def test_of_edits_under_way_only_those_refused_are_taken_back(
    made: list[bool], client: Client, tmp_path: Path
) -> None:
    gold, _ = pair(tmp_path)
    client.start(tmp_path, {"workspace": {"applyEdit": True}})
    client.open(gold.as_uri(), GOLD + "(S (N you))\n")
    for line in (0, 1):
        client.ask("workspace/executeCommand", _asked(gold, line))
    for one in made:
        client.edited = {"result": {"applied": True}} if one else REFUSALS["why"]
        client.wait_for("workspace/applyEdit")
    states = [_state(client, gold, line) for line in (0, 1)]
    assert states == ["question" if one else "todo" for one in made]


def test_a_client_that_writes_nothing_has_written_nothing(client: Client, tmp_path: Path) -> None:
    gold, system = pair(tmp_path)
    client.start(tmp_path, {})
    client.open(gold.as_uri(), GOLD)
    client.request("workspace/executeCommand", _asked(system))
    told = client.wait_for("window/showMessage")["message"]
    assert told.startswith("This editor lets no server change text. Nothing has changed for")
    assert _state(client, system) == "todo"


def _asked(file: Path, line: int = 0) -> Message:
    place = {"uri": file.as_uri(), "position": {"line": line, "character": 0}}
    argument = {**place, "state": "question", "note": "why?"}
    return {"command": "treelens.review", "arguments": [argument]}


def _state(client: Client, file: Path, line: int = 0) -> str:
    place = {"uri": file.as_uri(), "position": {"line": line, "character": 0}}
    state: str = client.request("treelens/review", {"at": place})["state"]
    return state


@pytest.mark.parametrize("format_", ["beside", "comments"])
def test_notes_of_several_states_of_a_sentence_are_all_kept(
    format_: str, client: Client, tmp_path: Path
) -> None:
    """As a merge that takes both leaves them."""
    if format_ == "beside":
        gold, text = tmp_path / "a.mrg", "(S (N we) (V see))\n"
        line = "checked\t1\twe see\t00000000\t{}\n"
        (tmp_path / "a.mrg.review").write_text(line.format("fine") + line.format("look again"))
    else:
        gold = tmp_path / "a.conllu"
        said_by = "# treelens_review = checked\n# treelens_note = {}\n"
        rows = "1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
        text = said_by.format("fine") + said_by.format("look again") + rows
    gold.write_text(text)
    client.start(tmp_path, {"workspace": {"applyEdit": True}})
    client.open(gold.as_uri(), text)
    at = {"at": {"uri": gold.as_uri(), "position": {"line": 0, "character": 0}}}
    assert client.request("treelens/review", at)["note"] == "fine; look again"
    edit = client.request("treelens/review", {**at, "state": "question"})["edit"]["changes"]
    (edits,) = edit.values()
    assert sum("fine; look again" in one["newText"] for one in edits) == 1


def test_marks_of_a_sidecar_go_with_its_file(client: Client, tmp_path: Path) -> None:
    gold, system = pair(tmp_path)
    sidecar = system.with_name(f"{system.name}.review")
    sidecar.write_text("chec\n")
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)

    def marks() -> list[str]:
        client.diagnostics(gold.as_uri())
        client.about("codeLens", gold.as_uri())
        client.diagnostics(gold.as_uri())
        sent = [one["params"] for one in client.seen if one["method"].endswith("Diagnostics")]
        of_it = [one["diagnostics"] for one in sent if one["uri"] == sidecar.as_uri()]
        return [one["code"] for one in of_it[-1]]

    assert marks() == ["review-line"]
    system.unlink()
    sidecar.unlink()
    changed(client, system, sidecar)
    assert marks() == []
