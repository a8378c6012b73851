"""What was said by hand to one server is said again to the next, as far as it holds by then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PULL, Client, Message, edit

TREE = "(S (NP (N we)) (VP (V see)))\n"
OTHER = TREE.replace("VP", "XP")
THIRD = TREE.replace("NP", "YP")
TEXTS = {"a.mrg": TREE, "b.mrg": OTHER, "c.mrg": THIRD, "d.gold.mrg": TREE, "d.system.mrg": OTHER}
GIT = "git:/d.system.mrg?%7B%22ref%22%3A%22HEAD%22%7D"


NONE: dict[str, Any] = {"adjudication": []}


class Window:
    """An editor: one server after the other, and what the last one said was said by hand."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.said: Message | None = None
        self._opened: dict[str, str] = {}
        for name, text in TEXTS.items():
            (folder / name).write_text(text)
        self._begin()

    def _begin(self) -> None:
        self.client = self._stack.enter_context(Client())
        self.client.start(self.folder, PULL)

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    def open(self, *names: str) -> None:
        for name in names:
            self._opened[name] = TEXTS.get(name, THIRD)
            self.client.open(self.uri(name), self._opened[name])

    def close(self, name: str) -> None:
        del self._opened[name]
        self.client.close(self.uri(name))

    def run(self, command: str, **argument: str) -> None:
        params = {"command": f"treelens.{command}", "arguments": [argument]}
        self.client.request("workspace/executeCommand", params)

    def by_hand(self) -> Message:
        self.said = found = self.client.wait_for("treelens/byHand")
        return dict(found)

    def next_server(self, *closed: str) -> Message:
        """Where some documents are closed when it starts; what it says holds."""
        self.client.process.kill()
        self._begin()
        kept = [name for name in self._opened if name not in closed]
        self._opened = {}
        self.open(*kept)
        assert self.said is not None
        self.client.notify("treelens/byHand", self.said)
        return self.by_hand()

    def pairs(self, name: str) -> list[tuple[str, str]]:
        found = self.client.request("treelens/pairs", {"uri": self.uri(name)})
        return [(one["gold"], one["system"]) for one in found]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    with ExitStack() as stack:
        yield Window(tmp_path, stack)


def pair(window: Window, gold: str, system: str) -> tuple[str, str]:
    uris = window.uri(gold), window.uri(system)
    window.run("pair", gold=uris[0], system=uris[1])
    window.by_hand()
    return uris


def test_a_pair_holds_while_one_of_its_files_is_open(window: Window) -> None:
    window.open("a.mrg", "b.mrg")
    uris = pair(window, "a.mrg", "b.mrg")
    window.next_server()
    assert window.pairs("a.mrg") == [uris]
    window.next_server("b.mrg")
    assert window.pairs("a.mrg") == [uris]
    assert window.next_server("a.mrg")["pairs"] == []
    # Nor does it come back, by this server or another one.
    window.open("a.mrg")
    assert window.pairs("a.mrg") == []
    window.next_server()
    assert window.pairs("a.mrg") == []


def test_what_ends_is_said_not_to_hold(window: Window) -> None:
    window.open("a.mrg", "b.mrg")
    pair(window, "a.mrg", "b.mrg")
    window.close("a.mrg")
    window.close("b.mrg")
    assert window.by_hand()["pairs"] == []
    window.open("a.mrg", "b.mrg")
    uris = pair(window, "b.mrg", "a.mrg")
    window.run("unpair", uri=uris[0])
    assert window.by_hand() == {"pairs": [], "alone": [], "since": [], "together": NONE}


def test_a_file_as_it_was_committed_goes_before_gold_while_it_is_open(window: Window) -> None:
    window.open("d.system.mrg", GIT)
    uris = pair(window, GIT, "d.system.mrg")
    window.next_server()
    assert uris in window.pairs("d.system.mrg")
    assert window.next_server(GIT)["pairs"] == []
    gold = window.uri("d.gold.mrg")
    assert [one for one, _ in window.pairs("d.system.mrg")] == [gold]


def test_what_is_compared_with_nothing_stays_so(window: Window) -> None:
    window.open("d.system.mrg")
    window.run("unpair", uri=window.uri("d.system.mrg"))
    window.by_hand()
    window.next_server()
    assert window.pairs("d.system.mrg") == []
    window.next_server("d.system.mrg")
    window.open("d.system.mrg")
    assert window.pairs("d.system.mrg") == []
    pair(window, "d.gold.mrg", "d.system.mrg")
    assert window.said is not None
    assert window.said["alone"] == []


def test_files_stay_adjudicated(window: Window) -> None:
    window.open("a.mrg", "b.mrg", "c.mrg")
    uris = {key: window.uri(f"{key}.mrg") for key in "abc"}
    window.run("adjudicate", first=uris["a"], second=uris["b"], adjudicated=uris["c"])
    window.by_hand()
    window.next_server()

    (found,) = window.client.adjudications
    assert found["adjudicated"] == uris["c"]
    window.run("unpair", uri=uris["c"])
    assert window.by_hand()["together"] == NONE


def test_what_is_new_is_so_since_the_same_text(window: Window) -> None:
    window.open("d.gold.mrg", "d.system.mrg")
    gold, system = window.uri("d.gold.mrg"), window.uri("d.system.mrg")
    window.run("since", gold=gold, system=system, called="it was opened")
    (held,) = window.by_hand()["since"]
    assert held["text"] == OTHER
    window.next_server()
    window.client.change(system, 2, edit(0, TREE.index("NP"), TREE.index("NP") + 2, "ZP"))
    said = [one["message"] for one in window.client.diagnostics(system)]
    assert [one.endswith("; new since it was opened") for one in said] == [True, False]
    window.run("since", gold=gold, system=system, called="b.mrg", old=window.uri("b.mrg"))
    window.by_hand()
    window.next_server()
    said = [one["message"] for one in window.client.diagnostics(system)]
    assert [one.endswith("; new since b.mrg") for one in said] == [False]
    # With the pair that it is about, the version is left.
    window.run("unpair", uri=system)
    assert window.by_hand()["since"] == []


@pytest.mark.parametrize(
    "said",
    [
        {"alone": ["\ud800"]},
        {"since": [{"gold": "a", "system": "b", "called": "x"}]},
        {"together": {"adjudication": [[], ["a", "a", "b"]], "nothing": [["a"]]}},
        {"pairs": 7},
    ],
)
def test_nonsense_is_not_taken(window: Window, said: Message) -> None:
    window.open("d.system.mrg")
    system = window.uri("d.system.mrg")
    itself = {"gold": system, "system": system}
    nothing: Message = {"pairs": [itself], "alone": [], "since": [], "together": {}}
    window.client.notify("treelens/byHand", {**nothing, **said})
    gold = window.uri("d.gold.mrg")
    assert [one for one, _ in window.pairs("d.system.mrg")] == [gold]
