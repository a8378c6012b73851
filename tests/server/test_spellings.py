"""One document under several spellings of its URI, as some clients have it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from laws import seeds
from lsp_client import PUSH, Client, edit

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n"


def codes(client: Client, uri: str) -> list[str]:
    return [item["code"] for item in client.diagnostics(uri)]


def test_a_document_is_open_for_as_long_as_it_is_under_any_spelling_of_its_uri(
    client: Client, tmp_path: Path
) -> None:
    gold, system = tmp_path / "a.gold.mrg", tmp_path / "a.system.mrg"
    gold.write_text(GOLD)
    system.write_text(SYSTEM)
    client.start(tmp_path)
    one, other = gold.as_uri(), gold.as_uri().replace("a.gold", "a%2Egold")
    client.open(system.as_uri(), SYSTEM)
    for closed, kept in ((one, other), (other, one)):
        client.open(one, GOLD)
        client.open(other, GOLD)
        client.close(closed)
        client.change(kept, 2, edit(0, 1, 2, "X"))
        for uri in (kept, system.as_uri()):
            assert "wrong-label" in codes(client, uri)
        client.close(kept)
        # What was not saved is gone.
        assert codes(client, system.as_uri()) == ["missing-bracket"]
    client.stop()
    assert client.errors == []


def test_what_is_pushed_is_told_of_the_spelling_that_is_left(
    client: Client, tmp_path: Path
) -> None:
    gold, system = tmp_path / "a.gold.mrg", tmp_path / "a.system.mrg"
    system.write_text(SYSTEM)
    client.start(tmp_path, PUSH)
    one, other = gold.as_uri(), gold.as_uri().replace("a.gold", "a%2Egold")
    told = "textDocument/publishDiagnostics"
    client.open(one, GOLD, 7)
    client.open(other, GOLD)
    client.wait_for(told, lambda said: said["uri"] == other and said["diagnostics"])
    client.close(other)
    client.wait_for(told, lambda said: said["uri"] == other and not said["diagnostics"])
    said = client.wait_for(told, lambda said: said["uri"] == one and said["diagnostics"])
    assert said["version"] == 7


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("seed", seeds(3))
def test_each_spelling_has_a_text_of_its_own(
    beside: bool, seed: int, client: Client, tmp_path: Path
) -> None:
    """The one that was opened or changed last speaks for the file, for as long as it is open."""
    file, draw = tmp_path / "a.mrg", random.Random(seed)
    before, disk, after = (
        ("question\t1\twe see\t\t", "0", "\n") if beside else ("(", "S", " (N we))\n")
    )
    client.start(tmp_path)
    if beside:
        client.open(file.as_uri(), "(S (N we) (V see))\n")
        file = tmp_path / "a.mrg.review"
    file.write_text(f"{before}{disk}{after}")

    def shown() -> str:
        uri = (tmp_path / "a.mrg").as_uri()
        if beside:
            at = {"at": {"uri": uri, "position": {"line": 0, "character": 0}}}
            note: str = client.request("treelens/review", at)["note"]
            return note
        (sentence,) = client.about("documentSymbol", uri)
        label: str = sentence["children"][0]["name"]
        return label

    uris = [file.as_uri().replace("a.mrg", one) for one in ("a.mrg", "a%2Emrg", "b/../a.mrg")]
    texts: dict[str, str] = {}
    for version in range(2, 40):
        uri = draw.choice(uris)
        if uri not in texts:
            texts[uri] = f"X{version}"
            client.open(uri, f"{before}{texts[uri]}{after}")
        elif draw.random() < 0.4:
            client.close(uri)
            del texts[uri]
        else:
            at, said = len(before), texts.pop(uri)
            texts[uri] = f"Y{version}{said}"
            client.change(uri, version, edit(0, at, at, f"Y{version}"))
        if texts or beside:
            assert shown() == [disk, *texts.values()][-1]
    assert client.errors == []


def test_a_text_that_is_still_read_is_kept_with_its_edits(client: Client, tmp_path: Path) -> None:
    file, text = tmp_path / "a.mrg", SYSTEM * 10_000
    client.start(tmp_path)
    one, other = file.as_uri(), file.as_uri().replace("a.mrg", "a%2Emrg")
    client.open(one, text)
    client.change(one, 2, edit(0, 1, 2, "X"))
    client.open(other, text)
    client.change(other, 2, edit(0, 1, 2, "Y"))
    client.close(other)
    assert client.about("documentSymbol", one)[0]["children"][0]["name"] == "X"


def test_an_edit_beside_a_file_is_for_the_spelling_that_it_was_counted_in(
    client: Client, tmp_path: Path
) -> None:
    system = tmp_path / "a.mrg"
    client.start(tmp_path, {"workspace": {"workspaceEdit": {"documentChanges": True}}})
    client.open(system.as_uri(), SYSTEM)
    sidecar = f"{system.as_uri()}.review".replace("a.mrg", "a%2Emrg")
    client.open(sidecar, "# nothing yet\n", 7)
    at = {"at": {"uri": system.as_uri(), "position": {"line": 0, "character": 0}}}
    made = client.request("treelens/review", {**at, "state": "question"})["edit"]
    (change,) = made["documentChanges"]
    assert change["textDocument"] == {"uri": sidecar, "version": 7}
