"""Errors by class, a column a system: how many, and how many brackets or words they come to.

The table is that of Kummerfeld et al. 2012, with the words of dependencies besides. Every form
has the same counts; JSON and CSV have each class's pairs of labels besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from treelens.differences.wording import ROLES, SideNames
from treelens.errors import CLASSES, CountedError, Direction, ErrorKind
from treelens.render.markdown import code, escaped
from treelens.render.sheet import csv_line
from treelens.render.width import clean, width
from treelens.report.as_markdown import heading, row
from treelens.report.as_table import Grid, Look, TableLine, laid_out
from treelens.report.content import line_of, short_names
from treelens.session.pair import Pair

_DIRECTIONS: tuple[Direction, ...] = ("too low", "too high")

_COLUMNS = (
    "system",
    "class",
    "direction",
    "gold_label",
    "system_label",
    "errors",
    "brackets",
    "words",
)


class Count(NamedTuple):
    """How many errors, and how many brackets and words they account for."""

    errors: int = 0
    brackets: int = 0
    words: int = 0

    def __add__(self, other: object) -> Count:
        assert isinstance(other, Count)
        return Count(
            self.errors + other.errors, self.brackets + other.brackets, self.words + other.words
        )


class Example(NamedTuple):
    """An error that is told: the line of its sentence in gold's file, else in system's."""

    place: str
    message: str


class SystemErrors(NamedTuple):
    """One system's errors."""

    name: str
    sentences: int
    """Groups of sentences with an error."""
    counts: dict[ErrorKind, Count]
    examples: dict[str, tuple[Example, ...]]
    """The first ones of each class."""

    def of(self, kind: str | None = None, direction: Direction | None = None) -> Count:
        """The sum over a class, or a direction of it, or over all."""
        chosen = (
            count
            for sort, count in self.counts.items()
            if kind in (None, sort.kind) and direction in (None, sort.direction)
        )
        return sum(chosen, Count())


class ErrorReport(NamedTuple):
    """All systems' errors; ``signature`` says what was compared."""

    gold: str
    systems: tuple[SystemErrors, ...]
    signature: str
    files: tuple[FileErrors, ...] = ()
    """Of many files, each."""
    called: SideNames = ROLES

    @property
    def kinds(self) -> list[str]:
        """The classes that occur: in their own order, then those of other relations' names."""
        found = {sort.kind for system in self.systems for sort in system.counts}
        own = [kind for kind in CLASSES if kind in found]
        return own + sorted(found - set(own))


class FileErrors(NamedTuple):
    """How many errors there are in one of many files, by system."""

    place: str
    systems: tuple[Count, ...]


class GroupErrors(NamedTuple):
    """The errors of a group of a pair."""

    pair: Pair
    group: int
    errors: list[CountedError]


def system_errors(
    name: str,
    gold_name: str,
    errors: Iterable[GroupErrors],
    examples: int = 0,
    called: SideNames = ROLES,
) -> SystemErrors:
    """Some groups' errors counted, the first ``examples`` of each class kept, told with what the
    sides are ``called``."""
    found: Counter[CountedError] = Counter()
    kept: dict[str, list[Example]] = {}
    sentences = 0
    for pair, group, of_group in errors:
        sentences += 1
        found.update(of_group)
        if any(len(kept.get(error.kind.kind, ())) < examples for error in of_group):
            place = _place(pair, name, gold_name, group)
            for error in pair.errors(group):
                kept.setdefault(error.kind, []).append(Example(place, error.message(called)))
    counts: dict[ErrorKind, Count] = {}
    for (kind, brackets, words), times in found.items():
        count = Count(times, brackets * times, words * times)
        counts[kind] = counts.get(kind, Count()) + count
    return SystemErrors(
        name, sentences, counts, {kind: tuple(told[:examples]) for kind, told in kept.items()}
    )


def added(name: str, parts: Sequence[SystemErrors], examples: int) -> SystemErrors:
    """One system's errors in several files."""
    counts: dict[ErrorKind, Count] = {}
    kept: dict[str, tuple[Example, ...]] = {}
    for part in parts:
        for sort, count in part.counts.items():
            counts[sort] = counts.get(sort, Count()) + count
        for kind, told in part.examples.items():
            kept[kind] = (*kept.get(kind, ()), *told)[:examples]
    return SystemErrors(name, sum(part.sentences for part in parts), counts, kept)


def _place(pair: Pair, name: str, gold_name: str, group: int) -> str:
    gold, system = pair.group(group)
    if gold:
        return f"{gold_name}:{line_of(pair.gold, gold[0])}"
    return f"{name}:{line_of(pair.system, system[0])}"


# --- for people ------------------------------------------------------------------------------


def text(report: ErrorReport, look: Look) -> Iterator[str]:
    """For a terminal."""
    gold, system = report.called
    room = max(6, *map(width, report.called)) + 2
    yield f"{gold}{' ' * (room - width(gold))}{clean(report.gold)}"
    for one in report.systems:
        yield f"{system}{' ' * (room - width(system))}{clean(one.name)}"
    if report.kinds:
        heads, table = _table(report)
        lines = [TableLine(clean(title), cells, style="bold" * own) for title, own, cells in table]
        yield from laid_out(Grid(heads, lines), look)
    else:
        yield from ("", "nothing differs")
    if report.files[1:]:
        heads, of_files = _by_file(report)
        yield from laid_out(
            Grid(heads, [TableLine(place, cells) for place, cells in of_files]), look
        )
    for title, examples in _examples(report):
        yield ""
        yield look.paint("bold", clean(title))
        for example in examples:
            yield f"  {look.paint('dim', clean(example.place))}  {clean(example.message)}"
    yield ""
    yield look.paint("dim", clean(report.signature))


def markdown(report: ErrorReport) -> Iterator[str]:
    """For an issue or a paper's draft."""
    heads, lines = _table(report)
    yield from heading([f"{escaped(report.called.gold)}: {clean(report.gold)}", *heads])
    for title, own, cells in lines:
        name = escaped(clean(title.strip()))
        yield row([f"**{name}**" if own else f"– {name}", *cells])
    if report.files[1:]:
        heads, by_file = _by_file(report)
        yield ""
        yield from heading(["file", *heads])
        for place, cells in by_file:
            yield row([escaped(place), *cells])
    for title, examples in _examples(report):
        yield ""
        yield f"**{escaped(clean(title))}**"
        yield ""
        for example in examples:
            yield f"- {escaped(clean(example.place))}: {escaped(clean(example.message))}"
    yield ""
    yield code(report.signature)


_Lines = list[tuple[str, bool, list[str]]]
"""Titles, whether they are of a class and not of a direction of it, and cells."""


def _table(report: ErrorReport) -> tuple[list[str], _Lines]:
    """Heads and lines, without columns in which there is nothing."""
    sums = [system.of() for system in report.systems]
    heads, fields = _columns(report)
    lines: _Lines = []

    def add(title: str, own: bool, counts: Sequence[Count]) -> None:
        if own or any(count.errors for count in counts):
            lines.append((title, own, _cells(counts, fields)))

    for kind in report.kinds:
        add(kind, True, [system.of(kind) for system in report.systems])
        for direction in _DIRECTIONS:
            add(f"  {direction}", False, [system.of(kind, direction) for system in report.systems])
    add("All", True, sums)
    return heads, lines


def _columns(report: ErrorReport) -> tuple[list[str], list[str]]:
    """Heads of all systems' columns, and of what each has one."""
    sums = [system.of() for system in report.systems]
    fields = [
        field
        for field in Count._fields
        if field == "errors" or any(getattr(s, field) for s in sums)
    ]
    names = short_names([system.name for system in report.systems])
    # The first column of each of several systems is headed by its name.
    heads = [
        clean(name) if len(names) > 1 and field == "errors" else field
        for name in names
        for field in fields
    ]
    return heads, fields


def _cells(counts: Sequence[Count], fields: Sequence[str]) -> list[str]:
    return [str(getattr(count, field) or "·") for count in counts for field in fields]


def _by_file(report: ErrorReport) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The same columns, a line a file."""
    heads, fields = _columns(report)
    return heads, [(clean(one.place), _cells(one.systems, fields)) for one in report.files]


def _examples(report: ErrorReport) -> Iterator[tuple[str, tuple[Example, ...]]]:
    """Examples by class and system; the system is named where there are several."""
    several = len(report.systems) > 1
    for kind in report.kinds:
        for system in report.systems:
            if kind in system.examples:
                yield f"{kind} in {system.name}" if several else kind, system.examples[kind]


# --- for programs ----------------------------------------------------------------------------


def json_text(report: ErrorReport) -> Iterator[str]:
    """Everything, as one object."""
    import json  # which tables do without

    value = {
        "gold": report.gold,
        "systems": [_of_system(report, system) for system in report.systems],
        **({"files": [_of_file(report, one) for one in report.files]} if report.files[1:] else {}),
        "signature": report.signature,
    }
    yield json.dumps(value, ensure_ascii=False, indent=2)


def _of_file(report: ErrorReport, one: FileErrors) -> dict[str, Any]:
    systems = [
        {"system": system.name, **count._asdict()}
        for system, count in zip(report.systems, one.systems, strict=True)
    ]
    return {"file": one.place, "systems": systems}


def _of_system(report: ErrorReport, system: SystemErrors) -> dict[str, Any]:
    return {
        "system": system.name,
        "sentences": system.sentences,
        **system.of()._asdict(),
        "classes": [
            {
                "class": kind,
                **system.of(kind)._asdict(),
                "too_low": system.of(kind, "too low").errors,
                "too_high": system.of(kind, "too high").errors,
                "labels": [
                    {**dict(zip(_COLUMNS[2:5], sort[1:], strict=True)), **count._asdict()}
                    for sort, count in _by_labels(system)
                    if sort.kind == kind
                ],
                "examples": [example._asdict() for example in system.examples.get(kind, ())],
            }
            for kind in report.kinds
            if system.of(kind).errors
        ],
    }


def _by_labels(system: SystemErrors) -> list[tuple[ErrorKind, Count]]:
    """The most frequent first."""
    return sorted(system.counts.items(), key=lambda item: (-item[1].errors, item[0]))


def comma_separated(report: ErrorReport) -> Iterator[str]:
    """A line for each pair of labels of each class and direction of each system."""
    yield csv_line(_COLUMNS)
    for system in report.systems:
        for kind in report.kinds:
            for sort, count in _by_labels(system):
                if sort.kind == kind:
                    yield csv_line((system.name, *sort, *map(str, count)))
