"""What can be done at a place: about its mismatches (take gold's, or accept the system's into
gold), about problems of the text, and to the tree.

Each action is a title and a recipe. Nothing is worked out before the action is chosen:
:func:`prepared` then makes the edits, from the same snapshot or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.differences.wording import (
    SideNames,
    accepting,
    taking,
    taking_everywhere,
    taking_file,
    taking_sentence,
    taking_tree,
)
from treelens.edits.brackets import bracket_text
from treelens.edits.repair import REPAIRS
from treelens.edits.sentences import join_tables, split_table
from treelens.edits.structure import (
    CUTS,
    OPERATIONS,
    join_sentences,
    merge_rows,
    names,
    split_row,
    split_sentence,
)
from treelens.edits.take import (
    Wanted,
    take,
    take_alike,
    take_everything,
    take_sentence,
    take_whole,
)
from treelens.edits.text import Edit, Edits
from treelens.present.fixed import is_fixed
from treelens.present.names import short_name
from treelens.present.revisions import side_names
from treelens.present.unknown import UNKNOWN_LABEL, unknown
from treelens.session.counts import Progress
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.forest import encode

MOST = 12
"""Actions at a place."""

_FINDINGS = 3
"""Findings at a place that have actions of their own: the narrowest."""

ActionKind = Literal["quickfix", "refactor.rewrite", "source.takeGold"]
What = Literal[
    "repair",
    "name",
    "finding",
    "sentence",
    "whole",
    "alike",
    "structure",
    "cut",
    "sentences",
    "everything",
    "keep",
]


class Recipe(NamedTuple):
    """What to do; plain values, so that it can go to a client and come back."""

    what: What
    how: str
    """Which side's file is changed: ``gold`` or ``system``; or what is done to the tree."""
    other: str
    """The name of the document's counterpart; empty where none is needed."""
    group: int
    """Without a counterpart, the sentence."""
    at: int
    """A finding's number among those of the group, a problem's, a node's; or an offset."""
    nth: int = 0
    """Which of the pairs with the counterpart, where there are several, each compared its way."""


class Action(NamedTuple):
    title: str
    kind: ActionKind
    recipe: Recipe
    preferred: bool = False
    code: str | None = None
    """Of the finding or problem that it is about, which is marked at ``start`` to ``end``."""
    start: int = 0
    end: int = 0


class _At(NamedTuple):
    """A group of sentences of a snapshot's document, with one of its counterparts."""

    other: Counterpart
    group: int
    findings: tuple[Finding, ...]
    names: SideNames

    def mark(self, finding: Finding) -> Mark | None:
        return finding.at(self.other.side)


def actions(snapshot: Snapshot, start: int, end: int, *, asked: bool = True) -> list[Action]:
    """What can be done from one offset to another, best first.

    ``asked``: whether the user has asked; if not (an editor asks wherever the cursor goes),
    there is nothing that could be done to any tree.
    """
    sentence = snapshot.document.sentence_at(start)
    if sentence is None:
        return []
    editable = not is_fixed(snapshot.name)
    found = [*_of_problems(snapshot, sentence, start, end)] if editable else []
    found += _of_unknown(snapshot, sentence, start, end) if editable else ()
    for other in snapshot.marked:
        if other.pair.is_takeable:
            group = other.pair.group_of(other.side, sentence)
            at = _At(other, group, other.pair.findings(group), side_names(snapshot.name, other))
            named = f" ({short_name(other.name)})" if len(snapshot.marked) > 1 else ""
            number = nth(snapshot, other.pair)
            offered = (*_of_findings(at, start, end), *_of_sentence(at), *_of_file(at))
            found += [
                one._replace(title=one.title + named, recipe=one.recipe._replace(nth=number))
                for one in offered
                if not is_fixed(target(snapshot, one.recipe))
            ]
    if asked and editable:
        found += _of_tree(snapshot, sentence, start)
    found.sort(key=lambda one: _ORDER[one.recipe.what])
    whole_file = [one for one in found if one.recipe.what == "everything"]
    return found[: max(MOST - len(whole_file), 0)] + whole_file if len(found) > MOST else found


_ORDER: dict[What, int] = {what: at for at, what in enumerate(get_args(What))}


def _of_problems(snapshot: Snapshot, sentence: int, start: int, end: int) -> Iterator[Action]:
    document = snapshot.document
    for number, problem in enumerate(document.problems(sentence, sentence + 1)):
        repair = REPAIRS.get(problem.code)
        if repair and problem.start <= end and start <= problem.end:
            recipe = Recipe("repair", "", "", sentence, number)
            place = problem.start, problem.end
            yield Action(repair.title, "quickfix", recipe, True, problem.code, *place)


def _of_unknown(snapshot: Snapshot, sentence: int, start: int, end: int) -> Iterator[Action]:
    """For a name that nobody else uses, those that are perhaps meant."""
    for one in unknown(snapshot, range(sentence, sentence + 1)):
        if one.start <= end and start <= one.end:
            for rank, name in enumerate(one.nearest):
                recipe = Recipe("name", name, "", sentence, one.start)
                place = one.start, one.end
                title = f"Change {one.name} to {name}"
                yield Action(title, "quickfix", recipe, not rank, UNKNOWN_LABEL, *place)


def _of_tree(snapshot: Snapshot, sentence: int, offset: int) -> Iterator[Action]:
    """What can be done to the node at an offset, or to the constituent that it cuts."""
    if snapshot.document.format.layout == "rows":
        yield from _of_table(snapshot.document, sentence, offset)
        return
    document, tree = snapshot.document, snapshot.tree(sentence)
    index = tree.innermost(offset)
    if index is None:
        return
    text = bracket_text(document, sentence)
    called = names(text, index)
    for how, operation in OPERATIONS.items():
        if operation.edits(text, index):
            title = operation.title.format_map(called)
            yield Action(title, "refactor.rewrite", Recipe("structure", how, "", sentence, index))
    for how, operation in CUTS.items():
        if operation.edits(text, offset):
            recipe = Recipe("cut", how, "", sentence, offset)
            yield Action(operation.title, "refactor.rewrite", recipe)
    for how, title in (("split", "Split sentence here"), ("join", "Join with the next sentence")):
        recipe = Recipe("sentences", how, "", sentence, offset)
        at_root = how == "split" or index == 0
        if at_root and _tree_edits(document, recipe):
            yield Action(title, "refactor.rewrite", recipe)


def _of_table(document: Document, sentence: int, offset: int) -> Iterator[Action]:
    for how, title in (("split", "Split word here"), ("merge", "Merge word with the next one")):
        recipe = Recipe("cut", how, "", sentence, offset)
        if _tree_edits(document, recipe):
            yield Action(title, "refactor.rewrite", recipe)
    cut = split_table(document, sentence, offset)
    if cut:
        title = "Split sentence before this word" + _REATTACHED.get(min(cut.reattached, 2), "")
        recipe = Recipe("sentences", "split", "", sentence, offset)
        yield Action(title.format(cut.reattached), "refactor.rewrite", recipe)
    joined = join_tables(document, sentence)
    if joined:
        hangs = ", its root as parataxis of this one’s" if joined.reattached else ""
        recipe = Recipe("sentences", "join", "", sentence, offset)
        yield Action("Join with the next sentence" + hangs, "refactor.rewrite", recipe)


_REATTACHED = {
    1: "; 1 head across the cut becomes the root",
    2: "; {} heads across the cut become the root of their part",
}
"""What a title says of heads that a cut takes away."""


def _of_findings(at: _At, start: int, end: int) -> Iterator[Action]:
    """Those of the findings that are marked here, the narrowest first."""
    marked = [
        (mark.end - mark.start, number, mark, finding)
        for number, finding in enumerate(at.findings)
        if (mark := at.mark(finding)) and mark.start <= end and start <= mark.end
    ]
    for rank, (_, number, mark, finding) in enumerate(sorted(marked)[:_FINDINGS]):
        for into in (Side.SYSTEM, Side.GOLD):
            to_gold = into is Side.GOLD
            title = accepting(finding, at.names) if to_gold else taking(finding, into, at.names)
            recipe = Recipe("finding", into.value, at.other.name, at.group, number)
            preferred = not rank and into is Side.SYSTEM
            yield Action(title, "quickfix", recipe, preferred, finding.code, mark.start, mark.end)
        alike = taking_everywhere(finding, Side.SYSTEM, at.names)
        if alike and not rank:
            recipe = Recipe("alike", Side.SYSTEM.value, at.other.name, at.group, number)
            yield Action(alike, "quickfix", recipe, False, finding.code, mark.start, mark.end)


def _of_sentence(at: _At) -> Iterator[Action]:
    if not at.findings or any(BY_CODE[one.code].family == "sentence" for one in at.findings):
        return
    for what, title, into in (
        ("sentence", taking_sentence(len(at.findings), at.names), "system"),
        ("whole", taking_tree(Side.SYSTEM, at.names), "system"),
        ("whole", taking_tree(Side.GOLD, at.names), "gold"),
    ):
        if what == "whole" or len(at.findings) > 1:
            recipe = Recipe(what, into, at.other.name, at.group, 0)  # type: ignore[arg-type]
            yield Action(title, "refactor.rewrite", recipe)


def _of_file(at: _At) -> Iterator[Action]:
    if at.other.complete and at.other.pair.mismatches:
        recipe = Recipe("everything", "system", at.other.name, at.group, 0)
        yield Action(taking_file(at.names), "source.takeGold", recipe)


# --- edits ---------------------------------------------------------------------------------


def is_long(recipe: Recipe) -> bool:
    """Whether a whole file is gone through: seconds, where there are thousands of mismatches."""
    return recipe.what in ("alike", "everything")


class Prepared(NamedTuple):
    """Edits of one document, by its name."""

    name: str
    edits: Edits


def prepared(
    snapshot: Snapshot, recipe: Recipe, progress: Progress | None = None
) -> Prepared | None:
    """The edits that a recipe makes; None where there is nothing to be done, or no way to.

    ``progress`` is called, if the recipe is long, with the share that is done.
    """
    if is_fixed(target(snapshot, recipe)):
        return None
    if recipe.what == "name":
        sentences = range(recipe.group, recipe.group + 1)
        at = (one for one in unknown(snapshot, sentences) if one.start == recipe.at)
        changed = tuple(Edit(one.start, one.end, encode(recipe.how)) for one in at)
        return Prepared(snapshot.name, changed) if changed else None
    if not recipe.other:
        edits = _tree_edits(snapshot.document, recipe)
        return Prepared(snapshot.name, edits) if edits else None
    other = counterpart(snapshot, recipe)
    if other is None or not 0 <= recipe.group < len(other.pair):
        return None
    kept = snapshot.overlay.kept if snapshot.overlay else None
    edits = _taking(other.pair, recipe, Side(recipe.how), progress, kept)
    return Prepared(target(snapshot, recipe), edits) if edits else None


def counterpart(snapshot: Snapshot, recipe: Recipe) -> Counterpart | None:
    """What a recipe takes from, or writes into, where that is still compared with."""
    found = [one for one in snapshot.counterparts if one.name == recipe.other]
    return found[recipe.nth] if 0 <= recipe.nth < len(found) else None


def nth(snapshot: Snapshot, pair: Pair) -> int:
    """Which of the pairs with the same counterpart this is."""
    others = snapshot.counterparts
    at = next((at for at, one in enumerate(others) if one.pair.origin is pair.origin), 0)
    return sum(one.name == others[at].name for one in others[:at])


def target(snapshot: Snapshot, recipe: Recipe) -> str:
    """The document that a recipe changes."""
    other = counterpart(snapshot, recipe)
    return snapshot.name if other is None or recipe.how == other.side.value else other.name


def _taking(
    pair: Pair,
    recipe: Recipe,
    into: Side,
    progress: Progress | None,
    kept: npt.NDArray[np.bool_] | None,
) -> Edits | None:
    """``kept``: gold's sentences in which nothing is taken that is taken everywhere."""
    if recipe.what == "everything":
        return take_everything(pair, into, progress)
    if recipe.what == "sentence":
        return take_sentence(pair, recipe.group, into)
    if recipe.what == "whole":
        return take_whole(pair, recipe.group, into)
    findings = pair.findings(recipe.group)
    if not 0 <= recipe.at < len(findings):
        return None
    finding = findings[recipe.at]
    if recipe.what == "alike":
        return take_alike(pair, into, _like(finding), progress, kept)
    # Where a finding cannot be ended by itself, all of the sentence is what can be taken.
    return take(pair, recipe.group, finding, into) or take_sentence(pair, recipe.group, into)


def _tree_edits(document: Document, recipe: Recipe) -> Edits | None:
    what, how, _, sentence, at, _ = recipe
    if not 0 <= sentence < len(document):
        return None
    if what == "repair":
        problems = document.problems(sentence, sentence + 1)
        found = problems[at] if 0 <= at < len(problems) else None
        return REPAIRS[found.code].edits(document, sentence, found) if found else None
    if what == "sentences" and document.format.layout == "rows":
        recut = (
            split_table(document, sentence, at)
            if how == "split"
            else join_tables(document, sentence)
        )
        return recut.edits if recut else None
    if document.format.layout == "rows":
        if how == "split":
            return split_row(document, sentence, at)
        index = document.tree(sentence).innermost(at)
        return None if index is None else merge_rows(document, sentence, index)
    text = bracket_text(document, sentence)
    if what == "structure":
        known = 0 <= at < len(text.tree.nodes)
        return OPERATIONS[how].edits(text, at) if known else None
    if what == "cut":
        return CUTS[how].edits(text, at)
    if how == "join":
        return join_sentences(document, text, sentence)
    return split_sentence(document, text, at)


def _like(one: Finding) -> Wanted:
    def kind(finding: Finding) -> tuple[object, ...]:
        difference = BY_CODE[finding.code]
        # (What is marked where something is lacking is what happens to be there.)
        marks = [finding.at(side) for side in Side if difference.owner in (None, side)]
        return difference.family, difference.owner, *(mark and mark.written for mark in marks)

    return lambda finding: kind(finding) == kind(one)


def sentence_recipe(snapshot: Snapshot, offset: int, into: Side) -> Recipe | None:
    """Everything of the sentence at an offset, with the first counterpart that differs there."""
    sentence = snapshot.document.sentence_at(offset)
    for other in snapshot.marked if sentence is not None else ():
        group = other.pair.group_of(other.side, sentence or 0)
        if other.pair.is_takeable and other.pair.mismatching()[group]:
            return Recipe("sentence", into.value, other.name, group, 0, nth(snapshot, other.pair))
    return None
