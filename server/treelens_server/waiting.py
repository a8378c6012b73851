"""Which requests wait for what is still being read or compared."""

from __future__ import annotations

from typing import Any, Protocol

from lsprotocol import types

from treelens_server.files import name_of
from treelens_server.framing import value_at

_ABOUT_PAIRS = (
    types.TEXT_DOCUMENT_DIAGNOSTIC,
    types.TEXT_DOCUMENT_CODE_LENS,
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.TEXT_DOCUMENT_HOVER,
    types.TEXT_DOCUMENT_IMPLEMENTATION,
)
_SOURCE = types.CodeActionKind.Source.value


class Awaited(Protocol):
    """What is not there yet, by documents' names."""

    def is_read(self, name: str) -> bool:
        """Whether a document is being read."""

    def awaits_pairs(self, name: str) -> bool:
        """Whether it is not known yet how a document compares with its partners."""

    def awaits_whole_pairs(self, name: str) -> bool:
        """Whether that is not known of all of it; what is in view is known before the rest."""

    def reads(self) -> bool:
        """Whether any document is being read."""


def keeps_waiting(message: dict[str, Any], awaited: Awaited, *, asks_again: bool) -> bool:
    """Whether a request is about a document that is being read, or about pairs that are computed.

    An empty answer now would stay on the screen: there is no way to have a client ask for an
    outline again, and those that know of no refreshing would never ask. For lenses there is one
    (``asks_again``), and VS Code takes as long from a keystroke to its question about lenses as
    the last answers took: waiting for one would make it slow for long.
    """
    name, method = _named_in(message), message.get("method")
    if name is None:
        return method == types.WORKSPACE_SYMBOL and awaited.reads()
    if method == types.TEXT_DOCUMENT_CODE_LENS and asks_again:
        return False
    if method == types.TEXT_DOCUMENT_CODE_ACTION and _is_for_all(message):
        return awaited.awaits_whole_pairs(name)
    return awaited.awaits_pairs(name) if method in _ABOUT_PAIRS else awaited.is_read(name)


def _named_in(message: dict[str, Any]) -> str | None:
    """The document that a request is about."""
    value = value_at(message, "params.textDocument.uri")
    return name_of(value) if isinstance(value, str) else None


def _is_for_all(message: dict[str, Any]) -> bool:
    """Whether only actions are asked for that change a whole document."""
    kinds = value_at(message, "params.context.only")
    if not isinstance(kinds, list) or not kinds:
        return False
    return all(str(kind).split(".")[0] == _SOURCE for kind in kinds)
