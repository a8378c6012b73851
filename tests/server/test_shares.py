"""What is kept of sentences: an edited server says what a fresh one says, and makes little anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from lsp_client import PULL, without_states
from treelens.differences.difference import Finding
from treelens.differences.wording import SideNames
from treelens.present import diagnostics, since
from treelens.session.pair import Side
from treelens_server.server import build

Message = dict[str, Any]
TREES = [
    "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n",
    "( (S (NP-SBJ (PRP it))\n     (VP (VBZ is) (ADJP (JJ 100%))) (. .)))\n\n",
    "(S (NP (N þú)) (VP (V 𝕒))) (S (NP (N x)))\n",
    "(S (XP (N you) (N all)))\n",
]
ROWS = [
    "# sent_id = {}\n1\tthe\tthe\tDET\t_\tA=1\t2\tdet\t_\t_\n"
    "2\tsea\tsea\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
    "1\tit\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tis\tbe\tVERB\t_\t_\t0\troot\t_\t_\n\n",
]
BITS = ["(", ")", " ", "\n", "X", "NP", "\t", "0", "2", "%d", "(S (NP (N we)))\n", "𝕒", "\n\n"]


class Wire:
    """A server in this process, told one message after the other."""

    def __init__(self, capabilities: Message = PULL, root: str | None = None) -> None:
        self._server, self._sitting = build()
        self._server.protocol.set_writer(self)
        self._sent: list[bytes] = []
        self.status: Message = {}
        """What was said last of pairs that were not as they had been."""
        self._number = 0
        self.ask("initialize", {"processId": None, "rootUri": root, "capabilities": capabilities})
        self.tell("initialized", {})

    def write(self, data: bytes) -> None:
        self._sent.append(data)
        if b'"treelens/status"' in data:
            self.status = json.loads(data.partition(b"\r\n\r\n")[2])["params"]

    def tell(self, method: str, *params: object) -> None:
        """One message, or several that arrive together."""
        self._receive(*({"method": method, "params": one} for one in params))
        self._sitting.announce()

    def ask(self, method: str, params: Message) -> Any:
        self._number += 1
        self._sent.clear()
        self._receive({"id": self._number, "method": method, "params": params})
        answers = (json.loads(one.partition(b"\r\n\r\n")[2]) for one in self._sent)
        (answer,) = (one for one in answers if one.get("id") == self._number)
        return answer["result"]

    def _receive(self, *messages: Message) -> None:
        bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        self._server.protocol.receive(bodies)

    def open(self, uri: str, text: str) -> None:
        item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def everything(self, uri: str, view: Message, part: Message) -> Iterator[tuple[str, Any]]:
        """All that is asked after a keystroke, with ``view`` in view."""
        self.tell("treelens/visible", {"uri": uri, "ranges": [view]})
        about = {"textDocument": {"uri": uri}}
        yield "diagnostic", self.ask("textDocument/diagnostic", about)["items"]
        for method in ("codeLens", "documentSymbol", "foldingRange"):
            yield method, self.ask(f"textDocument/{method}", about)
        for range_ in (view, part):
            for method in ("inlayHint", "semanticTokens/range"):
                yield method, self.ask(f"textDocument/{method}", {**about, "range": range_})
        yield "worklist", self.ask("treelens/worklist", {"uri": uri})
        picture = self.ask("treelens/picture", {**about, "position": part["start"]})
        yield "picture", without_states(picture and {**picture, "version": None})


def place(text: str, offset: int) -> Message:
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def between(text: str, start: int, end: int) -> Message:
    return {"start": place(text, start), "end": place(text, end)}


@pytest.mark.parametrize(("ending", "sentences"), [("mrg", TREES), ("conllu", ROWS)])
@examples(8)
@given(random=st.randoms(use_true_random=False))
def test_an_edited_server_says_what_a_fresh_one_does(
    ending: str, sentences: list[str], random: Random
) -> None:
    uris = [f"file:///nowhere/a.{side}.{ending}" for side in ("gold", "system")]
    texts = {uri: _text(random, sentences) for uri in uris}
    wire = Wire()
    for uri in uris:
        wire.open(uri, texts[uri])
    for version in range(2, 6):
        uri = random.choice(uris)
        texts[uri] = _edited(wire, uri, version, texts[uri], random)
        asked = {one: (_part(texts[one], random), _part(texts[one], random)) for one in uris}
        now = {one: [*wire.everything(one, *asked[one])] for one in uris}
    fresh = Wire()
    for one in uris:
        fresh.open(one, texts[one])
    assert now == {one: [*fresh.everything(one, *asked[one])] for one in uris}


@pytest.mark.parametrize("start", [0, 1])
def test_what_is_doubtful_of_a_pair_is_what_a_fresh_server_doubts(start: int) -> None:
    gold, system = "file:///nowhere/a.gold.mrg", "file:///nowhere/a.system.mrg"
    right, wrong = (
        [f"(S (NP (D {word}-{k}) (N {word}{k})))\n" for k in range(12)] for word in ("the", "das")
    )
    before, after = ((right, wrong), (wrong, right))[start]
    wire = Wire()
    wire.open(gold, "".join(right))
    wire.open(system, "".join(before))
    said = []
    for line in range(12):
        place = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
        identity = {"uri": system, "version": line + 2}
        changes = [{"range": place, "text": after[line]}]
        wire.tell("textDocument/didChange", {"textDocument": identity, "contentChanges": changes})
        fresh = Wire()
        fresh.open(gold, "".join(right))
        fresh.open(system, "".join([*after[: line + 1], *before[line + 1 :]]))
        said.append(_doubt(wire))
        assert said[-1] == _doubt(fresh)
    assert [bool(one) for one in (said[0], said[-1])] == [start == 1, start == 0]


def _doubt(wire: Wire) -> str:
    (pair,) = wire.status["pairs"]
    doubt: str = pair["doubt"]
    return doubt


def _part(text: str, random: Random) -> Message:
    """A part of a text, or all of it."""
    ends = sorted(random.choice((0, len(text), random.randrange(len(text) + 1))) for _ in range(2))
    return between(text, *ends)


def _text(random: Random, sentences: list[str]) -> str:
    return "".join(random.choice(sentences).format(k) for k in range(random.randint(0, 6)))


def _edited(wire: Wire, uri: str, version: int, text: str, random: Random) -> str:
    """The text after an edit that the server is told of."""
    start = random.randrange(len(text) + 1)
    end = min(start + random.choice((0, 0, 1, 2, 9)), len(text))
    new = random.choice((*BITS, ""))
    change = {"range": between(text, start, end), "text": new}
    identity = {"uri": uri, "version": version}
    params = {"textDocument": identity, "contentChanges": [change]}
    wire.tell("textDocument/didChange", params)
    return text[:start] + new + text[end:]


def test_a_keystroke_makes_one_sentences_share_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = diagnostics.message

    def counting(finding: Finding, side: Side, names: SideNames) -> str:
        marks = finding.gold, finding.system
        made.extend(mark.sentence for mark in marks if mark is not None)
        return real(finding, side, names)

    monkeypatch.setattr(diagnostics, "message", counting)
    wire, gold, system = Wire(), "file:///nowhere/a.gold.mrg", "file:///nowhere/a.system.mrg"
    wire.open(gold, "".join(f"(S (NP (N w{k})))\n" for k in range(30)))
    wire.open(system, "".join(f"(S (XP (N w{k})))\n" for k in range(30)))
    about = {"textDocument": {"uri": gold}}
    assert len(wire.ask("textDocument/diagnostic", about)["items"]) == 30
    made.clear()
    line = {"line": 7, "character": 6}
    params = {
        "textDocument": {"uri": gold, "version": 2},
        "contentChanges": [{"range": {"start": line, "end": line}, "text": "X\n"}],
    }
    wire.tell("textDocument/didChange", params)
    items = wire.ask("textDocument/diagnostic", about)["items"]
    assert [one["range"]["start"]["line"] for one in items][-1] == 30
    assert {*made} == {7}


@pytest.mark.parametrize("earlier", [False, True])
def test_a_keystroke_in_a_group_of_many_sentences_says_little_anew(
    monkeypatch: pytest.MonkeyPatch, earlier: bool
) -> None:
    """Each is worded by itself, and what is new since an earlier text found for all at once."""
    said, found = [0], [0]

    def counted(number: list[int], real: Any) -> Any:
        def counting(*args: Any) -> Any:
            number[0] += 1
            return real(*args)

        return counting

    monkeypatch.setattr(diagnostics, "message", counted(said, diagnostics.message))
    monkeypatch.setattr(since, "new_in", counted(found, since.new_in))
    wire, gold, system = Wire(), "file:///nowhere/a.gold.mrg", "file:///nowhere/a.system.mrg"
    words = [f"w{k}" for k in range(90)]
    cut = [words[:3], *(words[k : k + 6] for k in range(3, 90, 6))]
    texts = [
        "".join(f"(S {' '.join(f'({tag} {word})' for word in one)})\n" for one in side)
        for tag, side in (("N", [words[k : k + 6] for k in range(0, 90, 6)]), ("X", cut))
    ]
    wire.open(gold, texts[0])
    wire.open(system, texts[1].replace("w4)", "other)"))
    if earlier:
        argument = {"gold": gold, "system": system, "called": "then", "text": texts[0]}
        wire.ask("workspace/executeCommand", {"command": "treelens.since", "arguments": [argument]})
    about = {"textDocument": {"uri": system}}
    wire.ask("textDocument/diagnostic", about)
    all_said = said[0]
    said[0] = found[0] = 0
    place = {"line": 7, "character": 4}
    change = {"range": {"start": place, "end": {**place, "character": 5}}, "text": "Y"}
    identity = {"uri": system, "version": 2}
    wire.tell("textDocument/didChange", {"textDocument": identity, "contentChanges": [change]})
    items = wire.ask("textDocument/diagnostic", about)["items"]
    assert len(items) > 90
    if earlier:
        assert found[0] <= 2
        assert any(one["message"].endswith("; new since then") for one in items)
    else:
        assert 0 < said[0] < all_said / 5


def test_all_that_is_in_view_is_marked() -> None:
    wire, gold, system = Wire(), "file:///nowhere/a.gold.mrg", "file:///nowhere/a.system.mrg"
    words = "".join(f"(A (N w{k}))" for k in range(20))
    wire.open(gold, f"(S {words})\n" * 60)
    wire.open(system, f"(S {words.replace('(A', '(B')})\n" * 60)
    view = {"start": {"line": 10, "character": 0}, "end": {"line": 49, "character": 0}}
    wire.tell("treelens/visible", {"uri": gold, "ranges": [view]})
    items = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": gold}})["items"]
    lines = {one["range"]["start"]["line"] for one in items if one["code"] == "wrong-label"}
    assert {*range(10, 50)} <= lines


def test_what_no_score_counts_comes_and_goes_with_the_setting() -> None:
    wire, gold, system = Wire(), "file:///nowhere/a.gold.mrg", "file:///nowhere/a.system.mrg"
    wire.open(gold, "(S (NP-SBJ (N we)) (VP (V see)))\n")
    wire.open(system, "(S (NP (N we)) (X (V see)))\n")
    found = []
    for strict in (True, False, True):
        wire.tell(
            "workspace/didChangeConfiguration", {"settings": {"treelens": {"strict": strict}}}
        )
        items = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": gold}})["items"]
        entry = wire.ask("treelens/worklist", {"uri": gold})["entries"][0]
        found.append((len(items), entry["errors"]))
    assert found == [(2, 2), (1, 1), (2, 2)]
