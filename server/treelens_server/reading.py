"""Reading in the background: what happens to a text while it is read is done afterwards."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from treelens.present.names import short_name
from treelens.session.document import Document

from treelens_server.background import CancelledWorkError, Progress

Change = TypeVar("Change")


class StartTask(Protocol):
    """:meth:`treelens_server.background.Background.start`."""

    def __call__(
        self,
        title: str,
        names: Set[str],
        work: Callable[[Progress], Any],
        then: Callable[[Any], None],
        meanwhile: Callable[[], bool] | None = None,
    ) -> None: ...


@dataclass(eq=False, slots=True)
class _Reading(Generic[Change]):
    text: bytes
    changes: list[Change] = field(default_factory=list)


class Readings(Generic[Change]):
    """Texts that are being read, each by its name; only the last one of a name counts."""

    def __init__(self, start: StartTask) -> None:
        self._start = start
        self._readings: dict[str, _Reading[Change]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._readings

    def names(self) -> set[str]:
        return {*self._readings}

    def text(self, name: str) -> tuple[bytes, list[Change]] | None:
        """What is being read, and the changes since; None where nothing is."""
        known = self._readings.get(name)
        return None if known is None else (known.text, known.changes)

    def begin(
        self,
        name: str,
        text: bytes,
        read: Callable[[], Document],
        then: Callable[[Document | None, list[Change]], None],
    ) -> None:
        """Read a text; ``then`` is given the document, None if that came to nothing, and the
        changes since. It is not called if the text has been set aside meanwhile."""
        self._readings[name] = reading = _Reading[Change](text)

        def work(_: Progress) -> Document:
            if self._readings.get(name) is not reading:
                raise CancelledWorkError
            return read()

        def done(found: Document | None) -> None:
            if self._readings.get(name) is reading:
                del self._readings[name]
                then(found, reading.changes)

        self._start(f"reading {short_name(name)}", {name}, work, done)

    def postpone(self, name: str, change: Change) -> None:
        """A change of a text that is being read."""
        self._readings[name].changes.append(change)

    def forget(self, name: str) -> None:
        self._readings.pop(name, None)
