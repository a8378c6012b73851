"""What the client can do, and everything that is said to it without having been asked."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple, TextIO

import msgspec
from lsprotocol import types
from treelens.present.names import short_name
from treelens.render.markdown import plain
from treelens.render.width import shortened, without_controls

from treelens_server.positions import Encoding
from treelens_server.records import Message, Record, as_json

_WARNING = types.MessageType.Warning
_NAMED = 3
"""Files that are named in a message."""
_ROOM = 300
"""Columns for why a client does not do what it was asked to."""


class WrittenEdit(NamedTuple):
    """A ``WorkspaceEdit`` as it is sent."""

    uris: Sequence[str]
    """Of the files that it changes."""
    json: msgspec.Raw


class Client:
    """The other end. Before it has said what it can do, it can do nothing."""

    def __init__(self, server: Any) -> None:
        """``server``: pygls's, with our protocol."""
        self._server = server
        self.capabilities = types.ClientCapabilities()
        self.encoding: Encoding = "utf-16"
        self.shows_related = False
        """Whether a diagnostic may name other places than its own."""
        self.begun = False
        """Whether it has said that it is ready to be asked."""
        self._has_folders = False
        self._progress = 0

    def meet(self, capabilities: types.ClientCapabilities) -> None:
        self.capabilities = capabilities
        agreed = str(self._server.workspace.position_encoding)
        for encoding in ("utf-8", "utf-32"):
            if encoding in agreed:
                self.encoding = encoding
        # (What LSP 3.17 knows of diagnostics that are pushed; 3.18 asks of those pulled, too.)
        self.shows_related = any(
            self.can(f"text_document.{of}.related_information")
            for of in ("publish_diagnostics", "diagnostic")
        )

    def folders(self) -> list[str]:
        """The URIs of the workspace's folders; of clients that know of one only, that."""
        workspace = self._server.workspace
        folders = [folder.uri for folder in workspace.folders.values()]
        self._has_folders |= bool(folders)
        alone = workspace.root_uri if not self._has_folders else None
        return folders or ([alone] if alone else [])

    def can(self, path: str) -> bool:
        """Whether a capability, such as ``window.workDoneProgress``, is declared."""
        return bool(self._declared(path))

    def lists(self, path: str, value: str) -> bool:
        """Whether a capability that is a list has something in it."""
        return value in (self._declared(path) or ())

    def _declared(self, path: str) -> Any:
        value: Any = self.capabilities
        for name in path.split("."):
            value = getattr(value, name, None)
        return value

    def markup(self, markdown: str) -> types.MarkupContent:
        """What a hover says, as the client would rather have it."""
        formats = self._declared("text_document.hover.content_format")
        if formats and formats[0] == types.MarkupKind.PlainText:
            return types.MarkupContent(types.MarkupKind.PlainText, plain(markdown))
        return types.MarkupContent(types.MarkupKind.Markdown, markdown)

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics; what is pulled is not pushed as well."""
        return self.capabilities.text_document is not None and (
            self.capabilities.text_document.diagnostic is not None
        )

    @property
    def takes_literals(self) -> bool:
        """Whether an action may be more than a command."""
        return self.can("text_document.code_action.code_action_literal_support")

    @property
    def asks_for_lenses_again(self) -> bool:
        """Whether it does so when it is told to."""
        return self.can("workspace.code_lens.refresh_support")

    def publish(
        self,
        uri: str,
        items: Sequence[types.Diagnostic] | Sequence[msgspec.Raw],
        version: int | None = None,
    ) -> None:
        """``items``: also as they are sent."""
        plain = [one if isinstance(one, msgspec.Raw) else self._shown(one) for one in items]
        params: dict[str, Any] = {"uri": uri, "diagnostics": plain}
        params |= {} if version is None else {"version": version}
        self._server.protocol.tell(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _shown(self, one: types.Diagnostic) -> Any:
        plain = self.plain(one)
        return plain | {"message": without_controls(plain["message"])}

    def refresh(self, *, folds: bool) -> None:
        """Ask it to ask again, about everything that can change without an edit of the file."""
        ask = self._server.protocol.send_request
        if self.pulls and self.can("workspace.diagnostics.refresh_support"):
            ask(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        self.refresh_lenses()
        if self.can("workspace.inlay_hint.refresh_support"):
            ask(types.WORKSPACE_INLAY_HINT_REFRESH)
        if self.can("workspace.semantic_tokens.refresh_support"):
            ask(types.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
        if folds and self.can("workspace.folding_range.refresh_support"):
            ask(types.WORKSPACE_FOLDING_RANGE_REFRESH)

    def refresh_lenses(self) -> None:
        if self.asks_for_lenses_again:
            self._server.protocol.send_request(types.WORKSPACE_CODE_LENS_REFRESH)

    def say(self, message: Message, params: Record) -> None:
        """For our own extension; other clients ignore notifications that they do not know."""
        self._server.protocol.tell(message.method, params)

    def plain(self, value: Any) -> Any:
        """Something of the protocol as plain data."""
        return self._server.protocol._converter.unstructure(value)

    def partial(self, token: types.ProgressToken, value: Any) -> None:
        """A part of an answer, in plain data."""
        self._server.protocol.tell(types.PROGRESS, {"token": token, "value": value})

    def show(self, uri: str, selection: types.Range) -> None:
        if self.can("window.show_document.support"):
            params = types.ShowDocumentParams(uri, take_focus=True, selection=selection)
            self._server.protocol.send_request(types.WINDOW_SHOW_DOCUMENT, params)
        else:
            self.tell(f"{uri}, line {selection.start.line + 1}")

    def edit(
        self,
        edit: types.WorkspaceEdit | WrittenEdit,
        made: Callable[[], object] = lambda: None,
        refused: Callable[[str], object] | None = None,
    ) -> None:
        """Have text changed, and call ``made`` if it was; if not, ``refused`` with what could not
        be done, and why as far as the client says, without a full stop: else the user is told
        that."""
        if not self.can("workspace.apply_edit"):
            (refused or self.tell)("This editor lets no server change text")
            return
        written = edit if isinstance(edit, WrittenEdit) else self.written_edit(edit)

        def answered(answer: Future[Any]) -> None:
            if answer.cancelled():  # it shuts down
                return
            why = _refusal(answer)
            if why is None:
                made()
            elif refused:
                refused(f"{_files(written.uris)} could not be changed{why and ': '}{why}")
            elif why:  # (Else it was the user's own word, or has been changed meanwhile.)
                self.tell(f"{_files(written.uris)} could not be changed: {why}", _WARNING)

        asked = self._server.protocol.ask(types.WORKSPACE_APPLY_EDIT, {"edit": written.json})
        asked.add_done_callback(answered)

    def written_edit(self, edit: types.WorkspaceEdit) -> WrittenEdit:
        """From any thread: what takes long for an edit of many places."""
        changes = edit.document_changes or ()
        texts = (one for one in changes if isinstance(one, types.TextDocumentEdit))
        uris = [*(edit.changes or ()), *(one.text_document.uri for one in texts)]
        return WrittenEdit(uris, msgspec.Raw(self.written(edit).encode()))

    def tell(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a message to the user."""
        self._server.window_show_message(types.ShowMessageParams(kind, without_controls(message)))
        self.log(message, kind)

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        self._server.window_log_message(types.LogMessageParams(kind, without_controls(message)))

    def watch(self, watchers: list[types.FileSystemWatcher], *, again: bool) -> None:
        """Have files watched, instead of those before if there were some."""
        if not self.can("workspace.did_change_watched_files.dynamic_registration"):
            return
        ask, identity = self._server.protocol.send_request, "treelens-files"
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        old = types.UnregistrationParams([types.Unregistration(identity, method)])
        if again:
            ask(types.CLIENT_UNREGISTER_CAPABILITY, old)
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        new = types.RegistrationParams([types.Registration(identity, method, options)])
        ask(types.CLIENT_REGISTER_CAPABILITY, new)

    def begin_progress(
        self, title: str, token: types.ProgressToken | None = None
    ) -> types.ProgressToken | None:
        """A bar for work that takes a while, which the user can cancel; its token.

        ``token``: of a bar that the client has made for a request of its own.
        """
        if token is None:
            if not self.can("window.work_done_progress"):
                return None
            self._progress += 1
            token = f"treelens-{self._progress}"
            created = types.WorkDoneProgressCreateParams(token)
            self._server.protocol.send_request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, created)
        self._say(token, types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))
        return token

    def report_progress(
        self, token: types.ProgressToken | None, share: float, message: str | None = None
    ) -> None:
        if token is not None:
            percentage = round(100 * share)
            self._say(token, types.WorkDoneProgressReport(message=message, percentage=percentage))

    def end_progress(self, token: types.ProgressToken | None) -> None:
        if token is not None:
            self._say(token, types.WorkDoneProgressEnd())

    def written(self, value: Any) -> str:
        """Something of the protocol as JSON, made in small steps: no thread is kept waiting."""
        if isinstance(value, Record):
            return as_json(value).decode()
        # (Another converter would be the same, and cost a start 50 ms.)
        return _json(self.plain(value))

    def _say(self, token: types.ProgressToken, value: Any) -> None:
        self._server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))


def _refusal(answer: Future[Any]) -> str | None:
    """Why a client has not made an edit, empty if it does not say; None if it has."""
    if error := answer.exception():
        return shortened(str(error).rstrip("."), _ROOM)
    match answer.result():
        case {"applied": True}:
            return None
        case {"failureReason": str(why)}:
            return shortened(why.rstrip("."), _ROOM)
    return ""


def _files(uris: Sequence[str]) -> str:
    more = f" and {len(uris) - _NAMED} more" if len(uris) > _NAMED else ""
    return ", ".join(map(short_name, uris[:_NAMED])) + more


def _json(plain: Any) -> str:
    if isinstance(plain, list):
        return "[" + ",".join(map(_json, plain)) + "]"
    if isinstance(plain, dict) and any(isinstance(value, list | dict) for value in plain.values()):
        pairs = (f"{json.dumps(key)}:{_json(value)}" for key, value in plain.items())
        return "{" + ",".join(pairs) + "}"
    return json.dumps(plain)


class LogToClient(logging.Handler):
    """Sends our log records to the client's log; they go to standard error besides."""

    def __init__(self, client: Client) -> None:
        super().__init__(logging.WARNING)
        self._client = client
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:  # another client's
            return
        kinds = types.MessageType
        kind = kinds.Error if record.levelno >= logging.ERROR else kinds.Warning
        self._client.log(self.format(record), kind)


class LogToTerminal(logging.StreamHandler[TextIO]):
    """Writes our log records to standard error, where users' text does nothing to a terminal."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(logging.Formatter("%(levelname)s %(message)s"))

    def format(self, record: logging.LogRecord) -> str:
        return without_controls(super().format(record))
