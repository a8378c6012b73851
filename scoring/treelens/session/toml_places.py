"""Where the keys of a TOML text are written, which tomllib does not say: any text gives an answer,
in time linear in its length; of one that is no TOML, some answer."""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from typing import Literal, NamedTuple

Path = tuple[str | int, ...]
"""Keys from the top of a text; in a list, which of its elements."""
Span = tuple[int, int]

_TOKEN = re.compile(
    r"""
    "{3} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} )? | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} )?
    | " (?: [^"\\\n] | \\[^\n] )*+ "? | ' [^'\n]*+ '?
    | \#[^\n]*+ | \[\[ | \]\] | [\[\]{},=.\n] | [^\s\[\]{},=.\#"']++
    """,
    re.DOTALL | re.VERBOSE,
)
_DEEPEST = 3
"""Parts of a path that anybody asks for: a list of tables, which of them, and a key."""


def place_of(text: str, path: Path) -> Span:
    """Where a key is written; where it is not, what it would stand in."""
    places = key_places(text)
    while path and path not in places:
        path = path[:-1]
    return places.get(path, (0, 0))


@functools.lru_cache(maxsize=4)
def key_places(text: str) -> dict[Path, Span]:
    """Where each key is first written, and in a list of tables all of the heading of each. What is
    returned is not to be changed."""
    places = _Places()
    for token in _TOKEN.finditer(text):
        places.read(token[0], token.start())
    return places.found


class _Open(NamedTuple):
    """A list or a table that is written as a value, and what its key is."""

    kind: Literal["list", "table"]
    path: Path


class _Places:
    """What is known of a text that is read token by token."""

    def __init__(self) -> None:
        self.found: dict[Path, Span] = {}
        self.tables: Counter[Path] = Counter()
        """How many headings each list of tables has had."""
        self.table: Path = ()
        self.open: list[_Open] = []
        self.keys: list[tuple[str, Span]] = []
        """Of a key with dots, or of a heading, the parts so far."""
        self.heading: int | None = None
        """Where a heading starts that is not at its end."""
        self.value: Path | None = None
        """What a value is of that is not at its end."""
        self.elements: list[int] = []
        """Of each list that is open, which element is read."""

    def read(self, token: str, start: int) -> None:
        if self.value is not None:
            for one in token if token in ("[[", "]]") else (token,):
                self._in_value(one)
        elif self.heading is not None and token in ("]", "]]"):
            self._end_heading(start + len(token), several=token == "]]")
        elif token in ("[", "[["):
            self.heading, self.keys = start, []
        elif token == "=":
            self.value, self.keys = self._named(self._inside()), []
        elif token == "}":
            self._close()
        elif token == "\n" or token[0] == "#":
            self.keys = []
        elif token not in (".", ","):
            self.keys.append((_plain(token), (start, start + len(token))))

    def _inside(self) -> Path:
        return self.open[-1].path if self.open else self.table

    def _in_value(self, token: str) -> None:
        assert self.value is not None
        inside = self.open[-1].kind if self.open else ""
        if token == "[":
            self.open.append(_Open("list", self.value))
            self.elements.append(0)
            self.value = _below(self.value, 0)
        elif token == "{":
            self.open.append(_Open("table", self.value))
            self.value = None
        elif token == "," and inside == "list":
            self.elements[-1] += 1
            self.value = _below(self.open[-1].path, self.elements[-1])
        elif token == "," or (token == "\n" and not inside):
            self.value = None
        elif token in ("]", "}"):
            self._close()

    def _close(self) -> None:
        """What was open is a value, and at its end."""
        if self.open:
            kind, self.value = self.open.pop()
            if kind == "list":
                self.elements.pop()

    def _end_heading(self, end: int, *, several: bool) -> None:
        start, self.heading = self.heading or 0, None
        self.table, self.keys = self._named(()), []
        if several:
            number = self.tables[self.table]
            self.tables[self.table] += 1
            self.table = _below(self.table, number)
            self.found.setdefault(self.table, (start, end))

    def _named(self, path: Path) -> Path:
        """The path of a key below another; each of its parts is written there."""
        for at, (key, span) in enumerate(self.keys):
            if at and not self.open and self.tables[path]:
                path = _below(path, self.tables[path] - 1)
            path = _below(path, key)
            if len(path) <= _DEEPEST:
                self.found.setdefault(path, span)
        return path


def _below(path: Path, key: str | int) -> Path:
    """The path of something in what has a path; past a depth, of nothing that is asked for."""
    return (*path, key)[: _DEEPEST + 1]


def _plain(key: str) -> str:
    """What a key is called that is written in quotation marks, or without."""
    if "\\" in key and key[0] == '"':
        try:
            return str(tomllib.loads(f"key = {key}")["key"])
        except ValueError:
            return key
    return key[1:-1] if key[0] in "\"'" and len(key) > 1 else key
