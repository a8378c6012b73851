"""Which requests wait for what is still being read or compared."""

from __future__ import annotations

from typing import Any, Protocol

from lsprotocol import types

from treelens_server.files import name_of

_ABOUT_PAIRS = (types.TEXT_DOCUMENT_DIAGNOSTIC, types.TEXT_DOCUMENT_CODE_LENS)


class Awaited(Protocol):
    """What is not there yet, by documents' names."""

    def is_read(self, name: str) -> bool:
        """Whether a document is being read."""

    def awaits_pairs(self, name: str) -> bool:
        """Whether it is not known yet how a document compares with its partners."""


def keeps_waiting(message: dict[str, Any], awaited: Awaited, *, asks_again: bool) -> bool:
    """Whether a request is about a document that is being read.

    An empty answer now would stay on the screen: there is no way to have a client ask for an
    outline again, and those that know of no refreshing would never ask. For lenses there is one
    (``asks_again``), and VS Code takes as long from a keystroke to its question about lenses as
    the last answers took: waiting for one would make it slow for long.
    """
    name, method = _named_in(message), message.get("method")
    if name is None:
        return False
    if method == types.TEXT_DOCUMENT_CODE_LENS and asks_again:
        return False
    return awaited.awaits_pairs(name) if method in _ABOUT_PAIRS else awaited.is_read(name)


def _named_in(message: dict[str, Any]) -> str | None:
    """The document that a request is about."""
    value: Any = message
    for key in ("params", "textDocument", "uri"):
        value = value.get(key) if isinstance(value, dict) else None
    return name_of(value) if isinstance(value, str) else None
