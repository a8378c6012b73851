"""The client's documents, folders and files: everything that changes what the server knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from treelens_server.features import Feature, workspace_diagnostics

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

VISIBLE = "treelens/visible"


def opened(workbench: Workbench, params: types.DidOpenTextDocumentParams) -> None:
    workbench.did_open(params.text_document)
    workspace_diagnostics.opened(workbench, params.text_document.uri)


def changed(workbench: Workbench, params: types.DidChangeTextDocumentParams) -> None:
    workbench.did_change(params)


def closed(workbench: Workbench, params: types.DidCloseTextDocumentParams) -> None:
    workbench.did_close(params.text_document.uri)
    workspace_diagnostics.again(workbench)


def files_changed(workbench: Workbench, params: types.DidChangeWatchedFilesParams) -> None:
    workbench.look_around(soon=True)
    workspace_diagnostics.again(workbench)


def folders_changed(workbench: Workbench, params: types.DidChangeWorkspaceFoldersParams) -> None:
    workbench.find_roots()
    workbench.look_around(soon=True)


def visible(workbench: Workbench, params: Any) -> None:
    """Of our own extension: ``{uri, ranges}``, what can be seen of a document."""
    workbench.visible(params.uri, params.ranges)


def configured(workbench: Workbench, params: types.DidChangeConfigurationParams) -> None:
    """``{treelens: {hints: {heads: true}}}``: the client's settings, as far as we have any."""
    workbench.configure(params.settings)


def progress_cancelled(workbench: Workbench, params: types.WorkDoneProgressCancelParams) -> None:
    workbench.background.cancel(params.token)


FEATURES = (
    Feature(types.TEXT_DOCUMENT_DID_OPEN, opened),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, changed),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, closed),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files_changed),
    Feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, folders_changed),
    Feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, progress_cancelled),
    Feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION, configured),
    Feature(VISIBLE, visible),
)
