"""What helps while one writes: layout, completion and renaming, over real standard streams."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_client import PULL, Client, Message

GOLD = "(S (NP-SBJ (N 𝔸𝔹)) (VP (V see)\n  (NP (D the) (N sea))))\n"
SYSTEM = "(S (NP (N 𝔸𝔹)) (VP (V see) (NP (D the) (N sea))))\n"
TABLE = "1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
CONFIG = '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n'

CAPABLE: Message = copy.deepcopy(PULL)
CAPABLE["workspace"]["workspaceEdit"] = {
    "documentChanges": True,
    "changeAnnotationSupport": {"groupsOnLabel": True},
}
CAPABLE["workspace"]["applyEdit"] = True


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        (tmp_path / "treelens.toml").write_text(CONFIG)
        started.start(tmp_path, CAPABLE)
        yield started


def place(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def test_a_file_is_laid_out_in_its_own_habit(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.gold.mrg").as_uri()
    client.open(uri, GOLD)
    edits = client.about("formatting", uri, options={"tabSize": 4, "insertSpaces": True})
    broken = {"start": place(0, 32), "end": place(1, 2)}
    assert edits == [{"range": broken, "newText": " "}]
    whole = {"start": place(0, 0), "end": place(0, 5)}
    options = {"tabSize": 4, "insertSpaces": True}
    assert client.about("rangeFormatting", uri, range=whole, options=options) == edits


def test_lines_that_are_laid_out_end_as_the_file_s_do(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "b.mrg").as_uri()
    wide = f"(S (N {'a' * 50}) (V {'b' * 50}))"
    client.open(uri, f"(S\r(N a))\r{wide}\r")
    edits = client.about("formatting", uri, options={"tabSize": 4, "insertSpaces": True})
    assert [edit["newText"] for edit in edits] == [" ", "\r  "]


def test_labels_and_heads_are_completed(client: Client, tmp_path: Path) -> None:
    uri, table = ((tmp_path / name).as_uri() for name in ("b.mrg", "c.conllu"))
    client.open(uri, SYSTEM + "(S (N")
    client.open(table, TABLE)
    found = client.about("completion", uri, position=place(1, 5))["items"]
    assert [one["label"] for one in found] == ["N", "D", "V", "NP", "S", "VP"]
    assert found[0]["detail"] == "tag · 2×"
    assert found[0]["textEdit"]["range"] == {"start": place(1, 4), "end": place(1, 5)}
    heads = client.about("completion", table, position=place(0, 14))["items"]
    assert [(one["label"], one["detail"], one["filterText"]) for one in heads] == [
        ("2", "b · NOUN", "2 b"),
        ("0", "root · no head", "0 root"),
    ]
    assert client.about("completion", uri, position=place(0, 12))["items"] == []


def test_a_category_is_renamed_also_where_it_has_functions(client: Client, tmp_path: Path) -> None:
    gold, system = ((tmp_path / f"a.{side}.mrg").as_uri() for side in ("gold", "system"))
    client.open(gold, GOLD)
    client.open(system, SYSTEM)
    client.diagnostics(system)
    at = place(0, 5)
    assert client.about("prepareRename", gold, position=at) == {
        "range": {"start": place(0, 4), "end": place(0, 6)},
        "placeholder": "NP",
    }
    edit = client.about("rename", gold, position=at, newName="NX")
    (here,) = edit["documentChanges"]
    assert (here["textDocument"]["uri"], len(here["edits"])) == (gold, 2)
    assert all(one["newText"] == "NX" for one in here["edits"])
    argument = {"uri": gold, "position": at, "newName": "NX", "scope": "compared"}
    client.request(
        "workspace/executeCommand", {"command": "treelens.rename", "arguments": [argument]}
    )
    edit = client.wait_for("workspace/applyEdit")["edit"]
    (here, there) = edit["documentChanges"]
    assert [(one["textDocument"]["uri"], len(one["edits"])) for one in (here, there)] == [
        (gold, 2),
        (system, 2),
    ]
    assert "annotationId" not in here["edits"][0]
    assert edit["changeAnnotations"][there["edits"][0]["annotationId"]]["needsConfirmation"]
    assert client.about("rename", gold, position=at, newName="N X") is None
    assert client.about("prepareRename", gold, position=place(0, 14)) is None
