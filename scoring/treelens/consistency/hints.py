"""Which strings of words come again, and which keys are annotated: in tables of bits of one size.

What they say of a string they may say wrongly, as another has the same bit: then it is yes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency.codes import Codes

Slots = npt.NDArray[np.uint32]
Bits = npt.NDArray[np.uint8]

SLOT_BITS = 27


class Seen(NamedTuple):
    """What a stretch has, as places of :class:`Hints`: strings of three words, those that come
    twice in it, and annotated keys; each ascending and once."""

    trigrams: Slots
    again: Slots
    annotated: Slots


class Hints(NamedTuple):
    """Bits: whether a string of three words comes again, and whether a key is annotated."""

    again: Bits
    annotated: Bits


def hints(found: Iterable[Seen]) -> Hints:
    """The same of all stretches."""
    known, again, annotated = (np.zeros(1 << (SLOT_BITS - 3), np.uint8) for _ in range(3))
    for one in found:
        _set(again, one.again)
        _set(again, one.trigrams[is_set(known, one.trigrams)])
        _set(known, one.trigrams)
        _set(annotated, one.annotated)
    return Hints(again, annotated)


def _set(bits: Bits, slots: Slots) -> None:
    np.bitwise_or.at(bits, slots >> 3, np.left_shift(1, slots & 7).astype(np.uint8))


def is_set(bits: Bits, slots: Slots) -> npt.NDArray[np.bool_]:
    return (bits[slots >> 3] >> (slots & 7).astype(np.uint8) & 1).astype(np.bool_)


def slots(keys: Codes) -> Slots:
    return (keys >> np.uint64(64 - SLOT_BITS)).astype(np.uint32)
