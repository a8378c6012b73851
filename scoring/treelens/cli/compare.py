"""``treelens compare``: what the editor shows of two files, in a terminal or for a program."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from functools import partial

from treelens.cli import CannotContinue, files, output, silence
from treelens.cli.options import add_common, add_counted, add_names, with_options
from treelens.cli.output import whole_number
from treelens.cli.several import SetPairs, each, sets
from treelens.differences.wording import SideNames
from treelens.metrics import Metric, Score, Tallies, scores
from treelens.render.width import clean
from treelens.report.batches import LARGEST, told
from treelens.report.content import headline
from treelens.report.mismatches import PairFileNames, closing, drawn, headlined, json_line, ordered
from treelens.session.pair import Pair

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
  treelens compare anna/ boris/ --names Anna Boris

Exit status: 0 if nothing differs (with --counted: that a score counts),
1 if something does, 2 if the files cannot be compared.
With --fail-under, 1 if the corpus's F1 is lower than that, and 0 otherwise."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, options.system, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    found = sets([options.gold, options.system])
    total = _Total()
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    # A reader who has seen enough (`| head`) does not change what is to be said of the files.
    try:
        reads = each(found, options, parameters, most)
        output.write(_text(reads, total, options), utf8=options.format == "json")
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        for read in reads:
            total.add(read.pairs[0].strictly(not options.counted))
    return total.status(options.fail_under)


_AT_FIRST = 16
"""Sentences that are looked at together."""


class _Total:
    """What all files come to."""

    def __init__(self) -> None:
        self.files = self.sentences = self.mismatches = 0
        self.shown = 0
        self._metrics: tuple[Metric, ...] = ()
        self._counts: Tallies | None = None

    def add(self, pair: Pair) -> None:
        self.files += 1
        self.sentences, self.mismatches = (
            self.sentences + len(pair),
            self.mismatches + pair.mismatches,
        )
        self._metrics = pair.metrics
        self._counts = pair.total if self._counts is None else self._counts + pair.total

    def scores(self) -> tuple[Score, ...]:
        assert self._counts is not None, "something was added"
        return scores(self._counts, self._metrics)

    def status(self, fail_under: float | None) -> int:
        if self._counts is None:
            raise CannotContinue("none of the files can be compared")
        if fail_under is None:
            return int(self.mismatches > 0)
        f1 = headline(self.scores()).value
        return int(f1 is not None and f1 < fail_under)


def _text(reads: Iterator[SetPairs], total: _Total, options: argparse.Namespace) -> Iterator[str]:
    """All files, one after the other; ``--limit`` is of all together."""
    paint = output.paint(options.color)
    for read in reads:
        pair = read.pairs[0].strictly(not options.counted)
        total.add(pair)
        if total.files > 1 and options.format != "json":
            yield ""
        gold, system = map(files.shown, read.names)
        names = PairFileNames(gold, system, SideNames(*map(clean, options.names)))
        yield from _of_pair(pair, names, total, options)
    if total.files > 1 and options.format != "json":
        said = (
            f"{total.files:,} files: {total.mismatches:,} of {total.sentences:,} sentences differ"
        )
        yield ""
        yield paint("bold", f"{said} · {headlined(total.scores())}")


def _of_pair(
    pair: Pair, names: PairFileNames, total: _Total, options: argparse.Namespace
) -> Iterator[str]:
    limit = None if options.limit is None else max(options.limit - total.shown, 0)
    groups = ordered(pair, options.order)[:limit]
    said = partial(_said, pair, names, options)
    # (Few at first, as who reads may stop.)
    size = LARGEST if total.shown else _AT_FIRST
    total.shown += len(groups)
    yield from told(groups, said, pair.look_at, size)
    if options.format != "json":
        yield from closing(pair, len(groups), output.paint(options.color))


def _said(pair: Pair, names: PairFileNames, options: argparse.Namespace, group: int) -> str:
    if options.format == "json":
        return json_line(pair, names, group)
    lines = drawn(pair, names, group, output.columns(), output.paint(options.color))
    return "\n".join([*lines, ""])


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
    parser.add_argument(
        "gold", metavar="GOLD", help="a file (-: standard input), folder, pattern or list"
    )
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
    add_names(parser)
    add_common(parser)
    return parser
