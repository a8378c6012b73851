"""What can be written at a place: labels, tags and relations, the most used ones first; heads."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from treelens.forest import HEAD
from treelens.session.session import Snapshot
from treelens.session.vocabulary import COLUMNS, Kind

_LABEL = re.compile(rb"\(([^\s()]*)\Z")
_REST = re.compile(rb"[^\s()]*")
_MOST = 200


class Completion(NamedTuple):
    """``text`` takes the place of ``[start, end)``; ``detail`` says what it is, ``found_by`` what
    it is found by when somebody types."""

    text: str
    detail: str
    start: int
    end: int
    found_by: str


def completions(snapshot: Snapshot, offset: int) -> list[Completion]:
    """The names that fit a place, best first; nothing inside words."""
    if snapshot.document.format.annotation == "dependencies":
        return _of_table(snapshot, offset)
    line, _ = snapshot.document.line_bounds(snapshot.document.line_at(offset))
    before = _LABEL.search(snapshot.document.text(line, offset))
    if before is None:
        return []
    start, end = line + before.start(1), _end(snapshot, offset)
    holds = snapshot.document.text(end, end + 200).lstrip()[:1] == b"("
    kinds: tuple[Kind, Kind] = ("label", "tag") if holds else ("tag", "label")
    first, second = (_names(snapshot, kind) for kind in kinds)
    rest = {name: what for name, what in second.items() if name not in first}
    return _listed({**first, **rest}, start, end)


def _end(snapshot: Snapshot, offset: int) -> int:
    """Where the name at an offset ends."""
    rest = _REST.match(snapshot.document.text(offset, offset + 200))
    return offset + (rest.end() if rest else 0)


def _of_table(snapshot: Snapshot, offset: int) -> list[Completion]:
    document = snapshot.document
    line, line_end = document.line_bounds(document.line_at(offset))
    text = document.text(line, line_end)
    if text.startswith(b"#"):
        return []
    at = offset - line
    column = text.count(b"\t", 0, at)
    start = text.rfind(b"\t", 0, at) + 1
    stop = text.find(b"\t", at)
    start, end = line + start, line + (len(text) if stop < 0 else stop)
    if column == HEAD:
        return _heads(snapshot, offset, start, end)
    kind = COLUMNS.get(column)
    return _listed(_names(snapshot, kind), start, end) if kind else []


def _heads(snapshot: Snapshot, offset: int, start: int, end: int) -> list[Completion]:
    """The sentence's words, the nearest first, and the root."""
    sentence = snapshot.document.sentence_at(offset)
    tree = None if sentence is None else snapshot.dependency_tree(sentence)
    if tree is None:
        return []
    here = tree.word_at(offset) or 0
    near = sorted(range(len(tree.words)), key=lambda place: abs(place - here))
    words = [tree.words[place] for place in near if place != here]
    items = [(word.number, word.form, word.tag) for word in words[:_MOST]]
    return [
        Completion(number, " · ".join(filter(None, (form, tag))), start, end, f"{number} {form}")
        for number, form, tag in [*items, ("0", "root", "")]
    ]


def _names(snapshot: Snapshot, kind: Kind) -> dict[str, str]:
    """Names of a kind in this file and those it is compared with, the most used first."""
    counts: Counter[str] = Counter()
    for vocabulary in snapshot.vocabularies:
        counts.update(vocabulary.labels(kind))
    what = {"label": "label", "tag": "tag", "xpos": "tag", "relation": "relation"}[kind]
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    return {name: f"{what} · {count:,}×" for name, count in ranked}


def _listed(names: dict[str, str], start: int, end: int) -> list[Completion]:
    return [Completion(name, detail, start, end, name) for name, detail in names.items()]
