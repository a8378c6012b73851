"""What can be done about the mismatches at a place: take gold's, or accept the system's into gold.

Each action is a title and a recipe. Nothing is worked out before the action is chosen:
:func:`prepared` then makes the edits, from the same snapshot or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from treelens.edits.take import (
    Wanted,
    comparable,
    take,
    take_alike,
    take_everything,
    take_sentence,
    take_whole,
)
from treelens.edits.text import Edits
from treelens.findings import Code, Finding, Mark
from treelens.present.names import short_name
from treelens.session.pair import Pair, Side
from treelens.session.session import Counterpart, Snapshot

MOST = 12
"""Actions at a place."""

_FINDINGS = 3
"""Findings at a place that have actions of their own: the narrowest."""
_QUOTED = 32
"""Characters of the text that a title quotes."""

Kind = Literal["quickfix", "refactor.rewrite", "source.takeGold"]
What = Literal["finding", "sentence", "whole", "alike", "everything"]


class Recipe(NamedTuple):
    """What to do; plain values, so that it can go to a client and come back."""

    what: What
    into: str
    """Which side's file is changed: ``gold`` or ``system``."""
    other: str
    """The name of the document's counterpart."""
    group: int
    finding: int
    """Its number among those of the group."""


class Action(NamedTuple):
    title: str
    kind: Kind
    recipe: Recipe
    preferred: bool = False
    code: Code | None = None
    """Of the finding that it is about, which is marked at ``start`` to ``end``."""
    start: int = 0
    end: int = 0


class _At(NamedTuple):
    """A group of sentences of a snapshot's document, with one of its counterparts."""

    other: Counterpart
    group: int
    findings: tuple[Finding, ...]

    def mark(self, finding: Finding) -> Mark | None:
        return finding.gold if self.other.side is Side.GOLD else finding.system


def actions(snapshot: Snapshot, start: int, end: int) -> list[Action]:
    """What can be done from one offset to another, best first."""
    sentence = snapshot.document.sentence_at(start)
    if sentence is None:
        return []
    found: list[Action] = []
    for other in snapshot.counterparts:
        if comparable(other.pair):
            group = other.pair.group_of(other.side, sentence)
            at = _At(other, group, other.pair.findings(group))
            named = f" ({short_name(other.name)})" if len(snapshot.counterparts) > 1 else ""
            offered = (*_of_findings(at, start, end), *_of_sentence(at), *_of_file(at))
            found += [one._replace(title=one.title + named) for one in offered]
    found.sort(key=lambda one: _ORDER[one.recipe.what])
    return found[:MOST]


_ORDER: dict[What, int] = {"finding": 0, "sentence": 1, "whole": 2, "alike": 3, "everything": 4}


def _of_findings(at: _At, start: int, end: int) -> Iterator[Action]:
    """Those of the findings that are marked here, the narrowest first."""
    marked = [
        (mark.end - mark.start, number, mark, finding)
        for number, finding in enumerate(at.findings)
        if (mark := at.mark(finding)) and mark.start <= end and start <= mark.end
    ]
    for rank, (_, number, mark, finding) in enumerate(sorted(marked)[:_FINDINGS]):
        for into in (Side.SYSTEM, Side.GOLD):
            title = _title(at, finding, into)
            recipe = Recipe("finding", into.value, at.other.name, at.group, number)
            preferred = not rank and into is Side.SYSTEM
            yield Action(title, "quickfix", recipe, preferred, finding.code, mark.start, mark.end)
        alike = _alike_title(finding)
        if alike and not rank:
            recipe = Recipe("alike", Side.SYSTEM.value, at.other.name, at.group, number)
            yield Action(alike, "quickfix", recipe, False, finding.code, mark.start, mark.end)


def _of_sentence(at: _At) -> Iterator[Action]:
    if not at.findings or any(one.code in _SENTENCES for one in at.findings):
        return
    for what, title, into in (
        (
            "sentence",
            f"Take gold’s at all {len(at.findings)} mismatches of this sentence",
            "system",
        ),
        ("whole", "Take gold’s whole tree", "system"),
        ("whole", "Accept the system’s whole tree into gold", "gold"),
    ):
        if what == "whole" or len(at.findings) > 1:
            recipe = Recipe(what, into, at.other.name, at.group, 0)  # type: ignore[arg-type]
            yield Action(title, "refactor.rewrite", recipe)


def _of_file(at: _At) -> Iterator[Action]:
    if at.other.complete and at.other.pair.mismatches:
        recipe = Recipe("everything", "system", at.other.name, at.group, 0)
        yield Action("Take gold’s for the whole file", "source.takeGold", recipe)


# --- titles --------------------------------------------------------------------------------

_SENTENCES = ("missing-sentence", "extra-sentence")
_NOUNS: dict[Code, str] = {
    "wrong-label": "label",
    "missing-bracket": "bracket",
    "extra-bracket": "bracket",
    "crossing-bracket": "bracket",
    "wrong-tag": "tag",
    "wrong-head": "head",
    "wrong-relation": "relation",
    "wrong-morphology": "morphology",
    "different-words": "words",
    "missing-words": "words",
    "extra-words": "words",
    "missing-sentence": "sentence",
    "extra-sentence": "sentence",
}
_ONLY_GOLD = ("missing-bracket", "missing-words", "missing-sentence")
_ONLY_SYSTEM = ("extra-bracket", "crossing-bracket", "extra-words", "extra-sentence")


def _title(at: _At, finding: Finding, into: Side) -> str:
    noun = _NOUNS[finding.code]
    if into is Side.SYSTEM:
        if finding.code in _ONLY_SYSTEM:
            return f"Remove {_what(at.other.pair, finding, Side.SYSTEM)}, which gold has not"
        return f"Take gold’s {noun} {_written(at.other.pair, finding, Side.GOLD)}".rstrip()
    if finding.code in _ONLY_GOLD:
        return f"Remove {_what(at.other.pair, finding, Side.GOLD)} from gold, as in the system"
    shown = _written(at.other.pair, finding, Side.SYSTEM)
    return f"Accept {noun} {shown}".rstrip() + " into gold"


def _what(pair: Pair, finding: Finding, side: Side) -> str:
    return _written(pair, finding, side) or "this sentence"


def _written(pair: Pair, finding: Finding, side: Side) -> str:
    """What a side has, short enough for a title."""
    mark = finding.gold if side is Side.GOLD else finding.system
    if mark is None or finding.code in _SENTENCES:
        return ""
    shown = mark.written
    if not shown and finding.code in ("different-words", "missing-words", "extra-words"):
        words = pair.document(side).tree(mark.sentence).words[slice(*mark.span)]
        shown = f"“{' '.join(words)}”"
    return shown if len(shown) <= _QUOTED else shown[: _QUOTED - 1] + "…"


def _alike_title(finding: Finding) -> str | None:
    """Of all findings like one: with the same labels, tags or relations."""
    gold = finding.gold.written if finding.gold else ""
    system = finding.system.written if finding.system else ""
    if finding.code in ("wrong-label", "wrong-tag", "wrong-relation"):
        return f"Take gold’s {_NOUNS[finding.code]} at every {system} → {gold} in this file"
    if finding.code == "missing-bracket":
        return f"Take gold’s bracket at every missing {gold} in this file"
    if finding.code in ("extra-bracket", "crossing-bracket"):
        return f"Remove every {system} in this file which gold has not"
    return None


# --- edits ---------------------------------------------------------------------------------


class Prepared(NamedTuple):
    """Edits of one document, by its name."""

    name: str
    edits: Edits


def prepared(snapshot: Snapshot, recipe: Recipe) -> Prepared | None:
    """The edits that a recipe makes; None where there is nothing to be done, or no way to."""
    other = next((one for one in snapshot.counterparts if one.name == recipe.other), None)
    if other is None or not 0 <= recipe.group < len(other.pair):
        return None
    into = Side(recipe.into)
    edits = _edits(other.pair, recipe, into)
    name = snapshot.name if into is other.side else other.name
    return Prepared(name, edits) if edits else None


def _edits(pair: Pair, recipe: Recipe, into: Side) -> Edits | None:
    if recipe.what == "everything":
        return take_everything(pair, into)
    if recipe.what == "sentence":
        return take_sentence(pair, recipe.group, into)
    if recipe.what == "whole":
        return take_whole(pair, recipe.group, into)
    findings = pair.findings(recipe.group)
    if not 0 <= recipe.finding < len(findings):
        return None
    finding = findings[recipe.finding]
    if recipe.what == "alike":
        return take_alike(pair, into, _like(finding), pair.mismatching().nonzero()[0].tolist())
    # Where a finding cannot be ended by itself, all of the sentence is what can be taken.
    return take(pair, recipe.group, finding, into) or take_sentence(pair, recipe.group, into)


def _like(one: Finding) -> Wanted:
    def kind(finding: Finding) -> tuple[object, ...]:
        bracket = finding.code in ("extra-bracket", "crossing-bracket")
        code = "extra-bracket" if bracket else finding.code
        # (What is marked on the other side of an extra bracket is what happens to be there.)
        gold = None if bracket or finding.gold is None else finding.gold.written
        return code, gold, finding.system and finding.system.written

    return lambda finding: kind(finding) == kind(one)


def sentence_recipe(snapshot: Snapshot, offset: int, into: Side) -> Recipe | None:
    """Everything of the sentence at an offset, with the first counterpart that differs there."""
    sentence = snapshot.document.sentence_at(offset)
    for other in snapshot.counterparts if sentence is not None else ():
        group = other.pair.group_of(other.side, sentence or 0)
        if comparable(other.pair) and other.pair.mismatching()[group]:
            return Recipe("sentence", into.value, other.name, group, 0)
    return None
