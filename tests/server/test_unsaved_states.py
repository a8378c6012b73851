"""States beside a file, of an editor that does not say what it has of that: it may hold them
unsaved, or throw them away. What it has of other sentences is not lost, whichever it does."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fuzzing.positions import offset
from laws import seeds
from lsp_client import Client

COUNT = 7
TREES = [f"(S (NP (N we{number})) (VP (V see)))\n" for number in range(COUNT)]
ABLE = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}

Said = tuple[str, str]


class Editor:
    """It makes edits of a ``.review`` in a buffer, which no server hears of."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client, self.file = client, folder / "a.gold.mrg"
        self.disk, self.held = folder / "a.gold.mrg.review", ""
        self.file.write_text("".join(TREES))
        client.start(folder, ABLE)
        client.open(self.file.as_uri(), "".join(TREES))
        client.edited = None

    def say(self, sentence: int, state: str, note: str) -> Any:
        """The edits that the editor is asked for, and makes."""
        place = {"line": sentence, "character": 0}
        argument = {"uri": self.file.as_uri(), "position": place, "state": state, "note": note}
        params = {"command": "treelens.review", "arguments": [argument]}
        self.client.request("workspace/executeCommand", params)
        edit = self.client.wait_for("workspace/applyEdit")["edit"]
        edits = edit["documentChanges"][-1]["edits"]
        for one in reversed(edits):
            start, end = (offset(self.held, one["range"][at], "utf-16") for at in ("start", "end"))
            self.held = self.held[:start] + one["newText"] + self.held[end:]
        self.client.send({"id": self.client.edits.pop(0), "result": {"applied": True}})
        return edits

    def save(self) -> None:
        self.disk.write_text(self.held)

    def throw_away(self) -> None:
        self.held = self.disk.read_text() if self.disk.exists() else ""

    def lines(self) -> list[list[Said]]:
        """What the lines of its text say of each sentence."""
        found: list[list[Said]] = [[] for _ in TREES]
        for line in self.held.splitlines():
            if not line.startswith("#"):
                state, _, words, _, *note = line.split("\t")
                found[int(words.removeprefix("we").split()[0])].append((state, *note, "")[:2])
        return found

    def known(self) -> list[Said]:
        """What the server knows of them."""
        places = ({"line": number, "character": 0} for number in range(COUNT))
        asked = ({"at": {"uri": self.file.as_uri(), "position": place}} for place in places)
        found = (self.client.request("treelens/review", one) for one in asked)
        return [(one["state"], one["note"]) for one in found]


def written(said: Said) -> list[Said]:
    return [] if said[0] == "todo" else [said]


@pytest.fixture
def editor(client: Client, tmp_path: Path) -> Editor:
    return Editor(client, tmp_path)


def test_a_state_that_was_thrown_away_takes_no_other_with_it(editor: Editor) -> None:
    for number in (2, 4, 5):
        editor.say(number, "checked", f"note {number}")
    editor.save()
    editor.say(0, "checked", "thrown away")
    editor.throw_away()
    editor.say(2, "question", "why?")
    assert [editor.lines()[number] for number in (2, 4, 5)] == [
        [("question", "why?")],
        [("checked", "note 4")],
        [("checked", "note 5")],
    ]
    editor.save()
    assert list(map(written, editor.known())) == editor.lines()


def test_what_is_new_is_a_line_also_where_nothing_is_saved(editor: Editor) -> None:
    editor.say(0, "checked", "first")
    for number in (5, 1, 3):
        (edit,) = editor.say(number, "checked", f"note {number}")
        assert edit["range"]["start"] == edit["range"]["end"]
        assert edit["newText"].count("\n") == 1


def test_what_is_certain_is_changed_as_ever(editor: Editor) -> None:
    for number in (1, 2):
        editor.say(number, "checked", "")
    editor.save()
    editor.say(4, "checked", "not saved")
    (edit,) = editor.say(1, "question", "why?")
    assert edit["newText"].count("\n") == 1


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("throws", [0.0, 0.3])
@pytest.mark.parametrize("seed", seeds(4))
def test_nothing_else_is_lost(editor: Editor, seed: int, throws: float, ended: bool) -> None:
    draw = random.Random(seed)
    for number in draw.sample(range(COUNT), 4):
        editor.say(number, "checked", f"old {number}")
    editor.held = editor.held if ended else editor.held.removesuffix("\n")
    editor.save()
    thrown = False
    for turn in range(20):
        if draw.random() < throws:
            editor.throw_away()
            thrown = True
        known, before, number = editor.known(), editor.lines(), draw.randrange(COUNT)
        state = draw.choice(["checked", "question", "todo"])
        note = "" if state == "todo" else f"note {turn}"
        if known[number] == (state, note):  # (Then there is no edit.)
            continue
        editor.say(number, state, note)
        for other in {*range(COUNT)} - {number}:
            assert editor.lines()[other] in (before[other], written(known[other]))
        assert {*written((state, note))} <= {*editor.lines()[number]}
        if not thrown:
            assert editor.lines() == list(map(written, editor.known()))
    editor.save()
    for states, found in zip(editor.lines(), editor.known(), strict=True):
        assert all(note in found[1] for _, note in states)
