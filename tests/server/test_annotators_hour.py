"""Whatever an annotator changes in real sentences is marked in both files, counted, listed and
found by ``treelens compare``, and ends with its fixes; of a sentence that differs it is never
said that nothing does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from lsp_client import PULL, Client, Message
from lsprotocol import types
from shared import SHARED
from treelens.cli import main
from treelens.differences.table import BY_CODE
from treelens.trees.forest import decode, encode
from treelens_server.positions import edited

Change = Callable[[Random, str], str]

# --- changes of a tree -----------------------------------------------------------------------

LABEL = r"(?<=\()[A-Z][^\s()]*(?= \()"
TAG = r"(?<=\()[A-Z][^\s()]*(?= [^\s()])"
LEAF = r"\([^\s()]+ [^\s()]+\)"


def one_of(pattern: str, new: Callable[[str], str]) -> Change:
    """A change of one of what a pattern finds."""

    def change(chance: Random, text: str) -> str:
        found = [*re.finditer(pattern, text)]
        if not found:
            return text
        one = chance.choice(found)
        return text[: one.start()] + new(one[0]) + text[one.end() :]

    return change


IN_TREES: dict[str, Change] = {
    "label": one_of(LABEL, lambda label: "X" + label),
    "function tag": one_of(LABEL, lambda label: label + "-TMP"),
    "index": one_of(LABEL, lambda label: label + "-9"),
    "features": one_of(LABEL, lambda label: label + "##a=b##"),
    "tag": one_of(TAG, lambda tag: tag + "X"),
    "trace": one_of(LEAF, lambda leaf: leaf + " (NP (-NONE- *T*))"),
    "bare trace": one_of(LEAF, lambda leaf: leaf + " (-NONE- *)"),
    "bracket": one_of(LEAF, lambda leaf: f"(X {leaf})"),
    "unary chain": one_of(LEAF, lambda leaf: f"(X (Y {leaf}))"),
    "unary order": one_of(
        r"\(([^\s()]+) \((?!\1 )[^\s()]+ (?=\([^\s()]+ [^\s()]+\)\)\))",
        lambda two: "({1} ({0} ".format(*two.replace("(", "").split()),
    ),
    "punctuation": one_of(r"\) \([,.] [^\s()]+\)", lambda mark: mark[1:] + ")"),
    "root": one_of(r"\A\(TOP", lambda root: root + "X"),
    "comment": lambda _, text: f"; note: odd\n{text}",
}

# --- changes of a table ----------------------------------------------------------------------


def field(column: int, new: Callable[[str], str]) -> Change:
    """A change of one word's field."""

    def change(chance: Random, text: str) -> str:
        lines = text.split("\n")
        at = chance.choice([at for at, line in enumerate(lines) if re.match(r"\d+\t", line)])
        fields = lines[at].split("\t")
        fields[column] = new(fields[column])
        lines[at] = "\t".join(fields)
        return "\n".join(lines)

    return change


def before_a_word(line: str) -> Change:
    """A line put in before a word, which it is about by its number and form."""

    def change(chance: Random, text: str) -> str:
        covered = {
            number
            for first, last in re.findall(r"^(\d+)-(\d+)\t", text, re.MULTILINE)
            for number in range(int(first), int(last) + 1)
        }
        words = [
            one
            for one in re.finditer(r"^(\d+)\t(\S+)\t", text, re.MULTILINE)
            if int(one[1]) not in covered
        ]
        if not words or re.search(r"^\d+\.\d", text, re.MULTILINE):
            return text
        one = chance.choice(words)
        new = line.format(before=int(one[1]) - 1, id=one[1], form=one[2])
        return f"{text[: one.start()]}{new}\n{text[one.start() :]}"

    return change


IN_TABLES: dict[str, Change] = {
    "lemma": field(2, lambda lemma: lemma + "x"),
    "upos": field(3, lambda tag: "X" if tag != "X" else "NOUN"),
    "xpos": field(4, lambda tag: tag + "X"),
    "features": field(5, lambda feats: "Foo=Bar" if feats == "_" else "Foo=Bar|" + feats),
    "head": field(6, lambda head: "0" if head != "0" else "_"),
    "relation": field(7, lambda relation: "dep" if relation != "dep" else "nsubj"),
    "subtype": field(7, lambda relation: relation + ":odd"),
    "enhanced": field(8, lambda deps: deps + "|0:odd" if deps != "_" else "0:odd"),
    "misc": field(9, lambda misc: "Odd=Yes" if misc == "_" else misc + "|Odd=Yes"),
    "comment": lambda _, text: f"# note = odd\n{text}",
    "token": before_a_word("{id}-{id}\t{form}" + "\t_" * 8),
    "empty node": before_a_word("{before}.1\todd" + "\t_" * 6 + "\t0:root\t_"),
}

# --- the hour --------------------------------------------------------------------------------

FILES = {
    "mrg": (SHARED / "parseval" / "icepahc2400" / "gold.txt", "\n", IN_TREES),
    "conllu": (SHARED / "dependency" / "en_ewt-dev" / "gold.conllu", "\n\n", IN_TABLES),
}


CAN = {
    **PULL,
    "textDocument": {
        **PULL["textDocument"],
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        },
    },
}
NEXT = "next ↓"


MOST = 60
"""Fixes for all that three changes make differ."""


class Desk:
    """Two files that a client has open, ``gold`` and ``system``."""

    def __init__(self, client: Client, folder: Path, ending: str, texts: dict[str, str]) -> None:
        self.client, self.texts = client, texts
        self.paths = {side: folder / f"a.{side}.{ending}" for side in texts}
        self.version = 1
        client.start(folder, CAN)
        for side, path in self.paths.items():
            path.write_text(texts[side], encoding="utf-8")
            client.open(path.as_uri(), texts[side])

    def lenses(self, side: str) -> list[str]:
        """What is said above each sentence."""
        found = self.client.about("codeLens", self.paths[side].as_uri())
        said = [one if "command" in one else self.resolved(one) for one in found]
        return [one["command"]["title"] for one in said if one["command"]["title"] != NEXT]

    def resolved(self, lens: Message) -> Message:
        found: Message = self.client.request("codeLens/resolve", lens)
        return found

    def marks(self, side: str) -> list[Message]:
        """What is marked as different."""
        found = self.client.diagnostics(self.paths[side].as_uri())
        return [one for one in found if one["code"] in BY_CODE]

    def listed(self) -> list[int]:
        """The sentences of the worklist that have something to do."""
        asked = {"uri": self.paths["gold"].as_uri(), "order": "file"}
        found = self.client.request("treelens/worklist", asked)
        return [one["sentence"] - 1 for one in found["entries"] if one["errors"]]

    def fix(self) -> bool:
        """Take what gold has at the first mark of either file that has such a fix."""
        system = self.paths["system"].as_uri()
        for uri, mark in (
            (path.as_uri(), mark) for side, path in self.paths.items() for mark in self.marks(side)
        ):
            context = {"diagnostics": [], "triggerKind": 2}
            found = self.client.about("codeAction", uri, range=mark["range"], context=context)
            for action in found or ():
                if action.get("isPreferred"):
                    made = self.client.request("codeAction/resolve", action)["edit"]["changes"]
                    self.edit(made[system])
                    return True
        return False

    def edit(self, edits: list[Message]) -> None:
        """Make the edits of an action in system's file, from the last one up."""
        parts = []
        for one in reversed(edits):
            ends = types.Range(*(types.Position(**one["range"][end]) for end in ("start", "end")))
            part = types.TextDocumentContentChangePartial(text=one["newText"], range=ends)
            parts.append(part)
        self.texts["system"] = decode(edited(encode(self.texts["system"]), parts, "utf-16"))
        self.version += 1
        whole = {"text": self.texts["system"]}
        self.client.change(self.paths["system"].as_uri(), self.version, whole)


def compared(desk: Desk) -> int:
    for side, path in desk.paths.items():
        path.write_text(desk.texts[side], encoding="utf-8")
    return main(["compare", *map(str, desk.paths.values())])


@pytest.mark.skipif(not SHARED.is_dir(), reason="no reference data")
@pytest.mark.parametrize("ending", FILES)
@examples(2)
@given(chance=st.randoms(use_true_random=False))
def test_every_change_is_told_and_can_be_taken(ending: str, chance: Random) -> None:
    path, between, changes = FILES[ending]
    sentences = path.read_text(encoding="utf-8").strip().split(between)
    first = chance.randrange(len(sentences) - 6)
    gold = sentences[first : first + 6]
    system, changed = [], {}
    for number, text in enumerate(gold):
        what = chance.choice([*changes])
        new = changes[what](chance, text) if number % 2 else text
        system.append(new)
        if new != text:
            changed[number] = what
    texts = {"gold": gold, "system": system}
    if chance.random() < 0.5:
        texts = {"gold": system, "system": gold}
    whole = {side: between.join([*found, ""]) for side, found in texts.items()}
    with Client() as client, TemporaryDirectory() as folder:
        desk = Desk(client, Path(folder), ending, whole)
        for side in desk.paths:
            said = desk.lenses(side)
            assert [at for at, title in enumerate(said) if "no mismatch" not in title] == [
                *changed
            ], (said, changed)
        assert sum(len(desk.marks(side)) for side in desk.paths) >= len(changed), changed
        assert desk.listed() == [*changed], changed
        assert compared(desk) == bool(changed)
        for _ in range(MOST):
            if not desk.fix():
                break
        assert not [mark for side in desk.paths for mark in desk.marks(side)], changed
        assert not desk.listed()
        assert all("no mismatch" in title for title in desk.lenses("system"))
        assert compared(desk) == 0
