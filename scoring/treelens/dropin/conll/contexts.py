"""The words and the contexts in which most errors occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import TypeVar

from treelens.dropin.conll.perl import padded, piece, width
from treelens.dropin.conll.tally import (
    END,
    FAULTS,
    FIELDS,
    HEAD,
    RELATION,
    START,
    Errors,
    Tally,
    key_of,
)
from treelens.dropin.shared.spilled import Counters

K = TypeVar("K", bound=Hashable)
_WORDS = 5
"""So many focus words are shown, and all that are as frequent as the last of them."""
_CONTEXTS = 3
"""The same for contexts."""
_STEP = 16
"""How many more contexts of one token are looked at, each time that too few of them are left."""
_PLACES = (
    b"one-token preceeding",
    b"two-token preceeding",
    b"one-token following",
    b"two-token following",
)
"""The kinds of contexts, in the originals' spelling."""

Cells = tuple[int, int, int, int]
"""Errors of any kind, of heads, of relations, of both."""
Found = dict[bytes, Cells]
"""By what stands in a place, in no certain order."""
Rows = dict[bytes, Cells]
"""By what stands in a place as it is shown, from the most frequent down."""


def most_frequent(counts: Mapping[K, int], count: int) -> set[K]:
    """So many keys, and those that are as frequent as the last of them."""
    ranked = sorted(counts.values(), reverse=True)
    least = ranked[count - 1] if len(ranked) >= count else 0
    return {key for key, found in counts.items() if found >= least}


def _any(errors: Counter[bytes]) -> Counter[bytes]:
    """Errors of any kind."""
    return Counter(map(key_of, errors.elements()))


def _most_frequent(found: Found, count: int) -> Found:
    kept = most_frequent({key: cells[0] for key, cells in found.items()}, count)
    return {key: cells for key, cells in found.items() if key in kept}


def _found(errors: Errors, count: int) -> Found:
    """The most frequent keys."""
    found: Found = {}
    for batch in errors.batches():
        found.update(_cells(batch, most_frequent(_any(batch), count)))
    return _most_frequent(found, count)


def _cells(errors: Counter[bytes], keys: Iterable[bytes]) -> Iterator[tuple[bytes, Cells]]:
    for key in keys:
        head, relation, both = (
            errors[key + FIELDS + FAULTS[fault]] for fault in (HEAD, RELATION, HEAD | RELATION)
        )
        yield key, (head + relation + both, head + both, relation + both, both)


def _rows(found: Found, name: Callable[[bytes], bytes]) -> Rows:
    rows = {name(key): cells for key, cells in found.items()}
    return dict(sorted(rows.items(), key=lambda row: (-row[1][0], row[0])))


def focus_words(tally: Tally) -> Iterator[bytes]:
    rows = _rows(_found(tally.focus, _WORDS), partial(_named, edge=None))
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
    word_names = [partial(_named, edge=edge) for edge in edges]
    tags = [
        _by_name(errors, name, tally.counters)
        for errors, single in zip(tally.tags, (itemgetter(1), itemgetter(0)), strict=True)
        for name in (single, b"+".join)
    ]
    word_rows = _four(tally.words, word_names)
    tag_rows = _four(tags, [bytes] * 4)
    word_columns = max([0, *(width(key) for rows in word_rows for key in rows)])
    # The originals measure parts of speech in bytes.
    tag_columns = max([0, *(len(key) for rows in tag_rows for key in rows)])
    yield b"\n\n"
    for title, of_tags, of_words in zip(_PLACES, tag_rows, word_rows, strict=True):
        yield b"  %s contexts where most of the errors occur:\n\n" % title
        yield from _context_table(of_tags, of_words, tag_columns, word_columns)


def _four(errors: Sequence[Errors], names: Sequence[Callable[[bytes], bytes]]) -> list[Rows]:
    """What is shown of the contexts of each kind, whose keys have these names."""
    before, before_two, after, after_two = errors
    found = (
        *_one_and_two(before, before_two, names[0], 1),
        *_one_and_two(after, after_two, names[2], 0),
    )
    return [_rows(each, name) for each, name in zip(found, names, strict=True)]


def _by_name(
    errors: Errors, name: Callable[[Sequence[bytes]], bytes], counters: Counters
) -> Errors:
    """Errors whose keys have the same name, together."""
    found = counters.new(key_of)
    for batch in errors.batches():
        some = Counter[bytes]()
        for error, count in batch.items():
            *tags, fault = error.split(FIELDS)
            some[name(tags) + FIELDS + fault] += count
        found.update(some)
    return found


def _named(key: bytes, edge: bytes | None) -> bytes:
    """One word with its part of speech, or two; the edge of a sentence has none."""
    words = key.split(FIELDS)
    pairs = zip(words[::2], words[1::2], strict=True)
    return b" + ".join([word if word == edge else b"%s / %s" % (word, tag) for word, tag in pairs])


def _one_and_two(
    one: Errors, two: Errors, name: Callable[[bytes], bytes], place: int
) -> tuple[Found, Found]:
    """The most frequent contexts of one token, and of two; ``name`` shows both. Left out is one
    that is hardly more frequent than one of two, which has the token in this place.

    The originals split "a / X + b / Y" at the plus, and what they look up then still has the
    blank beside it. So of words only those are found whose part of speech has a plus in it.
    """
    looked_at = _CONTEXTS
    while True:
        # Few are left out: mostly the most frequent ones are enough.
        looked_at *= _STEP
        found, found_two = _found(one, looked_at), Found()
        left = {name(key): key for key in found}
        for batch in two.batches():
            every = _any(batch)
            found_two.update(_cells(batch, most_frequent(every, _CONTEXTS)))
            for pair, count in every.items():
                if b"+" in pair:
                    general = piece(name(pair).split(b"+"), place)
                    if general in left and found[left[general]][0] - count <= 1:
                        del left[general]
        if len(left) >= _CONTEXTS or len(found) < looked_at:
            found = {key: found[key] for key in left.values()}
            return _most_frequent(found, _CONTEXTS), _most_frequent(found_two, _CONTEXTS)


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
