"""Text files that are no treebanks, as the client has them: that goes before what is on disk."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from lsprotocol import types
from treelens.consistency.agreed import FILE_NAME as AGREED
from treelens.session.sidecar import ENDING
from treelens.trees.forest import decode, encode

from treelens_server.client import Client
from treelens_server.files import name_of
from treelens_server.positions import edited

_LOG = logging.getLogger("treelens")


def is_beside(name: str) -> bool:
    """Whether a file says something of treebanks and is none."""
    return name.endswith((ENDING, f"/{AGREED}"))


@dataclass(slots=True)
class _Open:
    version: int
    text: str


class Beside:
    """Those that the client has open."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._open: dict[str, _Open] = {}

    def text(self, name: str) -> str | None:
        """None where the client has none."""
        known = self._open.get(name)
        return known.text if known else None

    def version(self, name: str) -> int | None:
        known = self._open.get(name)
        return known.version if known else None

    def did_open(self, item: types.TextDocumentItem) -> None:
        self._open[name_of(item.uri)] = _Open(item.version, item.text)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        name = name_of(params.text_document.uri)
        known = self._open.get(name)
        if known is None:
            _LOG.warning("a change of %s, which is not open; ignored", name)
            return
        known.version = params.text_document.version
        text = encode(known.text)
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                text = encode(change.text)
            else:
                text = edited(text, [change], self._client.encoding)
        known.text = decode(text)

    def did_close(self, name: str) -> None:
        self._open.pop(name, None)
