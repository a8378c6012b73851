"""One document under several spellings of its URI, as some clients have it."""

from __future__ import annotations

from pathlib import Path

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
