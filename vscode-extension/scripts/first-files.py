"""The first gold of a folder and its system, as the server pairs files; a line a name. Where there
are none, what is adjudicated first: an annotator's file, the adjudicated one if it is there, and
the other annotator's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from treelens_server.adjudicating import AdjudicatedFiles
from treelens_server.files import name_of, path_of
from treelens_server.pairing import Pairing


def _nobody(*_: object) -> None:
    """Nobody is told: whoever opens the folder is."""


def first_files(folder: Path) -> list[str]:
    """From left to right; none where no files belong together."""
    client: Any = SimpleNamespace(encoding="utf-8", tell=_nobody, publish=_nobody)
    pairing = Pairing(client)
    pairing.roots = [folder]
    # What is open and has been read: nothing.
    documents: Any = SimpleNamespace(
        pairing=pairing, session=None, reviewing=SimpleNamespace(reviewed=None)
    )
    adjudicated = AdjudicatedFiles(documents)
    for name in _names(folder):
        for link in pairing.links([name]):
            if link.gold == name:
                return _relative(folder, link[:2])
    for name in _names(folder):
        for first, second, third, *_ in adjudicated.configured([name]):
            return _relative(folder, [first, third, second])
    return []


def _names(folder: Path) -> Iterator[str]:
    for path, folders, files in os.walk(folder):
        folders.sort()
        yield from (name_of((Path(path) / file).as_uri()) for file in sorted(files))


def _relative(folder: Path, names: Iterable[str]) -> list[str]:
    """Of those that are there."""
    paths = (path_of(name) for name in names if name)
    return [str(one.relative_to(folder)) for one in paths if one is not None and one.is_file()]


if __name__ == "__main__":
    sys.stdout.write("\n".join(first_files(Path(sys.argv[1]).resolve())))
