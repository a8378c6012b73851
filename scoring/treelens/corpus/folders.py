"""Files in folders, by name only: which there are, which belong together, what they are part of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from treelens.corpus.sources import PACKED

SKIPPED = frozenset({"node_modules", "__pycache__", "venv"})
"""Folders in which nobody keeps a treebank."""


class FolderEntry(NamedTuple):
    """What is in a folder. ``is_folder``: one to go into, and so no link to one."""

    name: str
    is_folder: bool


def walk(listing: Callable[[str], Iterable[FolderEntry]]) -> Iterator[str]:
    """Paths of all files below a folder, in the order of their parts.

    ``listing``: what a folder holds, given by its path (``""`` for the first); it is asked
    when a folder's turn comes, so what it raises ends the walk there. Hidden ones are passed over.
    """
    waiting = [_sorted(listing, "")]
    while waiting:
        path, is_folder = next(waiting[-1], (None, False))
        if path is None:
            waiting.pop()
        elif is_folder:
            waiting.append(_sorted(listing, path))
        else:
            yield path


def _sorted(
    listing: Callable[[str], Iterable[FolderEntry]], folder: str
) -> Iterator[tuple[str | None, bool]]:
    for name, is_folder in sorted(listing(folder)):
        if not name.startswith(".") and name not in SKIPPED:
            yield f"{folder}/{name}" if folder else name, is_folder


class Paired(NamedTuple):
    """Paths below two folders, by their place there; those without a partner."""

    pairs: tuple[tuple[str, str], ...]
    gold_only: tuple[str, ...]
    system_only: tuple[str, ...]


def pair_names(gold: Sequence[str], system: Sequence[str]) -> Paired:
    """Which paths below two folders belong together: the same ones, packed or not."""
    there = {unpacked(path): path for path in system}
    there |= {path: path for path in system}
    pairs = [(path, there.get(path) or there.get(unpacked(path))) for path in gold]
    taken = {other for _, other in pairs}
    return Paired(
        tuple((path, other) for path, other in pairs if other is not None),
        tuple(path for path, other in pairs if other is None),
        tuple(path for path in system if path not in taken),
    )


def unpacked(path: str) -> str:
    """A path without the ending that says what it is packed by."""
    return next((path.removesuffix(end) for end in PACKED if path.endswith(end)), path)


def is_packed(path: str) -> bool:
    """Whether a path or a URI is that of a packed file."""
    return path.endswith((*PACKED,))


def folders(path: str) -> Iterator[str]:
    """The folders that a file is in, the nearest first; not the one that paths start from."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
