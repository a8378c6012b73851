"""What the client is asked to watch: all that may be compared with what is open, there or not."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

import pytest
from lsp_client import Client

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
