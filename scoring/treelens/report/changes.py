"""What changed from one version of a system to the next: for a terminal.

The numbers are those of the other reports; what was mended and what is new is
:mod:`treelens.session.changes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from treelens.differences import wording
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE, Kind
from treelens.errors.error import Error
from treelens.metrics import Metric, Tallies, scores
from treelens.render.width import clean, shortened, width
from treelens.report.content import headline, line_of, numbers, signature
from treelens.report.drawing import Underline, draw
from treelens.report.paint import Paint
from treelens.session.changes import FATES, Change, ChangedStretch, Fate
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.statistics.significance import ScoreDifference, by_unit, shuffling, units

ShownChanges = Literal["changed", "new", "mended", "all"]

_NAMES = 12
"""Rows of a table of kinds or classes; what is rarer is one row together."""
_LENGTHS = (0, 10, 20, 30, 40)
"""Bins of gold's lengths start above these."""
_SIGNS: dict[Fate, tuple[str, str]] = {
    "mended": ("+", "extra"),
    "new": ("!", "missing"),
    "stays": ("·", "dim"),
}
_SURE = 0.05
_MARGIN = "    "


class FileNames(NamedTuple):
    """What the three files are called."""

    gold: str
    old: str
    new: str


class ChangeRow(NamedTuple):
    """How many differences of one sort were mended, are new, stay."""

    name: str
    mended: int
    new: int
    stays: int

    @property
    def balance(self) -> int:
        """How many there are more than there were."""
        return self.new - self.mended


class OfFiles(NamedTuple):
    """What changed in one gold file; place: where its folder has it, where it has one."""

    place: str
    names: FileNames
    old: Pair
    new: Pair
    stretches: tuple[ChangedStretch, ...]
    """Where either version differs from gold."""

    @property
    def total(self) -> ChangeRow:
        return _row(self.place, (one.fate for s in self.stretches for one in s.differences))


class ChangedPlace(NamedTuple):
    """A stretch, and the files that it is of."""

    files: OfFiles
    stretch: ChangedStretch


class VersionComparison(NamedTuple):
    """All that changed between two versions, and how sure it is that one is better."""

    names: FileNames
    files: tuple[OfFiles, ...]
    """At least one."""
    tests: tuple[ScoreDifference, ...]
    """A score each; ``first`` is the old version's."""

    @property
    def stretches(self) -> Iterator[ChangedStretch]:
        return (stretch for one in self.files for stretch in one.stretches)

    @property
    def total(self) -> ChangeRow:
        return _row("differences", (one.fate for s in self.stretches for one in s.differences))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self.files[0].new.metrics

    @property
    def counts(self) -> tuple[Tallies, Tallies]:
        """The counts of the old version, and of the new one."""
        return _sum(one.old.total for one in self.files), _sum(one.new.total for one in self.files)

    @property
    def signature(self) -> str:
        return signature(self.files[0].new.parameters, self.metrics)


def _sum(counts: Iterable[Tallies]) -> Tallies:
    total: Tallies = np.sum([*counts], axis=0)
    return total


def compared(
    names: FileNames, files: Sequence[OfFiles], iterations: int, seed: int
) -> VersionComparison:
    """With tests by shuffling the stretches of gold that both versions' alignments respect."""
    rows = [np.concatenate(column) for column in zip(*map(_rows_of, files), strict=True)]
    tests = tuple(shuffling(rows[0], rows[1], files[0].new.metrics, iterations, seed))
    return VersionComparison(names, tuple(files), tests)


def _rows_of(files: OfFiles) -> list[Tallies]:
    """Both versions' counts, a row a stretch."""
    both = files.old, files.new
    starts = units([pair.groups.gold_start for pair in both], len(files.old.gold))
    return [by_unit(pair.tallies(), pair.groups.gold_start, starts) for pair in both]


def worse(found: VersionComparison, least: float) -> bool:
    """Whether the headline score is by more than ``least`` points worse than it was."""
    old, new = (headline(scores(counts, found.metrics)) for counts in found.counts)
    if old.value is None or new.value is None:
        return old.value is not None
    down = old.value - new.value if new.ratio.higher_is_better else new.value - old.value
    return down > least


# --- sums ------------------------------------------------------------------------------------


def by_label(found: VersionComparison) -> list[ChangeRow]:
    """Of each kind of difference with what stands there: ``NP missing``, ``NP→ADJP``."""
    return _rows((_title(one), one.fate) for s in found.stretches for one in s.differences)


def by_class(found: VersionComparison) -> list[ChangeRow]:
    """Of each class of errors; what is counted is errors."""
    return _rows((one.item.name, one.fate) for s in found.stretches for one in s.errors)


def by_length(found: VersionComparison) -> list[ChangeRow]:
    """Of gold's sentences of some lengths."""
    rows = _rows((_bin(s.length), one.fate) for s in found.stretches for one in s.differences)
    bins = list(dict.fromkeys(_bin(length) for length in range(_LENGTHS[-1] + 2)))
    return sorted(rows, key=lambda row: bins.index(row.name))


def by_file(found: VersionComparison) -> list[ChangeRow]:
    """Of each of many files, in their order; of one there is nothing to say."""
    return [one.total for one in found.files] if len(found.files) > 1 else []


def _bin(length: int) -> str:
    first = max((edge for edge in _LENGTHS if edge < length), default=0)
    after = [edge for edge in _LENGTHS if edge > first]
    return f"{first + 1}–{after[0]} words" if after else f"over {first} words"


def _title(change: Change[Finding]) -> str:
    """Of what both versions have wrong, as it is now."""
    finding = change.item
    difference = BY_CODE[finding.code]
    has = [
        wording.written(difference, mark) if difference.owner in (None, side) else ""
        for side, mark in ((side, finding.at(side)) for side in Side)
    ]
    return wording.title(Kind(difference, *has))


def _rows(found: Iterable[tuple[str, Fate]]) -> list[ChangeRow]:
    """The most changed first, then the most frequent."""
    fates: dict[str, list[Fate]] = {}
    for name, fate in found:
        fates.setdefault(name, []).append(fate)
    rows = [_row(name, of_name) for name, of_name in fates.items()]
    return sorted(rows, key=lambda row: (-row.mended - row.new, -row.stays, row.name))


def _row(name: str, fates: Iterable[Fate]) -> ChangeRow:
    tally = Counter(fates)
    return ChangeRow(name, *(tally[fate] for fate in FATES))


# --- in a terminal ---------------------------------------------------------------------------


def text(
    found: VersionComparison, shown: ShownChanges, limit: int, columns: int, paint: Paint
) -> Iterator[str]:
    """The scores, the sums, and the sentences that changed most."""
    yield from _files(found)
    yield ""
    yield from _scores(found, paint)
    for title, rows in (
        ("", [found.total]),
        ("by class of error", by_class(found)),
        ("by label", by_label(found)),
        ("by length of the sentence", by_length(found)),
        ("by file", by_file(found)),
    ):
        if rows:
            yield ""
            yield from _table(title, rows, paint)
    chosen = chosen_stretches(found, shown)
    for place in chosen[:limit]:
        yield ""
        yield from drawn(place, shown, columns, paint)
    yield ""
    yield from _closing(found, len(chosen), min(limit, len(chosen)), paint)


def _files(found: VersionComparison) -> Iterator[str]:
    for role, name in zip(FileNames._fields, found.names, strict=True):
        yield f"{role:<5} {clean(name)}"


def _scores(found: VersionComparison, paint: Paint) -> Iterator[str]:
    titles = [test.ratio.title for test in found.tests]
    size = max(map(len, titles))
    yield paint("bold", f"{'':<{size}}  {'old':>7}  {'new':>7}  {'change':>7}  {'p':>7}")
    for title, test in zip(titles, found.tests, strict=True):
        cells = "  ".join(f"{cell:>7}" for cell in score_cells(test))
        sure = " *" if test.p < _SURE else ""
        yield f"{title:<{size}}  {cells}{sure}"


def score_cells(test: ScoreDifference) -> tuple[str, str, str, str]:
    """Both versions' score, how far they are apart, and p."""
    old, new = ("–" if one is None else f"{one:.2f}" for one in (test.first, test.second))
    if test.first is None or test.second is None:
        return old, new, "–", "–"
    return old, new, f"{test.second - test.first:+.2f}", f"{test.p:.4f}"


def _table(title: str, rows: Sequence[ChangeRow], paint: Paint) -> Iterator[str]:
    shown = [row for row in together(rows) if row.mended or row.new or row.stays]
    size = max([width(clean(row.name)) for row in shown] + [len(title), 24])
    heads = "".join(f"{head:>9}" for head in ("mended", "new", "stays", "balance"))
    yield paint("bold", f"{title:<{size}}{heads}")
    for row in shown:
        name = clean(row.name)
        cells = f"{row.mended:9,}{row.new:9,}{row.stays:9,}{row.balance:+9,}"
        yield f"{name}{' ' * (size - width(name))}{cells}"


def together(rows: Sequence[ChangeRow]) -> list[ChangeRow]:
    """The first rows, and all others in one."""
    if len(rows) <= _NAMES + 1:
        return list(rows)
    rest = rows[_NAMES:]
    sums = [sum(column) for column in list(zip(*rest, strict=True))[1:]]
    return [*rows[:_NAMES], ChangeRow(f"{len(rest)} others", *sums)]


def chosen_stretches(found: VersionComparison, shown: ShownChanges) -> list[ChangedPlace]:
    """What is worth seeing: those with the most new, or mended, differences first."""
    fates = _fates(shown)

    def count(place: ChangedPlace) -> int:
        return sum(one.fate in fates for one in place.stretch.differences)

    places = (ChangedPlace(one, stretch) for one in found.files for stretch in one.stretches)
    # (Files and what is in them are in order, and stay so where as much has changed.)
    return sorted(filter(count, places), key=lambda place: -count(place))


def tally(stretch: ChangedStretch) -> ChangeRow:
    """How many differences of a stretch were mended, are new, stay."""
    return _row("", (one.fate for one in stretch.differences))


def shown_changes(stretch: ChangedStretch, shown: ShownChanges) -> list[Change[Finding]]:
    """Those of its differences that are asked for."""
    return [one for one in stretch.differences if one.fate in _fates(shown)]


def _fates(shown: ShownChanges) -> tuple[Fate, ...]:
    by_choice: dict[ShownChanges, tuple[Fate, ...]] = {
        "changed": ("mended", "new"),
        "new": ("new",),
        "mended": ("mended",),
        "all": FATES,
    }
    return by_choice[shown]


def drawn(place: ChangedPlace, shown: ShownChanges, columns: int, paint: Paint) -> Iterator[str]:
    """One stretch: where it is, and what became of its differences under gold's words."""
    stretch = place.stretch
    title = f"sentence {numbers(stretch.gold) or '–'}"
    total = tally(stretch)
    said = f"{total.mended} mended · {total.new} new · {total.stays} as before"
    yield f"{paint('bold', title)}  {said}"
    yield paint("dim", f"  {'  '.join(places(place))}")
    words = gold_words(place)
    changed = shown_changes(stretch, shown)
    yield ""
    if words:
        lines = [_underline(one, len(words)) for one in changed]
        yield from draw(words, lines, columns, _MARGIN, paint)
    else:
        for one in changed:
            yield _MARGIN + shortened(clean(message(one)), columns - len(_MARGIN))


def places(place: ChangedPlace) -> Iterator[str]:
    """``FILE:LINE`` of gold and both versions."""
    files, stretch = place
    for name, document, sentences in zip(files.names, documents(files), stretch[:3], strict=True):
        if sentences:
            yield f"{clean(name)}:{line_of(document, sentences[0])}"


def gold_words(place: ChangedPlace) -> list[str]:
    """The words of a stretch; none where gold has nothing there."""
    gold = place.files.old.gold
    return [word for sentence in place.stretch.gold for word in _words(gold, sentence)]


def documents(files: OfFiles) -> tuple[Document, Document, Document]:
    return files.old.gold, files.old.system, files.new.system


def _words(document: Document, sentence: int) -> list[str]:
    forest, row, _ = document.piece(sentence)
    return forest.words(row)


def _underline(change: Change[Finding], words: int) -> Underline:
    sign, style = _SIGNS[change.fate]
    label = wording.drawn(change.item).label
    # What covers no word of gold is shown at the word that comes after it.
    first = min(change.first, words - 1)
    return Underline(first, max(change.end, first + 1), sign, f"{change.fate}: {label}", style)


def message(change: Change[Finding] | Change[Error]) -> str:
    """What became of it, and what it is, in words."""
    item = change.item
    said = wording.summary(item) if isinstance(item, Finding) else item.message()
    return f"{change.fate}: {said}"


def _closing(found: VersionComparison, chosen: int, shown: int, paint: Paint) -> Iterator[str]:
    balance = [one.after - one.before for one in found.stretches]
    better, as_bad = sum(one < 0 for one in balance), sum(one == 0 for one in balance)
    moved = sum(one.is_another for one in found.stretches)
    rest = f" ({shown} of {chosen} shown)" if shown < chosen else ""
    yield paint(
        "bold",
        f"{moved} sentences changed{rest}: {better} better, {len(balance) - better - as_bad} worse",
    )
    yield "p: a change at least this large by shuffling alone; * below 0.05"
    yield paint("dim", clean(found.signature))
