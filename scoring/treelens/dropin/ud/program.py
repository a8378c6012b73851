"""The programs themselves: ``main`` is ``conll18`` or ``udeval``, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice, takewhile
from operator import add, eq
from typing import BinaryIO, NamedTuple

from treelens.dropin.ud import table
from treelens.dropin.ud.alignment import align
from treelens.dropin.ud.arguments import Request, Unusable, read_arguments
from treelens.dropin.ud.pieces import Piece, pieces, with_newlines
from treelens.dropin.ud.quick import read_quickly
from treelens.dropin.ud.scores import UNALIGNED, Score, evaluate
from treelens.dropin.ud.treebank import Problem, Rules, Treebank

_AT_ONCE = 64
"""Pieces that are shared out together."""
_MOST = 50
"""So many problems of each file are told; a file with more has one problem."""
_SHOWN = 20
"""So many characters are shown where texts differ."""
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
    scores = _scores_in_pieces(files, request, rules, world)
    if scores is None:
        scores = _careful_scores(files, request, rules, world)
    if scores is None:
        return 1
    world.print("".join(f"{line}\n" for line in _table(scores, request)))
    return 0


def _scores_in_pieces(
    files: Sequence[BinaryIO], request: Request, rules: Rules, world: World
) -> dict[str, Score] | None:
    """The scores of files without faults; None when there is a fault, or something unusual."""
    read = _read_enhanced if request.enhanced else read_quickly
    names = (*table.METRICS, *table.ENHANCED) if _with_graphs(request) else table.METRICS

    def counts(piece: Piece) -> Counts | None:
        mine = read(piece.gold, rules)
        its = read(piece.system, rules) if mine else None
        if mine is None or its is None or "".join(mine.forms) != "".join(its.forms):
            return None
        scores = _evaluate(mine, its, request).values()
        return tuple(number or 0 for score in scores for number in score)

    total: Counts = (0,) * (4 * len(names))
    for failed, run in groupby(_counted(pieces(*files), counts, world), _has_failed):
        if failed:
            # Two pieces that were cut at the wrong place are one piece.
            whole = counts(Piece(*map(b"".join, zip(*(piece for piece, _ in run), strict=True))))
            if whole is None:
                return None
            found: Iterable[Counts] = [whole]
        else:
            found = (each for _, each in run if each)
        for each in found:
            total = tuple(map(add, total, each))
    rows = zip(names, total[::4], total[1::4], total[2::4], total[3::4], strict=True)
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


def _decode(file: str, data: bytes, request: Request, world: World) -> str | None:
    """The text of a file, or None when nothing is to be scored in it."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        world.complain(f"{file}:{line}: byte {problem.start} is not UTF-8\n")
        return data.decode("utf-8", "replace") if request.score_anyway else None


def _careful_scores(
    files: Sequence[BinaryIO], request: Request, rules: Rules, world: World
) -> dict[str, Score] | None:
    """The scores of any files; None when they are at fault, and that has been told."""
    # Needed for files that are wrong or unusual, and only for these.
    from treelens.dropin.ud.careful import read_carefully

    texts = []
    for name, file in zip((request.gold, request.system), files, strict=True):
        file.seek(0)
        text = _decode(name, b"".join(with_newlines(file)), request, world)
        if text is None:
            return None
        texts.append(text)
    gold, system = (read_carefully(text, rules) for text in texts)
    if gold.problems or system.problems or "".join(gold.forms) != "".join(system.forms):
        _tell(gold, system, request, world)
        if not request.score_anyway:
            return None
        gold, system = _rest(gold, system, world)
    return _evaluate(gold, system, request)


def _table(scores: dict[str, Score], request: Request) -> Iterator[str]:
    if request.counts:
        return table.counts(scores)
    return table.ratios(scores) if request.verbose else table.short(scores)


def _tell(gold: Treebank, system: Treebank, request: Request, world: World) -> None:
    """Everything that is wrong with the files, and with them together."""
    for file, bank in ((request.gold, gold), (request.system, system)):
        for problem in bank.problems[:_MOST]:
            world.complain(_message(file, problem))
        if len(bank.problems) > _MOST:
            world.complain(f"{file}: and {len(bank.problems) - _MOST} more problems\n")
    differing = list(_differences(gold, system, request))
    for message in differing[:_MOST]:
        world.complain(message)
    if len(differing) > _MOST:
        world.complain(f"the text differs in {len(differing) - _MOST} more places\n")


def _message(file: str, problem: Problem) -> str:
    return f"{file}:{problem.line}: sentence {problem.sentence}: {problem.message}\n"


def _differences(gold: Treebank, system: Treebank, request: Request) -> Iterator[str]:
    """Where the texts differ, stretch by stretch."""
    # Needed for files that are wrong, and only for these.
    from treelens.dropin.ud.parts import parts

    for part in parts(gold, system):
        if part.parallel:
            continue
        mine, its = part.gold_text, part.system_text
        same = len(list(takewhile(bool, map(eq, mine, its))))
        shown = [text[same : same + _SHOWN] or "nothing more" for text in (mine, its)]
        yield (
            f"{_place(request.gold, gold, part.gold)}: after"
            f" '{mine[max(0, same - _SHOWN) : same]}' the text differs: '{shown[0]}' here,"
            f" '{shown[1]}' in {_place(request.system, system, part.system)}\n"
        )


def _place(file: str, bank: Treebank, span: range) -> str:
    if not span:
        return f"{file}: missing sentence"
    sentence = bank.sentences[span.start]
    return f"{file}:{sentence.line}: sentence {sentence.name}"


def _rest(gold: Treebank, system: Treebank, world: World) -> tuple[Treebank, Treebank]:
    """Both files without what cannot be scored on either side."""
    from treelens.dropin.ud.parts import is_sound, only, parts

    kept = [part for part in parts(gold, system) if is_sound(part, gold, system)]
    mine = [index for part in kept for index in part.gold]
    its = [index for part in kept for index in part.system]
    world.complain(
        f"scored without this: {len(mine)} of {len(gold.sentences)} sentences of gold,"
        f" {len(its)} of {len(system.sentences)} of system\n"
    )
    return only(gold, mine), only(system, its)
