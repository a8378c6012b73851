"""Threads that read texts with the same symbols: a pair is being aligned, a corpus is looked
through for what varies in it, and somebody types."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from treelens.rules.spelling import Spelling, words
from treelens.trees.by_label import ByLabel
from treelens.trees.forest import Symbols, encode

NAMES = [f"X{'-very' * (number % 3)}{number}" for number in range(3_000)]
"""Of seven bytes, and of more: the latter have keys that are given out too."""
AT_ONCE = 25
READERS = 4


@pytest.fixture(autouse=True)
def _taking_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_a_name_has_one_number_whoever_is_first() -> None:
    symbols = Symbols()
    lengths = ByLabel(symbols, [np.int64], lambda name: [len(name)])
    distinct = words(symbols, Spelling(ignore_case=True))

    together = threading.Barrier(READERS, timeout=60)

    def read(seed: int) -> dict[str, tuple[int, int]]:
        """As a reader of texts does: numbers for some names at a time, at once made use of."""
        found, order = {}, random.Random(seed)
        for first in range(0, len(NAMES), AT_ONCE):
            some = NAMES[first : first + AT_ONCE]
            order.shuffle(some)
            together.wait()
            keys = np.array([symbols.key(encode(name)) for name in some], np.uint64)
            ids, forms = symbols.label_ids(keys), distinct.ids(keys)
            assert [symbols.label(number) for number in ids.tolist()] == some
            assert lengths.columns()[0][ids].tolist() == [*map(len, some)]
            normal = symbols.tokens(distinct.normal(forms))
            assert normal == [encode(name.casefold()) for name in some]
            found |= zip(some, zip(ids.tolist(), forms.tolist(), strict=True), strict=True)
        return found

    with ThreadPoolExecutor(READERS) as pool:
        first, *others = pool.map(read, range(READERS))
    assert all(other == first for other in others)
    assert len({number for number, _ in first.values()}) == len(NAMES)
    assert len({form for _, form in first.values()}) == len(NAMES)
