"""What helps to find one's way in a treebank, over real standard streams."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_client import Client, Message, edit

TABLE = (
    "# sent_id = x-1\n1\t𝔸a\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        started.start(tmp_path)
        yield started


def place(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def test_calls_go_from_heads_to_dependents(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    client.open(uri, TABLE)
    (word,) = client.about("prepareCallHierarchy", uri, position=place(1, 3))
    assert (word["name"], word["detail"], word["uri"]) == ("𝔸a", "DET · det", uri)
    assert word["selectionRange"] == {"start": place(1, 2), "end": place(1, 5)}
    assert word["range"] == {"start": place(1, 0), "end": place(1, 25)}
    (call,) = client.request("callHierarchy/incomingCalls", {"item": word})
    assert (call["from"]["name"], call["from"]["detail"]) == ("dog", "NOUN · root")
    assert call["fromRanges"] == [{"start": place(2, 2), "end": place(2, 5)}]
    (back,) = client.request("callHierarchy/outgoingCalls", {"item": call["from"]})
    assert back["to"] == word
    assert client.request("callHierarchy/outgoingCalls", {"item": word}) == []
    assert client.about("prepareCallHierarchy", uri, position=place(0, 3)) is None
    assert client.errors == []


def test_nothing_is_called_by_a_word_that_is_another_by_now(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "a.conllu").as_uri()
    client.open(uri, TABLE)
    (dog,) = client.about("prepareCallHierarchy", uri, position=place(2, 3))
    assert client.request("callHierarchy/outgoingCalls", {"item": dog})
    client.change(
        uri, 2, edit(1, 0, 2, "9\t"), edit(2, 0, 0, "1\tcat\t_\tX\t_\t_\t0\troot\t_\t_\n")
    )
    for calls in ("incoming", "outgoing"):
        assert client.request(f"callHierarchy/{calls}Calls", {"item": dog}) == []


def test_sentences_are_found_in_all_files_also_in_partners_that_are_not_open(
    client: Client, tmp_path: Path
) -> None:
    gold, system = (tmp_path / f"a.{side}.mrg" for side in ("gold", "system"))
    for file in (gold, system):
        file.write_text("(S (N x))\n(S (D 𝔸) (N dog) (SBAR (V barks)))\n")
    client.open(gold.as_uri(), gold.read_text())
    client.diagnostics(gold.as_uri())
    found = client.request("workspace/symbol", {"query": "Dog BARKS"})
    assert [(one["name"], one["containerName"]) for one in found] == [
        ("𝔸 dog barks", "a.gold.mrg · 2"),
        ("𝔸 dog barks", "a.system.mrg · 2"),
    ]
    assert [one["location"]["uri"] for one in found] == [gold.as_uri(), system.as_uri()]
    assert found[0]["location"]["range"] == {"start": place(1, 13), "end": place(1, 32)}
    assert len(client.request("workspace/symbol", {"query": "SBAR"})) == 2
    assert client.request("workspace/symbol", {"query": ""}) == []
    assert client.errors == []
