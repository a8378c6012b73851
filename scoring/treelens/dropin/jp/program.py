"""The script itself: two files in, the table out. It writes no file, and shows no time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from treelens.dropin.jp.comparison import Score, compare
from treelens.dropin.jp.printing import HEADER, Scores, summary, total_row
from treelens.dropin.jp.quick import Pieces, reader
from treelens.dropin.jp.settings import COLLINS, CUTOFF, Settings, read_parameters
from treelens.dropin.jp.stretches import File, Side, Stretch, decoded, stretches
from treelens.dropin.shared.rows import Totals
from treelens.dropin.shared.world import Stop, World

USAGE = "usage: treelens jp-evalb GOLD SYSTEM [X.prm | -evalb [X.prm]]\n"
_REMEMBERED = 1 << 11
"""So many pairs are; treebanks repeat their short sentences."""

if TYPE_CHECKING:  # loads numpy
    from treelens.dropin.jp import columns

    _Scores = Scores | columns.Scores

_ComparePair = Callable[[Side, int, Side, int], Score]


def main(arguments: Sequence[bytes], world: World) -> int:
    """Run the script; its exit status is 0 when it comes to its end, else 1."""
    names = [argument.decode("utf-8", "surrogateescape") for argument in arguments]
    if names in (["-h"], ["--help"]):
        world.print(USAGE.encode())
        return 0
    try:
        settings = _settings(names, world)
        streams = [_opened(name, world) for name in names[:2]]
    except Stop as stop:
        return stop.status
    pieces = Pieces(settings)
    gold, system = (
        _file(name, stream, pieces, is_gold)
        for name, stream, is_gold in zip(names, streams, (True, False), strict=False)
    )
    _print_scores(system, gold, settings, world)
    for complaint in (*gold.complaints, *system.complaints):
        world.complain(complaint)
    return 0


def _settings(names: list[str], world: World) -> Settings:
    match names:
        case [_, _]:
            return Settings()
        case [_, _, "-evalb"]:
            return COLLINS
        case [_, _, file] | [_, _, "-evalb", file] if file.endswith(".prm"):
            return read_parameters(decoded(_opened(file, world).read()), as_evalb=len(names) == 4)
    # The script ends with 1 as well, and says less.
    world.complain(USAGE.encode())
    raise Stop(1)


def _opened(name: str, world: World) -> BinaryIO:
    encoded = name.encode("utf-8", "surrogateescape")
    file = world.open(encoded)
    if file is None:
        world.complain(b"treelens jp-evalb: cannot read '%s'\n" % encoded)
        raise Stop(1)
    return file


def _file(name: str, stream: BinaryIO, pieces: Pieces, is_gold: bool) -> File:
    problems: dict[str, str] = {}
    return File(name, stream, reader(pieces, is_gold, problems), problems)


def _print_scores(system: File, gold: File, settings: Settings, world: World) -> None:
    totals, short = Totals(), Totals()
    world.print(HEADER)
    for scores in _scores(system, gold, settings, world):
        world.print(scores.rows(totals.sentences + 1))
        totals = totals.plus(scores.totals())
        short = short.plus(scores.totals(CUTOFF))
    world.print(total_row(totals) + summary(totals, short))


def _scores(system: File, gold: File, settings: Settings, world: World) -> Iterator[_Scores]:
    """Each group's score, by stretches."""
    compare_pair = _comparing(settings)
    any_deleted = bool(settings.delete_labels or settings.quote_labels)
    deleted: deque[int] = deque()
    for stretch in stretches(system, gold, settings, world):
        scores: _Scores = stretch.pairs.scores if stretch.pairs else Scores()
        systems, golds = _score(stretch, scores, compare_pair, settings)
        if any_deleted:
            # What was deleted counts for the length, but is looked up by the number of the
            # group among those of the sentences: wrong as soon as any were merged before.
            count = golds if stretch.more else max(len(scores) - len(deleted), 0)
            deleted.extend(stretch.deleted(count))
            scores.lengthen([deleted.popleft() if deleted else 0 for _ in range(len(scores))])
        yield scores
        stretch.system.finish(systems)
        stretch.gold.finish(golds)
        del scores, stretch  # before the next one is read


def _comparing(settings: Settings) -> _ComparePair:
    """Scores two sentences."""
    known: dict[tuple[str, str], Score] = {}

    def compare_pair(system: Side, number: int, gold: Side, gold_number: int) -> Score:
        lines = system.lines[number], gold.lines[gold_number]
        if lines not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[lines] = compare(system.sentence(number), gold.sentence(gold_number), settings)
        return known[lines]

    return compare_pair


def _score(
    stretch: Stretch, scores: _Scores, compare_pair: _ComparePair, settings: Settings
) -> tuple[int, int]:
    """Add each group's score; how many lines of either side they are."""
    system, gold, pairs, more = stretch
    systems = golds = 0
    for group in stretch.groups():
        systems, golds = group.system.stop, group.gold.stop
        if pairs and group.equal:
            pairs.add(group)
        elif len(group.system) == len(group.gold) == 1:
            scores.append(compare_pair(system, group.system.start, gold, group.gold.start))
        else:
            scores.append(compare(system.merged(group.system), gold.merged(group.gold), settings))
    return (systems, golds) if more else (len(system.lines), len(gold.lines))
