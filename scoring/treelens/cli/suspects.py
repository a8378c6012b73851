"""``treelens suspects``: what several systems agree on against gold."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial

from treelens.cli import CannotContinue, files, in_parts, output
from treelens.cli.in_parts import SetParts
from treelens.cli.options import add_common, with_options
from treelens.cli.output import one_or_more, whole_number
from treelens.cli.progress import Progress
from treelens.cli.several import sets
from treelens.cli.waiting import WaitingBytes
from treelens.metrics import Metric
from treelens.metrics.table import applicable, choose
from treelens.render.markup import Markup
from treelens.render.numbers import number_of
from treelens.render.width import clean, shortened
from treelens.report import suspects as report
from treelens.report.batches import Foremost
from treelens.session.suspects import Suspect
from treelens.trees.forest import Annotation

_EXAMPLES = """\
examples:
  treelens suspects gold.conllu one.conllu two.conllu three.conllu
  treelens suspects gold.mrg parsers/*.mrg --least 2 --format csv > to-check.csv
  treelens suspects gold/ one/ two/ three/

What several systems say alike and gold does not is the sharpest sign of an error in gold that
there is (van Halteren 2000; Rehbein & Ruppenhofer 2018). Exit status: 0, 1 if there are more than
--fail-over allows, or 2 if the files cannot be compared."""

_COUNTED = ("F1", "UAS")
"""What says whether these are the same sentences at all."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if (least := options.least or 2) > len(options.systems):
        raise CannotContinue(f"no {least} systems can agree where there are {len(options.systems)}")
    names = [options.gold, *options.systems]
    files.only_one_stdin([*names, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    together = sets(names)
    if options.format == "html" and len(together) > 1:
        raise CannotContinue("html is of one gold file, not of many")

    def count(sides: Sequence[Annotation]) -> tuple[Metric, ...]:
        return choose(_COUNTED, applicable(*sides, heads=parameters.heads is not None)).metrics

    totals: list[int] = []
    reads = in_parts.each(together, options, parameters, count=count)
    several = len(together) > 1
    output.write_all(_text(reads, totals, options, several), utf8=options.format != "text")
    if not totals:
        raise CannotContinue("none of the files can be compared")
    return int(options.fail_over is not None and sum(totals) > options.fail_over)


def _text(
    reads: Iterator[SetParts], totals: list[int], options: argparse.Namespace, several: bool
) -> Iterator[str]:
    """Gold's files one after the other; ``totals`` gets how many places each has."""
    paint = output.paint(options.color)
    for read in reads:
        name = files.shown(read.names[0])
        limit = None if options.limit is None else max(options.limit - sum(totals), 0)
        tell = partial(_told, options, name)
        with Progress(f"{shortened(clean(name), 40)}: suspects") as progress:
            parts = read.together().each(progress)
            found = report.foremost(parts, tell, WaitingBytes(), options.least, limit)
        if totals and options.format == "text":
            yield ""
        if several and options.format == "text":
            yield paint("bold", clean(name))
        if options.format == "csv" and not totals:  # (One heading is enough.)
            yield report.head()
        yield from _of_file(found, limit, name, options)
        totals.append(found.count)
    if several and totals and options.format == "text":
        yield ""
        yield paint("bold", f"{number_of(len(totals), 'file')}: {report.summary(sum(totals))}")


def _told(options: argparse.Namespace, name: str, one: Suspect, places: report.Places) -> str:
    if options.format == "jsonl":
        return report.json_line(one, places, name)
    if options.format == "csv":
        return report.row(one, places, name)
    if options.format == "html":
        return report.html_row(one, places)
    return report.drawn(one, places, name, output.columns(), output.paint(options.color))


def _of_file(
    found: Foremost, limit: int | None, name: str, options: argparse.Namespace
) -> Iterator[str]:
    if options.format == "html":
        return report.html(map(Markup, found.told()), found.count, name)
    if options.format == "text":
        return report.drawn_below(found.told(), found.count, limit)
    return found.told()


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens suspects",
        description="List what several systems agree on against gold, what most say first.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "gold", metavar="GOLD", help="a file (-: standard input), folder, pattern or list"
    )
    parser.add_argument("systems", metavar="SYSTEM", nargs="+", help="two systems or more")
    parser.add_argument(
        "--least",
        type=one_or_more,
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
    add_common(
        parser,
        parameters_for="here about equal words (EQ_WORD) only: labels and tags are as written",
    )
    return parser
