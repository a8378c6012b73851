"""The script itself: two files in, the table out. It writes no file, and shows no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from treelens.dropin.jp.comparison import Score, compare, merged
from treelens.dropin.jp.printing import HEADER, row, summary, total_row
from treelens.dropin.jp.quick import reader
from treelens.dropin.jp.reading import Sentence
from treelens.dropin.jp.sentences import Texts, groups
from treelens.dropin.jp.settings import COLLINS, Settings, read_parameters
from treelens.dropin.rows import Totals
from treelens.dropin.world import Stop, World

USAGE = "usage: treelens jp-evalb GOLD SYSTEM [X.prm | -evalb [X.prm]]\n"
_ROWS = 1 << 10
"""So many rows are printed at once."""


class _Side(NamedTuple):
    """A file: its lines, and what is counted of each."""

    name: str
    lines: list[str]
    sentence: Callable[[int], Sentence]


def main(arguments: Sequence[bytes], world: World) -> int:
    """Run the script; its exit status is 0 when it comes to its end, else 1."""
    names = [argument.decode("utf-8", "surrogateescape") for argument in arguments]
    if names in (["-h"], ["--help"]):
        world.print(USAGE.encode())
        return 0
    try:
        settings = _settings(names, world)
        gold, system = (
            _side(name, settings, is_gold, world)
            for name, is_gold in ((names[0], True), (names[1], False))
        )
    except Stop as stop:
        return stop.status
    _print_scores(system, gold, settings, world)
    return 0


def _settings(names: list[str], world: World) -> Settings:
    match names:
        case [_, _]:
            return Settings()
        case [_, _, "-evalb"]:
            return COLLINS
        case [_, _, file] | [_, _, "-evalb", file] if file.endswith(".prm"):
            return read_parameters(_text(file, world), as_evalb=len(names) == 4)
    # The script ends with 1 as well, and says less.
    world.complain(USAGE.encode())
    raise Stop(1)


def _text(name: str, world: World) -> str:
    """A file's text. Bytes that are no UTF-8 stand for themselves (*mended*)."""
    encoded = name.encode("utf-8", "surrogateescape")
    content = world.read(encoded)
    if content is None:
        world.complain(b"treelens jp-evalb: cannot read '%s'\n" % encoded)
        raise Stop(1)
    return content.decode("utf-8", "surrogateescape")


def _side(name: str, settings: Settings, is_gold: bool, world: World) -> _Side:
    # Python ends a line at more than newlines: form feeds and U+2028, for example.
    lines = [line.strip() for line in _text(name, world).splitlines()]
    read = reader(settings, is_gold)
    return _Side(name, lines, lambda number: read(lines[number]))


def _print_scores(system: _Side, gold: _Side, settings: Settings, world: World) -> None:
    world.print(HEADER)
    totals, short = Totals(), Totals()
    rows: list[bytes] = []
    for number, (score, deleted) in enumerate(_scores(system, gold, settings, world), 1):
        tally = score.tally
        if deleted:
            tally = tally._replace(length=tally.length + deleted)
        totals.add(tally)
        if score.within_cutoff(deleted):
            short.add(tally)
        rows.append(row(number, tally))
        if len(rows) == _ROWS:
            world.print(b"".join(rows))
            rows.clear()
    world.print(b"".join(rows) + total_row(totals) + summary(totals, short))


def _scores(
    system: _Side, gold: _Side, settings: Settings, world: World
) -> Iterator[tuple[Score, int]]:
    """Each group's score, and what was deleted of it.

    That is looked up by the number of the group among the numbers of the sentences: wrong as
    soon as any were merged before.
    """
    texts = Texts(
        lambda number: system.sentence(number).text,
        len(system.lines),
        lambda number: gold.sentence(number).text,
        len(gold.lines),
    )
    for number, group in enumerate(groups(texts)):
        sides = _merged(group.system, system, world), _merged(group.gold, gold, world)
        deleted = gold.sentence(number).deleted if gold.lines else 0
        yield compare(*sides, settings), deleted


def _merged(numbers: range, side: _Side, world: World) -> Sentence:
    sentences = [side.sentence(number) for number in numbers]
    for number, sentence in zip(numbers, sentences, strict=True):
        if sentence.problem:
            place = f"{side.name}:{number + 1}: {sentence.problem}\n"
            world.complain(place.encode("utf-8", "surrogateescape"))
    return merged(sentences)
