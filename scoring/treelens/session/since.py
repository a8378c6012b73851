"""Whether a system file got worse since an earlier version of it, sentence by sentence, and which
of its differences from gold are new. Both versions are pairs of the same gold file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelens.differences.difference import Finding
from treelens.session.by_sentence import Numbers, SentenceInventory
from treelens.session.changes import changes_in, groups_of, up_to_whole_groups
from treelens.session.pair import Pair


class Earlier(NamedTuple):
    """An earlier version of a pair's system file, and what it is called: ``the last commit``."""

    pair: Pair
    called: str


class ChangeCounts(NamedTuple):
    """Of each sentence of gold, ``(sentences,)``: differences that are new, and that were mended
    (see :mod:`treelens.session.changes`). -1 where it is not known yet."""

    new: Numbers
    mended: Numbers


def inventory() -> SentenceInventory:
    """To keep :class:`ChangeCounts` of two pairs: the earlier one first."""
    return SentenceInventory(_look, len(ChangeCounts._fields))


def _look(pairs: Sequence[Pair], sentences: range) -> Numbers:
    old, new = pairs
    counts = np.zeros((len(sentences), len(ChangeCounts._fields)), np.int64)
    for here, changed in changes_in(old, new, sentences):
        words = new.gold.forest(here).first_leaf
        for one in changed:
            # (What covers no word of gold may be behind the last one.)
            at = int(np.searchsorted(words, one.first, side="right")) - 1
            sentence = here.start + min(at, len(here) - 1)
            if one.fate != "stays" and sentence in sentences:
                counts[sentence - sentences.start, ChangeCounts._fields.index(one.fate)] += 1
    return counts


def new_in(old: Pair, new: Pair, group: int) -> frozenset[Finding]:
    """The findings of a group of the new version that the old one does not have."""
    found = changes_in(old, new, _sentences(new, group))
    return frozenset(one.item for _, changed in found for one in changed if one.fate == "new")


def state_in(old: Pair, new: Pair, group: int) -> tuple[object, ...]:
    """What changes whenever that does."""
    gold = up_to_whole_groups((old, new), _sentences(new, group))
    states = [one.states_of(groups_of(one, gold)) for one in (old, new)]
    return old.origin, new.origin, *states


def _sentences(pair: Pair, group: int) -> range:
    """A group's sentences of gold; of one without, that in whose stretch it is looked for."""
    gold = pair.group(group).gold
    at = min(gold.start, max(len(pair.gold) - 1, 0))
    return gold or range(at, min(at + 1, len(pair.gold)))
