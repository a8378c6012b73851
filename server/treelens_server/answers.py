"""The messages of LSP that follow every keystroke, as records: decoded and encoded at once.

The others are lsprotocol's, whose generic conversion would take most of a keystroke's time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from lsprotocol.types import Range
from msgspec import UNSET, Raw, UnsetType

from treelens_server.records import Record, TextDocument


class DocumentParams(Record, frozen=True):
    """What is asked of a whole document."""

    text_document: TextDocument


class RangeParams(Record, frozen=True):
    """What is asked of a part of it."""

    text_document: TextDocument
    range: Range


class DiagnosticParams(Record, frozen=True):
    text_document: TextDocument
    previous_result_id: str | None = None


class DiagnosticReport(Record, frozen=True, kw_only=True):
    """A document's diagnostics; without ``items``, those that the client has."""

    kind: str
    result_id: str | UnsetType = UNSET
    items: Sequence[Raw] | UnsetType = UNSET
    related_documents: Mapping[str, DiagnosticReport] | UnsetType = UNSET


class WorkspaceReport(Record, frozen=True, kw_only=True):
    uri: str
    version: int | None
    kind: str
    result_id: str
    items: Sequence[Raw] | UnsetType = UNSET


class WorkspaceReports(Record, frozen=True):
    items: Sequence[WorkspaceReport]


def json_list(items: Sequence[bytes]) -> Raw:
    """A list of what is JSON already."""
    return msgspec.Raw(b"[%b]" % b",".join(items))
