"""What clients say of documents otherwise than the protocol has it, as they mean it: a document
whose changes are not taken would be another one than the client's from then on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from treelens_server.limits import LONGEST_LIST

METHODS = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE)

_VERSIONS = 2**31
"""Those of the protocol are nearer to 0."""

_FURTHEST = 2**31 - 1
"""The largest number of a line or character that the protocol has."""

_PLACE = ("line", "character")
_DEEPEST = 8
"""How deep records have positions: of a range, in a list, in an argument."""


def as_meant(params: Any, versions: Iterator[int]) -> Any:
    """The parameters of :data:`METHODS`: with a version, the next of ``versions`` where there is
    none that is one; null is what is not said, and so is the length of what is replaced, which
    the range says."""
    if not isinstance(params, dict) or not isinstance(params.get("textDocument"), dict):
        return params
    item = {"languageId": "", **params["textDocument"]}
    if not is_version(item.get("version")):
        item["version"] = next(versions)
    found = {**params, "textDocument": item}
    if isinstance(changes := params.get("contentChanges"), list):
        found["contentChanges"] = [_said(change) for change in changes]
    return found


def is_version(value: Any) -> bool:
    """Whether it can be a version of a document: of any other the server has its own."""
    try:
        return abs(int(value)) < _VERSIONS
    except (TypeError, ValueError, OverflowError):
        return False


def within(number: Any) -> int:
    """The number of a line or character: the furthest that there is where a client says a larger
    one, as some have the largest one that they know for an end, and the first where it is below 0.

    :raises TypeError: it is no number.
    """
    if not isinstance(number, int | float) or isinstance(number, bool):
        raise TypeError("a line or a character is a number")
    # (Of NaN, which is less than nothing and more, the comparison is false.)
    return int(min(number, _FURTHEST)) if number > 0 else 0


def with_places(value: Any, depth: int = 0) -> Any:
    """A message of our own with its positions so. What is none is left to whoever reads it, and
    so are lists that are too long for any."""
    if depth > _DEEPEST or (isinstance(value, list) and len(value) > LONGEST_LIST):
        return value
    if isinstance(value, list):
        return [with_places(one, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    found = {key: with_places(one, depth + 1) for key, one in value.items()}
    try:
        place = {key: within(value[key]) for key in _PLACE}
    except (KeyError, TypeError):
        return found
    return found | place


def _said(change: Any) -> Any:
    if not isinstance(change, dict):
        return change
    return {
        key: value for key, value in change.items() if value is not None and key != "rangeLength"
    }
