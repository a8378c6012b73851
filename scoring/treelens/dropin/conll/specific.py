"""The most frequent kinds of errors, and the local contexts that they occur in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from treelens.dropin.conll.contexts import most_frequent
from treelens.dropin.conll.generalize import ANYTHING, worth_showing
from treelens.dropin.conll.perl import number, padded, piece, shown, split, width
from treelens.dropin.conll.tally import FIELDS, SEPARATOR, Tally
from treelens.dropin.shared.spilled import Spilled

_KINDS = 10
"""So many kinds of errors are shown, and all that are as frequent as the last of them."""
_NUMBERS = {1: b"one word", 2: b"two words", 3: b"three words", 4: b"four words"}
_FULL = {
    b"0": b"(0",
    b"e": b"(the focus word",
    b"a": b"(after the focus word",
    b"b": b"(before the focus word",
}
_INSTEAD = {side: text[1:] for side, text in _FULL.items()}
_ROOT = {b"a": b"after ", b"b": b"before "}

Contexts = dict[bytes, dict[bytes, int]]
"""By kind of error: the contexts that are shown, and how often each occurs."""


class Columns(NamedTuple):
    """The widths of the tables; they are the same in all of them."""

    tag: int
    before: int
    focus_tag: int
    focus: int
    after: int

    @property
    def six(self) -> tuple[int, ...]:
        return (self.tag, self.before, self.focus_tag, self.focus, self.tag, self.after)

    @property
    def three(self) -> tuple[int, int, int]:
        first, second, third, fourth, fifth, sixth = self.six
        return first + second + 3, third + fourth + 3, fifth + sixth + 3


def specific_errors(tally: Tally) -> Iterator[bytes]:
    kinds = Counter[bytes]()
    for batch in tally.contexts.batches():
        for key, count in batch.items():
            kinds[key.partition(FIELDS)[0]] += count
    chosen = most_frequent(kinds, _KINDS)
    ranked = sorted(chosen, key=lambda kind: (-kinds[kind], kind))
    contexts = {
        kind: worth_showing(found, tally.counters)
        for kind, found in _contexts_of(chosen, tally).items()
    }
    columns = _columns(tally, contexts)
    names = {kind: b"%2d. %s" % (rank, describe(kind)) for rank, kind in enumerate(ranked, start=1)}
    yield b"\n\n  Specific errors, %d most frequent errors:\n  %s\n" % (len(chosen), b"=" * 41)
    for kind in ranked:
        yield b"\n  %s : %d times\n" % (names[kind], kinds[kind])
        yield from _kind_table(contexts[kind], columns)
    yield b"\n\n  Local contexts involved in several frequent errors:\n  %s\n\n\n" % (b"=" * 51)
    yield from _shared_contexts(contexts, names, columns)


def _contexts_of(kinds: Iterable[bytes], tally: Tally) -> dict[bytes, Spilled]:
    """The local contexts of some kinds of errors, one by one."""
    contexts: dict[bytes, Spilled] = {kind: tally.counters.new() for kind in kinds}
    for batch in tally.contexts.batches():
        some: dict[bytes, dict[bytes, int]] = {kind: {} for kind in contexts}
        for key, count in batch.items():
            kind, _, context = key.partition(FIELDS)
            if kind in some:
                some[kind][context] = count
        for kind, found in some.items():
            contexts[kind].update(found)
        tally.counters.bound()
    return contexts


def _columns(tally: Tally, contexts: Contexts) -> Columns:
    shown_fields = [split(key, SEPARATOR) for found in contexts.values() for key in found]

    def widest(*places: int) -> int:
        return max([4, *(width(piece(row, place)) for row in shown_fields for place in places)])

    # Parts of speech are measured in bytes.
    tags = max([4, *(len(piece(row, place)) for row in shown_fields for place in (0, 4))])
    focus_tags = max([4, *map(len, {each[0] for each in tally.tokens})])
    return Columns(tags, widest(1), focus_tags, widest(2), widest(5))


def _kind_table(found: dict[bytes, int], columns: Columns) -> Iterator[bytes]:
    line = _line(columns) + b"+------\n"
    yield line
    yield b"%s | Count\n" % _titles(columns)
    yield b"%s |\n" % _subtitles(columns)
    yield line
    for key in sorted(found, key=lambda key: (-found[key], key)):
        if key != ANYTHING:
            yield b"%s | %3d\n" % (_row(key, columns), found[key])
    yield line


def _shared_contexts(
    contexts: Contexts, names: dict[bytes, bytes], columns: Columns
) -> Iterator[bytes]:
    """Contexts that are shown for more than one kind of error."""
    shared: defaultdict[bytes, dict[bytes, int]] = defaultdict(dict)
    for kind, found in contexts.items():
        for key, count in found.items():
            if key != ANYTHING:
                shared[key][kind] = count
    line = _line(columns) + b"\n"
    for key in sorted(shared, key=lambda key: (-len(shared[key]), key)):
        kinds = shared[key]
        if len(kinds) == 1:
            continue
        yield line
        yield b"%s \n" % _titles(columns)
        yield b"%s \n" % _subtitles(columns)
        yield line
        yield b"%s \n" % _row(key, columns)
        yield line
        for kind in sorted(kinds, key=lambda kind: (-kinds[kind], kind)):
            yield b"  %s : %d times\n" % (names[kind], kinds[kind])
        yield b"\n"


def _line(columns: Columns) -> bytes:
    return b"  %s-" % b"-+-".join(b"-" * size for size in columns.six)


def _titles(columns: Columns) -> bytes:
    titles = (b"  Before", b"   Focus", b"  After")
    cells = [title.ljust(size) for title, size in zip(titles, columns.three, strict=True)]
    return b"  " + b" | ".join(cells)


def _subtitles(columns: Columns) -> bytes:
    cells = [
        (b"word" if place % 2 else b"CPOS").ljust(size) for place, size in enumerate(columns.six)
    ]
    pairs = [b"   ".join(cells[place : place + 2]) for place in (0, 2, 4)]
    return b"  " + b" | ".join(pairs)


def _row(key: bytes, columns: Columns) -> bytes:
    """A context; what is not fixed in it is left blank, and so is any other star."""
    fields = split(key.replace(b"*", b" "), SEPARATOR)
    tag_before, before, word, tag, tag_after, after = (piece(fields, place) for place in range(6))
    cells = (
        tag_before.ljust(columns.tag),
        padded(before, columns.before),
        tag.ljust(columns.focus_tag),
        padded(word, columns.focus),
        tag_after.ljust(columns.tag),
        padded(after, columns.after),
    )
    return b"  " + b" | ".join(cells)


def describe(kind: bytes) -> bytes:
    """A kind of error in the originals' words, which forget a blank here and there."""
    fields = split(kind, SEPARATOR)
    head, sides, relation = (piece(fields, place) for place in range(3))
    return b"%s, %s" % (_head(head, sides[:1], sides[1:2]), _relation(relation))


def _head(off: bytes, gold: bytes, system: bytes) -> bytes:
    if off == b"-":
        return b"correct head %s)" % _FULL[system] if system in _FULL else b"correct head"
    if system == b"0":
        return b"head = 0 instead of %sthe focus word" % _ROOT.get(gold, b"")
    if gold == b"0":
        # The side is gold's, which is the root: it is never said where the wrong head is.
        return b"head is the focus word instead of 0"
    distance = number(off)
    words = _NUMBERS.get(abs(distance)) if isinstance(distance, int) else None
    text = b"head %s %s the correct head %s" % (
        words or shown(abs(distance)) + b" words",
        b"before" if distance < 0 else b"after",
        _FULL.get(system, b""),
    )
    if gold != system:
        # And here it is system's side that is named a second time, instead of gold's.
        text += b" instead of" + _INSTEAD.get(system, b"")
    return text + b")"


def _relation(kind: bytes) -> bytes:
    if kind == b"-":
        return b"correct dependency"
    gold, arrow, system = kind.rpartition(b"->")
    if not arrow:
        gold = system = b""
    return b'dependency "%s" instead of "%s"' % (system, gold)
