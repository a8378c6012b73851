"""``treelens suspects``: what several systems agree on against gold."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from treelens.cli import files, output
from treelens.cli.score import add_common, paired, read_gold, whole_number, with_options
from treelens.consistency.found import sent_id
from treelens.metrics.table import applicable, choose
from treelens.render.sheet import csv_line
from treelens.render.width import clean
from treelens.report.drawing import Underline, draw
from treelens.report.paint import Paint
from treelens.session.annotators import Suspect, judged, suspects
from treelens.session.document import Document
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
    found = suspects(judged(gold, pairs), options.least)
    output.write(_text(found, gold, options), utf8=options.format != "text")
    return int(options.fail_over is not None and len(found) > options.fail_over)


def _text(found: Sequence[Suspect], gold: Document, options: argparse.Namespace) -> Iterator[str]:
    limited = found[: options.limit]
    name = files.shown(options.gold)
    if options.format == "jsonl":
        return (json.dumps(_fields(one, gold, name), ensure_ascii=False) for one in limited)
    if options.format == "csv":
        return _csv([_fields(one, gold, name) for one in limited])
    paint = output.paint(options.color)
    return _lines(limited, len(found), gold, name, output.columns(), paint)


def _fields(one: Suspect, gold: Document, name: str) -> dict[str, Any]:
    return {
        "kind": one.key,
        "file": name,
        "sentence": one.sentence + 1,
        "sent_id": sent_id(gold, one.sentence),
        "line": _line(one, gold),
        "words": [one.first + 1, one.last + 1] if one.key == "brackets" else [one.first + 1],
        "gold": None if one.gold == "–" else one.gold,
        "systems": None if one.other == "–" else one.other,
        "said": one.said,
        "of": one.systems,
    }


def _line(one: Suspect, gold: Document) -> int:
    words = [node for node in gold.tree(one.sentence).nodes if node.word is not None]
    return gold.line_at(words[one.first].word_start) + 1


def _csv(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    head = [*rows[0]] if rows else ["kind", "file", "sentence"]
    for cells in ([head] if head else []) + [[*row.values()] for row in rows]:
        yield csv_line(" ".join(map(str, c)) if isinstance(c, list) else c for c in cells)


def _lines(
    found: Sequence[Suspect], total: int, gold: Document, name: str, columns: int, paint: Paint
) -> Iterator[str]:
    yield f"{total:,} places where systems agree against gold"
    for one in found:
        words = [node.word or "" for node in gold.tree(one.sentence).nodes if node.word is not None]
        said = f"{one.said} of {one.systems} systems say {clean(one.other)} here"
        yield ""
        yield f"{paint('bold', said)}  {clean(name)}:{_line(one, gold)}  {one.title.lower()}"
        mark = Underline(one.first, one.last + 1, "^", f"gold {clean(one.gold)}", "missing")
        yield from draw(words, [mark], columns, "    ", paint)
    if total > len(found):
        yield ""
        yield f"and {total - len(found):,} more (--limit shows more)"


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
        "-f", "--format", choices=("text", "jsonl", "csv"), default="text",
        help="text (default), jsonl (a line a place) or csv",
    )  # fmt: skip
    add_common(parser)
    return parser
