"""Labels as numbers: what a program makes of a label is worked out once for each label."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

_INLINE = 7
_LONG = 1 << 56
FIRST_BYTES: Keys = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
"""Masks for the first 0 to 8 bytes of a little-endian number."""
_SLOT_BITS = 14
_SHIFT = np.uint64(64 - _SLOT_BITS)
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Label(NamedTuple):
    """What is known of a label."""

    deletes_word: bool
    counts_for_length: bool
    tag: int
    """Equal for tags that agree."""
    bracket: int
    """Equal for labels of brackets that match; -1 for a deleted bracket."""


class Columns(NamedTuple):
    """The same of each label; shape (labels,) each, or more when labels came later."""

    key: Keys
    deletes_word: npt.NDArray[np.bool_]
    counts_for_length: npt.NDArray[np.bool_]
    tag: Ints
    bracket: Ints


def _no_columns(size: int) -> Columns:
    flags = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    return Columns(
        np.zeros(size, np.uint64), *flags, np.zeros(size, np.int64), np.zeros(size, np.int64)
    )


def _longer(columns: Columns) -> Columns:
    twice = _no_columns(2 * len(columns.key))
    for old, new in zip(columns, twice, strict=True):
        new[: len(old)] = old
    return twice


def eight_bytes(text: bytes) -> Keys:
    """At each place of the text, the eight bytes that start there as one number."""
    return np.ndarray((len(text) - 7,), "<u8", text, strides=(1,))


class LabelTable:
    """Numbers for labels, given out as they are met.

    A label of up to seven bytes is its own key in a hash table. A slot of that table may be
    overwritten at any time, so an entry counts only if the key found there is the right one.
    """

    def __init__(self, describe: Callable[[bytes], Label]) -> None:
        self._describe = describe
        self._slots = np.zeros(1 << _SLOT_BITS, np.int64)
        self._ids: dict[bytes, int] = {}
        self._long: dict[bytes, int] = {}
        self._long_labels: list[bytes] = []
        self.columns = _no_columns(64)
        self._add(b"", 0)

    def ids(self, text: bytes, starts: Ints, ends: Ints) -> Ints:
        """The number of each label. ``text`` has at least seven bytes behind the last one."""
        eight = eight_bytes(text)
        length = ends - starts
        keys: Keys = eight[starts] & FIRST_BYTES.take(length, mode="clip")
        for index in np.flatnonzero(length > _INLINE).tolist():
            keys[index] = self._long_key(text[starts[index] : ends[index]])
        return self._look_up(keys)

    def _look_up(self, keys: Keys) -> Ints:
        ids: Ints = self._slots[(keys * _MIX) >> _SHIFT]
        missed = np.flatnonzero(self.columns.key[ids] != keys)
        if len(missed):
            unique, inverse = np.unique(keys[missed], return_inverse=True)
            found = np.array([self._id(key) for key in unique.tolist()], np.int64)
            self._slots[(unique * _MIX) >> _SHIFT] = found
            ids[missed] = found[inverse]
        return ids

    def _long_key(self, label: bytes) -> int:
        if label not in self._long:
            self._long[label] = _LONG + len(self._long)
            self._long_labels.append(label)
        return self._long[label]

    def _id(self, key: int) -> int:
        inline = key < _LONG
        label = (
            key.to_bytes(7, "little").rstrip(b"\0") if inline else self._long_labels[key - _LONG]
        )
        return self._ids[label] if label in self._ids else self._add(label, key)

    def _add(self, label: bytes, key: int) -> int:
        number = self._ids[label] = len(self._ids)
        if number == len(self.columns.key):
            self.columns = _longer(self.columns)
        for column, value in zip(self.columns, (key, *self._describe(label)), strict=True):
            column[number] = value
        return number
