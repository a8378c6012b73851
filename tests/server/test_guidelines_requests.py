"""The guidelines of Universal Dependencies behind the typing, over real standard streams and with
the real validator."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lsp_client import PULL, Client, Message, edit
from treelens.cli.ud_workers import NOT_INSTALLED, NoValidator
from treelens.session.guidelines import Checks, FileBefore
from treelens_server import validator
from treelens_server.validator import Validator

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("udtools") is None, reason="udtools is not installed"
)

CONFIG = '[validate]\nlanguage = "en"\nlevel = 5\n'
ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t{}\n"


def sentence(number: int, relation: str = "nsubj") -> str:
    return (
        f"# sent_id = s{number}\n# text = Dogs bark.\n"
        + ROW.format(1, "Dogs", "dog", "NOUN", "Number=Plur", 2, relation, "_")
        + ROW.format(2, "bark", "bark", "VERB", "Mood=Ind|VerbForm=Fin", 0, "root", "SpaceAfter=No")
        + ROW.format(3, ".", ".", "PUNCT", "_", 2, "punct", "_")
        + "\n"
    )


TEXT = sentence(1) + sentence(2, "nsubj:so") + sentence(3)
_RELATION = TEXT.split("\n")[8].index("nsubj:so")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "treelens.toml").write_text(CONFIG, encoding="utf-8")
    with Client() as started:
        started.start(tmp_path, PULL)
        yield started
        assert not started.errors, b"".join(started.errors).decode()


def uri_of(client: Client, tmp_path: Path, text: str = TEXT, name: str = "a.conllu") -> str:
    (tmp_path / name).write_text(text, encoding="utf-8")
    uri = (tmp_path / name).as_uri()
    client.open(uri, text)
    return uri


def status(client: Client, there: Callable[[Message], bool]) -> Message:
    found: Message = client.wait_for(
        "treelens/guidelines", lambda params: any(map(there, params["files"]))
    )
    return next(one for one in found["files"] if there(one))


def marks(client: Client, uri: str, tests: list[str]) -> list[Message]:
    """What is published of a file, once it is of some tests."""
    found: Message = client.wait_for(
        "textDocument/publishDiagnostics",
        lambda params: (
            params["uri"] == uri and sorted(one["code"] for one in params["diagnostics"]) == tests
        ),
    )
    diagnostics: list[Message] = found["diagnostics"]
    return diagnostics


def test_what_breaks_the_guidelines_is_marked_and_follows_what_is_typed(
    client: Client, tmp_path: Path
) -> None:
    uri = uri_of(client, tmp_path)
    (mark,) = marks(client, uri, ["unknown-deprel"])
    assert mark["range"] == {
        "start": {"line": 8, "character": _RELATION},
        "end": {"line": 8, "character": _RELATION + 8},
    }
    assert mark["severity"] == 1
    assert mark["message"].endswith("(UD level 4)")
    assert mark["codeDescription"]["href"].startswith("https://")
    said = status(client, lambda one: one["text"] == "UD 3 of 5")
    assert said["detail"] == ("Universal Dependencies: level 3 of 5 is passed; 1 error, 0 warnings")
    client.change(uri, 2, edit(8, _RELATION, _RELATION + 8, "nsubj"))
    marks(client, uri, [])
    status(client, lambda one: one["text"] == "UD 5 ✓")
    # The mark of a sentence stays with it when others come before it.
    client.change(uri, 3, edit(8, _RELATION, _RELATION + 5, "nsubj:so"))
    marks(client, uri, ["unknown-deprel"])
    client.change(uri, 4, edit(0, 0, 0, sentence(9)))
    (mark,) = client.wait_for(
        "textDocument/publishDiagnostics",
        lambda p: [one["range"]["start"]["line"] for one in p["diagnostics"]] == [14],
    )["diagnostics"]
    assert mark["code"] == "unknown-deprel"


def test_what_a_sentence_says_of_others_is_looked_at_again(client: Client, tmp_path: Path) -> None:
    uri = uri_of(client, tmp_path, sentence(1) + sentence(2) + sentence(1))
    (mark,) = marks(client, uri, ["non-unique-sent-id"])
    assert mark["range"]["start"]["line"] == 12
    # The other one with that ID gets another one: this sentence is not wrong any more.
    client.change(uri, 2, edit(0, 13, 14, "7"))
    marks(client, uri, [])


def test_nothing_is_looked_at_that_nobody_asked_for(client: Client, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "treelens.toml").write_text("", encoding="utf-8")
    client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (tmp_path / "treelens.toml").as_uri(), "type": 2}]},
    )
    uri = uri_of(client, tmp_path)
    client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    # Asked for later, it is looked at without the file being opened again.
    (tmp_path / "treelens.toml").write_text(CONFIG, encoding="utf-8")
    client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (tmp_path / "treelens.toml").as_uri(), "type": 2}]},
    )
    marks(client, uri, ["unknown-deprel"])


def test_without_the_validator_one_message_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "path"
    elsewhere.mkdir()
    (elsewhere / "udtools.py").write_text("raise ImportError", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{elsewhere}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    (tmp_path / "treelens.toml").write_text(CONFIG, encoding="utf-8")
    with Client() as client:
        client.start(tmp_path, PULL)
        uri_of(client, tmp_path)
        told: Message = client.wait_for("window/showMessage")
        assert "pip install 'treelens[ud]'" in told["message"]


@pytest.mark.parametrize(("answer", "status"), [("", 3), ('{"incid', 3), ("", 1)])
def test_a_validator_that_ends_slowly_still_says_why(
    answer: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its output is at an end before it is itself.
    ends = f"import os, time; os.write(1, {answer!r}.encode()); os.close(1); time.sleep(0.3); "
    monkeypatch.setattr(validator, "COMMAND", (sys.executable, "-c", f"{ends}os._exit({status})"))

    nothing = FileBefore(*[False] * 5)

    async def asked() -> str:
        with pytest.raises(NoValidator) as told:
            await Validator(Checks("en", 5)).incidents(b"", 0, nothing)
        return str(told.value)

    assert (asyncio.run(asked()) == NOT_INSTALLED) == (status == 3)


def test_nothing_of_the_workspace_is_run(client: Client, tmp_path: Path) -> None:
    (tmp_path / "udtools.py").write_text("raise ImportError", encoding="utf-8")
    uri = uri_of(client, tmp_path)
    marks(client, uri, ["unknown-deprel"])


def test_faults_of_the_configuration_are_marked_where_they_are(tmp_path: Path) -> None:
    text = '[consistency]\nteir = "A"\ndigests = 1\n\n[validate]\nlanguage = 3\nlevel = 9\n'
    (tmp_path / "treelens.toml").write_text(text, encoding="utf-8")
    uri = (tmp_path / "treelens.toml").as_uri()
    with Client() as client:
        client.start(tmp_path, PULL)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        found = client.wait_for(
            "textDocument/publishDiagnostics",
            lambda p: p["uri"] == uri and len(p["diagnostics"]) == 4,
        )["diagnostics"]
    assert {one["range"]["start"]["line"]: one["message"] for one in found} == {
        1: "“teir” is not known in [consistency]: files, kinds, on, tier, against, digests are",
        2: "digests in [consistency] is true or false; left out",
        5: "language is a code such as “en”, or “ud”; left out",
        6: "level is 1 to 5; left out",
    }
