"""Numbers of words and of strings of words that are the same in every process.

Keys (``trees.forest``) are exact and of one process; these are hashes. Whoever asks whether two
strings are the same, and must not be wrong, compares their keys in the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import INLINE_BYTES, Keys, Symbols, encode

Codes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

_FACTORS = np.array([0x5851F42D4C957F2D, 0x9FB21C651E98DF25], np.uint64)
"""Of the two sums that a string of words is known by: odd, so that there is an inverse."""


class WindowCodes(NamedTuple):
    """What each string of words is known by, for any place and length: sums from the text's start
    to each place, of words times powers of a factor, and the powers' inverses; ``(2, m + 1)``."""

    sums: Codes
    inverse: Codes

    def of(self, start: Places, length: Places) -> Codes:
        """Two numbers a string; ``(2, k)``."""
        # (Of rows ``take`` takes a sixth of the time that indexing does.)
        sums = self.sums.take(start + length, axis=1) - self.sums.take(start, axis=1)
        return sums * self.inverse.take(start, axis=1)


def window_codes(word: Codes) -> WindowCodes:
    sums, inverse = (np.zeros((2, len(word) + 1), np.uint64) for _ in range(2))
    for row, factor in enumerate(_FACTORS):
        powers = np.full(len(word) + 1, factor)
        np.cumsum(word * np.multiply.accumulate(powers)[:-1], out=sums[row, 1:])
        back = np.full(len(word) + 1, np.uint64(pow(int(factor), -1, 1 << 64)))
        inverse[row] = np.multiply.accumulate(back)
    return WindowCodes(sums, inverse)


def token_codes(symbols: Symbols, keys: Keys) -> Codes:
    """Numbers of words that are the same in every process: short keys are, long ones are not."""
    found = mixed(keys)
    long = np.flatnonzero(keys >> np.uint64(8 * INLINE_BYTES))
    if len(long):
        distinct, which = np.unique(keys[long], return_inverse=True)
        found[long] = _digests(symbols.tokens(distinct))[which]
    return found


def name_codes(names: Iterable[str]) -> Codes:
    return _digests(map(encode, names))


def _digests(texts: Iterable[bytes]) -> Codes:
    parts = [hashlib.blake2b(text, digest_size=8).digest() for text in texts]
    return np.frombuffer(b"".join(parts), "<u8").astype(np.uint64)


def mixed(values: Any) -> Any:
    """A number for each, one to one, in which all bits are of all bits (splitmix64)."""
    values = np.asarray(values, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
