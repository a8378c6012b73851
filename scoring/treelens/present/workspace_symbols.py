"""Sentences of all files, by what somebody types: an ID, a number, a label, words, a similar ID.

Exact answers stand before similar ones. Columns and the texts of whole files are searched, never
tree by tree.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.rules import distances
from treelens.session.document import Document
from treelens.session.sentence_names import SENTENCE_ID
from treelens.session.vocabulary import LabelKind, uses
from treelens.trees.forest import Forest, decode

if TYPE_CHECKING:
    from treelens.session.session import Snapshot

MOST = 200
"""Places in one answer."""

_LONGEST = 200
"""Characters of a query that are looked at."""

_KINDS: tuple[LabelKind, ...] = ("label", "tag", "xpos", "relation")
_FUNCTIONS = "-=:|"
_BEFORE, _WORDS = 2, 8
_ALIKE = 80
"""How similar an ID has to be, of 100."""


class SymbolPlace(NamedTuple):
    """``title`` has in it what was asked for; ``sentence`` counts from 1; offsets are bytes."""

    name: str
    title: str
    sentence: int
    start: int
    end: int


class Ids(NamedTuple):
    """The sentences that have an ID, and what it is."""

    texts: list[str]
    sentences: list[int]


class SymbolIndex:
    """What is searched of a document, made when it is first asked for."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @functools.cached_property
    def ids(self) -> Ids:
        return _ids(self._document)

    @functools.cached_property
    def words(self) -> list[tuple[Forest, npt.NDArray[np.int64], str]]:
        """Each part of the document, with its running text."""
        return [(*part, running_text(part[0])) for part in self._document.parts()]


def symbols_named(
    snapshots: Sequence[Snapshot], indices: Sequence[SymbolIndex], query: str
) -> list[SymbolPlace]:
    """At most :data:`MOST` sentences, best first, each of a file once; none for an empty query."""
    query = query[:_LONGEST].strip()
    if not query:
        return []
    ids = [index.ids for index in indices]
    found = chain(
        _by_id(snapshots, ids, query),
        _by_number(snapshots, query),
        _by_label(snapshots, query),
        _by_words(snapshots, indices, query),
        _by_similar_id(snapshots, ids, query),
    )
    seen: set[tuple[str, int]] = set()
    return list(islice(_once(found, seen), MOST))


def _once(found: Iterator[SymbolPlace], seen: set[tuple[str, int]]) -> Iterator[SymbolPlace]:
    for place in found:
        if (place.name, place.sentence) not in seen:
            seen.add((place.name, place.sentence))
            yield place


# --- IDs and numbers -----------------------------------------------------------------------


def _ids(document: Document) -> Ids:
    """The IDs in the lines before first words: the rest of a text is not looked at."""
    found: dict[int, str] = {}
    for forest, numbers in document.parts():
        here = np.flatnonzero(numbers >= 0)
        # A sentence without words is one at its end: past the last word there is nothing.
        words = np.append(forest.leaf_open, len(forest.source))
        ends = np.minimum(words[forest.first_leaf[here]], forest.piece[here, 1])
        bounds = zip(forest.piece[here, 0].tolist(), ends.tolist(), strict=True)
        for sentence, (start, end) in zip(numbers[here].tolist(), bounds, strict=True):
            match = SENTENCE_ID.search(forest.source, start, end)
            if match is not None:
                found[sentence] = decode(match[1]).strip()
    sentences = sorted(found)
    return Ids([found[one] for one in sentences], sentences)


def _by_id(snapshots: Sequence[Snapshot], ids: list[Ids], query: str) -> Iterator[SymbolPlace]:
    wanted = query.casefold()
    for snapshot, known in zip(snapshots, ids, strict=True):
        for text, sentence in zip(*known, strict=True):
            if len(text) == len(query) and text.casefold() == wanted:
                yield _whole(snapshot, sentence, text)


def _by_number(snapshots: Sequence[Snapshot], query: str) -> Iterator[SymbolPlace]:
    if not (query.isascii() and query.isdecimal() and len(query) < 10):
        return
    for snapshot in snapshots:
        if 1 <= int(query) <= len(snapshot.document):
            sentence = int(query) - 1
            yield _whole(snapshot, sentence, _excerpt(snapshot.document, sentence, 0))


def _by_similar_id(
    snapshots: Sequence[Snapshot], ids: list[Ids], query: str
) -> Iterator[SymbolPlace]:
    """IDs that have the query in them, then those that are nearly it."""
    homes = [
        (snapshot, sentence, text)
        for snapshot, known in zip(snapshots, ids, strict=True)
        for text, sentence in zip(*known, strict=True)
    ]
    wanted, texts = query.casefold(), [text.casefold() for _, _, text in homes]
    yield from (_whole(*homes[k]) for k, text in enumerate(texts) if wanted in text)
    alike = distances.process.extract(
        wanted, texts, scorer=distances.fuzz.ratio, limit=MOST, score_cutoff=_ALIKE
    )
    yield from (_whole(*homes[k]) for _, _, k in alike)


def _whole(snapshot: Snapshot, sentence: int, title: str) -> SymbolPlace:
    forest, row, shift = snapshot.document.piece(sentence)
    start, end = (forest.tree[row] + shift).tolist()
    return SymbolPlace(snapshot.name, title, sentence + 1, start, end)


# --- labels --------------------------------------------------------------------------------


def _by_label(snapshots: Sequence[Snapshot], query: str) -> Iterator[SymbolPlace]:
    """Where a label, tag or relation is first used in a sentence; those with functions last."""
    for exact in (True, False):
        for snapshot in snapshots:
            document = snapshot.document
            labels = document.symbols.labels
            wanted = np.array([_is(name, query, exact=exact) for name in labels], np.bool_)
            for kind in _KINDS if wanted.any() else ():
                used = uses(document, kind, wanted)
                of = np.searchsorted(document.start, used.offset, side="right") - 1
                sentences, first = np.unique(of, return_index=True)
                for sentence, at in zip(
                    sentences[:MOST].tolist(), first[:MOST].tolist(), strict=True
                ):
                    label = labels[int(used.name[at])]
                    start = int(used.offset[at])
                    title = f"{label} · {_excerpt(document, sentence, 0)}"
                    end = start + len(label.encode("utf-8", "surrogatepass"))
                    yield SymbolPlace(snapshot.name, title, sentence + 1, start, end)


def _is(name: str, query: str, *, exact: bool) -> bool:
    if exact:
        return name == query
    return name.startswith(query) and name[len(query) : len(query) + 1] in {*_FUNCTIONS}


# --- words ---------------------------------------------------------------------------------


def _by_words(
    snapshots: Sequence[Snapshot], indices: Sequence[SymbolIndex], query: str
) -> Iterator[SymbolPlace]:
    """Sentences with these words in a row, however they are capitalised; the last may go on."""
    wanted = query.split()
    for snapshot, index in zip(snapshots, indices, strict=True):
        found: list[tuple[int, int]] = []
        for forest, numbers, text in index.words:
            found += islice(_hits(forest, numbers, text, " ".join(wanted).casefold()), MOST)
        for sentence, word in sorted(found)[:MOST]:
            yield _of_words(snapshot, sentence, word, len(wanted))


def _hits(
    forest: Forest, numbers: npt.NDArray[np.int64], text: str, wanted: str
) -> Iterator[tuple[int, int]]:
    """The sentences of the text that have the words, and the number of the first of these."""
    at, word, counted = text.find(" " + wanted), 0, 0
    while at >= 0:
        word += text.count(" ", counted, at)
        counted = at
        row = int(np.searchsorted(forest.first_leaf, word, side="right")) - 1
        if numbers[row] >= 0:
            yield int(numbers[row]), word - int(forest.first_leaf[row])
        line = text.find("\n", at)
        at = text.find(" " + wanted, line) if line >= 0 else -1


def running_text(forest: Forest) -> str:
    """All words without their capitals, a blank before each; before each sentence a line break."""
    length = forest.word_end - forest.word_start
    before = np.ones(len(length), np.int64)
    firsts = forest.first_leaf[:-1][np.diff(forest.first_leaf) > 0]
    before[firsts] = 2
    ends = np.cumsum(length + before)
    starts = ends - length
    text = np.full(int(ends[-1]) if len(ends) else 0, ord(" "), np.uint8)
    text[starts[firsts] - 2] = ord("\n")
    into = np.ones(len(text), np.bool_)
    into[starts - 1] = into[starts[firsts] - 2] = False
    shift = np.repeat((forest.word_start - (np.cumsum(length) - length)).astype(np.int32), length)
    letters = np.frombuffer(forest.source, np.uint8)[np.arange(len(shift), dtype=np.int32) + shift]
    # What a word has of blanks (CoNLL-U lets it) must not look like the end of it.
    text[into] = np.where(letters <= ord(" "), np.uint8(ord("_")), letters)
    return decode(text.tobytes()).casefold()


def _of_words(snapshot: Snapshot, sentence: int, word: int, count: int) -> SymbolPlace:
    forest, row, shift = snapshot.document.piece(sentence)
    first = int(forest.first_leaf[row]) + word
    start = int(forest.word_start[first]) + shift
    end = int(forest.word_end[first + count - 1]) + shift
    title = _excerpt(snapshot.document, sentence, word, count)
    return SymbolPlace(snapshot.name, title, sentence + 1, start, end)


def _excerpt(document: Document, sentence: int, word: int, count: int = 1) -> str:
    """Some of a sentence's words: those asked for, and those around them."""
    forest, row, _ = document.piece(sentence)
    low, high = forest.first_leaf[row : row + 2].tolist()
    first = max(low + word - _BEFORE, low)
    last = min(max(first + _WORDS, low + word + count), high)
    words = [
        forest.text(*span)
        for span in zip(
            forest.word_start[first:last].tolist(),
            forest.word_end[first:last].tolist(),
            strict=True,
        )
    ]
    return " ".join(["…"] * (first > low) + words + ["…"] * (last < high))
