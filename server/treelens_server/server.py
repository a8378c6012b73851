"""The server put together: which features there are, and the one place where they may fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from treelens import __version__

from treelens_server import intake
from treelens_server.background import Background, Later
from treelens_server.client import Client, LogToClient, LogToTerminal
from treelens_server.context import Context, Feature, Handler
from treelens_server.documents import Documents
from treelens_server.features import (
    abreast,
    actions,
    adjudicating,
    answering,
    by_hand,
    calls,
    completions,
    consistency,
    counterparts,
    diagnostics,
    folds,
    formatting,
    guidelines,
    highlights,
    hints,
    hovers,
    lenses,
    linked,
    navigation,
    notes,
    on_type,
    packed,
    pictures,
    renaming,
    review,
    selections,
    status,
    symbols,
    tokens,
    worklist,
    workspace_diagnostics,
    workspace_symbols,
)
from treelens_server.files import name_of
from treelens_server.protocol import Protocol, for_log
from treelens_server.publishing import Publisher
from treelens_server.records import Command, decoded
from treelens_server.reports import Reports
from treelens_server.shares import DocumentNames
from treelens_server.waiting import keeps_waiting

_LOG = logging.getLogger("treelens")

_COUNT_EVERY = 0.02
"""Seconds between two parts of what a feature counts; messages go first."""

FEATURES: tuple[Feature, ...] = (
    abreast.FEATURE,
    actions.FEATURE,
    adjudicating.FEATURE,
    answering.FEATURE,
    by_hand.FEATURE,
    calls.FEATURE,
    completions.FEATURE,
    consistency.FEATURE,
    counterparts.FEATURE,
    diagnostics.FEATURE,
    folds.FEATURE,
    formatting.FEATURE,
    guidelines.FEATURE,
    highlights.FEATURE,
    hints.FEATURE,
    hovers.FEATURE,
    lenses.FEATURE,
    linked.FEATURE,
    navigation.FEATURE,
    on_type.FEATURE,
    packed.FEATURE,
    pictures.FEATURE,
    renaming.FEATURE,
    review.FEATURE,
    notes.FEATURE,
    selections.FEATURE,
    status.FEATURE,
    symbols.FEATURE,
    tokens.FEATURE,
    worklist.FEATURE,
    workspace_diagnostics.FEATURE,
    workspace_symbols.FEATURE,
)


class Server(LanguageServer):
    """pygls's server, except that what goes wrong is for the log and not for a message box."""

    protocol: Protocol

    def report_server_error(self, error: Exception, source: Any) -> None:
        _LOG.error("%s: %s", source.__name__, error)


class ClientSession:
    """One client's documents, and the features with their memories."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.client = Client(server)
        self.documents = Documents(self.client, self._has_progressed)
        self._reports = Reports(self._names)
        self._publisher = Publisher(self.documents, self._reports)
        self._features = [(feature, self._context(feature)) for feature in FEATURES]
        for feature, context in self._features:
            source = feature.links(context.memory, self.documents)
            if source is not None:
                self.documents.sources.add(source)
        self._counting: asyncio.TimerHandle | None = None
        self._log = LogToClient(self.client)
        _LOG.addHandler(self._log)

    def _context(self, feature: Feature) -> Context[Any]:
        return Context(self.client, feature.memory(), self.documents, self._reports)

    def _names(self) -> DocumentNames:
        documents, client = self.documents, self.client
        return DocumentNames(
            documents.session.document, documents.uri, client.encoding, client.shows_related
        )

    @property
    def background(self) -> Background:
        return self.documents.background

    def announce(self) -> None:
        """Tell the client what it would not ask for; after every turn of the loop's work."""
        self.documents.turn()
        self._publisher.announce()
        more = [feature.turned(context) for feature, context in self._features]
        if any(more) and self._counting is None:
            loop = asyncio.get_running_loop()
            self._counting = loop.call_later(_COUNT_EVERY, self._count_on)

    def _count_on(self) -> None:
        self._counting = None
        self.announce()

    def stop(self) -> None:
        self.background.stop()
        _LOG.removeHandler(self._log)

    def keeps_waiting(self, message: dict[str, Any]) -> bool:
        again = self.client.asks_for_lenses_again
        return keeps_waiting(message, self.documents, asks_again=again)

    def _has_progressed(self) -> None:
        self._server.protocol.resume()
        self.announce()

    # --- what is registered ------------------------------------------------------------------

    def register(self) -> None:
        """Everything but what depends on the client."""
        on = self._server.feature  # (pygls sets attributes on what it is given.)
        on(types.INITIALIZE)(partial(self._initialize))
        on(types.INITIALIZED)(partial(self._initialized))
        on(types.TEXT_DOCUMENT_DID_OPEN)(partial(self._did_open))
        on(types.TEXT_DOCUMENT_DID_CLOSE)(partial(self._did_close))
        on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(partial(self._files_changed))
        on(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(partial(self._folders_changed))
        for notification in intake.NOTIFICATIONS:
            self._register_handler(notification, self.documents)
        for command, take in intake.COMMANDS:
            self._register_command(command, partial(take, self.documents))
        for feature, context in self._features:
            self._register_handlers(feature, context, asked=False)
            for command, run in feature.commands:
                self._register_command(command, partial(run, context))

    def _register_handlers(self, feature: Feature, context: Context[Any], *, asked: bool) -> None:
        for handler in feature.handlers:
            wanted = handler.wanted
            if asked is (wanted is not None) and (wanted is None or wanted(self.client)):
                self._register_handler(handler, context)

    def _register_handler(self, handler: Handler, given: Any) -> None:
        answer = self._guarded(handler, given)
        if handler.params is not None:
            self._server.protocol.records[handler.method] = handler.params, answer
        if handler.params is None or handler.method in types.METHOD_TO_TYPES:
            self._server.feature(handler.method, handler.options)(answer)

    def _register_command(self, command: Command, run: Callable[[Any], Any]) -> None:
        def handler(*arguments: Any) -> Any:
            try:
                argument = decoded(arguments[0] if arguments else {}, command.argument)
                return self._begun(run(argument))
            except Exception:
                _LOG.exception("%s failed on %s", command.name, for_log(arguments))
                self.client.tell(f"{command.name} failed: see the log", types.MessageType.Error)
                return None

        self._server.command(command.name)(handler)

    def _guarded(self, handler: Handler, given: Any) -> Callable[[Any], Any]:
        """What fails is logged and answered with nothing: it must not silence the others."""

        def answer(params: Any) -> Any:
            try:
                token = getattr(params, "work_done_token", None)
                found = handler.answer(given, params)
                if not isinstance(found, Later | Coroutine):
                    found = handler.join(found, self._joined(handler.method, params))
                return self._begun(found, token)
            except Exception:
                _LOG.exception("%s failed on %s", handler.method, for_log(params))
                return handler.empty

        return answer

    def _joined(self, method: str, params: Any) -> list[Any]:
        """What other features add to an answer; one that fails adds nothing."""
        found: list[Any] = []
        for feature, context in self._features:
            for one in feature.joins:
                if one.method == method:
                    try:
                        found += one.answer(context, params)
                    except Exception:
                        _LOG.exception("%s failed on %s", method, for_log(params))
        return found

    def _begun(self, found: Any, token: types.ProgressToken | None = None) -> Any:
        """An answer, or a future of one if it takes a while."""
        if isinstance(found, Later):
            return self.background.answer(found, token)
        return self.background.begin(found) if isinstance(found, Coroutine) else found

    # --- what features are told of ------------------------------------------------------------

    def _initialize(self, params: types.InitializeParams) -> None:
        self.client.meet(params.capabilities)
        for feature, context in self._features:
            self._register_handlers(feature, context, asked=True)
        self.documents.find_roots()

    def _initialized(self, params: types.InitializedParams) -> None:
        self.client.begun = True
        self.documents.relink()

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self.documents.did_open(params.text_document)
        for feature, context in self._features:
            feature.opened(context, name_of(params.text_document.uri))

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        name = name_of(uri)
        if self.documents.did_close(uri):
            self._publisher.forget(name, uri)
        if name in self.documents.open:
            return
        for feature, context in self._features:
            feature.closed(context, name)

    def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        self.documents.files_changed([change.uri for change in params.changes])
        self._tell_of_files()

    def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        self.documents.folders_changed()
        self._tell_of_files()

    def _tell_of_files(self) -> None:
        for feature, context in self._features:
            feature.files_changed(context)


def build() -> tuple[Server, ClientSession]:
    """A server for one client, and what it has in hand."""
    _log_to_stderr()
    server = Server(
        "treelens",
        __version__,
        protocol_cls=Protocol,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
    )
    sitting = ClientSession(server)
    server.protocol.waits = sitting.keeps_waiting
    sitting.register()
    return server, sitting


def _log_to_stderr() -> None:
    """Warnings and errors go to standard error, besides to the client's log."""
    logging.raiseExceptions = False  # a client that is gone reads no log
    _LOG.propagate = False
    for handler in [*_LOG.handlers]:
        if not isinstance(handler, LogToClient):
            _LOG.removeHandler(handler)
    to_terminal = LogToTerminal()
    _LOG.addHandler(to_terminal)
    logging.lastResort = to_terminal  # for what libraries log
