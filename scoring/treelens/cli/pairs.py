"""A gold file and a system's as a pair in memory, and what is to be said of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treelens.align.uncertain import warnings
from treelens.cli import CannotContinue, files, output
from treelens.cli.progress import Progress
from treelens.cli.shelf import Shelf
from treelens.counting.sums import Sums, of_pair
from treelens.metrics import Metric, Score, scores
from treelens.render.width import clean, shortened
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.trees.forest import Symbols

if TYPE_CHECKING:
    from treelens.session.pair import Pair

_ENOUGH_TO_JUDGE = 50
"""Facts of gold from which it is no coincidence that hardly any is in system."""

_JUDGED_BY = ("recall", "UAS-recall", "tagging")


def read_gold(name: str, symbols: Symbols, shelf: Shelf) -> Document:
    """The gold file, which must have something to score against."""
    gold = files.read_trees(name, symbols, shelf)
    if not any(len(forest.word) for forest, _ in gold.parts()):
        named = clean(files.shown(name))
        raise CannotContinue(f"{named} holds only empty trees: there is nothing to score")
    return gold


def paired(
    gold: Document,
    system: Document,
    parameters: Parameters,
    name: str,
    gold_name: str,
    counted: tuple[Metric, ...],
) -> Pair:
    """The pair, made with progress; what a user should know of the sentences is said."""
    from treelens.session.pair import pair  # with all kinds of differences and errors

    title = shortened(clean(files.shown(name)), 40)
    with Progress(title) as progress:
        found = pair(gold, system, parameters, progress, counted)
    say_of_sentences(name, gold_name, of_pair(found), found.metrics)
    compared = parameters.alignment == "moved"
    names = clean(files.shown(gold_name)), clean(files.shown(name))
    lines = warnings(found.uncertain(), compared=compared, names=names)
    output.say_some([f"note: {line}" for line in lines], files.PROBLEMS_SHOWN)
    return found


def say_of_sentences(name: str, gold_name: str, found: Sums, counted: tuple[Metric, ...]) -> None:
    """What a user should know of two files' sentences."""
    gold, system = clean(files.shown(gold_name)), clean(files.shown(name))
    if found.golds != found.systems:
        output.say(
            f"note: {gold} has {_trees(found.golds)}, {system} {found.systems}; "
            "sentences are aligned by their text"
        )
    if hardly_alike(scores(found.all, counted)):
        output.say(
            f"note: hardly anything in {system} is as in {gold}; are these the same sentences?"
        )


def hardly_alike(scores: Sequence[Score]) -> bool:
    """Whether so little agrees, tags included, that these may be files of different texts."""
    judged = [score for score in scores if score.ratio.name in _JUDGED_BY]
    there = sum(score.denominator for score in judged)
    return there >= _ENOUGH_TO_JUDGE and 20 * sum(score.numerator for score in judged) < there


def _trees(count: int) -> str:
    return "1 tree" if count == 1 else f"{count} trees"
