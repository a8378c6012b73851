"""Which words are the same but for how they are written, and their texts as numbers.

Options say what makes no difference; a table has the answer for every distinct word, looked up
once and remembered. Words that are the same have the same *normal* key. Texts are compared by a
number that grows by arithmetic when words are put together, so that text cut into other words,
or sentences, is found without being spelt out. Knows nothing of trees, files or alignment.
"""

from __future__ import annotations

import functools
import itertools
import re
import threading
import unicodedata
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.rules.equal import standing_for
from treelens.trees.by_label import kept
from treelens.trees.forest import Ints, Keys, Symbols, decode, encode

Contraction = tuple[tuple[str, ...], tuple[str, ...]]
"""Words, and at least as many words that they stand for: ``(("ca", "n't"), ("can", "not"))``."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What makes no difference between two words.

    escapes: ``-LRB-`` is ``(``, and so for the other brackets; ``\\/`` is ``/``, ``\\*`` is ``*``.
    None, where nobody has said: so it is, but between two tables, which need none.
    unicode: whether they are compared in this normal form. quotes: all double quotation marks
    are one, and so are all single ones and apostrophes. ignore_case: capital letters are small.
    equivalences: sets of words that are equal; sets with a word in common are one set.
    contractions: words, and what they stand for.
    """

    escapes: bool | None = None
    unicode: Literal["as-is", "nfc", "nfkc"] = "as-is"
    quotes: bool = False
    ignore_case: bool = False
    equivalences: tuple[tuple[str, ...], ...] = ()
    contractions: tuple[Contraction, ...] = ()

    @property
    def as_written(self) -> bool:
        """Whether words are compared letter by letter, but for escapes and lists of words."""
        return self.unicode == "as-is" and not self.quotes and not self.ignore_case

    @property
    def signature(self) -> str:
        """What is on, ``exact`` if nothing is; lists of words by a checksum."""
        parts = [
            "" if self.escapes is False else "escapes",
            "" if self.unicode == "as-is" else self.unicode,
            "quotes" if self.quotes else "",
            "case" if self.ignore_case else "",
            *(
                f"{name}#{zlib.crc32(repr(words).encode('utf-8', 'surrogatepass')):08x}"
                for name, words in (
                    ("equivalences", self.equivalences),
                    ("contractions", self.contractions),
                )
                if words
            ),
        ]
        return "+".join(filter(None, parts)) or "exact"


DEFAULT = Spelling()
"""Only escapes make no difference: files of one treebank differ in them, tool by tool."""


class ListProblem(NamedTuple):
    """A line of a list of words that is not used, and why."""

    line: int
    message: str


def read_equivalences(text: str) -> tuple[tuple[tuple[str, ...], ...], list[ListProblem]]:
    """Read sets of equal words: a set a line, blanks between words, ``#`` starts a comment."""
    sets, problems = [], []
    for number, words in _lines(text):
        if len(words) > 1:
            sets.append(words)
        else:
            message = f"'{words[0]}' stands alone; words that are equal share a line"
            problems.append(ListProblem(number, message + "; left out"))
    return tuple(sets), problems


def read_contractions(text: str) -> tuple[tuple[Contraction, ...], list[ListProblem]]:
    """Read contractions: ``ca n't = can not``, one a line; ``#`` starts a comment.

    The side with fewer words is taken as the contraction.
    """
    found: list[Contraction] = []
    problems = []
    for number, words in _lines(text):
        at = words.index("=") if "=" in words else 0
        short, full = sorted((words[:at], words[at + 1 :]), key=len)
        if short and full:
            found.append((short, full))
        else:
            message = "a contraction is written as in “ca n't = can not”, with blanks around ="
            problems.append(ListProblem(number, message + "; left out"))
    return tuple(found), problems


def _lines(text: str) -> list[tuple[int, tuple[str, ...]]]:
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    split = [(number, tuple(line.split())) for number, line in lines]
    return [(number, words) for number, words in split if words and not words[0].startswith("#")]


# --- one word ------------------------------------------------------------------------------

_BRACKETS = {
    b"-LRB-": b"(",
    b"-RRB-": b")",
    b"-LSB-": b"[",
    b"-RSB-": b"]",
    b"-LCB-": b"{",
    b"-RCB-": b"}",
}
_BACKSLASHED = re.compile(rb"\\([/*])")
_DOUBLE = dict.fromkeys(map(ord, "“”„‟«»"), '"')
_SINGLE = dict.fromkeys(map(ord, "‘’‚‛‹›`"), "'")
_QUOTES = _DOUBLE | _SINGLE
_has_quotes = re.compile("[" + "".join(map(chr, _QUOTES)) + "]").search


def normal_word(word: bytes, spelling: Spelling) -> bytes:
    """The word as it is compared; equivalences and contractions are looked up elsewhere."""
    if spelling.escapes is not False and _may_be_escaped(word):
        word = _BRACKETS.get(word) or _BACKSLASHED.sub(rb"\1", word)
    if spelling.as_written:
        return word
    if word.isascii() and b"`" not in word and word != b"''":
        return word.lower() if spelling.ignore_case else word
    text = word.decode("utf-8", "surrogateescape")
    if spelling.unicode != "as-is":
        text = unicodedata.normalize("NFC" if spelling.unicode == "nfc" else "NFKC", text)
    if spelling.quotes:
        text = '"' if text in ("``", "''") else _quoted(text)
    if spelling.ignore_case:
        text = text.casefold()
    return text.encode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=1 << 14)
def is_punctuation(word: bytes) -> bool:
    """Whether a word is of punctuation only, by Unicode's categories."""
    text = decode(word)
    return bool(text) and all(unicodedata.category(letter)[0] == "P" for letter in text)


def _may_be_escaped(word: bytes) -> bool:
    return word[:1] == b"-" or b"\\" in word


def _quoted(text: str) -> str:
    return text.translate(_QUOTES) if _has_quotes(text) else text


# --- all words -----------------------------------------------------------------------------

_FEW = 128
"""So many words are looked up sooner one by one."""

_ROOM = 1 << 10
_SLOT_BITS = 16
_SLOT_SHIFT = np.uint64(64 - _SLOT_BITS)
_MIX = np.uint64(0x9E3779B97F4A7C15)
BASE = 0xBF58476D1CE4E5B9
"""The base of texts' numbers, which are taken modulo 2 to the 64."""
_AT_ONCE = 1 << 20
"""Bytes of texts that are numbered together: a word can be as long as a file."""
_FEW_BITS = 14
_POWERS = np.full(1 << _FEW_BITS, BASE, np.uint64)
_POWERS[0] = 1
_POWERS = np.cumprod(_POWERS)


def powers(exponents: npt.NDArray[np.int64]) -> Keys:
    """What a text's number is multiplied by when so many bytes come before it."""
    most = int(exponents.max(initial=0))
    if most < len(_POWERS):
        return _POWERS[exponents]
    # (A power of two powers: to raise each takes twenty times as long.)
    steps = np.full(1 + (most >> _FEW_BITS), pow(BASE, len(_POWERS), 1 << 64), np.uint64)
    steps[0] = 1
    low = _POWERS[exponents & (len(_POWERS) - 1)]
    return np.cumprod(steps)[exponents >> _FEW_BITS] * low


class _Columns(NamedTuple):
    """What is known of each distinct word, by its number; ``(words,)`` each, and room for more."""

    key: Keys
    normal: Keys
    length: Ints
    number: Keys


class DistinctWords:
    """The distinct words of some forests, numbered as they come."""

    def __init__(self, symbols: Symbols, spelling: Spelling) -> None:
        self._symbols = symbols
        self._spelling = spelling
        self._lock = threading.Lock()
        self._numbers: dict[int, int] = {}
        # As in Symbols: readers take no lock; what is found in a slot is believed only if it
        # is the key's own, and the columns only ever grow.
        self._slots = np.zeros(1 << _SLOT_BITS, np.int32)
        self._columns = _Columns(
            np.zeros(_ROOM, np.uint64),
            np.zeros(_ROOM, np.uint64),
            np.zeros(_ROOM, np.int32),
            np.zeros(_ROOM, np.uint64),
        )
        self._classes = _classes(spelling)
        with self._lock:
            self._add([0])
        self._contractions = self._numbered_contractions()

    def ids(self, keys: Keys) -> Ints:
        """The number of each word, given by key."""
        if len(keys) <= _FEW:
            known = [self._numbers.get(key, -1) for key in keys.tolist()]
            if -1 not in known:
                return np.array(known, np.int32)
        # (``take`` is three times as fast as brackets are where indices are not ``intp``.)
        ids = self._slots.take(((keys * _MIX) >> _SLOT_SHIFT).view(np.int64))
        missed = np.flatnonzero(self._columns.key.take(ids) != keys)
        if len(missed):
            unique, inverse = np.unique(keys[missed], return_inverse=True)
            with self._lock:
                wanted = unique.tolist()
                self._add([*itertools.filterfalse(self._numbers.__contains__, wanted)])
                found = np.fromiter(map(self._numbers.__getitem__, wanted), np.int32, len(wanted))
                self._slots[(unique * _MIX) >> _SLOT_SHIFT] = found
            ids[missed] = found[inverse]
        return ids

    def normal(self, ids: Ints) -> Keys:
        """The keys of the words that stand for words: equal for those that are the same."""
        return self._columns.normal.take(ids)

    def texts(self, ids: Ints) -> tuple[Ints, Keys]:
        """Length and number of the text of what stands for words; an empty word has one byte,
        so that it has a place."""
        return self._columns.length.take(ids), self._columns.number.take(ids)

    @property
    def in_context(self) -> bool:
        """Whether it depends on a word's neighbours what stands for it."""
        return bool(self._contractions)

    def spelt(self, keys: Keys, sentence: Ints | None) -> Ints:
        """The number of the word that stands for each word where it is.

        ``sentence``: which one each word is in; needed only if :attr:`in_context`.
        """
        ids = self.ids(keys)
        if sentence is not None and self._contractions:
            self._expand(ids, sentence)
        return ids

    def _add(self, keys: list[int]) -> None:
        """Number new words (with the lock held)."""
        if not keys:
            return
        first, end = len(self._numbers), len(self._numbers) + len(keys)
        if end > len(self._columns.key):
            # Never filled in place: others may be reading the old ones.
            room = max(end, 2 * len(self._columns.key))
            self._columns = _Columns._make(
                np.concatenate([column, np.zeros(room - len(column), column.dtype)])
                for column in self._columns
            )
        texts = self._symbols.tokens(np.array(keys, np.uint64))
        key, normal, length, number = self._columns
        normal[first:end] = keys
        for at in self._changed(texts):
            texts[at] = self._text(texts[at])
            normal[first + at] = self._symbols.key(texts[at])
        length[first:end], number[first:end] = numbers([text or b"\0" for text in texts])
        key[first:end] = keys
        self._numbers.update(zip(keys, range(first, end), strict=True))

    def _changed(self, words: list[bytes]) -> Iterable[int]:
        """The places of words that may be compared as others; of most texts there are few."""
        if self._classes or not self._spelling.as_written:
            return range(len(words))
        all_words = b"\n".join([b"", *words])
        if b"\n-" not in all_words and b"\\" not in all_words:
            return ()
        return [at for at, word in enumerate(words) if _may_be_escaped(word)]

    def _text(self, word: bytes) -> bytes:
        text = normal_word(word, self._spelling)
        return self._classes.get(text, text)

    # Contractions: sequences of words, by the number of the first one's normal key.

    def _numbered_contractions(self) -> dict[int, list[tuple[list[int], list[int]]]]:
        pairs = [
            (short, [*full[: len(short) - 1], "".join(full[len(short) - 1 :])])
            for short, full in self._spelling.contractions
        ]
        keys = [self._symbols.key(encode(word)) for pair in pairs for side in pair for word in side]
        ids = iter(self._canonical(self.ids(np.array(keys, np.uint64))).tolist())
        found: dict[int, list[tuple[list[int], list[int]]]] = {}
        for pair in pairs:
            wanted, given = ([*itertools.islice(ids, len(side))] for side in pair)
            found.setdefault(wanted[0], []).append((wanted, given))
        for rules in found.values():
            rules.sort(key=lambda rule: -len(rule[0]))
        return found

    def _canonical(self, ids: Ints) -> Ints:
        return self.ids(self.normal(ids))

    def _expand(self, ids: Ints, sentence: Ints) -> None:
        """Replace contractions by what they stand for, from the left, the longest first."""
        canonical = self._canonical(ids)
        starts = np.isin(canonical, np.array(list(self._contractions), np.int32))
        done = 0
        for at in np.flatnonzero(starts).tolist():
            if at < done:
                continue
            for wanted, given in self._contractions[int(canonical[at])]:
                end = at + len(wanted)
                here = canonical[at:end].tolist() == wanted
                if here and sentence[at] == sentence[end - 1]:
                    ids[at:end] = given
                    done = end
                    break


def _classes(spelling: Spelling) -> dict[bytes, bytes]:
    """Each word that is in a set of equal ones, and the word that stands for the set."""
    sets = (
        [normal_word(encode(word), spelling) for word in words] for words in spelling.equivalences
    )
    return standing_for((first, other) for first, *others in sets for other in others)


def numbers(texts: list[bytes]) -> tuple[npt.NDArray[np.int64], Keys]:
    """Length and number of each text."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(lengths)
    starts, joined = ends - lengths, np.frombuffer(b"".join(texts), np.uint8)
    found = np.zeros(len(texts), np.uint64)
    for first in range(0, len(joined), _AT_ONCE):
        values = joined[first : first + _AT_ONCE].astype(np.uint64) + np.uint64(1)
        end = first + len(values)
        here = slice(np.searchsorted(ends, first, "right"), np.searchsorted(starts, end))
        start, stop = starts[here].clip(first), ends[here].clip(max=end)
        place = np.arange(first, end) - np.repeat(starts[here], stop - start)
        sums = np.zeros(len(values) + 1, np.uint64)
        np.cumsum(values * powers(place), out=sums[1:])  # wraps around, and so do the differences
        found[here] += sums[stop - first] - sums[start - first]
    return lengths, found


@kept
def words(symbols: Symbols, spelling: Spelling) -> DistinctWords:
    """The words of all forests with these symbols; what is found out of them is kept."""
    return DistinctWords(symbols, spelling)
