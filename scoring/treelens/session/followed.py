"""Where a sentence is by now, of which somebody has said something that is still to be written."""

from __future__ import annotations

from typing import NamedTuple

from treelens.session.document import Document
from treelens.session.sentence_names import digest, sentence_key

_NEAR = 500
"""Sentences around, among which one is looked for that may have been moved."""


class Followed(NamedTuple):
    """The number that a sentence has now, and whether it is another one than it was."""

    sentence: int
    is_another: bool


def followed(before: Document, now: Document, sentence: int) -> Followed | None:
    """What became of a sentence of a text as it was ``before``: it may have been moved, or edited
    where it is. None where that cannot be told: to write nothing is better than to write to
    another one.

    Within what has changed it is the sentence of the same tree, else of the same words; of several
    alike, the one that was the how-manieth, if none came and none went. Where nothing else than
    this one has other words, it is the one in its place.
    """
    change = now.since(before)
    moved = change.after(sentence)
    if moved is not None:
        return Followed(moved, is_another=False)
    if (change.old_end - change.first, change.shift) == (1, 0):
        return Followed(sentence, is_another=True)
    behind = max(change.shift, 0)
    old = range(max(change.first, sentence - _NEAR), min(change.old_end, sentence + _NEAR + 1))
    new = range(
        max(change.first, sentence - _NEAR - (behind - change.shift)),
        min(change.new_end, sentence + _NEAR + 1 + behind),
    )
    was = [sentence_key(before, one) for one in old]
    here = [sentence_key(now, one) for one in new]
    key, tree = was[sentence - old.start], digest(before, sentence)
    called = [one for one, known in zip(old, was, strict=True) if known == key]
    calls = [one for one, known in zip(new, here, strict=True) if known == key]
    same = [one for one in called if digest(before, one) == tree]
    found = [one for one in calls if digest(now, one) == tree]
    if len(same) == len(found):
        return Followed(found[same.index(sentence)], is_another=False)
    if len(called) == len(calls):
        return Followed(calls[called.index(sentence)], is_another=True)
    at = sentence - old.start
    others = was[:at] + was[at + 1 :], here[:at] + here[at + 1 :]
    is_in_place = old == new and others[0] == others[1]
    return Followed(sentence, is_another=True) if is_in_place else None
