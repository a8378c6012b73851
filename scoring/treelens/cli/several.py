"""Many files for one argument, by commands that look at one set of files after the other.

What such commands find of a folder is the sum of what they find of each of its files: a sentence
is compared with those of the file at the same place, and with no other.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from treelens.cli import CannotContinue, files, inputs, metrics, output
from treelens.cli.pairs import paired, read_gold
from treelens.cli.shelf import HELD, Shelf
from treelens.counting.vocabulary import Vocabulary
from treelens.formats.table import Format
from treelens.metrics import Metric
from treelens.render.width import clean
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.pair import Pair
from treelens.trees.forest import Symbols


class Set(NamedTuple):
    """Files at one place, as they are opened: gold's, and each system's."""

    place: str
    names: tuple[str, ...]


class SetPairs(NamedTuple):
    """The pairs of one set: gold's file with each system's."""

    place: str
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]


def sets(arguments: Sequence[str]) -> list[Set]:
    """Which files of gold's and the systems' arguments, if any, belong together; what lacks a
    partner in any is named and left out."""
    gold, *systems = map(inputs.files, arguments)
    if not systems:
        return [Set(place, (file.name,)) for place, file in gold.by_place.items()]
    found = [inputs.paired(gold, system) for system in systems]
    by_place = [{pair.place: pair for pair in pairs.pairs} for pairs in found]
    places = [place for place in by_place[0] if all(place in one for one in by_place)]
    alone = [name for pairs in found for name in pairs.alone]
    alone += [
        pair.system.name for one in by_place for place, pair in one.items() if place not in places
    ]
    for name in dict.fromkeys(alone):
        output.say(f"note: {clean(name)} has no partner and is left out")
    if not places:
        raise CannotContinue(f"no file of {clean(arguments[0])} has a partner in all the others")
    return [
        Set(
            place,
            (by_place[0][place].gold.name, *(one[place].system.name for one in by_place)),
        )
        for place in places
    ]


Counted = Callable[[Sequence[Document]], tuple[Metric, ...]]
"""What is counted of some files."""


def each(
    found: Sequence[Set],
    options: argparse.Namespace,
    parameters: Parameters,
    most: int | None,
    count: Counted | None = None,
    shared: Symbols | None = None,
    shelf: Shelf | None = None,
) -> Iterator[SetPairs]:
    """The pairs of each set, read when its turn comes. Of many, gold's files without a word, and
    files that hold no trees, are said and left out. count: else what the options say. shared: the
    symbols of all files, where what is found of them is added up by these. shelf: where all
    sets' files are to wait, for whoever keeps the pairs."""
    names = metrics.names(options)
    counted: tuple[Metric, ...] | None = None
    vocabulary, size = Vocabulary(), 0
    for one in found:
        symbols = vocabulary.symbols(size) if shared is None else shared
        try:
            place = shelf or Shelf(HELD * len(one.names))
            gold = read_gold(one.names[0], symbols, place)
            systems = [files.read_trees(name, symbols, place) for name in one.names[1:]]
        except CannotContinue as problem:
            leave_out(problem, found)
            continue
        for name, document in zip(one.names, (gold, *systems), strict=True):
            files.say_problems(name, document, most)
        # (All are counted as the first are, so that there is one sum.)
        documents = [gold, *systems]
        size = sum(document.length for document in documents)
        if not counted:
            counted = count(documents) if count else metrics.chosen(names, documents, parameters)
        if not counted:
            leave_out(unlike(one, [document.format for document in documents]), found)
            continue
        yield SetPairs(
            one.place,
            one.names,
            tuple(
                paired(gold, system, parameters, name, one.names[0], counted)
                for name, system in zip(one.names[1:], systems, strict=True)
            ),
        )


def leave_out(problem: CannotContinue, found: Sequence[Set]) -> None:
    """A set that cannot be compared ends the command where it is the only one."""
    if len(found) == 1:
        raise problem
    output.say(f"note: {problem}; left out")


def unlike(one: Set, formats: Iterable[Format]) -> CannotContinue:
    """Files of which each says something else of words."""
    kinds = " and ".join(dict.fromkeys(format.annotation for format in formats))
    return CannotContinue(f"{clean(files.shown(one.names[0]))}: no score is of both {kinds}")
