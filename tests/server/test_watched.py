"""What the client is asked to watch: all that may be compared with what is open, there or not."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path, PurePath
from random import Random
from typing import Any

import pytest
from lsp_client import Client
from test_shares import Wire
from treelens_server import documents

GOLD = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
SYSTEM = "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n"


class Disk:
    """Writes and deletes files, and says so of those that the client was asked to watch."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def write(self, path: Path, text: str) -> None:
        kind = 2 if path.exists() else 1
        path.write_text(text)
        self._tell(path, kind)

    def delete(self, path: Path) -> None:
        path.unlink()
        self._tell(path, 3)

    def _tell(self, path: Path, kind: int) -> None:
        # (An answer is behind all that was asked for before.)
        self.client.request("treelens/pairs", {"uri": path.as_uri()})
        asked = [one for one in self.client.seen if one["method"] == "client/registerCapability"]
        (registered,) = asked[-1]["params"]["registrations"]
        if any(
            _fits(path, one["globPattern"]) for one in registered["registerOptions"]["watchers"]
        ):
            event = {"uri": path.as_uri(), "type": kind}
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})


def _fits(path: Path, pattern: Any) -> bool:
    if isinstance(pattern, str):
        return PurePath(path.name).match(pattern.removeprefix("**/"))
    return (path.parent.as_uri(), path.name) == (pattern["baseUri"], pattern["pattern"])


@pytest.mark.parametrize("told", [True, False])
def test_a_configuration_is_taken_whoever_reads_it_first(
    told: bool, client: Client, tmp_path: Path
) -> None:
    config = tmp_path / "treelens.toml"
    config.write_text('[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n')
    for side, text in (("gold", GOLD), ("system", SYSTEM), ("other", GOLD)):
        (tmp_path / f"a.{side}.mrg").write_text(text)
    uri = (tmp_path / "a.gold.mrg").as_uri()
    client.start(tmp_path)
    client.open(uri, GOLD)

    def partners() -> list[str]:
        pairs = client.request("treelens/pairs", {"uri": uri})
        return [one["system"].rpartition("/")[2] for one in pairs]

    assert partners() == ["a.system.mrg"]
    config.write_text(
        '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.other.mrg"\nignore_case = true\n'
    )
    client.request("workspace/diagnostic", {"previousResultIds": []})
    if told:
        changes = [{"uri": config.as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert partners() == ["a.other.mrg"]


@pytest.mark.parametrize("config", ["", '[[pairs]]\ngold = "a.gold.mrg"\nsystem = "out.tree"\n'])
def test_a_partner_that_is_made_goes_and_comes_back(
    client: Client, tmp_path: Path, config: str
) -> None:
    gold, system = tmp_path / "a.gold.mrg", tmp_path / ("out.tree" if config else "a.system.mrg")
    gold.write_text(GOLD)
    (tmp_path / "treelens.toml").write_text(config)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    assert client.diagnostics(gold.as_uri()) == []
    disk = Disk(client)
    for _ in range(2):
        disk.write(system, SYSTEM)
        assert client.diagnostics(gold.as_uri()) != []
        disk.write(system, GOLD)
        assert client.diagnostics(gold.as_uri()) == []
        disk.write(system, SYSTEM)
        assert client.diagnostics(gold.as_uri()) != []
        disk.delete(system)
        assert client.diagnostics(gold.as_uri()) == []


def test_a_partner_of_another_ending_is_watched_when_a_file_of_its_is_opened(
    client: Client, tmp_path: Path
) -> None:
    other = tmp_path / "b.gold.ptb"
    other.write_text(GOLD)
    client.start(tmp_path)
    client.open((tmp_path / "a.mrg").as_uri(), GOLD)
    client.open(other.as_uri(), GOLD)
    assert client.diagnostics(other.as_uri()) == []
    Disk(client).write(tmp_path / "b.system.ptb", SYSTEM)
    assert client.diagnostics(other.as_uri()) != []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_partner_in_a_folder_that_is_a_link_is_noticed_by_its_other_name(
    client: Client, tmp_path: Path
) -> None:
    there, link = tmp_path / "there", tmp_path / "link"
    there.mkdir()
    link.symlink_to(there)
    (there / "a.gold.mrg").write_text(GOLD)
    gold = (link / "a.gold.mrg").as_uri()
    client.start(link)
    client.open(gold, GOLD)
    assert client.diagnostics(gold) == []
    (there / "a.system.mrg").write_text(SYSTEM)
    event = {"uri": (there / "a.system.mrg").as_uri(), "type": 1}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
    assert client.diagnostics(gold) != []


CONFIGS = {
    "": "",
    "a pattern": '[[pairs]]\ngold = "a.gold.mrg"\nsystem = "a.*.mrg"\n',
    "another folder": '[[pairs]]\ngold = "gold/*.mrg"\nsystem = "*.system.mrg"\n',
    "one": '[[pairs]]\ngold = "gold/b.mrg"\nsystem = "*.system.mrg"\n',
}
NAMES = [
    *(f"a.{end}" for end in ("gold.mrg", "system.mrg", "system.mrg.gz", "auto.mrg", "x.mrg")),
    *("gold/a.mrg", "gold/b.mrg", "gold/treelens.toml"),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("config", CONFIGS)
def test_what_files_do_one_by_one_is_what_a_server_finds_that_is_started_then(
    config: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_LOOK_EVERY", 1000.0)
    (tmp_path / "gold").mkdir()
    (tmp_path / "treelens.toml").write_text(CONFIGS[config])
    draw, texts = Random(seed), {}
    wire = _started(tmp_path, texts)
    for number in range(27):
        name = draw.choice(NAMES)
        path = tmp_path / name
        if name.endswith(".mrg") and draw.random() < 0.3:
            if texts.pop(name, None) is None:
                texts[name] = draw.choice((GOLD, SYSTEM))
                wire.open(path.as_uri(), texts[name])
            else:
                wire.tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
        elif path.exists() and draw.random() < 0.5:
            path.unlink()
            _tell(wire, path)
        else:
            text = draw.choice((GOLD, SYSTEM, SYSTEM * 2))
            path.write_text(draw.choice(("", CONFIGS["one"])) if path.suffix == ".toml" else text)
            _tell(wire, path)
        said = _said(wire, tmp_path, texts)  # (Who asks may be told of what is on disk.)
        if number % 3 == 2:  # (A server that is started takes longer than all else here.)
            assert said == _said(_started(tmp_path, texts), tmp_path, texts), name


def _started(folder: Path, texts: dict[str, str]) -> Wire:
    wire = Wire()
    event = {"added": [{"uri": folder.as_uri(), "name": ""}], "removed": []}
    wire.tell("workspace/didChangeWorkspaceFolders", {"event": event})
    for name, text in texts.items():
        wire.open((folder / name).as_uri(), text)
    return wire


def _tell(wire: Wire, path: Path) -> None:
    changes = [{"uri": path.as_uri(), "type": 2}]
    wire.tell("workspace/didChangeWatchedFiles", {"changes": changes})


def _said(wire: Wire, folder: Path, names: Iterable[str]) -> list[Any]:
    found = []
    for name in names:
        uri = (folder / name).as_uri()
        marks = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        lenses = wire.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        found.append((name, wire.ask("treelens/pairs", {"uri": uri}), marks, lenses))
    return found
