"""pygls's protocol with what it leaves open: documents of our own, and answers to nonsense."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from treelens_server.background import CancelledWorkError, ModifiedError

_LOG = logging.getLogger("treelens")

_DOCUMENT_METHODS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)


class Protocol(LanguageServerProtocol):
    """Messages in, handlers called. Whatever a client sends, a request gets one answer."""

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        super().__init__(server, converter)
        # pygls would keep the text a second time, rebuild all of it at each change and break
        # its lines where the protocol does not: our handlers for these are the only ones.
        for method in _DOCUMENT_METHODS:
            self.fm.builtin_features.pop(method, None)
        self.waits: Callable[[dict[str, Any]], bool] = lambda _: False
        """Whether a request has to wait for something that is still being read."""
        self._waiting: list[dict[str, Any]] = []
        self._under_way: dict[object, asyncio.Future[str]] = {}

    @property
    def was_shut_down(self) -> bool:
        return self._shutdown

    def receive(self, bodies: Sequence[bytes]) -> None:
        """Handle messages that arrived together; requests cancelled among them are not begun,
        and those that are under way are ended."""
        messages = [message for body in bodies if (message := self._parsed(body)) is not None]
        cancelled = {
            _hashable(message["params"].get("id"))
            for message in messages
            if message.get("method") == types.CANCEL_REQUEST
            and isinstance(message.get("params"), dict)
        }
        for number in cancelled & self._under_way.keys():
            self._under_way[number].cancel()
        waiting, self._waiting = self._waiting, []
        for message in [*waiting, *messages]:
            if message.get("method") == types.CANCEL_REQUEST:
                continue
            if "method" in message and _hashable(message.get("id")) in cancelled:
                self._refuse(message, types.LSPErrorCodes.RequestCancelled, "cancelled")
            else:
                self._handle(message)

    def resume(self) -> None:
        """Something was read: whoever has waited for it is answered."""
        self.receive([])

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """Answer a request, or have it answered when there is an answer."""
        later = None if future.cancelled() or future.exception() else future.result()
        if not isinstance(later, asyncio.Future):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._under_way[msg_id] = later
        later.add_done_callback(partial(self._send_later, msg_id))

    def _send_later(self, number: int | str, future: asyncio.Future[str]) -> None:
        """Answer a request with the JSON that was made for it, or with what has come of that."""
        del self._under_way[number]
        request, codes = {"id": number, "method": ""}, types.LSPErrorCodes
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, CancelledWorkError):
            self._refuse(request, codes.RequestCancelled, "cancelled")
        elif isinstance(error, ModifiedError):
            self._refuse(request, codes.ContentModified, "the text has changed meanwhile")
        elif error is not None:
            _LOG.error("request %s failed", number, exc_info=error)
            self._refuse(request, types.ErrorCodes.InternalError, "failed: see the log")
        else:
            self._send_text(
                f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"result":{future.result()}}}'
            )

    def _send_text(self, text: str) -> None:
        body = text.encode()
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _parsed(self, body: bytes) -> dict[str, Any] | None:
        try:
            message = json.loads(body)
        except ValueError as error:
            _LOG.error("a message that is not JSON: %s", error)
            self._refuse({}, types.ErrorCodes.ParseError, f"not JSON: {error}")
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            _LOG.error("a message that is not JSON-RPC 2.0: %.200r", message)
            self._refuse({}, types.ErrorCodes.InvalidRequest, "not JSON-RPC 2.0")
            return None
        return message

    def _handle(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._hear(message)
            return
        refusal = self._refusal(message["method"])
        if refusal is not None:
            self._refuse(message, *refusal)
            return
        if "id" in message and self.waits(message):
            self._waiting.append(message)
            return
        message.setdefault("params", None)
        try:
            structured = self.structure_message(dict(message))
        except JsonRpcException as error:
            # pygls would leave the client waiting.
            self._refuse(message, types.ErrorCodes.InvalidParams, str(error))
            return
        try:
            self.handle_message(structured)
        except Exception:
            _LOG.exception("message %.200r", message)

    def _hear(self, message: dict[str, Any]) -> None:
        """An answer to a request of ours: none of them asks for anything, they all tell."""
        number = message.get("id")
        for pending in (self._request_futures, self._result_types):
            pending.pop(str(number), None)
        if message.get("error"):
            _LOG.warning("the client cannot do what it was asked to: %.200r", message["error"])

    def _refusal(self, method: object) -> tuple[int, str] | None:
        if self._shutdown and method != types.EXIT:
            return types.ErrorCodes.InvalidRequest, "the server is shutting down"
        if self._workspace is None and method not in (types.INITIALIZE, types.EXIT):
            return types.ErrorCodes.ServerNotInitialized, "initialize comes first"
        if self._workspace is not None and method == types.INITIALIZE:
            return types.ErrorCodes.InvalidRequest, "already initialized"
        return None

    def _refuse(self, message: dict[str, Any], code: int, reason: str) -> None:
        """Answer a request with an error; a notification has no answer."""
        if "method" in message and "id" not in message:
            return
        error = {"code": int(code), "message": reason}
        self._send_data({"jsonrpc": self.VERSION, "id": message.get("id"), "error": error})


def _hashable(value: object) -> object:
    return value if isinstance(value, int | str) else repr(value)
