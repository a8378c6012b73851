"""Which sentences have what somebody typed: in words, IDs, labels, tags or relations.

Columns and texts of whole files are searched. Of a document that is edited, only the sentences
that changed are searched again.
"""

from __future__ import annotations

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


class Query:
    """One query, and what it has found so far. An empty one finds everything. keep: for documents
    that are edited; what was searched is held."""

    def __init__(self, text: str, *, keep: bool = True) -> None:
        self._keep = keep
        self.text = " ".join(text.split())[:LONGEST]
        self._found: dict[int, tuple[Forest, Flags]] = {}

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

    def _rows(self, forest: Forest) -> Flags:
        flags = self._by_label(forest) | self._by_words(forest)
        folded = self.text.casefold()
        starts = forest.piece[:, 0]
        for match in SENTENCE_ID.finditer(forest.source):
            if folded in decode(match[1]).casefold():
                flags[int(np.searchsorted(starts, match.start(), side="right")) - 1] = True
        return flags

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

    def _by_words(self, forest: Forest) -> Flags:
        """Whether words in a row begin with it, however they are capitalised."""
        flags = np.zeros(len(forest), np.bool_)
        text, wanted = running_text(forest), " " + self.text.casefold()
        filled = np.flatnonzero(np.diff(forest.first_leaf) > 0)
        at, row, counted = text.find(wanted), -1, 0
        while at >= 0:
            # Every sentence that has words starts a line.
            row += text.count("\n", counted, at)
            line = text.find("\n", at)
            flags[filled[row]] = True
            counted = at
            at = text.find(wanted, line) if line >= 0 else -1
        return flags
