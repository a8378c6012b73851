"""Of what is rare the other places are not known: nothing is to be taken from them, or gone to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client
from test_varying_as_offered import able

USUAL = "".join(f"(S (NP (DT the) (NN run)) (VP (VB v{number})))\n" for number in range(10))
RARE = "(S (FRAG (DT the) (NN run)) (VP (VB was)))\n"
CONFIG = '[consistency]\nkinds = ["rare"]\ntier = "C"\n'


@pytest.fixture
def opened(client: Client, tmp_path: Path) -> Any:
    """A file whose first sentence has what is rare, and the first mark there."""
    (tmp_path / "treelens.toml").write_text(CONFIG)
    (tmp_path / "a.mrg").write_text(RARE + USUAL)
    uri = (tmp_path / "a.mrg").as_uri()
    client.start(tmp_path, able())
    client.open(uri, RARE + USUAL)
    client.request("workspace/executeCommand", {"command": "treelens.consistency"})
    found = client.wait_for("textDocument/publishDiagnostics", lambda it: bool(it["diagnostics"]))
    (mark,) = (one for one in found["diagnostics"] if one["message"].startswith("FRAG is rare"))
    return client, uri, mark


def test_it_may_be_right_and_there_is_nothing_to_take(opened: Any) -> None:
    client, uri, mark = opened
    context = {"diagnostics": [mark], "triggerKind": 1, "only": ["quickfix"]}
    found = client.about("codeAction", uri, range=mark["range"], context=context)
    titles = [one["title"] for one in found if "treelens.consistent" in one["title"]]
    assert "FRAG is right here: remember it in treelens.consistent" in titles
    assert not any(title.startswith("Annotate") for title in (one["title"] for one in found))


def test_it_is_said_above_the_sentence_and_leads_nowhere(opened: Any) -> None:
    client, uri, _ = opened
    lenses = [one["command"] for one in client.about("codeLens", uri) if "command" in one]
    (lens,) = (one for one in lenses if one["title"].startswith("varies: FRAG is rare here"))
    assert lens["command"] == ""
