"""Colours, linked places, typing and numbering over real standard streams."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from lsp_client import PULL, PUSH, Client, Message, edit

GOLD = "(S (NP (N 𝔸)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEM = "(S (NX (N 𝔸)) (VP (V see) (D the) (N sea)))\n"
TABLE = "1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t0\tr\t_\t_\n"

EDITING: Message = copy.deepcopy(PULL)
EDITING["textDocument"]["semanticTokens"] = {
    "requests": {"range": True, "full": {"delta": True}},
    "tokenTypes": [],
    "tokenModifiers": [],
    "formats": ["relative"],
}
EDITING["workspace"]["semanticTokens"] = {"refreshSupport": True}
EDITING["workspace"]["applyEdit"] = True


def open_pair(client: Client, folder: Path) -> tuple[str, str]:
    uris = []
    for name, text in (("a.gold.mrg", GOLD), ("a.system.mrg", SYSTEM)):
        (folder / name).write_text(text)
        uris.append((folder / name).as_uri())
        client.open(uris[-1], text)
    return uris[0], uris[1]


def place(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def modified(legend: Message, data: list[int], text: str) -> list[tuple[str, str]]:
    """Tokens of a line that something is the matter with: what is written, and what that is."""
    found, character = [], 0
    units = text.encode("utf-16-le")
    for k in range(0, len(data), 5):
        _, step, length, _, bits = data[k : k + 5]
        character += step
        names = [name for bit, name in enumerate(legend["tokenModifiers"]) if bits >> bit & 1]
        written = units[2 * character : 2 * (character + length)].decode("utf-16-le")
        found += [(written, name) for name in names]
    return found


def test_problems_of_a_text_without_sentences_are_where_they_are(
    client: Client, tmp_path: Path
) -> None:
    client.start(tmp_path)
    uri = (tmp_path / "a.mrg").as_uri()
    client.open(uri, "# only a comment\n\n  )\n")
    (problem,) = client.diagnostics(uri)
    assert problem["range"] == {"start": place(2, 2), "end": place(2, 3)}


def test_problems_show_control_characters_and_are_where_they_were(
    client: Client, tmp_path: Path
) -> None:
    client.start(tmp_path)
    gold, system = open_pair(client, tmp_path)
    client.change(system, 2, {"text": "(S (N a) (V see))\n"})

    def found(version: int, character: str) -> str:
        client.change(gold, version, {"text": f"(S ({character}[31mN a) (V see))\n"})
        return json.dumps(client.diagnostics(gold), ensure_ascii=False)

    escape = found(2, "\x1b")
    assert "not ␛[31mN" in escape
    assert "gold has ␛[31mN for" in escape
    assert escape.replace("␛", "x") == found(3, "x")


def test_messages_show_control_characters_of_a_configuration(
    client: Client, tmp_path: Path
) -> None:
    names = 'gold = "*.gold.mrg"\nsystem = "*.system.mrg"\nparameters = "\\u001b[31mred"\n'
    (tmp_path / "treelens.toml").write_text(f"[[pairs]]\n{names}")
    client.start(tmp_path)
    client.diagnostics(open_pair(client, tmp_path)[0])
    told = [json.dumps(one["params"], ensure_ascii=False) for one in client.seen if "params" in one]
    assert any("␛[31mred" in one for one in told)
    assert not any("\\u001b" in one for one in told)


def test_tokens_say_what_differs_and_are_asked_for_again(client: Client, tmp_path: Path) -> None:
    offered = client.start(tmp_path, EDITING)["capabilities"]["semanticTokensProvider"]
    assert "full" not in offered
    gold, system = open_pair(client, tmp_path)
    whole = {"start": place(0, 0), "end": place(1, 0)}
    data = client.about("semanticTokens/range", gold, range=whole)["data"]
    assert modified(offered["legend"], data, GOLD) == [("NP", "wrong"), ("NP", "missing")]
    data = client.about("semanticTokens/range", system, range=whole)["data"]
    assert modified(offered["legend"], data, SYSTEM) == [("NX", "wrong")]
    client.change(system, 2, edit(0, 4, 6, "NP"))
    client.wait_for("workspace/semanticTokens/refresh")
    data = client.about("semanticTokens/range", gold, range=whole)["data"]
    assert modified(offered["legend"], data, GOLD) == [("NP", "missing")]


def test_clients_that_know_of_no_ranges_get_what_has_changed(
    client: Client, tmp_path: Path
) -> None:
    offered = client.start(tmp_path, PUSH)["capabilities"]["semanticTokensProvider"]
    assert offered["full"] == {"delta": True}
    _, system = open_pair(client, tmp_path)
    first = client.about("semanticTokens/full", system)
    client.change(system, 2, edit(0, 4, 6, "NP-SBJ"))
    known = first["resultId"]
    changes = client.about("semanticTokens/full/delta", system, previousResultId=known)
    data = list(first["data"])
    for change in reversed(changes["edits"]):
        start = change["start"]
        data[start : start + change["deleteCount"]] = change["data"]
    fresh = client.about("semanticTokens/full", system)
    assert data == fresh["data"] != first["data"]
    assert len(changes["edits"][0]["data"]) < len(data)
    known = fresh["resultId"]
    again = client.about("semanticTokens/full/delta", system, previousResultId=known)
    assert again["edits"] == []
    unknown = client.about("semanticTokens/full/delta", system, previousResultId="never")
    assert unknown["data"] == data


def test_an_index_is_edited_with_its_antecedent(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path, EDITING)
    uri = (tmp_path / "t.mrg").as_uri()
    client.open(uri, "(S (NP-SBJ-1 (N 𝔸)) (VP (V go) (NP (-NONE- *T*-1))))\n")
    answer = client.about("linkedEditingRange", uri, position=place(0, 12))
    assert [one["start"]["character"] for one in answer["ranges"]] == [11, 48]
    assert client.about("linkedEditingRange", uri, position=place(0, 5)) is None


def test_a_row_is_begun_by_enter_and_numbered(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path, EDITING)
    uri = (tmp_path / "t.conllu").as_uri()
    lines = TABLE.splitlines(keepends=True)
    client.open(uri, lines[0] + "\n" + lines[1])
    options = {"tabSize": 8, "insertSpaces": False}
    answer = client.about("onTypeFormatting", uri, position=place(1, 0), ch="\n", options=options)
    assert "".join(one["newText"] for one in answer) == "32" + "\t_" * 9 + "3"


def test_a_sentence_is_numbered_when_asked_to(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path, EDITING)
    uri = (tmp_path / "t.conllu").as_uri()
    client.open(uri, TABLE.replace("2", "7"))
    at = {"uri": uri, "position": place(0, 0)}
    client.request("workspace/executeCommand", {"command": "treelens.renumber", "arguments": [at]})
    edits = client.wait_for("workspace/applyEdit")["edit"]["changes"][uri]
    assert [one["newText"] for one in edits] == ["2", "2"]
    client.open(uri, TABLE, 2)
    client.request("workspace/executeCommand", {"command": "treelens.renumber", "arguments": [at]})
    assert "in order" in client.wait_for("window/showMessage")["message"]


# --- renaming --------------------------------------------------------------------------------

ASKING: Message = copy.deepcopy(EDITING)
ASKING["workspace"]["workspaceEdit"] = {
    "documentChanges": True,
    "changeAnnotationSupport": {"groupsOnLabel": True},
}


def renamed(client: Client, at: Message, new: str, scope: str) -> Message:
    """The files that a renaming changes: how many edits, and what is asked first."""
    argument = {**at, "newName": new, "scope": scope}
    command = {"command": "treelens.rename", "arguments": [argument]}
    client.request("workspace/executeCommand", command)
    edit = client.wait_for("workspace/applyEdit")["edit"]
    notes = edit.get("changeAnnotations") or {}
    return {
        change["textDocument"]["uri"].rsplit("/", 1)[-1]: (
            len(change["edits"]),
            *(
                notes[one]["label"]
                for one in {part.get("annotationId") for part in change["edits"]}
                if one
            ),
        )
        for change in edit["documentChanges"]
    }


def test_a_label_is_renamed_as_far_as_one_likes(client: Client, tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "c.psd").write_text(GOLD * 3)
    (tmp_path / "deep" / "no.psd").write_bytes(b"(S (VP (V go)))\n")
    (tmp_path / "t.conllu").write_text(TABLE.replace("X", "NP"))
    client.start(tmp_path, ASKING)
    gold, _ = open_pair(client, tmp_path)
    client.change(gold, 2, {"text": GOLD + GOLD})
    at = {"uri": gold, "position": place(0, 5)}
    use = {"name": "NP", "kind": "label", "sentence": 2, "file": 4, "compared": 0}
    assert client.request("treelens/renaming", at) == use
    assert renamed(client, at, "NX", "sentence") == {"a.gold.mrg": (2,)}
    assert renamed(client, at, "NX", "file") == {"a.gold.mrg": (4,)}
    assert renamed(client, at, "NX", "workspace") == {
        "a.gold.mrg": (4,),
        "c.psd": (6, "Also in c.psd"),
    }
    nothing = {"uri": gold, "position": place(0, 0)}
    assert client.request("treelens/renaming", nothing) is None


def test_an_index_and_an_id_are_renamed(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path, ASKING)
    tree, table = ((tmp_path / name).as_uri() for name in ("t.mrg", "t.conllu"))
    text = "(S (NP-SBJ-1 (N 𝔸)) (VP (V go) (NP (-NONE- *T*-1))))\n"
    client.open(tree, text + text)
    at = {"uri": tree, "position": place(1, 12)}
    assert client.request("treelens/renaming", at)["kind"] == "index"
    assert renamed(client, at, "7", "workspace") == {"t.mrg": (2,)}
    client.open(table, "# sent_id = 𝔸-1\n" + TABLE)
    at = {"uri": table, "position": place(0, 13)}
    assert client.about("prepareRename", table, position=place(0, 13))["placeholder"] == "𝔸-1"
    assert renamed(client, at, "b 2", "file") == {"t.conllu": (1,)}
    assert client.about("rename", tree, position=place(1, 12), newName="x") is None
    assert "is no number" in client.wait_for("window/showMessage")["message"]


def test_many_edits_are_made_fewer(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path, ASKING)
    uri = (tmp_path / "t.mrg").as_uri()
    client.open(uri, GOLD * 3000)
    edit = client.about("rename", uri, position=place(0, 5), newName="NX")
    (change,) = edit["documentChanges"]
    assert len(change["edits"]) == 2000
    assert sum(one["newText"].count("NX") for one in change["edits"]) == 6000


# --- labels ----------------------------------------------------------------------------------

LABELS = "[labels]\ncategories = ['S', 'NP', 'VP']\n"


def unknown(client: Client, uri: str) -> list[Message]:
    return [one for one in client.diagnostics(uri) if one["code"] == "unknown-label"]


def test_labels_that_are_not_declared_are_pointed_out_with_those_that_are_near(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "treelens.toml").write_text(LABELS)
    capable = copy.deepcopy(EDITING)
    capable["textDocument"]["codeAction"] = {
        "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
        "resolveSupport": {"properties": ["edit"]},
    }
    client.start(tmp_path, capable)
    uri = (tmp_path / "t.mrg").as_uri()
    client.open(uri, "(S (NPP (N 𝔸)) (VP (V go)))\n")
    (said,) = unknown(client, uri)
    assert (said["severity"], said["message"]) == (
        3,
        "the label NPP is not among those that treelens.toml declares: did you mean NP?",
    )
    context = {"diagnostics": [said], "triggerKind": 1}
    found = client.about("codeAction", uri, range=said["range"], context=context)
    (fix,) = [one for one in found if one.get("diagnostics")]
    assert (fix["title"], fix["isPreferred"]) == ("Change NPP to NP", True)
    edit = client.request("codeAction/resolve", fix)["edit"]
    (changes,) = edit["changes"].values()
    assert changes == [{"range": said["range"], "newText": "NP"}]


def test_labels_that_are_declared_later_are_known_without_a_restart(
    client: Client, tmp_path: Path
) -> None:
    config = tmp_path / "treelens.toml"
    config.write_text(LABELS)
    client.start(tmp_path, EDITING)
    uri = (tmp_path / "t.mrg").as_uri()
    client.open(uri, "(S (NPP (N 𝔸)) (VP (V go)))\n")
    assert len(unknown(client, uri)) == 1
    config.write_text(LABELS.replace("'NP'", "'NP', 'NPP'"))
    event = {"uri": config.as_uri(), "type": 2}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
    assert unknown(client, uri) == []
