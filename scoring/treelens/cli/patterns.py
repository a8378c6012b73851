"""The files that a pattern fits, as they are named in a shell."""

from __future__ import annotations

import fnmatch
import glob
import os
from collections.abc import Iterable, Iterator

_ANY = "**"


def fitting(pattern: str) -> Iterator[str]:
    """Their paths, none twice; :func:`glob.iglob`'s, but that ``**`` follows no link to a folder,
    which may lead round in a circle, and does not take longer if there are more of them."""
    parts = pattern.replace(os.sep, "/").split("/")
    if _ANY not in parts:
        yield from filter(os.path.isfile, glob.iglob(pattern))
        return
    folders: Iterable[str] = [""]
    if not parts[0]:
        folders, parts = ["/"], parts[1:]
    if parts[-1] == _ANY:
        parts.append("*")
    for part in parts[:-1]:
        folders = dict.fromkeys(_inside(folders) if part == _ANY else _called(folders, part))
    for folder in folders:
        yield from filter(os.path.isfile, _names(folder, parts[-1]))


def _called(folders: Iterable[str], part: str) -> Iterator[str]:
    """The folders in some that a part of a pattern fits."""
    for folder in folders:
        for path in filter(os.path.isdir, _names(folder, part)):
            yield f"{path}/"


def _inside(folders: Iterable[str]) -> Iterator[str]:
    """Some folders, and all those in them."""
    waiting, seen = [*folders], set[str]()
    while waiting:
        folder = waiting.pop()
        if folder in seen:
            continue
        seen.add(folder)
        yield folder
        waiting += [
            f"{folder}{entry.name}/"
            for entry in _entries(folder)
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        ]


def _names(folder: str, part: str) -> list[str]:
    if not glob.has_magic(part):
        return [f"{folder}{part}"]
    names = fnmatch.filter((entry.name for entry in _entries(folder)), part)
    hidden = part.startswith(".")
    return [f"{folder}{name}" for name in names if hidden or not name.startswith(".")]


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if that may not be known."""
    try:
        with os.scandir(folder or ".") as found:
            return [*found]
    except OSError:
        return []
