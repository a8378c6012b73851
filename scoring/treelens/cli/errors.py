"""``treelens errors``: which kinds of errors systems make, and how many brackets each costs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from treelens.cli import CannotContinue, files, in_parts, output
from treelens.cli.in_parts import CountedTexts
from treelens.cli.options import add_common, add_names, with_options
from treelens.cli.output import whole_number
from treelens.cli.progress import Progress
from treelens.cli.several import sets
from treelens.differences.wording import SideNames
from treelens.render.width import clean, shortened
from treelens.report.as_table import Look
from treelens.report.content import signature
from treelens.report.errors import (
    ErrorReport,
    FileErrors,
    GroupErrors,
    SystemErrors,
    added,
    comma_separated,
    json_text,
    markdown,
    system_errors,
    text,
)

_EXAMPLES = """\
examples:
  treelens errors gold.mrg system.mrg
  treelens errors gold.mrg berkeley.mrg charniak.mrg --format markdown
  treelens errors gold.conllu system.conllu --examples 5
  treelens errors gold.mrg system.mrg --format csv > errors.csv

Brackets that one repair puts right together are one error (Kummerfeld et al. 2012); every wrong
bracket, head, relation and tag is of exactly one. Exit status: 0, or 2 if the files cannot be
compared."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, *options.systems, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    called = SideNames(*map(clean, options.names))
    line, parts = "", list[tuple[SystemErrors, ...]]()
    of_files = list[FileErrors]()
    for read in in_parts.each(sets([options.gold, *options.systems]), options, parameters):
        gold_name, *names = map(files.shown, read.names)
        first = read.texts[0].parts
        line = line or signature(first.parameters, first.metrics)
        parts.append(
            tuple(
                system_errors(name, gold_name, _errors(texts, name), options.examples, called)
                for name, texts in zip(names, read.texts, strict=True)
            )
        )
        of_files.append(FileErrors(read.place, tuple(system.of() for system in parts[-1])))
    if not parts:
        raise CannotContinue("none of the files can be compared")
    systems = [
        added(files.shown(name), of_system, options.examples)
        for name, of_system in zip(options.systems, zip(*parts, strict=True), strict=True)
    ]
    found = ErrorReport(files.shown(options.gold), tuple(systems), line, tuple(of_files), called)
    output.write(_text(found, options), utf8=options.format != "text")
    return 0


def _errors(texts: CountedTexts, name: str) -> Iterator[GroupErrors]:
    different, done = texts.found.sums.pairing.different, 0
    with Progress(f"{shortened(clean(files.shown(name)), 40)}: errors") as progress:
        for pair in texts.parts:
            for group, errors in pair.counted_errors():
                done += 1
                progress(done / different)
                yield GroupErrors(pair, group, errors)


def _text(found: ErrorReport, options: argparse.Namespace) -> Iterator[str]:
    if options.format == "json":
        return json_text(found)
    if options.format == "csv":
        return comma_separated(found)
    if options.format == "markdown":
        return markdown(found)
    width = output.columns() if output.is_terminal() else None
    return text(found, Look(columns=width, paint=output.paint(options.color)))


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens errors",
        description="Count errors by class: PP attachment, coordination, unaries and so on; "
        "of dependencies, by relation.",
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
        choices=("text", "json", "csv", "markdown"),
        default="text",
        help="text (default), markdown, or json and csv, which have every pair of labels",
    )
    parser.add_argument(
        "-e",
        "--examples",
        type=whole_number,
        default=0,
        metavar="N",
        help="tell the first N errors of each class (default: none; not in csv)",
    )
    add_names(parser)
    add_common(parser)
    return parser
