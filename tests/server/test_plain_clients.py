"""Clients that can do less than VS Code are answered in what they can show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, PUSH, Client, Message, edit

GOLD = "(S (NP (D the) (N c*t)) (VP (V sat)))\n(S (NP (N dogs)) (VP (V bark)))\n"
SYSTEM = GOLD.replace("NP (N", "XP (N")
ROWS = (
    "1\tget\tget\tVERB\t_\t_\t0\troot\t_\t_\n2\tback\tback\tADV\t_\t_\t1\t{}\t_\t_\n"
    "3\tto\tto\tADP\t_\t_\t1\tcase\t_\t_\n\n"
)
"""What varies between sentences: a relation."""


def opened(client: Client, folder: Path, capabilities: Message) -> tuple[str, str]:
    client.start(folder, capabilities)
    gold, system = ((folder / f"a.{side}.mrg").as_uri() for side in ("gold", "system"))
    client.open(gold, GOLD)
    client.open(system, SYSTEM)
    return gold, system


def can(**more: Any) -> Message:
    """What a client that pulls can do, without what VS Code can besides."""
    diagnostic = PULL["textDocument"]["diagnostic"]
    return {**PULL, "textDocument": {"diagnostic": diagnostic, **more}}


@pytest.mark.parametrize("order", [["plaintext"], ["plaintext", "markdown"]])
def test_a_hover_has_no_markup_for_who_would_rather_have_none(
    order: list[str], client: Client, tmp_path: Path
) -> None:
    gold, _ = opened(client, tmp_path, can(hover={"contentFormat": order}))
    found = client.about("hover", gold, position={"line": 0, "character": 1})["contents"]
    assert found["kind"] == "plaintext"
    assert "Sentence 1 of 2 · 3 words\n\nthe c*t sat\n\nagainst a.system.mrg" in found["value"]
    assert "brackets" in found["value"]
    assert not [one for one in ("**", "|", "\\", "\n>") if one in found["value"]]
    for has_format in (None, ["markdown"], ["markdown", "plaintext"]):
        with Client() as other:
            more = {} if has_format is None else {"hover": {"contentFormat": has_format}}
            opened(other, tmp_path, can(**more))
            found = other.about("hover", gold, position={"line": 0, "character": 1})["contents"]
            assert (found["kind"], "**" in found["value"]) == ("markdown", True)


def test_what_varies_is_said_without_markup_too(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path, can(hover={"contentFormat": ["plaintext"]}))
    text = "".join(map(ROWS.format, ("advmod", "prt", "prt")))
    (tmp_path / "v.conllu").write_text(text)
    uri = (tmp_path / "v.conllu").as_uri()
    client.open(uri, text)
    client.request(
        "workspace/executeCommand", {"command": "treelens.consistency", "arguments": [{}]}
    )
    client.wait_for("textDocument/publishDiagnostics", lambda it: it["diagnostics"])
    found = client.about("hover", uri, position={"line": 1, "character": 3})["contents"]
    assert (found["kind"], "---" in found["value"]) == ("plaintext", True)
    assert "**" not in found["value"]


def flat(symbols: list[Message], uri: str, above: str | None = None) -> list[Message]:
    """An outline as a list, as the protocol had it first."""
    found = []
    for one in symbols:
        symbol = {"name": one["name"], "kind": one["kind"]}
        symbol["location"] = {"uri": uri, "range": one["range"]}
        symbol |= {} if above is None else {"containerName": above}
        found += [symbol, *flat(one["children"], uri, one["name"])]
    return found


def test_an_outline_is_a_list_for_who_knows_of_no_other(client: Client, tmp_path: Path) -> None:
    gold, _ = opened(client, tmp_path, can())
    client.about("documentSymbol", gold)
    client.change(gold, 2, edit(0, 0, 0, "(S (X % x))\n\n"))
    listed = client.about("documentSymbol", gold)
    with Client() as other:
        opened(other, tmp_path, PULL)
        other.change(gold, 2, {"text": "(S (X % x))\n\n" + GOLD})
        assert listed == flat(other.about("documentSymbol", gold), gold)
    assert [one["name"] for one in listed if "containerName" not in one] == [
        "1: % x",
        "2: the c*t sat",
        "3: dogs bark",
    ]


@pytest.mark.parametrize("asks", [True, False])
def test_other_places_are_left_out_for_who_does_not_show_them(asks: bool, tmp_path: Path) -> None:
    def said(capabilities: Message) -> list[Message]:
        with Client() as client:
            _, system = opened(client, tmp_path, capabilities)
            if asks:
                items: list[Message] = client.about("diagnostic", system)["items"]
                return items
            fits = client.wait_for(
                "textDocument/publishDiagnostics",
                lambda it: it["uri"] == system and it["diagnostics"],
            )
            found: list[Message] = fits["diagnostics"]
            return found

    full, less = said(PULL if asks else PUSH), said(can() if asks else {})
    assert all(one.pop("relatedInformation") for one in full)
    assert full == less
    assert full != []
    if asks:
        newer = can(diagnostic={"relatedInformation": True})
        assert all("relatedInformation" in one for one in said(newer))
