"""What files say that a configuration names: parameters, equal words, contractions, heads.

Each is read when it is first asked for, and again when it has changed; what is wrong in one is in
the log, and one that is not there is told once.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from treelens.rules.contractions import LANGUAGES
from treelens.rules.contractions import contractions as language_contractions
from treelens.rules.heads import TableProblem
from treelens.rules.parameters import (
    HEADS,
    PRESETS,
    Heads,
    ParameterProblem,
    Parameters,
    read_parameters,
)
from treelens.rules.spelling import Contraction, ListProblem, read_contractions, read_equivalences
from treelens.session.config import PairOptions
from treelens.session.toml import FILE_NAME

from treelens_server.cached import Cached
from treelens_server.client import Client

_LOG = logging.getLogger("treelens")
_Read = TypeVar("_Read")

_LARGEST = 16 << 20
"""Bytes of such a file."""

_MOST_TOLD = 20
"""Problems of a list that are written to the log."""


class NamedLists:
    """Those of all configurations."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._parameters = Cached(_LARGEST, self._read_parameters)
        self._equivalences = Cached(_LARGEST, self._read_equivalences)
        self._contractions = Cached(_LARGEST, self._read_contractions)
        self._heads = Cached(_LARGEST, self._read_heads)
        self._all = self._parameters, self._equivalences, self._contractions, self._heads
        self._missing: set[Path] = set()

    @property
    def changes(self) -> int:
        """How often one was found to be another one."""
        return sum(one.changes for one in self._all)

    def look(self) -> None:
        """Read those again that are others by now."""
        for one in self._all:
            one.look()

    def scored_by(self, folder: Path, options: PairOptions, allowed: Sequence[Path]) -> Parameters:
        """The parameters of a pair; paths count from ``folder``, and links may lead to what is
        ``allowed``."""
        of = folder, allowed
        parameters = self._named(self._parameters, of, options.parameters)
        equivalences = self._named(self._equivalences, of, options.equivalences)
        language = options.contractions
        contractions = (
            language_contractions(language)
            if language in LANGUAGES
            else self._named(self._contractions, of, language)
        )
        spelling = replace(
            options.spelling, equivalences=equivalences or (), contractions=contractions or ()
        )
        heads = HEADS.get(options.heads or "") or self._named(self._heads, of, options.heads)
        return replace(parameters or PRESETS["default"], spelling=spelling, heads=heads)

    def _named(
        self, cached: Cached[_Read], of: tuple[Path, Sequence[Path]], name: str | None
    ) -> _Read | None:
        """What a file says that a configuration names; None, and a message, without the file."""
        if name is None:
            return None
        folder, allowed = of
        path = folder / name
        found = cached.get(path, allowed)
        if found is None and path not in self._missing:
            self._missing.add(path)
            self._client.tell(
                f"{FILE_NAME} names {name}, which does not exist: scored without it",
                types.MessageType.Warning,
            )
        return found

    def _read_parameters(self, path: Path, text: str, unread: str | None) -> Parameters | None:
        return self._told(path, read_parameters(text, path.stem), unread)

    def _read_equivalences(
        self, path: Path, text: str, unread: str | None
    ) -> tuple[tuple[str, ...], ...] | None:
        return self._told(path, read_equivalences(text), unread)

    def _read_contractions(
        self, path: Path, text: str, unread: str | None
    ) -> tuple[Contraction, ...] | None:
        return self._told(path, read_contractions(text), unread)

    def _read_heads(self, path: Path, text: str, unread: str | None) -> Heads | None:
        found = Heads(path.name, text)
        return self._told(path, (found, found.problems), unread)

    def _told(
        self,
        path: Path,
        read: tuple[_Read, Sequence[ListProblem | ParameterProblem | TableProblem]],
        unread: str | None,
    ) -> _Read | None:
        if unread is not None:
            self._missing.add(path)
            self._client.tell(f"{unread}; scored without it", types.MessageType.Warning)
            return None
        self._missing.discard(path)
        found, problems = read
        for problem in problems[:_MOST_TOLD]:
            _LOG.warning("%s, line %d: %s", path, problem.line, problem.message)
        if len(problems) > _MOST_TOLD:
            _LOG.warning("%s: %d more problems", path, len(problems) - _MOST_TOLD)
        return found
