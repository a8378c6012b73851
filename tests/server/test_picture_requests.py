"""Pictures and edits from them over real standard streams: places, versions, undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client
from test_actions import GOLD, SYSTEM, Desk

MIRRORED = "(S (NP (N ילד)) (VP (V אכל)))\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Client() as client:
        yield Desk(client, tmp_path)


def drawn(desk: Desk, uri: str, line: int = 0, character: int = 6, **more: Any) -> Any:
    place = {"line": line, "character": character}
    params = {"textDocument": {"uri": uri}, "position": place, "layout": "overlaid", **more}
    return desk.client.request("treelens/picture", params)


def edit(desk: Desk, uri: str, node: Any, operation: str, **more: Any) -> Any:
    document = {"uri": uri, "version": desk.versions[uri]}
    (place,) = (place for place in node["places"] if place["uri"] == uri)
    params = {"textDocument": document, "range": place["range"], "operation": operation, **more}
    return desk.client.request("treelens/editNode", params)


def written(desk: Desk, place: Any, key: str) -> str:
    start, end = (desk._offset(place["uri"], place[key][one]) for one in ("start", "end"))
    units = desk.texts[place["uri"]].encode("utf-16-le")
    return units[start:end].decode("utf-16-le")


def test_a_picture_says_where_things_are_written(desk: Desk) -> None:
    found = drawn(desk, desk.system)
    assert found["title"].startswith("Sentence 1 · F1 ")
    assert (found["version"], found["sentence"], found["message"]) == (1, 0, None)
    assert [(one["name"], one["active"]) for one in found["partners"]] == [("a.gold.mrg", True)]
    nodes = {node["id"]: node for node in found["nodes"]}
    np = nodes["g:0-1.0"]
    assert (np["label"], np["state"], np["side"]) == ("NP", "mislabelled", "both")
    # The asked document's place comes first.
    assert [place["uri"] for place in np["places"]] == [desk.system, desk.gold]
    assert [written(desk, place, "range") for place in np["places"]] == [
        "(NX (N 𝔸𝔹))",
        "(NP (N 𝔸𝔹))",
    ]
    assert [written(desk, place, "selection") for place in np["places"]] == ["NX", "NP"]
    assert found["at"] == "g:0-1.0"
    assert drawn(desk, desk.system, character=11)["at"] == "g:w0"
    assert found["svg"].startswith("<svg ")
    assert found["latex"] is None
    assert r"\begin{forest}" in drawn(desk, desk.system, latex=True)["latex"]


def test_layouts_folds_and_partners(desk: Desk) -> None:
    ids = {
        layout: {node["id"] for node in drawn(desk, desk.gold, layout=layout)["nodes"]}
        for layout in ("overlaid", "beside", "own")
    }
    assert all(id.startswith("g:") for id in ids["own"])
    assert any(id.startswith("s:") for id in ids["beside"])
    assert ids["own"] < ids["beside"]
    folded = drawn(desk, desk.gold, folded=["g:1-4.0"], all=True)
    assert [node["id"] for node in folded["nodes"] if node["folded"]] == ["g:1-4.0"]
    assert len(folded["nodes"]) < len(ids["overlaid"])


def test_an_edit_in_the_picture_is_one_edit_of_the_text(desk: Desk) -> None:
    nodes = {node["id"]: node for node in drawn(desk, desk.system)["nodes"]}
    answer = edit(desk, desk.system, nodes["g:0-1.0"], "relabel", argument="NP")
    desk.make(answer["edit"])
    assert desk.texts[desk.system] == SYSTEM.replace("NX", "NP")
    after = {node["id"]: node for node in drawn(desk, desk.system)["nodes"]}
    assert after["g:0-1.0"]["state"] == "matched"


def test_attaching_has_a_target(desk: Desk) -> None:
    nodes = {node["id"]: node for node in drawn(desk, desk.gold)["nodes"]}
    target = nodes["g:0-4.0"]["places"][0]["range"]
    answer = edit(desk, desk.gold, nodes["g:2-4.0"], "attach", target=target)
    desk.make(answer["edit"])
    assert desk.texts[desk.gold] == GOLD.replace(
        "(V see) (NP (D the) (N sea)))", "(V see)) (NP (D the) (N sea))"
    )


def test_what_cannot_be_done_is_refused_with_the_reason(desk: Desk) -> None:
    nodes = {node["id"]: node for node in drawn(desk, desk.gold)["nodes"]}
    answer = edit(desk, desk.gold, nodes["g:0-1.0"], "relabel", argument="a b")
    assert answer == {"refused": "“a b” cannot be a label: labels have no blanks and no brackets"}
    desk.versions[desk.gold] += 1
    answer = edit(desk, desk.gold, nodes["g:0-1.0"], "delete")
    assert answer["refused"].startswith("the text has changed")


@pytest.mark.parametrize("version", [None, 2**40])
def test_who_says_no_version_that_is_one_means_the_text_as_it_is(
    desk: Desk, version: int | None
) -> None:
    """Of a client that counts otherwise, the server has numbers of its own."""
    nodes = {node["id"]: node for node in drawn(desk, desk.system)["nodes"]}
    params = {
        "textDocument": {"uri": desk.system} | ({"version": version} if version else {}),
        "range": nodes["g:0-1.0"]["places"][0]["range"],
        "operation": "relabel",
        "argument": "NP",
    }
    assert "edit" in desk.client.request("treelens/editNode", params)


def test_a_file_that_is_not_open_has_no_version(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "a.gold.mrg").write_text(GOLD, encoding="utf-8")
    desk.client.close(desk.gold)
    nodes = {node["id"]: node for node in drawn(desk, desk.system)["nodes"]}
    params = {
        "textDocument": {"uri": desk.gold},
        "range": nodes["g:0-1.0"]["places"][1]["range"],
        "operation": "relabel",
        "argument": "NX",
    }
    (change,) = desk.client.request("treelens/editNode", params)["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": desk.gold, "version": None}
    assert [one["newText"] for one in change["edits"]] == ["NX"]


def test_an_id_stands_behind_the_scores(desk: Desk) -> None:
    uris = [uri.replace("/a.", "/b.") for uri in (desk.gold, desk.system)]
    for uri in uris:
        desk.client.open(uri, "# sent_id = weblog-1\n(S (N x))\n")
    title = drawn(desk, uris[0], line=1)["title"]
    assert title.startswith("Sentence 1 · F1 100.00")
    assert title.endswith(" · weblog-1")


def test_a_broken_sentence_is_called_so_in_both_files(desk: Desk) -> None:
    gold, system = (uri.replace("/a.", "/b.") for uri in (desk.gold, desk.system))
    desk.client.open(gold, "(S (N x) (N y))\n(S (N z))\n")
    desk.client.open(system, "(S (N x) (N y)\n(S (N z))\n")
    said = "Sentence 1 · broken: (S is not closed before the next tree · F1 "
    assert drawn(desk, system)["title"].startswith(said)
    assert drawn(desk, gold)["title"].startswith("Sentence 1 · broken in b.system.mrg · F1 ")
    assert drawn(desk, gold, line=1)["title"].startswith("Sentence 2 · F1 ")


def test_right_to_left_neighbours_are_as_drawn(desk: Desk) -> None:
    desk.client.change(desk.gold, 2, {"text": MIRRORED})
    found = drawn(desk, desk.gold, layout="own")
    words = {node["id"]: node for node in found["nodes"] if node["kind"] == "word"}
    assert found["mirrored"]
    assert (words["g:w0"]["next"], words["g:w0"]["previous"]) == (None, "g:w1")


def test_nothing_to_draw(desk: Desk) -> None:
    desk.client.change(desk.gold, 2, {"text": "\n"})
    assert drawn(desk, desk.gold) is None
    desk.client.change(desk.gold, 3, {"text": "(())\n"})
    assert "no words" in drawn(desk, desk.gold)["message"]
