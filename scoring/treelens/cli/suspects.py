"""``treelens suspects``: what several systems agree on against gold."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from treelens.cli import files, output
from treelens.cli.score import add_common, paired, read_gold, whole_number, with_options
from treelens.metrics.table import applicable, choose
from treelens.report import suspects as report
from treelens.session.document import Document
from treelens.session.suspects import Suspect, suspects
from treelens.trees.forest import Symbols

_EXAMPLES = """\
examples:
  treelens suspects gold.conllu one.conllu two.conllu three.conllu
  treelens suspects gold.mrg parsers/*.mrg --least 2 --format csv > to-check.csv

What several systems say alike and gold does not is the sharpest sign of an error in gold that
there is (van Halteren 2000; Rehbein & Ruppenhofer 2018). Exit status: 0, 1 if there are more than
--fail-over allows, or 2 if the files cannot be compared."""

_COUNTED = ("F1", "UAS")
"""What says whether these are the same sentences at all."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    names = [options.gold, *options.systems]
    files.only_one_stdin([*names, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    symbols = Symbols()
    gold = read_gold(options.gold, symbols)
    pairs = []
    for name in options.systems:
        system = files.read_trees(name, symbols)
        files.say_problems(name, system)
        sides = (gold.format.annotation, system.format.annotation)
        counted = choose(_COUNTED, applicable(*sides, heads=parameters.heads is not None)).metrics
        pairs.append(paired(gold, system, parameters, name, options.gold, counted))
    found = suspects(gold, pairs, options.least)
    output.write(_text(found, gold, options), utf8=options.format != "text")
    return int(options.fail_over is not None and len(found) > options.fail_over)


def _text(found: Sequence[Suspect], gold: Document, options: argparse.Namespace) -> Iterator[str]:
    name = files.shown(options.gold)
    if options.format == "jsonl":
        return report.json_lines(found[: options.limit], gold, name)
    if options.format == "csv":
        return report.comma_separated(found[: options.limit], gold, name)
    if options.format == "html":
        return report.html(found, options.limit, gold, name)
    paint = output.paint(options.color)
    return report.text(found, options.limit, gold, name, output.columns(), paint)


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens suspects",
        description="List what several systems agree on against gold, what most say first.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold file (- for standard input)")
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="two systems or more")
    parser.add_argument(
        "--least",
        type=whole_number,
        default=None,
        metavar="N",
        help="so many systems that say the same are enough (default: all of them)",
    )
    parser.add_argument(
        "-n", "--limit", type=whole_number, default=None, metavar="N", help="the first N"
    )
    parser.add_argument(
        "--fail-over", type=whole_number, default=None, metavar="N", help="exit status 1 over N"
    )
    parser.add_argument(
        "-f", "--format", choices=("text", "jsonl", "csv", "html"), default="text",
        help="text (default), jsonl (a line a place), csv or a page",
    )  # fmt: skip
    add_common(parser)
    return parser
