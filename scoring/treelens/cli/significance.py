"""``treelens significance``: do systems differ by more than chance?"""

from __future__ import annotations

import argparse

from treelens.cli import files, metrics, output
from treelens.cli.score import add_common, paired, read_gold, whole_number, with_options
from treelens.report.differences import as_json, as_table, differences
from treelens.statistics.significance import ITERATIONS
from treelens.trees.forest import Symbols

_EXAMPLES = """\
examples:
  treelens significance gold.mrg berkeley.mrg charniak.mrg
  treelens significance gold.mrg a.mrg b.mrg c.mrg --format json --seed 7

Stratified shuffling (Cohen 1995) for each pair of systems, corrected by Holm's method, and
bootstrap intervals for each system. The same seed gives the same numbers. Exit status: 0, or 2
if there is nothing to score."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, *options.systems, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    metric_names = metrics.names(options)
    symbols = Symbols()
    gold = read_gold(options.gold, symbols)
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    files.say_problems(options.gold, gold, most)
    systems = [files.read_trees(name, symbols) for name in options.systems]
    for name, system in zip(options.systems, systems, strict=True):
        files.say_problems(name, system, most)
    counted = metrics.chosen(metric_names, [gold, *systems], parameters)
    pairs = [
        paired(gold, system, parameters, name, options.gold, counted)
        for name, system in zip(options.systems, systems, strict=True)
    ]
    names = [files.shown(name) for name in options.systems]
    found = differences(names, pairs, pairs[0].parameters, options.iterations, options.seed)
    as_lines = as_json if options.format == "json" else as_table
    output.write(as_lines(found), utf8=options.format == "json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens significance",
        description="Test whether systems differ, score by score.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold trees (- for standard input)")
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="a system's trees")
    parser.add_argument("-f", "--format", choices=("table", "json"), default="table")
    parser.add_argument(
        "--iterations", type=whole_number, default=ITERATIONS, metavar="N", help="default: 10,000"
    )
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N")
    add_common(parser)
    return parser
