"""``treelens changes``: what one version of a system mended and broke against the one before."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import get_args

from treelens.cli import CannotContinue, files, in_parts, output
from treelens.cli.options import add_common, add_counted, with_options
from treelens.cli.output import one_or_more, whole_number
from treelens.cli.progress import Progress
from treelens.cli.several import sets
from treelens.cli.waiting import WaitingBytes
from treelens.render.width import clean, shortened
from treelens.report import changes as report
from treelens.report import versions
from treelens.statistics.significance import ITERATIONS

_LIMIT = 10

_EXAMPLES = """\
signs:
  ++++ mended   old differed from gold here, and new does not
  !!!! new      new differs from gold here, and old did not
  .... stays    both differ from gold (with --show all)
  (paler)       what F1 and LAS do not count: function tags, empty elements, DEPS, MISC, …

examples:
  treelens changes gold.mrg parser-1.mrg parser-2.mrg
  treelens changes gold.mrg old.mrg new.mrg --show new --limit 50 | less
  treelens changes gold/ old/ new/
  treelens changes gold.conllu old.conllu new.conllu --format html > changes.html
  treelens changes gold.mrg main.mrg branch.mrg --limit 0 --fail-worse 0.1

Exit status: 0, or 2 if the files cannot be compared. With --fail-worse, 1 if the first score
(F1, or LAS) is lower than it was by more than that many points."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    names = [options.gold, options.old, options.new]
    files.only_one_stdin([*names, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    together = sets(names)
    tell = _tell(options, of_many=len(together) > 1)
    found = versions.Versions(options.show, options.limit, tell, WaitingBytes)
    for read in in_parts.each(together, options, parameters, strict=not options.counted):
        called = versions.FileNames(*map(files.shown, read.names))
        with Progress(f"{shortened(clean(called.new), 40)}: changes") as progress:
            found.add_file(read.place, called, read.together().each(progress))
    if not found.files:
        raise CannotContinue("none of the files can be compared")
    called = versions.FileNames(*map(files.shown, names))
    compared = found.compared(called, options.iterations, options.seed)
    output.write_all(_text(compared, options), utf8=options.format != "text")
    return int(options.fail_worse is not None and versions.worse(compared, options.fail_worse))


def _tell(options: argparse.Namespace, *, of_many: bool) -> Callable[[versions.ChangedPlace], str]:
    """What there is to tell of a place."""
    if options.format == "jsonl":
        from treelens.report.changes_json import line

        return partial(line, of_many=of_many)
    if options.format == "html":
        from treelens.report.changes_page import sentence  # what only a page needs

        return partial(sentence, shown=options.show)
    columns, paint = output.columns(), output.paint(options.color)
    return partial(report.drawn, shown=options.show, columns=columns, paint=paint)


def _text(found: versions.VersionComparison, options: argparse.Namespace) -> Iterator[str]:
    if options.format == "jsonl":
        from treelens.report.changes_json import json_lines

        return json_lines(found)
    if options.format == "html":
        from treelens.report.changes_page import html

        return html(found, options.limit)
    return report.text(found, options.limit, output.paint(options.color))


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens changes",
        description="Tell which differences from gold a new version of a system has mended, "
        "which are new, and which stay.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "gold",
        metavar="GOLD",
        help="the gold trees: a file (-: standard input), folder, pattern or list",
    )
    parser.add_argument("old", metavar="OLD", help="the system's trees as they were")
    parser.add_argument("new", metavar="NEW", help="the system's trees as they are now")
    parser.add_argument(
        "-s",
        "--show",
        choices=get_args(versions.ShownChanges),
        default="changed",
        help="which sentences, those with the most of it first (default: %(default)s)",
    )
    parser.add_argument(
        "-n",
        "--limit",
        type=whole_number,
        default=_LIMIT,
        metavar="N",
        help="show N sentences at most (default: %(default)s)",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "jsonl", "html"),
        default="text",
        help="text (default), a page, or JSON lines: a summary, then a line for each sentence",
    )
    parser.add_argument(
        "--fail-worse",
        type=_points,
        nargs="?",
        const=0.0,
        metavar="POINTS",
        help="fail if the first score is lower by more than this (default: 0)",
    )
    parser.add_argument(
        "--iterations", type=one_or_more, default=ITERATIONS, metavar="N", help="default: 10,000"
    )
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N")
    add_counted(parser)
    add_common(parser)
    return parser


def _points(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no number of points between 0 and 100; "
            "without one, the option stands behind the files"
        )
    return value
