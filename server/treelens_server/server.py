"""The server put together: which features there are, and the one place where they may fail."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from treelens import __version__

from treelens_server.background import Later
from treelens_server.client import Client, LogToClient
from treelens_server.features import (
    Feature,
    abreast,
    actions,
    adjudicating,
    answering,
    calls,
    completions,
    counterparts,
    diagnostics,
    documents,
    folds,
    formatting,
    highlights,
    hints,
    hovers,
    lenses,
    linked,
    on_type,
    pictures,
    renaming,
    selections,
    symbols,
    tokens,
    worklist,
    workspace_diagnostics,
    workspace_symbols,
)
from treelens_server.features.commands import COMMANDS
from treelens_server.protocol import Protocol, shown
from treelens_server.workbench import Workbench

_LOG = logging.getLogger("treelens")

FEATURES: tuple[Feature, ...] = (
    *documents.FEATURES,
    *diagnostics.FEATURES,
    *workspace_diagnostics.FEATURES,
    *hovers.FEATURES,
    *lenses.FEATURES,
    *counterparts.FEATURES,
    *answering.FEATURES,
    *abreast.FEATURES,
    *calls.FEATURES,
    *highlights.FEATURES,
    *hints.FEATURES,
    *symbols.FEATURES,
    *workspace_symbols.FEATURES,
    *worklist.FEATURES,
    *folds.FEATURES,
    *selections.FEATURES,
    *tokens.FEATURES,
    *actions.FEATURES,
    *formatting.FEATURES,
    *completions.FEATURES,
    *renaming.FEATURES,
    *pictures.FEATURES,
    *linked.FEATURES,
    *on_type.FEATURES,
)


class Server(LanguageServer):
    """pygls's server, except that what goes wrong is for the log and not for a message box."""

    protocol: Protocol

    def report_server_error(self, error: Exception, source: Any) -> None:
        _LOG.error("%s: %s", source.__name__, error)


def build() -> tuple[Server, Workbench]:
    """A server for one client, and what it has in hand."""
    server = Server(
        "treelens",
        __version__,
        protocol_cls=Protocol,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
    )
    client = Client(server)
    workbench = Workbench(client)
    server.protocol.waits = workbench.keeps_waiting
    workbench.when_ready(server.protocol.resume)
    _log(client)

    def register(features: tuple[Feature, ...]) -> None:
        for feature in features:
            server.feature(feature.method, feature.options)(_guarded(feature, workbench))

    def initialize(params: types.InitializeParams) -> None:
        client.meet(params.capabilities)
        if not client.can("text_document.semantic_tokens.requests.range"):
            register(tokens.WITHOUT_RANGES)
        workbench.find_roots()

    server.feature(types.INITIALIZE)(initialize)
    server.feature(types.INITIALIZED)(lambda params: workbench.relink())
    register(FEATURES)
    for name, command in (
        COMMANDS
        | actions.COMMANDS
        | adjudicating.COMMANDS
        | worklist.COMMANDS
        | on_type.COMMANDS
        | renaming.COMMANDS
        | workspace_diagnostics.COMMANDS
    ).items():
        server.command(name)(_command(name, command, workbench))
    return server, workbench


def _command(
    name: str, command: Callable[[Workbench, Any], Any], workbench: Workbench
) -> Callable[..., Any]:
    def handler(*arguments: Any) -> Any:
        try:
            return _begun(workbench, command(workbench, arguments[0] if arguments else {}))
        except Exception:
            _LOG.exception("%s failed on %s", name, shown(arguments))
            client_says = f"{name} failed: see the log"
            workbench.client.tell(client_says, types.MessageType.Error)
            return None

    return handler


def _guarded(feature: Feature, workbench: Workbench) -> Callable[[Any], Any]:
    """A failing feature is logged and answered with nothing: it must not silence the others."""

    def handler(params: Any) -> Any:
        try:
            token = getattr(params, "work_done_token", None)
            return _begun(workbench, feature.answer(workbench, params), token)
        except Exception:
            _LOG.exception("%s failed on %s", feature.method, shown(params))
            return feature.empty

    return handler


def _begun(workbench: Workbench, found: Any, token: types.ProgressToken | None = None) -> Any:
    """An answer, or a future of one if it takes a while."""
    if isinstance(found, Later):
        return workbench.background.answer(found, token)
    return workbench.background.begin(found) if isinstance(found, Coroutine) else found


def _log(client: Client) -> None:
    """Warnings and errors go to the client's log, and to standard error."""
    logging.raiseExceptions = False  # a client that is gone reads no log
    _LOG.propagate = False
    to_stderr = logging.StreamHandler(sys.stderr)
    to_stderr.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    others = [handler for handler in _LOG.handlers if isinstance(handler, LogToClient)]
    _LOG.handlers = [to_stderr, *others, LogToClient(client)]
