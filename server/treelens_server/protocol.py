"""pygls's protocol with what it leaves open: documents of our own, and answers to nonsense."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
)

from treelens_server import meant
from treelens_server.background import CancelledWorkError, ModifiedError
from treelens_server.files import path_of, uri_of
from treelens_server.opening import least
from treelens_server.positions import said
from treelens_server.records import as_json, decoded

_LOG = logging.getLogger("treelens")

_DOCUMENT_METHODS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)


_REQUESTS = frozenset(
    method for method, (_, result, *_) in types.METHOD_TO_TYPES.items() if result is not None
)
"""What the protocol knows as requests; everything else that it knows is a notification."""


_SHORTLY = reprlib.Repr()
_SHORTLY.maxstring = _SHORTLY.maxother = 300


class _RefusedError(Exception):
    """Why a message is not handled: an error of the protocol, and words."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class _UnableError(Exception):
    """The client cannot do what it was asked to; why, in its words."""


class Protocol(LanguageServerProtocol):
    """Messages in, handlers called. Whatever a client sends, a request gets one answer."""

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        # To collect all that is wrong with a message takes kilobytes for each element of a list.
        converter.detailed_validation = False
        converter.register_structure_hook(types.Position, said)
        for unknown in (JsonRPCRequestMessage, JsonRPCNotification):
            converter.register_structure_hook(unknown, _as_it_is)
        super().__init__(server, converter)
        # pygls would keep the text a second time, rebuild all of it at each change and break
        # its lines where the protocol does not: our handlers for these are the only ones.
        for method in _DOCUMENT_METHODS:
            self.fm.builtin_features.pop(method, None)
        self.waits: Callable[[dict[str, Any]], bool] = lambda _: False
        """Whether a request has to wait for something that is still being read."""
        self.records: dict[str, tuple[Any, Callable[[Any], Any]]] = {}
        """Of messages of our own the record that they bring, and what answers them."""
        self._versions = itertools.count(1)
        self._asked = itertools.count(1)
        self._waiting: dict[object, dict[str, Any]] = {}
        self._under_way: dict[object, asyncio.Future[str]] = {}
        self.answered = False
        """Whether the first message, ``initialize``, has been answered before it was handled."""
        self.handled = 0
        """Messages that are done with, or are being answered in the background."""

    @property
    def was_shut_down(self) -> bool:
        return self._shutdown

    def receive(self, bodies: Sequence[bytes]) -> None:
        """Handle messages that arrived together; requests cancelled among them are not begun,
        and those that are under way are ended."""
        parsed = (message for body in bodies if (message := self._parsed(body)) is not None)
        messages = [*_told_together(parsed)]
        cancelled = {_cancelled(message): at for at, message in enumerate(messages)}
        for number in cancelled.keys() & self._under_way.keys():
            self._under_way[number].cancel()
        waiting, self._waiting = self._waiting, {}
        for at, message in enumerate([*waiting.values(), *messages], -len(waiting)):
            self.handled += 1
            try:
                self._handle(message, at, cancelled)
            except ConnectionError:
                raise
            except _RefusedError as refusal:
                self._refuse(message, refusal.code, str(refusal))
            except Exception:  # whatever it is, the next message is another one
                _LOG.exception("message %s", for_log(message))
                self._refuse(message, types.ErrorCodes.InternalError, "failed: see the log")

    def resume(self) -> None:
        """Something was read: whoever has waited for it is answered."""
        self.receive([])

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """Answer a request, or have it answered when there is an answer."""
        if self.answered:
            self.answered = False
            self._request_futures.pop(msg_id, None)
            if error := future.exception():
                _LOG.error("initialize was answered, and has failed", exc_info=error)
            return
        later = None if future.cancelled() or future.exception() else future.result()
        if not isinstance(later, asyncio.Future):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._await(msg_id, later)

    def _await(self, number: int | str, later: asyncio.Future[str]) -> None:
        self._under_way[number] = later
        later.add_done_callback(partial(self._send_later, number))

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
            self._send_result(number, future.result().encode())

    def _send_data(self, data: Any) -> None:
        """Send a message; an answer that cannot be written is an error: pygls would send none."""
        try:
            body = json.dumps(data, default=self._serialize_message).encode()
        except Exception:  # (That it is nested too deeply, most likely.)
            _LOG.exception("a message could not be written")
            if not hasattr(data, "method"):
                self._refuse({"id": data.id}, types.ErrorCodes.InternalError, "failed: see the log")
        else:
            self._send_body(body)

    def tell(self, method: str, params: object) -> None:
        """Send a notification of plain data, or of records."""
        body = {"jsonrpc": self.VERSION, "method": method, "params": params}
        self._send_body(as_json(body))

    def ask(self, method: str, params: object) -> Future[Any]:
        """Send a request of plain data, or of records; what the client answers."""
        number = f"treelens-{next(self._asked)}"
        answer: Future[Any] = Future()
        self._request_futures[number] = answer
        body = {"jsonrpc": self.VERSION, "id": number, "method": method, "params": params}
        self._send_body(as_json(body))
        return answer

    def _send_result(self, number: int | str, result: bytes) -> None:
        """An answer's JSON, with what goes around it."""
        body = b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (as_json(number), result)
        self._send_body(body)

    def _send_body(self, body: bytes) -> None:
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _parsed(self, body: bytes) -> dict[str, Any] | None:
        codes = types.ErrorCodes
        try:
            message = json.loads(body)
        except (ValueError, RecursionError, MemoryError) as error:
            _LOG.error("a message that is not JSON: %s", error)
            self._refuse({}, codes.ParseError, f"not JSON: {error}")
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            _LOG.error("a message that is not JSON-RPC 2.0: %s", for_log(message))
            number = message.get("id") if isinstance(message, dict) else None
            known = {"id": number} if _is_number(number) else {}
            self._refuse(known, codes.InvalidRequest, "not JSON-RPC 2.0")
            return None
        if "method" in message and not _is_number(message.get("id", 0)):
            _LOG.error("an id that is none: %s", for_log(message["id"]))
            self._refuse({}, codes.InvalidRequest, "an id is a whole number or a string")
            return None
        return message

    def _handle(self, message: dict[str, Any], at: int, cancelled: Mapping[object, int]) -> None:
        """Answer one message, unless it is cancelled behind its place among others; raises
        :exc:`_RefusedError`."""
        if "method" not in message:
            self._hear(message)
            return
        self._check(message)
        if message["method"] == types.CANCEL_REQUEST:
            return
        if "id" in message and cancelled.get(message["id"], at) > at:
            raise _RefusedError(types.LSPErrorCodes.RequestCancelled, "cancelled")
        if "id" in message and self.waits(message):
            self._waiting[message["id"]] = message
            return
        if message["method"] in self.records:
            self._answer(message, *self.records[message["method"]])
            return
        message.setdefault("params", None)
        if message["method"] in meant.METHODS:
            message["params"] = meant.as_meant(message["params"], self._versions)
        if message["method"] == types.INITIALIZE and isinstance(message["params"], dict):
            message["params"] = _with_a_root(message["params"])
        try:
            structured = self.structure_message(dict(message))
        except JsonRpcException as error:
            if not self.answered:
                # pygls would leave the client waiting.
                reason = JsonRpcInvalidParams.MESSAGE
                raise _RefusedError(types.ErrorCodes.InvalidParams, reason) from None
            _LOG.error("the client says what it can do in no way that is known: %s", error)
            structured = self.structure_message(least(message))
        self.handle_message(structured)

    def _answer(self, message: dict[str, Any], type_: Any, answer: Callable[[Any], Any]) -> None:
        """Records in, records out: nothing of these is pygls's."""
        try:
            params = decoded(message.get("params"), type_)
        except ValueError as error:
            raise _RefusedError(types.ErrorCodes.InvalidParams, str(error)) from None
        found = answer(params)
        if "id" not in message:
            return
        if isinstance(found, asyncio.Future):
            self._await(message["id"], found)
        else:
            self._send_result(message["id"], as_json(found))

    def _hear(self, message: dict[str, Any]) -> None:
        """An answer to a request of ours: whatever the client has sent; an error is raised to who
        asks for the result."""
        number = str(message.get("id"))
        self._result_types.pop(number, None)
        asked = self._request_futures.pop(number, None)
        error = message.get("error")
        if asked is not None and not asked.cancelled():  # as they are once it shuts down
            if error:
                asked.set_exception(_UnableError(_words_of(error)))
            else:
                asked.set_result(message.get("result"))
        if error:
            _LOG.warning("the client cannot do what it was asked to: %s", for_log(error))

    def _check(self, message: dict[str, Any]) -> None:
        """Raises :exc:`_RefusedError` for what has no place here, or not now."""
        method, codes = message["method"], types.ErrorCodes
        if not isinstance(method, str):
            raise _RefusedError(codes.InvalidRequest, "a method is a string")
        if self._shutdown and method != types.EXIT:
            raise _RefusedError(codes.InvalidRequest, "the server is shutting down")
        if self._workspace is None and method not in (types.INITIALIZE, types.EXIT):
            raise _RefusedError(codes.ServerNotInitialized, "initialize comes first")
        if self._workspace is not None and method == types.INITIALIZE:
            raise _RefusedError(codes.InvalidRequest, "already initialized")
        if "id" not in message:
            return
        if method in types.METHOD_TO_TYPES and method not in _REQUESTS and method != types.EXIT:
            raise _RefusedError(codes.InvalidRequest, f"{method} is a notification: it has no id")
        if message["id"] in self._under_way or message["id"] in self._waiting:
            raise _RefusedError(codes.InvalidRequest, "another request with this id is under way")

    def _refuse(self, message: dict[str, Any], code: int, reason: str) -> None:
        """Answer a request with an error; a notification has no answer."""
        if "method" in message and "id" not in message:
            _LOG.warning("%s is ignored: %s", for_log(message["method"]), reason)
            return
        error = {"code": int(code), "message": reason}
        self._send_data({"jsonrpc": self.VERSION, "id": message.get("id"), "error": error})


def _as_it_is(message: dict[str, Any], type_: Any) -> Any:
    """A message of a method that nobody knows: pygls would make a class of each object in it."""
    return type_(**message)


def for_log(value: object) -> str:
    """What a client has sent, for the log: short, and however deep it is."""
    return _SHORTLY.repr(value)


def _words_of(error: object) -> str:
    """What an error of a client says."""
    said = error.get("message") if isinstance(error, dict) else None
    return said if isinstance(said, str) else for_log(error)


def _is_number(value: object) -> bool:
    """Whether this can be a request's id."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def _with_a_root(params: dict[str, Any]) -> dict[str, Any]:
    """What a client begins with, without a root that is no folder, and with what it can do if it
    says nothing of that: pygls would not begin."""
    uri, path = params.get("rootUri"), params.get("rootPath")
    if isinstance(uri, str) and path_of(uri) is None:
        _LOG.warning("the root %s is no folder on disk: there is none", for_log(uri))
        uri = None
    elif uri is None and isinstance(path, str) and Path(path).is_absolute():
        uri = uri_of(Path(path))
    able = params.get("capabilities") or {}
    return {**params, "capabilities": able, "rootUri": uri, "rootPath": None}


def _told_together(messages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The messages; what is told of files on disk in several that follow each other (some clients
    send one a file), in one: for each, all that is compared would be looked at."""
    for are_of_files, some in itertools.groupby(messages, _tells_of_files):
        if are_of_files:
            first, *others = some
            changes = [*first["params"]["changes"]]
            for other in others:
                changes += other["params"]["changes"]
            yield {**first, "params": {"changes": changes}}
        else:
            yield from some


def _tells_of_files(message: dict[str, Any]) -> bool:
    """Whether it does nothing else, and as it should: what is not so is refused for itself."""
    if message.get("method") != types.WORKSPACE_DID_CHANGE_WATCHED_FILES or "id" in message:
        return False
    params = message.get("params")
    changes = params.get("changes") if isinstance(params, dict) else None
    return isinstance(changes, list) and all(
        isinstance(one, dict) and isinstance(one.get("uri"), str) and one.get("type") in (1, 2, 3)
        for one in changes
    )


def _cancelled(message: dict[str, Any]) -> object:
    """The id of the request that a notification cancels; None of everything else."""
    params = message.get("params")
    if message.get("method") != types.CANCEL_REQUEST or not isinstance(params, dict):
        return None
    return params.get("id") if "id" not in message and _is_number(params.get("id")) else None
