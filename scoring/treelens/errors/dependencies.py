"""Errors in dependencies: words with a wrong head or relation, by what they are to their head.

Each such word is of one error. A word is by itself, but for heads the wrong way round: there
the two words are one error, together with those that hang on whichever of the two is the head.
Too low is what hangs on a word below its right head, too high what hangs on one above it; that
is asked of gold's tree, and of system's where gold's does not tell. Circles do no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import Comparison, wrong_arcs
from treelens.differences.marks import View
from treelens.differences.table import BY_CODE
from treelens.differences.wording import Said, quoted
from treelens.errors.error import Direction, Error
from treelens.errors.relations import CASE, class_of_relation
from treelens.rules.universal import universal_relation
from treelens.trees.forest import DEPREL, HEAD, NOWHERE, ROOT

_DEEPEST = 256
"""How far up a word's ancestors are looked for: no sentence is that deep."""


def errors_in_dependencies(
    comparison: Comparison, views: tuple[View, View]
) -> Iterator[tuple[int, Error]]:
    """Each error in heads and relations, with its group."""
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or system.arcs is None:
        return
    wrong = np.flatnonzero(wrong_arcs(gold.words, gold.arcs)).tolist()
    if not wrong:
        return
    group = gold.words.group
    words = _Words(comparison, views)
    for error in words.errors(wrong):
        yield int(group[error.row]), words.described(error)


class _Wrong(NamedTuple):
    """Words of gold that are one error, by row; the first one is what it is about."""

    row: int
    reversed_head: int | None = None
    followers: tuple[int, ...] = ()

    @property
    def rows(self) -> tuple[int, ...]:
        head = () if self.reversed_head is None else (self.reversed_head,)
        return (self.row, *head, *self.followers)


class _Words:
    """Both sides' words, system's told by gold's rows where there is a partner."""

    def __init__(self, comparison: Comparison, views: tuple[View, View]) -> None:
        gold, system = comparison.gold, comparison.system
        assert gold.arcs is not None
        assert system.arcs is not None
        self.gold, self.system = views
        self.head: tuple[list[int], list[int]] = gold.arcs.head.tolist(), system.arcs.head.tolist()
        self.partner: list[int] = gold.words.partner.tolist()
        self.back: list[int] = system.words.partner.tolist()
        self.attached: list[bool] = gold.arcs.attached.tolist()
        self.adposition = self.adpositions()

    def adpositions(self) -> dict[int, int]:
        """The first adposition of each word of gold that has one."""
        heads = self.gold.forest.dependencies
        assert heads is not None
        names = [universal_relation(name).lower() == CASE for name in self.gold.label_names]
        found: dict[int, int] = {}
        for row in np.flatnonzero(np.array(names)[heads.relation]).tolist():
            found.setdefault(self.head[0][row], row)
        return found

    def there(self, row: int) -> int:
        """The head that a word of gold has in system, as a row of gold; ``NOWHERE``: none there."""
        head = self.head[1][self.partner[row]]
        if head < 0:
            return head
        return self.back[head] if self.back[head] >= 0 else NOWHERE

    def errors(self, wrong: list[int]) -> Iterator[_Wrong]:
        """All wrong words, each in one error, in text order."""
        misplaced = {row for row in wrong if not self.attached[row]}
        moved: dict[tuple[int, int], list[int]] = {}
        for row in misplaced:
            moved.setdefault((self.head[0][row], self.there(row)), []).append(row)
        taken: set[int] = set()
        found: list[_Wrong] = []
        for row in wrong:
            head = self.head[0][row]
            if row not in misplaced or head not in misplaced or {row, head} & taken:
                continue
            if self.there(head) == row:
                followers = sorted({*moved.get((head, row), ())} - taken - {row, head})
                found.append(_Wrong(row, head, tuple(followers)))
                taken.update(found[-1].rows)
        found += [_Wrong(row) for row in wrong if row not in taken]
        yield from sorted(found)

    # --- in words ---------------------------------------------------------------------------

    def described(self, error: _Wrong) -> Error:
        row = error.row
        labels = _relation(self.gold, row), _relation(self.system, self.partner[row])
        direction: Direction = ""
        if error.reversed_head is not None:
            kind, said = "Reversed Head", self.reversal(error.reversed_head, error)
        elif self.attached[row]:
            kind = "Different Relation"
            slots = {"here": labels[0], "there": labels[1], "words": self.quote(row)}
            said = Said("{system} has {there} for {words}, not {here}", slots)
        else:
            relation = self.gold.relation(row)
            kind = class_of_relation(relation, has_case=row in self.adposition)
            direction = self.direction(row)
            said = self.attachment(row, direction, labels)
        column = HEAD if not self.attached[row] else DEPREL
        gold = tuple(self.gold.at_field(each, column, "") for each in error.rows)
        system = tuple(self.system.at_field(self.partner[each], column, "") for each in error.rows)
        return Error(kind, said, direction, *labels, 0, len(error.rows), gold, system)

    def reversal(self, head: int, error: _Wrong) -> Said:
        slots = {"word": self.quote(error.row), "other": self.quote(head), "more": ""}
        count = len(error.followers)
        if count:
            hang = "word hangs" if count == 1 else "words hang"
            slots["more"] = f"; {count} more {hang} on the wrong one"
        return Said(_REVERSED, slots)

    def attachment(self, row: int, direction: Direction, labels: tuple[str, str]) -> Said:
        slots = {
            "phrase": self.phrase(row),
            "relation": labels[0],
            "how": f"attached {direction}: " if direction else "attached ",
            "there": _head(self.system, self.partner[row]),
            "here": _head(self.gold, row),
            "also": f", and as {labels[1]}" if labels[0] != labels[1] else "",
        }
        return Said("{phrase} ({relation}) is {how}to {there}, not to {here}{also}", slots)

    def phrase(self, row: int) -> str:
        """A word, with the adposition before it and what is between them."""
        adposition = self.adposition.get(row, row)
        return quoted(self.gold.words(range(min(adposition, row), row + 1)))

    def quote(self, row: int) -> str:
        return quoted((self.gold.word(row),))

    # --- too low, too high ------------------------------------------------------------------

    def direction(self, row: int) -> Direction:
        other = self.partner[row]
        right, wrong = self.head[0][row], self.head[1][other]
        if right == ROOT and wrong >= 0:
            return "too low"
        if wrong == ROOT and right >= 0:
            return "too high"
        if right < 0 or wrong < 0:
            return ""
        return self._between(0, right, self.back[wrong]) or self._between(
            1, self.partner[right], wrong
        )

    def _between(self, side: int, right: int, wrong: int) -> Direction:
        """By one side's tree; rows of that side, -1 for a head that it does not have."""
        if right < 0 or wrong < 0:
            return ""
        if self._below(side, wrong, right):
            return "too low"
        return "too high" if self._below(side, right, wrong) else ""

    def _below(self, side: int, row: int, above: int) -> bool:
        head = self.head[side]
        for _ in range(_DEEPEST):
            row = head[row]
            if row < 0 or row == above:
                break
        return row == above


_REVERSED = "{word} is the head of {other} in {system}, in {gold} it is the other way round{more}"


def _relation(view: View, row: int) -> str:
    """A word's relation in words: that there is none is said."""
    relation = view.relation(row)
    return BY_CODE["wrong-relation"].blank.get(relation, relation)


def _head(view: View, row: int) -> str:
    """A word's head in words."""
    head = view.head(row)
    return BY_CODE["wrong-head"].blank.get(head, head)
