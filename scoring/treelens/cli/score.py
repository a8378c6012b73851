"""``treelens score``: every metric's numbers for one or more systems against gold."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from treelens.cli import CannotContinue, corpora, files, inputs, metrics, output
from treelens.cli.options import add_common, with_options
from treelens.cli.output import one_or_more, whole_number
from treelens.cli.pairs import say_of_case, say_of_sentences
from treelens.cli.processes import add_jobs, shared_out
from treelens.cli.waiting import WaitingBytes
from treelens.counting.stretched import Counted
from treelens.counting.work import StreamedText
from treelens.formats.table import Format
from treelens.metrics import Metric, Tallies
from treelens.metrics.table import METRICS
from treelens.report.as_table import Look, table
from treelens.report.content import (
    FileScores,
    GroupRow,
    ReadFile,
    Report,
    SystemReport,
    blocks,
    counted_rows,
    signature,
)
from treelens.rules.parameters import Parameters
from treelens.session.counts import OWN, PLACES
from treelens.session.texts import fitting

if TYPE_CHECKING:
    from treelens.cli.counts import Spool, Writer

_WORST = 20
"""Sentences that a page draws unless told otherwise."""

FORMATS = ("table", "html", "json", "csv", "markdown", "latex")

_EXAMPLES = """\
examples:
  treelens score gold.mrg system.mrg
  treelens score gold.mrg berkeley.mrg charniak.mrg --format markdown
  treelens score -p collins --cutoff 70 gold.mrg system.mrg
  treelens score gold.mrg system.mrg --format html > report.html
  treelens score -m standard,leaf-ancestor gold.mrg system.mrg
  treelens score -m UAS,LAS --heads collins gold.mrg system.mrg
  parser < text | treelens score gold.mrg - --format json > scores.json
  treelens score gold/ system/

Files are bracketed trees in any layout, or tables (CoNLL-U, CoNLL-X). Sentences and words are
aligned by their text; what is missing counts as missing, and no sentence is left out. Exit
status: 0, or 2 if there is nothing to score."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, *options.systems, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    with contextlib.ExitStack() as stack:
        found, failures = _scored(options, parameters, metrics.names(options), stack)
        output.write(_text(found, options), utf8=options.format != "table")
    if failures:
        some = "1 pair of files is" if failures == 1 else f"{failures:,} pairs of files are"
        raise CannotContinue(f"{some} in no number, as above")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens score",
        description="Score one or more system files against gold: "
        + ", ".join(metric.title for metric in METRICS)
        + ".",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "gold",
        metavar="GOLD",
        help="the gold trees: a file (- for standard input), folder, pattern or list",
    )
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="a system's trees")
    parser.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        default="table",
        help="table (default), html (a page with charts and the worst sentences drawn), "
        "markdown, latex, or json and csv, which have every sentence",
    )
    parser.add_argument(
        "-s",
        "--per-sentence",
        action="store_true",
        help="the sentences' scores besides, in a table or Markdown",
    )
    parser.add_argument(
        "--worst",
        type=whole_number,
        default=_WORST,
        metavar="N",
        help=f"how many sentences of each system html draws (default: {_WORST})",
    )
    parser.add_argument(
        "--cutoff",
        type=whole_number,
        metavar="N",
        help="the second block is of sentences up to this length (default: the parameters')",
    )
    parser.add_argument(
        "--counts",
        metavar="FILE",
        help="write every group of sentences' counts besides, as CSV (or .parquet), for other "
        "programs and for 'treelens merge'",
    )
    add_jobs(parser, one_or_more)
    add_common(parser)
    return parser


def _scored(
    options: argparse.Namespace,
    parameters: Parameters,
    names: Sequence[str],
    stack: contextlib.ExitStack,
) -> tuple[Report, int]:
    """The report, and how many files could not be read; it is written before the stack closes."""
    gold, *systems = trees = [inputs.files(name) for name in (options.gold, *options.systems)]
    output.not_over(options.counts, [name for one in trees for name in one.names])
    pairs = [inputs.paired(gold, system) for system in systems]
    # (What systems agree on against gold is told where sentences are listed.)
    suspects = options.per_sentence and len(options.systems) > 1
    looked_at = suspects or options.format in ("json", "html")
    if options.counts and looked_at and not gold.several:
        raise CannotContinue("--counts goes with tables, Markdown, LaTeX and CSV")
    if not gold.several:
        return _one_file(pairs, options, parameters, names, stack, looked_at=looked_at), 0
    if options.per_sentence or options.format == "html":
        what = "html" if options.format == "html" else "--per-sentence"
        raise CannotContinue(f"{what} is of one pair of files, not of many")
    return _many_files(pairs, options, parameters, names)


def _one_file(
    pairs: Sequence[inputs.FilesByPair],
    options: argparse.Namespace,
    parameters: Parameters,
    names: Sequence[str],
    stack: contextlib.ExitStack,
    *,
    looked_at: bool,
) -> Report:
    """Of one gold file, in bounded memory. looked_at: whether sentences are, behind the sums."""
    gold = stack.enter_context(corpora.side(pairs[0].pairs[0].gold))
    systems = [stack.enter_context(corpora.side(found.pairs[0].system)) for found in pairs]
    formats = [side.format for side in (gold, *systems)]
    counted = metrics.chosen_for(names, [one.annotation for one in formats], parameters)
    if looked_at:
        return _looked_at(gold, systems, options, parameters, counted, pairs)
    with (
        shared_out(corpora.workers(options, pairs)) as shared,
        _counts(options, fitting(parameters, *formats[:2]), counted) as writer,
    ):
        listed = options.per_sentence or options.format == "csv"
        spools = _spools(len(systems)) if listed else [None] * len(systems)
        scored = [
            corpora.score_one(
                gold,
                system,
                _wanted(options, parameters, (gold.format, system.format), counted),
                shared,
                _keep(writer, options, name, spools[number]),
                say_gold=number == 0,
            )
            for number, (name, system) in enumerate(zip(options.systems, systems, strict=True))
        ]
    for name, found in zip(options.systems, scored, strict=True):
        say_of_sentences(name, options.gold, found.sums, counted)
    return _report(options, scored, fitting(parameters, *formats[:2]), counted, spools)


def _looked_at(
    gold: StreamedText,
    systems: Sequence[StreamedText],
    options: argparse.Namespace,
    parameters: Parameters,
    counted: tuple[Metric, ...],
    pairs: Sequence[inputs.FilesByPair],
) -> Report:
    """The same with the sentences behind the sums."""
    from treelens.cli.in_parts import counted_texts, say  # with pairs, which totals do without
    from treelens.counting.together import PartsTogether
    from treelens.counting.vocabulary import Vocabulary

    wanted = _wanted(options, parameters, (gold.format, systems[0].format), counted)
    workers, vocabulary = corpora.workers(options, pairs), Vocabulary(labels=True)
    with shared_out(workers) as shared:
        # (One stretch after the other here: two threads count each, and rows are not waited for.)
        share = map if workers.jobs == 1 and not workers.dask else shared
        texts = [
            counted_texts(gold, system, wanted, share, vocabulary=vocabulary) for system in systems
        ]
    say(gold, systems, [text.found for text in texts], wanted)
    scored = [
        corpora.Scored(found.sums, found.problems, (), uncertain=found.uncertain)
        for found, _ in texts
    ]
    parts = [text.parts for text in texts]
    made = _report(options, scored, parts[0].parameters, counted)
    of_systems = (
        system._replace(rows=partial(_rows, behind.rows, counted), behind=behind)
        for system, behind in zip(made.systems, parts, strict=True)
    )
    together = PartsTogether(parts) if len(parts) > 1 else ()
    return made._replace(systems=tuple(of_systems), together=together)


def _many_files(
    pairs: Sequence[inputs.FilesByPair],
    options: argparse.Namespace,
    parameters: Parameters,
    names: Sequence[str],
) -> tuple[Report, int]:
    """Of many gold files, each with its partner."""
    formats = [corpora.formats_of(found) for found in pairs]
    sides = [one.annotation for both in formats for one in both]
    counted = metrics.chosen_for(names, sides, parameters)
    with (
        shared_out(corpora.workers(options, pairs)) as shared,
        _counts(options, fitting(parameters, *formats[0]), counted) as writer,
    ):
        scored = [
            corpora.score_many(
                found,
                _wanted(options, parameters, of, counted),
                shared,
                _keep(writer, options, name),
            )
            for name, found, of in zip(options.systems, pairs, formats, strict=True)
        ]
    for name, one in zip(options.systems, scored, strict=True):
        say_of_case(name, options.gold, one.sums)
    found = _report(options, scored, fitting(parameters, *formats[0]), counted)
    return found, sum(one.failures for one in scored)


def _counts(
    options: argparse.Namespace, parameters: Parameters, counted: tuple[Metric, ...]
) -> AbstractContextManager[Writer | None]:
    if not options.counts:
        return contextlib.nullcontext()
    from treelens.cli.counts import writing  # which most do without, as the next

    return writing(options.counts, counted, signature(parameters, counted))


def _spools(count: int) -> list[Spool | None]:
    from treelens.cli.counts import Spool

    return [Spool() for _ in range(count)]


def _keep(
    writer: Writer | None, options: argparse.Namespace, name: str, spool: Spool | None = None
) -> corpora.Keep | None:
    if writer is None and spool is None:
        return None

    def keep(pair: inputs.FilePair, found: Counted | Tallies) -> None:
        if writer:
            writer.of(files.shown(options.gold), files.shown(name))
            writer.keep(pair, found)
        if spool:
            spool.keep(found)

    return keep


def _wanted(
    options: argparse.Namespace,
    parameters: Parameters,
    formats: tuple[Format, Format],
    counted: tuple[Metric, ...],
) -> corpora.CorpusRequest:
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    return corpora.CorpusRequest(parameters, formats, counted, most)


def _report(
    options: argparse.Namespace,
    scored: Sequence[corpora.Scored],
    parameters: Parameters,
    counted: tuple[Metric, ...],
    spools: Sequence[Spool | None] = (),
) -> Report:
    gold = ReadFile(files.shown(options.gold), scored[0].sums.golds, scored[0].problems[0])
    systems = []
    width = len(PLACES) + sum(len(metric.counts) for metric in counted) + len(OWN)
    by_system = zip_longest(options.systems, scored, spools)
    for name, found, spool in by_system:
        rows = [(False, *row) for row in found.files]
        rows += [(True, *row) for row in corpora.by_folder(found.files).items()]
        systems.append(
            SystemReport(
                ReadFile(files.shown(name), found.sums.systems, found.problems[1]),
                found.sums.pairing,
                blocks(found.sums, parameters, counted),
                tuple(
                    FileScores(place, is_folder, blocks(sums, parameters, counted))
                    for is_folder, place, sums in rows
                ),
                uncertain=found.uncertain,
                rows=partial(_rows, partial(spool.rows, width), counted) if spool else None,
            )
        )
    line = signature(parameters, counted)
    return Report(gold, tuple(systems), parameters, counted, line)


def _rows(rows: Callable[[], Iterator[Tallies]], counted: tuple[Metric, ...]) -> Iterator[GroupRow]:
    for numbers in rows():
        yield from counted_rows(numbers, counted)


def _text(found: Report, options: argparse.Namespace) -> Iterator[str]:
    # (Each form is loaded where it is asked for.)
    if options.format == "json":
        from treelens.report.as_json import json_text

        return json_text(found, WaitingBytes)
    if options.format == "html":
        from treelens.report.as_html import html

        return html(found, options.worst, WaitingBytes)
    if options.format == "latex":
        from treelens.report.as_latex import latex

        return latex(found)
    if options.format == "csv":
        from treelens.report.as_csv import comma_separated

        return comma_separated(found)
    if options.format == "markdown":
        from treelens.report.as_markdown import markdown

        return markdown(found, Look(options.per_sentence))
    width = output.columns() if output.is_terminal() else None
    look = Look(options.per_sentence, width, output.paint(options.color))
    return table(found, look, WaitingBytes)
