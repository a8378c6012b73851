"""``treelens worklist``: a pair's sentences in the order of work, and what was said of them."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, get_args

import numpy as np

from treelens.cli import CannotContinue, files, in_parts, output
from treelens.cli.in_parts import SetParts
from treelens.cli.options import add_common, add_counted, with_options
from treelens.cli.output import say, whole_number
from treelens.cli.progress import Progress
from treelens.cli.several import sets
from treelens.cli.waiting import WaitingBytes
from treelens.differences.table import kinds
from treelens.metrics import Ratio, headlines
from treelens.present.queries import Query
from treelens.present.worklist import (
    STATE_ORDER,
    Flags,
    ListOptions,
    NamedErrors,
    Section,
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
from treelens.report.batches import LARGEST, Foremost
from treelens.report.content import line_of
from treelens.session.inventory import Classes, Inventory
from treelens.session.pair import Pair, Side
from treelens.session.review import Reviewed, beside, review, reviewed
from treelens.session.sidecar import ENDING, LARGEST_SIDECAR, Sidecar
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


class _Files(NamedTuple):
    """A set of files, and what is said beside those of its first pair."""

    names: dict[Side, str]
    sidecars: dict[Side, Sidecar]
    beside: dict[Side, Reviewed | None]


Tell = Callable[[str, "_Line"], str]
"""A sentence in a group of that title."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.sort == "suspects" and not options.others:
        raise CannotContinue("suspects are what several systems agree on: name more than one")
    trees = [options.gold, options.system, *options.others]
    files.only_one_stdin([*trees, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)
    found = _Lists(options)
    reads = in_parts.each(sets(trees), options, parameters, strict=not options.counted)
    for read in reads:
        found.headline = found.headline or headlines(read.texts[0].parts.metrics)[0]
        names = dict(zip(Side, read.names, strict=False))  # the first system's
        sidecars = {side: _sidecar(names[side]) for side in Side}
        with Progress(f"{shortened(clean(names[Side.SYSTEM]), 40)}: worklist") as progress:
            said = {side: _beside(read, side, sidecars[side]) for side in Side}
            of = _Files(names, sidecars, said)
            for pairs in read.together().each(progress):
                found.add(of, pairs)
                del pairs  # (Two are never held.)
    if found.headline is None:
        raise CannotContinue("none of the files can be compared")
    output.write(found.told(), utf8=options.format != "text")
    return 0


def _sidecar(name: str) -> Sidecar:
    path = name + ENDING
    if not os.path.lexists(path):
        return Sidecar()
    if why := _why_not(path):
        say(f"{clean(path)} {why}: what it says of sentences is not listed")
        return Sidecar()
    found = Sidecar(decode(files.read_bytes(path, LARGEST_SIDECAR)))
    files.say_lines(path, [one._replace(line=one.line + 1) for one in found.problems])
    return found


def _why_not(path: str) -> str:
    """Why a sidecar is not read, if it is not; lines of it would be quoted."""
    if not os.path.isfile(path):
        return "is no file that can be read"
    folder = os.path.join(os.path.realpath(os.path.dirname(path)), "")
    if not os.path.realpath(path).startswith(folder):
        return "is a link that leads out of its folder"
    return ""


def _beside(read: SetParts, side: Side, sidecar: Sidecar) -> Reviewed | None:
    """What is said beside a file of its sentences: which of several with the same words are meant
    is known of the whole file."""
    if not sidecar.lines:
        return None
    return beside((pair.document(side) for pair in read.texts[0].parts), sidecar)


class _Listed(NamedTuple):
    """Sentences that are listed together; ``errors``: how often they have what they are for."""

    title: str
    lines: Foremost
    errors: int


class _Lists:
    """The sentences of all files, in the order of work in each group."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.headline: Ratio | None = None
        """What is said of each sentence, once there are files."""
        self._options, self._tell = options, _TELL[options.format]()
        self._wanted = ListOptions(
            options.sort, options.by, options.find, options.state, options.errors
        )
        self._tally = StateCounts(*[0] * len(StateCounts._fields))
        self._waiting = WaitingBytes()
        self._found: dict[str, _Listed] = {}

    def add(self, of: _Files, pairs: Sequence[Pair]) -> None:
        """Take in a part of a set of files."""
        work, said = _worklist(of, pairs, Side(self._options.review))
        self._tally = StateCounts(*map(sum, zip(self._tally, work.counts, strict=True)))
        keys = np.stack(sort_keys(work, self._wanted.order))
        lists = dict[int, list[_Listed]]()
        for listed, flags in self._sections(work):
            groups = np.flatnonzero(flags)
            foremost = np.lexsort(keys[::-1, groups])[: self._options.limit]
            for group in groups[foremost].tolist():
                lists.setdefault(group, []).append(listed)
        # (What differs in them is found for many at once.)
        listed_groups = sorted(lists)
        for first in range(0, len(listed_groups), LARGEST):
            together = listed_groups[first : first + LARGEST]
            work.pair.look_at(together)
            for group in together:
                line = functools.cache(partial(_line, of, work, said, group))
                key = tuple(keys[:-1, group].tolist())
                for listed in lists[group]:
                    listed.lines.add(key, partial(self._told, listed.title, line))

    def _sections(self, work: Worklist) -> Iterator[tuple[_Listed, Flags]]:
        """The groups that a part's sentences are listed in, and which of them."""
        flags, by = _let_through(work, self._wanted), self._wanted.by
        names = _named(work.pair, by)
        if by == "nothing":
            sections = [Section("", "", int(flags.sum()), 0, 0)]
        else:
            sections = by_state(work, flags) if by == "state" else by_name(work, flags, names)
        for key, title, _, _, errors in sections:
            known = self._found.get(key)
            lines = known.lines if known else Foremost(self._waiting, self._options.limit)
            before = known.errors if known else 0
            listed = self._found[key] = _Listed(title, lines, before + errors)
            inside = flags if by == "nothing" else flags & of_section(work, key, by, names)
            yield listed, inside

    def _told(self, title: str, line: Callable[[], _Line]) -> str:
        return self._tell(title, line())

    def told(self) -> Iterator[str]:
        """The whole list; of names, the most frequent first."""
        order = sorted(self._found, key=lambda key: (-self._found[key].errors, key))
        if self._wanted.by == "state":
            order = [state for state in STATE_ORDER if state in self._found]
        text = self._options.format == "text"
        if text:
            yield from self._head()
        elif self._options.format == "csv":
            yield csv_line([*_FIELDS])
        for key in order:
            title, lines, _ = self._found[key]
            if text and title:
                yield ""
                yield clean(title)
            yield from lines.told()

    def _head(self) -> Iterator[str]:
        assert self.headline is not None
        tally, name = self._tally, self.headline.headline or self.headline.title
        said = f"{tally.checked:,} of {tally.total:,} checked, {tally.left:,} to do"
        questions = f", {tally.questions:,} in question" if tally.questions else ""
        changed = f", {tally.changed:,} changed since they were checked" if tally.changed else ""
        yield f"{said}{questions}{changed}"
        yield ""
        yield f"{name:>8}  {'errors':>6}  {'state':<8}  place"


def _worklist(
    of: _Files, pairs: Sequence[Pair], side: Side
) -> tuple[Worklist, dict[Side, Reviewed]]:
    """The list of a part of some files, and what was said of its sentences."""
    pair = pairs[0]
    said = {side: reviewed(pair.document(side), of.beside[side]) for side in Side}
    work = worklist(pair, side, said)
    if len(pairs) > 1:
        from treelens.session import suspects  # which one system does without

        agreed = suspects.inventory()
        agreed.work([*pairs])
        work = with_suspects(work, suspects.SuspectCounts(*agreed.of([*pairs]).T))
    return work, said


def _let_through(work: Worklist, options: ListOptions) -> Flags:
    query = Query(options.query, keep=False)
    found = {side: query.matching(work.pair.document(side)) for side in Side}
    return let_through(work, options, found)


def _named(pair: Pair, by: WorklistBy) -> NamedErrors:
    if by in ("nothing", "state"):
        return NamedErrors(np.zeros(0, np.int64), np.zeros(0, np.int64), ())
    classes = Classes()
    found = Inventory(classes.look if by == "class" else kinds)
    found.work(pair)
    if by == "class":
        return NamedErrors(*found.of(pair), tuple(classes.names))
    return named_errors(found.of(pair), pair, by)


# --- a line ------------------------------------------------------------------------------------


class _Line(NamedTuple):
    entry: ListedGroup
    sentence: int
    note: str
    place: str


def _line(of: _Files, work: Worklist, said: dict[Side, Reviewed], group: int) -> _Line:
    entry = entry_of(work, group)
    side, document = entry.side, work.pair.document(entry.side)
    note = review(said[side], document, of.sidecars[side], entry.sentence).note
    place = f"{files.shown(of.names[side])}:{line_of(document, entry.sentence)}"
    return _Line(entry, document.before.sentences + entry.sentence + 1, note, place)


_FIELDS = (
    "group",
    "sentence",
    "file",
    "place",
    "id",
    "score",
    "errors",
    "mismatches",
    "state",
    "note",
)


def _fields(title: str, line: _Line) -> list[Any]:
    entry = line.entry
    return [
        title,
        line.sentence,
        entry.side.value,
        line.place,
        entry.name,
        None if entry.score == "–" else float(entry.score),
        entry.errors,
        entry.summary,
        entry.state,
        line.note,
    ]


def _in_json() -> Tell:
    import json  # which most do without

    def tell(title: str, line: _Line) -> str:
        fields = dict(zip(_FIELDS, _fields(title, line), strict=True))
        return json.dumps(fields, ensure_ascii=False)

    return tell


def _in_csv() -> Tell:
    return lambda title, line: csv_line(_fields(title, line))


def _in_text() -> Tell:
    def tell(_: str, line: _Line) -> str:
        entry = line.entry
        words = shortened(clean(entry.words), _WORDS)
        note = f"  ({clean(line.note)})" if line.note else ""
        return (
            f"{entry.score:>8}  {entry.errors:>6}  {entry.state:<8}  "
            f"{clean(line.place)}  {words}{note}"
        )

    return tell


_TELL: dict[str, Callable[[], Tell]] = {"text": _in_text, "json": _in_json, "csv": _in_csv}


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
