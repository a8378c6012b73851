"""``treelens worklist``: a pair's sentences in the order of work, and what was said of them."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np

from treelens.cli import CannotContinue, files, metrics, output
from treelens.cli.score import (
    add_common,
    add_counted,
    paired,
    read_gold,
    whole_number,
    with_options,
)
from treelens.differences.table import kinds
from treelens.metrics import headlines
from treelens.present.queries import Query
from treelens.present.worklist import (
    By,
    Entry,
    Named,
    Options,
    Order,
    Shown,
    Worklist,
    by_name,
    by_state,
    entry_of,
    listed,
    named,
    of_section,
    ordered,
    with_suspects,
    worklist,
)
from treelens.render.sheet import csv_line
from treelens.render.width import clean, shortened
from treelens.report.content import line_of
from treelens.session import suspects
from treelens.session.inventory import Classes, Inventory
from treelens.session.pair import Pair, Side
from treelens.session.review import Reviews
from treelens.session.sidecar import ENDING, Sidecar
from treelens.trees.forest import Symbols, decode

_EXAMPLES = """\
examples:
  treelens worklist gold.mrg system.mrg --state todo
  treelens worklist gold.conllu system.conllu --by labels
  treelens worklist gold.mrg one.mrg two.mrg three.mrg --sort suspects
  treelens worklist gold.mrg system.mrg --find "NP" --errors 2 --format csv > work.csv

States are those that the editor writes: comments above the sentence, or lines of FILE.review
(docs/worklist.md). Exit status: 0, or 2 if the files cannot be compared."""

_WORDS = 60


class _Line(NamedTuple):
    group: str
    entry: Entry
    note: str
    place: str


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.sort == "suspects" and not options.others:
        raise CannotContinue("suspects are what several systems agree on: name more than one")
    trees = [options.gold, options.system, *options.others]
    files.only_one_stdin([*trees, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    symbols = Symbols()
    gold, system = read_gold(options.gold, symbols), files.read_trees(options.system, symbols)
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    for name, document in ((options.gold, gold), (options.system, system)):
        files.say_problems(name, document, most)
    named_metrics = metrics.chosen(metrics.names(options), [gold, system], parameters)
    pair = paired(gold, system, parameters, options.system, options.gold, named_metrics)
    pair = pair.strictly(not options.counted)
    names = {Side.GOLD: options.gold, Side.SYSTEM: options.system}
    reviews = {side: Reviews() for side in Side}
    sidecars = {side: _sidecar(names[side]) for side in Side}
    said = {side: reviews[side].of(pair.document(side), sidecars[side]) for side in Side}
    work = worklist(pair, Side(options.review), said)
    others = [files.read_trees(name, symbols) for name in options.others]
    rivals = [
        paired(gold, other, parameters, name, options.gold, named_metrics)
        for name, other in zip(options.others, others, strict=True)
    ]
    if rivals:
        agreed = suspects.Inventory()
        agreed.work([pair, *rivals])
        work = with_suspects(work, agreed.of([pair, *rivals]))
    wanted = Options(options.sort, options.by, options.find, options.state, options.errors)

    def notes(entry: Entry) -> str:
        document = pair.document(entry.side)
        return reviews[entry.side].review(document, sidecars[entry.side], entry.sentence).note

    def place(entry: Entry) -> str:
        line = line_of(pair.document(entry.side), entry.sentence)
        return f"{files.shown(names[entry.side])}:{line}"

    found = _entries(work, wanted, options.limit)
    lines = (_Line(group, entry, notes(entry), place(entry)) for group, entry in found)
    output.write(_text(work, lines, options), utf8=options.format != "text")
    return 0


def _sidecar(name: str) -> Sidecar:
    path = name + ENDING
    if not os.path.isfile(path):
        return Sidecar()
    found = Sidecar(decode(files.read_bytes(path)))
    for problem in found.problems:
        output.say(f"{files.shown(path)}:{problem.line + 1}: {problem.message}")
    return found


def _entries(work: Worklist, options: Options, limit: int | None) -> Iterator[tuple[str, Entry]]:
    """The entries, with the title of the group that they stand in."""
    pair = work.pair
    query = Query(options.query)
    found = {side: query.matching(pair.document(side)) for side in Side}
    flags = listed(work, options, found)
    if options.by == "nothing":
        groups = ordered(work, options, np.flatnonzero(flags))[:limit].tolist()
        yield from (("", entry_of(work, group)) for group in groups)
        return
    errors = _named(pair, options.by)
    sections = by_state(work, flags) if options.by == "state" else by_name(work, flags, errors)
    for section in sections:
        inside = np.flatnonzero(flags & of_section(work, section.key, options.by, errors))
        groups = ordered(work, options, inside)[:limit].tolist()
        yield from ((section.title, entry_of(work, group)) for group in groups)


def _named(pair: Pair, by: By) -> Named:
    if by == "state":
        return Named(np.zeros(0, np.int64), np.zeros(0, np.int64), ())
    classes = Classes()
    found = Inventory(classes.look if by == "class" else kinds)
    found.work(pair)
    if by == "class":
        return Named(*found.of(pair), tuple(classes.names))
    return named(found.of(pair), pair, by)


# --- as text -------------------------------------------------------------------------------


def _text(work: Worklist, lines: Iterator[_Line], options: argparse.Namespace) -> Iterator[str]:
    if options.format == "json":
        return _json(lines)
    if options.format == "csv":
        return _csv(lines)
    return _table(work, lines)


def _fields(line: _Line) -> dict[str, Any]:
    entry = line.entry
    return {
        "group": line.group,
        "sentence": entry.sentence + 1,
        "file": entry.side.value,
        "place": line.place,
        "id": entry.name,
        "score": None if entry.score == "–" else float(entry.score),
        "errors": entry.errors,
        "mismatches": entry.summary,
        "state": entry.state,
        "note": line.note,
    }


def _json(lines: Iterator[_Line]) -> Iterator[str]:
    """A line of JSON for each sentence."""
    for line in lines:
        yield json.dumps(_fields(line), ensure_ascii=False)


def _csv(lines: Iterator[_Line]) -> Iterator[str]:
    first = True
    for line in lines:
        fields = _fields(line)
        for row in [[*fields], [*fields.values()]][0 if first else 1 :]:
            yield csv_line(row)
        first = False


def _table(work: Worklist, lines: Iterator[_Line]) -> Iterator[str]:
    tally = work.tally
    name = headlines(work.pair.metrics)[0]
    said = f"{tally.checked:,} of {tally.total:,} checked, {tally.left:,} to do"
    questions = f", {tally.questions:,} in question" if tally.questions else ""
    changed = f", {tally.changed:,} changed since they were checked" if tally.changed else ""
    yield f"{said}{questions}{changed}"
    yield ""
    yield f"{name.headline or name.title:>8}  {'errors':>6}  {'state':<8}  place"
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            yield ""
            yield clean(group)
        entry = line.entry
        words = shortened(clean(entry.words), _WORDS)
        note = f"  ({clean(line.note)})" if line.note else ""
        yield (
            f"{entry.score:>8}  {entry.errors:>6}  {entry.state:<8}  "
            f"{clean(line.place)}  {words}{note}"
        )


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens worklist",
        description="List the sentences of a pair in the order of work, with what was said of "
        "them in the editor.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold trees (- for standard input)")
    parser.add_argument("system", metavar="SYSTEM", help="the other trees")
    parser.add_argument(
        "others", metavar="MORE", nargs="*", help="further systems: what all agree on is said"
    )
    _choice(
        parser,
        "--sort",
        get_args(Order),
        "lowest score first (score, default), most mismatches first, what most systems agree on "
        "against gold first (suspects), or as in the file",
    )
    _choice(parser, "--by", get_args(By), "in groups (default: in none)")
    _choice(parser, "--state", get_args(Shown), "only sentences in a state")
    _choice(parser, "--review", ("system", "gold"), "whose sentences have the states")
    parser.add_argument(
        "--find", default="", metavar="TEXT", help="only with these words, ID, label or relation"
    )
    parser.add_argument(
        "--errors", type=whole_number, default=0, metavar="N", help="only with N mismatches or more"
    )
    parser.add_argument(
        "--limit", type=whole_number, default=None, metavar="N", help="the first N (of each group)"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "json", "csv"),
        default="text",
        help="text (default), json (a line a sentence) or csv",
    )
    add_counted(parser)
    add_common(parser)
    return parser


def _choice(parser: argparse.ArgumentParser, name: str, choices: Sequence[str], help: str) -> None:
    parser.add_argument(name, choices=choices, default=choices[0], help=help)
