"""What is in view of a document: one stretch of its sentences in each column that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.signedinteger]

_FAR = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class View:
    """Some sentences of a document, those of several columns together."""

    stretches: tuple[range, ...]
    """In order; none is empty, and none touches the next one."""

    @staticmethod
    def of(*stretches: range) -> View:
        """Any stretches, such as those of columns that show the same sentences."""
        found: list[range] = []
        for one in sorted(filter(len, stretches), key=lambda one: one.start):
            if found and one.start <= found[-1].stop:
                found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
            else:
                found.append(one)
        return View(tuple(found))

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self.stretches)

    def __contains__(self, sentence: object) -> bool:
        return any(sentence in one for one in self.stretches)

    def __len__(self) -> int:
        return sum(map(len, self.stretches))

    def away(self, starts: Numbers, ends: Numbers) -> Numbers:
        """How far some stretches, given by ``(k,)`` starts and ends, are from what is in view,
        ``(k,)`` sentences: 0 where they share one, 1 where they are next to it."""
        found = np.full(len(starts), _FAR)
        for one in self.stretches:
            before, behind = one.start - ends + 1, starts - one.stop + 1
            found = np.minimum(found, np.maximum(before, behind).clip(0))
        return found

    def moved(self, first: int, by: int) -> View:
        """The same sentences where those from ``first`` on have other numbers."""
        return View.of(
            *(
                range(one.start + by, one.stop + by) if one.start >= first else one
                for one in self.stretches
            )
        )


BEGINNING = View.of(range(1))
"""What is taken to be in view of a document of which nobody has said it."""
