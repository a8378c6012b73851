"""Words on one axis: two ways of writing the same stretch of text, cut into common cells.

A word covers the cells ``[start, end)``. Boundaries with the same number are the same place
in the text, whatever the words on either side. Knows nothing of trees.

The first of these rules that fits a stretch lays it out:

1. Where the text agrees but for its spaces, every boundary of either side cuts the axis.
2. Equal words are one cell. Which ones correspond is a longest common subsequence of both
   sides' words, each word as far to the left as it can be; and between those, one of the words
   that are equal but for case.
3. What is left between two such words is laid out by rule 1 if its text agrees, word by word
   if both sides have as many, and otherwise cut where the closest alignment of characters
   has a boundary of both sides. What only one side has takes cells of its own.

Words may be parts of *tokens*, and only the tokens be written in the text: ``du`` for ``de le``,
or Hebrew's segments. Then these rules lay out the tokens. Where neither side cuts a stretch of
tokens, and one of them has several words, rules 2 and 3 lay out its words, numbers before
characters, because a token's words need not spell it. So no word has a cell outside of its
token's stretch, and a word covers all cells of those that the other side cuts the same token into.

Swapping the sides swaps the result: ties between them are decided by what they say.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from treelens.align.subsequence import blocks
from treelens.rules import distances

_CHARACTERS_COMPARED = 4000
"""Past so many characters a stretch that differs is not looked into: it is one group."""


class Axis(NamedTuple):
    """Where each word of gold and of system lies; ``cells`` is the axis's length.

    A word without a counterpart has cells of its own, which nothing on the other side covers.
    """

    gold: list[tuple[int, int]]
    system: list[tuple[int, int]]
    cells: int

    def then(self, block: Axis) -> Axis:
        """This axis (whose lists grow) and another one behind it."""
        self.gold.extend((start + self.cells, end + self.cells) for start, end in block.gold)
        self.system.extend((start + self.cells, end + self.cells) for start, end in block.system)
        return self._replace(cells=self.cells + block.cells)


class Tokens(NamedTuple):
    """One side's words as parts of the tokens of the running text."""

    words: list[bytes]
    texts: list[bytes]
    """What the text has for each token; where that is not known, the token's words."""
    sizes: list[int]
    """How many words each token has: together as many as there are."""
    known: bool
    """Whether the text of every token is known."""


def align_words(gold: list[bytes], system: list[bytes]) -> Axis:
    """Lay both sides on one axis. No word is empty."""
    return _either_way(_by_text, gold, system)


def align_tokens(gold: Tokens, system: Tokens) -> Axis:
    """Lay words that are parts of tokens on one axis.

    If neither side knows the text, tokens correspond by their number, where both have as many.
    """
    if gold.known or system.known or len(gold.texts) != len(system.texts):
        tokens = align_words(gold.texts, system.texts)
    else:
        tokens = _word_by_word(len(gold.texts), len(system.texts))
    if len(gold.words) == len(gold.texts) and len(system.words) == len(system.texts):
        return tokens
    first = [list(itertools.accumulate(side.sizes, initial=0)) for side in (gold, system)]
    axis = Axis([], [], 0)
    for stretch in _stretches(tokens):
        golds, systems = (
            side.words[places[part.start] : places[part.stop]]
            for side, places, part in zip((gold, system), first, stretch, strict=True)
        )
        if len(golds) == len(stretch[0]) and len(systems) == len(stretch[1]):
            axis = axis.then(_part(tokens, *stretch))
        else:
            axis = axis.then(_either_way(_by_words, golds, systems))
    return axis


def _either_way(
    lay: Callable[[list[bytes], list[bytes]], Axis], gold: list[bytes], system: list[bytes]
) -> Axis:
    """Both sides laid out the same way, whichever of them is gold."""
    if (len(gold), gold) <= (len(system), system):
        return lay(gold, system)
    swapped = lay(system, gold)
    return Axis(swapped.system, swapped.gold, swapped.cells)


def _by_text(one: list[bytes], other: list[bytes]) -> Axis:
    if b"".join(one) == b"".join(other):
        return _by_characters(one, other)
    return _between_equals(one, other, (bytes, folded), _unequal_text)


def _by_words(one: list[bytes], other: list[bytes]) -> Axis:
    return _between_equals(one, other, (bytes, folded), _unequal_words)


def folded(word: bytes) -> bytes:
    """A word in small letters."""
    if word.isascii():
        return word.lower()
    return word.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")


def _between_equals(
    one: list[bytes],
    other: list[bytes],
    equalities: Sequence[Callable[[bytes], bytes]],
    rest: Callable[[list[bytes], list[bytes]], Axis],
) -> Axis:
    """A cell for each pair of equal words; between them the next equality, and then the rest."""
    if not one or not other or not equalities or len(one) == len(other) == 1:
        return rest(one, other)
    by, *further = equalities
    axis, i, j = Axis([], [], 0), 0, 0
    for at, its in [*_common([*map(by, one)], [*map(by, other)]), (len(one), len(other))]:
        if i < at or j < its:
            axis = axis.then(_between_equals(one[i:at], other[j:its], further, rest))
        if at < len(one):
            axis = axis.then(_word_by_word(1, 1))
        i, j = at + 1, its + 1
    return axis


def _unequal_text(one: list[bytes], other: list[bytes]) -> Axis:
    if b"".join(one) == b"".join(other):
        return _by_characters(one, other)
    return _unequal_words(one, other)


def _unequal_words(one: list[bytes], other: list[bytes]) -> Axis:
    if len(one) == len(other) or not one or not other:
        return _word_by_word(len(one), len(other))
    if b"".join(one) == b"".join(other):
        return _by_characters(one, other)
    return _by_closest_characters(one, other)


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> list[tuple[int, int]]:
    """The pairs of a longest common subsequence, each as far to the left as it can be."""
    pairs = []
    i = j = -1
    for block in blocks(one, other):
        for at in block.gold if block.equal else ():
            i, j = one.index(one[at], i + 1), other.index(one[at], j + 1)
            pairs.append((i, j))
    return pairs


# --- pieces of an axis ---------------------------------------------------------------------


def _part(axis: Axis, golds: range, systems: range) -> Axis:
    """Some words that lie together on an axis, as an axis of their own."""
    gold, system = axis.gold[golds.start : golds.stop], axis.system[systems.start : systems.stop]
    base = min(word[0] for word in (*gold[:1], *system[:1]))
    end = max(word[1] for word in (*gold[-1:], *system[-1:]))
    one, other = ([(a - base, b - base) for a, b in side] for side in (gold, system))
    return Axis(one, other, end - base)


def _stretches(axis: Axis) -> Iterator[tuple[range, range]]:
    """The words between two places of the axis that are inside of no word of either side."""
    sides = axis.gold, axis.system
    at = [0, 0]
    end = 0
    while end < axis.cells:
        start = list(at)
        end += 1
        grown = True
        while grown:
            grown = False
            for side, words in enumerate(sides):
                while at[side] < len(words) and words[at[side]][0] < end:
                    end, grown = max(end, words[at[side]][1]), True
                    at[side] += 1
        yield range(start[0], at[0]), range(start[1], at[1])


def _word_by_word(one: int, other: int) -> Axis:
    cells = max(one, other)
    words = [(cell, cell + 1) for cell in range(cells)]
    return Axis(words[:one], words[:other], cells)


def together(one: int, other: int) -> Axis:
    """Words that correspond as a whole.

    The boundaries of one side are put before those of the other: neither is then ever taken to
    cut where the other does.
    """
    if not one or not other:
        return _word_by_word(one, other)
    cells = one + other - 1
    places = list(range(one)), [0, *range(one, cells)]
    return _from_boundaries([*places[0], cells], [*places[1], cells])


def _by_characters(one: list[bytes], other: list[bytes]) -> Axis:
    """The text is the same: every boundary of either side cuts the axis."""
    ends = [list(itertools.accumulate(map(len, words), initial=0)) for words in (one, other)]
    return _from_boundaries(*ends)


def _from_boundaries(one: list[int], other: list[int]) -> Axis:
    cells = {place: cell for cell, place in enumerate(sorted({*one, *other}))}
    sides = [
        [(cells[start], cells[end]) for start, end in itertools.pairwise(places)]
        for places in (one, other)
    ]
    return Axis(sides[0], sides[1], len(cells) - 1)


def _by_closest_characters(one: list[bytes], other: list[bytes]) -> Axis:
    """Boundaries that the best alignment of characters brings together are one; others not."""
    axis = Axis([], [], 0)
    for (start, its_start), (end, its_end) in itertools.pairwise(_common_boundaries(one, other)):
        ones, others = end - start, its_end - its_start
        by_one = ones == others
        axis = axis.then(_word_by_word(ones, others) if by_one else together(ones, others))
    return axis


def _common_boundaries(one: list[bytes], other: list[bytes]) -> list[tuple[int, int]]:
    """Pairs of word numbers that start at the same place, ends included."""
    ends = (len(one), len(other))
    texts = [b"".join(words).decode("utf-8", "surrogateescape") for words in (one, other)]
    if max(map(len, texts)) > _CHARACTERS_COMPARED:
        return [(0, 0), ends]
    starts = []
    for words in (one, other):
        lengths = (len(word.decode("utf-8", "surrogateescape")) for word in words)
        starts.append(
            {at: word for word, at in enumerate(itertools.accumulate(lengths, initial=0))}
        )
    common = [(0, 0)]
    for code in distances.Levenshtein.opcodes(*texts):
        if code.tag != "equal":
            continue
        for step in range(code.src_end - code.src_start + 1):
            pair = starts[0].get(code.src_start + step), starts[1].get(code.dest_start + step)
            if pair[0] is not None and pair[1] is not None:
                both = (pair[0], pair[1])
                if both[0] > common[-1][0] and both[1] > common[-1][1] and both != ends:
                    common.append(both)
    return [*common, ends]
