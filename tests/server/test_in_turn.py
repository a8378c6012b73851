"""What is said of sentences quickly one after the other, and what the client makes of the edits:
each is counted in the text that it is made in."""

from __future__ import annotations

import asyncio
import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from fuzzing.positions import offset
from laws import seeds
from lsp_client import IMPATIENT, Client, Message
from treelens_server.turns import Turns, UnderWay

TREES = "".join(f"(S (NP (N we{number})) (VP (V see)))\n" for number in range(6))
TABLES = "".join(f"1\twe{number}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for number in range(6))
ABLE = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}


class Editor:
    """A client that makes an edit when a test says so, and then has written it to disk or, of a
    file that is open, says so."""

    def __init__(self, client: Client, folder: Path, *, beside: bool, opened: bool) -> None:
        self.client, self.beside, self.opened = client, beside, opened
        self.line = 1 if beside else 2
        """Lines of a sentence."""
        name, text = ("a.system.mrg", TREES) if beside else ("a.system.conllu", TABLES)
        gold, self.file = folder / name.replace("system", "gold"), folder / name
        for file in (gold, self.file):
            file.write_text(text)
        self.written = folder / f"{name}.review" if beside else self.file
        client.start(folder, ABLE)
        client.open(gold.as_uri(), text)
        if beside:
            client.open(self.file.as_uri(), text)
        self.text, self.version = "" if beside else text, 1
        if opened:
            client.open(self.written.as_uri(), self.text)
        client.edited = None

    def press(self, sentence: int, note: str) -> None:
        argument = {**self._at(sentence), "state": "question", "note": note}
        params = {"command": "treelens.review", "arguments": [argument]}
        self.client.ask("workspace/executeCommand", params)

    def asked(self) -> Any:
        """The edit that the client is asked for next."""
        (change,) = self.client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
        return change

    def make(self, change: Any) -> None:
        for one in reversed(change["edits"]):
            start, end = (offset(self.text, one["range"][at], "utf-16") for at in ("start", "end"))
            self.text = self.text[:start] + one["newText"] + self.text[end:]

    def say(self) -> None:
        """What the text is by now."""
        uri = self.written.as_uri()
        if self.opened:
            self.version += 1
            self.client.change(uri, self.version, {"text": self.text})
        else:
            self.written.write_text(self.text)
            changes = {"changes": [{"uri": uri, "type": 2}]}
            self.client.notify("workspace/didChangeWatchedFiles", changes)

    def answer(self, *, made: bool) -> None:
        result = {"applied": made} if made else {"applied": False, "failureReason": "disk full"}
        self.client.send({"id": self.client.edits.pop(0), "result": result})

    def notes(self) -> list[str]:
        at = ({"at": self._at(sentence)} for sentence in range(6))
        return [self.client.request("treelens/review", one)["note"] for one in at]

    def place(self, sentence: int) -> int:
        """The line that a sentence starts in, of what the server knows by now."""
        if self.beside:
            return sentence
        return self.text[: self.text.index(f"\twe{sentence}\t")].count("\n")

    def _at(self, sentence: int) -> Message:
        place = {"line": self.place(sentence), "character": 0}
        return {"uri": self.file.as_uri(), "position": place}


WHERE = list(itertools.product([True, False], [True, False]))


@pytest.mark.parametrize(("beside", "opened"), WHERE)
@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("seed", seeds(2))
def test_what_is_said_quickly_is_in_the_text_that_there_is(
    beside: bool, opened: bool, late: bool, seed: int, client: Client, tmp_path: Path
) -> None:
    """``late``: whether the client answers before it says what the text is."""
    editor = Editor(client, tmp_path, beside=beside, opened=opened)
    draw = random.Random(seed)
    wanted = [""] * 6
    for turn in range(3):
        pressed = [(draw.randrange(6), f"note {turn} {number}") for number in range(4)]
        for sentence, note in pressed:
            editor.press(sentence, note)
        for sentence, note in pressed:
            change = editor.asked()
            made = turn == 0 or draw.random() < 0.6
            assert change["textDocument"]["version"] == (editor.version if opened else None)
            if made:
                editor.make(change)
                wanted[sentence] = note
            if late:
                editor.answer(made=made)
            if made:
                editor.say()
            if not late:
                editor.answer(made=made)
            if not made:
                told = client.wait_for("window/showMessage")["message"]
                assert told.endswith(f"for sentence {sentence + 1}. The note was: {note}")
        assert editor.notes() == wanted
        written = [note for note in wanted if note]
        assert sum(editor.text.count(note) for note in written) == len(written)
    assert client.count("workspace/applyEdit") == 12


def test_many_at_once_all_arrive(client: Client, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path, beside=True, opened=False)
    for number in range(200):
        editor.press(number % 6, f"note {number}")
    for _ in range(200):
        change = editor.asked()
        editor.text = change["edits"][0]["newText"] if not editor.text else editor.text
        if "#" not in change["edits"][0]["newText"]:
            editor.make(change)
        editor.answer(made=True)
    assert editor.notes() == [f"note {number}" for number in (198, 199, 194, 195, 196, 197)]


MOVES = {
    "swapped": [((1, 3), [2, 1])],
    "cut and pasted": [((1, 2), []), ((3, 3), [1])],
    "gone, and another one written": [((1, 2), []), ((3, 3), [6])],
}
"""Lines, and which sentences are there instead."""


@pytest.mark.parametrize("how", MOVES)
@pytest.mark.parametrize("each", [True, False])
def test_what_is_said_of_a_sentence_that_is_moved_meanwhile_is_said_of_it(
    how: str, each: bool, client: Client, tmp_path: Path
) -> None:
    """``each``: whether the client tells of each change by itself."""
    editor = Editor(client, tmp_path, beside=True, opened=False)
    editor.press(0, "first")
    first = editor.asked()
    editor.press(1, "second")
    changes = []
    for (start, end), there in MOVES[how]:
        lines = {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}
        text = "".join(f"(S (NP (N we{number})) (VP (V see)))\n" for number in there)
        changes.append({"range": lines, "text": text})
    for version, some in enumerate([[one] for one in changes] if each else [changes], 2):
        client.change(editor.file.as_uri(), version, *some)
    editor.make(first)
    editor.answer(made=True)
    editor.say()
    if how.startswith("gone"):
        told = client.wait_for("window/showMessage")["message"]
        another = "a.system.mrg is another text by now. Nothing has changed for sentence 2"
        assert told == f"{another}. The note was: second"
        assert editor.notes() == ["first", "", "", "", "", ""]
        return
    editor.make(editor.asked())
    editor.answer(made=True)
    editor.say()
    at = 2 if how == "swapped" else 3
    wanted = {0: "first", at: "second"}
    assert editor.notes() == [wanted.get(one, "") for one in range(6)]


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize(("beside", "opened"), WHERE)
def test_what_is_said_while_an_edit_is_not_answered_is_given_back(
    beside: bool, opened: bool, made: bool, tmp_path: Path
) -> None:
    """Once it is answered, however late, what is said then is counted in the text as it is."""
    with Client(IMPATIENT) as client:
        editor = Editor(client, tmp_path, beside=beside, opened=opened)

        def written(sentence: int, note: str) -> None:
            editor.press(sentence, note)
            editor.make(editor.asked())
            editor.answer(made=True)
            editor.say()

        def told() -> str:
            message: str = client.wait_for("window/showMessage")["message"]
            return message

        for sentence in (1, 2, 3):
            written(sentence, f"old {sentence}")
        editor.press(0, "late")
        late = editor.asked()
        editor.press(2, "waits")
        unknown = "The editor has not answered: whether the state is written is not known, for "
        assert told() == f"{unknown}sentence 1. The note was: late"
        held_up = "The editor has not answered an edit that it was asked for before. "
        lost = "Nothing has changed for sentence 3. The note was: "
        assert told() == f"{held_up}{lost}waits"
        editor.press(2, "comes")
        assert told() == f"{held_up}{lost}comes"
        if made:
            editor.make(late)
            editor.say()
        editor.answer(made=made)
        if not made:
            assert told().endswith(
                "disk full. Nothing has changed for sentence 1. The note was: late"
            )
        written(2, "then")
        assert editor.notes() == ["late" if made else "", "old 1", "then", "old 3", "", ""]
        assert client.count("workspace/applyEdit") == 5


# --- turns -------------------------------------------------------------------------------


def _ask(turns: Turns, file: str, begun: list[str], name: str, one: UnderWay | None) -> None:
    def begin() -> UnderWay | None:
        begun.append(name)
        return one

    turns.ask(file, begin, lambda: begun.append(f"not {name}"))


def test_while_a_client_does_not_answer_what_comes_is_refused() -> None:
    begun: list[str] = []

    async def run() -> None:
        woken = asyncio.Event()
        turns = Turns(woken.set)
        first = UnderWay(lambda: True, lambda: begun.append("unanswered"))
        _ask(turns, "a", begun, "first", first)
        first.until = 0.0
        turns.go_on()
        assert begun == ["first"]  # Nobody waits for it: it may take its time.
        _ask(turns, "a", begun, "second", None)
        _ask(turns, "a", begun, "third", None)
        assert begun[1:] == ["unanswered", "not second", "not third"]
        _ask(turns, "b", begun, "another file's", None)
        assert begun[4:] == ["another file's"]
        first.answered(made=True)
        _ask(turns, "a", begun, "fourth", None)
        assert begun[5:] == ["fourth"]

    asyncio.run(run())


def test_one_that_is_begun_may_ask_for_others() -> None:
    begun: list[str] = []
    turns = Turns(lambda: None)

    def begin() -> UnderWay | None:
        for name in ("second", "third"):
            _ask(turns, "a", begun, name, None)
        return None

    turns.ask("a", begin, lambda: begun.append("not first"))
    _ask(turns, "a", begun, "fourth", None)
    assert begun == ["second", "third", "fourth"]


def test_one_that_waits_is_begun_when_time_is_up() -> None:
    begun: list[str] = []

    async def run() -> None:
        ended = asyncio.Event()

        def wake() -> None:
            turns.go_on()
            ended.set()

        turns = Turns(wake)
        first = UnderWay(lambda: False, until=0.0)
        _ask(turns, "a", begun, "first", first)
        first.answered(made=True)  # but what the text is now is never said
        _ask(turns, "a", begun, "second", None)
        assert begun == ["first"]
        await asyncio.wait_for(ended.wait(), 60)
        assert begun == ["first", "second"]

    asyncio.run(run())
