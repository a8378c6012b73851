"""Labels, tags and relations on a page: how each one fares, and what is taken for what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from treelens.render.markup import Markup, element, isolated, joined
from treelens.render.width import shortened
from treelens.report.breakdown import Confusions, NameCount
from treelens.report.page.charts import bar, mark
from treelens.report.page.tables import Cell, cell, figure, section, table

MOST_NAMES = 40
"""Rows of a table of names; what is rarer is one row together."""
_MATRIX = 12
_CONFUSED = 12
_LONGEST = 40
_TINTS = 5

_WHAT = {
    "labels": "Labels of brackets",
    "tags": "Part-of-speech tags",
    "relations": "Dependency relations, whatever the head",
    "attachments": "Dependency relations with their heads",
}
UNNAMED = "(none)"
"""What stands for the empty name."""


def names_section(systems: Sequence[str], found: Sequence[Confusions]) -> Markup:
    """One kind of names: its table, and each system's confusions."""
    first = found[0]
    title = _WHAT.get(first.key, first.key.capitalize())
    content = [_of_one(found[0]) if len(found) == 1 else _of_several(systems, found)]
    for number, (name, one) in enumerate(zip(systems, found, strict=True)):
        if len(systems) > 1:
            content.append(element("h3", mark(number), " ", isolated(name)))
        content.append(_confusions(one))
    return section(first.key, title, *content)


def table_name(name: str) -> str:
    """A name as it is written in a table."""
    return shortened(name, _LONGEST) or UNNAMED


def _of_one(found: Confusions) -> Markup:
    rows = [
        [
            isolated(row.name),
            f"{row.gold:,}",
            f"{row.system:,}",
            f"{row.matched:,}",
            _count(row.missing),
            _count(row.extra),
            _count(row.gold - row.matched - row.missing),
            _percent(row.matched, row.gold),
            _percent(row.matched, row.system),
            _f1(row),
        ]
        for row in _frequent(found.by_name())
    ]
    heads = ["", "gold", "system", "matched", "missing", "extra", "renamed", "recall"]
    return table(
        f"{found.noun.capitalize()} by name; missing and extra ones have no counterpart, "
        "renamed ones have one of another name",
        [*heads, "precision", "F1"],
        rows,
        sortable=True,
        kind="names",
    )


def _of_several(systems: Sequence[str], found: Sequence[Confusions]) -> Markup:
    """Gold's names, with each system's F1 and what is missing and extra."""
    counted = [{row.name: row for row in one.by_name()} for one in found]
    nobody = NameCount("", 0, 0, 0, 0, 0)
    names = {row.name: row.gold for rows in counted for row in rows.values()}
    ordered = sorted(names, key=lambda name: (-names[name], name))
    by_system = [
        _frequent([rows.get(name, nobody)._replace(name=name) for name in ordered])
        for rows in counted
    ]
    rows = []
    for of_name in zip(*by_system, strict=True):
        cells: list[str] = [isolated(of_name[0].name), f"{max(row.gold for row in of_name):,}"]
        for row in of_name:
            cells += [_f1(row), _count(row.missing), _count(row.extra)]
        rows.append(cells)
    heads = ["", "gold"]
    for number, name in enumerate(systems):
        named = joined([mark(number), isolated(name)], " ")
        heads += [joined([named, element("small", " F1")]), "missing", "extra"]
    caption = f"{found[0].noun.capitalize()} by name; missing and extra ones have no counterpart"
    return table(caption, heads, rows, sortable=True, kind="names")


def _frequent(rows: list[NameCount]) -> list[NameCount]:
    """The first rows, and the sum of all others."""
    kept = [row._replace(name=table_name(row.name)) for row in rows[:MOST_NAMES]]
    rest = rows[MOST_NAMES:]
    if rest:
        sums = (sum(column) for column in zip(*(row[1:] for row in rest), strict=True))
        kept.append(NameCount(f"{len(rest)} others", *sums))
    return kept


def _count(number: int) -> str:
    return f"{number:,}" if number else "·"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "–"


def _f1(row: NameCount) -> Cell:
    whole = row.gold + row.system
    share = 2 * row.matched / whole if whole else 0.0
    return cell(joined([bar(share), element("span", _percent(2 * row.matched, whole))]), "barred")


# --- what is taken for what --------------------------------------------------------------------


def _confusions(found: Confusions) -> Markup:
    return element("div", _matrix(found), _most_confused(found), class_="beside")


def _matrix(found: Confusions) -> Markup:
    """Gold's names in rows, system's in columns; those with the most mistakes."""
    names, counts = found.matrix(_MATRIX)
    heads = [isolated(table_name(name)) for name in names]
    if len(counts) > len(names) + 1:
        heads.append(element("i", "others"))
    head = element(
        "tr",
        element("th", "gold ↓ system →", scope="col"),
        *(element("th", element("span", name), scope="col") for name in heads),
        element("th", element("span", element("i", "missing")), scope="col"),
    )
    rows = [
        element(
            "tr", element("th", name, scope="row"), *_cells(counts[at].tolist(), at, len(names))
        )
        for at, name in enumerate([*heads, element("i", "extra")])
    ]
    caption = f"Names with the most mistakes: which of gold’s {found.noun} are which of system’s"
    body = element("tbody", *rows)
    return figure(caption, element("table", element("thead", head), body, class_="matrix"))


def _cells(counts: list[int], row: int, names: int) -> Iterator[Markup]:
    """A row's counts, mistakes the stronger the larger their share of the row."""
    whole = sum(counts)
    for column, count in enumerate(counts):
        if column == row:
            yield element("td", _count(count), class_="right" if row < names else None)
            continue
        # By the root, since most mistakes are a few in a hundred.
        tint = math.ceil(_TINTS * math.sqrt(count / whole)) if count else 0
        yield element("td", _count(count), class_=f"t{tint}" if tint else "none")


def _most_confused(found: Confusions) -> Markup:
    confused = found.confused()
    gold = {row.name: row.gold for row in found.by_name()}
    rows = [
        [
            joined(
                [
                    isolated(table_name(one)),
                    element("span", " → ", class_="quiet"),
                    isolated(table_name(other)),
                ]
            ),
            f"{times:,}",
            f"{100 * times / gold[one]:.1f} %",
        ]
        for one, other, times in confused[:_CONFUSED]
    ]
    if not rows:
        return element("p", "No name is taken for another one.", class_="quiet")
    return table("Most frequent confusions", ["gold → system", "times", "of gold’s"], rows)
