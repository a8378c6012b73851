"""Which words of gold and system are the same.

Words that are tokens are the same when they cover the same characters. Words of multiword tokens
have no characters of their own: within the smallest stretch of text that no multiword token of
either side sticks out of, words are paired by a longest common subsequence of their forms.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import count
from typing import NamedTuple

from treelens.dropin.ud.treebank import Treebank


class Alignment(NamedTuple):
    """Pairs of words, as indices: the i-th of ``gold`` is the i-th of ``system``. Both ascend."""

    gold: list[int]
    system: list[int]


class _Side(NamedTuple):
    """The words of a file, by the span of the token that each of them is or belongs to."""

    starts: list[int]
    ends: list[int]
    multiword: set[int]
    forms: list[str]

    def beyond(self, word: int, end: int) -> bool:
        """A word that is not inside a stretch that ends here: a token must end before, a part
        of a multiword token need only begin before."""
        if word >= len(self.ends):
            return True
        if word in self.multiword:
            return self.starts[word] >= end
        return self.ends[word] > end


def align(gold: Treebank, system: Treebank) -> Alignment:
    """Walk both files from the left, in step with the text."""
    one, other = _side(gold), _side(system)
    same = _same_tokens(one, other)
    if not one.multiword and not other.multiword:
        return same
    pairs = Alignment([], [])
    parts, its_parts = sorted(one.multiword), sorted(other.multiword)
    mine = its = 0
    while True:
        # Up to the next multiword token of either side, equal tokens are equal words.
        stop, its_stop = _next(parts, mine, one), _next(its_parts, its, other)
        start = max(bisect_left(same.gold, mine), bisect_left(same.system, its))
        end = min(bisect_left(same.gold, stop), bisect_left(same.system, its_stop))
        if start < end:
            pairs.gold.extend(same.gold[start:end])
            pairs.system.extend(same.system[start:end])
            mine, its = same.gold[end - 1] + 1, same.system[end - 1] + 1
        while mine < stop and its < its_stop:
            if one.starts[mine] <= other.starts[its]:
                mine += 1
            else:
                its += 1
        if mine == len(one.ends) or its == len(other.ends):
            return pairs
        mine, its = _align_stretch(one, other, mine, its, pairs)


def _next(parts: list[int], word: int, side: _Side) -> int:
    """The next word that belongs to a multiword token; behind the last word if there is none."""
    at = bisect_left(parts, word)
    return parts[at] if at < len(parts) else len(side.ends)


def _same_tokens(one: _Side, other: _Side) -> Alignment:
    """The words that are tokens and have the same span. No token is empty, so that its end tells
    it apart."""
    word_of = dict(zip(other.ends, count(), strict=False))
    for word in other.multiword:
        word_of.pop(other.ends[word], None)
    ends = one.ends.copy()
    for word in one.multiword:
        ends[word] = 0  # no token ends there
    starts, its_starts = one.starts, other.starts
    pairs = [
        (mine, its)
        for mine, its in enumerate(map(word_of.get, ends))
        if its is not None and starts[mine] == its_starts[its]
    ]
    return Alignment([mine for mine, _ in pairs], [its for _, its in pairs])


def _side(bank: Treebank) -> _Side:
    starts = [0, *bank.ends]
    token = bank.words.token
    if not bank.words.multiword and len(token) == len(bank.ends):
        return _Side(starts[:-1], bank.ends, set(), bank.words.form)
    return _Side(
        list(map(starts.__getitem__, token)),
        list(map(bank.ends.__getitem__, token)),
        bank.words.multiword,
        bank.words.form,
    )


def _align_stretch(
    one: _Side, other: _Side, mine: int, its: int, pairs: Alignment
) -> tuple[int, int]:
    """Pair the words of a stretch around multiword tokens; return the words after it."""
    first, second = (one, other) if mine in one.multiword else (other, one)
    here, there = (mine, its) if first is one else (its, mine)
    end = first.ends[here]
    # A word that begins before the multiword token is no part of the stretch.
    if there not in second.multiword and second.starts[there] < first.starts[here]:
        there += 1
    mine, its = (here, there) if first is one else (there, here)
    gold_start, system_start = mine, its
    while not (one.beyond(mine, end) and other.beyond(its, end)):
        gold_next = mine < len(one.ends) and (
            its >= len(other.ends) or one.starts[mine] <= other.starts[its]
        )
        side, word = (one, mine) if gold_next else (other, its)
        if word in side.multiword:
            end = max(end, side.ends[word])
        mine, its = (mine + 1, its) if gold_next else (mine, its + 1)
    gold_words, system_words = range(gold_start, mine), range(system_start, its)
    for pair in common_subsequence(
        [one.forms[word].lower() for word in gold_words],
        [other.forms[word].lower() for word in system_words],
    ):
        pairs.gold.append(gold_start + pair[0])
        pairs.system.append(system_start + pair[1])
    return mine, its


def common_subsequence(gold: list[str], system: list[str]) -> list[tuple[int, int]]:
    """Pairs of a longest common subsequence.

    Of several, the one that the original finds: an equal pair is taken at once; else gold's word
    is given up if nothing is lost by that, and only then system's.
    """
    if gold == system:
        return [(word, word) for word in range(len(gold))]
    best = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for mine in reversed(range(len(gold))):
        below, row = best[mine + 1], best[mine]
        for its in reversed(range(len(system))):
            equal = gold[mine] == system[its]
            row[its] = max(equal + below[its + 1] if equal else 0, below[its], row[its + 1])
    pairs = []
    mine = its = 0
    while mine < len(gold) and its < len(system):
        if gold[mine] == system[its]:
            pairs.append((mine, its))
            mine, its = mine + 1, its + 1
        elif best[mine][its] == best[mine + 1][its]:
            mine += 1
        else:
            its += 1
    return pairs
