"""What varies in a folder, over real standard streams: marks, fixes, the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsp_client import PULL, PUSH, Client, Message, edit
from test_actions import ACTIONS
from treelens.consistency.declared import ConsistencyCheck
from treelens_server.background import Background
from treelens_server.varying.folders import Folder, Memory
from treelens_server.varying.reading import find_unasked

_EDITS = {"documentChanges": True, "resourceOperations": ["create"], "changeAnnotationSupport": {}}
_ABLE_TO = {**PULL["workspace"], "applyEdit": True, "workspaceEdit": _EDITS}
ABLE: Message = {**ACTIONS, "workspace": _ABLE_TO}


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
        started.start(tmp_path, ABLE)
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
    made = client.request("codeAction/resolve", found[title])["edit"]
    here, there = made["documentChanges"]
    assert there["textDocument"]["uri"] == other
    assert [one["newText"] for one in there["edits"]] == ["compound:prt"] * 2
    # Shown first, and all ticked but for the place here, where nothing changes.
    assert here["textDocument"]["uri"] == uri
    (same,) = here["edits"]
    assert (same["newText"], same["range"]["start"]) == ("", same["range"]["end"])
    asked = made["changeAnnotations"][same["annotationId"]]
    assert asked["needsConfirmation"]
    assert not any("annotationId" in one for one in there["edits"])


@pytest.mark.parametrize("digests", [False, True])
def test_what_is_right_both_ways_is_written_down(
    client: Client, tmp_path: Path, digests: bool
) -> None:
    wanted = f"[consistency]\ndigests = {str(digests).lower()}\n"
    (tmp_path / "treelens.toml").write_text(wanted, encoding="utf-8")
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
    kind, key, *labels = insert["newText"].splitlines()[-1].split("\t")
    assert [kind, *labels] == ["relations", "advmod<", "compound:prt<"]
    assert key.startswith("sha256:") if digests else key == "to get back to"
    marks(client, uri, 0)


def test_what_the_client_has_of_what_is_right_both_ways_goes_before_what_is_on_disk(
    client: Client, tmp_path: Path
) -> None:
    path = tmp_path / "treelens.consistent"
    uri, line = path.as_uri(), "relations\tto get back to\tadvmod<\tcompound:prt<\n"
    look(client)
    varying(client, 1)
    # As an editor makes a file and writes into it, and saves it later.
    path.write_text("", encoding="utf-8")
    client.open(uri, "")
    client.change(uri, 2, edit(0, 0, 0, line))
    varying(client, 0)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
    (tmp_path / "c.conllu").write_text(get_back("nummod", 4), encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    varying(client, 1)
    client.change(uri, 3, edit(0, len(line) - 1, len(line) - 1, "\tnummod<"))
    varying(client, 0)
    # It is thrown away, and what is on disk counts.
    client.close(uri)
    varying(client, 1)


def test_what_was_empty_when_it_was_looked_at_is_followed(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    (tmp_path / "a.conllu").write_text("", encoding="utf-8")
    client.change(uri, 2, {"text": ""})
    look(client)
    client.change(uri, 3, {"text": OPENED})
    (mark,) = marks(client, uri, 1)
    assert "is compound:prt here" in mark["message"]


def test_a_table_that_becomes_brackets_is_held_against_brackets(
    client: Client, tmp_path: Path
) -> None:
    path = tmp_path / "d.mrg"
    (tmp_path / "c.mrg").write_text("(S (NP (D a) (N b)) (VP (V c)))\n", encoding="utf-8")
    text = "2\t(S (D a) (NP (N b)) (VP (V c)))\n"
    path.write_text(text, encoding="utf-8")
    client.open(path.as_uri(), text)
    look(client)
    varying(client, 1)
    client.change(path.as_uri(), 2, edit(0, 0, 2, ""))
    varying(client, 2)


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


def varying(client: Client, total: int, **params: Any) -> Message:
    """The list, once it has so many groups."""
    while (found := client.request("treelens/variations", params))["total"] != total:
        client.wait_for("treelens/variationsChanged")
    answer: Message = found
    return answer


def test_all_that_varies_is_listed_and_bunched(client: Client, tmp_path: Path) -> None:
    look(client)
    found = varying(client, 1)
    assert (found["files"], found["tier"], found["more"]) == (2, "A", 0)
    (one,) = found["variations"]
    assert (one["title"], one["labels"]) == ("to [get back] to", "advmod< ×2 / compound:prt< ×1")
    spots = [(s["uri"].rsplit("/", 1)[1], s["deviant"], s["words"]) for s in one["spots"]]
    assert spots == [
        ("a.conllu", True, "to [get back] to work1"),
        ("b.conllu", False, "to [get back] to work2"),
        ("b.conllu", False, "to [get back] to work3"),
    ]
    sections = {by: varying(client, 1, by=by)["sections"] for by in ("kind", "structure", "file")}
    assert {by: [one["title"] for one in found] for by, found in sections.items()} == {
        "kind": ["Relations"],
        "structure": ["relations: advmod< / compound:prt<"],
        "file": ["a.conllu"],
    }
    assert varying(client, 1, by="file", section="a.conllu")["variations"] == [one]


def test_a_hover_and_a_lens_say_it(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    look(client)
    marks(client, uri, 1)
    said = client.about("hover", uri, position={"line": 2, "character": 24})["contents"]["value"]
    assert "**to \\[get back\\] to** varies · relations, tier A" in said
    assert "| **compound:prt\\<** ← here | 1 | [a.conllu:3](" in said
    lenses = [one["command"] for one in client.about("codeLens", uri) if "command" in one]
    (lens,) = [one for one in lenses if one["title"].startswith("varies")]
    assert lens["title"] == "varies: “get back” compound:prt<, elsewhere advmod< ×2"
    client.ask(
        "workspace/executeCommand", {"command": lens["command"], "arguments": lens["arguments"]}
    )
    shown: Message = client.wait_for("window/showDocument")
    there = shown["uri"].rsplit("/", 1)[1], shown["selection"]["start"]["line"]
    assert there == ("b.conllu", 2)


def test_the_next_one_may_be_in_another_file(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    (tmp_path / "c.conllu").write_text(get_back("obj", 4), encoding="utf-8")
    look(client)
    marks(client, uri, 1)
    argument: Any = {"uri": uri, "position": {"line": 2, "character": 22}}
    client.ask(
        "workspace/executeCommand", {"command": "treelens.nextVariation", "arguments": [argument]}
    )
    assert client.wait_for("window/showDocument")["uri"].endswith("c.conllu")


def test_files_that_are_written_opened_and_closed_are_followed(
    client: Client, tmp_path: Path
) -> None:
    uri, other = (tmp_path / "a.conllu").as_uri(), (tmp_path / "b.conllu").as_uri()
    look(client)
    varying(client, 1)

    def written(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        changes = {"changes": [{"uri": path.as_uri(), "type": 2}]}
        client.notify("workspace/didChangeWatchedFiles", changes)

    written(tmp_path / "b.conllu", CLOSED.replace("advmod", "compound:prt"))
    varying(client, 0)
    written(tmp_path / "b.conllu", CLOSED)
    varying(client, 1)
    written(tmp_path / "treelens.consistent", "relations\tto get back to\tadvmod<\tcompound:prt<\n")
    varying(client, 0)
    (tmp_path / "treelens.consistent").unlink()
    written(tmp_path / "b.conllu", CLOSED)
    varying(client, 1)
    written(tmp_path / "b.conllu", "# of no sentence\n")
    varying(client, 0)
    written(tmp_path / "b.conllu", CLOSED)
    varying(client, 1)
    written(tmp_path / "c.conllu", get_back("nummod", 4))
    (one,) = varying(client, 1)["variations"]
    while len(one["spots"]) < 4:
        client.wait_for("treelens/variationsChanged")
        (one,) = varying(client, 1)["variations"]
    # What was changed and not saved is what counts while it is open.
    client.open(other, CLOSED)
    client.change(other, 2, edit(2, 22, 28, "compound:prt"))
    while "advmod< ×1" not in varying(client, 1)["variations"][0]["labels"]:
        client.wait_for("treelens/variationsChanged")
    client.close(other)
    while "advmod< ×2" not in varying(client, 1)["variations"][0]["labels"]:
        client.wait_for("treelens/variationsChanged")
    client.close(uri)


def test_a_configuration_is_enough_to_begin(tmp_path: Path) -> None:
    wanted = '[consistency]\nfiles = ["a.conllu", "b.conllu"]\nagainst = "b.conllu"\n'
    (tmp_path / "treelens.toml").write_text(wanted, encoding="utf-8")
    (tmp_path / "a.conllu").write_text(OPENED + OPENED.replace("compound:prt", "obj"), "utf-8")
    (tmp_path / "b.conllu").write_text(CLOSED, encoding="utf-8")
    with Client() as client:
        client.start(tmp_path)
        found = varying(client, 1)
        assert found["files"] == 2
        (tmp_path / "b.conllu").write_text(CLOSED.replace("to", "so"), encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        # What varies among the files alone is not what was asked for.
        varying(client, 0)
        assert not client.errors, b"".join(client.errors).decode()


def test_a_client_that_does_not_ask_is_sent_both_kinds_of_marks(tmp_path: Path) -> None:
    text = OPENED + get_back("advmod", 2) + get_back("advmod", 3).replace("\tget\t", "\tget\t\t", 1)
    (tmp_path / "a.conllu").write_text(text, encoding="utf-8")
    uri = (tmp_path / "a.conllu").as_uri()
    with Client() as client:
        client.start(tmp_path, PUSH)
        client.open(uri, text)
        found: Message = client.wait_for("textDocument/publishDiagnostics")
        problems = [one["code"] for one in found["diagnostics"]]
        assert problems
        look(client)
        both = client.wait_for(
            "textDocument/publishDiagnostics", lambda p: len(p["diagnostics"]) > len(problems)
        )
        assert [one["code"] for one in both["diagnostics"]] == [*problems, "varies"]
        # ... and what is said anew of the text keeps what varies.
        client.change(uri, 2, edit(13, 1, 3, ""))
        again = client.wait_for("textDocument/publishDiagnostics", lambda p: p["version"] == 2)
        assert "varies" in {one["code"] for one in again["diagnostics"]} != {"varies"}


def test_without_a_folder_the_corpus_is_what_is_open() -> None:
    with Client() as client:
        client.start()
        client.open("untitled:one.conllu", OPENED + CLOSED)
        look(client)
        assert varying(client, 1)["files"] == 1


def test_two_sentences_are_drawn_one_below_the_other(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    look(client)
    marks(client, uri, 1)
    here = {"uri": uri, "position": {"line": 2, "character": 24}}
    other = client.request("treelens/elsewhere", here)
    assert other["uri"].endswith("b.conllu")
    asked = {"textDocument": {"uri": uri}, "position": here["position"], "other": other}
    found = client.request("treelens/pictureBeside", asked)
    assert found["title"] == "a.conllu, sentence 1 and b.conllu, sentence 1"
    written = {
        (node["label"], node["places"][0]["uri"].rsplit("/", 1)[1]) for node in found["nodes"]
    }
    assert {("compound:prt", "a.conllu"), ("advmod", "b.conllu")} <= written
    pair = {"command": "treelens.pair", "arguments": [{"gold": other["uri"], "system": uri}]}
    client.request("workspace/executeCommand", pair)
    place = client.request("treelens/pictureBeside", asked)["nodes"][-1]["places"][0]
    more = {"range": place["range"], "operation": "relation", "argument": "dep"}
    assert "edit" in client.request("treelens/editNode", {"textDocument": place, **more})


def test_what_was_asked_for_is_not_looked_for_once_more_because_it_is_wished() -> None:
    known = [Folder(None, ConsistencyCheck(), "")]
    context: Any = SimpleNamespace(memory=Memory(folders=known))
    asyncio.run(find_unasked(context))
    assert context.memory.folders is known


def test_what_is_edited_while_it_is_read_is_looked_at_once_it_is_there() -> None:
    client: Any = SimpleNamespace(written=str)
    memory = Memory()
    looked: list[int] = []

    async def read() -> None:
        memory.folders = [Folder(None, ConsistencyCheck(), "")]

    async def begun() -> None:
        background = Background(client, lambda: looked.append(len(memory.folders)), repr)
        await background.begin(read())
        background.stop()

    asyncio.run(begun())
    assert looked == [1]
