"""What a task comes to as parts of bytes, to be sent from one process of ours to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from treelens.align.groups import Groups
from treelens.counting.sums import PairingCounts, Sums
from treelens.counting.work import StretchProblem, StretchRead, TaskResult
from treelens.trees.forest import decode, encode

_RECORDS: tuple[Any, ...] = (
    tuple,
    TaskResult,
    StretchRead,
    StretchProblem,
    Groups,
    Sums,
    PairingCounts,
)
"""What is sent with its fields one after the other, known by its place here."""


def sent(result: TaskResult) -> list[bytes]:
    """The parts of a result: what each of its values is, in one, and those that are no numbers."""
    shape: list[str] = []
    parts: list[bytes] = []
    _write(result, shape, parts)
    return [" ".join(shape).encode(), *parts]


def received(parts: Sequence[bytes]) -> TaskResult:
    """The result whose parts these are. Its arrays are no copies, and not to be written into."""
    found = _read(iter(parts[0].decode().split(" ")), iter(parts[1:]))
    assert isinstance(found, TaskResult)
    return found


def _write(value: Any, shape: list[str], parts: list[bytes]) -> None:
    if value is None:
        shape.append("none")
    elif isinstance(value, int):
        shape.append(str(value))
    elif isinstance(value, np.ndarray):
        shape += ["array", value.dtype.str, str(value.ndim), *map(str, value.shape)]
        parts.append(value.tobytes())
    elif isinstance(value, bytes):
        shape.append("bytes")
        parts.append(value)
    elif isinstance(value, str):
        shape.append("text")
        parts.append(encode(value))
    elif isinstance(value, dict):
        shape += ["dict", str(len(value))]
        for each in value.items():
            _write(each, shape, parts)
    else:
        shape += ["record", str(_RECORDS.index(type(value))), str(len(value))]
        for each in value:
            _write(each, shape, parts)


def _read(shape: Iterator[str], parts: Iterator[bytes]) -> Any:
    kind = next(shape)
    if kind == "none":
        return None
    if kind == "array":
        dtype = next(shape)
        dimensions = [int(next(shape)) for _ in range(int(next(shape)))]
        return np.frombuffer(next(parts), dtype).reshape(dimensions)
    if kind == "bytes":
        return next(parts)
    if kind == "text":
        return decode(next(parts))
    if kind == "dict":
        return dict(_read(shape, parts) for _ in range(int(next(shape))))
    if kind == "record":
        record = _RECORDS[int(next(shape))]
        values = [_read(shape, parts) for _ in range(int(next(shape)))]
        return tuple(values) if record is tuple else record._make(values)
    return int(kind)
