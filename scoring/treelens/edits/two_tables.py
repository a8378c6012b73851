"""This file's table of a sentence beside the other file's: which row is which, and rows put in.

What is put in brings along what it names and what is not here: its head, the heads of its enhanced
dependencies, the words of its token. So all that is said of it is said here too, and nothing
differs that did not differ before. Where the sentence has no enhanced dependencies, none come.
"""

from __future__ import annotations

from collections.abc import Iterator

from treelens.differences.words import stretches
from treelens.edits.rows import (
    NOTHING,
    Range,
    SentenceTable,
    TableRow,
    read_table,
    replaced,
    written,
)
from treelens.edits.sides import GroupSides
from treelens.edits.text import Edits, difference
from treelens.session.pair import Side
from treelens.trees.forest import DEPS


class TwoTables:
    """``table`` is this file's, which is changed; ``other`` stays as it is."""

    def __init__(self, both: GroupSides, table: SentenceTable, other: SentenceTable) -> None:
        self.table, self.other = table, other
        self._both = both
        self._own, self._taken = table.words, other.words
        self._put: set[int] = set()
        self.enhanced = any(row.deps for row in table.rows)
        """Whether rows that are put in have enhanced dependencies."""
        partners = both.there.words.partner.tolist()
        self._known = {id(self._taken[k]): self._own[p] for k, p in enumerate(partners) if p >= 0}
        ours = {(id(word), place): row for word, place, row in _empty_nodes(table)}
        for word, place, row in _empty_nodes(other):
            twin = ours.get((id(self._known.get(id(word))), place))
            if twin is not None and (word is None or id(word) in self._known):
                self._known[id(row)] = twin

    def edits(self) -> Edits | None:
        """What makes this file's text that of the table as it is by now."""
        sentence, document = self._both.here.sentences[0], self._both.here.document
        old = document.piece_text(sentence)
        return difference(old, written(self.table), int(document.start[sentence])) or None

    def word_here(self, row: int) -> TableRow:
        """This file's word by its row in the comparison."""
        return self._own[row]

    def word_there(self, row: int) -> TableRow:
        return self._taken[row]

    def known(self, row: TableRow) -> TableRow | None:
        """The row here for one there, if there is one."""
        return self._known.get(id(row))

    def here(self, row: TableRow) -> TableRow | None:
        """The same, put in if it is not here; None of a word that stands on no cells."""
        if id(row) not in self._known:
            if row.empty:
                self.put_empty_node(row)
            else:
                self._put_stretch_of(row)
        return self._known.get(id(row))

    def head(self, head: TableRow | bytes) -> TableRow | bytes:
        """A head there, as it is here; the root for a word that stands on no cells."""
        return head if isinstance(head, bytes) else self.here(head) or b"0"

    def dependencies(self, row: TableRow) -> list[tuple[TableRow | bytes, bytes]] | None:
        """What a row's DEPS says there, said here."""
        if row.deps is None:
            return None
        return [(self.head(head), relation) for head, relation in row.deps]

    # --- rows put in ------------------------------------------------------------------------

    def put_empty_node(self, row: TableRow) -> None:
        """An empty node behind what it stands behind there."""
        at = self.other.rows.index(row)
        before = self.here(self.other.rows[at - 1]) if at else None
        if id(row) in self._put:  # which named it
            return
        place = self.table.rows.index(before) + 1 if before is not None else 0
        (new,) = self._copies([row])
        self.table.rows.insert(place, new)
        self._attach([row])

    def put_words(self, mine: range, theirs: range) -> None:
        """Words there in the place of those here; by their rows in the comparison."""
        old, taken = [self._own[row] for row in mine], [self._taken[row] for row in theirs]
        before = None if old or not taken else self._next(theirs)
        replaced(self.table, old, self._copies(taken), before)
        self._attach(taken)
        for tied in self.other.ranges:
            if all(row in taken for row in tied.rows):
                rows = [self._known[id(row)] for row in tied.rows]
                self.table.ranges.append(Range([*tied.fields], rows))

    def _copies(self, rows: list[TableRow]) -> list[TableRow]:
        new = [TableRow([*row.fields], row.empty) for row in rows]
        self._known.update(zip(map(id, rows), new, strict=True))
        self._put.update(map(id, rows))
        return new

    def _attach(self, rows: list[TableRow]) -> None:
        for row in rows:
            new = self._known[id(row)]
            new.head = self.head(row.head)
            if self.enhanced:
                new.deps = self.dependencies(row)
            else:
                new.fields[DEPS] = NOTHING

    def _put_stretch_of(self, row: TableRow) -> None:
        found = stretches(self._both.comparison)
        sides = found[1:3], found[3:5]
        mine, theirs = sides if self._both.into is Side.GOLD else sides[::-1]
        at = self._taken.index(row)
        for start, end, other, other_end in zip(*theirs, *mine, strict=True):
            if start <= at < end:
                self.put_words(range(max(other, 0), max(other_end, 0)), range(start, end))

    def _next(self, theirs: range) -> TableRow | None:
        """The row here before which words of the other file go; None: at the end."""
        cell = int(self._both.there.words.start[theirs[0]])
        starts = self._both.here.words.start.tolist()
        behind = [own for own, start in zip(self._own, starts, strict=True) if start >= cell]
        taken = self._taken[theirs.stop :]
        behind += [self._known[id(row)] for row in taken if id(row) in self._known]
        places = {id(row): place for place, row in enumerate(self.table.rows)}
        left = [row for row in behind if id(row) in places]
        return min(left, key=lambda row: places[id(row)], default=None)


def two_tables(both: GroupSides) -> TwoTables | None:
    """Both tables of a group of one sentence each; None where one is not in order."""
    here, there = (
        read_table(view.document.piece_text(view.sentences[0])) for view in (both.here, both.there)
    )
    return None if here is None or there is None else TwoTables(both, here, there)


def _empty_nodes(table: SentenceTable) -> Iterator[tuple[TableRow | None, int, TableRow]]:
    """Each with the word before it, and how many stand between them."""
    word, place = None, 0
    for row in table.rows:
        if row.empty:
            yield word, place, row
            place += 1
        else:
            word, place = row, 0
