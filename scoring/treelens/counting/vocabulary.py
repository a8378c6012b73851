"""Which symbols to read texts with that come one after the other."""

from __future__ import annotations

from treelens.counting.memory import give_back
from treelens.differences import difference
from treelens.trees import other_lines
from treelens.trees.forest import Symbols

_TOGETHER_BYTES = 3 << 20
"""Text whose words are remembered together: what comes again is not looked up anew."""
_KEPT = 3
"""So often what forgotten words took is kept: it is wanted again at once (a third of all pages that
``score`` asks for, of 16 MB of trees). Of more text what is kept would grow."""


class Vocabulary:
    """The symbols of what was read last, whichever files it was in: small files have much the same
    words. New ones now and then, so that they do not grow with all that is read.

    labels: whether these keep their ids for good, for whoever adds up what is of one."""

    def __init__(self, *, labels: bool = False) -> None:
        self._symbols = Symbols()
        self._read = 0
        self._forgotten = 0
        self._labels = labels

    def symbols(self, size: int) -> Symbols:
        """For texts of so many bytes."""
        if self._read > _TOGETHER_BYTES:
            self.forget()
            self._forgotten += 1
            if self._forgotten > _KEPT:
                give_back()
        self._read += size
        return self._symbols

    def forget(self) -> None:
        """Have new ones from here on."""
        # (What is remembered of a comparison has the old ones.)
        difference.forget()
        other_lines.forget()
        self._symbols, self._read = Symbols(self._symbols.labels if self._labels else ()), 0
