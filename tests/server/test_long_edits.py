"""Edits of many files, or of all of one: the loop, on which all else waits, does nothing for each
place that they change."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Message
from test_shares import Wire
from treelens_server.background import Background, Later, ModifiedError

CAPABILITIES = [
    {},
    {"workspaceEdit": {"documentChanges": True}},
    {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}},
]
TREE = "(S (NP (N 𝔸)) (VP (V see) (NP (N it))))\n"
OTHER = TREE.replace("VP", "XP")


class _Told:
    """A server in this process, and the long work that it was last asked for."""

    def __init__(self, folder: Path, able: Message, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Background, "answer", self._answer)
        plain = copy.deepcopy(PULL)
        plain["workspace"] |= {"applyEdit": True, **able}
        self.wire = Wire(plain, folder.as_uri())
        self._later: list[Later] = []

    def _answer(self, later: Later, token: Any = None) -> None:
        self._later.append(later)

    def work_done(
        self, name: str, argument: Message, *meanwhile: Callable[[], object]
    ) -> tuple[Message, int]:
        """The edit that comes of a command, and calls of functions on the loop after the work.
        ``meanwhile``: what is done while the thread works, each time that it does."""
        doing = iter(meanwhile)
        self.wire.ask("workspace/executeCommand", {"command": name, "arguments": [argument]})
        later: Any = self._later.pop()
        calls = 0

        def count(_: object, event: str, __: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sent: list[bytes] = []
        self.wire.write = sent.append  # type: ignore[method-assign]
        while isinstance(later, Later):
            found = later.work(lambda _: None)
            next(doing, lambda: None)()
            sys.setprofile(count)
            try:
                later = later.then(found)
            finally:
                sys.setprofile(None)
        said = [json.loads(one.partition(b"\r\n\r\n")[2]) for one in sent]
        (edit,) = (one["params"]["edit"] for one in said if one["method"] == "workspace/applyEdit")
        return edit, calls


@pytest.mark.parametrize("able", CAPABILITIES)
def test_a_name_is_changed_everywhere_beside_the_loop(
    able: Message, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_calls = set()
    for many in (1, 5):
        folder = tmp_path / str(many)
        folder.mkdir()
        texts = {f"c{number}.mrg": TREE * (number + 1) for number in range(8 * many)}
        for name, text in texts.items():
            (folder / name).write_text(text)
        told = _Told(folder, able, monkeypatch)
        here = (folder / "c0.mrg").as_uri()
        for name in ("c0.mrg", "c1.mrg"):
            told.wire.open((folder / name).as_uri(), texts[name])
        at = {"uri": here, "position": {"line": 0, "character": 5}}
        argument = {**at, "newName": "QP", "scope": "workspace"}
        edit, calls = told.work_done("treelens.rename", argument)
        changes = edit.get("changes") or {
            one["textDocument"]["uri"]: one["edits"] for one in edit["documentChanges"]
        }
        assert {uri.rpartition("/")[2]: len(one) for uri, one in changes.items()} == {
            name: 2 * len(text.splitlines()) for name, text in texts.items()
        }
        first, second = changes[(folder / "c3.mrg").as_uri()][:2]
        assert first["range"]["start"] == {"line": 0, "character": 4}
        assert second["range"]["end"] == {"line": 0, "character": 30}
        assert second["newText"] == "QP"
        versions = [one["textDocument"]["version"] for one in edit.get("documentChanges", ())]
        assert versions in ([], [1, 1, *[None] * (len(texts) - 2)])
        notes = edit.get("changeAnnotations", {})
        for uri, edits in changes.items():
            assert {one.get("annotationId") for one in edits} == {uri if uri in notes else None}
        asks = "changeAnnotationSupport" in able.get("workspaceEdit", ())
        assert len(notes) == (len(texts) - 1 if asks else 0)
        assert here not in notes
        all_calls.add(calls)
    assert len(all_calls) == 1


@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize("same", [True, False])
def test_a_file_that_is_opened_meanwhile_is_changed_as_it_was_read(
    step: int, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``step``: whether it is while files are read, or while the edit is put together."""
    files = [tmp_path / f"c{number}.mrg" for number in range(3)]
    for file in files:
        file.write_text(TREE)
    told = _Told(tmp_path, CAPABILITIES[1], monkeypatch)
    here, then = (file.as_uri() for file in files[:2])
    told.wire.open(here, TREE)
    argument = {"uri": here, "position": {"line": 0, "character": 5}}
    argument |= {"newName": "QP", "scope": "workspace"}

    def opened() -> None:
        told.wire.open(then, TREE if same else OTHER + TREE)

    meanwhile = [lambda: None] * step + [opened]
    if not same:
        with pytest.raises(ModifiedError):
            told.work_done("treelens.rename", argument, *meanwhile)
        return
    edit, _ = told.work_done("treelens.rename", argument, *meanwhile)
    changes = {one["textDocument"]["uri"]: one for one in edit["documentChanges"]}
    versions = {uri: one["textDocument"]["version"] for uri, one in changes.items()}
    assert versions == {here: 1, then: 1, files[2].as_uri(): None}
    assert [len(one["edits"]) for one in changes.values()] == [2, 2, 2]


def test_all_of_a_file_is_taken_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_calls = set()
    for many in (5, 50):
        told = _Told(tmp_path, {}, monkeypatch)
        gold, system = (f"file:///nowhere/a.{side}.mrg" for side in ("gold", "system"))
        told.wire.open(gold, TREE * many)
        told.wire.open(system, OTHER * many)
        place = {"line": 0, "character": 1}
        actions = told.wire.ask(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": system},
                "range": {"start": place, "end": place},
                "context": {"diagnostics": [], "only": ["source.takeGold"]},
            },
        )
        (argument,) = actions[-1]["arguments"]
        edit, calls = told.work_done("treelens.apply", argument)
        assert len(edit["changes"][system]) == many
        all_calls.add(calls)
    assert len(all_calls) == 1
