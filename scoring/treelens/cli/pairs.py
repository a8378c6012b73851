"""What a user should know of a gold file and a system's before their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.cli import files, output
from treelens.counting.sums import Sums
from treelens.metrics import Metric, Score, scores
from treelens.render.width import clean

_ENOUGH_TO_JUDGE = 50
"""Facts of gold from which it is no coincidence that hardly any is in system."""

_JUDGED_BY = ("recall", "UAS-recall", "tagging")


def say_of_sentences(name: str, gold_name: str, found: Sums, counted: tuple[Metric, ...]) -> None:
    """How many sentences they have, whether these may be the same, and what would make them so."""
    gold, system = clean(files.shown(gold_name)), clean(files.shown(name))
    if found.golds != found.systems:
        output.say(
            f"note: {gold} has {_trees(found.golds)}, {system} {found.systems}; "
            "sentences are aligned by their text"
        )
    say_of_case(name, gold_name, found)
    if hardly_alike(scores(found.all, counted)):
        output.say(
            f"note: hardly anything in {system} is as in {gold}; are these the same sentences?"
        )


def say_of_case(name: str, gold_name: str, found: Sums) -> None:
    """How many sentences would be the same if letter case were ignored."""
    if count := found.but_for_case:
        what = "1 sentence has" if count == 1 else f"{count:,} sentences have"
        gold, system = clean(files.shown(gold_name)), clean(files.shown(name))
        output.say(
            f"note: {what} the same text in {gold} and {system} but for case (see --ignore-case)"
        )


def hardly_alike(scores: Sequence[Score]) -> bool:
    """Whether so little agrees, tags included, that these may be files of different texts."""
    judged = [score for score in scores if score.ratio.name in _JUDGED_BY]
    there = sum(score.denominator for score in judged)
    return there >= _ENOUGH_TO_JUDGE and 20 * sum(score.numerator for score in judged) < there


def _trees(count: int) -> str:
    return "1 tree" if count == 1 else f"{count} trees"
