"""Brackets that both sides have and that no score tells apart: other function tags, indices, or a
label that the parameters hold equal."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.differences.difference import LABELS, Difference, Noun, Phrases, Rows, Sign
from treelens.differences.marks import Mark, RowSides, at_bracket, at_whole_label
from treelens.rules.parameters import bare
from treelens.trees.by_label import ByLabel, kept
from treelens.trees.forest import Ints, Symbols

_PART = re.compile(r"[-=][^-=]*")


class _Parts(NamedTuple):
    """Numbers of what the labels are made of, equal for equal parts; ``(labels,)`` by id."""

    category: Ints
    functions: Ints
    indices: Ints


def _parts(symbols: Symbols) -> _Parts:
    return _Parts(*_by_label(symbols).columns())


@kept
def _by_label(symbols: Symbols) -> ByLabel:
    numbers: dict[object, int] = {}

    def row(label: str) -> list[int]:
        return [numbers.setdefault(part, len(numbers)) for part in _split(label)]

    return ByLabel(symbols, [np.int32] * 3, row)


def _split(label: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """``NP-SBJ=2-1`` is NP, with the function SBJ and the indices =2 and -1. Features after
    ``##`` go with the category."""
    plain, mark, features = label.partition("##")
    category = bare(plain)
    parts = _PART.findall(plain[len(category) :])
    indices = tuple(part for part in parts if part[1:].isdigit())
    functions = tuple(part for part in parts if not part[1:].isdigit())
    return category + mark + features, functions, indices


def functions_of(label: str) -> str:
    """A label's function tags: ``-SBJ`` of ``NP-SBJ-1``."""
    return "".join(_split(label)[1])


def indices_of(label: str) -> str:
    """A label's indices: ``-1`` of ``NP-SBJ-1``."""
    return "".join(_split(label)[2])


def _differing(comparison: Comparison, part: int) -> Rows:
    gold, system = comparison.gold, comparison.system
    rows = np.flatnonzero(gold.brackets.partner >= 0)
    others = gold.brackets.partner[rows]
    ours = gold.forest.label[gold.brackets.row[rows]]
    theirs = system.forest.label[system.brackets.row[others]]
    found = np.flatnonzero(ours != theirs)
    if len(found):
        numbers = _parts(gold.forest.symbols)[part]
        found = found[numbers[ours[found]] != numbers[theirs[found]]]
    rows = rows[found]
    return Rows(gold.brackets.group[rows], rows, others[found], ours[found], theirs[found])


def _categories(comparison: Comparison) -> Rows:
    return _differing(comparison, 0)


def _functions(comparison: Comparison) -> Rows:
    return _differing(comparison, 1)


def _indices(comparison: Comparison) -> Rows:
    return _differing(comparison, 2)


def at_label_of_bracket(at: RowSides) -> Mark | None:
    """With its features: these may be all that is not the same."""
    return at_whole_label(at._replace(own=at.here.row(at.own)))


_PHRASES = Phrases(*["{they} has {there} here, not {here}"] * 2)

DIFFERENCES = (
    Difference(
        code="equal-label",
        rows=_categories,
        marks=(at_label_of_bracket, at_label_of_bracket),
        family="category",
        noun=Noun("label", "labels"),
        tally=Noun("label held equal", "labels held equal"),
        heading="Labels Held Equal",
        phrases=_PHRASES,
        sign=Sign("~", "dim"),
        modifier="wrong",
        tokens=LABELS,
        severity="hint",
        blank={"": "unlabelled bracket"},
        replaceable=True,
        uncounted_by="F1",
    ),
    Difference(
        code="wrong-function",
        rows=_functions,
        marks=(at_bracket, at_bracket),
        family="function",
        noun=Noun("function tag", "function tags"),
        tally=Noun("function tag", "function tags"),
        heading="Function Tags",
        phrases=_PHRASES,
        sign=Sign("~", "dim"),
        modifier="wrong",
        tokens=LABELS | {"function"},
        severity="hint",
        replaceable=True,
        uncounted_by="F1",
    ),
    Difference(
        code="wrong-index",
        rows=_indices,
        marks=(at_bracket, at_bracket),
        family="index",
        noun=Noun("index", "indices"),
        tally=Noun("index", "indices"),
        heading="Indices",
        phrases=_PHRASES,
        sign=Sign("~", "dim"),
        modifier="wrong",
        tokens=frozenset({"index"}),
        severity="hint",
        replaceable=True,
        everywhere=False,
        uncounted_by="F1",
    ),
)
