"""Three files over real standard streams: what is open is marked, taken, kept, walked through.

Longer than other files are: one table of files, and all that is done at it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lsp_client import IMPATIENT, Client, Message, edit
from test_abreast import committed
from test_actions import ACTIONS

ANNA = "(S (NP (D a) (N b)) (VP (V c) (PP (P d))))\n(S (NP (N you)))\n"
BORIS = "(S (NP (D a) (X b)) (VP (V c) (ADVP (P d))))\n(S (NP (N you)))\n"
CONFIG = '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\nadjudicated = "gold/*"\n'


class Table:
    """Three files that are open in a client, which makes the edits that it is asked for."""

    def __init__(self, client: Client, folder: Path, config: str = CONFIG) -> None:
        self.client, self.folder = client, folder
        (folder / "treelens.toml").write_text(config)
        self.uris = {}
        self.texts = {}
        for who, text in (("anna", ANNA), ("boris", BORIS), ("gold", ANNA)):
            (folder / who).mkdir()
            path = folder / who / "x.mrg"
            path.write_text(text)
            self.uris[who], self.texts[who] = path.as_uri(), text
        self.versions = dict.fromkeys(self.uris, 1)
        client.start(folder, ACTIONS)

    def open(self, *names: str) -> None:
        for who in names:
            self.client.open(self.uris[who], self.texts[who])

    def status(self, is_open: int) -> Message:
        """The adjudication's status, once that many disagreements are open."""

        def fits(params: Any) -> bool:
            return any(one["open"] == is_open for one in params["adjudications"])

        found: Message = self.client.wait_for("treelens/adjudications", fits)["adjudications"][0]
        return found

    def messages(self, who: str) -> list[str]:
        return [item["message"] for item in self.client.diagnostics(self.uris[who])]

    def run(self, command: str, line: int = 0, character: int = 0, who: str = "gold") -> None:
        place = {"line": line, "character": character}
        argument = {"uri": self.uris[who], "position": place}
        params = {"command": f"treelens.{command}", "arguments": [argument]}
        self.client.request("workspace/executeCommand", params)

    def say_first(self) -> Message:
        """The first is said to be right in one of two disagreements; the place of the other."""
        self.open("anna", "boris", "gold")
        self.status(2)
        self.run("takeFirst", 0, 32)
        place: Message = self.client.wait_for("window/showDocument")["selection"]["start"]
        return place

    def is_kept(self) -> None:
        """The server asks to write beside the file that the sentence is checked, and nothing is
        open any more."""
        made = self.client.wait_for("workspace/applyEdit")["edit"]["documentChanges"][-1]
        assert made["textDocument"]["uri"].endswith(".review")
        self.status(0)

    def applied(self) -> list[Message]:
        """The edits that the server asks for next, made in the text of the file."""
        params = self.client.wait_for("workspace/applyEdit")
        (change,) = params["edit"]["documentChanges"]
        who = next(key for key, uri in self.uris.items() if uri == change["textDocument"]["uri"])
        edits: list[Message] = change["edits"]
        self.versions[who] += 1
        events = [{"range": one["range"], "text": one["newText"]} for one in reversed(edits)]
        self.client.change(self.uris[who], self.versions[who], *events)
        return edits


def test_nothing_is_said_to_be_counted_in_a_file_that_is_not_read(
    client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    table.texts["gold"] = "(S (NP 0=a 1=b) (VP 2=c))\n"
    table.open("anna", "boris", "gold")
    said = client.wait_for("treelens/adjudications")["adjudications"][0]
    assert (said["score"], said["open"]) == ("anna/boris F1 83.33 · κ 0.78 · gold not read", None)
    assert "Nothing is adjudicated in gold: this is discbracket" in said["detail"]
    table.versions["gold"] += 1
    client.change(table.uris["gold"], table.versions["gold"], {"text": ANNA})
    table.status(2)


def test_what_a_configuration_says_is_known_before_anything_is_open(
    client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    (tmp_path / "anna" / "y.mrg").write_text(ANNA)
    (tmp_path / "boris" / "y.mrg").write_text(BORIS)
    (tmp_path / "boris" / "z.mrg").write_text(BORIS)
    asked = sorted(path.as_uri() for path in tmp_path.glob("*/*.mrg"))
    files = {who: uri.replace("x.mrg", "y.mrg") for who, uri in table.uris.items()}
    assert client.request("treelens/configured", {"uris": asked}) == [
        {"first": one["anna"], "second": one["boris"], "adjudicated": one["gold"]}
        for one in (table.uris, files)
    ]


def test_what_is_open_is_marked_and_taken(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    found = table.status(2)
    assert found["score"] == "anna/boris F1 83.33 · κ 0.78 · 2 open"
    assert table.messages("anna") == ["boris has X for “b”, not N", "boris has ADVP here, not PP"]
    assert table.messages("boris") == [
        "anna has N for “b”, not X",
        "anna has PP here, not ADVP, over “d”",
    ]
    assert table.messages("gold") == table.messages("anna")
    table.run("takeSecond", 0, 32)
    (made,) = table.applied()
    assert made["newText"] == "ADVP"
    assert table.status(1)["settled"] == 1
    assert table.messages("gold") == ["boris has X for “b”, not N"]
    table.run("takeFirst", 0, 32)
    (made,) = table.applied()
    assert made["newText"] == "PP"
    table.status(2)


def test_either_annotators_is_offered(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("gold")
    table.status(2)
    place = {"line": 0, "character": 32}
    context = {"diagnostics": [], "triggerKind": 2}
    found = client.about(
        "codeAction", table.uris["gold"], range={"start": place, "end": place}, context=context
    )
    titles = [one["title"] for one in found]
    assert titles[:4] == [
        "Take boris’s label ADVP",
        "Take boris’s label at every PP → ADVP in this file",
        "Take all of boris’s in this sentence",
        "Keep this sentence as it is: settled",
    ]
    resolved = client.request("codeAction/resolve", found[2])
    (change,) = resolved["edit"]["documentChanges"]
    assert [one["newText"] for one in change["edits"]] == ["X", "ADVP"]
    command = found[3]["command"]
    assert command["command"] == "treelens.keepAdjudicated"
    # Of another text it is not what was offered, nor is what an annotator had.
    client.change(table.uris["gold"], 2, edit(0, 0, 0, "(S (NP (N new)))\n"))
    for ask, params in (("workspace/executeCommand", command), ("codeAction/resolve", found[2])):
        before = client.count("window/showMessage")
        assert "edit" not in (client.request(ask, params) or {})
        assert client.count("window/showMessage") == before + 1
        assert "has changed since" in client.wait_for("window/showMessage")["message"]
    assert client.count("workspace/applyEdit") == 0


@pytest.mark.parametrize("who", ["anna", "boris"])
def test_an_annotators_file_that_is_as_long_and_another_is_another(
    who: str, client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    table.open("gold")
    table.status(2)
    place = {"line": 0, "character": 32}
    context = {"diagnostics": [], "triggerKind": 2}
    about = {"range": {"start": place, "end": place}, "context": context}
    found = client.about("codeAction", table.uris["gold"], **about)
    file, text = tmp_path / who / "x.mrg", table.texts[who]
    file.write_text(text.replace("VP", "XP"))
    changes = [{"uri": file.as_uri(), "type": 2}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    edits = [client.request("codeAction/resolve", one).get("edit") for one in found[:3]]
    assert [edit is None for edit in edits] == [who == "boris"] * 3


def test_annotators_are_called_by_their_names_wherever_words_are_shown(
    client: Client, tmp_path: Path
) -> None:
    """Nobody speaks of gold and system in a pair that has none."""
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    table.status(2)
    uri = table.uris["anna"]
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    about = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 32}}
    picture = client.request("treelens/picture", {**about, "layout": "beside"})
    assert (picture["gold"], picture["system"]) == ("anna", "boris")
    names = {"gold": uri, "system": table.uris["boris"]}
    sections = [
        one
        for by in ("class", "kind", "labels", "state")
        for one in client.request("treelens/worklist", {"pair": names, "by": by})["groups"]
    ]
    overlaid = client.request("treelens/picture", {**about, "layout": "overlaid", "latex": True})
    whole = {**about, "textDocument": {"uri": uri, "version": 1}, "range": span}
    edited = client.request("treelens/editNode", {**whole, "operation": "raise"})
    lines = client.request("treelens/worklist", {"pair": names, "limit": 9})
    lenses = [client.request("codeLens/resolve", one) for one in client.about("codeLens", uri)]
    actions = client.about("codeAction", uri, range=span, context={"diagnostics": []})
    said = {
        "diagnostics": table.messages("anna"),
        "panel": [picture["title"], *(node["description"] for node in picture["nodes"])],
        "drawn": [overlaid["svg"], overlaid["latex"]],
        "refused": edited["refused"],
        "hover": client.about("hover", uri, position=about["position"])["contents"]["value"],
        "lenses": [one["command"]["title"] for one in lenses],
        "hints": [one["label"] for one in client.about("inlayHint", uri, range=span)],
        "actions": [one["title"] for one in actions],
        "sections": [one["title"] for one in sections],
        "worklist": [one["summary"] for one in lines["entries"]],
        "tooltip": client.request("treelens/worklistTooltip", {"pair": names, "group": 0}),
    }
    for where, words in said.items():
        assert words, where
        assert not re.search(r"\b(gold|system)\b", str(words)), f"{where}: {words}"
    assert "boris" in str(said["panel"])


def test_an_adjudication_is_quiet_beside_what_was_committed(client: Client, tmp_path: Path) -> None:
    """Its file speaks of the commit alone, until that is closed."""
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    table.status(2)
    gold = table.uris["gold"]
    client.change(gold, 2, edit(0, 21, 23, "VX"))
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}

    def said() -> dict[str, list[str]]:
        lenses = [client.request("codeLens/resolve", one) for one in client.about("codeLens", gold)]
        return {
            "marks": table.messages("gold"),
            "lenses": [one["command"]["title"] for one in lenses],
            "hints": [one["label"] for one in client.about("inlayHint", gold, range=span)],
        }

    adjudicating = said()
    assert adjudicating["marks"] == ["boris has X for “b”, not N", "boris has ADVP here, not PP"]
    old = committed(tmp_path / "gold" / "x.mrg", "HEAD")
    client.open(old, ANNA)
    pair = {"command": "treelens.pair", "arguments": [{"gold": old, "system": gold}]}
    client.request("workspace/executeCommand", pair)
    assert said() == {
        "marks": ["the last commit has VP here, not VX, over “c d”"],
        "lenses": ["next ↓", "last commit · F1 75.00 · TedEval 85.71 · 1 label", *_SAME],
        "hints": ["≠VP"],
    }
    names = client.request("treelens/worklist", {"uri": gold})["pair"]
    assert names == {"gold": old, "system": gold}
    # What others have is marked elsewhere as before.
    assert "boris has ADVP here, not PP" in table.messages("anna")
    table.run("takeSecond", 0, 32)
    assert "close that" in client.wait_for("window/showMessage")["message"]
    end = {"command": "treelens.unpair", "arguments": [{"uri": old}]}
    client.request("workspace/executeCommand", end)
    assert said() == adjudicating


_SAME = ["last commit · F1 100.00 · TedEval 100.00 · no mismatch"]


def test_a_sentence_is_kept_beside_the_file(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("gold")
    table.status(2)
    table.run("keepAdjudicated", 0, 5)
    params = client.wait_for("workspace/applyEdit")
    change = params["edit"]["documentChanges"][-1]
    assert change["textDocument"]["uri"] == table.uris["gold"] + ".review"
    assert "checked\t1\ta b c d" in change["edits"][0]["newText"]
    assert table.status(0)["settled"] == 2
    assert table.messages("gold") == []
    # What is changed after it was checked is open again.
    client.change(table.uris["gold"], 2, edit(0, 20, 22, "VX"))
    table.status(2)


def test_a_node_of_the_adjudicated_file_is_noted(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    table.status(2)
    gold, messages = table.uris["gold"], table.messages("gold")
    at: Message = {"uri": gold, "position": {"line": 0, "character": ANNA.index("PP")}}
    made = client.request("treelens/note", {"at": at, "note": "ask Boris"})
    assert made["about"] == "PP “d”"
    (line,) = [one["newText"] for one in made["edit"]["documentChanges"][-1]["edits"]]
    client.open(f"{gold}.review", line)

    def notes(who: str, *messages: str) -> int | None:
        """The line of the note in a file, once its notes say this."""

        def fits(found: Message) -> bool:
            said = [one["message"] for one in found["diagnostics"] if one["code"] == "note"]
            return found["uri"] == table.uris[who] and said == [*messages]

        found = client.wait_for("textDocument/publishDiagnostics", fits)["diagnostics"]
        lines = [one["range"]["start"] for one in found if one["code"] == "note"]
        return lines[0]["line"] if lines else None

    assert notes("gold", "note on PP “d”: ask Boris") == 0
    # Nobody has settled anything by that, and an edit before it leaves the note where it belongs.
    assert table.messages("gold") == messages
    client.change(gold, 2, edit(0, 0, 0, "(S (NP (N new)))\n"))
    table.versions["gold"] = 2
    assert notes("gold", "note on PP “d”: ask Boris") == 1
    at["position"]["line"] = 1
    assert client.request("treelens/note", {"at": at})["note"] == "ask Boris"
    table.run("takeSecond", 1, ANNA.index("PP"))
    table.applied()
    assert notes("gold", "note on ADVP “d” (was PP): ask Boris") == 1


def test_what_the_client_does_not_write_stays_open(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    table.status(2)
    client.edited = {"result": {"applied": False, "failureReason": "disk full"}}
    table.run("keepAdjudicated", 0, 5)
    told = client.wait_for("window/showMessage")["message"]
    assert (
        told == "x.mrg.review could not be changed: disk full. Nothing has changed for sentence 1"
    )
    client.request("treelens/configured", {"uris": []})  # (Behind all that was said before.)
    assert [(one["open"], one["settled"]) for one in client.adjudications] == [(2, 0)]
    table.run("takeSecond", 0, 14)
    told = client.wait_for("window/showMessage")["message"]
    assert told == "x.mrg could not be changed: disk full. It is as it was"


@pytest.mark.parametrize("made", [True, False])
def test_what_is_taken_quickly_is_counted_in_the_text_that_there_is(
    made: bool, client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    table.texts["boris"] = BORIS.replace("(N you)", "(X you)")
    Path(tmp_path / "boris" / "x.mrg").write_text(table.texts["boris"])
    table.open("anna", "boris", "gold")
    table.status(3)
    client.edited = None
    table.run("takeSecond", 0, ANNA.index("PP"))
    table.run("takeSecond", 1, 9)
    (first,) = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
    assert first["textDocument"]["version"] == 1
    assert client.count("workspace/applyEdit") == 1
    if made:
        client.change(table.uris["gold"], 2, *({**one, "text": "ADVP"} for one in first["edits"]))
    client.send({"id": client.edits.pop(), "result": {"applied": made}})
    (second,) = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
    assert second["textDocument"]["version"] == 1 + made
    assert [one["range"]["start"]["line"] for one in second["edits"]] == [1]


def test_what_is_taken_and_not_answered_holds_up_what_is_taken_next(tmp_path: Path) -> None:
    with Client(IMPATIENT) as client:
        table = Table(client, tmp_path)
        table.open("anna", "boris", "gold")
        table.status(2)
        client.edited = None
        table.run("takeSecond", 0, ANNA.index("PP"))
        table.run("takeSecond", 0, ANNA.index("N b"))
        (first,) = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
        told = [client.wait_for("window/showMessage")["message"] for _ in range(2)]
        assert told == [
            "The editor has not answered: whether anything was taken is not known",
            "The editor has not answered an edit that it was asked for before. It is as it was",
        ]
        client.change(table.uris["gold"], 2, *({**one, "text": "ADVP"} for one in first["edits"]))
        client.send({"id": client.edits.pop(), "result": {"applied": True}})
        table.run("takeSecond", 0, ANNA.index("N b"))
        (second,) = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
        assert second["textDocument"]["version"] == 2


def test_walking_goes_from_one_open_place_to_the_next(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("gold")
    table.status(2)
    places = []
    for character in (0, 15, 33):
        table.run("nextMismatch", 0, character)
        shown = client.wait_for("window/showDocument")
        places.append(shown["selection"]["start"]["character"])
    assert places == [13, 30, 13]
    table.run("previousMismatch", 1, 0)
    assert client.wait_for("window/showDocument")["selection"]["start"]["character"] == 30


def test_typing_in_any_of_the_three_changes_what_is_open(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    table.status(2)
    client.change(table.uris["boris"], 2, edit(0, 14, 15, "N"))
    assert table.status(1)["score"].endswith("1 open")
    client.change(table.uris["gold"], 2, edit(0, 31, 33, "QP"))
    assert table.status(0)["settled"] == 1
    # The adjudicated file has what boris has: that is settled at once.
    client.change(table.uris["anna"], 2, edit(1, 4, 6, "XP"))
    client.wait_for("treelens/adjudications", lambda p: p["adjudications"][0]["settled"] == 2)
    assert table.messages("anna")[-1] == "boris has NP here, not XP"
    assert table.messages("gold") == []


def test_by_hand_without_any_configuration(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path, "")
    table.open("anna", "boris", "gold")
    uris = table.uris
    argument = {"first": uris["anna"], "second": uris["boris"]}
    params = {"command": "treelens.adjudicate", "arguments": [argument]}
    client.request("workspace/executeCommand", params)
    assert table.status(2)["adjudicated"] == ""
    params["arguments"] = [{**argument, "adjudicated": uris["gold"]}]
    client.request("workspace/executeCommand", params)
    found = client.wait_for(
        "treelens/adjudications",
        lambda p: [one["adjudicated"] for one in p["adjudications"]] == [uris["gold"]],
    )
    assert len(found["adjudications"]) == 1
    params["arguments"] = [{"first": uris["anna"], "second": uris["anna"]}]
    client.request("workspace/executeCommand", params)
    told = client.wait_for("window/showMessage")["message"]
    assert "cannot be adjudicated with itself" in told


def test_what_cannot_be_taken_is_said(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("anna", "gold")
    table.status(2)
    table.run("takeFirst", 0, 1)
    told = client.wait_for("window/showMessage")["message"]
    assert told.startswith("This is as anna has it already")
    table.run("takeFirst", 0, 32, who="anna")
    told = client.wait_for("window/showMessage")["message"]
    assert told.startswith("This is no file in which")


def test_the_second_once_more_goes_on_to_what_is_open(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("gold")
    table.status(2)
    table.run("takeSecond", 0, 14)
    table.applied()
    table.status(1)
    for line, character in ((0, 14), (1, 5)):  # and where all of a sentence is
        table.run("takeSecond", line, character)
        shown = client.wait_for("window/showDocument")
        assert shown["selection"]["start"] == {"line": 0, "character": 30}


def test_a_sentence_is_checked_once_the_first_is_said_to_be_right_in_all_of_it(
    client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    shown = table.say_first()
    assert table.messages("gold") == [
        "boris has X for “b”, not N",
        "anna is right here: boris has ADVP here, not PP",
    ]
    lenses = client.about("codeLens", table.uris["gold"])
    assert any("2 open · 1 anna ✓ · boris: X" in str(one) for one in lenses), lenses
    table.run("takeFirst", shown["line"], shown["character"])
    table.is_kept()


def test_it_is_checked_too_where_the_second_is_taken_last(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.say_first()
    table.run("takeSecond", 0, 14)
    (taken,) = table.applied()
    assert taken["newText"] == "X"
    table.is_kept()


HE = "(S (NP (N he)))\n"


def test_what_is_typed_before_an_edit_comes_makes_no_other_sentence_of_it(
    client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    table.say_first()
    table.run("takeSecond", 0, 14)
    client.wait_for("workspace/applyEdit")
    client.change(table.uris["gold"], 2, edit(0, 0, 0, HE))
    client.about("documentSymbol", table.uris["gold"])
    client.change(table.uris["gold"], 3, edit(1, 14, 15, "X"))
    table.is_kept()


def test_a_sentence_that_is_moved_before_an_edit_comes_is_still_the_one(
    client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    table.say_first()
    table.run("takeSecond", 0, 14)
    client.wait_for("workspace/applyEdit")
    one, other = ANNA.splitlines(keepends=True)
    client.change(table.uris["gold"], 2, {"text": other + one})
    client.about("documentSymbol", table.uris["gold"])
    client.change(table.uris["gold"], 3, edit(1, 14, 15, "X"))
    made = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"][-1]
    (line,) = made["edits"]
    assert made["textDocument"]["uri"].endswith(".review")
    assert "\ta b c d\t" in line["newText"]


def test_a_sentence_that_is_gone_before_an_edit_comes_is_not_kept(
    client: Client, tmp_path: Path
) -> None:
    table = Table(client, tmp_path)
    table.texts["gold"] = HE + ANNA
    table.open("anna", "boris", "gold")
    table.status(2)
    table.run("takeSecond", 1, 14)
    client.wait_for("workspace/applyEdit")
    client.change(table.uris["gold"], 2, {"text": HE})
    assert len(client.about("documentSymbol", table.uris["gold"])) == 1
    assert client.stop() == 0
    assert b"ERROR" not in b"".join(client.errors)


def test_the_worklist_is_of_what_the_second_has_instead(client: Client, tmp_path: Path) -> None:
    table = Table(client, tmp_path)
    table.open("anna", "boris", "gold")
    table.status(2)
    for who in ("gold", "anna", "boris"):
        asked = {"uri": table.uris[who], "reviewed": "system", "order": "file", "by": "nothing"}
        found = client.request("treelens/worklist", {**asked, "filter": {}, "offset": 0})
        assert found["pair"] == {"gold": table.uris["gold"], "system": table.uris["boris"]}
        assert found["reviewed"] == table.uris["gold"]
        assert [one["errors"] for one in found["entries"]] == [2, 0]
        assert [one["uri"] for one in found["entries"]] == [table.uris["gold"]] * 2


ROW = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
TABLE = ROW.format(1, "a", "DET", 2, "det") + ROW.format(2, "b", "NOUN", 0, "root") + "\n"


def test_a_sentence_of_a_table_is_kept_in_a_comment(client: Client, tmp_path: Path) -> None:
    config = CONFIG.replace("/*", "/*.conllu")
    (tmp_path / "treelens.toml").write_text(config)
    texts = {"anna": TABLE, "boris": TABLE.replace("det", "amod").replace("DET", "ADJ")}
    uris = {}
    for who in ("anna", "boris", "gold"):
        (tmp_path / who).mkdir()
        path = tmp_path / who / "x.conllu"
        path.write_text(texts.get(who, TABLE))
        uris[who] = path.as_uri()
    client.start(tmp_path, ACTIONS)
    item = {"uri": uris["gold"], "languageId": "conllu", "version": 1, "text": TABLE}
    client.notify("textDocument/didOpen", {"textDocument": item})

    def status(is_open: int) -> str:
        found = client.wait_for(
            "treelens/adjudications",
            lambda p: [one["open"] for one in p["adjudications"]] == [is_open],
        )
        score: str = found["adjudications"][0]["score"]
        return score

    # Relations det and root against amod and root: Po 1/2, Pe 1/4.
    assert status(2) == "anna/boris LAS 50.00 · κ 0.33 · 2 open"
    place = {"line": 0, "character": 2}
    argument = {"uri": uris["gold"], "position": place}
    params = {"command": "treelens.keepAdjudicated", "arguments": [argument]}
    client.request("workspace/executeCommand", params)
    (change,) = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
    (made,) = change["edits"]
    assert made["newText"].startswith("# treelens_review = checked ")
    event = {"range": made["range"], "text": made["newText"]}
    client.change(uris["gold"], 2, event)
    status(0)
    assert client.diagnostics(uris["gold"]) == []
    # Taken from the second all the same, it is not what was checked, and settled as it is.
    argument["position"] = {"line": 1, "character": 9}
    params["command"] = "treelens.takeSecond"
    client.request("workspace/executeCommand", params)
    (change,) = client.wait_for("workspace/applyEdit")["edit"]["documentChanges"]
    client.change(uris["gold"], 3, {"range": change["edits"][0]["range"], "text": "ADJ"})
    status(1)
