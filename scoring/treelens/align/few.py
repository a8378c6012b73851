"""Whether sentences, or their words, are few in what is ahead: then one that both sides have says
little of where counterparts are."""

from __future__ import annotations

import numpy as np

from treelens.align.ahead import IN_STEP, Ahead

FEW = 4
"""Fewer sentences of a side say nothing of that."""

MOST = 128
"""So many of each side are looked at."""

_NEAR = 32
"""So many for whether there are other ones."""

_DIFFERENT = 0.9
"""The share of sentences that differ from each other if a text is none of few sentences."""

_FEW_WORDS = (8, 4), (MOST, 12)
"""Sentences of each side, and how often each of their words is there on average if the words are
few: then sentences are alike by chance, also the same ones."""

_FIRST_WORDS, _OFTEN = 64, 2
"""Words of each side, and how often each is there on average if they seem to be few: of EWT and
Sequoia 1.3 times, and 1.6 where most often."""

_MANY_WORDS = 1 << 15
"""Words of both sides in which it is not looked for what all have in common: that takes the square
of their number."""


def repeat(ahead: Ahead) -> bool:
    """Whether sentences here are there again and again: then one that both sides have says
    little, nor do two in a row."""
    if min(ahead.remaining) < FEW:
        return False
    sizes = ahead.next(_NEAR)
    different = (len(np.unique(side[:, 1])) for side in ahead.numbers(*sizes))
    return all(count <= _DIFFERENT * size for count, size in zip(different, sizes, strict=True))


def of_few_words(ahead: Ahead) -> bool:
    """Whether the sentences here are of few different words."""
    for number, often in _FEW_WORDS:
        if min(ahead.remaining) < FEW:
            return False
        sizes = enumerate(ahead.next(number))
        sides = [ahead.all_words(side, range(size)) for side, size in sizes]
        count = sum(map(len, sides))
        different = len({word for side in sides for word in side})
        if count > _MANY_WORDS or count < often * different:
            return False
    return True


def seem_few(ahead: Ahead) -> bool:
    """Whether the very next words of both sides are there again and again, whatever they are cut
    into."""
    return all(_again(ahead, side, left) for side, left in enumerate(ahead.remaining))


def _again(ahead: Ahead, side: int, left: int) -> bool:
    first: list[bytes] = []
    for step in range(min(left, IN_STEP)):
        if len(first) >= _FIRST_WORDS:
            break
        ahead.look(step + 2)
        first += ahead.words(side, step)
    del first[_FIRST_WORDS:]
    return len(first) >= _OFTEN * len(set(first))
