"""Scores as Markdown tables, for an issue or a paper's draft; the best system in bold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.metrics import headlines
from treelens.render.markdown import code, escaped
from treelens.render.width import clean
from treelens.report.as_table import (
    Look,
    number,
    pairing_lines,
    sentence_cells,
    sentence_heads,
)
from treelens.report.content import Report, SystemReport, best, short_names


def markdown(report: Report, look: Look) -> Iterator[str]:
    """The whole report, line by line. ``look.paint`` and ``look.columns`` say nothing here."""
    names = short_names([clean(system.source.name) for system in report.systems])
    yield from heading([f"gold: {clean(report.gold.name)}", *names])
    for blocks in zip(*(system.blocks for system in report.systems), strict=True):
        yield row([f"**{blocks[0].title}**", *(str(block.sentences) for block in blocks)])
        for scores in zip(*(block.scores for block in blocks), strict=True):
            ratio = scores[0].ratio
            top = best([score.value for score in scores], ratio.higher_is_better)
            cells = [
                f"**{number(score)}**" if top is not None and score.value == top else number(score)
                for score in scores
            ]
            yield row([ratio.title, *cells])
    for line in pairing_lines(report):
        if line.title:
            title = f"**{line.title}**" if line.style else line.title.strip()
            yield row([title, *(line.cells or [""] * len(names))])
    for name, system in zip(names, report.systems, strict=True):
        if system.files:
            yield ""
            yield from _by_file(report, system, name)
    if look.per_sentence:
        for name, system in zip(names, report.systems, strict=True):
            yield ""
            yield f"### {escaped(name)}"
            yield ""
            yield from heading(sentence_heads(report.metrics), first="--:")
            yield from map(row, sentence_cells(report, system))
    yield ""
    yield code(report.signature)


def _by_file(report: Report, system: SystemReport, name: str) -> Iterator[str]:
    shown = headlines(report.metrics)
    yield from heading([name, "sentences", *(ratio.headline or ratio.title for ratio in shown)])
    for file in system.files:
        block = file.blocks[0]
        scores = [number(score) for score in block.scores if score.ratio in shown]
        title = escaped(clean(file.name))
        yield row([f"**{title}/**" if file.is_folder else title, str(block.sentences), *scores])


def heading(cells: Sequence[str], first: str = ":--") -> Iterator[str]:
    """The head of a table, and the line under it that says how columns stand."""
    yield row([escaped(cell) for cell in cells])
    yield row([first, *["--:"] * (len(cells) - 1)])


def row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
