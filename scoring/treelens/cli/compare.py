"""``treelens compare``: what the editor shows of two files, in a terminal or for a program."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import sys
from collections.abc import Iterator, Sequence

from treelens.cli import files, metrics, output, silence
from treelens.cli.score import (
    add_common,
    add_counted,
    paired,
    read_gold,
    whole_number,
    with_options,
)
from treelens.report.content import headline
from treelens.report.mismatches import Names, closing, drawn, json_line, ordered
from treelens.session.pair import Pair
from treelens.trees.forest import Symbols

_EXAMPLES = """\
signs:
  ---- missing    a bracket, word or sentence of gold that system has not
  ++++ extra      one of system that gold has not
  ~~~~ label      both have the bracket, with different labels: gold → system
  xxxx crossing   a bracket of system that crosses one of gold
  ^^^^ tag        another part-of-speech tag: gold → system
  ==== words      the same stretch of text in other words
  (paler)         what no score counts: function tags, empty elements, punctuation, MISC, …

examples:
  treelens compare gold.mrg system.mrg --order worst --limit 20
  treelens compare gold.mrg system.mrg | less
  treelens compare gold.mrg system.mrg --limit 0 --fail-under 90
  treelens compare gold.mrg system.mrg --format json | jq .scores.F1

Exit status: 0 if nothing differs (with --counted: that a score counts),
1 if something does, 2 if the files cannot be compared.
With --fail-under, 1 if the corpus's F1 is lower than that, and 0 otherwise."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, options.system, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    metric_names = metrics.names(options)
    symbols = Symbols()
    gold = read_gold(options.gold, symbols)
    system = files.read_trees(options.system, symbols)
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    for name, document in ((options.gold, gold), (options.system, system)):
        files.say_problems(name, document, most)
    counted = metrics.chosen(metric_names, [gold, system], parameters)
    pair = paired(gold, system, parameters, options.system, options.gold, counted)
    pair = pair.strictly(not options.counted)
    # A reader who has seen enough (`| head`) does not change what is to be said of the files.
    try:
        output.write(_text(pair, options), utf8=options.format == "json")
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
    return _status(pair, options.fail_under)


def _status(pair: Pair, fail_under: float | None) -> int:
    if fail_under is None:
        return int(pair.mismatches > 0)
    f1 = headline(pair.scores()).value
    return int(f1 is not None and f1 < fail_under)


def _text(pair: Pair, options: argparse.Namespace) -> Iterator[str]:
    names = Names(files.shown(options.gold), files.shown(options.system))
    groups = list(itertools.islice(ordered(pair, options.order), options.limit))
    each = _looked_at(pair, groups)
    if options.format == "json":
        yield from (json_line(pair, names, group) for group in each)
        return
    columns, paint = output.columns(), output.paint(options.color)
    for group in each:
        yield from drawn(pair, names, group, columns, paint)
        yield ""
    yield from closing(pair, len(groups), paint)


def _looked_at(pair: Pair, groups: Sequence[int]) -> Iterator[int]:
    """The groups; what differs is found for many at once, few at first: who reads may stop."""
    first, size = 0, 16
    while first < len(groups):
        part = groups[first : first + size]
        pair.look_at(part)
        yield from part
        first, size = first + size, min(2 * size, 1024)


def _share(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (value := float(text)) <= 100:
            return value
    raise argparse.ArgumentTypeError(f"'{text}' is no F1 between 0 and 100")


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens compare",
        description="Show what differs between gold and system, drawn under each sentence.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold trees (- for standard input)")
    parser.add_argument("system", metavar="SYSTEM", help="the system's trees")
    parser.add_argument(
        "-o",
        "--order",
        choices=("file", "worst"),
        default="file",
        help="as in the files (default), or the lowest F1 first",
    )
    parser.add_argument(
        "-n", "--limit", type=whole_number, metavar="N", help="show N sentences at most"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "json"),
        default="text",
        help="text (default), or an object a line for each sentence that differs",
    )
    parser.add_argument(
        "--fail-under",
        type=_share,
        metavar="F1",
        help="fail if the corpus's F1 is lower than this, not if anything differs",
    )
    add_counted(parser)
    add_common(parser)
    return parser
