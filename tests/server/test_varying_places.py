"""Places of what varies are those of the texts as they are, whether what was typed last has been
looked at or not: each question arrives together with the edit before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client, Message, edit, framed
from test_varying_as_offered import MANY, NEW, Corpus, able, changed

HERE = {"line": 0, "character": 18}


@pytest.fixture
def corpus(client: Client, tmp_path: Path) -> Corpus:
    made = Corpus(client, tmp_path, able())
    client.open(made.other_uri, MANY)
    made.look()
    return made


def asked(corpus: Corpus, before: Message, method: str, params: Message) -> Any:
    question = {"id": "asked", "method": method, "params": params}
    corpus.client.send_raw(framed(before) + framed(question))
    return corpus.client.response("asked")["result"]


def shown(corpus: Corpus, before: Message, command: str, uri: str, line: int) -> tuple[str, int]:
    place = {"uri": uri, "position": {"line": line, "character": 18}}
    params = {"command": f"treelens.{command}", "arguments": [place]}
    asked(corpus, before, "workspace/executeCommand", params)
    found = corpus.client.wait_for("window/showDocument")
    return found["uri"], found["selection"]["start"]["line"]


def test_another_place_is_where_it_has_been_moved(corpus: Corpus) -> None:
    moved = changed(corpus.other_uri, edit(0, 0, 0, NEW))
    found = asked(corpus, moved, "treelens/elsewhere", {"uri": corpus.uri, "position": HERE})
    assert (found["uri"], found["position"]["line"]) == (corpus.other_uri, 1)


def test_a_place_whose_sentence_was_edited_is_passed_by(corpus: Corpus) -> None:
    typed = changed(corpus.other_uri, edit(0, 0, 1, ""))
    assert shown(corpus, typed, "otherPlace", corpus.uri, 0) == (corpus.other_uri, 1)


def test_the_next_one_is_where_it_has_been_moved(corpus: Corpus) -> None:
    moved = changed(corpus.uri, edit(0, 0, 0, NEW))
    assert shown(corpus, moved, "nextVariation", corpus.other_uri, 2) == (corpus.uri, 1)


def test_the_cursor_is_where_it_is_in_the_text(corpus: Corpus) -> None:
    moved = changed(corpus.uri, edit(0, 0, 0, NEW))
    assert shown(corpus, moved, "otherPlace", corpus.uri, 1)[0] == corpus.other_uri


def test_in_what_is_new_nothing_is_known_to_vary(corpus: Corpus) -> None:
    moved = changed(corpus.uri, edit(0, 0, 0, NEW))
    here = {"uri": corpus.uri, "position": HERE}
    assert asked(corpus, moved, "treelens/elsewhere", here) is None


def test_all_places_are_listed_where_they_are(corpus: Corpus) -> None:
    moved = changed(corpus.other_uri, edit(0, 0, 1, ""), edit(0, 0, 0, NEW))
    (found,) = asked(corpus, moved, "treelens/variations", {})["variations"]
    places = [(spot["uri"], spot["range"]["start"]["line"]) for spot in found["spots"]]
    assert places == [(corpus.uri, 0), (corpus.other_uri, 2), (corpus.other_uri, 3)]


def test_sentences_are_drawn_as_they_are(corpus: Corpus) -> None:
    typed = changed(corpus.uri, edit(0, 0, 0, NEW), edit(1, 1, 2, "SX"))
    here = {"line": 1, "character": 18}
    other = {"uri": corpus.other_uri, "position": HERE}
    params = {"textDocument": {"uri": corpus.uri}, "position": here, "other": other}
    found = asked(corpus, typed, "treelens/pictureBeside", params)
    assert found["title"] == "b.mrg, sentence 2 and a.mrg, sentence 1"
    assert {"SX", "S"} <= {node["label"] for node in found["nodes"]}
