"""Which sentences have what somebody typed: in words, IDs, labels, tags or relations.

Columns and texts of whole files are searched. Of a document that is edited, only the sentences
that changed are searched again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.present.workspace_symbols import running_text
from treelens.session.document import Document
from treelens.session.sentence_names import SENTENCE_ID
from treelens.trees.forest import Forest, decode

Flags = npt.NDArray[np.bool_]

LONGEST = 200
"""Characters of a query that are looked at."""
_FUNCTIONS = "-=:|"
"""What may follow a label's name: ``NP`` finds ``NP-SBJ``, ``nmod`` finds ``nmod:poss``."""


class _Searched(NamedTuple):
    """What a forest is searched in, but for its labels; each line behind a break."""

    forest: Forest
    words: str
    """A line for each sentence that has words."""
    ids: str
    """A line for each ID, without its capitals."""
    owners: npt.NDArray[np.int64]
    """The sentences that they are of."""


class Query:
    """One query, and what it has found so far. An empty one finds everything. keep: for documents
    that are edited; what was searched is held. before: the query in place of which this one is
    typed; it is searched in the same."""

    def __init__(self, text: str, *, keep: bool = True, before: Query | None = None) -> None:
        self._keep = keep
        self.text = " ".join(text.split())[:LONGEST]
        self._found: dict[int, tuple[Forest, Flags]] = {}
        self._searched: dict[int, _Searched] = before._searched if before and self.text else {}

    def matching(self, document: Document) -> Flags:
        """Which sentences have it; ``(sentences,)``."""
        if not self.text or not len(document):
            return np.ones(len(document), np.bool_)
        flags = np.zeros(len(document), np.bool_)
        for forest, numbers in document.parts():
            here = numbers[self._known(forest)]
            flags[here[here >= 0]] = True
        return flags

    def _known(self, forest: Forest) -> Flags:
        # An ID names an object for as long as the object is there: it is held here.
        known = self._found.get(id(forest))
        if known is not None and known[0] is forest:
            return known[1]
        rows = self._rows(forest)
        if self._keep:
            self._found[id(forest)] = forest, rows
        return rows

    def forget(self, *documents: Document) -> None:
        """Keep only what has been found of these."""
        if not self._found:
            return
        there = {id(forest) for document in documents for forest, _ in document.parts()}
        self._found = {at: found for at, found in self._found.items() if at in there}
        self._searched = {at: text for at, text in self._searched.items() if at in there}

    def _rows(self, forest: Forest) -> Flags:
        flags, text = self._by_label(forest), self._in(forest)
        filled = np.flatnonzero(np.diff(forest.first_leaf) > 0)
        folded = self.text.casefold()
        # Words in a row that begin with it, however they are capitalised.
        flags[filled[[*_lines(text.words, f" {folded}")]]] = True
        flags[text.owners[[*_lines(text.ids, folded)]]] = True
        return flags

    def _in(self, forest: Forest) -> _Searched:
        known = self._searched.get(id(forest))
        if known is not None and known.forest is forest:
            return known
        found = [*SENTENCE_ID.finditer(forest.source)]
        ids = b"\n".join([b"", *(match[1] for match in found)])
        starts = np.array([match.start() for match in found], np.int64)
        owners = np.searchsorted(forest.piece[:, 0], starts, side="right") - 1
        text = _Searched(forest, running_text(forest), decode(ids).casefold(), owners)
        if self._keep:
            self._searched[id(forest)] = text
        return text

    def _by_label(self, forest: Forest) -> Flags:
        flags = np.zeros(len(forest), np.bool_)
        wanted = np.array([self._is_label(name) for name in forest.symbols.labels], np.bool_)
        if not wanted.any():
            return flags
        word = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))
        node = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
        flags[node[wanted[forest.label]]] = True
        columns = [forest.tag]
        if forest.dependencies is not None:
            columns.append(forest.dependencies.relation)
        if forest.fields is not None:
            columns.append(forest.fields.xpos)
        for column in columns:
            flags[word[wanted[column]]] = True
        return flags

    def _is_label(self, name: str) -> bool:
        return name.startswith(self.text) and name[len(self.text) :][:1] in {"", *_FUNCTIONS}


def _lines(text: str, wanted: str) -> Iterator[int]:
    """The numbers of the lines that have something; each line is behind a break."""
    at, line, counted = text.find(wanted), -1, 0
    while at >= 0:
        line += text.count("\n", counted, at)
        yield line
        end = text.find("\n", at)
        counted = at
        at = text.find(wanted, end) if end >= 0 else -1
