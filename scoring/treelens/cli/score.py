"""``treelens score``: every metric's numbers for one or more systems against gold."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treelens.cli import CannotContinue, files, metrics, output
from treelens.cli.progress import Progress
from treelens.metrics import Metric
from treelens.metrics.table import METRICS
from treelens.render.width import clean, shortened
from treelens.report.as_csv import comma_separated
from treelens.report.as_json import json_text
from treelens.report.as_latex import latex
from treelens.report.as_markdown import markdown
from treelens.report.as_table import Look, table
from treelens.report.content import Report, Source, report
from treelens.rules.contractions import LANGUAGES
from treelens.rules.parameters import PRESETS, Parameters
from treelens.rules.spelling import DEFAULT, Spelling
from treelens.session.document import Document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols

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

Files are bracketed trees in any layout. Sentences and words are aligned by their text; what
is missing counts as missing, and no sentence is left out. Exit status: 0, or 2 if there is
nothing to score."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, *options.systems, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    found = _scored(options, parameters, metrics.names(options))
    output.write(_text(found, options), utf8=options.format != "table")
    return 0


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
        choices=("own", "jp"),
        default="own",
        help="whose alignment of sentences and words: our own (default), or jp-evalb's",
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


def whole_number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number")
    return int(text)


def read_gold(name: str, symbols: Symbols) -> Document:
    """The gold file, which must have something to score against."""
    gold = files.read_trees(name, symbols)
    if not len(gold.forest(range(len(gold))).word):
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
    title = shortened(clean(files.shown(name)), 40)
    with Progress(title) as progress:
        found = pair(gold, system, parameters, progress, counted)
    if len(gold) != len(system):
        output.say(
            f"note: {clean(files.shown(gold_name))} has {_trees(len(gold))}, "
            f"{clean(files.shown(name))} {len(system)}; sentences are aligned by their text"
        )
    if hardly_alike(found):
        output.say(
            f"note: hardly anything in {clean(files.shown(name))} is as in "
            f"{clean(files.shown(gold_name))}; are these the same sentences?"
        )
    return found


def hardly_alike(pair: Pair) -> bool:
    """Whether so little agrees, tags included, that these may be files of different texts."""
    judged = [score for score in pair.scores() if score.ratio.name in _JUDGED_BY]
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
    parser.add_argument("gold", metavar="GOLD", help="the gold trees (- for standard input)")
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
    add_common(parser)
    return parser


def _scored(
    options: argparse.Namespace, parameters: Parameters, metric_names: Sequence[str]
) -> Report:
    symbols = Symbols()
    gold = read_gold(options.gold, symbols)
    documents = [files.read_trees(name, symbols) for name in options.systems]
    sources = [
        _source(name, document, options)
        for name, document in zip([options.gold, *options.systems], [gold, *documents], strict=True)
    ]
    counted = metrics.chosen(metric_names, [gold, *documents], parameters)
    pairs = [
        paired(gold, document, parameters, name, options.gold, counted)
        for name, document in zip(options.systems, documents, strict=True)
    ]
    return report(sources[0], list(zip(sources[1:], pairs, strict=True)), pairs[0].parameters)


def _source(name: str, trees: Document, options: argparse.Namespace) -> Source:
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    return Source(files.shown(name), len(trees), files.say_problems(name, trees, most))


def _text(found: Report, options: argparse.Namespace) -> Iterator[str]:
    if options.format == "json":
        return json_text(found)
    if options.format == "html":
        from treelens.report.as_html import html  # a tenth of a second that no other form needs

        return html(found, options.worst)
    if options.format == "latex":
        return latex(found)
    if options.format == "csv":
        return comma_separated(found)
    if options.format == "markdown":
        return markdown(found, Look(options.per_sentence))
    width = output.columns() if output.is_terminal() else None
    return table(found, Look(options.per_sentence, width, output.paint(options.color)))
