"""Two windows, each with a server of its own, on one folder: what either writes is not lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fuzzing.positions import offset
from laws import seeds
from lsp_client import Client
from treelens_server.files import path_of

TREES = [f"(S (NP (N we{number})) (VP (V see) (NP (D the) (N sea))))\n" for number in range(8)]
CONFIG = '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\nadjudicated = "settled/*"\n'
WHO = ("anna", "boris", "settled")


class Window:
    """One editor and its server. What the server would have written is on disk at once."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client, self.folder = client, folder
        client.start(folder, {"workspace": {"applyEdit": True}})

    def open(self, *names: str) -> None:
        for name in names:
            file = self.folder / name
            self.client.open(file.as_uri(), file.read_text())

    def review(self, name: str, line: int, state: str, note: str = "") -> None:
        found = self.asked("review", name, line, state=state, note=note)
        self.write(found["edit"])

    def note(self, name: str, line: int, note: str) -> None:
        self.write(self.asked("note", name, line, 4, note=note)["edit"])

    def noted(self, name: str, line: int) -> str:
        found: str = self.asked("note", name, line, 4)["note"]
        return found

    def said(self, name: str, line: int) -> tuple[str, str]:
        found = self.asked("review", name, line)
        return found["state"], found["note"]

    def told(self, *names: str) -> None:
        """Its watcher has seen that files were written."""
        changes = [{"uri": (self.folder / name).as_uri(), "type": 2} for name in names]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def asked(self, method: str, name: str, line: int, character: int = 0, **more: str) -> Any:
        at = {"uri": (self.folder / name).as_uri()}
        place = {"line": line, "character": character}
        return self.client.request(f"treelens/{method}", {"at": {**at, "position": place}, **more})

    def keep(self, name: str, line: int) -> None:
        place = {"line": line, "character": 0}
        argument = {"uri": (self.folder / name).as_uri(), "position": place}
        params = {"command": "treelens.keepAdjudicated", "arguments": [argument]}
        self.client.request("workspace/executeCommand", params)
        self.write(self.client.wait_for("workspace/applyEdit")["edit"])

    def write(self, edit: Any) -> None:
        ((uri, edits),) = edit["changes"].items()
        file = path_of(uri)
        assert file is not None
        text = file.read_text() if file.exists() else ""
        for one in reversed(edits):
            start, end = (offset(text, one["range"][at], "utf-16") for at in ("start", "end"))
            text = text[:start] + one["newText"] + text[end:]
        file.write_text(text)


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[list[Window]]:
    trees = {"anna": TREES, "boris": [tree.replace("NP", "X") for tree in TREES], "settled": TREES}
    for who, text in trees.items():
        (tmp_path / who).mkdir()
        (tmp_path / who / "x.mrg").write_text("".join(text))
    (tmp_path / "treelens.toml").write_text(CONFIG)
    with Client() as one, Client() as other:
        found = [Window(one, tmp_path), Window(other, tmp_path)]
        for window in found:
            window.open(*(f"{who}/x.mrg" for who in WHO))
        yield found


@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("watched", [True, False])
def test_what_both_say_of_sentences_is_in_one_sidecar(
    windows: list[Window], seed: int, watched: bool
) -> None:
    """States, notes on nodes, an adjudication; ``watched``: whether either is told at once of
    what the other has written."""
    name, draw = "settled/x.mrg", random.Random(seed)
    states = dict.fromkeys(range(len(TREES)), ("todo", ""))
    notes = dict.fromkeys(range(len(TREES)), "")
    for number in range(25):
        at, line = draw.randrange(2), draw.randrange(len(TREES))
        window, what = windows[at], draw.choice(("state", "keep", "note"))
        if what == "note":
            notes[line] = f"note {number}"
            window.note(name, line, notes[line])
        elif what == "keep" and states[line][0] != "checked":
            window.keep(name, line)
            states[line] = "checked", states[line][1]
        else:
            others = {("todo", ""), ("checked", ""), ("question", f"why {number}?")}
            states[line] = draw.choice(sorted(others - {states[line]}))
            window.review(name, line, *states[line])
        if watched:
            windows[1 - at].told(f"{name}.review")
    for window in windows:
        window.told(f"{name}.review")
        assert {line: window.said(name, line) for line in states} == states
        assert {line: window.noted(name, line) for line in notes} == notes


def test_two_that_begin_a_sidecar_at_once_lose_nothing(windows: list[Window]) -> None:
    """Both have been told what to write before either has written."""
    name = "settled/x.mrg"
    made = [
        window.asked("review", name, line, state="question", note=f"why {line}?")["edit"]
        for line, window in enumerate(windows)
    ]
    for window, edit in zip(windows, made, strict=True):
        window.write(edit)
    for window in windows:
        window.told(f"{name}.review")
        assert [window.said(name, line) for line in range(3)] == [
            ("question", "why 0?"),
            ("question", "why 1?"),
            ("todo", ""),
        ]


def test_what_a_full_disk_has_left_of_a_sidecar_is_kept(windows: list[Window]) -> None:
    """One window could write only the beginning; it has the whole, and the other goes on."""
    name = "settled/x.mrg"
    one, other = windows
    file = one.folder / f"{name}.review"
    for line in range(3):
        one.review(name, line, "checked")
    whole = file.read_text()
    one.client.open(file.as_uri(), whole)
    for end in range(0, len(whole), 37):
        file.write_text(whole[:end])
        other.review(name, 5, "question", "why?")
        assert {*whole[:end].splitlines()} <= {*file.read_text().splitlines()}
        assert other.said(name, 5) == ("question", "why?")
        assert [one.said(name, line)[0] for line in range(3)] == ["checked"] * 3
