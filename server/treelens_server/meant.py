"""What clients say of documents otherwise than the protocol has it, as they mean it: a document
whose changes are not taken would be another one than the client's from then on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

METHODS = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE)

_VERSIONS = 2**31
"""Those of the protocol are nearer to 0."""


def as_meant(params: Any, versions: Iterator[int]) -> Any:
    """The parameters of :data:`METHODS`: with a version, the next of ``versions`` where there is
    none that is one; null is what is not said, and so is the length of what is replaced, which
    the range says."""
    if not isinstance(params, dict) or not isinstance(params.get("textDocument"), dict):
        return params
    item = {"languageId": "", **params["textDocument"]}
    if not _is_version(item.get("version")):
        item["version"] = next(versions)
    found = {**params, "textDocument": item}
    if isinstance(changes := params.get("contentChanges"), list):
        found["contentChanges"] = [_said(change) for change in changes]
    return found


def _is_version(value: Any) -> bool:
    try:
        return abs(int(value)) < _VERSIONS
    except (TypeError, ValueError, OverflowError):
        return False


def _said(change: Any) -> Any:
    if not isinstance(change, dict):
        return change
    return {
        key: value for key, value in change.items() if value is not None and key != "rangeLength"
    }
