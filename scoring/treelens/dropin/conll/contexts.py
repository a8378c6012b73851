"""The words and the contexts in which most errors occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import TypeVar

from treelens.dropin.conll.perl import padded, piece, width
from treelens.dropin.conll.tally import END, HEAD, RELATION, START, Errors, Key, Tally

K = TypeVar("K", bound=Hashable)
_WORDS = 5
"""So many focus words are shown, and all that are as frequent as the last of them."""
_CONTEXTS = 3
"""The same for contexts."""
_PLACES = (
    b"one-token preceeding",
    b"two-token preceeding",
    b"one-token following",
    b"two-token following",
)
"""The kinds of contexts, in the originals' spelling."""


Cells = tuple[int, int, int, int]
"""Errors of any kind, of heads, of relations, of both."""
Rows = dict[bytes, Cells]
"""By what stands in a place as it is shown, from the most frequent down."""


class Places:
    """Errors by what stands in a place."""

    def __init__(self, errors: Errors, name: Callable[[Key], bytes]) -> None:
        """``name``: how a key is shown."""
        self._errors, self.name = errors, name
        self.any = Counter[Key](map(itemgetter(0), errors.elements()))
        """Errors of any kind."""

    def keep_most_frequent(self, count: int) -> None:
        """Leave so many keys, and those that are as frequent as the last of them."""
        self.any = Counter({key: self.any[key] for key in most_frequent(self.any, count)})

    def rows(self) -> Rows:
        rows = {self.name(key): self._cells(key) for key in self.any}
        return dict(sorted(rows.items(), key=lambda row: (-row[1][0], row[0])))

    def _cells(self, key: Key) -> Cells:
        head, relation, both = (
            self._errors[key, fault] for fault in (HEAD, RELATION, HEAD | RELATION)
        )
        return head + relation + both, head + both, relation + both, both


def most_frequent(counts: Counter[K], count: int) -> set[K]:
    """So many keys, and those that are as frequent as the last of them."""
    ranked = sorted(counts.values(), reverse=True)
    least = ranked[count - 1] if len(ranked) >= count else 0
    return {key for key, found in counts.items() if found >= least}


def focus_words(tally: Tally) -> Iterator[bytes]:
    words = Places(tally.focus, b"%s / %s".__mod__)
    words.keep_most_frequent(_WORDS)
    rows = words.rows()
    columns = max([len(b"word"), *map(width, rows)])
    line = b"  %s-+------+------+------+------\n" % (b"-" * columns)
    yield b"\n\n  %d focus words where most of the errors occur:\n\n" % len(rows)
    yield b"  %s | any  | head | dep  | both\n" % (b" " * columns)
    yield line
    for word, cells in rows.items():
        yield b"  %s | %4d | %4d | %4d | %4d\n" % (padded(word, columns), *cells)
    yield line


def context_tables(tally: Tally) -> Iterator[bytes]:
    """Four tables: words and parts of speech, side by side, for each kind of context."""
    edges = (START, START, END, END)
    words = [
        Places(errors, partial(_named, edge=edge))
        for errors, edge in zip(tally.words, edges, strict=True)
    ]
    tags = [
        Places(_by_name(errors, name), b"".join)
        for errors, single in zip(tally.tags, (itemgetter(1), itemgetter(0)), strict=True)
        for name in (single, b"+".join)
    ]
    for before, before_two, after, after_two in (words, tags):
        _drop_general(before, before_two, 1)
        _drop_general(after, after_two, 0)
    for places in (*words, *tags):
        places.keep_most_frequent(_CONTEXTS)
    word_rows, tag_rows = ([places.rows() for places in kinds] for kinds in (words, tags))
    word_columns = max([0, *(width(key) for rows in word_rows for key in rows)])
    # The originals measure parts of speech in bytes.
    tag_columns = max([0, *(len(key) for rows in tag_rows for key in rows)])
    yield b"\n\n"
    for title, of_tags, of_words in zip(_PLACES, tag_rows, word_rows, strict=True):
        yield b"  %s contexts where most of the errors occur:\n\n" % title
        yield from _context_table(of_tags, of_words, tag_columns, word_columns)


def _by_name(errors: Errors, name: Callable[[Key], bytes]) -> Errors:
    """Errors whose keys have the same name, together."""
    found: Errors = Counter()
    for (key, fault), count in errors.items():
        found[(name(key),), fault] += count
    return found


def _named(words: Sequence[bytes], edge: bytes) -> bytes:
    """One word with its part of speech, or two; the edge of a sentence has none."""
    pairs = zip(words[::2], words[1::2], strict=True)
    return b" + ".join([word if word == edge else b"%s / %s" % (word, tag) for word, tag in pairs])


def _drop_general(one: Places, two: Places, place: int) -> None:
    """Leave out a context of one token that is hardly more frequent than one of two, which
    has the token in this place.

    The originals split "a / X + b / Y" at the plus, and what they look up then still has the
    blank beside it. So of words only those are found whose part of speech has a plus in it.
    """
    for pair, count in two.any.items():
        if len(pair) == 1:
            key: Key = (piece(pair[0].split(b"+"), place),)
        elif b"+" in pair[1]:
            word, _, tag = piece(two.name(pair).split(b"+"), place).partition(b" / ")
            key = (word, tag)
        else:
            continue
        if key in one.any and one.any[key] - count <= 1:
            del one.any[key]


def _context_table(tags: Rows, words: Rows, tag_columns: int, word_columns: int) -> Iterator[bytes]:
    line = b"  %s-+------+------+------+-------++--%s-+------+------+------+-----\n"
    line %= (b"-" * tag_columns, b"-" * word_columns)
    head = b"  %s | any  | head | dep  | both"
    yield b"%s  ||%s\n" % (
        head % b"CPOS".ljust(tag_columns),
        head % b"word".ljust(word_columns),
    )
    yield line
    left = [_row(tag.ljust(tag_columns), cells) for tag, cells in tags.items()]
    right = [_row(padded(word, word_columns), cells) for word, cells in words.items()]
    blank = b" |      |      |      |     "
    for index in range(max(len(left), len(right))):
        yield b"  %s  ||  %s\n" % (
            left[index] if index < len(left) else b" ".ljust(tag_columns) + blank,
            right[index] if index < len(right) else b" ".ljust(word_columns) + blank,
        )
    yield line
    yield b"\n\n"


def _row(name: bytes, cells: Cells) -> bytes:
    return b"%s | %4d | %4d | %4d | %4d" % (name, *cells)
