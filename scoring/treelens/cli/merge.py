"""``treelens merge``: files of counts added up, to the tables that one run would have given."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from treelens.cli import CannotContinue, corpora, counts, output
from treelens.cli.output import one_or_more, whole_number
from treelens.cli.waiting import WaitingBytes
from treelens.counting.files import OWN, PLACES
from treelens.counting.sums import Sums, nothing, sums
from treelens.metrics import Metric, Tallies
from treelens.metrics.table import METRICS
from treelens.render.width import clean
from treelens.report.as_csv import comma_separated
from treelens.report.as_json import json_text
from treelens.report.as_latex import latex
from treelens.report.as_markdown import markdown
from treelens.report.as_table import Look, table
from treelens.report.content import FileScores, ReadFile, Report, SystemReport, blocks_of
from treelens.report.differences import (
    CountRows,
    Differences,
    as_json,
    as_table,
    resampled,
    waiting_rows,
)
from treelens.statistics.significance import ITERATIONS, each_by_unit, units_by_part

_EXAMPLES = """\
examples:
  treelens score gold/a parser/a --counts a.parquet
  treelens score gold/b parser/b --counts b.parquet
  treelens merge a.parquet b.parquet --one-system parser
  treelens merge all.csv --significance --format json
  treelens merge all.csv --format html > report.html

The files are those of 'treelens score --counts', in CSV or Parquet, counted by the same options. No
group of sentences is counted twice: one that comes again ends the command. Exit status: 0, or 2."""

_GOLD_FIRST, _GOLDS, _SYSTEMS = (PLACES.index(name) for name in ("gold_first", "golds", "systems"))
_AT_ONCE = 1 << 14
"""Groups whose counts are added up together."""
_PROBLEMS = [PLACES.index(name) for name in ("gold_problems", "system_problems")]


class _Run(NamedTuple):
    """Where some groups are, which waits on disk: the first place and the last one, in order, and
    whether all are different. ascending: whether they stand in that order. rows: which rows of
    counts are theirs, where these are wanted."""

    first: list[int]
    last: list[int]
    different: bool
    ascending: bool
    waiting: range
    rows: range


@dataclass(slots=True)
class _File:
    """One file of one system: its sums so far, and where its groups are."""

    sums: Sums
    problems: list[int] = field(default_factory=lambda: [0, 0])
    runs: list[_Run] = field(default_factory=list)


@dataclass(slots=True)
class _Merged:
    metrics: tuple[Metric, ...]
    signature: str
    golds: dict[str, set[str]]
    """With the systems that are compared with each."""
    systems: dict[str, dict[str, _File]]
    rows: CountRows
    """The counts of all groups, where they are wanted."""
    waiting: WaitingBytes = field(default_factory=WaitingBytes)

    def places(self, runs: Iterable[_Run]) -> Tallies:
        """Where some groups are: numbers of their first sentences, and how many; ``(k, 4)``."""
        data = b"".join(self.waiting.read(run.waiting) for run in runs)
        return np.frombuffer(data, np.int64).reshape(-1, _SYSTEMS + 1)

    @property
    def gold(self) -> str:
        return next(iter(self.golds)) if len(self.golds) == 1 else f"{len(self.golds)} corpora"


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    on_page = options.format == "html"
    merged = _merged(options.files, options.one_system, options.significance or on_page)
    if options.significance and not on_page:
        found = _significance(merged, options.iterations, options.seed)
        as_lines = as_json if options.format == "json" else as_table
        output.write(as_lines(found), utf8=options.format == "json")
        return 0
    output.write(_text(merged, options), utf8=options.format != "table")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens merge", description="Add up files of counts.", epilog=_EXAMPLES
    )
    parser.add_argument("files", metavar="COUNTS", nargs="+", help="files of counts")
    parser.add_argument(
        "-f",
        "--format",
        choices=("table", "html", "json", "csv", "markdown", "latex"),
        default="table",
        help="default: table; html: a page with the scores, their intervals and tests",
    )
    parser.add_argument(
        "--one-system",
        metavar="NAME",
        help="all rows are of this system: parts of a corpus that were scored apart",
    )
    parser.add_argument(
        "--significance",
        action="store_true",
        help="intervals and tests, as 'treelens significance' has them (table or json)",
    )
    parser.add_argument(
        "--iterations", type=one_or_more, default=ITERATIONS, metavar="N", help="default: 10,000"
    )
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N")
    return parser


def _merged(paths: Iterable[str], one_system: str | None, with_rows: bool) -> _Merged:
    merged: _Merged | None = None
    first = ""
    for path in paths:
        for part in counts.read(path):
            if isinstance(part, counts.Header):
                if merged is None:
                    metrics, first = _metrics(path, part), path
                    rows = waiting_rows(WaitingBytes, metrics)
                    merged = _Merged(metrics, part.signature, {}, {}, rows)
                elif part.signature and part.signature != merged.signature:
                    raise CannotContinue(
                        f"{clean(path)} was counted in another way than {clean(first)}: "
                        f"{clean(part.signature)}, not {clean(merged.signature)}"
                    )
            elif merged is not None:
                _add(merged, _renamed(part, one_system), with_rows)
    if merged is None or not merged.systems:
        raise CannotContinue("there is nothing in these files")
    for system, files in merged.systems.items():
        for name, file in files.items():
            if not all(_are_different(merged, runs) for runs in _overlapping(file.runs)):
                of = f"{name} of {system}" if name else system
                raise CannotContinue(f"the same sentences of {clean(of)} are in these files twice")
    if len(merged.systems) > 1 and len(merged.golds) == sum(map(len, merged.golds.values())) > 1:
        output.say(
            "note: each system here has gold of its own; if these are parts that one system was "
            "scored in, --one-system NAME adds them up"
        )
    return merged


def _renamed(part: counts.CountRows, one_system: str | None) -> counts.CountRows:
    """The rows as those of one system's corpus, whatever part of it they were scored as."""
    if one_system is None:
        return part
    gold, _, file = part.names
    return part._replace(names=("gold", one_system, f"{gold}/{file}" if file else gold))


def _metrics(path: str, header: counts.Header) -> tuple[Metric, ...]:
    named = header.columns[len(PLACES) : -len(OWN)]
    there = [metric for metric in METRICS if f"{metric.name}.{metric.counts[0]}" in named]
    if tuple(counts.columns(there)) != header.columns:
        raise CannotContinue(f"{clean(path)} has columns that are no metric's of this version")
    return tuple(there)


def _cutoff(signature: str) -> int:
    fields = dict(part.partition(":")[::2] for part in signature.split("|"))
    return int(fields["cutoff"]) if fields.get("cutoff", "").isdigit() else 0


def _add(merged: _Merged, part: counts.CountRows, with_rows: bool) -> None:
    gold, system, name = part.names
    merged.golds.setdefault(gold, set()).add(system)
    width = part.numbers.shape[1] - len(PLACES) - len(OWN)
    file = merged.systems.setdefault(system, {}).setdefault(name, _File(nothing(width)))
    places, rows = part.numbers[:, : len(PLACES)], part.numbers[:, len(PLACES) :]
    golds, systems = (places[:, at].astype(np.int32) for at in (_GOLDS, _SYSTEMS))
    file.sums = file.sums.plus(sums(golds, systems, rows, _cutoff(merged.signature)))
    for side, at in enumerate(_PROBLEMS):
        file.problems[side] += int(places[:, at].sum())
    kept = range(len(merged.rows), len(merged.rows) + len(rows)) if with_rows else range(0)
    file.runs.append(_run(merged.waiting, places[:, : _SYSTEMS + 1], kept))
    if with_rows:
        merged.rows.add(rows[:, :width])


def _run(waiting: WaitingBytes, places: Tallies, rows: range) -> _Run:
    step = np.diff(places, axis=0)
    differing = np.argmax(step != 0, axis=1)[:, None]
    ascending = bool((np.take_along_axis(step, differing, 1) > 0).all())
    ordered = places if ascending else np.unique(places, axis=0)
    different = len(ordered) == len(places)
    written = waiting.add([places.tobytes()])
    ends = ordered[0].tolist(), ordered[-1].tolist()
    return _Run(*ends, different, ascending, written, rows)


def _overlapping(runs: Iterable[_Run]) -> Iterator[list[_Run]]:
    """Those together that may have groups in common; of what one run wrote, each by itself."""
    together: list[_Run] = []
    for run in sorted(runs, key=lambda run: run.first):
        if together and run.first > max(one.last for one in together):
            yield together
            together = []
        together.append(run)
    yield together


def _are_different(merged: _Merged, runs: list[_Run]) -> bool:
    if len(runs) == 1:
        return runs[0].different
    places = merged.places(runs)
    return len(np.unique(places, axis=0)) == len(places)


def _report(merged: _Merged) -> Report:
    cutoff, metrics = _cutoff(merged.signature), merged.metrics
    systems, golds, gold_problems = [], 0, 0
    for name, files in merged.systems.items():
        by_file = [(place, file.sums) for place, file in files.items()]
        total = nothing(sum(len(metric.counts) for metric in metrics))
        for _, one in by_file:
            total = total.plus(one)
        rows = [(False, *row) for row in by_file]
        rows += [(True, *row) for row in corpora.by_folder(by_file).items()]
        golds = max(golds, total.golds)
        gold_problems = max(gold_problems, sum(file.problems[0] for file in files.values()))
        problems = sum(file.problems[1] for file in files.values())
        systems.append(
            SystemReport(
                ReadFile(name, total.systems, problems),
                total.pairing,
                blocks_of(total, cutoff, metrics),
                tuple(
                    FileScores(place, is_folder, blocks_of(one, cutoff, metrics))
                    for is_folder, place, one in rows
                    if place
                ),
            )
        )
    gold = ReadFile(merged.gold, golds, gold_problems)
    return Report(gold, tuple(systems), None, metrics, merged.signature)


def _text(merged: _Merged, options: argparse.Namespace) -> Iterator[str]:
    found = _report(merged)
    if options.format == "html":
        from treelens.report.as_html import html_of_counts
        from treelens.report.page import page

        return html_of_counts(found, _significance(merged, page.ITERATIONS, 0))
    if options.format == "json":
        return json_text(found)
    if options.format == "csv":
        return comma_separated(found)
    if options.format == "markdown":
        return markdown(found, Look())
    if options.format == "latex":
        return latex(found)
    width = output.columns() if output.is_terminal() else None
    return table(found, Look(columns=width, paint=output.paint("auto")))


def _significance(merged: _Merged, iterations: int, seed: int) -> Differences:
    """The rows of all systems by the stretches of gold that all of them respect, file by file."""
    names = [*merged.systems]
    places = list(dict.fromkeys(place for files in merged.systems.values() for place in files))
    rows = [waiting_rows(WaitingBytes, merged.metrics) for _ in names]
    for place in places:
        files = [files.get(place) for files in merged.systems.values()]
        there = [file for file in files if file is not None]
        if len(there) < len(files):
            raise CannotContinue(f"not all systems have {clean(place or 'the same file')}")
        starts = units_by_part(
            ((first for first, _ in _in_order(merged, file)) for file in there), there[0].sums.golds
        )
        for found, file in zip(rows, there, strict=True):
            parts = ((first, merged.rows[numbers]) for first, numbers in _in_order(merged, file))
            for some in each_by_unit(parts, starts):
                found.add(some)
    return resampled(names, rows, merged.metrics, merged.signature, iterations, seed)


def _in_order(merged: _Merged, file: _File) -> Iterator[tuple[Tallies, Tallies]]:
    """Gold's first sentence of each group, from 0, ascending, and the groups' rows; some groups at
    a time."""
    if _are_in_order(file.runs):
        for run in file.runs:
            yield merged.places([run])[:, _GOLD_FIRST] - 1, np.arange(run.rows.start, run.rows.stop)
        return
    first = merged.places(file.runs)[:, _GOLD_FIRST] - 1
    numbers = np.concatenate([np.arange(run.rows.start, run.rows.stop) for run in file.runs])
    order = np.argsort(first, kind="stable")
    for start in range(0, len(order), _AT_ONCE):
        some = order[start : start + _AT_ONCE]
        yield first[some], numbers[some]


def _are_in_order(runs: Sequence[_Run]) -> bool:
    return all(run.ascending for run in runs) and all(
        one.last <= other.first for one, other in itertools.pairwise(runs)
    )
