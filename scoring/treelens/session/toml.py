"""The text of a ``treelens.toml`` as tables. Any text gives an answer, in time linear in its
length."""

from __future__ import annotations

import functools
import re
import tomllib
from typing import Any, NamedTuple

from treelens.trees.forest import Problem

FILE_NAME = "treelens.toml"

LONGEST = 1 << 18
"""Characters of a configuration; nobody writes more by hand."""

_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_BETWEEN_KEYS = re.compile(r"[\n,=\[\]{}#]")
_MOST_PARTS = 32


class Tables(NamedTuple):
    """What a text says, or what is wrong with all of it."""

    data: dict[str, Any]
    problem: Problem | None = None


@functools.lru_cache(maxsize=4)
def read_toml(text: str) -> Tables:
    """Offsets of the problem are characters of the text. What is read is not to be changed."""
    if len(text) > LONGEST:
        return _none(f"longer than {LONGEST >> 10},000 characters", 0, 0)
    if _has_a_deep_key(text):
        return _none(f"a key of more than {_MOST_PARTS} parts with dots between them", 0, 0)
    try:
        return Tables(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        return _none(f"not TOML: {error}", *_place(text, str(error)))
    except RecursionError:
        return _none("not TOML that can be read: brackets within brackets without end", 0, 0)
    except ValueError:  # of Python itself, about a number
        return _none("not TOML that can be read: a number is out of range", *_number(text))


def _has_a_deep_key(text: str) -> bool:
    """tomllib takes minutes for keys of thousands of parts."""
    bare = _STRING.sub('""', text)
    return any(part.count(".") >= _MOST_PARTS for part in _BETWEEN_KEYS.split(bare))


def _none(message: str, start: int, end: int) -> Tables:
    return Tables({}, Problem("toml", f"{message}; no rule is used", start, end))


def _place(text: str, message: str) -> tuple[int, int]:
    """The line that a message of tomllib names; without one, the end of the text."""
    named = re.search(r"line (\d+)", message)
    lines = text.splitlines(keepends=True)
    line = min(int(named[1]), len(lines)) - 1 if named else len(lines) - 1
    start = sum(map(len, lines[: max(line, 0)]))
    return start, start + (len(lines[line].rstrip()) if lines else 0)


def _number(text: str) -> tuple[int, int]:
    """The longest number: the one that is out of range, as far as one can see."""
    numbers = [match.span() for match in re.finditer(r"[0-9][0-9_:.T-]*", text)]
    return max(numbers, key=lambda span: span[1] - span[0], default=(0, 0))
