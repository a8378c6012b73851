"""Scores as a table for people: a line a score, a column a system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from treelens.align.uncertain import Uncertainty
from treelens.counting.waiting import Held, Waiting
from treelens.metrics import Metric, Ratio, Score, headlines
from treelens.render.width import clean, shortened, width
from treelens.report.content import (
    Report,
    ScoreBlock,
    SystemReport,
    best,
    numbers,
    short_names,
)
from treelens.report.paint import Paint, plain

UNDEFINED = "–"
"""What stands for 0/0."""

_NARROWEST, _WIDEST = 10, 26
_COLUMNS = 100
"""Where there is no terminal."""


class Look(NamedTuple):
    """How a table is laid out. ``columns``: the terminal's width; None where there is none."""

    per_sentence: bool = False
    columns: int | None = None
    paint: Paint = plain


class TableLine(NamedTuple):
    """A line of the table: what it says, and its cells from the left."""

    title: str
    cells: Sequence[str]
    best: Sequence[bool] = ()
    style: str = ""


class Grid(NamedTuple):
    """Columns' heads, and lines with as many cells or with none."""

    heads: Sequence[str]
    lines: Sequence[TableLine]


def table(report: Report, look: Look, waiting: Callable[[], Waiting] = Held) -> Iterator[str]:
    """The whole report, line by line. waiting: makes room for what is too much for memory."""
    yield from _files(report)
    grid = _one_system(report) if len(report.systems) == 1 else _several_systems(report)
    yield from laid_out(grid, look)
    for system in report.systems:
        if system.files:
            yield from laid_out(_by_file(report, system), look)
    if look.per_sentence:
        for system in report.systems:
            yield ""
            yield from _sentences(report, system, look.paint)
        if report.together:
            yield ""
            yield from _suspects(report, look, waiting())
    yield ""
    if any(s.pairing.different and not s.files for s in report.systems):
        yield look.paint("dim", "treelens compare GOLD SYSTEM draws what differs.")
    yield look.paint("dim", clean(report.signature))


def laid_out(grid: Grid, look: Look) -> Iterator[str]:
    """A grid's lines, with an empty one before; columns that do not fit stand below."""
    title = max(width(line.title) for line in grid.lines)
    for bank in _banks(grid, title, look.columns):
        yield ""
        yield from _bank(grid, bank, title, look.paint)


def number(score: Score) -> str:
    """A score as it is printed; evalb's C rounds the same way."""
    return UNDEFINED if score.value is None else f"{score.value:.2f}"


def _files(report: Report) -> Iterator[str]:
    yield f"gold    {clean(report.gold.name)}"
    for system in report.systems:
        yield f"system  {clean(system.source.name)}"


def _one_system(report: Report) -> Grid:
    """The blocks side by side, with what was counted."""
    blocks = report.systems[0].blocks
    heads = ["all", *(block.title[:1].lower() + block.title[1:] for block in blocks[1:]), "counts"]
    lines = [TableLine("Sentences", [str(block.sentences) for block in blocks])]
    lines += (
        TableLine(scores[0].ratio.title, [*map(number, scores), scores[0].counted])
        for scores in zip(*(block.scores for block in blocks), strict=True)
    )
    return Grid(heads, [*lines, *pairing_lines(report)])


def _by_file(report: Report, system: SystemReport) -> Grid:
    """The files and folders of a corpus below each other, with the scores that stand for all."""
    shown = [ratio.name for ratio in headlines(report.metrics)]
    lines = [
        TableLine(
            clean(f"{file.name}/" if file.is_folder else file.name),
            [str(file.blocks[0].sentences), *map(number, _of_names(file.blocks[0].scores, shown))],
            style="bold" if file.is_folder else "",
        )
        for file in system.files
    ]
    several = len(report.systems) > 1
    head = [TableLine(clean(system.source.name), (), style="bold")] if several else []
    heads = [ratio.headline or ratio.title for ratio in headlines(report.metrics)]
    return Grid(["sentences", *heads], [*head, *lines])


def _of_names(scores: Sequence[Score], names: Sequence[str]) -> list[Score]:
    return [score for score in scores if score.ratio.name in names]


def _several_systems(report: Report) -> Grid:
    """The systems side by side, the blocks below each other."""
    names = short_names([clean(system.source.name) for system in report.systems])
    lines: list[TableLine] = []
    for blocks in zip(*(system.blocks for system in report.systems), strict=True):
        if lines:
            lines.append(TableLine("", ()))
        lines += _block(blocks)
    return Grid([shortened(name, _WIDEST) for name in names], [*lines, *pairing_lines(report)])


def _block(blocks: Sequence[ScoreBlock]) -> Iterator[TableLine]:
    yield TableLine(blocks[0].title, [str(block.sentences) for block in blocks], style="bold")
    for scores in zip(*(block.scores for block in blocks), strict=True):
        ratio: Ratio = scores[0].ratio
        values = [score.value for score in scores]
        top = best(values, ratio.higher_is_better)
        flags = [top is not None and value == top for value in values]
        yield TableLine(f"  {ratio.title}", [number(score) for score in scores], flags)


def pairing_lines(report: Report) -> list[TableLine]:
    """How the sentences paired up, a system a cell."""
    systems = report.systems
    pairings = [system.pairing for system in systems]
    arrows = [
        f"{pairing.regrouped_gold} → {pairing.regrouped_system}"
        if pairing.regrouped_gold or pairing.regrouped_system
        else "0"
        for pairing in pairings
    ]
    counts: list[tuple[str, list[int]]] = [
        ("  in gold", [report.gold.sentences] * len(systems)),
        ("  in system", [system.source.sentences for system in systems]),
        ("  paired one to one", [pairing.one_to_one for pairing in pairings]),
        ("  missing in system", [pairing.missing for pairing in pairings]),
        ("  extra in system", [pairing.extra for pairing in pairings]),
        ("  without words in both", [pairing.empty for pairing in pairings]),
        *(
            (title, [_sentences_of(kinds, one) for one in systems])
            for title, kinds in _UNCERTAIN.items()
        ),
        ("  with counted differences", [pairing.different for pairing in pairings]),
        ("  syntax problems in gold", [report.gold.problems] * len(systems)),
        ("  syntax problems in system", [system.source.problems for system in systems]),
    ]
    lines = [
        TableLine(title, [str(value) for value in values])
        for title, values in counts
        if any(values) or title not in _SAID_IF_ANY
    ]
    lines.insert(3, TableLine("  split or merged", arrows))
    return [TableLine("", ()), TableLine("Pairing of sentences", (), style="bold"), *lines]


def _sentences_of(kinds: Sequence[Uncertainty], system: SystemReport) -> int:
    """How many sentences are uncertain in some ways: gold's, or those that only system has."""
    return sum(len(one.gold or one.system) for one in system.uncertain if one.kind in kinds)


_UNCERTAIN: dict[str, Sequence[Uncertainty]] = {
    "  in gaps of one side": ["gap"],
    "  moved to another place": ["moved"],
    "  paired by a guess": ["guess", "single"],
}
"""(What was paired for its place is without words: it is missing, or extra.)"""

_SAID_IF_ANY = (
    *_UNCERTAIN,
    "  without words in both",
    "  syntax problems in gold",
    "  syntax problems in system",
)


def _banks(grid: Grid, title: int, columns: int | None) -> list[range]:
    """The columns in groups that fit the width, at least one in each."""
    banks: list[range] = []
    start, used = 0, title
    for at in range(len(grid.heads)):
        needed = 2 + _column_width(grid, at)
        if columns is not None and used + needed > columns and at > start:
            banks.append(range(start, at))
            start, used = at, title
        used += needed
    return [*banks, range(start, len(grid.heads))]


def _column_width(grid: Grid, at: int) -> int:
    cells = (width(line.cells[at]) for line in grid.lines if at < len(line.cells))
    return max(_NARROWEST, width(grid.heads[at]), *cells)


def _bank(grid: Grid, bank: range, title: int, paint: Paint) -> Iterator[str]:
    widths = {at: _column_width(grid, at) for at in bank}
    head = "".join(
        "  " + " " * (widths[at] - width(grid.heads[at])) + grid.heads[at] for at in bank
    )
    yield " " * title + paint("bold", head)
    yield paint("dim", "─" * (title + sum(widths.values()) + 2 * len(widths)))
    for line in grid.lines:
        text = paint(line.style, line.title) if line.style else line.title
        cells = []
        for at in bank[: len(line.cells) - bank[0]] if line.cells else ():
            cell = line.cells[at]
            space = " " * (2 + widths[at] - width(cell))
            cells.append(space + (paint("bold", cell) if line.best and line.best[at] else cell))
        yield (text + " " * (title - width(line.title)) + "".join(cells)) if cells else text


# --- sentence by sentence --------------------------------------------------------------------


_ALWAYS = ("recall", "precision")


def shown_per_sentence(metrics: Sequence[Metric]) -> list[Ratio]:
    """The scores that have a column: headlines, F1's parts, the first of each other metric."""
    return [
        ratio
        for metric in metrics
        for ratio in metric.ratios
        if ratio.headline or ratio.name in _ALWAYS or ratio is metric.ratios[0]
    ]


def sentence_heads(metrics: Sequence[Metric]) -> list[str]:
    return ["gold", "system", "words", *(ratio.name for ratio in shown_per_sentence(metrics))]


def sentence_cells(report: Report, system: SystemReport) -> Iterator[list[str]]:
    """The cells of each group's line."""
    shown = {ratio.name for ratio in shown_per_sentence(report.metrics)}
    for row in system.rows() if system.rows else ():
        scores = [number(score) for score in row.scores if score.ratio.name in shown]
        places = [numbers(row.group.gold), numbers(row.group.system)]
        yield [*(place or UNDEFINED for place in places), str(row.length), *scores]


def _sentences(report: Report, system: SystemReport, paint: Paint) -> Iterator[str]:
    if len(report.systems) > 1:
        yield paint("bold", clean(system.source.name))
    heads = sentence_heads(report.metrics)
    widths = [max(len(head), 7) for head in heads]
    yield paint("bold", _joined(heads, widths))
    yield paint("dim", "─" * len(_joined(heads, widths)))
    for cells in sentence_cells(report, system):
        yield _joined(cells, widths)


def _suspects(report: Report, look: Look, waiting: Waiting) -> Iterator[str]:
    """What all systems agree on against gold."""
    from treelens.report import suspects  # what one system's report has no need of

    name, columns = report.gold.name, look.columns or _COLUMNS
    tell = partial(suspects.drawn, name=name, columns=columns, paint=look.paint)
    found = suspects.foremost(report.together, tell, waiting)
    yield from suspects.drawn_below(found.told(), found.count, None)


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(size) for cell, size in zip(cells, widths, strict=True))
