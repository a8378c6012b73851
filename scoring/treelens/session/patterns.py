"""Paths with wildcards: ``*`` and ``**`` are any text of a name, ``?`` a character of it, ``**/``
any folders, also none. Matched in time linear in the path, whatever the pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WILDCARD = re.compile(r"\*\*/|\*+|\?")


def plain(path: str) -> str:
    return path.removeprefix("./")


def wildcards(pattern: str) -> int:
    """How many there are."""
    return len(_WILDCARD.findall(pattern))


def filled(pattern: str, values: tuple[str, ...]) -> str:
    """The pattern with its wildcards filled in; one that gold does not have stays open."""
    if not values:
        return plain(pattern)
    remaining = iter(values)
    return _WILDCARD.sub(lambda _: next(remaining), plain(pattern))


def matched(pattern: str, path: str) -> tuple[str, ...] | None:
    """What each wildcard stands for, the first as much as it can, then the next; None if the
    path is none that the pattern means."""
    pattern = plain(pattern)
    texts, kinds = _WILDCARD.split(pattern), _WILDCARD.findall(pattern)
    if not (path.startswith(texts[0]) and path.endswith(texts[-1])):
        return None
    if not kinds:
        return () if path == pattern else None
    # From the end: where what follows each wildcard can begin. There is no going back, which a
    # regular expression does once for every way to share a name among stars.
    begins = [_starts(path, texts[-1], {len(path)})]
    for text, kind in zip(texts[-2::-1], kinds[::-1], strict=True):
        begins.append(_starts(path, text, _from(path, kind, begins[-1])))
    if 0 not in begins[-1]:
        return None
    values, at = [], len(texts[0])
    for kind, text, possible in zip(kinds, texts[1:], begins[-2::-1], strict=True):
        end = max(end for end in _ends(path, kind, at) if end in possible)
        values.append(path[at:end])
        at = end + len(text)
    return tuple(values)


def _starts(path: str, text: str, ends: set[int]) -> set[int]:
    """Where a text begins that ends at one of these places."""
    return {end - len(text) for end in ends if path.endswith(text, 0, end)}


def _from(path: str, kind: str, ends: set[int]) -> set[int]:
    """Where a wildcard begins that ends at one of these places."""
    found: set[int] = set()
    if kind == "?":
        return {end - 1 for end in ends if end > 0 and path[end - 1] != "/"}
    if kind == "**/":
        # A folder's name with its slash goes before what has been found, and no slash inside.
        after = False
        for at in range(len(path), -1, -1):
            if at < len(path) and path[at] == "/":
                after = at + 1 in found
            elif after:
                found.add(at)
            if at in ends:
                found.add(at)
        return found
    after = False
    for at in range(len(path), -1, -1):
        after = at in ends or (after and path[at] != "/")
        if after:
            found.add(at)
    return found


def _ends(path: str, kind: str, start: int) -> Iterator[int]:
    """Where a wildcard may end that begins here."""
    if kind == "?":
        if path[start : start + 1] not in ("", "/"):
            yield start + 1
        return
    yield start
    if kind == "**/":
        slash = path.find("/", start)
        while slash > start:
            start = slash + 1
            yield start
            slash = path.find("/", start)
        return
    end = path.find("/", start)
    yield from range(start + 1, (len(path) if end < 0 else end) + 1)
