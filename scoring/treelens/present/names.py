"""How a document's name is shown to people."""

from __future__ import annotations

from urllib.parse import unquote


def short_name(name: str) -> str:
    """The last part of a path or URI, with its escapes undone."""
    return unquote(name.rstrip("/").rsplit("/", 1)[-1])
