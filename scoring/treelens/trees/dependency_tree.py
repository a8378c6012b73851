"""One sentence of a table as objects, for showing it: words with fields, heads and dependents.

What :mod:`treelens.trees.tree` is for brackets; scoring never comes here. Offsets are absolute
bytes of the document's text.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import FEATS, FORM, ID, LEMMA, Fields, Forest

Span = tuple[int, int]


class Word(NamedTuple):
    """A word's line: what its fields say, ``number`` being the ID as written.

    ``head`` is a place in :attr:`DependencyTree.words`, ``ROOT`` or ``NOWHERE``; ``dependents``
    are such places in text order.
    """

    number: str
    form: str
    tag: str
    xpos: str
    lemma: str
    features: str
    head: int
    relation: str
    dependents: tuple[int, ...]
    start: int
    end: int
    fields: tuple[Span, ...]
    """Ten; those that the line does not have are empty, at its end."""

    @property
    def counted(self) -> int | None:
        """The ID as a number; None where it is none, or one of ten digits and more."""
        plain = self.number.isascii() and self.number.isdigit() and len(self.number) < 10
        return int(self.number) if plain else None

    def column(self, offset: int) -> int:
        """The field that an offset is in; on the tab behind one, that one."""
        return sum(offset > end for _, end in self.fields[:-1])


class DependencyTree(NamedTuple):
    """A sentence: its words in text order, and its extent, comments and all."""

    words: tuple[Word, ...]
    start: int
    end: int

    def word_at(self, offset: int) -> int | None:
        """The word on whose line an offset is, ends included."""
        for place, word in enumerate(self.words):
            if word.start <= offset <= word.end:
                return place
        return None

    def path(self, place: int) -> list[int]:
        """A word, its head, its head's head and so on; a circle is gone round once."""
        found: list[int] = []
        seen = set()
        while place >= 0 and place not in seen:
            seen.add(place)
            found.append(place)
            place = self.words[place].head
        return found

    def below(self, place: int) -> range:
        """From the first to the last of a word and all words below it."""
        seen, open_ = {place}, [place]
        while open_:
            new = [one for one in self.words[open_.pop()].dependents if one not in seen]
            seen.update(new)
            open_ += new
        return range(min(seen), max(seen) + 1)


def dependency_tree(forest: Forest, sentence: int, shift: int = 0) -> DependencyTree | None:
    """One sentence of a table with heads, else None; ``shift`` is added to every offset."""
    if forest.dependencies is None or forest.fields is None:
        return None
    leaves = slice(int(forest.first_leaf[sentence]), int(forest.first_leaf[sentence + 1]))
    fields_of = forest.fields
    heads = forest.dependencies.head[leaves].tolist()
    dependents: list[list[int]] = [[] for _ in heads]
    for place, head in enumerate(heads):
        if head >= 0:
            dependents[head].append(place)
    lines = np.stack([forest.leaf_open[leaves], forest.leaf_close[leaves]], axis=1) + shift
    spans = _spans(forest, fields_of, leaves) + shift
    columns = (forest.tag, fields_of.xpos, forest.dependencies.relation)
    labels, names = forest.symbols.labels, [column[leaves].tolist() for column in columns]
    words = []
    for place, (fields, (start, end)) in enumerate(
        zip(spans.tolist(), lines.tolist(), strict=True)
    ):
        number, form, lemma, features = (
            forest.text(fields[k][0] - shift, fields[k][1] - shift)
            for k in (ID, FORM, LEMMA, FEATS)
        )
        tag, xpos, relation = (labels[column[place]] for column in names)
        words.append(
            Word(
                number,
                form,
                tag,
                xpos,
                lemma,
                features,
                heads[place],
                relation,
                tuple(dependents[place]),
                start,
                end,
                tuple((low, high) for low, high in fields),
            )
        )
    start, end = forest.tree[sentence].tolist()
    return DependencyTree(tuple(words), start + shift, end + shift)


def field_of(forest: Forest, leaf: int, column: int) -> tuple[int, int]:
    """Where a field of a word of a table is, in the forest's source."""
    assert forest.fields is not None, "of a table only"
    start, end = _spans(forest, forest.fields, slice(leaf, leaf + 1))[0, column].tolist()
    return start, end


def _spans(forest: Forest, fields: Fields, leaves: slice) -> npt.NDArray[np.int64]:
    """Where the fields of some words are, ``(w, columns, 2)``; of those that a line does not have,
    its end."""
    ends = forest.leaf_close[leaves, np.newaxis]
    starts = np.minimum(fields.bounds[leaves, :-1], ends)
    stops = np.minimum(np.maximum(fields.bounds[leaves, 1:] - 1, starts), ends)
    return np.stack([starts, stops], axis=2)
