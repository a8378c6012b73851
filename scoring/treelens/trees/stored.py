"""A forest as bytes: its columns one behind the other, to be written down and looked into again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import Forest

_ALIGNED = 8
"""Each column starts at a multiple of so many bytes."""

Bytes = npt.NDArray[np.uint8]


def stored(forest: Forest) -> Iterator[bytes]:
    """The bytes of a forest, piece by piece: how long each column is, then the columns."""
    columns = [*_columns(forest)]
    yield np.array([len(column) for column in columns], np.int64).tobytes()
    for column in columns:
        yield column.tobytes()
        yield bytes(-column.nbytes % _ALIGNED)


def forest_of(data: Bytes, like: Forest) -> Forest:
    """The forest whose bytes these are, with the symbols and the format of another one, which may
    be empty. Its columns are no copies."""
    models = [*_columns(like)]
    at = 8 * len(models)
    found = []
    for model, length in zip(models, data[:at].view(np.int64).tolist(), strict=True):
        end = at + length * model.itemsize * math.prod(model.shape[1:])
        found.append(data[at:end].view(model.dtype).reshape(length, *model.shape[1:]))
        at = end + -end % _ALIGNED
    return _made(like, iter(found))


def _columns(forest: Forest) -> Iterator[npt.NDArray[Any]]:
    for value in _values(forest).values():
        if isinstance(value, bytes):
            yield np.frombuffer(value, np.uint8)
        elif isinstance(value, tuple):
            yield from value
        else:
            yield value


def _made(like: Forest, columns: Iterator[npt.NDArray[Any]]) -> Forest:
    made: dict[str, Any] = {}
    for name, value in _values(like).items():
        if isinstance(value, bytes):
            made[name] = next(columns).tobytes()
        elif isinstance(value, tuple):
            made[name] = type(value)(*(next(columns) for _ in value))
        else:
            made[name] = next(columns)
    return dataclasses.replace(like, **made)


def _values(forest: Forest) -> dict[str, Any]:
    """What of a forest are columns: arrays, tuples of them, and the source."""
    values = {field.name: getattr(forest, field.name) for field in dataclasses.fields(forest)}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, bytes | tuple | np.ndarray)
    }
