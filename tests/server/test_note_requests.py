"""Notes on nodes: written, seen in both files, kept through edits, and taken away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message, edit

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n(S (NP (N it)))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (XP (D the) (N sea))))\n(S (NP (N it)))\n"
ROW = "{}\t{}\t_\tNOUN\t_\t_\t{}\t{}\t_\t_\n"
TABLE = ROW.format(1, "we", 2, "nsubj") + ROW.format(2, "see", 0, "root") + "\n"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        can = {"documentChanges": True, "resourceOperations": ["create"]}
        workspace = {**PULL["workspace"], "applyEdit": True, "workspaceEdit": can}
        started.start(tmp_path, {**PULL, "workspace": workspace})
        yield started
        assert not started.errors, b"".join(started.errors).decode()


def opened(client: Client, file: Path, text: str) -> str:
    file.write_text(text)
    client.open(file.as_uri(), text)
    return file.as_uri()


def note(client: Client, uri: str, line: int, character: int, **more: Any) -> Message:
    at = {"uri": uri, "position": {"line": line, "character": character}}
    found: Message = client.request("treelens/note", {"at": at, **more})
    return found


def said(client: Client, uri: str, *messages: str) -> list[Message]:
    """Once the notes in a file are these: their ranges."""

    def fits(found: Message) -> bool:
        notes = [one for one in found["diagnostics"] if one["code"] == "note"]
        return found["uri"] == uri and [one["message"] for one in notes] == [*messages]

    found = client.wait_for("textDocument/publishDiagnostics", fits)["diagnostics"]
    return [one["range"]["start"] for one in found]


def test_a_note_on_a_bracket_is_kept_beside_the_file(client: Client, tmp_path: Path) -> None:
    gold = opened(client, tmp_path / "a.gold.mrg", GOLD)
    system = opened(client, tmp_path / "a.system.mrg", SYSTEM)
    list_of = {"uri": system, "order": "file"}
    listed = client.request("treelens/worklist", list_of)["entries"]
    assert ["1 note" in one["summary"] for one in listed] == [False, False]
    asked = note(client, system, 0, 30)
    assert (asked["about"], asked["note"]) == ("XP “the…sea”", "")
    made = note(client, system, 0, 30, note="why \n not NP?")
    create, change = made["edit"]["documentChanges"]
    assert create["kind"] == "create"
    (line,) = [one["newText"] for one in change["edits"]]
    assert line.splitlines()[-1] == "note\t1\twe see the sea\t3-4 XP the…sea\twhy not NP?"
    beside = f"{system}.review"
    client.open(beside, line)
    (place,) = said(client, gold, "a.system.mrg: note on XP “the…sea”: why not NP?")
    assert place == {"line": 0, "character": GOLD.index("NP (D")}
    (place,) = said(client, system, "note on XP “the…sea”: why not NP?")
    assert place == {"line": 0, "character": SYSTEM.index("XP")}
    listed = client.request("treelens/worklist", list_of)["entries"]
    assert ["1 note" in one["summary"] for one in listed] == [True, False]
    about = {"uri": system, "group": 0, "reviewed": "system"}
    assert "why not NP?" in client.request("treelens/worklistTooltip", about)
    # Another label, and it is still there; without the node it says so.
    at = SYSTEM.index("XP")
    client.change(system, 2, edit(0, at, at + 2, "YP"))
    said(client, system, "note on YP “the…sea” (was XP): why not NP?")
    client.change(system, 3, edit(0, at - 1, at + 3, ""), edit(0, at + 16, at + 17, ""))
    lost = "note on XP “the…sea”, which is not there any more: why not NP?"
    said(client, gold, f"a.system.mrg: {lost}")
    said(client, system, lost)
    client.change(system, 4, {"text": SYSTEM})
    made = note(client, system, 0, 30, note="")
    (change,) = made["edit"]["documentChanges"]
    client.change(
        beside, 2, *({"range": one["range"], "text": one["newText"]} for one in change["edits"])
    )
    said(client, system)


def test_a_note_on_a_word_is_a_comment_of_its_table(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path / "a.conllu", "# sent_id = x\n" + TABLE)
    made = note(client, uri, 1, 4, note="why not obj?")
    assert made["about"] == "nsubj “we”"
    (change,) = made["edit"]["documentChanges"]
    (inserted,) = change["edits"]
    assert inserted["newText"] == "# treelens_about = 1 nsubj we: why not obj?\n"
    assert inserted["range"]["start"] == {"line": 1, "character": 0}
    client.change(uri, 2, {"range": inserted["range"], "text": inserted["newText"]})
    (place,) = said(client, uri, "note on nsubj “we”: why not obj?")
    assert place == {"line": 2, "character": 2}
    # A word that comes before it moves it, and what is typed replaces it.
    client.change(uri, 3, edit(2, 0, 0, ROW.format(1, "now", 2, "advmod")))
    (place,) = said(client, uri, "note on nsubj “we”: why not obj?")
    assert place["line"] == 3
    assert note(client, uri, 3, 4)["note"] == "why not obj?"
    # Without its word it stands where any note on the first word would.
    client.change(uri, 4, edit(3, 2, 4, "they"))
    (place,) = said(client, uri, "note on nsubj “we”, which is not there any more: why not obj?")
    assert place == {"line": 2, "character": 2}
    client.change(uri, 5, edit(3, 2, 6, "we"))
    (change,) = note(client, uri, 3, 4, note="")["edit"]["documentChanges"]
    (gone,) = change["edits"]
    assert (gone["newText"], gone["range"]["start"]["line"]) == ("", 1)


def test_between_sentences_there_is_nothing_to_note(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path / "a.conllu", "# sent_id = x\n" + TABLE)
    assert "no word here" in note(client, uri, 0, 3, note="x")["refused"]
