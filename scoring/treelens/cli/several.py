"""Many files for one argument, by commands that look at one set of files after the other.

What such commands find of a folder is the sum of what they find of each of its files: a sentence
is compared with those of the file at the same place, and with no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.cli import CannotContinue, files, inputs, output
from treelens.formats.table import Format
from treelens.render.width import clean


class Set(NamedTuple):
    """Files at one place, as they are opened: gold's, and each system's."""

    place: str
    names: tuple[str, ...]


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


def leave_out(problem: CannotContinue, found: Sequence[Set]) -> None:
    """A set that cannot be compared ends the command where it is the only one."""
    if len(found) == 1:
        raise problem
    output.say(f"note: {problem}; left out")


def unlike(one: Set, formats: Iterable[Format]) -> CannotContinue:
    """Files of which each says something else of words."""
    kinds = " and ".join(dict.fromkeys(format.annotation for format in formats))
    return CannotContinue(f"{clean(files.shown(one.names[0]))}: no score is of both {kinds}")
