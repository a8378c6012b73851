"""Small files that say how to compare: as they are on disk, whenever one asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from treelens.trees.forest import decode

from treelens_server import files
from treelens_server.files import Stamp

_Value = TypeVar("_Value")


class Cached(Generic[_Value]):
    """Small files, read again when they have been written since."""

    def __init__(self, most: int, interpret: Callable[[Path, str, str | None], _Value]) -> None:
        """``interpret`` is given a path, its text and why there is none, where it cannot be read;
        ``most`` are the bytes that are read."""
        self._most = most
        self._interpret = interpret
        self._known: dict[Path, tuple[Stamp | None, _Value | None]] = {}
        self._folders: dict[Path, Sequence[Path]] = {}
        self.changes = 0
        """How often a file was not what it had been."""

    def get(self, path: Path, folders: Sequence[Path]) -> _Value | None:
        """None if there is nothing of that name. ``folders``: where links may lead to."""
        stamp = files.stamp_of_any(path)
        known = self._known.get(path)
        self._folders[path] = folders
        if known is not None and known[0] == stamp:
            return known[1]
        self.changes += known is not None
        found = None
        if stamp is not None:
            found = self._interpret(path, *self._read(path, folders))
        elif known is not None:
            self._interpret(path, "", None)
        self._known[path] = (stamp, found)
        return found

    def forget(self, is_over: Callable[[Path], bool]) -> None:
        """Take these for files that are not there, until somebody asks for one again."""
        for path in [*filter(is_over, self._known)]:
            stamp, _ = self._known.pop(path)
            del self._folders[path]
            if stamp is not None:
                self._interpret(path, "", None)

    def look(self) -> None:
        """Read those again that are others by now, whoever asked for them."""
        for path, (stamp, _) in [*self._known.items()]:
            if files.stamp_of_any(path) != stamp:
                self.get(path, self._folders[path])

    def _read(self, path: Path, folders: Sequence[Path]) -> tuple[str, str | None]:
        if not files.is_inside(path, folders):
            return "", f"{path.name} is a link that leads out of the workspace: not followed"
        try:
            return decode(files.read(path, self._most)), None
        except files.ReadError as problem:
            return "", str(problem)
