"""Which open documents a file would be compared with, were it there.

A file that comes or goes costs what may be compared with it, however many documents are open.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from treelens.corpus.folders import unpacked


class Sought:
    """The files that documents are compared with if they are there."""

    def __init__(self) -> None:
        self._by_path: dict[str, set[str]] = {}
        """Documents, by file and by each folder that a file is in."""
        self._paths: dict[str, set[str]] = {}
        """The same by document."""

    def seek(self, name: str, files: Iterable[Path]) -> None:
        """These are what a document is compared with, and no others."""
        self.forget(name)
        paths = {_alike(place) for file in files for place in (file, *file.parents)}
        for path in paths:
            self._by_path.setdefault(path, set()).add(name)
        self._paths[name] = paths

    def forget(self, name: str) -> None:
        for path in self._paths.pop(name, ()):
            names = self._by_path[path]
            names.discard(name)
            if not names:
                del self._by_path[path]

    def by(self, path: Path) -> set[str]:
        """The documents that a file, or what is in a folder, may be compared with."""
        return {*self._by_path.get(_alike(path), ())}


def _alike(path: Path) -> str:
    """What is the same for all spellings of a file's name, and whether it is packed or not."""
    return unicodedata.normalize("NFC", unpacked(path.as_posix())).casefold()
