"""``treelens worklist``: a pair's sentences in the order of work, and what was said of them."""

from __future__ import annotations

import argparse
import itertools
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, get_args

import numpy as np

from treelens.cli import CannotContinue, files, output
from treelens.cli.options import add_common, add_counted, with_options
from treelens.cli.output import whole_number
from treelens.cli.several import SetPairs, each, sets
from treelens.cli.shelf import HELD, Shelf
from treelens.differences.table import kinds
from treelens.metrics import headlines
from treelens.present.queries import Query
from treelens.present.worklist import (
    STATE_ORDER,
    Flags,
    ListOptions,
    NamedErrors,
    StateCounts,
    Worklist,
    WorklistBy,
    WorklistOrder,
    WorklistShown,
    by_name,
    by_state,
    let_through,
    named_errors,
    of_section,
    sort_keys,
    with_suspects,
    worklist,
)
from treelens.present.worklist_lines import ListedGroup, entry_of
from treelens.render.sheet import csv_line
from treelens.render.width import clean, shortened
from treelens.report.batches import told
from treelens.report.content import line_of
from treelens.session.inventory import Classes, Inventory
from treelens.session.pair import Pair, Side
from treelens.session.review import Reviewed, review, reviewed
from treelens.session.sidecar import ENDING, Sidecar
from treelens.trees.forest import decode

_EXAMPLES = """\
examples:
  treelens worklist gold.mrg system.mrg --state todo
  treelens worklist gold.conllu system.conllu --by labels
  treelens worklist gold/ system/ --limit 20
  treelens worklist gold.mrg one.mrg two.mrg three.mrg --sort suspects
  treelens worklist gold.mrg system.mrg --find "NP" --errors 2 --format csv > work.csv

States are those that the editor writes: comments above the sentence, or lines of FILE.review
(docs/worklist.md). Exit status: 0, or 2 if the files cannot be compared."""

_WORDS = 60


class _Part(NamedTuple):
    """The list of one pair of files, and what was said of their sentences."""

    work: Worklist
    names: dict[Side, str]
    reviewed: dict[Side, Reviewed]
    sidecars: dict[Side, Sidecar]


class _Line(NamedTuple):
    group: str
    entry: ListedGroup
    note: str
    place: str


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.sort == "suspects" and not options.others:
        raise CannotContinue("suspects are what several systems agree on: name more than one")
    trees = [options.gold, options.system, *options.others]
    files.only_one_stdin([*trees, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    # (The sentences of all files are in one order.)
    shelf = Shelf(HELD * len(trees))
    reads = each(sets(trees), options, parameters, most, shelf=shelf)
    parts = [_of_files(read, options) for read in reads]
    if not parts:
        raise CannotContinue("none of the files can be compared")
    wanted = ListOptions(options.sort, options.by, options.find, options.state, options.errors)
    lines = _lines(parts, wanted, options.limit)
    output.write(_text(parts, lines, options), utf8=options.format != "text")
    return 0


def _of_files(read: SetPairs, options: argparse.Namespace) -> _Part:
    first, *rivals = read.pairs
    pair = first.strictly(not options.counted)
    names = dict(zip(Side, read.names, strict=False))  # the first system's
    sidecars = {side: _sidecar(names[side]) for side in Side}
    said = {side: reviewed(pair.document(side), sidecars[side]) for side in Side}
    work = worklist(pair, Side(options.review), said)
    if rivals:
        from treelens.session import suspects  # which one system does without

        agreed = suspects.inventory()
        agreed.work([pair, *rivals])
        work = with_suspects(work, suspects.SuspectCounts(*agreed.of([pair, *rivals]).T))
    return _Part(work, names, said, sidecars)


def _sidecar(name: str) -> Sidecar:
    path = name + ENDING
    if not os.path.isfile(path):
        return Sidecar()
    found = Sidecar(decode(files.read_bytes(path)))
    files.say_lines(path, [one._replace(line=one.line + 1) for one in found.problems])
    return found


def _lines(parts: Sequence[_Part], options: ListOptions, limit: int | None) -> Iterator[_Line]:
    """The sentences of all files, with the title of the group that they stand in."""
    flags = [_let_through(one.work, options) for one in parts]
    if options.by == "nothing":
        yield from _in_order(parts, options, flags, "", limit)
        return
    errors = [_named(one.work.pair, options.by) for one in parts]
    for title, key in _sections(parts, options.by, flags, errors):
        inside = [
            here & of_section(one.work, key, options.by, names)
            for one, here, names in zip(parts, flags, errors, strict=True)
        ]
        yield from _in_order(parts, options, inside, title, limit)


def _let_through(work: Worklist, options: ListOptions) -> Flags:
    query = Query(options.query, keep=False)
    found = {side: query.matching(work.pair.document(side)) for side in Side}
    return let_through(work, options, found)


def _sections(
    parts: Sequence[_Part], by: WorklistBy, flags: Sequence[Flags], errors: Sequence[NamedErrors]
) -> Iterator[tuple[str, str]]:
    """Titles and keys of the groups of all files; of names, the most frequent first."""
    titles, times = dict[str, str](), Counter[str]()
    for one, here, names in zip(parts, flags, errors, strict=True):
        sections = by_state(one.work, here) if by == "state" else by_name(one.work, here, names)
        for section in sections:
            titles[section.key] = section.title
            times[section.key] += section.errors
    order = STATE_ORDER if by == "state" else sorted(titles, key=lambda key: (-times[key], key))
    yield from ((titles[key], key) for key in order if key in titles)


def _in_order(
    parts: Sequence[_Part],
    options: ListOptions,
    flags: Sequence[Flags],
    title: str,
    limit: int | None,
) -> Iterator[_Line]:
    """Sentences of all files as the list has them; equals are in the order of the files."""
    groups = [np.flatnonzero(here) for here in flags]
    of = np.repeat(np.arange(len(parts)), [len(here) for here in groups])
    keys = [
        [column[here] for column in sort_keys(one.work, options.order)]
        for one, here in zip(parts, groups, strict=True)
    ]
    *columns, number = (np.concatenate(column) for column in zip(*keys, strict=True))
    order = np.lexsort([number, of, *reversed(columns)])[:limit]
    of, number = of[order], np.concatenate(groups)[order]

    def look_at(places: list[tuple[int, int]]) -> None:
        for at, those in itertools.groupby(places, key=itemgetter(0)):
            parts[at].work.pair.look_at([group for _, group in those])

    places = [*zip(of.tolist(), number.tolist(), strict=True)]
    yield from told(places, lambda place: _line(parts[place[0]], place[1], title), look_at)


def _line(part: _Part, group: int, title: str) -> _Line:
    entry = entry_of(part.work, group)
    side, document = entry.side, part.work.pair.document(entry.side)
    note = review(part.reviewed[side], document, part.sidecars[side], entry.sentence).note
    place = f"{files.shown(part.names[side])}:{line_of(document, entry.sentence)}"
    return _Line(title, entry, note, place)


def _named(pair: Pair, by: WorklistBy) -> NamedErrors:
    if by == "state":
        return NamedErrors(np.zeros(0, np.int64), np.zeros(0, np.int64), ())
    classes = Classes()
    found = Inventory(classes.look if by == "class" else kinds)
    found.work(pair)
    if by == "class":
        return NamedErrors(*found.of(pair), tuple(classes.names))
    return named_errors(found.of(pair), pair, by)


# --- as text -------------------------------------------------------------------------------


def _text(
    parts: Sequence[_Part], lines: Iterator[_Line], options: argparse.Namespace
) -> Iterator[str]:
    if options.format == "json":
        return _json(lines)
    if options.format == "csv":
        return _csv(lines)
    return _table(parts, lines)


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
    import json  # which most do without

    for line in lines:
        yield json.dumps(_fields(line), ensure_ascii=False)


def _csv(lines: Iterator[_Line]) -> Iterator[str]:
    first = True
    for line in lines:
        fields = _fields(line)
        for row in [[*fields], [*fields.values()]][0 if first else 1 :]:
            yield csv_line(row)
        first = False


def _table(parts: Sequence[_Part], lines: Iterator[_Line]) -> Iterator[str]:
    tally = StateCounts(*map(sum, zip(*(one.work.counts for one in parts), strict=True)))
    name = headlines(parts[0].work.pair.metrics)[0]
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
    parser.add_argument(
        "gold",
        metavar="GOLD",
        help="the gold trees: a file (-: standard input), folder, pattern or list",
    )
    parser.add_argument("system", metavar="SYSTEM", help="the other trees")
    parser.add_argument(
        "others", metavar="MORE", nargs="*", help="further systems: what all agree on is said"
    )
    _choice(
        parser,
        "--sort",
        # (What got worse since an earlier version is what "treelens changes" is for.)
        [order for order in get_args(WorklistOrder) if order != "worse"],
        "lowest score first (score, default), most mismatches first, what most systems agree on "
        "against gold first (suspects), or as in the file",
    )
    _choice(parser, "--by", get_args(WorklistBy), "in groups (default: in none)")
    _choice(parser, "--state", get_args(WorklistShown), "only sentences in a state")
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
