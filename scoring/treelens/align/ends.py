"""What is at the ends of a group of sentences: some that are no part of it, and text that runs on
in the next one.

Where sentences are cut otherwise, a line of one side may hold the last words of another's sentence
and most of the next one's. These few words do not tie the two, as sharing much of the shorter one
does, but they are the same, and no errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treelens.align.likeness import Words
from treelens.align.subsequence import blocks, in_common
from treelens.rules import distances

OVERLAP = 0.3
"""Share of the shorter sentence's text that makes two sentences overlap."""


def without_idle(sentences: Sequence[Words], other: Words) -> slice:
    """Which of some sentences are left without idle ones at the ends, the last ones first: such as
    the other side has as much in common without."""
    first, end = 0, len(sentences)
    while end - first > 1 and _is_idle(sentences[end - 1], sentences[first:end], other, last=True):
        end -= 1
    while end - first > 1 and _is_idle(sentences[first], sentences[first:end], other, last=False):
        first += 1
    return slice(first, end)


def _is_idle(sentence: Words, whole: Sequence[Words], other: Words, *, last: bool) -> bool:
    """Whether the last sentence, or the first, has no word in common with the other side that the
    rest of its own has not, and fewer characters than make two sentences overlap."""
    more = [word for words in whole for word in words]
    without = more[: -len(sentence) or None] if last else more[len(sentence) :]
    if in_common(without, other) < in_common(more, other):
        return False
    text, fewer, all_of_it, theirs = (
        b"".join(words).decode("utf-8", "replace") for words in (sentence, without, more, other)
    )
    shared = [distances.LCSseq.similarity(one, theirs) for one in (all_of_it, fewer)]
    return bool(shared[0] - shared[1] < OVERLAP * min(len(text), len(theirs)))


class Ends(NamedTuple):
    """Words of gold and of system at the ends of a group: before the first ones that both have
    there, and behind the last ones."""

    before: tuple[Words, Words]
    behind: tuple[Words, Words]


def ends_of(gold: Words, system: Words) -> Ends:
    """The ends of a group, by what its sides have in common in order."""
    equal = [block for block in blocks(gold, system) if block.equal]
    if not equal:
        return Ends((gold, system), (gold, system))
    first, last = equal[0], equal[-1]
    return Ends(
        (gold[: first.gold.start], system[: first.system.start]),
        (gold[last.gold.stop :], system[last.system.stop :]),
    )


def runs_on(one: Ends, after: Ends) -> bool:
    """Whether the text of a group goes on in the next: more words there are the same than would
    stand against others if each group were by itself."""
    return _across(one.behind, after.before) > _against(one.behind) + _against(after.before)


def goes_on(one: Ends, gold: Words, system: Words) -> bool:
    """The same of a group and the very next sentences, of which no group is known yet."""
    golds, systems = map(len, one.behind)
    return _across(one.behind, (gold[:systems], system[:golds])) > _against(one.behind)


def _across(behind: tuple[Words, Words], before: tuple[Words, Words]) -> int:
    """How many words are the same that one side has behind a group, the other before the next."""
    return max(in_common(behind[0], before[1]), in_common(behind[1], before[0]))


def _against(sides: tuple[Words, Words]) -> int:
    """How many words of either side stand against words of the other."""
    return min(map(len, sides))
