"""What changed from one version of a system to the next: for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.differences import wording
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE
from treelens.errors.error import Error
from treelens.render.width import clean, shortened, width
from treelens.report.content import line_of, numbers
from treelens.report.drawing import Underline, draw
from treelens.report.paint import Paint
from treelens.report.versions import (
    ChangedPlace,
    ChangeRow,
    FileNames,
    ShownChanges,
    VersionComparison,
    by_class,
    by_file,
    by_label,
    by_length,
    by_uncounted,
    shown_changes,
    tally,
)
from treelens.session.changes import Change, Fate
from treelens.session.document import Document
from treelens.statistics.significance import ScoreDifference

_NAMES = 12
"""Rows of a table of kinds or classes; what is rarer is one row together."""
_SIGNS: dict[Fate, tuple[str, str]] = {
    "mended": ("+", "extra"),
    "new": ("!", "missing"),
    "stays": ("·", "dim"),
}
_SURE = 0.05
WHAT_P_IS = f"p: a change at least this large by shuffling alone; * below {_SURE}"
_MARGIN = "    "


def text(found: VersionComparison, limit: int, paint: Paint) -> Iterator[str]:
    """The scores, the sums, and the sentences that changed most."""
    yield from _files(found)
    yield ""
    yield from _scores(found, paint)
    for title, rows in (
        ("", [found.total, *uncounted(found)]),
        ("by class of error", by_class(found)),
        ("by label", by_label(found)),
        ("by length of the sentence", by_length(found)),
        ("by file", by_file(found)),
    ):
        if rows:
            yield ""
            yield from _table(title, rows, paint)
        if not title:
            yield from left_out(found)
    for lines in found.foremost.told():
        yield ""
        yield lines
    yield ""
    yield from _closing(found, limit, paint)


def left_out(found: VersionComparison) -> Iterator[str]:
    """What is in none of the sums: what is in sentences that the other version lacks, and what no
    score counts, where that was asked for."""
    roles = FileNames._fields[1:]
    for role, other, count in zip(roles, reversed(roles), found.sums.left_out, strict=True):
        if count:
            yield f"left out: {count:,} in sentences that {role} has and {other} lacks"
    if not found.strict:
        yield "left out: what F1 and LAS do not count"


def uncounted(found: VersionComparison) -> list[ChangeRow]:
    """Those of the differences that a score does not count, said as wherever one is shown."""
    return [row._replace(name=f"of them {not_counted(row.name)}") for row in by_uncounted(found)]


def not_counted(by: str) -> str:
    """What is said of what a score does not count."""
    return f"not counted by {by}"


def _files(found: VersionComparison) -> Iterator[str]:
    for role, name in zip(FileNames._fields, found.names, strict=True):
        yield f"{role:<5} {clean(name)}"


def _scores(found: VersionComparison, paint: Paint) -> Iterator[str]:
    titles = [test.ratio.title for test in found.tests]
    size = max(map(len, titles))
    yield paint("bold", f"{'':<{size}}  {'old':>7}  {'new':>7}  {'change':>7}  {'p':>7}")
    for title, test in zip(titles, found.tests, strict=True):
        cells = "  ".join(f"{cell:>7}" for cell in score_cells(test))
        yield f"{title:<{size}}  {cells} {sign(test)}".rstrip()


def sign(test: ScoreDifference) -> str:
    """What stands behind a p that says that the versions differ."""
    return "*" if test.p is not None and test.p < _SURE else ""


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
        cells = "".join(f"{cell:>9}" for cell in sum_cells(row))
        yield f"{name}{' ' * (size - width(name))}{cells}"


def sum_cells(row: ChangeRow) -> list[str]:
    """How many were mended, are new, stay, and how many more there are than there were."""
    balance = f"{row.balance:+,}" if row.balance else "0"
    return [*(f"{count:,}" for count in row[1:]), balance]


def together(rows: Sequence[ChangeRow]) -> list[ChangeRow]:
    """The first rows, and all others in one."""
    if len(rows) <= _NAMES + 1:
        return list(rows)
    rest = rows[_NAMES:]
    sums = [sum(column) for column in list(zip(*rest, strict=True))[1:]]
    return [*rows[:_NAMES], ChangeRow(f"{len(rest)} others", *sums)]


def drawn(place: ChangedPlace, shown: ShownChanges, columns: int, paint: Paint) -> str:
    """One stretch, as :func:`text` tells it."""
    return "\n".join(_drawn(place, shown, columns, paint))


def _drawn(place: ChangedPlace, shown: ShownChanges, columns: int, paint: Paint) -> Iterator[str]:
    """One stretch: where it is, and what became of its differences under gold's words."""
    stretch = place.stretch
    title = f"sentence {sentence_numbers(place)}"
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
    for name, document, sentences in zip(
        place.names, documents(place), place.stretch[:3], strict=True
    ):
        if sentences:
            yield f"{clean(name)}:{line_of(document, sentences[0])}"


def gold_words(place: ChangedPlace) -> list[str]:
    """The words of a stretch; none where gold has nothing there."""
    gold = place.old.gold
    return [word for sentence in place.stretch.gold for word in _words(gold, sentence)]


def sentence_numbers(place: ChangedPlace) -> str:
    """Which sentences of gold's file it is about."""
    return numbers(place.stretch.gold, place.old.gold.before.sentences) or "–"


def documents(place: ChangedPlace) -> tuple[Document, Document, Document]:
    return place.old.gold, place.old.system, place.new.system


def _words(document: Document, sentence: int) -> list[str]:
    forest, row, _ = document.piece(sentence)
    return forest.words(row)


def _underline(change: Change[Finding], words: int) -> Underline:
    sign, style = _SIGNS[change.fate]
    label, detail = wording.drawn(change.item).label, ""
    if uncounted_by := BY_CODE[change.item.code].uncounted_by:
        style, detail = "dim", f"; {not_counted(uncounted_by)}"
    # What covers no word of gold is shown at the word that comes after it.
    first = min(change.first, words - 1)
    return Underline(
        first, max(change.end, first + 1), sign, f"{change.fate}: {label}", style, detail
    )


def message(change: Change[Finding] | Change[Error]) -> str:
    """What became of it, and what it is, in words."""
    item = change.item
    said = wording.summary(item) if isinstance(item, Finding) else item.message()
    return f"{change.fate}: {said}"


def _closing(found: VersionComparison, limit: int, paint: Paint) -> Iterator[str]:
    sums, chosen = found.sums, found.foremost.count
    rest = f" ({limit} of {chosen} shown)" if limit < chosen else ""
    sentences = "sentence" if sums.moved == 1 else "sentences"
    yield paint(
        "bold",
        f"{sums.moved} {sentences} changed{rest}: {sums.better} better, {sums.worse} worse",
    )
    yield WHAT_P_IS
    yield paint("dim", clean(found.signature))
