"""Whoever has a name is called by it in all that an editor is told: two annotators, a file and what
it was. That the command line does, too, is ``tests/scoring/cli/test_side_names.py``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from lsp_client import Client, Message
from test_actions import ACTIONS

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = ("garden", "harbour", "ferry", "marche", "hebrew")
HASH = "0123456789abcdef0123456789abcdef01234567"
REVISIONS = {"HEAD": "the last commit", "main": "main", HASH: "0123456", "~": "staged"}
"""What an editor calls them, and what they are called."""
NO_WORDS = frozenset(
    ("uri", "side", "kind", "code", "source", "command", "id", "data", "textDocument", "edit")
)
"""Fields that hold no words that anybody is shown."""
MOST = 3
"""Marks at which it is asked what can be said and done there."""


class Two:
    """Two files of which either is open as it is named, held against each other."""

    def __init__(self, client: Client, folder: Path, example: str, first: str | None) -> None:
        """``first``: the revision of the second one that the first is; None: another's file."""
        self.client, self.heard = client, list[Any]()
        sides = {who: next(EXAMPLES.glob(f"{example}.{who}.*")) for who in ("gold", "system")}
        texts = [file.read_text(encoding="utf-8") for file in sides.values()]
        ending = sides["gold"].suffix
        for who, text in zip(("anna", "boris"), texts, strict=True):
            (folder / who).mkdir()
            (folder / who / f"x{ending}").write_text(text, encoding="utf-8")
        files = [folder / who / f"x{ending}" for who in ("anna", "boris")]
        self.uris = [file.as_uri() for file in files]
        if first is not None:
            query = json.dumps({"path": str(files[1]), "ref": first})
            self.uris[0] = f"git:{files[1]}?{quote(query)}"
        else:
            (folder / "treelens.toml").write_text(
                '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\n'
            )
        client.start(folder, ACTIONS)
        language = "conllu" if ending == ".conllu" else "penn-treebank"
        for uri, text in zip(self.uris, texts, strict=True):
            item = {"uri": uri, "languageId": language, "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": item})
        if first is not None:
            self.run("pair", gold=self.uris[0], system=self.uris[1])
        self.pair = {"gold": self.uris[0], "system": self.uris[1]}

    def run(self, command: str, **argument: Any) -> None:
        params = {"command": f"treelens.{command}", "arguments": [argument]}
        self.ask("workspace/executeCommand", params)

    def ask(self, method: str, params: Message) -> Any:
        found = self.client.request(method, params)
        self.heard.append(found)
        return found

    def ask_everything(self) -> None:
        for uri in self.uris:
            about = {"textDocument": {"uri": uri}}
            marks = self.ask("textDocument/diagnostic", about)["items"]
            assert marks
            for lens in self.ask("textDocument/codeLens", about):
                self.ask("codeLens/resolve", lens)
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}
            self.ask("textDocument/inlayHint", {**about, "range": whole})
            self.ask("textDocument/documentSymbol", about)
            for mark in marks[:: len(marks) // MOST + 1]:
                self._ask_at(uri, mark)
        for by in ("class", "kind", "labels", "state"):
            self.ask("treelens/worklist", {"pair": self.pair, "by": by})
        lines = self.ask("treelens/worklist", {"pair": self.pair, "limit": 9})
        for line in lines["entries"]:
            about = {"pair": self.pair, "group": line["group"]}
            self.ask("treelens/worklistTooltip", about)

    def _ask_at(self, uri: str, mark: Message) -> None:
        about = {"textDocument": {"uri": uri}, "position": mark["range"]["start"]}
        self.ask("textDocument/hover", about)
        context = {"diagnostics": [mark], "triggerKind": 1}
        self.ask("textDocument/codeAction", {**about, "range": mark["range"], "context": context})
        for layout in ("overlaid", "beside", "own"):
            self.ask("treelens/picture", {**about, "layout": layout, "latex": True})
        node = {"textDocument": {"uri": uri, "version": 1}, "range": mark["range"]}
        self.ask("treelens/editNode", {**node, "operation": "raise"})
        place = {"uri": uri, "position": about["position"]}
        for command in ("takeGold", "acceptSystem", "nextMismatch", "showCounterpart"):
            self.run(command, **place)

    def said(self) -> str:
        """All words that were heard, asked for or not."""
        told = [one.get("params") for one in self.client.seen]
        return "\n".join(_words([*self.heard, *told]))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in NO_WORDS:
                yield from _words(one)
    elif isinstance(value, list):
        for one in value:
            yield from _words(one)
    elif isinstance(value, str) and not re.match(r"(file|git):", value):
        yield value


def check(two: Two, first: str, second: str) -> None:
    two.ask_everything()
    said = two.said()
    assert first in said
    assert second in said
    wrong = [
        said[max(one.start() - 40, 0) : one.end() + 20]
        for one in re.finditer(r"\b(gold|system)\b(?!-ui)", said, re.IGNORECASE)
    ]
    assert not wrong, wrong[:9]


@pytest.mark.parametrize("example", TEXTS)
def test_two_annotators(client: Client, tmp_path: Path, example: str) -> None:
    check(Two(client, tmp_path, example, None), "anna", "boris")


@pytest.mark.parametrize(("example", "revision"), [*zip(TEXTS, [*REVISIONS, "HEAD"], strict=True)])
def test_a_file_and_what_it_was(
    client: Client, tmp_path: Path, revision: str, example: str
) -> None:
    two = Two(client, tmp_path, example, revision)
    two.run("since", **two.pair, called="it was opened")
    check(two, REVISIONS[revision], "the working file")
