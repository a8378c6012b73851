"""How far several annotators agree: α and κ of each thing judged, by category and by pair.

α and Fleiss' κ are of the annotation as it is written; parameters, which say what F1 and Cohen's κ
hold equal and leave out, are about pairs only. Both stand in one report, so that it says which is
which, and ends with what its numbers depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from treelens.counting.annotators import AnnotatorSums
from treelens.metrics import Score
from treelens.render.markdown import code
from treelens.render.numbers import number_of
from treelens.render.sheet import csv_line
from treelens.render.width import clean, width
from treelens.report.content import signature
from treelens.session.agreement import AgreementSums
from treelens.session.counts import Progress
from treelens.statistics.reliability import Estimate, reliabilities

ITERATIONS = 1_000
_CATEGORIES = 20
UNDEFINED = "–"


class AgreementRow(NamedTuple):
    """Agreement on one thing, or on one category of it: how many units it is of, α with its
    interval, κ of the units that all have judged."""

    key: str
    title: str
    category: str
    units: int
    alpha: Estimate
    kappa: Estimate


class Pairwise(NamedTuple):
    """Two of the annotators: scores of structure, and κ by what is judged."""

    first: str
    second: str
    scores: tuple[Score, ...]
    kappas: dict[str, float | None]


class Annotators(NamedTuple):
    """Everything that is said of some annotators' files."""

    names: tuple[str, ...]
    sentences: int
    left_out: tuple[int, ...]
    """Of each annotator, how many sentences the first lacks: α and Fleiss’ κ are without them."""
    rows: tuple[AgreementRow, ...]
    categories: tuple[AgreementRow, ...]
    pairs: tuple[Pairwise, ...]
    signature: str
    files: tuple[FileAnnotators, ...] = ()
    """Of many files, each."""


class FileAnnotators(NamedTuple):
    """One of many files: its place in the folders, its sentences, α by what is judged."""

    place: str
    sentences: int
    alphas: dict[str, float | None]


def of_file(place: str, found: AnnotatorSums) -> FileAnnotators:
    """One file's numbers."""
    things = found.things()
    values = reliabilities([one.sums for one in things], found.annotators, found.sentences)
    alphas = {one.key: value.alpha.value for one, value in zip(things, values, strict=True)}
    return FileAnnotators(place, found.sentences, alphas)


def annotators(
    names: Sequence[str],
    found: AnnotatorSums,
    pairs: Sequence[tuple[str, str, AgreementSums]],
    most: int = _CATEGORIES,
    files: Sequence[FileAnnotators] = (),
    progress: Progress = lambda _: None,
) -> Annotators:
    """All numbers; ``most``: how many categories of each thing, the most frequent first.
    ``progress`` is called now and then with the share that is done."""
    things = [*found.things(), *found.categories(most)]
    given = [one.sums for one in things]
    values = reliabilities(given, found.annotators, found.sentences, ITERATIONS, progress=progress)
    rows = [AgreementRow(*one[:4], *value) for one, value in zip(things, values, strict=True)]
    pairwise = [
        Pairwise(
            first,
            second,
            agreement.scores(),
            {key: kappa.value for key, kappa in agreement.kappas.items()},
        )
        for first, second, agreement in pairs
    ]
    return Annotators(
        tuple(names),
        found.sentences,
        found.left_out,
        tuple(row for row in rows if not row.category),
        tuple(row for row in rows if row.category),
        tuple(pairwise),
        signature(pairs[0][2].parameters, pairs[0][2].metrics),
        tuple(files),
    )


# --- as text ---------------------------------------------------------------------------------


def text(found: Annotators) -> Iterator[str]:
    """For a terminal."""
    yield f"{len(found.names)} annotators: {', '.join(map(clean, found.names))}"
    for title, rows in _tables(found):
        yield ""
        yield title
        yield from _aligned(rows)
    yield ""
    yield from _left_out(found)
    yield clean(found.signature)


def markdown(found: Annotators) -> Iterator[str]:
    """Tables for an issue or a paper's draft."""
    yield f"**{len(found.names)} annotators**: {', '.join(map(clean, found.names))}"
    for title, rows in _tables(found):
        yield from ("", f"{title}:", "")
        for number, row in enumerate(rows):
            yield "| " + " | ".join(_escaped(cell) for cell in row) + " |"
            if not number:
                yield "| " + " | ".join([":--", *["--:"] * (len(row) - 1)]) + " |"
    for line in _left_out(found):
        yield from ("", _escaped(line))
    yield ""
    yield code(found.signature)


def _escaped(cell: str) -> str:
    return "".join(f"\\{character}" if character in "\\|*_`<" else character for character in cell)


def _tables(found: Annotators) -> Iterator[tuple[str, list[list[str]]]]:
    head = ["", "α", "95 %", "Fleiss’ κ", "95 %", "units"]
    yield (
        "All together, labels and tags as written",
        [head, *([row.title, *_cells(row)] for row in found.rows)],
    )
    for key in dict.fromkeys(row.key for row in found.categories):
        rows = [row for row in found.categories if row.key == key]
        cells = [[clean(row.category), *_cells(row)] for row in rows]
        yield f"{rows[0].title}, by category", [head, *cells]
    names = [score.ratio.title for score in found.pairs[0].scores]
    keys = list(dict.fromkeys(key for pair in found.pairs for key in pair.kappas))
    pairs = [
        [
            f"{clean(pair.first)} ↔ {clean(pair.second)}",
            *(_percent(score) for score in pair.scores),
            *(_value(pair.kappas.get(key)) for key in keys),
        ]
        for pair in found.pairs
    ]
    yield (
        "By pair, as the parameters have it",
        [["", *names, *(f"κ {key}" for key in keys)], *pairs],
    )
    if found.files[1:]:
        yield "By file", [*_by_file(found)]


def _left_out(found: Annotators) -> Iterator[str]:
    """What no unit is made of: who is first decides on that."""
    first, *others = map(clean, found.names)
    for name, count in zip(others, found.left_out[1:], strict=True):
        if count:
            sentences = number_of(count, "sentence")
            yield f"left out of α and Fleiss’ κ: {sentences} that {name} has and {first} lacks"


def _by_file(found: Annotators) -> Iterator[list[str]]:
    """α of what is judged of every word or stretch of words (features are too many to read)."""
    shown = [row for row in found.rows if ":" not in row.key]
    yield ["", *(f"α {row.key}" for row in shown), "sentences"]
    for file in found.files:
        values = (_value(file.alphas.get(row.key)) for row in shown)
        yield [clean(file.place), *values, f"{file.sentences:,}"]


def _cells(row: AgreementRow) -> list[str]:
    return [
        _value(row.alpha.value),
        _interval(row.alpha),
        _value(row.kappa.value),
        _interval(row.kappa),
        f"{row.units:,}",
    ]


def _value(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.3f}"


def _interval(one: Estimate) -> str:
    if one.low is None or one.high is None:
        return UNDEFINED
    return f"{one.low:.3f} to {one.high:.3f}"


def _percent(score: Score) -> str:
    return UNDEFINED if score.value is None else f"{score.value:.2f}"


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first = row[0] + " " * (widths[0] - width(row[0]))
        rest = [" " * (size - width(cell)) + cell for cell, size in zip(row, widths, strict=True)]
        yield "  " + "  ".join([first, *rest[1:]])


# --- for programs ----------------------------------------------------------------------------


def json_text(found: Annotators) -> Iterator[str]:
    """Everything."""
    import json  # which tables do without

    yield json.dumps(
        {
            "annotators": list(found.names),
            "sentences": found.sentences,
            "left_out": list(found.left_out),
            "agreement": [_fields(row) for row in found.rows],
            "categories": [_fields(row) for row in found.categories],
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "scores": {score.ratio.name: score.value for score in pair.scores},
                    "kappa": pair.kappas,
                }
                for pair in found.pairs
            ],
            **({"files": [_of_file(one) for one in found.files]} if found.files[1:] else {}),
            "signature": found.signature,
        },
        ensure_ascii=False,
        indent=2,
    )


def _of_file(one: FileAnnotators) -> dict[str, Any]:
    return {"file": one.place, "sentences": one.sentences, "alpha": one.alphas}


def _fields(row: AgreementRow) -> dict[str, Any]:
    fields: dict[str, Any] = {"key": row.key, "title": row.title}
    if row.category:
        fields["category"] = row.category
    return {
        **fields,
        "units": row.units,
        "alpha": row.alpha._asdict(),
        "fleiss_kappa": row.kappa._asdict(),
    }


def comma_separated(found: Annotators) -> Iterator[str]:
    """A row for each thing judged, and for each category; of many files, for each of them too."""
    many = bool(found.files[1:])
    head = ("key", "category", "units", "alpha", "low", "high", "fleiss_kappa", "low", "high")
    yield csv_line((*head, *["file"] * many))
    for row in (*found.rows, *found.categories):
        yield csv_line((row.key, row.category, row.units, *row.alpha, *row.kappa, *[""] * many))
    for file in found.files if many else ():
        for key, value in file.alphas.items():
            yield csv_line((key, "", "", value, *[""] * 5, file.place))


# --- as a page -------------------------------------------------------------------------------


def html(found: Annotators) -> Iterator[str]:
    """A page of tables, without any script."""
    from treelens.report.page.frame import framed  # which tables on a terminal do without

    yield from framed("Agreement", _content(found), own=None)


def _content(found: Annotators) -> Iterator[str]:
    from treelens.render.markup import element, isolated
    from treelens.report.page.tables import section, table

    yield element(
        "header",
        element("p", "Treelens agreement", class_="kicker"),
        element("h1", f"{len(found.names)} annotators"),
        element("ul", *(element("li", isolated(name)) for name in found.names)),
    )
    yield "<main>"
    for number, (title, rows) in enumerate(_tables(found)):
        cells = [[isolated(row[0]), *row[1:]] for row in rows[1:]]
        yield section(f"table-{number}", title, table(title, rows[0], cells))
    for line in _left_out(found):
        yield element("p", isolated(line))
    yield element("p", element("code", isolated(found.signature)), class_="signature")
    yield "</main>"
