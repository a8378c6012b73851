"""The words and the contexts in which most errors occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from treelens.dropin.conll.perl import padded, piece, width
from treelens.dropin.conll.tally import END, START, Tally, Wrong
from treelens.dropin.conll.tokens import Columns

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


class Places(NamedTuple):
    """Errors by a key: of any kind, of the head, of the relation."""

    any: Counter[bytes]
    head: Counter[bytes]
    relation: Counter[bytes]

    def keep_most_frequent(self, count: int) -> None:
        """Leave so many keys, and those that are as frequent as the last of them."""
        kept = {key: self.any[key] for key in most_frequent(self.any, count)}
        self.any.clear()
        self.any.update(kept)

    def cells(self, key: bytes) -> tuple[int, int, int, int]:
        either, head, relation = self.any[key], self.head[key], self.relation[key]
        return either, head, relation, relation + head - either

    def ordered(self) -> list[bytes]:
        return sorted(self.any, key=lambda key: (-self.any[key], key))


def count_places(keys: Iterable[bytes | None], wrong: Sequence[Wrong]) -> Places:
    """Errors by a key for each of them; None where there is none."""
    every = list(keys)
    return Places(
        _count(every),
        _count(compress(every, [each.head for each in wrong])),
        _count(compress(every, [each.relation for each in wrong])),
    )


def _count(keys: Iterable[bytes | None]) -> Counter[bytes]:
    return Counter([key for key in keys if key is not None])


def most_frequent(counts: Counter[bytes], count: int) -> set[bytes]:
    """So many keys, and those that are as frequent as the last of them."""
    ranked = sorted(counts.values(), reverse=True)
    least = ranked[count - 1] if len(ranked) >= count else 0
    return {key for key, found in counts.items() if found >= least}


def focus_words(tally: Tally) -> Iterator[bytes]:
    keys = [b"%s / %s" % (each.token.word, each.token.pos) for each in tally.wrong]
    words = count_places(keys, tally.wrong)
    words.keep_most_frequent(_WORDS)
    columns = max([len(b"word"), *map(width, words.any)])
    line = b"  %s-+------+------+------+------\n" % (b"-" * columns)
    yield b"\n\n  %d focus words where most of the errors occur:\n\n" % len(words.any)
    yield b"  %s | any  | head | dep  | both\n" % (b" " * columns)
    yield line
    for word in words.ordered():
        yield b"  %s | %4d | %4d | %4d | %4d\n" % (padded(word, columns), *words.cells(word))
    yield line


def context_tables(tally: Tally) -> Iterator[bytes]:
    """Four tables: words and parts of speech, side by side, for each kind of context."""
    words, tags = _collect(tally)
    _drop_general(words)
    _drop_general(tags)
    for places in (*words, *tags):
        places.keep_most_frequent(_CONTEXTS)
    word_columns = max([0, *(width(key) for places in words for key in places.any)])
    # The originals measure parts of speech in bytes.
    tag_columns = max([0, *(len(key) for places in tags for key in places.any)])
    yield b"\n\n"
    for title, of_tags, of_words in zip(_PLACES, tags, words, strict=True):
        yield b"  %s contexts where most of the errors occur:\n\n" % title
        yield from _context_table(of_tags, of_words, tag_columns, word_columns)


def _collect(tally: Tally) -> tuple[list[Places], list[Places]]:
    """Contexts of words and of parts of speech, in the order of the tables."""
    wrong = tally.wrong
    words = [[_words_before(each), _words_after(each)] for each in wrong]
    tags: list[tuple[bytes, ...]] = []
    for *_, (second_before, before), (after, second_after) in wrong:
        before_both = b"%s+%s" % (second_before.pos, before.pos)
        tags.append((before.pos, before_both, after.pos, b"%s+%s" % (after.pos, second_after.pos)))
    return (
        [count_places([each[side][size] for each in words], wrong) for side, size in _ORDER],
        [count_places([each[kind] for each in tags], wrong) for kind in range(4)],
    )


_ORDER = ((0, 0), (0, 1), (1, 0), (1, 1))


def _words_before(wrong: Wrong) -> tuple[bytes, bytes] | tuple[None, None]:
    """The word before and the two words before; the edge of a sentence is no context."""
    second, first = wrong.before
    if first.word == START:
        return None, None
    one = _named(first, START)
    return one, b"%s + %s" % (_named(second, START), one)


def _words_after(wrong: Wrong) -> tuple[bytes, bytes] | tuple[None, None]:
    first, second = wrong.after
    if first.word == END:
        return None, None
    one = _named(first, END)
    return one, b"%s + %s" % (one, _named(second, END))


def _named(word: Columns, edge: bytes) -> bytes:
    return word.word if word.word == edge else b"%s / %s" % (word.word, word.pos)


def _drop_general(kinds: list[Places]) -> None:
    """Leave out a context of one token that is hardly more frequent than one of two.

    For words this hardly ever applies: the originals split "a / X + b / Y" at the plus, and
    what they look up then still has the blank before it.
    """
    before, before_two, after, after_two = kinds
    for pair, count in before_two.any.items():
        _drop_if_close(before, piece(pair.split(b"+"), 1), count)
    for pair, count in after_two.any.items():
        _drop_if_close(after, pair.split(b"+")[0], count)


def _drop_if_close(places: Places, key: bytes, count: int) -> None:
    if key in places.any and places.any[key] - count <= 1:
        del places.any[key]


def _context_table(
    tags: Places, words: Places, tag_columns: int, word_columns: int
) -> Iterator[bytes]:
    line = b"  %s-+------+------+------+-------++--%s-+------+------+------+-----\n"
    line %= (b"-" * tag_columns, b"-" * word_columns)
    head = b"  %s | any  | head | dep  | both"
    yield b"%s  ||%s\n" % (
        head % b"CPOS".ljust(tag_columns),
        head % b"word".ljust(word_columns),
    )
    yield line
    left = _cells(tags, [tag.ljust(tag_columns) for tag in tags.ordered()], tags.ordered())
    right = _cells(words, [padded(word, word_columns) for word in words.ordered()], words.ordered())
    blank = b" |      |      |      |     "
    for index in range(max(len(left), len(right))):
        yield b"  %s  ||  %s\n" % (
            left[index] if index < len(left) else b" ".ljust(tag_columns) + blank,
            right[index] if index < len(right) else b" ".ljust(word_columns) + blank,
        )
    yield line
    yield b"\n\n"


def _cells(places: Places, names: list[bytes], keys: list[bytes]) -> list[bytes]:
    return [
        b"%s | %4d | %4d | %4d | %4d" % (name, *places.cells(key))
        for name, key in zip(names, keys, strict=True)
    ]
