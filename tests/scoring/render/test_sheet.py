"""A spreadsheet takes no cell for a formula."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.render.sheet import as_it_was, csv_line, harmless
from treelens.render.width import clean


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("-LRB-", "'-LRB-"),
        ("@x", "'@x"),
        ("+x", "'+x"),
        (" =x", "' =x"),
        ("＝x", "'＝x"),
        ("'=x", "''=x"),
        ("\t=x", "␉=x"),
        ("a\rb\x00", "a␍b␀"),
        ("-1.50", "-1.50"),
        ("+3", "+3"),
        (-1, "-1"),
        (None, '""'),
        ("NP", "NP"),
    ],
)
def test_cells(cell: object, line: str) -> None:
    assert csv_line([cell]) == line


@given(st.lists(st.text(), min_size=1))
def test_a_line_is_one_line_and_no_cell_begins_a_formula(cells: list[str]) -> None:
    line = csv_line(cells)
    (row,) = csv.reader([line])
    assert len(row) == len(cells)
    assert len(line.splitlines()) <= 1
    for cell in row:
        if cell.strip()[:1] in ("=", "@"):
            raise AssertionError(cell)
        if cell.strip()[:1] in ("+", "-"):
            float(cell)


@given(st.text(st.sampled_from("'=-+@ 1\tx")) | st.text())
def test_what_was_made_harmless_is_read_as_it_was(cell: str) -> None:
    assert as_it_was(harmless(cell)) == clean(cell)
