"""What helps to find one's way in a treebank, over real standard streams."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_client import Client, Message

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
