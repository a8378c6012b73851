"""What was offered, or drawn, is done to what it was offered of, or not at all: an action never
makes another edit than its title says, whoever has the texts, and however they are compared."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client, Message
from test_actions import ACTIONS

TREES = {
    "gold": "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n",
    "system": "(X (QP (DT the) (NN dog)) (ZP (VB barks)))\n",
    "then": "(X (NP (DT the) (NN dog)) (VP (VB barks)))\n",
}
"""``then``: what gold is later, as many bytes, with one difference less in front."""


def _rows(*heads: int) -> str:
    rows = (f"{i}\tw{i}\t_\tX\t_\t_\t{head}\tdet\t_\t_\n" for i, head in enumerate(heads, 1))
    return "".join(rows) + "\n"


ROWS = {"gold": _rows(0, 1, 1, 2), "system": _rows(0, 1, 2, 1), "then": _rows(0, 3, 1, 2)}
TAKEN = {"mrg": "Take gold’s label NP", "conllu": "Take gold’s head “w2”"}
TEXTS = {"mrg": TREES, "conllu": ROWS}
CHANGED = "has changed since this was offered"


class Desk:
    """A system file that is open, and a gold file that may be."""

    def __init__(self, client: Client, folder: Path, texts: Message, ending: str = "mrg") -> None:
        self.client = client
        self.files = {side: folder / f"x.{side}.{ending}" for side in ("gold", "system")}
        self.uris = {side: file.as_uri() for side, file in self.files.items()}
        for side, file in self.files.items():
            file.write_text(texts[side])

    def begin(self, folder: Path, capabilities: Message = ACTIONS) -> Desk:
        self.client.start(folder, capabilities)
        self.client.open(self.uris["system"], self.files["system"].read_text())
        self.settle()
        return self

    def settle(self) -> None:
        assert self.client.request("treelens/pairs", {"uri": self.uris["system"]})

    def offered(self, line: int, character: int) -> dict[str, Message]:
        place = {"line": line, "character": character}
        found = self.client.about(
            "codeAction",
            self.uris["system"],
            range={"start": place, "end": place},
            context={"diagnostics": [], "triggerKind": 1},
        )
        return {one["title"]: one for one in found}

    def written(self, file: Path, text: str) -> None:
        file.write_text(text)
        changes = [{"uri": file.as_uri(), "type": 2}]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        self.settle()

    def chosen(self, action: Message) -> Any:
        """The edit that comes of it, of whatever kind of client."""
        if "command" in action:
            command = action["command"]
            command = command if isinstance(command, dict) else action
            before = self.client.count("workspace/applyEdit")
            params = {"command": command["command"], "arguments": command["arguments"]}
            self.client.request("workspace/executeCommand", params)
            if self.client.count("workspace/applyEdit") == before:
                return None
            return self.client.wait_for("workspace/applyEdit")["edit"]
        return self.client.request("codeAction/resolve", action).get("edit")

    def refuses(self, actions: Any) -> None:
        for action in actions:
            before = self.client.count("window/showMessage")
            assert self.chosen(action) is None, action["title"]
            assert self.client.count("window/showMessage") == before + 1
            assert CHANGED in self.client.wait_for("window/showMessage")["message"]


def _commands() -> Message:
    """Of a client that knows of commands only."""
    plain = copy.deepcopy(ACTIONS)
    del plain["textDocument"]["codeAction"]
    return plain


def _new_texts(edit: Message) -> list[str]:
    (change,) = edit["documentChanges"]
    return [one["newText"] for one in change["edits"]]


def _place(ending: str) -> tuple[int, int]:
    return (0, 5) if ending == "mrg" else (3, 13)


def _of_pair(offered: dict[str, Message]) -> list[Message]:
    return [one for title, one in offered.items() if "gold" in title or "every" in title]


@pytest.mark.parametrize("capabilities", [ACTIONS, _commands()], ids=["literals", "commands"])
@pytest.mark.parametrize("ending", TEXTS)
def test_a_partner_that_is_as_long_and_another_is_another(
    client: Client, tmp_path: Path, ending: str, capabilities: Message
) -> None:
    desk = Desk(client, tmp_path, TEXTS[ending], ending).begin(tmp_path, capabilities)
    offered = desk.offered(*_place(ending))
    assert TAKEN[ending] in offered
    desk.written(desk.files["gold"], TEXTS[ending]["then"])
    desk.refuses(_of_pair(offered))


def test_nobody_has_to_say_that_a_file_was_written(client: Client, tmp_path: Path) -> None:
    desk = Desk(client, tmp_path, TREES).begin(tmp_path)
    offered = desk.offered(0, 5)
    desk.files["gold"].write_text(TREES["then"].replace("dog", "dogs"))
    desk.refuses(_of_pair(offered))


@pytest.mark.parametrize("side", ["gold", "system"])
def test_a_version_of_a_file_that_is_opened_again_begins_anew(
    client: Client, tmp_path: Path, side: str
) -> None:
    desk = Desk(client, tmp_path, TREES).begin(tmp_path)
    client.open(desk.uris["gold"], TREES["gold"])
    desk.settle()
    offered = desk.offered(0, 5)
    client.close(desk.uris[side])
    desk.files[side].write_text(TREES["then"])
    client.open(desk.uris[side], TREES["then"])
    desk.settle()
    desk.refuses(_of_pair(offered) if side == "gold" else offered.values())


def test_what_is_opened_or_closed_or_saved_as_it_was_is_the_same(
    client: Client, tmp_path: Path
) -> None:
    desk = Desk(client, tmp_path, TREES).begin(tmp_path)
    action = desk.offered(0, 5)[TAKEN["mrg"]]
    client.open(desk.uris["gold"], TREES["gold"])
    assert _new_texts(desk.chosen(action)) == ["NP"]
    client.close(desk.uris["gold"])
    assert _new_texts(desk.chosen(action)) == ["NP"]
    desk.written(desk.files["gold"], TREES["gold"])
    assert _new_texts(desk.chosen(action)) == ["NP"]


def test_what_a_partner_has_no_part_in_does_not_wait_for_it(client: Client, tmp_path: Path) -> None:
    desk = Desk(client, tmp_path, TREES).begin(tmp_path)
    action = desk.offered(0, 5)["Delete bracket QP"]
    desk.written(desk.files["gold"], TREES["then"])
    assert _new_texts(desk.chosen(action))


CONFIG = '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\nparameters = "p.prm"\n'
COMPARED = {
    "gold": "(S (NP-SBJ (DT the) (NN dog)) (VP (VB barks) (PP (IN in))))\n",
    "system": "(S (NP-OBJ (DT the) (NN dog)) (XP (VB barks) (QP (IN in))))\n",
}


@pytest.mark.parametrize("what", ["parameters", "configuration", "setting"])
def test_what_is_compared_otherwise_is_not_what_was_offered(
    client: Client, tmp_path: Path, what: str
) -> None:
    (tmp_path / "treelens.toml").write_text(CONFIG)
    (tmp_path / "p.prm").write_text("")
    desk = Desk(client, tmp_path, COMPARED).begin(tmp_path)
    offered = desk.offered(0, 45)
    assert "Take gold’s label PP" in offered
    if what == "parameters":
        desk.written(tmp_path / "p.prm", "DELETE_LABEL XP\nDELETE_LABEL VP\nLABELED 1\n")
    elif what == "configuration":
        desk.written(tmp_path / "treelens.toml", f"strict = false\n{CONFIG}")
    else:
        settings = {"treelens": {"strict": False}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
    desk.refuses(_of_pair(offered))
    assert _new_texts(desk.chosen(offered["Delete bracket QP"]))


def test_a_configuration_that_says_the_same_changes_nothing(client: Client, tmp_path: Path) -> None:
    (tmp_path / "treelens.toml").write_text(CONFIG)
    (tmp_path / "p.prm").write_text("")
    desk = Desk(client, tmp_path, COMPARED).begin(tmp_path)
    action = desk.offered(0, 45)["Take gold’s label PP"]
    desk.written(tmp_path / "treelens.toml", f"# as before\n{CONFIG}")
    assert _new_texts(desk.chosen(action)) == ["PP"]


def test_each_way_to_compare_the_same_files_has_its_own_actions(
    client: Client, tmp_path: Path
) -> None:
    again = CONFIG.replace("*", "x").replace("p.prm", "q.prm")
    (tmp_path / "treelens.toml").write_text(CONFIG + again)
    (tmp_path / "p.prm").write_text("DELETE_LABEL XP\nDELETE_LABEL VP\nLABELED 1\n")
    (tmp_path / "q.prm").write_text("")
    desk = Desk(client, tmp_path, COMPARED).begin(tmp_path)
    place = {"line": 0, "character": 45}
    about = {"range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    found = client.about("codeAction", desk.uris["system"], **about)
    taken = [one for one in found if one["title"].startswith("Take gold’s label PP")]
    assert [_new_texts(desk.chosen(one)) for one in taken] == [["PP"], ["PP"]]


def test_what_another_server_offered_is_nothing_that_this_one_knows(tmp_path: Path) -> None:
    with Client() as client:
        desk = Desk(client, tmp_path, TREES).begin(tmp_path)
        before, picture = desk.offered(0, 5), _drawn(desk)
    with Client() as client:
        desk = Desk(client, tmp_path, TREES).begin(tmp_path)
        desk.offered(0, 5), _drawn(desk)
        desk.refuses(before.values())
        assert "has changed" in _relabelled(desk, _places(picture)[0])["refused"]


def test_who_is_given_edits_at_once_is_given_none_of_a_file_that_is_not_open(
    client: Client, tmp_path: Path
) -> None:
    """It could not tell that they are late."""
    plain = copy.deepcopy(ACTIONS)
    del plain["textDocument"]["codeAction"]["resolveSupport"]
    desk = Desk(client, tmp_path, TREES).begin(tmp_path, plain)
    offered = desk.offered(0, 5)
    assert "edit" in offered[TAKEN["mrg"]]
    accept = offered["Accept label QP into gold"]
    assert _new_texts(desk.chosen(accept)) == ["QP"]
    desk.written(desk.files["gold"], TREES["then"])
    desk.refuses([accept])


# --- pictures ------------------------------------------------------------------------------


def _drawn(desk: Desk) -> Any:
    place = {"textDocument": {"uri": desk.uris["system"]}, "position": {"line": 0, "character": 5}}
    return desk.client.request("treelens/picture", place)


def _places(picture: Any) -> list[Message]:
    """Where the constituent in front is written: in the system's file, and in gold's."""
    (node,) = (one for one in picture["nodes"] if one["id"] == "g:0-2.0")
    places: list[Message] = node["places"]
    return places


def _relabelled(desk: Desk, place: Message, **said: Any) -> Any:
    document = {"uri": place["uri"], **(said or {"asOf": place["asOf"]})}
    params = {"textDocument": document, "range": place["range"], "operation": "relabel"}
    return desk.client.request("treelens/editNode", {**params, "argument": "ZZ"})


@pytest.fixture
def pictured(client: Client, tmp_path: Path) -> Desk:
    return Desk(client, tmp_path, TREES).begin(tmp_path)


def test_a_node_of_a_file_that_is_not_open_is_edited_as_it_was_drawn(pictured: Desk) -> None:
    own, theirs = _places(_drawn(pictured))
    assert theirs["uri"] == pictured.uris["gold"]
    assert _new_texts(_relabelled(pictured, theirs)["edit"]) == ["ZZ"]
    pictured.written(pictured.files["gold"], "(S (NP (DT an) (NNS owl)))\n" + TREES["gold"])
    assert "has changed since this was drawn" in _relabelled(pictured, theirs)["refused"]
    assert _new_texts(_relabelled(pictured, own)["edit"]) == ["ZZ"]
    assert "edit" in _relabelled(pictured, _places(_drawn(pictured))[1])


def test_a_node_is_of_the_text_that_was_drawn_whatever_its_version(pictured: Desk) -> None:
    own, theirs = _places(_drawn(pictured))
    pictured.client.open(pictured.uris["gold"], TREES["gold"])
    assert _new_texts(_relabelled(pictured, theirs)["edit"]) == ["ZZ"]
    pictured.client.close(pictured.uris["system"])
    pictured.client.open(pictured.uris["system"], TREES["then"])
    assert "has changed since this was drawn" in _relabelled(pictured, own)["refused"]


def test_that_a_file_was_not_open_says_nothing_of_its_text(pictured: Desk) -> None:
    own, theirs = _places(_drawn(pictured))
    assert "is not said" in _relabelled(pictured, theirs, version=None)["refused"]
    assert "has changed" in _relabelled(pictured, own, version=None)["refused"]
    assert "edit" in _relabelled(pictured, own, version=1)
