"""A fix of what varies does what its title says in every file that it edits, or nothing: whatever
has been typed, opened, closed or written since, whether the index has heard of it or not."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client, Message, edit, framed
from test_actions import ACTIONS

MANY = "".join(f"(S (NP (DT the) (NN run) (X of)) (VP (VB is{number})))\n" for number in range(3))
ONE = "(S (NP (DT the) (VB run) (X of)) (VP (VB was)))\n"
NEW = "(X (Y new) (Z one))\n"
OTHERS = "Annotate the 3 other places as VB, as here"
CHANGED = "has changed since this was offered"


def able(*, resolves: bool = True, asks: bool = True) -> Message:
    found = copy.deepcopy(ACTIONS)
    if not resolves:
        del found["textDocument"]["codeAction"]["resolveSupport"]
    found["workspace"]["applyEdit"] = asks
    return found


class Corpus:
    """A file that is open, with a place that is annotated otherwise than those of another one."""

    def __init__(self, client: Client, folder: Path, capabilities: Message) -> None:
        self.client, self.other = client, folder / "a.mrg"
        self.uri, self.other_uri = (folder / "b.mrg").as_uri(), self.other.as_uri()
        self.other.write_text(MANY)
        (folder / "b.mrg").write_text(ONE)
        client.start(folder, capabilities)
        client.open(self.uri, ONE)

    def look(self) -> None:
        self.client.request("workspace/executeCommand", {"command": "treelens.consistency"})
        here = self.uri
        self.client.wait_for(
            "textDocument/publishDiagnostics", lambda it: it["uri"] == here and it["diagnostics"]
        )

    def offered(self, *before: Message) -> dict[str, Message]:
        """What is offered at the place; with messages that arrive together with the question."""
        place = {"line": 0, "character": 18}
        params = {
            "textDocument": {"uri": self.uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "triggerKind": 1},
        }
        question = {"id": "offered", "method": "textDocument/codeAction", "params": params}
        self.client.send_raw(b"".join(map(framed, [*before, question])))
        return {one["title"]: one for one in self.client.response("offered")["result"]}

    def chosen(self, action: Message) -> Any:
        """The edits of the other file that come of an action, of whatever kind of client."""
        if "command" in action:
            before = self.client.count("workspace/applyEdit")
            self.client.request("workspace/executeCommand", action["command"])
            is_asked = self.client.count("workspace/applyEdit") > before
            found = self.client.wait_for("workspace/applyEdit")["edit"] if is_asked else None
        elif "data" in action:
            found = self.client.request("codeAction/resolve", action).get("edit")
        else:
            found = action["edit"]
        if found is None:
            return None
        (there,) = (
            one for one in found["documentChanges"] if one["textDocument"]["uri"] == self.other_uri
        )
        assert {one["newText"] for one in there["edits"]} == {"VB"}
        return [one["range"]["start"]["line"] for one in there["edits"]]

    def refuses(self, action: Message) -> None:
        assert self.chosen(action) is None
        assert CHANGED in self.client.wait_for("window/showMessage")["message"]


def opened(uri: str, text: str) -> Message:
    document = {"uri": uri, "languageId": "penn-treebank", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


def closed(uri: str) -> Message:
    return {"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}}


def changed(uri: str, *changes: Message) -> Message:
    document = {"uri": uri, "version": 2}
    params = {"textDocument": document, "contentChanges": [*changes]}
    return {"method": "textDocument/didChange", "params": params}


KINDS = [able(), able(resolves=False), able(resolves=False, asks=False)]
NAMES = ["resolved", "by command", "at once"]
HOW = ["changed", "opened", "opened again"]


def another(uri: str, how: str) -> list[Message]:
    """Messages after which the other file is another text."""
    if how == "changed":
        return [changed(uri, edit(0, 0, 0, NEW))]
    return [*([closed(uri)] if how == "opened again" else []), opened(uri, NEW + MANY)]


def known(client: Client, folder: Path, capabilities: Message, how: str) -> Corpus:
    """A corpus that was looked at, whose other file will be another text."""
    corpus = Corpus(client, folder, capabilities)
    if how != "opened":
        client.open(corpus.other_uri, MANY)
    corpus.look()
    return corpus


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("capabilities", KINDS, ids=NAMES)
def test_a_text_that_the_index_has_not_heard_of_is_not_edited(
    client: Client, tmp_path: Path, capabilities: Message, how: str
) -> None:
    corpus = known(client, tmp_path, capabilities, how)
    assert OTHERS not in corpus.offered(*another(corpus.other_uri, how))
    # It is heard of when there is time for it, and is edited as it is.
    client.request("treelens/pairs", {"uri": corpus.uri})
    while (action := corpus.offered().get(OTHERS)) is None:
        client.request("treelens/pairs", {"uri": corpus.uri})
    assert corpus.chosen(action) == [1, 2, 3]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("capabilities", KINDS[:2], ids=NAMES[:2])
def test_what_was_offered_of_another_text_is_refused(
    client: Client, tmp_path: Path, capabilities: Message, how: str
) -> None:
    corpus = known(client, tmp_path, capabilities, how)
    action = corpus.offered()[OTHERS]
    for message in another(corpus.other_uri, how):
        client.send(message)
    corpus.refuses(action)
    while OTHERS not in corpus.offered():
        client.request("treelens/pairs", {"uri": corpus.uri})
    corpus.refuses(action)


@pytest.mark.parametrize("shows", [True, False])
def test_edits_are_to_be_confirmed_only_where_they_can_be_shown(
    client: Client, tmp_path: Path, shows: bool
) -> None:
    capabilities = able()
    if shows:
        capabilities["workspace"]["workspaceEdit"]["changeAnnotationSupport"] = {}
    corpus = Corpus(client, tmp_path, capabilities)
    corpus.look()
    made = client.request("codeAction/resolve", corpus.offered()[OTHERS])["edit"]
    changed = [one["textDocument"]["uri"] for one in made["documentChanges"]]
    assert changed == [corpus.uri] * shows + [corpus.other_uri]
    assert ("changeAnnotations" in made) == shows


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("capabilities", KINDS[:2], ids=NAMES[:2])
def test_a_file_that_was_written_since_is_not_edited(
    client: Client, tmp_path: Path, capabilities: Message, heard: bool
) -> None:
    corpus = Corpus(client, tmp_path, capabilities)
    corpus.look()
    action = corpus.offered()[OTHERS]
    assert corpus.chosen(action) == [0, 1, 2]
    corpus.other.write_text(NEW + MANY)
    if heard:
        changes = [{"uri": corpus.other_uri, "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        while OTHERS not in corpus.offered():
            client.request("treelens/pairs", {"uri": corpus.uri})
    else:
        assert OTHERS not in corpus.offered()
    corpus.refuses(action)


def test_who_cannot_be_asked_later_is_offered_nothing_in_files_that_are_not_open(
    client: Client, tmp_path: Path
) -> None:
    corpus = Corpus(client, tmp_path, KINDS[2])
    corpus.look()
    assert OTHERS not in corpus.offered()


RIGHT = "Both are right: remember it in treelens.consistent"


def remembered(client: Client, action: Message) -> str:
    """The line that is written down."""
    client.request("workspace/executeCommand", action["command"])
    made = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"][-1]
    (insert,) = made["edits"]
    written: str = insert["newText"]
    return written.splitlines()[-1]


def test_a_label_that_nobody_saw_is_not_right(client: Client, tmp_path: Path) -> None:
    corpus = Corpus(client, tmp_path, able())
    corpus.other.write_text(MANY + MANY.replace("is", "are"))
    corpus.look()
    action = corpus.offered()[RIGHT]
    (tmp_path / "c.mrg").write_text(ONE.replace("VB run", "WRONG run").replace("was", "will"))
    changes = [{"uri": (tmp_path / "c.mrg").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    three = RIGHT.replace("Both", "All of them")
    while three not in corpus.offered():
        client.request("treelens/pairs", {"uri": corpus.uri})
    assert remembered(client, action) == "tags\tthe run of\tNN\tVB"
    assert three in corpus.offered()


@pytest.mark.parametrize(
    ("before", "now", "new"),
    [
        ("# ours\nbrackets\tx", "# ours\nbrackets\tx\ty\n", (2, 0)),
        ("# ours\nbrackets\tx\n", "brackets\tx", (0, 10)),
        ("", "brackets\tx\n", (1, 0)),
        ("brackets\tx\n", "", (0, 0)),
    ],
)
def test_what_others_wrote_down_stays(
    client: Client, tmp_path: Path, before: str, now: str, new: tuple[int, int]
) -> None:
    file = tmp_path / "treelens.consistent"
    file.write_text(before)
    corpus = Corpus(client, tmp_path, able())
    corpus.look()
    action = corpus.offered()[RIGHT]
    file.write_text(now)
    client.request("workspace/executeCommand", action["command"])
    made = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"][-1]
    (insert,) = made["edits"]
    place = insert["range"]["start"]
    assert (place["line"], place["character"]) == new
    assert insert["newText"].startswith("\n") == (now == "brackets\tx")
