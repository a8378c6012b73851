"""Which dependencies of two sequences match each other, however they are then compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from treelens.dropin.sparseval.dependencies import Dependency
from treelens.dropin.sparseval.words import Vocabulary, Words

_Key = tuple[str, str, str | None, str | None]
"""Labels and words of a dependency; unlabelled without the labels."""

WINDOW = 2000
"""How far from the diagonal the original always fills cells."""
_OFTEN = 8
"""Columns that are the same so often are worth keeping as bits."""


class Matches:
    """Which columns match each row; rows and columns are counted from 1."""

    def __init__(
        self,
        gold: Sequence[Dependency],
        test: Sequence[Dependency],
        words: Words,
        *,
        labelled: bool,
    ) -> None:
        self.rows = len(gold)
        self.columns = len(test)
        self.open_rows = [each.is_open for each in gold]
        self.open_columns = [each.is_open for each in test]
        self._kinds: list[int] = []
        self._columns: list[list[int]] = []
        self._bits: dict[int, int] = {}
        places: defaultdict[_Key, list[int]] = defaultdict(list)
        for column, each in enumerate(test, start=1):
            places[_key(each, labelled=labelled)].append(column)
        vocabulary = Vocabulary(
            words,
            (word for key in places for word in key[2:] if word is not None),
        )
        kinds: dict[_Key, int] = {}
        for each in gold:
            key = _key(each, labelled=labelled)
            kind = kinds.get(key)
            if kind is None:
                kind = kinds[key] = len(kinds)
                self._columns.append(_columns(key, places, vocabulary))
            self._kinds.append(kind)

    def of(self, row: int) -> list[int]:
        """The columns that match, in their order."""
        return self._columns[self._kinds[row - 1]]

    def bits(self, row: int) -> int:
        """The same as bits, the first column being the lowest."""
        kind = self._kinds[row - 1]
        known = self._bits.get(kind)
        if known is None:
            columns = self._columns[kind]
            known = 0
            for column in columns:
                known |= 1 << (column - 1)
            if len(columns) > _OFTEN or not columns:
                self._bits[kind] = known
        return known

    def open(self, row: int, column: int) -> bool:
        return self.open_rows[row - 1] and self.open_columns[column - 1]


def _key(each: Dependency, *, labelled: bool) -> _Key:
    parent, child, head_word, word, _ = each
    return (parent, child, head_word, word) if labelled else ("", "", head_word, word)


def _columns(key: _Key, places: dict[_Key, list[int]], vocabulary: Vocabulary) -> list[int]:
    found: list[int] = []
    parent, child, head_word, word = key
    for other_head in vocabulary.equal_to(head_word):
        for other in vocabulary.equal_to(word):
            found += places.get((parent, child, other_head, other), ())
    return sorted(found)
