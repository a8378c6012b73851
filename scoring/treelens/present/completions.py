"""What can be written at a place: labels, tags, relations and features, the most used ones first;
heads, the nearest first. For what is no beginning of any, the names that are nearest to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rapidfuzz.distance import OSA

from treelens.session.session import Snapshot
from treelens.session.vocabulary import COLUMNS, LabelKind, feature_names
from treelens.trees.enhanced import enhanced, means_itself
from treelens.trees.forest import DEPS, FEATS, HEAD, ID, decode, encode
from treelens.trees.other_lines import other_lines

_LABEL = re.compile(rb"\(([^\s()]*)\Z")
_REST = re.compile(rb"[^\s()]*")
_MOST = 200
_AROUND = 200
"""Sentences before and behind the one that is written in, of which DEPS are looked at."""


_NEAREST = 5
_FURTHEST = 2
_INDEX = re.compile(r"[-=]\d+(?=[-=]|\Z)")
_INDICES = re.compile(r"(?:[-=]\d+)+\Z")


class Completion(NamedTuple):
    """``text`` takes the place of ``[start, end)``; ``detail`` says what it is, ``found_by`` what
    it is found by when somebody types. A head's ``form`` stands beside its number."""

    text: str
    detail: str
    start: int
    end: int
    found_by: str
    form: str = ""


def completions(snapshot: Snapshot, offset: int) -> list[Completion]:
    """The names that fit a place, best first; nothing inside words."""
    found = _fitting(snapshot, offset)
    if not found or found[0].form:
        return found
    typed = decode(snapshot.document.text(found[0].start, offset))
    if not typed or any(_is_within(typed, one.text) for one in found):
        return found
    near = sorted((OSA.distance(typed, one.text), place) for place, one in enumerate(found))
    near = [(distance, place) for distance, place in near if distance <= _FURTHEST][:_NEAREST]
    # Clients leave out what does not have the typed letters: these are found by just those.
    return [found[place]._replace(found_by=typed) for _, place in near]


def _is_within(typed: str, name: str) -> bool:
    """Whether a name has some letters in their order, as clients look for them."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in typed.casefold())


def _fitting(snapshot: Snapshot, offset: int) -> list[Completion]:
    if snapshot.document.format.layout == "rows":
        return _of_table(snapshot, offset)
    _, line = snapshot.document.line_start(offset)
    before = _LABEL.search(snapshot.document.text(line, offset))
    if before is None:
        return []
    start, end = line + before.start(1), _end(snapshot, offset)
    holds = snapshot.document.text(end, end + 200).lstrip()[:1] == b"("
    kinds: tuple[LabelKind, LabelKind] = ("label", "tag") if holds else ("tag", "label")
    own = decode(snapshot.document.text(start, end))
    if holds and (index := _INDICES.search(own)):
        # The number is the bracket's own and stays; in it, there is nothing to complete.
        end = start + len(encode(own[: index.start()]))
        if offset > end:
            return []
    first, second = (_names(snapshot, kind, own) for kind in kinds)
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
    if column == FEATS:
        return _features(snapshot, offset, start, end)
    if column == DEPS:
        return _dependencies(snapshot, offset, start, end)
    kind = COLUMNS.get(column)
    own = decode(document.text(start, end))
    return _listed(_names(snapshot, kind, own), start, end) if kind else []


def _heads(snapshot: Snapshot, offset: int, start: int, end: int) -> list[Completion]:
    """The sentence's words, the nearest first, and the root; none whose ID means another."""
    sentence = snapshot.document.sentence_at(offset)
    tree = None if sentence is None else snapshot.dependency_tree(sentence)
    if sentence is None or tree is None:
        return []
    here = tree.word_at(offset) or 0
    named = means_itself(snapshot.document.forest(range(sentence, sentence + 1)), tree.words)
    near = sorted(range(len(tree.words)), key=lambda place: abs(place - here))
    words = [tree.words[place] for place in near if place != here and named[place]]
    items = [(word.number, word.form, word.tag) for word in words[:_MOST]]
    return [
        Completion(number, tag or "no tag", start, end, f"{number} {form}", form)
        for number, form, tag in [*items, ("0", "root", "no head")]
    ]


def _dependencies(snapshot: Snapshot, offset: int, start: int, end: int) -> list[Completion]:
    """For the dependency at the offset: heads before its colon, relations behind it."""
    start, end = _item(snapshot, offset, start, end)
    text = snapshot.document.text(start, end)
    head, colon, relation = text.partition(b":")
    if not colon or offset - start <= len(head):
        heads = _heads(snapshot, offset, start, start + len(head))
        heads += _empty_heads(snapshot, offset, start, start + len(head))
        return [one._replace(text=f"{one.text}:") for one in heads] if not colon else heads
    start += len(head) + 1
    own = decode(relation)
    names = _ranked(_enhanced_relations(snapshot, offset, own), "enhanced relation")
    return _listed({**_names(snapshot, "relation", own), **names}, start, end)


def _empty_heads(snapshot: Snapshot, offset: int, start: int, end: int) -> list[Completion]:
    """The sentence's empty nodes."""
    sentence = snapshot.document.sentence_at(offset) or 0
    forest = snapshot.document.forest(range(sentence, min(sentence + 1, len(snapshot.document))))
    empty = (line for line in other_lines(forest) if line.kind == "empty")
    named = ((forest.text(line.start, line.end).split("\t")[ID], line) for line in empty)
    return [
        Completion(number, "empty node", start, end, f"{number} {form}", form)
        for number, form in ((number, decode(line.value[0])) for number, line in named)
    ]


def _enhanced_relations(snapshot: Snapshot, offset: int, own: str) -> Counter[str]:
    """How often relations stand in DEPS of the sentences around."""
    document = snapshot.document
    at = document.sentence_at(offset) or 0
    around = range(max(at - _AROUND, 0), min(at + _AROUND, len(document)))
    found = enhanced(document.forest(around))
    counts = Counter(decode(edge.relation) for deps in found for edge in deps.edges)
    counts[own] -= 1
    return +counts


def _item(snapshot: Snapshot, offset: int, start: int, end: int) -> tuple[int, int]:
    """What stands between two bars of a field, around the offset."""
    text, at = snapshot.document.text(start, end), offset - start
    last = text.find(b"|", at)
    return start + text.rfind(b"|", 0, at) + 1, start + (len(text) if last < 0 else last)


def _features(snapshot: Snapshot, offset: int, start: int, end: int) -> list[Completion]:
    """Features with values: those that the word does not have yet, for the one at the offset."""
    text = snapshot.document.text(start, end)
    first, last = (place - start for place in _item(snapshot, offset, start, end))
    others = {*feature_names(text[:first]), *feature_names(text[last:])}
    counts: Counter[str] = Counter()
    for vocabulary in snapshot.vocabularies:
        counts.update(vocabulary.names("value").all())
    own = decode(text[first:last])
    if counts[own] == 1:
        del counts[own]
    free = {value: n for value, n in counts.items() if value.split("=", 1)[0] not in others}
    return _listed(_ranked(free, "feature"), start + first, start + last)


def _names(snapshot: Snapshot, kind: LabelKind, own: str) -> dict[str, str]:
    """Names of a kind in this file and those it is compared with, the most used first; labels
    without indices, and without ``own``, which is just being written, if it is
    used nowhere else."""
    counts: Counter[str] = Counter()
    for vocabulary in snapshot.vocabularies:
        counts.update(vocabulary.labels(kind).all())
    if counts[own] == 1:
        del counts[own]
    if kind == "label":
        plain: Counter[str] = Counter()
        for label, count in counts.items():
            plain[_INDEX.sub("", label)] += count
        counts = plain
    what = {"label": "label", "tag": "tag", "xpos": "tag", "relation": "relation"}[kind]
    return _ranked(counts, what)


def _ranked(counts: Mapping[str, int], what: str) -> dict[str, str]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    return {name: f"{what} · {count:,}×" for name, count in ranked}


def _listed(names: dict[str, str], start: int, end: int) -> list[Completion]:
    return [Completion(name, detail, start, end, name) for name, detail in names.items()]
