"""jp-evalb's walk over the sentences of both sides: which of them are one group.

Two sentences are a pair if their texts are equal without spaces, or if they are near (15 % of
gold's letters edited) and those that follow are a pair too. Otherwise they start a group, which
grows by the side whose *current* sentence is shorter (the paper compares what was collected so
far), until the next two are a pair or the current two are equally long. So a group often takes
in more than it has to: one merged sentence may swallow some that would have paired up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

_WORDS = {"''": '"', "`": "'", "``": '"', "ca": "can", "wo": "will", "n't": "not"}
"""Words that are compared as if they were others."""


class Group(NamedTuple):
    """Sentences that are scored as one; or, with ``equal``, as many pairs that are known to be
    equal, each a group."""

    system: range
    gold: range
    equal: bool = False


class Texts(NamedTuple):
    """The texts of both sides, by number. In each, spaces separate words in lower case.

    These may be a stretch of both files: with ``more``, others follow on either side, and the
    groups end before the first one that may depend on them. (What becomes of sentences depends
    on those that follow, and not on any before: the walk can go on with that group.)
    """

    system: Callable[[int], str]
    systems: int
    gold: Callable[[int], str]
    golds: int
    same: Callable[[int, int], bool] = lambda system, gold: False
    """Whether two texts are known to be the same, before they have been looked at."""
    same_run: Callable[[int, int], int] = lambda system, gold: 0
    """Of how many pairs, from these two on, that is known; there may be more."""
    more: bool = False
    ahead: int = 0
    """By how many more sentences of gold than of system stand before these."""


class _Unknown(Exception):  # noqa: N818 — an answer
    """That depends on texts that follow."""


def groups(texts: Texts) -> Iterator[Group]:
    """All groups in order.

    The script's outer loop ends as soon as the number of system sentences passed is larger
    than that of all gold sentences: where system has many more, the end of both is lost.
    """
    is_pair = _pairs(texts)
    systems, golds, last = texts.systems, texts.golds, texts.golds + texts.ahead
    waiting: Group | None = None
    i = j = 0
    while i < systems and j < golds and i <= last:
        if waiting:
            yield waiting
        run = min(texts.same_run(i, j), last - i + 1) - 1  # the last of them waits in its turn
        if run > 0:
            yield Group(range(i, i + run), range(j, j + run), equal=True)
            i, j = i + run, j + run
        try:
            waiting = _group(texts, is_pair, i, j)
        except _Unknown:
            return
        i, j = waiting.system.stop, waiting.gold.stop
    if texts.more:
        return
    if i <= last and (i < systems or j < golds):
        # Mended: what is left of one side joins the last group.
        start = waiting or Group(range(0), range(0))
        waiting = Group(range(start.system.start, systems), range(start.gold.start, golds))
    if waiting:
        yield waiting


def _group(texts: Texts, is_pair: Callable[[int, int], bool], i: int, j: int) -> Group:
    """The group that starts at ``i`` and ``j``."""
    if texts.same(i, j):
        return Group(range(i, i + 1), range(j, j + 1), equal=True)
    pair = texts.system(i) == texts.gold(j) or is_pair(i, j)
    ends = (i + 1, j + 1) if pair else _end_of_group(texts, is_pair, i, j)
    return Group(range(i, ends[0]), range(j, ends[1]))


def _end_of_group(
    texts: Texts, is_pair: Callable[[int, int], bool], i: int, j: int
) -> tuple[int, int]:
    """The sentences behind the group that starts at ``i`` and ``j``."""
    # Mended: at the end of either side all that is left is one group; the script runs past it,
    # unless both sides end at once.
    while i + 1 < texts.systems and j + 1 < texts.golds:
        if is_pair(i + 1, j + 1):
            return i + 1, j + 1
        left, right = len(texts.system(i)), len(texts.gold(j))
        if left == right:
            return i + 1, j + 1
        if left < right:
            i += 1
        else:
            j += 1
    if texts.more:
        raise _Unknown
    return texts.systems, texts.golds


def _pairs(texts: Texts) -> Callable[[int, int], bool]:
    """Whether two sentences are a pair; remembers the last answer of every diagonal.

    That a near pair needs the next one to be a pair makes a run of them depend on what ends it.
    """
    ends: dict[int, tuple[int, bool]] = {}

    def is_pair(i: int, j: int) -> bool:
        inside = i < texts.systems and j < texts.golds
        if texts.more and not inside:
            raise _Unknown
        if inside and (texts.same(i, j) or texts.system(i) == texts.gold(j)):
            return True
        end, verdict = ends.get(i - j, (-1, False))
        if i > end:
            end, verdict = _end_of_run(texts, i, j)
            ends[i - j] = end, verdict
        return verdict

    return is_pair


def _end_of_run(texts: Texts, i: int, j: int) -> tuple[int, bool]:
    """Where a run of near pairs ends, as a number of system, and whether it is with a pair."""
    while i < texts.systems and j < texts.golds:
        if texts.same(i, j):
            return i, True
        left, right = _without_spaces(texts.system(i)), _without_spaces(texts.gold(j))
        if left == right:
            return i, True
        if not _near(left, right):
            return i, False
        i, j = i + 1, j + 1
    if texts.more:
        raise _Unknown
    # Mended: after the last pair nothing has to follow. It means to say so, but looks first.
    return i, i == texts.systems and j == texts.golds


def have_same_text(system: str, gold: str) -> bool:
    """Whether two texts are a pair whatever follows."""
    return system == gold or _without_spaces(system) == _without_spaces(gold)


@lru_cache(maxsize=1 << 12)
def _without_spaces(text: str) -> str:
    return "".join([_WORDS.get(word, word) for word in text.split(" ")])


def _near(system: str, gold: str) -> bool:
    """At most 15 edits for 100 letters of gold. *Mended*: nothing is near to no letters."""
    allowed = 15 * len(gold) // 100
    if abs(len(system) - len(gold)) > allowed:
        return False
    # Loaded when it is needed: most files never ask.
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(system, gold, score_cutoff=allowed) <= allowed
