"""``treelens score``: every metric's numbers for one or more systems against gold.

Longer than other modules are: nearly half of it are the options, and what goes with what.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from treelens.align.uncertain import warnings
from treelens.cli import CannotContinue, corpora, files, inputs, metrics, output
from treelens.cli.output import whole_number as whole_number
from treelens.cli.processes import add_jobs, shared_out
from treelens.cli.progress import Progress
from treelens.counting.sums import Sums, of_pair
from treelens.counting.texts import Counted
from treelens.formats.table import Format
from treelens.metrics import Metric, Score, Tallies, scores
from treelens.metrics.table import METRICS
from treelens.render.width import clean, shortened
from treelens.report.as_table import Look, table
from treelens.report.content import (
    FileScores,
    GroupRow,
    ReadFile,
    Report,
    SystemReport,
    blocks,
    counted_rows,
    report,
    signature,
)
from treelens.rules.contractions import LANGUAGES
from treelens.rules.parameters import PRESETS, Parameters
from treelens.rules.spelling import DEFAULT, Spelling
from treelens.session.document import Document
from treelens.session.texts import fitting
from treelens.trees.forest import Symbols

if TYPE_CHECKING:
    from treelens.cli.counts import Spool, Writer
    from treelens.session.pair import Pair

_ENOUGH_TO_JUDGE = 50
"""Facts of gold from which it is no coincidence that hardly any is in system."""

_JUDGED_BY = ("recall", "UAS-recall", "tagging")

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
    found, failures = _scored(options, parameters, metrics.names(options))
    output.write(_text(found, options), utf8=options.format != "table")
    return 2 if failures else 0


def add_counted(parser: argparse.ArgumentParser) -> None:
    """The option to leave out the differences that no score counts."""
    parser.add_argument(
        "--counted",
        action="store_true",
        help="only what scores count: no function tags, indices, empty elements, punctuation, "
        "DEPS, MISC",
    )


def add_names(parser: argparse.ArgumentParser) -> None:
    """The option to call two annotators, or two versions, by their names."""
    parser.add_argument(
        "--names",
        nargs=2,
        default=("gold", "system"),
        metavar=("GOLD", "SYSTEM"),
        help="what to call the two sides in words (default: gold system)",
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    """The options that say what is counted, the same for every command that counts."""
    parser.add_argument(
        "-p",
        "--parameters",
        default="default",
        metavar="FILE",
        help="what is left out and what is equal: one of evalb's parameter files, or "
        + ", ".join(PRESETS),
    )
    parser.add_argument(
        "--unlabelled", action="store_true", help="a bracket's span must be right, not its label"
    )
    metrics.add_options(parser)
    parser.add_argument(
        "--align",
        choices=("own", "moved", "jp"),
        default="own",
        help="whose alignment of sentences and words: our own (default), the same with sentences "
        "that stand elsewhere compared all the same (moved), or jp-evalb's",
    )
    _add_spelling(parser)
    parser.add_argument(
        "--all-problems",
        action="store_true",
        help=f"every syntax problem of the files, not only the first {files.PROBLEMS_SHOWN}",
    )
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on a terminal, unless NO_COLOR is set",
    )


def _add_spelling(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("words that are the same but for how they are written")
    group.add_argument("--ignore-case", action="store_true", help="capital letters are small ones")
    group.add_argument(
        "--unicode",
        choices=("as-is", "nfc", "nfkc"),
        default=DEFAULT.unicode,
        help="compare words in this normal form (default: %(default)s)",
    )
    group.add_argument(
        "--escapes",
        action=argparse.BooleanOptionalAction,
        default=DEFAULT.escapes,
        help=r"-LRB- is (, \/ is /, and so on (default: they are)",
    )
    group.add_argument(
        "--quotes", action="store_true", help="all double quotes are one, and all single ones"
    )
    group.add_argument("--equivalences", metavar="FILE", help="words that are equal share a line")
    group.add_argument(
        "--contractions",
        metavar="FILE",
        help="lines such as “ca n't = can not”, or one of the lists here: " + ", ".join(LANGUAGES),
    )


def _spelling(options: argparse.Namespace) -> Spelling:
    equivalences = files.equivalences(options.equivalences) if options.equivalences else ()
    contractions = files.contractions(options.contractions) if options.contractions else ()
    return Spelling(
        options.escapes,
        options.unicode,
        options.quotes,
        options.ignore_case,
        equivalences,
        contractions,
    )


def with_options(parameters: Parameters, options: argparse.Namespace) -> Parameters:
    """The parameters with what the command line says besides."""
    spelling, heads = _spelling(options), metrics.heads(options.heads)
    parameters = replace(parameters, spelling=spelling, heads=heads, alignment=options.align)
    if options.unlabelled:
        parameters = replace(parameters, labelled=False)
    if getattr(options, "cutoff", None) is not None:
        parameters = replace(parameters, cutoff=options.cutoff)
    return parameters


def read_gold(name: str, symbols: Symbols, *, in_blocks: bool = False) -> Document:
    """The gold file, which must have something to score against."""
    gold = files.read_trees(name, symbols, in_blocks=in_blocks)
    if not any(len(forest.word) for forest, _ in gold.parts()):
        named = clean(files.shown(name))
        raise CannotContinue(f"{named} holds only empty trees: there is nothing to score")
    return gold


def paired(
    gold: Document,
    system: Document,
    parameters: Parameters,
    name: str,
    gold_name: str,
    counted: tuple[Metric, ...],
) -> Pair:
    """The pair, made with progress; what a user should know of the sentences is said."""
    from treelens.session.pair import pair  # with all kinds of differences and errors

    title = shortened(clean(files.shown(name)), 40)
    with Progress(title) as progress:
        found = pair(gold, system, parameters, progress, counted)
    _say_of_sentences(name, gold_name, of_pair(found), found.metrics)
    compared = parameters.alignment == "moved"
    names = clean(files.shown(gold_name)), clean(files.shown(name))
    lines = warnings(found.uncertain(), compared=compared, names=names)
    output.say_some([f"note: {line}" for line in lines], files.PROBLEMS_SHOWN)
    return found


def _say_of_sentences(name: str, gold_name: str, found: Sums, counted: tuple[Metric, ...]) -> None:
    """What a user should know of two files' sentences."""
    gold, system = clean(files.shown(gold_name)), clean(files.shown(name))
    if found.golds != found.systems:
        output.say(
            f"note: {gold} has {_trees(found.golds)}, {system} {found.systems}; "
            "sentences are aligned by their text"
        )
    if hardly_alike(scores(found.all, counted)):
        output.say(
            f"note: hardly anything in {system} is as in {gold}; are these the same sentences?"
        )


def hardly_alike(scores: Sequence[Score]) -> bool:
    """Whether so little agrees, tags included, that these may be files of different texts."""
    judged = [score for score in scores if score.ratio.name in _JUDGED_BY]
    there = sum(score.denominator for score in judged)
    return there >= _ENOUGH_TO_JUDGE and 20 * sum(score.numerator for score in judged) < there


def _trees(count: int) -> str:
    return "1 tree" if count == 1 else f"{count} trees"


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
    add_jobs(parser, whole_number)
    add_common(parser)
    return parser


def _scored(
    options: argparse.Namespace, parameters: Parameters, names: Sequence[str]
) -> tuple[Report, int]:
    """The report, and how many files could not be read."""
    gold = inputs.files(options.gold)
    pairs = [inputs.paired(gold, inputs.files(name)) for name in options.systems]
    # (What systems agree on against gold is told where sentences are listed.)
    suspects = options.per_sentence and len(options.systems) > 1
    at_hand = options.format in ("json", "html") or suspects
    if options.counts and at_hand and not gold.several:
        raise CannotContinue("--counts goes with tables, Markdown, LaTeX and CSV")
    if not gold.several:
        if at_hand:
            return _at_hand(options, parameters, names), 0
        return _one_file(pairs, options, parameters, names), 0
    if options.per_sentence or options.format == "html":
        what = "html" if options.format == "html" else "--per-sentence"
        raise CannotContinue(f"{what} is of one pair of files, not of many")
    return _many_files(pairs, options, parameters, names)


def _at_hand(options: argparse.Namespace, parameters: Parameters, names: Sequence[str]) -> Report:
    """With every sentence at hand."""
    symbols = Symbols()
    gold = read_gold(options.gold, symbols, in_blocks=True)
    documents = [files.read_trees(name, symbols, in_blocks=True) for name in options.systems]
    sources = [
        _source(name, document, options)
        for name, document in zip([options.gold, *options.systems], [gold, *documents], strict=True)
    ]
    counted = metrics.chosen(names, [gold, *documents], parameters)
    pairs = [
        paired(gold, document, parameters, name, options.gold, counted)
        for name, document in zip(options.systems, documents, strict=True)
    ]
    return report(sources[0], list(zip(sources[1:], pairs, strict=True)), pairs[0].parameters)


def _one_file(
    pairs: Sequence[inputs.FilesByPair],
    options: argparse.Namespace,
    parameters: Parameters,
    names: Sequence[str],
) -> Report:
    """Of one gold file, in bounded memory."""
    with contextlib.ExitStack() as stack:
        gold = stack.enter_context(corpora.side(pairs[0].pairs[0].gold))
        systems = [stack.enter_context(corpora.side(found.pairs[0].system)) for found in pairs]
        formats = [side.format for side in (gold, *systems)]
        counted = metrics.chosen_for(names, [one.annotation for one in formats], parameters)
        shared = stack.enter_context(shared_out(corpora.workers(options, pairs)))
        writer = stack.enter_context(_counts(options, fitting(parameters, *formats[:2]), counted))
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
        _say_of_sentences(name, options.gold, found.sums, counted)
    return _report(options, scored, fitting(parameters, *formats[:2]), counted, spools)


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
                rows=partial(_rows, spool, counted) if spool else None,
            )
        )
    line = signature(parameters, counted)
    return Report(gold, tuple(systems), parameters, counted, line)


def _rows(spool: Spool, counted: tuple[Metric, ...]) -> Iterator[GroupRow]:
    from treelens.cli.counts import columns

    for numbers in spool.rows(len(columns(counted))):
        yield from counted_rows(numbers, counted)


def _source(name: str, trees: Document, options: argparse.Namespace) -> ReadFile:
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    return ReadFile(files.shown(name), len(trees), files.say_problems(name, trees, most))


def _text(found: Report, options: argparse.Namespace) -> Iterator[str]:
    # (Each form is loaded where it is asked for.)
    if options.format == "json":
        from treelens.report.as_json import json_text

        return json_text(found)
    if options.format == "html":
        from treelens.report.as_html import html

        return html(found, options.worst)
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
    return table(found, Look(options.per_sentence, width, output.paint(options.color)))
