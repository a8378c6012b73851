"""``treelens compare``: what the editor shows of two files, in a terminal or for a program."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from functools import partial

from treelens.cli import CannotContinue, files, in_parts, output, silence
from treelens.cli.in_parts import CountedTexts, SetParts
from treelens.cli.options import add_common, add_counted, add_names, with_options
from treelens.cli.output import whole_number
from treelens.cli.several import sets
from treelens.counting.files import FileCounts
from treelens.counting.parts import TextParts
from treelens.differences.wording import SideNames
from treelens.metrics import Metric, Score, Tallies, scores
from treelens.render.numbers import number_of
from treelens.render.width import clean
from treelens.report.content import headline, signature
from treelens.report.mismatches import (
    Differing,
    PairFileNames,
    closing,
    drawn,
    headlined,
    json_line,
)
from treelens.session.pair import Pair
from treelens.session.ranking import worst_first

_EXAMPLES = """\
signs:
  ---- missing    a bracket, word or sentence of gold that system has not
  ++++ extra      one of system that gold has not
  ~~~~ label      both have the bracket, with different labels: gold → system
  xxxx crossing   a bracket of system that crosses one of gold
  ^^^^ tag        another part-of-speech tag: gold → system
  ==== words      the same stretch of text in other words
  (paler)         what F1 and LAS do not count: function tags, empty elements, DEPS, MISC, …

examples:
  treelens compare gold.mrg system.mrg --order worst --limit 20
  treelens compare gold.mrg system.mrg | less
  treelens compare gold.mrg system.mrg --limit 0 --fail-under 90
  treelens compare gold.mrg system.mrg --format json | jq .scores.F1
  treelens compare anna/ boris/ --names Anna Boris

Exit status: 0 if nothing differs (with --counted: that F1 or LAS counts),
1 if something does, 2 if the files cannot be compared.
With --fail-under, 1 if the corpus's F1 is lower than that, and 0 otherwise."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.gold, options.system, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    total = _Total()
    # A reader who has seen enough (`| head`) does not change what is to be said of the files.
    try:
        found = sets([options.gold, options.system])
        reads = in_parts.each(found, options, parameters, strict=not options.counted)
        several = len(found) > 1
        output.write(_text(reads, total, options, several), utf8=options.format == "json")
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        for read in reads:
            total.add(*read.texts[0])
    return total.status(options.fail_under)


class _Total:
    """What all files come to."""

    def __init__(self) -> None:
        self.files = self.sentences = self.mismatches = 0
        self.shown = 0
        self.signatures: dict[str, None] = {}
        self._metrics: tuple[Metric, ...] = ()
        self._counts: Tallies | None = None

    def add(self, found: FileCounts, parts: TextParts) -> None:
        self.files += 1
        self.sentences += parts.groups
        self.mismatches += parts.mismatches
        self._metrics = parts.metrics
        counts = found.sums.all
        self._counts = counts if self._counts is None else self._counts + counts

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


def _text(
    reads: Iterator[SetParts], total: _Total, options: argparse.Namespace, several: bool
) -> Iterator[str]:
    """All files, one after the other; ``--limit`` is of all together."""
    paint = output.paint(options.color)
    for read in reads:
        (texts,) = read.texts
        total.add(*texts)
        gold, system = map(files.shown, read.names)
        names = PairFileNames(gold, system, SideNames(*map(clean, options.names)))
        yield from _of_files(texts, names, total, options, several)
    if several and total.files and options.format != "json":
        count = number_of(total.files, "file")
        said = f"{count}: {total.mismatches:,} of {total.sentences:,} sentences differ"
        yield ""
        yield paint("bold", f"{said} · {headlined(total.scores())}")
        yield from (paint("dim", clean(line)) for line in total.signatures)


def _of_files(
    texts: CountedTexts,
    names: PairFileNames,
    total: _Total,
    options: argparse.Namespace,
    several: bool,
) -> Iterator[str]:
    """Two files; of several pairs, what they come to is a line with the system's name."""
    parts = texts.parts
    limit = None if options.limit is None else max(options.limit - total.shown, 0)
    shown = parts.mismatches if limit is None else min(parts.mismatches, limit)
    tell = partial(_said, names, options)
    if total.files > 1 and shown and options.format != "json":
        yield ""
    total.shown += shown
    if options.order == "worst":
        yield from in_parts.told(parts, worst_first(parts.counts(), limit), tell)
    else:
        yield from in_parts.told_in_order(parts, limit, tell)
    if options.format == "json":
        return
    found = Differing(
        parts.groups,
        parts.mismatches,
        parts.strict,
        parts.is_mixed,
        scores(texts.found.sums.all, parts.metrics),
        signature(parts.parameters, parts.metrics),
    )
    said, line = closing(found, shown, output.paint(options.color))
    yield f"{clean(names.system)}: {said}" if several else said
    if not several:
        yield line
    total.signatures[found.signature] = None


def _said(names: PairFileNames, options: argparse.Namespace, pair: Pair, group: int) -> str:
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
