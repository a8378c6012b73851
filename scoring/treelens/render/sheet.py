"""Lines of comma-separated values that do nothing to the spreadsheet that opens them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from treelens.render.width import clean

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

_SIGNS = (*"=+-@", *"＝＋－＠")
"""What formulas begin with, also as wide as Chinese characters: some spreadsheets take both."""


def csv_line(cells: Iterable[object]) -> str:
    """A line, without its end. ``None`` is an empty cell."""
    import csv  # which reports of other kinds do without

    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(map(_harmless, cells))
    return text.getvalue()


def _harmless(cell: object) -> object:
    return harmless(cell) if isinstance(cell, str) else cell


def harmless(cell: str) -> str:
    """A spreadsheet takes what begins with these for a formula, which can start programs and ask
    the network; with an apostrophe before it, for text. (OWASP, “CSV Injection”.)"""
    text = clean(cell)
    return f"'{text}" if _is_formula(text) else text


def as_it_was(cell: str) -> str:
    """What was made :func:`harmless`, but for what :func:`clean` does."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(text: str) -> bool:
    """Whether something is one, with apostrophes before it or not."""
    dangerous = text.lstrip().lstrip("'").startswith(_SIGNS)
    return dangerous and not _NUMBER.fullmatch(text)
