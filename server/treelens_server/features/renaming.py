"""Renaming: in the file, and, for the client to confirm, in the files it is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.edits.rename import problem, renamed
from treelens.present.names import short_name
from treelens.present.renaming import name_at

from treelens_server.edits import Changed, workspace_edit
from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def prepared(
    workbench: Workbench, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    at = workbench.locate(params.text_document.uri, params.position)
    name = at and name_at(*at)
    if not at or not name:
        return None
    (place,) = ranges(at[0].document, [name[2:]], workbench.client.encoding)
    return types.PrepareRenamePlaceholder(place, name.text)


def answer(workbench: Workbench, params: types.RenameParams) -> types.WorkspaceEdit | None:
    at = workbench.locate(params.text_document.uri, params.position)
    name = at and name_at(*at)
    if not at or not name:
        return None
    wrong = problem(params.new_name, name.kind)
    if wrong:
        workbench.client.tell(wrong, types.MessageType.Warning)
        return None
    snapshot = at[0]
    if not workbench.client.can("workspace.workspace_edit.change_annotation_support"):
        edits = renamed(snapshot.document, name, params.new_name)
        return workspace_edit(workbench, [Changed(snapshot.name, edits)])
    others = dict.fromkeys(other.name for other in snapshot.counterparts)
    return workspace_edit(
        workbench,
        [
            Changed(
                one,
                renamed(document, name, params.new_name),
                None if one == snapshot.name else f"Also in {short_name(one)}",
            )
            for one in (snapshot.name, *others)
            if (document := workbench.document(one)) is not None
        ],
    )


FEATURES = (
    Feature(
        types.TEXT_DOCUMENT_RENAME, answer, types.RenameOptions(prepare_provider=True), empty=None
    ),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, prepared),
)
