"""Labels as numbers: what the parameters say of a label is worked out once for each label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.dropin.evalb.run import Run

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


class Columns(NamedTuple):
    """What is known of each label; shape (labels,) each, or more when labels came later."""

    key: Keys
    deletes_word: npt.NDArray[np.bool_]
    counts_for_length: npt.NDArray[np.bool_]
    tag: Ints
    """Equal for tags that agree."""
    bracket: Ints
    """Equal for labels of brackets that match; -1 for a deleted bracket."""


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

    def __init__(self, run: Run, representative: Mapping[bytes, bytes]) -> None:
        self.run = run
        self._representative = representative
        self._slots = np.zeros(1 << _SLOT_BITS, np.int64)
        self._ids: dict[bytes, int] = {}
        self._classes: dict[bytes, int] = {}
        self._long: dict[bytes, int] = {}
        self._long_labels: list[bytes] = []
        self.columns = _no_columns(64)
        self._add(b"", 0)

    def ids(self, text: bytes, starts: Ints, ends: Ints) -> Ints:
        """The number of each label. ``text`` has at least seven bytes behind the last one."""
        eight = eight_bytes(text)
        length = ends - starts
        keys: Keys = eight[starts] & FIRST_BYTES[np.minimum(length, _INLINE)]
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
        run, settings, columns = self.run, self.run.settings, self.columns
        columns.key[number] = key
        columns.deletes_word[number] = run.dialect.deletes_words and label in settings.delete_labels
        columns.counts_for_length[number] = label not in settings.delete_for_length
        whole = run.cut(label) if run.dialect.cuts_while_comparing else label
        columns.tag[number] = self._class(whole)
        columns.bracket[number] = self._bracket(run.cut(label))
        return number

    def _bracket(self, label: bytes) -> int:
        if self.run.is_deleted(label):
            return -1
        return self._class(label) if self.run.settings.labeled else 0

    def _class(self, label: bytes) -> int:
        return self._classes.setdefault(self._representative.get(label, label), len(self._classes))
