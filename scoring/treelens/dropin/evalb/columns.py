"""The tallies of many ordinary pairs at once, by passes over whole blocks of text.

An ordinary line is balanced, has ``(TAG word)`` for its words, and holds no NUL; an ordinary
pair is two of them, or one and an empty line that is skipped. Of two that cannot be compared
the fault is told. Every other pair is left to the model (``sentences``, ``comparison``), which
is also the oracle that this module is tested against. It gains its speed from bytes being
classified, brackets matched and labels compared by numpy, for thousands of lines in one call.

It does not read through ``formats.brackets``: a sentence is a line here, and labels are bytes
of any encoding, told apart before anything is decoded.

A block is read as a sequence of *events*: opening and closing brackets, the starts of tokens
and the ends of lines. Which role an event has shows in its neighbours, and a window of four
kinds of event fits in one byte. The passes follow one another on the same arrays, which is why
they are one module, longer than others.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.dropin.evalb.buffers import Lines, piece_starts
from treelens.dropin.evalb.comparison import Fault, length_fault, word_fault
from treelens.dropin.evalb.labels import FIRST_BYTES, Keys, LabelTable, eight_bytes
from treelens.dropin.evalb.run import Run
from treelens.dropin.shared.rows import OK, SKIPPED

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

BLOCK_BYTES = 1 << 19
"""About what the inner caches of a processor hold."""
BLOCK_LINES = 1 << 13

_OPEN, _CLOSE, _TOKEN, _NEWLINE, _BLANK = range(5)
_KINDS = bytearray([_TOKEN]) * 256
_KINDS[ord("(")], _KINDS[ord(")")], _KINDS[ord("\n")] = _OPEN, _CLOSE, _NEWLINE
for _blank in b" \t\v\f\r":
    _KINDS[_blank] = _BLANK

_LEAF, _NODE, _BARE_NODE, _NODE_END, _BAD = 1, 2, 4, 8, 128
_KEY_BITS = 62
_PADDING = bytes(8)
_LARGE, _MANY = 1 << 18, 1 << 22
"""Sizes from which lines, and blocks, are too deeply nested for ``_crossing``'s arrays."""


def _role(before: int, kind: int, after: int, second: int) -> int:
    """An event's role among its neighbours in an ordinary line. ``_BAD`` needs to be found at
    one event only of each mistake: what follows from it is never used."""
    if kind == _OPEN and (after, second) == (_TOKEN, _TOKEN):
        return _LEAF
    if kind == _OPEN and (after, second) == (_TOKEN, _OPEN):
        return _NODE
    if kind == _OPEN:
        return _BARE_NODE if after == _OPEN else _BAD
    if kind == _TOKEN:
        stray = before in (_CLOSE, _NEWLINE) or (before == _TOKEN and after != _CLOSE)
        return _BAD if stray else 0
    if kind == _CLOSE:
        return {_TOKEN: 0, _CLOSE: _NODE_END}.get(before, _BAD)
    return 0


_ROLES = bytes(_role(code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6) for code in range(256))


class Tallies(NamedTuple):
    """What is known of the pairs of a block."""

    numbers: Ints
    """(8, pairs) The fields of ``rows.Tally``, in their order."""
    ordinary: Flags
    """(pairs,) Whether the numbers are valid at all. Where not, and there is no fault either,
    the model reads the pair."""
    faults: dict[int, Fault]
    """Of pairs of ordinary lines with different words; of their numbers the length is valid."""
    compared: Flags
    """(pairs,) Whether a label was compared with the DELETE_LABEL entries."""


class _Tokens(NamedTuple):
    """The tokens of a block, in text order; shape (tokens,) each."""

    start: Ints
    end: Ints
    is_label: Flags
    """Whether an opening bracket stands directly before it; otherwise it is a word."""
    words: Ints
    """(w,) which tokens are words."""


class _Events(NamedTuple):
    """The events of a block (n lines, c constituents) that reading has to look at."""

    newlines: Ints
    """(n+1,) which events are ends of lines; the first is the newline before the block."""
    brackets: Ints
    """(2c,) which events are brackets of constituents, no words' brackets."""
    roles: Bytes
    """(2c,) their roles."""
    bounds: Ints
    """(n+1,) the first bracket of each line, as an index of ``brackets``."""
    depth: npt.NDArray[np.int32]
    """(2c,) how many brackets are open after each."""


class _Side(NamedTuple):
    """The trees of one side's block. Words and nodes are in text order."""

    text: bytes
    first_word: Ints  # (n+1,)
    tag: Ints  # (w,) label ids
    word_start: Ints  # (w,) offsets in the text
    word_end: Ints  # (w,)
    sentence: Ints  # (c,)
    label: Ints  # (c,) label ids
    first: Ints  # (c,) the node's first word
    last: Ints  # (c,) and the one behind its last

    def word(self, index: int) -> bytes:
        return self.text[self.word_start[index] : self.word_end[index]]


class _Kept(NamedTuple):
    """What is left of a side when deleted words and brackets are taken out."""

    words: Ints
    """(kept words,) which words they are."""
    first_word: Ints
    """(n+1,) of each line, in ``words``."""
    sentence: Ints  # (kept brackets,)
    start: Ints  # words of the line
    end: Ints
    label: Ints
    """Numbers for labels that match; the brackets are in text order."""
    compared: Flags
    """(n,) whether there are brackets that are not empty, deleted ones too."""


def line_starts(text: bytes, size: int) -> list[int]:
    """The same as ``buffers.piece_starts``."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")) + 1
    last = [] if text.endswith(b"\n") or not text else [len(text)]
    starts = np.concatenate([np.zeros(1, np.int64), ends, np.array(last, np.int64)])
    if np.diff(starts).max(initial=0) >= size:
        return piece_starts(text, size)
    result: list[int] = starts.tolist()
    return result


def blocks(gold: Lines, test: Lines, count: int) -> list[tuple[int, int]]:
    """Runs of pairs whose text is of about the right size to be scored at once."""
    cuts = [0]
    while cuts[-1] < count:
        first = last = cuts[-1]
        step = BLOCK_LINES
        while step:
            if last + step <= min(count, first + BLOCK_LINES) and all(
                lines.starts[last + step] - lines.starts[first] <= BLOCK_BYTES
                for lines in (gold, test)
            ):
                last += step
            step //= 2
        cuts.append(max(last, first + 1))
    return list(itertools.pairwise(cuts))


def tallies(gold: Lines, test: Lines, first: int, last: int, table: LabelTable) -> Tallies:
    """The tallies of the pairs ``first`` to ``last``."""
    odd = np.zeros(last - first, np.bool_)
    sides = [_read_side(lines, first, last, table, odd) for lines in (gold, test)]
    kept = [_keep(side, table) for side in sides]
    return _compare(sides[0], sides[1], kept[0], kept[1], table, odd)


def _read_side(lines: Lines, first: int, last: int, table: LabelTable, odd: Flags) -> _Side:
    """Read a block; lines that are not ordinary are marked in ``odd`` and read as empty."""
    own = _unreadable(lines, first, last)
    while True:
        found = _read(_block_text(lines, first, last, own), table)
        if isinstance(found, _Side):
            odd |= own
            return found
        own |= found


def _unreadable(lines: Lines, first: int, last: int) -> Flags:
    """Pieces of overlong lines, and lines with a NUL. (A file's last line needs no newline.)"""
    unreadable = np.zeros(last - first, np.bool_)
    start, end = lines.starts[first], lines.starts[last]
    newlines = lines.text.count(b"\n", start, end)
    if newlines < last - first or lines.text.find(b"\0", start, end) >= 0:
        for index in range(first, last):
            line = lines.line(index)
            cut = not line.endswith(b"\n") and lines.starts[index + 1] < len(lines.text)
            unreadable[index - first] = cut or b"\0" in line
    return unreadable


def _block_text(lines: Lines, first: int, last: int, own: Flags) -> bytes:
    """The lines between newlines, with room behind them to read eight bytes at once."""
    text = lines.text[lines.starts[first] : lines.starts[last]]
    if own.any():
        kept = zip(range(first, last), own.tolist(), strict=True)
        text = b"\n".join(b"" if out else lines.line(i).rstrip(b"\n") for i, out in kept)
    return b"\n" + text + (b"" if text.endswith(b"\n") and not own.any() else b"\n") + _PADDING


def _read(text: bytes, table: LabelTable) -> _Side | Flags:
    """Read a block of lines; or tell which of them are not ordinary."""
    kinds = np.frombuffer(text.translate(_KINDS), np.uint8)[: -len(_PADDING)]
    tokens = _find_tokens(kinds)
    events = _find_events(kinds, tokens)
    return _build(text, tokens, events, table) if isinstance(events, _Events) else events


def _find_tokens(kinds: Bytes) -> _Tokens:
    is_token = kinds == _TOKEN
    # The block starts and ends with a newline, so every token has both its edges.
    edges = np.flatnonzero(is_token[1:] != is_token[:-1])
    start, end = edges[0::2] + 1, edges[1::2] + 1
    is_label = kinds[start - 1] == _OPEN
    return _Tokens(start, end, is_label, np.flatnonzero(~is_label))


def _find_events(kinds: Bytes, tokens: _Tokens) -> _Events | Flags:
    is_token = kinds == _TOKEN
    is_event = kinds < _BLANK
    is_event[1:] &= ~(is_token[1:] & is_token[:-1])
    # Here and elsewhere: numpy takes rows by number several times faster than by flags.
    sequence = kinds[np.flatnonzero(is_event)]
    roles = _find_roles(sequence)
    newlines = np.flatnonzero(sequence == _NEWLINE)
    labels = np.count_nonzero(roles & (_LEAF | _NODE))
    misread = labels != len(tokens.start) - len(tokens.words)
    unclosed = (kinds[tokens.end[tokens.words]] != _CLOSE).any()
    if misread or unclosed or roles.max(initial=0) >= _BAD:
        return _misplaced(kinds, tokens, sequence, roles, newlines)
    brackets = np.flatnonzero(roles > _LEAF)
    bracket_roles = roles[brackets]
    bounds = np.searchsorted(brackets, newlines)
    steps = 1 - 2 * (bracket_roles == _NODE_END).view(np.int8)
    depth = np.cumsum(steps, dtype=np.int32)
    events = _Events(newlines, brackets, bracket_roles, bounds, depth)
    unbalanced = _unbalanced(events)
    return events if unbalanced is None else unbalanced


def _find_roles(sequence: Bytes) -> Bytes:
    """Look up the window of each event: the one before it, itself and the two after it."""
    padded = np.full(len(sequence) + 3, _NEWLINE, np.uint8)
    padded[1:-2] = sequence
    window = padded[:-3] | padded[1:-2] << 2 | padded[2:-1] << 4 | padded[3:] << 6
    return np.frombuffer(window.tobytes().translate(_ROLES), np.uint8)


def _misplaced(
    kinds: Bytes, tokens: _Tokens, sequence: Bytes, roles: Bytes, newlines: Ints
) -> Flags:
    """The lines with something out of place: a bad event, a label that does not stand directly
    behind its bracket, a word that does not stand directly before one."""
    bad = np.zeros(len(newlines) - 1, np.bool_)
    bad[np.searchsorted(newlines, np.flatnonzero(roles & _BAD)) - 1] = True
    after_bracket = sequence[np.flatnonzero(sequence == _TOKEN) - 1] == _OPEN
    wrong = (after_bracket != tokens.is_label) | (~after_bracket & (kinds[tokens.end] != _CLOSE))
    line_ends = np.flatnonzero(kinds == _NEWLINE)
    bad[np.searchsorted(line_ends, tokens.start[wrong]) - 1] = True
    return bad


def _unbalanced(events: _Events) -> Flags | None:
    """The lines whose brackets do not balance; None when all do."""
    height = np.append(0, events.depth)[events.bounds]
    if not height.any() and events.depth.min(initial=0) >= 0:
        return None
    counts = np.diff(events.bounds)
    below = events.depth < np.repeat(height[:-1], counts)
    bad: Flags = np.diff(height) != 0
    bad[np.repeat(np.arange(len(counts)), counts)[below]] = True
    return bad


def _build(text: bytes, tokens: _Tokens, events: _Events, table: LabelTable) -> _Side:
    """The columns of a block in which every line is ordinary."""
    counts = np.diff(events.bounds)
    sentence = np.repeat(np.arange(len(counts)), counts)
    # A word makes four events; so from the number of an event and of the other events before
    # it follows how many words came before, without counting them.
    other = np.zeros(len(events.roles) + 1, np.int64)
    np.cumsum(1 + (events.roles == _NODE).view(np.int8), out=other[1:])
    words_before = (events.brackets - other[:-1] - sentence - 1) >> 2
    first_word = (events.newlines - other[events.bounds] - np.arange(len(counts) + 1)) >> 2

    opening = np.flatnonzero(events.roles != _NODE_END)
    next_is_label = np.append(tokens.is_label[1:], False)
    word = tokens.words
    labelled = np.flatnonzero(tokens.is_label & next_is_label)
    named = np.concatenate([word - 1, labelled])
    ids = table.ids(text, tokens.start[named], tokens.end[named])
    label = np.zeros(len(opening), np.int64)
    label[events.roles[opening] == _NODE] = ids[len(word) :]
    return _Side(
        text=text,
        first_word=first_word,
        tag=ids[: len(word)],
        word_start=tokens.start[word],
        word_end=tokens.end[word],
        sentence=sentence[opening],
        label=label,
        first=words_before[opening],
        last=words_before[_partners(events)[opening]],
    )


def _partners(events: _Events) -> Ints:
    """Of each opening bracket, as an index of ``events.brackets``, the one that closes it."""
    # The same depth at both ends of a constituent: among brackets of one depth, each opening
    # one is followed by its own closing one. The sort must be stable, and on two bytes it is
    # a radix sort; no line has room for more than 32,767 balanced levels.
    depth = events.depth - (events.roles != _NODE_END)
    order = np.argsort(depth.astype(np.int16), kind="stable")
    partner = np.empty(len(order), np.int64)
    partner[order[0::2]] = order[1::2]
    return partner


def _keep(side: _Side, table: LabelTable) -> _Kept:
    """Take out deleted words, then empty and deleted brackets."""
    columns = table.columns
    words: Ints | None = None
    first, last, first_word = side.first, side.last, side.first_word
    deleted = columns.deletes_word[side.tag]
    if deleted.any():
        words = np.flatnonzero(~deleted)
        before = np.append(0, np.cumsum(~deleted))
        first, last, first_word = before[first], before[last], before[first_word]
    filled = first < last
    label = columns.bracket[side.label]
    kept = np.flatnonzero(filled & (label >= 0))
    compared = np.zeros(len(first_word) - 1, np.bool_)
    compared[side.sentence[filled]] = True
    sentence = side.sentence[kept]
    line_start = first_word[sentence]
    return _Kept(
        words=np.arange(len(side.tag)) if words is None else words,
        first_word=first_word,
        sentence=sentence,
        start=first[kept] - line_start,
        end=last[kept] - line_start,
        label=label[kept],
        compared=compared,
    )


def _compare(
    gold: _Side, test: _Side, left: _Kept, right: _Kept, table: LabelTable, odd: Flags
) -> Tallies:
    """Compare two sides; ``left`` and ``right`` are what was kept of them."""
    pairs = len(odd)
    words, test_words = np.diff(left.first_word), np.diff(right.first_word)
    skipped = test_words == 0
    # With -X an empty parse is not skipped; its row is the model's.
    odd |= skipped & table.run.settings.counts_unparsed
    unequal = (words != test_words) & ~skipped & ~odd
    faults = _length_faults(np.flatnonzero(unequal), words, test_words, table.run)
    odd |= unequal
    comparable = ~odd & ~skipped
    line = np.repeat(np.arange(pairs), np.where(comparable, words, 0))
    left_words = left.words[np.repeat(comparable, words)]
    right_words = right.words[np.repeat(comparable, test_words)]
    # The first of a line is told, so it has to be entered last.
    for k in reversed(_different(gold, test, left_words, right_words, table)):
        faults[int(line[k])] = word_fault(gold.word(left_words[k]), test.word(right_words[k]))
        odd[line[k]] = True
    same_tag = table.columns.tag[gold.tag[left_words]] == table.columns.tag[test.tag[right_words]]
    matches = _match(left, right, pairs)
    counts = (
        matches.matched,
        np.bincount(left.sentence, minlength=pairs),
        np.bincount(right.sentence, minlength=pairs),
        matches.crossing,
        words,
        np.bincount(line[same_tag], minlength=pairs),
    )
    numbers = np.stack([_lengths(gold, table), np.where(skipped, SKIPPED, OK), *counts])
    numbers[2:, skipped] = 0
    compared = (left.compared | right.compared) & ~skipped
    return Tallies(numbers, ~(odd | matches.beyond), faults, compared)


def _length_faults(unequal: Ints, words: Ints, test_words: Ints, run: Run) -> dict[int, Fault]:
    if run.settings.quote_labels:
        return {}  # the model may mend them
    few = 1 if run.dialect.counts_length_mismatch else -1
    numbers = zip(
        unequal.tolist(), words[unequal].tolist(), test_words[unequal].tolist(), strict=True
    )
    return {k: length_fault(gold, test, run.dialect) for k, gold, test in numbers if gold > few}


def _lengths(gold: _Side, table: LabelTable) -> Ints:
    counts = table.columns.counts_for_length[gold.tag]
    if counts.all():
        return np.diff(gold.first_word)
    return np.diff(np.append(0, np.cumsum(counts))[gold.first_word])


def _different(gold: _Side, test: _Side, left: Ints, right: Ints, table: LabelTable) -> list[int]:
    """Which of the words ``left`` are not the words ``right``, eight bytes at a time."""
    left_start, right_start = gold.word_start[left], test.word_start[right]
    length = gold.word_end[left] - left_start
    different = length != test.word_end[right] - right_start
    left_eight, right_eight = eight_bytes(gold.text), eight_bytes(test.text)
    different |= _xor(left_eight, right_eight, left_start, right_start, length) != 0
    offset = 8
    rest = np.flatnonzero((length > offset) & ~different)
    while len(rest):
        starts = left_start[rest] + offset, right_start[rest] + offset
        different[rest] = _xor(left_eight, right_eight, *starts, length[rest] - offset) != 0
        offset += 8
        rest = rest[(length[rest] > offset) & ~different[rest]]
    found: list[int] = np.flatnonzero(different).tolist()
    if table.run.settings.equal_words:
        same = table.run.same_word
        return [k for k in found if not same(gold.word(left[k]), test.word(right[k]))]
    return found


def _xor(left: Keys, right: Keys, left_start: Ints, right_start: Ints, length: Ints) -> Keys:
    difference: Keys = left[left_start] ^ right[right_start]
    return difference & FIRST_BYTES[np.minimum(length, 8)]


class _Matches(NamedTuple):
    matched: Ints  # (pairs,)
    crossing: Ints  # (pairs,)
    beyond: Flags
    """(pairs,) where this module's numbers or arrays would become too large."""


def _match(left: _Kept, right: _Kept, pairs: int) -> _Matches:
    """Count the brackets that are the same, and test brackets that cross a gold one.

    A bracket is one whole number; equal brackets of one side are told apart by counting them.
    After sorting both sides' numbers together, a match is two neighbours.
    """
    layout = _layout(left, right, pairs)
    gold, test = (np.sort(layout.pack(side)) for side in (left, right))
    gold_rank, test_rank = _ranks(gold), _ranks(test)
    rank_bits = int(max(gold_rank.max(initial=0), test_rank.max(initial=0))).bit_length()
    shift = rank_bits + 1
    if layout.bits + shift > _KEY_BITS:
        zeros = np.zeros(pairs, np.int64)
        return _Matches(zeros, zeros, np.ones(pairs, np.bool_))
    both = np.concatenate([gold << shift | gold_rank << 1, test << shift | test_rank << 1 | 1])
    both.sort()
    is_test = (both & 1).astype(np.bool_)
    is_match = (both[1:] - both[:-1] == 1) & is_test[1:]
    matched = layout.sentence(both[np.flatnonzero(is_match) + 1] >> shift)
    is_test[1:] &= ~is_match
    unmatched = layout.unpack(both[np.flatnonzero(is_test)] >> shift)
    crossing, beyond = _crossing(left, right, unmatched)
    return _Matches(np.bincount(matched, minlength=pairs), crossing, beyond)


class _Brackets(NamedTuple):
    sentence: Ints
    start: Ints
    end: Ints


class _Layout(NamedTuple):
    """How many bits the parts of a bracket's number have."""

    sentence_bits: int
    place_bits: int
    label_bits: int

    @property
    def bits(self) -> int:
        return self.sentence_bits + 2 * self.place_bits + self.label_bits

    def pack(self, kept: _Kept) -> Ints:
        span = (kept.sentence << self.place_bits | kept.start) << self.place_bits | kept.end
        return span << self.label_bits | kept.label

    def sentence(self, numbers: Ints) -> Ints:
        return numbers >> (2 * self.place_bits + self.label_bits)

    def unpack(self, numbers: Ints) -> _Brackets:
        place = (1 << self.place_bits) - 1
        end = numbers >> self.label_bits
        start = end >> self.place_bits
        return _Brackets(start >> self.place_bits, start & place, end & place)


def _layout(left: _Kept, right: _Kept, pairs: int) -> _Layout:
    place = max(left.end.max(initial=0), right.end.max(initial=0))
    label = max(left.label.max(initial=0), right.label.max(initial=0))
    return _Layout(pairs.bit_length(), int(place).bit_length(), int(label).bit_length())


def _ranks(numbers: Ints) -> Ints:
    """Of sorted numbers, how many equal ones stand before each."""
    index = np.arange(len(numbers))
    is_first = np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]
    ranks: Ints = index - np.maximum.accumulate(np.where(is_first, index, 0))
    return ranks


def _crossing(gold: _Kept, test: _Kept, spans: _Brackets) -> tuple[Ints, Flags]:
    """Of test's brackets that are no gold brackets, ``spans``, how many cross a gold one, in
    each pair; and which pairs would have needed arrays too large to tell.

    The gold brackets of a line are nested, and in text order an outer one comes before those
    inside it: writing their ends at each boundary between words they contain, the lowest is
    written last. A span crosses a gold bracket iff the lowest one around its start ends before
    it does, or the lowest one around its end starts after it does.
    """
    words, test_words = np.diff(gold.first_word), np.diff(test.first_word)
    needed = np.zeros(len(words), np.bool_)
    needed[spans.sentence] = True
    inner = gold.end - gold.start - 1
    # What covers the whole line contains everything; it need not be written.
    partial = inner + 1 < words[gold.sentence]
    chosen = np.flatnonzero((inner > 0) & partial & needed[gold.sentence])
    beyond = np.zeros(len(words), np.bool_)
    if inner[chosen].sum() > _MANY:
        beyond = np.bincount(gold.sentence[chosen], inner[chosen], minlength=len(words)) > _LARGE
        chosen = chosen[~beyond[gold.sentence[chosen]]]
    first = np.append(0, np.cumsum(np.maximum(words, test_words) + 1))
    low = np.full(first[-1], -1, np.int64)
    high = np.full(first[-1], np.iinfo(np.int64).max)
    count, start, end = inner[chosen], gold.start[chosen], gold.end[chosen]
    before = first[gold.sentence[chosen]] + start + 1 - (np.cumsum(count) - count)
    place = np.repeat(before, count)
    place += np.arange(len(place))
    low[place], high[place] = np.repeat(start, count), np.repeat(end, count)
    base = first[spans.sentence]
    crosses = (high[base + spans.start] < spans.end) | (low[base + spans.end] > spans.start)
    return np.bincount(spans.sentence[crosses], minlength=len(words)), beyond
