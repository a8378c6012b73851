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
    """Those that the client has open, each spelling of a URI with a text of its own: what was
    opened or changed last is the file's."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._open: dict[str, dict[str, _Open]] = {}

    def text(self, name: str) -> str | None:
        """None where the client has none."""
        known = self._last(name)
        return known.text if known else None

    def version(self, name: str) -> int | None:
        known = self._last(name)
        return known.version if known else None

    def uri(self, name: str) -> str | None:
        """The client's spelling of what it has."""
        return next(reversed(self._open.get(name, {})), None)

    def _last(self, name: str) -> _Open | None:
        return next(reversed(self._open.get(name, {}).values()), None)

    def did_open(self, item: types.TextDocumentItem) -> None:
        self._say(item.uri, _Open(item.version, item.text))

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        name = name_of(params.text_document.uri)
        uri = self._spelling(name, params.text_document.uri)
        if uri is None:
            _LOG.warning("a change of %s, which is not open; ignored", name)
            return
        known = self._open[name][uri]
        text = encode(known.text)
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                text = encode(change.text)
            else:
                text = edited(text, [change], self._client.encoding)
        known.version, known.text = params.text_document.version, decode(text)
        self._say(uri, known)

    def did_close(self, uri: str) -> None:
        name = name_of(uri)
        known = self._spelling(name, uri)
        if known is not None:
            del self._open[name][known]

    def _say(self, uri: str, known: _Open) -> None:
        spelled = self._open.setdefault(name_of(uri), {})
        spelled.pop(uri, None)
        spelled[uri] = known

    def _spelling(self, name: str, uri: str) -> str | None:
        """The one that a client means: this one, or the last where it has not opened that."""
        return uri if uri in self._open.get(name, {}) else self.uri(name)
