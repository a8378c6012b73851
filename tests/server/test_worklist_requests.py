"""The worklist and the states of sentences, over real standard streams."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message, edit
from lsprotocol import types
from treelens.trees.forest import decode, encode
from treelens_server.positions import edited

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n(S (NP (N you)))\n(S (NP (N it)))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n(S (XP (N you)))\n(S (NP (N it)))\n"
ROW = "1\t{}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
EDITS = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
    }
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        workspace = {**PULL["workspace"], **EDITS["workspace"]}
        started.start(tmp_path, {**PULL, "workspace": workspace})
        yield started
        assert not started.errors, b"".join(started.errors).decode()


def at(uri: str, line: int) -> Message:
    return {"uri": uri, "position": {"line": line, "character": 3}}


def worklist(client: Client, **params: Any) -> Message:
    found: Message = client.request("treelens/worklist", {"order": "score", **params})
    return found


def numbers(found: Message) -> list[int]:
    return [entry["sentence"] for entry in found["entries"]]


@pytest.fixture
def pair(client: Client, tmp_path: Path) -> tuple[str, str]:
    uris = []
    for side, text in (("gold", GOLD), ("system", SYSTEM)):
        file = tmp_path / f"a.{side}.mrg"
        file.write_text(text)
        uris.append(file.as_uri())
        client.open(file.as_uri(), text)
    return uris[0], uris[1]


def made(text: str, edit: Message, uri: str) -> str:
    """A text after an edit of it, as an editor makes it."""
    changes = [one for one in edit["documentChanges"] if one.get("kind") != "create"]
    (change,) = changes
    assert change["textDocument"]["uri"] == uri
    parts = []
    for one in reversed(change["edits"]):
        ends = [types.Position(**one["range"][end]) for end in ("start", "end")]
        parts.append(
            types.TextDocumentContentChangePartial(text=one["newText"], range=types.Range(*ends))
        )
    return decode(edited(encode(text), parts, "utf-16"))


# --- the list ------------------------------------------------------------------------------


def test_without_a_pair_it_says_so(client: Client, tmp_path: Path) -> None:
    found = worklist(client)
    assert (found["pair"], found["busy"], found["pairs"], found["total"]) == (None, None, [], 0)
    client.open((tmp_path / "alone.mrg").as_uri(), "(S (N x))\n")
    assert worklist(client)["pair"] is None


def test_of_a_file_that_is_compared_with_nothing_there_is_none(
    client: Client, tmp_path: Path, pair: tuple[str, str]
) -> None:
    alone = (tmp_path / "alone.mrg").as_uri()
    client.open(alone, "(S (N x))\n")
    found = worklist(client, uri=alone)
    assert (found["pair"], len(found["pairs"])) == (None, 1)
    assert client.request("treelens/worklistStep", {"to": "worst", "uri": alone}) is None
    assert worklist(client)["total"] == 3


def test_the_worst_sentence_is_the_first(client: Client, pair: tuple[str, str]) -> None:
    found = worklist(client, uri=pair[0])
    assert (found["total"], found["left"], found["checked"], found["more"]) == (3, 3, 0, 0)
    assert numbers(found) == [2, 1, 3]
    first = found["entries"][0]
    assert (first["words"], first["summary"], first["errors"]) == ("you", "1 label", 1)
    assert first["uri"] == pair[1]
    assert first["range"]["start"] == {"line": 1, "character": 0}
    assert first["place"] == {"line": 1, "character": 3}
    assert client.request("treelens/worklistGroup", {"at": at(pair[0], 1)}) == first["group"]
    assert numbers(worklist(client, order="file")) == [1, 2, 3]
    page = worklist(client, offset=1, limit=1)
    assert (numbers(page), page["more"]) == ([1], 1)


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"query": "see"}, [1]),
        ({"query": "XP"}, [2]),
        ({"query": "nothing such"}, []),
        ({"least": 1}, [2, 1]),
        ({"least": 2}, []),
        ({"low": 99}, [3]),
        ({"high": 99, "show": "todo"}, [2, 1]),
        ({"show": "checked"}, []),
    ],
)
def test_filters(
    client: Client, pair: tuple[str, str], filter: Message, expected: list[int]
) -> None:
    assert numbers(worklist(client, filter=filter)) == expected


def test_groups_by_label_pair_by_class_and_by_state(client: Client, pair: tuple[str, str]) -> None:
    found = worklist(client, by="labels")
    titles = [(one["title"], one["sentences"], one["left"]) for one in found["groups"]]
    assert titles == [("NP missing", 1, 1), ("NP→XP", 1, 1)]
    assert numbers(worklist(client, by="labels", group="NP→XP")) == [2]
    classes = [one["key"] for one in worklist(client, by="class")["groups"]]
    assert classes == ["Missing Node", "Single Word Phrase"]
    assert numbers(worklist(client, by="class", group="Single Word Phrase")) == [2]
    assert [one["key"] for one in worklist(client, by="state")["groups"]] == ["todo"]


def test_one_edit_and_the_list_is_another(client: Client, pair: tuple[str, str]) -> None:
    worklist(client)
    change = {"range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 6}}}
    client.change(pair[1], 2, {**change, "text": "NP"})
    client.wait_for("treelens/worklistChanged")
    assert numbers(worklist(client)) == [1, 2, 3]
    assert [one["key"] for one in worklist(client, by="labels")["groups"]] == ["NP missing"]


def test_steps_go_from_bad_to_less_bad_and_over_what_was_mended(
    client: Client, pair: tuple[str, str]
) -> None:
    def go(to: str, line: int) -> Any:
        params = {"order": "score", "to": to, "at": at(pair[1], line)}
        found = client.request("treelens/worklistStep", params)
        return found and found["sentence"]

    assert go("worst", 2) == 2
    change = {"range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 6}}}
    client.change(pair[1], 2, {**change, "text": "NP"})
    # Now it is right, and the next one is still the one that was next.
    assert go("next", 1) == 1
    assert go("next", 0) == 2  # equal scores in the file's order
    assert go("next", 1) == 3
    assert go("next", 2) is None
    assert go("previous", 2) == 2


# --- states ----------------------------------------------------------------------------------


def test_a_state_goes_beside_a_file_of_brackets(client: Client, pair: tuple[str, str]) -> None:
    beside = pair[1] + ".review"
    found = client.request("treelens/review", {"at": at(pair[0], 1), "state": "checked"})
    create, _ = found["edit"]["documentChanges"]
    assert create == {"kind": "create", "uri": beside, "options": {"ignoreIfExists": True}}
    text = made("", found["edit"], beside)
    assert text.splitlines()[-1].startswith("checked\t1\tyou\t")
    client.open(beside, text)
    found = worklist(client)
    assert (found["checked"], found["left"]) == (1, 2)
    assert [entry["state"] for entry in found["entries"]] == ["checked", "todo", "todo"]
    # The tree is another one now: it is not what was checked.
    change = {"range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 6}}}
    client.change(pair[1], 2, {**change, "text": "NP"})
    found = worklist(client)
    assert (found["checked"], found["changed"], found["left"]) == (0, 1, 3)
    # And a question takes the same line.
    found = client.request(
        "treelens/review", {"at": at(pair[1], 1), "state": "question", "note": "really\nso? 𝔸"}
    )
    again = made(text, found["edit"], beside)
    assert len(again.splitlines()) == len(text.splitlines())
    assert again.splitlines()[-1].endswith("\treally so? 𝔸")
    whole = {"text": again}
    client.change(beside, 2, whole)
    found = client.request("treelens/review", {"at": at(pair[1], 1)})
    assert (found["state"], found["note"]) == ("question", "really so? 𝔸")
    assert "really so?" in client.request("treelens/worklistTooltip", {"group": 1})


def test_a_line_is_put_behind_a_last_line_without_an_end(
    client: Client, tmp_path: Path, pair: tuple[str, str]
) -> None:
    beside = pair[1] + ".review"
    (tmp_path / "a.system.mrg.review").write_text("checked\t1\twe see the sea\t\t𝔸")
    assert worklist(client)["checked"] == 1
    found = client.request("treelens/review", {"at": at(pair[1], 2), "state": "checked"})
    text = made("checked\t1\twe see the sea\t\t𝔸", found["edit"], beside)
    assert [line.split("\t")[2] for line in text.splitlines()] == ["we see the sea", "it"]


def test_what_is_written_beside_a_file_by_others_is_seen(
    client: Client, tmp_path: Path, pair: tuple[str, str]
) -> None:
    assert worklist(client)["checked"] == 0
    file = tmp_path / "a.system.mrg.review"
    file.write_text("checked\t1\tyou\nnonsense\nchecked\t1\twho\n")
    client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 1}]}
    )
    assert worklist(client)["checked"] == 1
    told = client.wait_for("textDocument/publishDiagnostics", lambda one: one["diagnostics"])
    assert told["uri"] == file.as_uri()
    assert [(one["range"]["start"]["line"], one["code"]) for one in told["diagnostics"]] == [
        (1, "review-line"),
        (2, "review-lost"),
    ]
    assert told["diagnostics"][1]["message"] == (
        "no sentence of a.system.mrg is “who” (any more); the line is kept"
    )
    # The log has them too.
    client.expect_errors("review, line 2: “nonsense”", "review, line 3: no sentence")
    file.unlink()
    client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 3}]}
    )
    assert worklist(client)["checked"] == 0


def test_a_line_is_marked_for_as_long_as_its_sentence_is_gone(
    client: Client, tmp_path: Path, pair: tuple[str, str]
) -> None:
    file = tmp_path / "a.system.mrg.review"
    file.write_text("checked\t1\twe see the sea\nnote\t1\tyou\t1 XP you\twhy?\n")
    assert worklist(client)["checked"] == 1

    def marked(*lines: int) -> None:
        client.wait_for(
            "textDocument/publishDiagnostics",
            lambda told: (
                told["uri"] == file.as_uri()
                and [one["range"]["start"]["line"] for one in told["diagnostics"]] == [*lines]
            ),
        )

    first, second, third = SYSTEM.splitlines(keepends=True)
    client.change(pair[1], 2, {"text": first + third})
    marked(1)
    client.change(pair[1], 3, {"text": third})
    marked(0, 1)
    client.change(pair[1], 4, {"text": third + second + first})
    marked()


def test_a_state_is_a_comment_of_a_table_and_a_command_for_any_editor(
    client: Client, tmp_path: Path
) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    text = "# sent_id = x\n" + ROW.format("𝔸") + ROW.format("dog")
    client.open(uri, text)
    argument = {**at(uri, 1), "state": "question", "note": "why?"}
    client.request(
        "workspace/executeCommand", {"command": "treelens.review", "arguments": [argument]}
    )
    edit = client.wait_for("workspace/applyEdit")["edit"]
    lines = made(text, edit, uri).splitlines()
    assert lines[1].startswith("# treelens_review = question ")
    assert lines[2] == "# treelens_note = why?"
    client.change(uri, 2, {"text": "\n".join([*lines, "", ""])})
    found = client.request("treelens/review", {"at": at(uri, 3), "state": None})
    assert (found["state"], found["note"], found["sentence"]) == ("question", "why?", 1)
    lenses = client.about("codeLens", uri)
    assert [lens["command"]["title"] for lens in lenses] == ["? why?"]


def test_what_cannot_be_reviewed_is_said(client: Client, pair: tuple[str, str]) -> None:
    client.open("untitled:Untitled-1", "(S (N x))\n")
    found = client.request(
        "treelens/review", {"at": at("untitled:Untitled-1", 0), "state": "checked"}
    )
    assert "save it first" in found["refused"]
    wrong = client.ask("treelens/review", {"at": at(pair[0], 0), "state": "done"})
    assert "'done' - at `$.state`" in client.response(wrong)["error"]["message"]
    found = client.request("treelens/review", {"at": at("file:///not/open.mrg", 0)})
    assert "no sentence" in found["refused"]


def test_what_nobody_changes_is_not_announced_again_and_groups_have_ends(
    client: Client, pair: tuple[str, str]
) -> None:
    client.open("untitled:one", "(S (N x))\n")
    client.open("untitled:two", "(S (N x))\n")
    files = {"gold": "untitled:one", "system": "untitled:two"}
    client.request("workspace/executeCommand", {"command": "treelens.pair", "arguments": [files]})
    assert worklist(client, pair=files)["total"] == 1
    worklist(client)
    client.diagnostics(pair[0])
    before = client.count("treelens/worklistChanged")
    for _ in range(3):
        client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        worklist(client)
        client.diagnostics(pair[0])
    assert client.count("treelens/worklistChanged") == before
    two = {"gold": pair[0], "system": pair[1]}
    group = {"pair": two, "by": "labels", "group": "NP→XP", "to": "next"}
    assert client.request("treelens/worklistStep", {**group, "at": at(pair[1], 1)}) is None
    back = {**group, "to": "previous", "at": at(pair[1], 2)}
    assert client.request("treelens/worklistStep", back)["sentence"] == 2


def test_what_several_systems_agree_on_comes_first_and_is_marked_in_gold(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "treelens.toml").write_text(
        '[[pairs]]\ngold = "gold.mrg"\nsystem = ["one.mrg", "two.mrg"]\n'
    )
    # The first sentence is the worst one, but wrong in two ways; the second is so in one.
    rest = "\n(S (XP (N you)))\n(S (NP (N it)))\n"
    texts = {
        "gold": GOLD,
        "one": "(S (AP (N we)) (AP (V see) (AP (D the) (N sea))))" + rest,
        "two": "(S (BP (N we)) (BP (V see) (BP (D the) (N sea))))" + rest,
    }
    uris = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.mrg").write_text(text)
        uris[name] = (tmp_path / f"{name}.mrg").as_uri()
        client.open(uris[name], text)
    while len((found := worklist(client, order="suspects"))["pairs"]) < 2:
        client.wait_for("treelens/worklistChanged")
    assert numbers(found) == [2, 1, 3]
    assert numbers(worklist(client)) == [1, 2, 3]
    summary = found["entries"][0]["summary"]
    assert summary == "1 place where 2 systems agree against gold · 1 label"

    def suspects() -> list[tuple[str, int, int]]:
        items = client.about("diagnostic", uris["gold"])["items"]
        return [
            (one["message"], one["range"]["start"]["line"], one["range"]["start"]["character"])
            for one in items
            if one["code"] == "suspect"
        ]

    assert suspects() == [("2 of 2 systems say S XP here, gold has S NP", 1, 4)]
    # It is gone with gold's error, and when one system no longer says it.
    client.change(uris["gold"], 2, edit(1, 4, 6, "XP"))
    assert suspects() == []
    client.change(uris["gold"], 3, edit(1, 4, 6, "NP"))
    assert len(suspects()) == 1
    client.change(uris["two"], 2, edit(1, 4, 6, "NP"))
    assert suspects() == []
    found = worklist(client, order="suspects")
    assert numbers(found) == [1, 2, 3]
    assert not any("agree" in one["summary"] for one in found["entries"])
