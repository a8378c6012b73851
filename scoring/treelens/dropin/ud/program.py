"""The programs themselves: ``main`` is ``conll18`` or ``udeval``, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, islice
from operator import add
from typing import BinaryIO, NamedTuple

from treelens.dropin.ud import table
from treelens.dropin.ud.alignment import align
from treelens.dropin.ud.arguments import Request, Unusable, read_arguments
from treelens.dropin.ud.pieces import Piece, pieces
from treelens.dropin.ud.quick import read_quickly
from treelens.dropin.ud.scores import UNALIGNED, Score, evaluate
from treelens.dropin.ud.treebank import Rules, Treebank

_AT_ONCE = 64
"""Pieces that are shared out together."""
_TOGETHER = 16
"""Pieces that may be one, at most."""
_OF_NO_PAIRS = (*UNALIGNED, *table.ENHANCED)
"""Metrics that have no accuracy on aligned words."""

Counts = tuple[int, ...]
"""The four numbers of a :class:`Score` for each metric, one after the other."""


class World(NamedTuple):
    """The outside world: ``open`` gives a file's bytes, to be entered anywhere, or why it cannot
    be read; ``map`` does some work on each of many pieces, in their order, and may use several
    processes."""

    open: Callable[[str], BinaryIO | str]
    print: Callable[[str], object]
    complain: Callable[[str], object]
    map: Callable[[Callable[[Piece], Counts | None], Sequence[Piece]], Iterable[Counts | None]] = (
        map
    )


def main(arguments: Sequence[str], name: str, world: World) -> int:
    """Run a program; return its exit status: 1 where the original stops with a traceback."""
    try:
        request = read_arguments(arguments, name)
    except Unusable as unusable:
        (world.complain if unusable.status else world.print)(unusable.text)
        return unusable.status
    rules = Rules(request.many_roots, not request.no_empty_nodes, request.enhanced)
    files = []
    for name in (request.gold, request.system):
        file = world.open(name)
        if isinstance(file, str):
            world.complain(f"{name}: {file}\n")
            return 1
        files.append(file)
    counts = _counts_in_pieces(files, request, rules, world)
    if counts is None:
        # Needed for files that are wrong or unusual, and only for these.
        from treelens.dropin.ud.faults import Careful

        counted = partial(_counts, request=request)
        counts = Careful(request, rules, world.complain, counted).total(files)
    if counts is None:
        return 1
    world.print("".join(f"{line}\n" for line in _table(_scores(counts, request), request)))
    return 0


def _counts_in_pieces(
    files: Sequence[BinaryIO], request: Request, rules: Rules, world: World
) -> Counts | None:
    """What files without faults come to; None when there is a fault, or something unusual."""
    read = _read_enhanced if request.enhanced else read_quickly

    def counts(piece: Piece) -> Counts | None:
        mine = read(piece.gold, rules)
        its = read(piece.system, rules) if mine else None
        if mine is None or its is None or "".join(mine.forms) != "".join(its.forms):
            return None
        return _counts(mine, its, request)

    total: Counts = (0,) * (4 * len(_names(request)))
    for failed, run in groupby(_counted(pieces(*files), counts, world), _has_failed):
        if failed:
            # Two pieces that were cut at the wrong place are one piece.
            some = [piece for piece, _ in islice(run, _TOGETHER + 1)]
            if len(some) > _TOGETHER:  # (They differ all the way.)
                return None
            whole = counts(Piece(*map(b"".join, zip(*some, strict=True))))
            if whole is None:
                return None
            found: Iterable[Counts] = [whole]
        else:
            found = (each for _, each in run if each)
        for each in found:
            total = tuple(map(add, total, each))
    return total


def _counts(gold: Treebank, system: Treebank, request: Request) -> Counts:
    scores = _evaluate(gold, system, request).values()
    return tuple(number or 0 for score in scores for number in score)


def _names(request: Request) -> Sequence[str]:
    return (*table.METRICS, *table.ENHANCED) if _with_graphs(request) else table.METRICS


def _scores(total: Counts, request: Request) -> dict[str, Score]:
    rows = zip(_names(request), total[::4], total[1::4], total[2::4], total[3::4], strict=True)
    return {
        name: Score(mine, its, right, None if name in _OF_NO_PAIRS else aligned)
        for name, mine, its, right, aligned in rows
    }


def _with_graphs(request: Request) -> bool:
    return request.enhanced and not request.basic_only


def _evaluate(gold: Treebank, system: Treebank, request: Request) -> dict[str, Score]:
    alignment = align(gold, system)
    scores = evaluate(gold, system, alignment)
    if _with_graphs(request):
        from treelens.dropin.ud.enhanced import evaluate_enhanced

        scores |= evaluate_enhanced(gold, system, alignment, request.enhancements)
    return scores


def _read_enhanced(data: bytes, rules: Rules) -> Treebank | None:
    """A text with enhanced graphs, or None when something in it is wrong."""
    from treelens.dropin.ud.careful import read_carefully

    try:
        bank = read_carefully(data.decode("utf-8"), rules)
    except UnicodeDecodeError:
        return None
    return None if bank.problems else bank


def _counted(
    cut: Iterable[Piece], counts: Callable[[Piece], Counts | None], world: World
) -> Iterator[tuple[Piece, Counts | None]]:
    """Each piece and its counts, a few of them in memory."""
    following = iter(cut)
    while some := list(islice(following, _AT_ONCE)):
        yield from zip(some, world.map(counts, some), strict=True)


def _has_failed(result: tuple[Piece, Counts | None]) -> bool:
    return result[1] is None


def _table(scores: dict[str, Score], request: Request) -> Iterator[str]:
    if request.counts:
        return table.counts(scores)
    return table.ratios(scores) if request.verbose else table.short(scores)
