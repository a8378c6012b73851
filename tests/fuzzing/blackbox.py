"""A client that edits at random, and a fresh server with the same texts: both must say the same.

A *round* is a few files (a pair, or two annotators' files and the adjudicated one; brackets or
tables; one of the three ways to count characters) and a list of steps (:mod:`fuzzing.desk`), all
drawn from one seed. Steps are told by shares of a text's length, so that each means something
without the others: that is how a round that went wrong is made smaller.
"""

from __future__ import annotations

import copy
import json
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from conll_texts import FRAGMENTS as TABLE_FRAGMENTS
from lsp_client import PULL, Client, Message
from trees import FRAGMENTS as BRACKET_FRAGMENTS

from fuzzing.desk import DEEDS, Desk, Step, outside, position
from fuzzing.everything import Open, everything

ENCODINGS = ("utf-16", "utf-8", "utf-32")
_FRESH_FOR = 25
"""Rounds that a server is asked for before another is started."""
_MOST_TRIES = 60
"""Runs of smaller rounds at most, when one went wrong."""
_PLACES = 4
_WAITS = 0.0, 0.0, 0.5, 2.0
"""Seconds: what is worked on in the background, or was written on disk, comes later."""
_TYPED = 0.93
"""The share of steps that are typing."""
_BURSTS = (25, 400, 400)
"""Most edits before what is said is compared: where faults add up, and what is seldom, both."""
_TOML = '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\nadjudicated = "settled/*"\n'
_TREES = (
    "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n",
    "(S (NP (DT the) (JJ big) (NN dog)) (VP (VB saw) (NP (DT a) (NN 𝔸))))\n",
    "(S (NP-SBJ-1 (NNP Mary)) (VP (VB slept) (PP (IN in) (NP (NN Ünter)))) (. .))\n",
    "( (S (NP (PRP it)) (VP (VBZ rains) (-NONE- *T*-1))))\n",
    "(S\n  (NP (DT a))\n  (VP (VB saw)))\n",
)
_TABLES = (
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_\n\n",
    "# sent_id = a-1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n"
    "2\tle\tle\tDET\t_\t_\t0\troot\t_\t_\n\n",
    "1\t𝔸𝔹\t_\tX\t_\t_\t0\troot\t_\t_\n1.1\tgone\tgo\tVERB\t_\t_\t_\t_\t0:root\t_\n"
    "2\t,\t,\tPUNCT\t_\t_\t1\tpunct\t_\t_\n3\tsees\tsee\tVERB\t_\tTense=Pres\t1\tconj\t_\t_\n\n",
)
_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mrg": (_TREES, tuple(one for one in BRACKET_FRAGMENTS if "\ud800" not in one)),
    "conllu": (_TABLES, tuple(one for one in TABLE_FRAGMENTS if "\ud800" not in one)),
}
"""Whole sentences, and parts; of any other file what it is follows from its text."""


class Round(NamedTuple):
    """Files (paths in the folder and texts), how characters are counted, bursts of steps."""

    encoding: str
    files: tuple[tuple[str, str], ...]
    bursts: tuple[tuple[Step, ...], ...]
    places: int
    """The seed of the places that are asked about."""


class Finding(NamedTuple):
    """What one server says and a fresh one does not, and how to have it again."""

    what: str
    edited: Any
    fresh: Any
    round: Round


def drawn(seed: str) -> Round:
    draw = random.Random(seed)
    kind = draw.choice((*_KINDS, *_KINDS, "txt"))
    whole, fragments = _KINDS.get(kind) or (
        (*_KINDS["mrg"][0], *_KINDS["conllu"][0]),
        (*_KINDS["mrg"][1], *_KINDS["conllu"][1]),
    )
    names = (
        (f"x.gold.{kind}", f"x.system.{kind}")
        if draw.random() < 0.65
        else tuple(f"{who}/x.{kind}" for who in ("anna", "boris", "settled"))
    )
    start = [draw.choice(whole) for _ in range(draw.randrange(1, 9))]
    files = []
    for name in names:
        mine = [one for one in start if draw.random() < 0.9]
        files.append((name, "".join(mine)))
    bursts = tuple(
        tuple(_step(draw, len(files), whole, fragments) for _ in range(draw.randrange(1, most)))
        for most in draw.choices(_BURSTS, k=draw.randrange(1, 4))
    )
    return Round(draw.choice(ENCODINGS), tuple(files), bursts, draw.randrange(1 << 30))


def _step(draw: random.Random, files: int, whole: Sequence[str], fragments: Sequence[str]) -> Step:
    kind = draw.random()
    if kind < 0.35:  # somebody types
        new, length = draw.choice("abcNPVS() \t\n1230_-=*𝔸é"), 0.0
    elif kind < 0.55:
        new, length = "", draw.choice((0.001, 0.003, 0.01, 0.1))
    elif kind < 0.65:
        new, length = draw.choice(whole), draw.choice((0.0, 0.0, 0.1, 1.0))
    else:
        new, length = draw.choice(fragments), draw.choice((0.0, 0.0, 0.002, 0.02))
    where = draw.choice((0.0, 1.0, draw.random(), draw.random(), draw.random(), draw.random()))
    if draw.random() < _TYPED:
        return Step(draw.randrange(files), where, length, new)
    deed = draw.choice([*DEEDS])
    return Step(draw.randrange(files), where, draw.random(), draw.choice(("", "X", new)), deed)


class Servers:
    """The one that is edited and the fresh one, each started anew every so many rounds."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._known: dict[str, tuple[Path, Client, Client, int]] = {}

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def pair(self, encoding: str) -> tuple[Path, Client, Client]:
        folder, one, other, used = self._known.get(encoding) or self._started(encoding)
        if used >= _FRESH_FOR or one.process.poll() is not None:
            self.stop(encoding)
            folder, one, other, used = self._started(encoding)
        self._known[encoding] = folder, one, other, used + 1
        return folder, one, other

    def stop(self, encoding: str) -> None:
        for client in self._known.pop(encoding)[1:3]:
            client.process.kill()

    def _started(self, encoding: str) -> tuple[Path, Client, Client, int]:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "treelens.toml").write_text(_TOML)
        declared = copy.deepcopy(PULL)
        declared["general"]["positionEncodings"] = [encoding]
        declared["textDocument"]["codeAction"] = {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        }
        able = {"documentChanges": True, "resourceOperations": ["create"]}
        declared["workspace"]["workspaceEdit"] = able
        clients = [self._stack.enter_context(Client()) for _ in range(2)]
        for client in clients:
            client.start(folder, declared)
            settings = {"treelens": {"packed": True}}
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
        return folder, clients[0], clients[1], 0


def run(servers: Servers, one: Round) -> Finding | None:
    """Make all edits in one server; after each burst, what differs from the fresh one."""
    folder, edited, fresh = servers.pair(one.encoding)
    draw = random.Random(one.places)
    files = [(folder / name, text) for name, text in one.files]
    desk = Desk(edited, fresh, one.encoding, files)
    try:
        for burst in one.bursts:
            for step in burst:
                desk.do(step)
            found = _compared(desk, draw, one)
            if found is not None:
                return found
        return None
    except AssertionError as problem:
        servers.stop(one.encoding)
        return Finding(f"an error: {problem}", None, None, one)
    finally:
        desk.end()


def _compared(desk: Desk, draw: random.Random, of: Round) -> Finding | None:
    documents = [
        Open(each.uri, each.text, each.version, "", _places(each.text, draw, of.encoding))
        for each in desk.opened()
    ]
    desk.refreshed()
    try:
        for wait in _WAITS:
            time.sleep(wait)
            sides = everything(desk.edited, documents), everything(desk.fresh, documents)
            if sides[0] == sides[1]:
                return None
    finally:
        desk.left()
    what = next(key for key in {**sides[0], **sides[1]} if sides[0].get(key) != sides[1].get(key))
    return Finding(what, sides[0].get(what), sides[1].get(what), of)


def smaller(servers: Servers, finding: Finding) -> Finding:
    """The same kind of finding of a round with fewer steps."""
    tries = 0
    size = max(map(len, finding.round.bursts), default=0)
    while size and tries < _MOST_TRIES:
        flat = [step for burst in finding.round.bursts for step in burst]
        for start in range(0, len(flat), size):
            tries += 1
            left = (*flat[:start], *flat[start + size :])
            again = run(servers, finding.round._replace(bursts=(left,)))
            if again is not None and again.what.split()[0] == finding.what.split()[0]:
                finding = again
                break
            if tries >= _MOST_TRIES:
                break
        else:
            size //= 2
    return finding


def told(finding: Finding) -> str:
    """The finding as text from which it can be had again (``make fuzz AGAIN=file``)."""
    return json.dumps(finding._asdict() | {"round": finding.round._asdict()}, indent=1)


def again(text: str) -> Round:
    data = json.loads(text)["round"]
    return Round(
        data["encoding"],
        tuple((name, source) for name, source in data["files"]),
        tuple(tuple(Step(*step) for step in burst) for burst in data["bursts"]),
        data["places"],
    )


def _places(text: str, draw: random.Random, encoding: str) -> list[Message]:
    ats = [outside(text, draw.randrange(len(text) + 1)) for _ in range(_PLACES)]
    return [position(text, at, encoding) for at in ats]
