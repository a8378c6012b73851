"""The script itself: two files in, the table out. It writes no file, and shows no time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from treelens.dropin.jp.comparison import Score, compare, merged
from treelens.dropin.jp.printing import HEADER, row, summary, summed, total_row
from treelens.dropin.jp.quick import Pieces, reader
from treelens.dropin.jp.reading import Sentence
from treelens.dropin.jp.sentences import Texts, groups
from treelens.dropin.jp.settings import COLLINS, CUTOFF, Settings, read_parameters
from treelens.dropin.shared.rows import Tally
from treelens.dropin.shared.world import Stop, World

if TYPE_CHECKING:  # loads numpy
    from treelens.dropin.jp.columns import Pairs

USAGE = "usage: treelens jp-evalb GOLD SYSTEM [X.prm | -evalb [X.prm]]\n"
_REMEMBERED = 1 << 13
"""So many pairs are; treebanks repeat their short sentences."""

_FEW_LINES = _REMEMBERED
"""Up to so many different ones, remembering them is the quickest."""

_ENOUGH_BYTES = 1 << 20
"""Of both files: below that, all is done before numpy is loaded."""


class _Side(NamedTuple):
    """A file: its lines, and what is counted of each."""

    name: str
    lines: Sequence[str]
    read: Callable[[str], Sentence]
    problems: dict[str, str]
    """What is wrong with lines that have been read."""
    sentence: Callable[[int], Sentence]
    """What is counted of a line, by its number."""

    def merged(self, numbers: range) -> Sentence:
        return merged([self.sentence(number) for number in numbers])


def main(arguments: Sequence[bytes], world: World) -> int:
    """Run the script; its exit status is 0 when it comes to its end, else 1."""
    names = [argument.decode("utf-8", "surrogateescape") for argument in arguments]
    if names in (["-h"], ["--help"]):
        world.print(USAGE.encode())
        return 0
    try:
        settings = _settings(names, world)
        contents = [_content(name, world) for name in names[:2]]
    except Stop as stop:
        return stop.status
    pieces, pairs = Pieces(settings), _pairs(contents[1], contents[0], settings)
    lines = (pairs.gold_lines, pairs.system_lines) if pairs else map(_lines, contents)
    gold, system = (
        _side(name, part, pieces, is_gold, pairs)
        for name, part, is_gold in zip(names, lines, (True, False), strict=False)
    )
    _print_scores(system, gold, settings, pairs, world)
    for side in (gold, system):
        _tell_problems(side, world)
    return 0


def _settings(names: list[str], world: World) -> Settings:
    match names:
        case [_, _]:
            return Settings()
        case [_, _, "-evalb"]:
            return COLLINS
        case [_, _, file] | [_, _, "-evalb", file] if file.endswith(".prm"):
            return read_parameters(_decoded(_content(file, world)), as_evalb=len(names) == 4)
    # The script ends with 1 as well, and says less.
    world.complain(USAGE.encode())
    raise Stop(1)


def _content(name: str, world: World) -> bytes:
    encoded = name.encode("utf-8", "surrogateescape")
    file = world.open(encoded)
    if file is None:
        world.complain(b"treelens jp-evalb: cannot read '%s'\n" % encoded)
        raise Stop(1)
    return file.read()


def _decoded(content: bytes) -> str:
    """A file's text. Bytes that are no UTF-8 stand for themselves (*mended*)."""
    return content.decode("utf-8", "surrogateescape")


def _lines(content: bytes) -> list[str]:
    # Python ends a line at more than newlines: form feeds and U+2028, for example.
    return [line.strip() for line in _decoded(content).splitlines()]


def _pairs(system: bytes, gold: bytes, settings: Settings) -> Pairs | None:
    """What counts pairs many at a time, if that gives the same and is quicker: not for small
    files, and not where lines repeat so often that all of them can be remembered."""
    few = not system or not gold or len(system) + len(gold) < _ENOUGH_BYTES
    if few or settings != Settings():
        return None
    if max(len({*file.split(b"\n")}) for file in (system, gold)) <= _FEW_LINES:
        return None
    from treelens.dropin.jp.columns import Pairs, is_plain

    return Pairs(system, gold) if is_plain(system) and is_plain(gold) else None


def _side(
    name: str, lines: Sequence[str], pieces: Pieces, is_gold: bool, pairs: Pairs | None
) -> _Side:
    problems: dict[str, str] = {}
    read = reader(pieces, is_gold, problems)

    @lru_cache(_REMEMBERED)
    def sentence(number: int) -> Sentence:
        found = pairs and pairs.sentence(number, is_gold=is_gold)
        return found or read(lines[number])

    return _Side(name, lines, read, problems, sentence)


def _print_scores(
    system: _Side, gold: _Side, settings: Settings, pairs: Pairs | None, world: World
) -> None:
    tallies: list[Tally] = []
    short: list[Tally] = []
    for number, (tally, positions) in enumerate(_scores(system, gold, settings, pairs)):
        # What was deleted counts for the length, but is looked up by the number of the group
        # among those of the sentences: wrong as soon as any were merged before.
        deleted = gold.read(gold.lines[number]).deleted if not pairs and gold.lines else 0
        if deleted:
            tally = Tally(tally.length + deleted, *tally[1:])
        tallies.append(tally)
        if positions + deleted <= CUTOFF:
            short.append(tally)
    rows = [row(number, tally) for number, tally in enumerate(tallies, 1)]
    all_of_them = summed(tallies)
    world.print(HEADER + b"".join(rows) + total_row(all_of_them))
    world.print(summary(all_of_them, summed(short)))


def _scores(system: _Side, gold: _Side, settings: Settings, pairs: Pairs | None) -> list[Score]:
    """Each group's score."""

    known: dict[tuple[str, str], Score] = {}

    def score_pair(number: int, gold_number: int) -> Score:
        lines = system.lines[number], gold.lines[gold_number]
        if lines not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[lines] = compare(system.sentence(number), gold.sentence(gold_number), settings)
        return known[lines]

    scores: list[Score] = []
    texts = Texts(_texts(system), len(system.lines), _texts(gold), len(gold.lines))
    if pairs:
        texts = texts._replace(same=pairs.same)
    for systems, golds in groups(texts):
        single = len(systems) == len(golds) == 1
        if pairs and single and pairs.same(systems[0], golds[0]):
            scores.append(pairs.later(len(scores), systems[0], golds[0]))
        elif single:
            scores.append(score_pair(systems[0], golds[0]))
        else:
            scores.append(compare(system.merged(systems), gold.merged(golds), settings))
    if pairs:
        pairs.count(scores)
    return scores


def _texts(side: _Side) -> Callable[[int], str]:
    sentence = side.sentence
    return lambda number: sentence(number).text


def _tell_problems(side: _Side, world: World) -> None:
    """The lines that the script would have stopped at."""
    if not side.problems:
        return
    for number, line in enumerate(side.lines, 1):
        if line in side.problems:
            message = f"{side.name}:{number}: {side.problems[line]}\n"
            world.complain(message.encode("utf-8", "surrogateescape"))
