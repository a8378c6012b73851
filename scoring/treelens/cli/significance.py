"""``treelens significance``: do systems differ by more than chance?"""

from __future__ import annotations

import argparse

from treelens.cli import CannotContinue, files, in_parts, output
from treelens.cli.options import add_common, with_options
from treelens.cli.output import one_or_more, whole_number
from treelens.cli.several import sets
from treelens.cli.waiting import WaitingBytes
from treelens.metrics import Metric
from treelens.report.content import signature
from treelens.report.differences import (
    CountRows,
    add_stretches,
    as_json,
    as_table,
    resampled,
    waiting_rows,
)
from treelens.statistics.significance import ITERATIONS

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
    rows: list[CountRows] = []
    counted: tuple[Metric, ...] = ()
    line = ""
    for read in in_parts.each(sets([options.gold, *options.systems]), options, parameters):
        parts = [text.parts for text in read.texts]
        if not rows:
            counted = parts[0].metrics
            line = signature(parts[0].parameters, counted)
            rows = [waiting_rows(WaitingBytes, counted) for _ in parts]
        add_stretches(rows, parts, read.texts[0].found.sums.golds)
    if not rows:
        raise CannotContinue("none of the files can be scored")
    names = [files.shown(name) for name in options.systems]
    said = resampled(names, rows, counted, line, options.iterations, options.seed)
    as_lines = as_json if options.format == "json" else as_table
    output.write(as_lines(said), utf8=options.format == "json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens significance",
        description="Test whether systems differ, score by score.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "gold",
        metavar="GOLD",
        help="the gold trees: a file (- for standard input), folder, pattern or list",
    )
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="a system's trees")
    parser.add_argument("-f", "--format", choices=("table", "json"), default="table")
    parser.add_argument(
        "--iterations", type=one_or_more, default=ITERATIONS, metavar="N", help="default: 10,000"
    )
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N")
    add_common(parser)
    return parser
