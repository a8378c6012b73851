"""Lines of comma-separated values that do nothing to the spreadsheet that opens them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from treelens.render.width import clean

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def csv_line(cells: Iterable[object]) -> str:
    """A line, without its end. ``None`` is an empty cell."""
    import csv  # which reports of other kinds do without

    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(map(_harmless, cells))
    return text.getvalue()


def _harmless(cell: object) -> object:
    """A spreadsheet takes what begins with these for a formula, which can start programs and ask
    the network; with an apostrophe before it, for text. (OWASP, “CSV Injection”.)"""
    if not isinstance(cell, str):
        return cell
    text = clean(cell)
    dangerous = text.lstrip().startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(text)
    return f"'{text}" if dangerous else text
