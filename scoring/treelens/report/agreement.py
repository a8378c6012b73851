"""How far two annotators agree, in four forms: scores, κ, and what stands against what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from treelens.differences.wording import heading
from treelens.metrics import Score
from treelens.render.markdown import code, escaped
from treelens.render.sheet import csv_line
from treelens.render.width import clean, width
from treelens.report.content import signature
from treelens.session.agreement import AgreementSums
from treelens.statistics.kappa import AgreementKind, Kappa

UNDEFINED = "–"
_KAPPAS = "Cohen’s κ"
_NOT_COUNTED = "Not counted by the scores"
_COLUMNS = ("what", "name", "first", "second", "value", "agreed", "items")


class AnnotatorNames(NamedTuple):
    """What the annotators' files are called."""

    first: str
    second: str


class FileAgreement(NamedTuple):
    """How far the annotators agree in one of many files; by what their folders have it as."""

    place: str
    scores: tuple[Score, ...]
    kappas: dict[str, Kappa]


def kappa_text(kappa: Kappa) -> str:
    """Three decimals; a dash where κ is undefined."""
    return UNDEFINED if kappa.value is None else f"{kappa.value:.3f}"


def text(
    found: AgreementSums, names: AnnotatorNames, most: int, files: Sequence[FileAgreement] = ()
) -> Iterator[str]:
    """For a terminal; ``most`` pairs of categories of each kind. files: those that it is of, where
    these are many."""
    yield f"{clean(names.first)} ↔ {clean(names.second)}"
    yield ""
    yield from _aligned(_scores(found))
    yield ""
    yield from _aligned(_kappas(_KAPPAS, found.kinds, found.kappas))
    for rows in filter(None, [*_uncounted(found), _by_file(found, files)]):
        yield ""
        yield from _aligned(rows)
    for title, rows in _disagreements(found, most):
        yield ""
        yield title
        yield from _aligned(rows, indent="  ")
    yield ""
    yield clean(signature(found.parameters, found.metrics))


def markdown(
    found: AgreementSums, names: AnnotatorNames, most: int, files: Sequence[FileAgreement] = ()
) -> Iterator[str]:
    """Tables for an issue or a paper's draft."""
    yield f"**{escaped(names.first)}** ↔ **{escaped(names.second)}**"
    kappas = _kappas(_KAPPAS, found.kinds, found.kappas)
    for rows in filter(None, [_scores(found), kappas, *_uncounted(found), _by_file(found, files)]):
        yield ""
        yield from _table(rows)
    for title, rows in _disagreements(found, most):
        yield from ("", title, "")
        yield from _table(rows)
    yield ""
    yield code(signature(found.parameters, found.metrics))


def json_text(
    found: AgreementSums, names: AnnotatorNames, files: Sequence[FileAgreement] = ()
) -> Iterator[str]:
    """Everything; whole numbers besides what they come to."""
    import json  # which tables do without

    by_file = [
        {"file": one.place, **_numbers(one.scores, one.kappas)} for one in files if files[1:]
    ]
    yield json.dumps(
        {
            "first": names.first,
            "second": names.second,
            **_numbers(found.scores(), found.kappas),
            "uncounted_kappa": {k: _of_kappa(one) for k, one in found.uncounted_kappas.items()},
            "disagreements": {
                kind.key: [row._asdict() for row in found.disagreements(kind.key)]
                for kind in (*found.kinds, *found.uncounted_kinds)
                if kind.named
            },
            "uncounted": {one.code: count for one, count in found.uncounted.items()},
            **({"files": by_file} if by_file else {}),
            "signature": signature(found.parameters, found.metrics),
        },
        ensure_ascii=False,
        indent=2,
    )


def comma_separated(found: AgreementSums, files: Sequence[FileAgreement] = ()) -> Iterator[str]:
    """A line a score, a κ, a pair of categories; undefined is an empty cell. Of many files the
    last column has the file, where a line is of one of them."""
    many = ("file",) if files[1:] else ()
    of_all = ("",) * len(many)
    yield csv_line((*_COLUMNS, *many))
    kappas = {**found.kappas, **found.uncounted_kappas}
    for cells in _number_cells(found.scores(), kappas):
        yield csv_line((*cells, *of_all))
    for kind in (*found.kinds, *found.uncounted_kinds):
        for row in found.disagreements(kind.key):
            cells = ("disagreement", kind.key, row.first, row.second, "", "", row.times)
            yield csv_line((*cells, *of_all))
    for one, count in found.uncounted.items():
        yield csv_line(("uncounted", one.code, "", "", "", "", count, *of_all))
    for file in files if many else ():
        for cells in _number_cells(file.scores, file.kappas):
            yield csv_line((*cells, file.place))


def _number_cells(
    scores: Sequence[Score], kappas: dict[str, Kappa]
) -> Iterator[tuple[str | int, ...]]:
    for score in scores:
        value = "" if score.value is None else f"{score.value:.4f}"
        name = score.ratio.name
        yield ("score", name, "", "", value, score.numerator, score.denominator)
    for key, kappa in kappas.items():
        value = "" if kappa.value is None else f"{kappa.value:.6f}"
        yield ("kappa", key, "", "", value, kappa.agreed, kappa.items)


def _numbers(scores: Sequence[Score], kappas: dict[str, Kappa]) -> dict[str, Any]:
    return {
        "scores": {score.ratio.name: _of_score(score) for score in scores},
        "kappa": {key: _of_kappa(kappa) for key, kappa in kappas.items()},
    }


def _of_score(score: Score) -> dict[str, Any]:
    return {"value": score.value, "agreed": score.numerator, "items": score.denominator}


def _of_kappa(kappa: Kappa) -> dict[str, Any]:
    return {
        "value": kappa.value,
        "agreed": kappa.agreed,
        "items": kappa.items,
        "observed": kappa.observed,
        "expected": kappa.expected,
    }


# --- rows of cells ---------------------------------------------------------------------------

_Rows = list[list[str]]
"""The first row is the head, the first cell of each a name."""


def _scores(found: AgreementSums) -> _Rows:
    rows = [["Structure", "score", "in common"]]
    for score in found.scores():
        value = UNDEFINED if score.value is None else f"{score.value:.2f}"
        rows.append([score.ratio.title, value, score.counted])
    return rows


def _kappas(head: str, kinds: Sequence[AgreementKind], kappas: dict[str, Kappa]) -> _Rows:
    """A row a κ."""
    rows = [[head, "κ", "the same", "observed", "by chance"]]
    for kind in kinds:
        one = kappas[kind.key]
        same = f"{one.agreed:,} of {one.items:,}"
        rows.append([kind.title, kappa_text(one), same, _share(one.observed), _share(one.expected)])
    return rows


def _uncounted(found: AgreementSums) -> Iterator[_Rows]:
    """What no score counts: κ, and how often the annotators differ; nothing where there is none."""
    if found.uncounted_kinds:
        yield _kappas(_NOT_COUNTED, found.uncounted_kinds, found.uncounted_kappas)
    rows = [[heading(one), f"{count:,}"] for one, count in found.uncounted.items()]
    if rows:
        yield [[_NOT_COUNTED, "differ"], *rows]


def _by_file(found: AgreementSums, files: Sequence[FileAgreement]) -> _Rows:
    """Scores and κ of each file; empty where there is but one."""
    if not files[1:]:
        return []
    kinds = [kind.key for kind in found.kinds]
    heads = ["By file", *(score.ratio.name for score in found.scores()), *(f"κ {k}" for k in kinds)]
    return [
        heads,
        *(
            [
                clean(file.place),
                *(UNDEFINED if one.value is None else f"{one.value:.2f}" for one in file.scores),
                *(kappa_text(file.kappas[k]) if k in file.kappas else UNDEFINED for k in kinds),
            ]
            for file in files
        ),
    ]


def _share(value: float | None) -> str:
    return UNDEFINED if value is None else f"{100 * value:.2f} %"


def _disagreements(found: AgreementSums, most: int) -> Iterator[tuple[str, _Rows]]:
    for kind in (*found.kinds, *found.uncounted_kinds):
        rows, pairs, count = found.most_frequent(kind.key, most)
        if not pairs:
            continue
        title = f"{kind.title}: {count:,} differ"
        if pairs > most:
            title = f"{title}, the most frequent {most:,} of {pairs:,} pairs"
        cells = [[clean(row.first), clean(row.second), f"{row.times:,}"] for row in rows]
        yield title, [["first", "second", "times"], *cells]


def _aligned(rows: _Rows, indent: str = "") -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first = row[0] + " " * (widths[0] - width(row[0]))
        rest = [" " * (size - width(cell)) + cell for cell, size in zip(row, widths, strict=True)]
        yield indent + "  ".join([first, *rest[1:]])


def _table(rows: _Rows) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield "| " + " | ".join(map(escaped, row)) + " |"
        if not number:
            yield "| " + " | ".join([":--", *["--:"] * (len(row) - 1)]) + " |"
