"""What a keystroke, or a change of a file, costs does not depend on how many others are open."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from test_shares import Wire
from treelens.session import readings
from treelens.session.session import Link, Session
from treelens.trees.forest import Forest
from treelens_server import documents
from treelens_server.documents import Documents
from treelens_server.features import status
from treelens_server.files import name_of, path_of
from treelens_server.pairing import Pairing


def _ten_pairs() -> Wire:
    wire = Wire()
    for number in range(10):
        for side in ("gold", "system"):
            wire.open(f"file:///a/x{number}.{side}.mrg", "(S (N a))\n(S (N b))\n")
    return wire


def _type(wire: Wire, version: int, label: str) -> None:
    place = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}}
    identity = {"uri": "file:///a/x3.system.mrg", "version": version}
    changes = [{"range": place, "text": label}]
    wire.tell("textDocument/didChange", {"textDocument": identity, "contentChanges": changes})


def test_a_keystroke_works_out_the_status_of_its_own_pair_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    of_pair = status.status

    def counting(*arguments: object) -> object:
        asked.append(str(arguments[0]))
        return of_pair(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(status, "status", counting)
    wire = _ten_pairs()
    assert len(asked) == 10
    for version, label in enumerate(("V", "N"), 2):
        asked.clear()
        _type(wire, version, label)
        assert len(asked) == 1
        assert "x3" in asked[0]


def test_a_keystroke_looks_at_its_own_pair_only(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = _ten_pairs()
    wire.ask("treelens/worklist", {"uri": "file:///a/x3.gold.mrg"})  # (which is followed, then)
    seen: set[str] = set()

    def seeing(name: str) -> None:
        looked = getattr(Session, name)

        def look(session: Session, at: str | Link) -> Any:
            seen.update([at] if isinstance(at, str) else at[:2])
            return looked(session, at)

        monkeypatch.setattr(Session, name, look)

    for name in ("document", "snapshot", "pair", "links_of", "links_from", "earlier"):
        seeing(name)
    _type(wire, 2, "V")
    assert seen == {"file:///a/x3.gold.mrg", "file:///a/x3.system.mrg"}


@pytest.mark.parametrize(
    ("changed", "looked_at"),
    [
        ("y3.gold.mrg", set()),
        ("x3.gold.mrg.review", set()),
        ("x3.gold.mrg", {"x3.gold.mrg", "x3.system.mrg"}),
        ("x3.auto.mrg.gz", {"x3.gold.mrg", "x3.system.mrg"}),
    ],
)
def test_a_change_of_a_file_looks_at_what_may_be_compared_with_it_only(
    changed: str, looked_at: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_LOOK_EVERY", 1000.0)
    wire = _ten_pairs()
    changes = [{"uri": f"file:///a/{changed}", "type": 2}]
    wire.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    seen: set[str] = set()
    for name in ("links_of", "labels", "strict", "checks"):
        _see(monkeypatch, name, seen)
    wire.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    assert seen == looked_at


def test_what_is_told_of_many_files_one_by_one_is_looked_at_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[list[str]] = []

    def look(_: Documents, uris: list[str]) -> None:
        looked.append([uri.rsplit("/", 1)[1] for uri in uris])

    monkeypatch.setattr(Documents, "files_changed", look)
    told = [
        {"changes": [{"uri": f"file:///a/{name}", "type": 2}]} for name in ("x", "y", "z", "w", "v")
    ]
    nothing = {"changes": [{"uri": 1, "type": 2}]}
    Wire().tell("workspace/didChangeWatchedFiles", *told[:3], nothing, *told[3:])
    assert looked == [["x", "y", "z"], ["w", "v"]]


def test_a_text_that_is_edited_on_and_on_is_not_kept_in_any_of_its_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readings, "_BYTES_KEPT", (4, 0))
    wire = _ten_pairs()
    place = {"textDocument": {"uri": "file:///a/x3.system.mrg"}}
    lines = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    kept = []
    for version, label in enumerate("VN" * 30, 2):
        _type(wire, version, label)
        for request in ("diagnostic", "foldingRange", "documentSymbol", "codeLens"):
            wire.ask(f"textDocument/{request}", place)
        for request in ("inlayHint", "semanticTokens/range"):
            wire.ask(f"textDocument/{request}", {**place, "range": lines})
        gc.collect()
        kept.append(sum(type(one) is Forest for one in gc.get_objects()))
    # (Those of the last few states are, in comparisons.)
    assert max(kept[30:]) < max(kept[:30]) + 10


def _see(monkeypatch: pytest.MonkeyPatch, name: str, seen: set[str]) -> None:
    looked = getattr(Pairing, name)

    def look(pairing: Pairing, at: str, *arguments: object) -> object:
        seen.add(at.rsplit("/", 1)[-1])
        return looked(pairing, at, *arguments)

    monkeypatch.setattr(Pairing, name, look)


def test_names_of_some_thousand_files_are_worked_out_once_each() -> None:
    uris = [f"file:///many/{number}.mrg" for number in range(5000)]
    for uri in uris:
        path_of(name_of(uri))
    worked_out = path_of.cache_info().misses
    for uri in uris:
        path_of(name_of(uri))
    assert path_of.cache_info().misses == worked_out
