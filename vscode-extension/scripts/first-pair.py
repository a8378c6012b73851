"""The first gold of a folder and its system, as the server pairs files; a line a name."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from treelens_server.files import name_of, path_of
from treelens_server.pairing import Pairing


def _nobody(*_: object) -> None:
    """Nobody is told: whoever opens the folder is."""


def first_pair(folder: Path) -> list[str]:
    """None where no two files belong together."""
    client: Any = SimpleNamespace(encoding="utf-8", tell=_nobody, publish=_nobody)
    pairing = Pairing(client)
    pairing.roots = [folder]
    for path, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            name = name_of((Path(path) / file).as_uri())
            for link in pairing.links([name]):
                if link.gold == name:
                    both = map(path_of, link[:2])
                    return [str(one.relative_to(folder)) for one in both if one is not None]
    return []


if __name__ == "__main__":
    sys.stdout.write("\n".join(first_pair(Path(sys.argv[1]).resolve())))
