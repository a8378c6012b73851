"""A forest: the trees of a text as columns (arrays), one row a constituent, one row a leaf.

Knows nothing of any file format, of alignment or of metrics. The same columns hold a whole
file and the single sentence that is being edited, so there is one code path for both.

Offsets are bytes into :attr:`Forest.source`, which is UTF-8; words are counted from 0 within
their sentence; a span ``[first, last)`` is half open. Rows are in text order, which for
constituents is pre-order: a parent stands before its children, a unary chain from the top.
Longer than other modules are: each column is said what it is, its shape and its unit.
"""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", bound=np.generic)
Ints = npt.NDArray[np.int32]
Keys = npt.NDArray[np.uint64]

DEEPEST = 10_000
"""How deep constituents nest at most."""

INLINE_BYTES = 7
"""Tokens up to this length are their own key; the eighth byte tells interned ones apart."""

_INTERNED = 1 << 56
_INTERNED_KEY = np.uint64(_INTERNED)
_SLOT_BITS = 14
_SLOT_SHIFT = np.uint64(64 - _SLOT_BITS)
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Problem(NamedTuple):
    """Something in a user's text that is not as the format has it, and what is done about it."""

    code: str
    message: str
    start: int
    end: int
    severity: Literal["error", "warning"] = "error"

    def moved(self, by: int) -> Problem:
        return self._replace(start=self.start + by, end=self.end + by)


class Symbols:
    """Exact small names for strings: forests that are compared share one of these.

    A word's *key* is a ``uint64``: the bytes themselves when there are at most seven and none
    is NUL, otherwise a number given out here. Two words are equal iff their keys are; there
    is no hash that could collide. A label's *id* is a dense ``int32``, so that what a
    parameter file says of labels becomes one table look-up.

    labels: those whose ids are their places; by default the empty one.
    """

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self._lock = threading.Lock()
        self._long: dict[bytes, int] = {}
        self._long_tokens: list[bytes] = []
        self._ids: dict[int, int] = {0: 0}
        self._names: list[str] = [""]
        # A direct-mapped cache in front of the dictionary: which id was last seen in a slot.
        # Readers take no lock. An id found there is believed only when it is the key's own,
        # and the table of keys only ever grows, so a stale slot is a miss and never an error.
        self._key_of_id = np.zeros(64, np.uint64)
        self._slots = np.zeros(1 << _SLOT_BITS, np.int32)
        # The same for tokens of two words of memory, by their number among the long ones.
        self._halves_of_long = np.zeros((2, 64), np.uint64)
        self._long_slots = np.zeros(1 << _SLOT_BITS, np.int32)
        self.known: dict[Any, Any] = {}
        """What was worked out of these symbols (:func:`~treelens.trees.by_label.kept`)."""
        for label in labels:
            self.label_id(label)

    def long_keys(self, tokens: list[bytes]) -> Keys:
        """Keys of tokens that are no keys themselves."""
        with self._lock:
            return _INTERNED_KEY | self._long_numbers(tokens).astype(np.uint64)

    def halves_keys(self, halves: Keys) -> Keys:
        """The same of tokens of eight to sixteen bytes without NUL, each given as two numbers:
        its first eight bytes, and the others; ``(2, tokens)``."""
        slots = (((halves[0] ^ halves[1] * _MIX) * _MIX) >> _SLOT_SHIFT).view(np.int64)
        numbers = self._long_slots.take(slots)
        known = self._halves_of_long.take(numbers, axis=1)
        missed = np.flatnonzero((known != halves).any(axis=0))
        if len(missed):
            some = halves[:, missed]
            tokens = np.ascontiguousarray(some.T, "<u8").view("S16").ravel().tolist()
            with self._lock:
                found = self._long_numbers(tokens)
                if len(self._long_tokens) > self._halves_of_long.shape[1]:
                    room = np.zeros((2, 2 * len(self._long_tokens)), np.uint64)
                    room[:, : self._halves_of_long.shape[1]] = self._halves_of_long
                    self._halves_of_long = room
                self._halves_of_long[:, found] = some
                self._long_slots[slots[missed]] = found
            numbers[missed] = found
        return _INTERNED_KEY | numbers.astype(np.uint64)

    def _long_numbers(self, tokens: list[bytes]) -> Ints:
        """The numbers of long tokens; new ones get the next (with the lock held)."""
        known, listed = self._long, self._long_tokens
        new = dict.fromkeys(itertools.filterfalse(known.__contains__, tokens))
        known.update(zip(new, range(len(listed), len(listed) + len(new)), strict=True))
        listed += new
        return np.fromiter(map(known.__getitem__, tokens), np.int32, len(tokens))

    def key(self, token: bytes) -> int:
        """The key of one token (``0`` for the empty one)."""
        if len(token) <= INLINE_BYTES and 0 not in token:
            return int.from_bytes(token, "little")
        return int(self.long_keys([token])[0])

    def token(self, key: int) -> bytes:
        """The token that has this key."""
        if key & _INTERNED:
            return self._long_tokens[key & (_INTERNED - 1)]
        return key.to_bytes(8, "little").rstrip(b"\0")

    def tokens(self, keys: Keys) -> list[bytes]:
        """The tokens that have these keys."""
        found: list[bytes] = np.ascontiguousarray(keys, "<u8").view("S8").tolist()
        long = np.flatnonzero(keys & _INTERNED_KEY)
        numbers = keys[long] & np.uint64(_INTERNED - 1)
        for at, number in zip(long.tolist(), numbers.tolist(), strict=True):
            found[at] = self._long_tokens[number]
        return found

    def label_ids(self, keys: Keys) -> Ints:
        """Dense ids of labels, given by key; new labels get the next ids."""
        ids = self._slots.take(((keys * _MIX) >> _SLOT_SHIFT).view(np.int64))
        missed = np.flatnonzero(self._key_of_id.take(ids) != keys)
        if len(missed):
            unique, inverse = np.unique(keys[missed], return_inverse=True)
            with self._lock:
                found = np.array([self._id_of_key(key) for key in unique.tolist()], np.int32)
                self._slots[(unique * _MIX) >> _SLOT_SHIFT] = found
            ids[missed] = found[inverse]
        return ids

    def label_id(self, name: str) -> int:
        """The id of one label."""
        key = self.key(encode(name))
        with self._lock:
            return self._id_of_key(key)

    def label(self, label_id: int) -> str:
        """The label that has this id."""
        return self._names[label_id]

    @property
    def labels(self) -> list[str]:
        """Every label so far, by id."""
        return self._names

    def _id_of_key(self, key: int) -> int:
        label_id = self._ids.get(key)
        if label_id is None:
            label_id = len(self._names)
            if label_id == len(self._key_of_id):
                self._key_of_id = np.concatenate([self._key_of_id, np.zeros_like(self._key_of_id)])
            self._key_of_id[label_id] = key
            self._names.append(decode(self.token(key)))
            self._ids[key] = label_id
        return label_id


Layout = Literal["brackets", "rows"]
"""How a text is laid out: brackets around words, or a line (at least) a word. Says nothing of
the :data:`Annotation`: there are rows with constituents."""

Annotation = Literal["constituents", "dependencies"]
"""What is said of words' syntax, however it is laid out."""

ROOT, NOWHERE = -1, -2
"""As a word's head: the sentence's root; no word at all (not given, or not in the sentence)."""


ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
"""The fields of a line a word, in their order."""
COLUMNS = 10
FEWER_COLUMNS = 8
"""CoNLL-X without its last two, PHEAD and PDEPREL, is common: a sentence may have these only."""


class Dependencies(NamedTuple):
    """What words depend on, wherever they are from; ``(w,)`` each."""

    head: Ints
    """The head's number within its sentence, from 0; or :data:`ROOT`, :data:`NOWHERE`."""
    relation: Ints
    """Label ids, as written."""


class Fields(NamedTuple):
    """What else the fields of a word's line say (CoNLL, lattices); ``(w,)`` but for ``bounds``.

    A lattice's have nothing in ``deps`` and ``misc``: DEPS and MISC are asked for where there are
    :attr:`Forest.dependencies`.
    """

    lemma: Keys
    xpos: Ints
    """Label ids of the second part-of-speech column; the first one is :attr:`Forest.tag`."""
    feats: Keys
    deps: Keys
    misc: Keys
    bounds: Ints
    """``(w, 11)``: field ``k`` of the line is ``[bounds[k], bounds[k + 1] - 1)``; fields that a
    line does not have are empty at its end."""


class Anchors(NamedTuple):
    """Which token of the running text each word is (a part of); ``(w,)`` each."""

    token: Ints
    """The token's number within its sentence: several words of one token have the same."""
    surface: Keys
    """The token's form as the text has it, the word's own where it is one; 0: not known."""


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Forest:
    """Trees as columns. See the module's docstring for units.

    ``n`` sentences, ``c`` constituents, ``w`` words:

    ======================  ========  =============================================
    ``piece``               (n, 2)    first byte and end of the sentence's text, with what
                                      stands around it; a whole text's pieces cover it
    ``tree``                (n, 2)    first byte and end of the tree itself
    ``first_node``          (n+1,)    rows of its constituents
    ``first_leaf``          (n+1,)    rows of its words
    ``label``               (c,)      label ids, function tags and all
    ``label_start/_end``    (c,)      where the label is written
    ``first``, ``last``     (c,)      span in words
    ``open``, ``close``     (c,)      offset of ``(``, and one past ``)``
    ``word``                (w,)      word keys
    ``tag``                 (w,)      label ids of part-of-speech tags
    ``leaf_open/_close``    (w,)      extent of ``(TAG word)``
    ``tag_start/_end``      (w,)      where the tag is written
    ``word_start/_end``     (w,)      where the word is written
    ======================  ========  =============================================

    Where the layout is rows, ``leaf_open/_close`` is the extent of the word's line.
    ``dependencies``, ``fields`` and ``anchors`` are None where the format says no such thing,
    each whatever the others are. ``care`` is of a text that was read: how much of the care that
    one may take was spent on it, as a share, more than 1 if that was not enough
    (:mod:`treelens.formats.care`).

    A constituent's words are all those of its span: every format so far has contiguous ones. A
    discontinuous one would be the span from its first to its last word and, in a column beside,
    the words in between that are not its own; nobody is to take ``last - first`` for its size
    who can ask for its words.
    """

    source: bytes
    symbols: Symbols
    piece: Ints
    tree: Ints
    first_node: Ints
    first_leaf: Ints
    label: Ints
    label_start: Ints
    label_end: Ints
    first: Ints
    last: Ints
    open: Ints
    close: Ints
    word: Keys
    tag: Ints
    leaf_open: Ints
    leaf_close: Ints
    tag_start: Ints
    tag_end: Ints
    word_start: Ints
    word_end: Ints
    layout: Layout = "brackets"
    dependencies: Dependencies | None = None
    fields: Fields | None = None
    anchors: Anchors | None = None
    care: float = 0.0

    def __len__(self) -> int:
        return len(self.piece)

    @property
    def annotation(self) -> Annotation:
        """What is said of the words: dependencies wherever they have heads."""
        return "constituents" if self.dependencies is None else "dependencies"

    def words(self, sentence: int, first: int = 0, end: int | None = None) -> list[str]:
        """The words of one sentence, as written, or its words ``[first, end)``."""
        start, stop = self.first_leaf[sentence : sentence + 2].tolist()
        rows = slice(start + first, stop if end is None else min(start + end, stop))
        source = self.source
        return [
            decode(source[start:end])
            for start, end in zip(
                self.word_start[rows].tolist(), self.word_end[rows].tolist(), strict=True
            )
        ]

    def text(self, start: int, end: int) -> str:
        """What is written from one offset to another."""
        return decode(self.source[start:end])


NODE_COLUMNS = ("label", "label_start", "label_end", "first", "last", "open", "close")
LEAF_COLUMNS = (
    "word",
    "tag",
    "leaf_open",
    "leaf_close",
    "tag_start",
    "tag_end",
    "word_start",
    "word_end",
)
OFFSETS = frozenset(
    {
        *("label_start", "label_end", "open", "close"),
        *("leaf_open", "leaf_close", "tag_start", "tag_end", "word_start", "word_end"),
    }
)
"""Those of the columns that are places in the source; so are ``piece``, ``tree`` and the fields'
bounds."""

_SAID_OF_WORDS: dict[str, Any] = {
    "dependencies": Dependencies,
    "fields": Fields,
    "anchors": Anchors,
}


def decode(text: bytes) -> str:
    """Text for people: what is no UTF-8 shows as U+FFFD, an editor's lone surrogate as itself."""
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return text.decode("utf-8", "replace")


def encode(text: str) -> bytes:
    """The UTF-8 that offsets count in; a lone surrogate keeps three bytes of its own."""
    return text.encode("utf-8", "surrogatepass")


def gather(forest: Forest, sentences: npt.NDArray[np.integer[Any]]) -> Forest:
    """The given sentences, in the given order, as a forest of their own (all of them: itself)."""
    # (What is asked of the whole forest here is asked again for every few of its sentences.)
    if len(sentences) == len(forest) and (sentences == np.arange(len(forest))).all():
        return forest
    first_node, nodes = _rows(forest.first_node, sentences)
    first_leaf, leaves = _rows(forest.first_leaf, sentences)
    said = {
        name: kind._make(column[leaves] for column in getattr(forest, name))
        for name, kind in _SAID_OF_WORDS.items()
        if getattr(forest, name)
    }
    return dataclasses.replace(
        forest,
        piece=forest.piece[sentences],
        tree=forest.tree[sentences],
        first_node=first_node,
        first_leaf=first_leaf,
        **{name: getattr(forest, name)[nodes] for name in NODE_COLUMNS},
        **{name: getattr(forest, name)[leaves] for name in LEAF_COLUMNS},
        **said,
    )


def _rows(
    first: Ints, sentences: npt.NDArray[np.integer[Any]]
) -> tuple[Ints, npt.NDArray[np.int64]]:
    start = first[sentences]
    counts = first[sentences + 1] - start
    new_first = running(counts)
    shift = np.repeat(start - new_first[:-1], counts)
    return new_first, shift + np.arange(new_first[-1])


def concatenate(parts: list[Forest]) -> Forest:
    """Forests that share their symbols, one after the other.

    Parts of one source keep it. Where sources differ, the result's source is the text of its
    sentences and nothing else: offsets are always into the source that is there.
    """
    if len(parts) == 1:
        return parts[0]
    if any(part.source is not parts[0].source for part in parts):
        parts = in_one_source(parts)
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*NODE_COLUMNS, *LEAF_COLUMNS, "piece", "tree")
    }
    for name in ("first_node", "first_leaf"):
        counts = [np.diff(getattr(part, name)) for part in parts]
        columns[name] = running(np.concatenate(counts))
    # (A format gives these to all of its forests or to none.)
    for name, kind in _SAID_OF_WORDS.items():
        found = [getattr(part, name) for part in parts if getattr(part, name)]
        columns[name] = kind._make(map(np.concatenate, zip(*found, strict=True))) if found else None
    return dataclasses.replace(parts[0], **columns)


def in_one_source(parts: list[Forest], before: Iterable[bytes] = ()) -> list[Forest]:
    """Forests whose source is the text of the sentences of all, in order, and nothing else but what
    is to stand ``before`` each of the first ones."""
    texts: list[bytes] = []
    length = 0
    shifts = []
    led = itertools.chain(before, itertools.repeat(b""))
    for part in parts:
        pieces = [part.source[low:high] for low, high in part.piece.tolist()]
        fillers = [*itertools.islice(led, len(pieces))]
        ahead = np.array([*map(len, fillers)], np.int32)
        starts = length + running(part.piece[:, 1] - part.piece[:, 0] + ahead)
        shifts.append(starts[:-1] + ahead - part.piece[:, 0])
        length = int(starts[-1])
        texts += itertools.chain.from_iterable(zip(fillers, pieces, strict=True))
    source = b"".join(texts)
    return [_moved(part, source, by) for part, by in zip(parts, shifts, strict=True)]


def _moved(forest: Forest, source: bytes, by: Ints) -> Forest:
    """The forest with its sentences elsewhere in another source: ``by`` so many bytes, ``(n,)``."""
    node, leaf = (np.repeat(by, np.diff(f)) for f in (forest.first_node, forest.first_leaf))
    of_rows = ((NODE_COLUMNS, node), (LEAF_COLUMNS, leaf))
    moved = {
        name: getattr(forest, name) + rows
        for names, rows in of_rows
        for name in names
        if name in OFFSETS
    }
    fields = forest.fields and forest.fields._replace(bounds=forest.fields.bounds + leaf[:, None])
    piece, tree = forest.piece + by[:, None], forest.tree + by[:, None]
    return dataclasses.replace(
        forest, source=source, piece=piece, tree=tree, fields=fields, **moved
    )


def narrow(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers in as few bytes as hold each of them; others as they are."""
    if values.dtype.kind not in "iu":
        return values
    ends = values.min(initial=0), values.max(initial=0)
    return values.astype(np.result_type(*map(np.min_scalar_type, ends)))


def each_once(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Each value once, in order. (numpy's own way loads its masked arrays, at every start.)"""
    ordered = np.sort(values, axis=None)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]


def running(counts: npt.NDArray[Any]) -> Ints:
    """First row of each item, and the total at the end, from how many rows each has."""
    if counts.dtype == np.bool_:
        return _running_flags(counts)
    first = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=first[1:])
    return first


_ONES = np.uint64(0x0101010101010101)


def _running_flags(flags: npt.NDArray[np.bool_]) -> Ints:
    """The same, eight at a time: a product adds up in each byte of a number those below it."""
    eights = np.zeros(len(flags) // 8 + 1, "<u8")
    eights.view(np.bool_)[1 : len(flags) + 1] = flags
    eights *= _ONES
    before = np.zeros(len(eights), np.int32)
    np.cumsum((eights[:-1] >> np.uint64(56)).astype(np.int32), out=before[1:])
    first = np.repeat(before, 8)
    first += eights.view(np.uint8)
    return first[: len(flags) + 1]
