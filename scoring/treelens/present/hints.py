"""Small notes in the line: what the other file has behind a label, head or relation that differs;
where that is wanted, the head's form behind its number."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from treelens.differences.difference import PARTS_OF_LABELS, Finding
from treelens.differences.parts import FIELDS, PARTS
from treelens.differences.table import BY_CODE
from treelens.differences.wording import SideNames, message, written
from treelens.present.names import told_apart
from treelens.present.overlay import overlay_of
from treelens.present.parts import Part, of_differences, of_sentence
from treelens.present.revisions import side_names
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.forest import HEAD

_SENTENCES = 100
"""What is asked for at once; a client that wants the whole file gets its beginning."""

_FEATURES = 2
"""Features that a note has room for."""


_OPEN = 250
"""Marks of an overlay that are looked at, those in view first."""


class Hint(NamedTuple):
    offset: int
    text: str
    tooltip: str


def hints(snapshot: Snapshot, start: int, end: int, *, heads: bool = False) -> list[Hint]:
    """The notes from one offset to another, in text order; ``heads``: of every head, its form."""
    found = {hint for part in parts(snapshot, start, end, heads=heads) for hint in part.make()}
    return sorted(hint for hint in found if start <= hint.offset <= end)


def parts(snapshot: Snapshot, start: int, end: int, *, heads: bool = False) -> list[Part[Hint]]:
    """The notes of all sentences and groups there; the same note may be in several."""
    first, last = snapshot.document.sentence_at(start), snapshot.document.sentence_at(end)
    if first is None or last is None:
        return []
    sentences = range(first, min(last + 1, first + _SENTENCES))
    found: list[Part[Hint]] = []
    if heads:
        found += [
            of_sentence(snapshot, one, ("heads",), partial(_heads, snapshot, one))
            for one in sentences
        ]
    names = [other.name for other in snapshot.marked]
    for other in snapshot.marked:
        system = told_apart(other.name, names) if len(names) > 1 else _annotator(other)
        sides, wrong = side_names(snapshot.name, other), other.pair.mismatching()
        make = partial(_of_findings, other, system, sides)
        groups = other.pair.groups_of(other.side, sentences).tolist()
        for group, some in itertools.groupby(zip(groups, sentences, strict=True), itemgetter(0)):
            if wrong[group]:
                inside, key = [sentence for _, sentence in some], ("hints", system)
                found += of_differences(snapshot, other, group, inside, key, make)
    overlay = overlay_of(snapshot)
    left = overlay.marks(snapshot, _OPEN) if overlay else ()
    marks = [Hint(one.end, one.who, one.message) for one in left if one.who]
    return [*found, Part(None, (), lambda: marks)] if marks else found


def _annotator(other: Counterpart) -> str:
    """Where two annotators are compared, the other one's name."""
    gold, system = other.called or ("", "")
    return gold if other.side is Side.SYSTEM else system


def _of_findings(
    other: Counterpart, system: str, names: SideNames, findings: Sequence[Finding]
) -> list[Hint]:
    """The notes of some findings: what the other file has instead of something here;
    ``system``: its name, where several are compared."""
    found = set()
    for finding in findings:
        difference, side = BY_CODE[finding.code], other.side
        here, there = finding.at(side), finding.at(side.other)
        # (What tables say besides may be long, and breaks their columns.)
        short = difference.counted or difference.tokens <= PARTS_OF_LABELS | {"trace"}
        if difference.replaceable and short and here and there:
            mine, theirs = written(difference, here), written(difference, there)
            text = unlike(theirs, mine) if difference.listed else theirs
            note, told = f"≠{text}", message(finding, side, names)
            if other.called:
                note = f"{system}: {text}"
            elif system:
                note, told = f"{note} ({system})", f"{system}: {told}"
            found.add(Hint(here.end, note, told))
    return sorted(found)


def unlike(there: str, here: str) -> str:
    """Of lemmas, tags and features in a row, the first few that only the other file has; where it
    has none, those that it lacks: ``−Case=Nom``."""
    mine, theirs = _parts(here), _parts(there)
    other = [part for part in theirs if part not in mine]
    other = other or [f"−{part}" for part in mine if part not in theirs]
    more = " …" if len(other) > _FEATURES else ""
    return " ".join(other[:_FEATURES]) + more


def _parts(written: str) -> list[str]:
    return [part for field in written.split(FIELDS) for part in field.split(PARTS)]


def _heads(snapshot: Snapshot, sentence: int) -> list[Hint]:
    tree, found = snapshot.dependency_tree(sentence), list[Hint]()
    for word in tree.words if tree is not None else ():
        if tree is not None and word.head >= 0:
            head = tree.words[word.head]
            found.append(Hint(word.fields[HEAD][1], head.form, f"{head.form} ({head.number})"))
    return found
