"""Text of users in Markdown: shown as it is, and nothing in it is a link, a picture or a tag."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from treelens.render.width import clean, width

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")
# What some programs make a link of by itself.
_LINK = re.compile(r"(?i)(?<=[a-z]):(?=//)|(?<=\bwww)\.|(?<=\bmailto):")


def escaped(text: str) -> str:
    """Text in the middle of a line, or in a cell of a table."""
    return _LINK.sub(lambda match: f"\\{match[0]}", _SPECIAL.sub(r"\\\g<0>", clean(text)))


def code(text: str) -> str:
    """Text as it is, in the font of code."""
    return f"`{clean(text).replace('`', '’')}`"


# --- without it ------------------------------------------------------------------------------

# All there is of markup in what we write: what a user's text has of it is escaped.
_MARKUP = re.compile(r"\\(.)|`([^`]*)`|\[((?:\\.|[^\\\]])*)\]\([^)]*\)|\*\*?")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")


def plain(markdown: str) -> str:
    """What Markdown of ours says, to be read as it is: a table is in columns."""
    lines: list[str] = []
    for in_table, group in itertools.groupby(markdown.split("\n"), _is_row):
        found = [*group]
        lines += _columns(found) if in_table else [_plain(one.removeprefix("> ")) for one in found]
    return "\n".join(lines)


def _is_row(line: str) -> bool:
    return line.startswith("|")


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda found: found[1] or found[2] or _plain(found[3] or ""), text)


def _columns(lines: list[str]) -> Iterator[str]:
    rows = [[_plain(cell.strip()) for cell in _BETWEEN_CELLS.split(line)[1:-1]] for line in lines]
    rows[1:2] = []  # (how columns are aligned)
    rooms = [max(map(width, column)) for column in zip(*rows, strict=False)]
    for row in rows:
        cells = (cell + " " * (room - width(cell)) for cell, room in zip(row, rooms, strict=False))
        yield "  ".join(cells).rstrip()
