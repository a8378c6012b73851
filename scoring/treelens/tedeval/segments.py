"""Which words of two trees are the same word: the axis on which their spans are compared.

Three ways, from the least that is known to the most: the text alone; segments that say which
token they are a part of (mapping files); the states of a lattice. Knows no trees.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from treelens.align.words import align_words
from treelens.formats.lattice import LatticeArc
from treelens.rules import distances
from treelens.rules.spelling import DEFAULT, normal_word
from treelens.trees.forest import encode

Pairs = list[tuple[int, int]]
"""Words of one side and of the other that are the same, in ascending order."""

Segment = tuple[bytes, str]
"""A word as it is compared, and its tag, empty where that does not matter."""

_COMPARED = 1 << 20
"""Past so many comparisons in one token, ties between alignments are broken in any order."""


@functools.lru_cache(maxsize=1 << 16)
def compared(word: str) -> bytes:
    """A word as it is compared: ``-LRB-`` is ``(``, also within a word (of ``:-)``, say), because
    function trees are written so."""
    return normal_word(encode(word), DEFAULT).replace(b"-LRB-", b"(").replace(b"-RRB-", b")")


def form(word: str) -> bytes:
    """A word as forms of a lattice's arcs are compared: underscores around it (as some treebanks
    write segments) are no part of it."""
    return compared(word.strip("_"))


def by_text(one: Sequence[str], other: Sequence[str]) -> Pairs:
    """Equal words that lie at the same place of the texts (:mod:`treelens.align.words`)."""
    if one == other:
        return [(word, word) for word in range(len(one))]
    here, there = list(map(compared, one)), list(map(compared, other))
    axis = align_words(here, there)
    on_cells = {cells: word for word, cells in enumerate(axis.system)}
    found = ((word, on_cells.get(cells, -1)) for word, cells in enumerate(axis.gold))
    return [(word, match) for word, match in found if match >= 0 and here[word] == there[match]]


def by_token(
    one: list[Segment],
    one_tokens: Sequence[int],
    other: list[Segment],
    other_tokens: Sequence[int],
) -> Pairs:
    """Equal segments of the same token: as many as can be, in order, leftmost where tied.

    ACL 2012. Tokens are known by their number; segments stand in the order of their tokens.
    """
    there = dict(_tokens(other_tokens))
    found: Pairs = []
    for token, rows in _tokens(one_tokens):
        others = there.get(token, range(0))
        pairs = common(one[rows.start : rows.stop], other[others.start : others.stop])
        found += [(rows.start + here, others.start + match) for here, match in pairs]
    return found


def _tokens(tokens: Sequence[int]) -> Iterator[tuple[int, range]]:
    """Each token's number and its segments."""
    start = 0
    for at in range(1, len(tokens) + 1):
        if at == len(tokens) or tokens[at] != tokens[start]:
            yield tokens[start], range(start, at)
            start = at


def common(one: list[Segment], other: list[Segment]) -> Pairs:
    """A longest common subsequence, as pairs of places; the leftmost where several are.

    Leftmost is what the side that comes first in the alphabet has first; so swapping the sides
    swaps the pairs.
    """
    if one == other:
        return [(place, place) for place in range(len(one))]
    if other < one:
        return [(here, there) for there, here in common(other, one)]
    if len(one) * len(other) > _COMPARED:
        return [
            (code.src_start + step, code.dest_start + step)
            for code in distances.Indel.opcodes(one, other)
            if code.tag == "equal"
            for step in range(code.src_end - code.src_start)
        ]
    rest = _common_lengths(one, other)
    found: Pairs = []
    there = 0
    for here, segment in enumerate(one):
        # (The first equal one leaves the most for what follows.)
        match = next((at for at in range(there, len(other)) if other[at] == segment), None)
        if match is not None and rest[here + 1][match + 1] + 1 == rest[here][there]:
            found.append((here, match))
            there = match + 1
    return found


def _common_lengths(one: Sequence[Segment], other: Sequence[Segment]) -> list[list[int]]:
    """How much what is left has in common, from each place on."""
    rest = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for here in reversed(range(len(one))):
        for there in reversed(range(len(other))):
            rest[here][there] = (
                rest[here + 1][there + 1] + 1
                if one[here] == other[there]
                else max(rest[here + 1][there], rest[here][there + 1])
            )
    return rest


def states(
    words: Sequence[str], tags: Sequence[str], arcs: Sequence[LatticeArc]
) -> list[int] | None:
    """The states that a path of these words passes, one more than words; None if there is none.

    Of several paths, one with the most tags right; of those, one through the lowest states.
    """
    if not arcs:
        return None
    following: dict[tuple[int, bytes], dict[int, set[str]]] = {}
    for arc in arcs:
        ends = following.setdefault((arc.start, form(arc.form)), {})
        ends.setdefault(arc.end, set()).add(arc.tag)
    # For each state that can be reached: how many tags were right, and where the path came from.
    steps: list[dict[int, tuple[int, int]]] = [{min(arc.start for arc in arcs): (0, -1)}]
    for word, tag in zip(words, tags, strict=True):
        reached: dict[int, tuple[int, int]] = {}
        for state, (right, _) in steps[-1].items():
            for end, known in following.get((state, form(word)), {}).items():
                before = (right + (tag in known), -state)
                if end not in reached or before > (reached[end][0], -reached[end][1]):
                    reached[end] = (before[0], state)
        steps.append(reached)
    path = [max(arc.end for arc in arcs)]
    for reached in reversed(steps):
        if path[-1] not in reached:
            return None
        path.append(reached[path[-1]][1])
    return path[-2::-1]


def places(kept: Sequence[int], words: int) -> list[int]:
    """Of each boundary between some words, how many words that are kept stand before it."""
    found = [0] * (words + 1)
    for word in kept:
        found[word + 1] = 1
    for word in range(words):
        found[word + 1] += found[word]
    return found
