"""How much of a text is read with care at most, so that any text is read in bounded time.

What is well-formed is read by columns, whatever its size; the rest takes a hundred times as long.
What is past the bound is left out, and said to be. What commands read in parts never comes near.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import Problem

Offsets = npt.NDArray[np.int64]


class Care:
    """What is left of it while the blocks of a text are gone through in their order."""

    def __init__(self, most: int) -> None:
        self._most = self.left = most
        self._unread = list[list[int]]()

    def within(self, stretches: Offsets, care: npt.NDArray[np.integer]) -> Offsets:
        """The first of some stretches, (stretches, 2): those for which there is enough left, by
        how much each takes, (stretches,). Past one that is left out all are."""
        total = np.cumsum(care, dtype=np.int64)
        count = int(np.searchsorted(total, self.left, side="right"))
        self._unread += stretches[count:].tolist()
        if self._unread:
            self.left = 0
        elif count:
            self.left -= int(total[-1])
        return stretches[:count]

    @property
    def share(self) -> float:
        """How much of it was spent, as a share; more than 1 if something was left out."""
        return math.inf if self._unread else 1 - self.left / self._most

    def problems(self, what: str) -> list[Problem]:
        """What is said of those that are left out; ``what``: a tree, or a table."""
        if not self._unread:
            return []
        size = sum(end - start for start, end in self._unread)
        start = self._unread[0][0]
        message = (
            f"too much of this text is no well-formed {what}: what of it is none from here on, "
            f"{size:,} bytes, is not read"
        )
        return [Problem("unread", message, start, start + 1)]
