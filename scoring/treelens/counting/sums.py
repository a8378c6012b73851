"""Sums over groups of sentences, which add up: of stretches, of files, of machines."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.metrics import Tallies
from treelens.session.counts import IN_GOLD, IN_SYSTEM, LENGTH, MISMATCH

Sizes = npt.NDArray[np.int32]


class PairingCounts(NamedTuple):
    """How the sentences of two files paired up, counted in sentences.

    missing: gold's without a parse, whether system has no sentence there or an empty tree.
    extra: system's that gold does not have. empty: groups without a word on either side.
    """

    one_to_one: int = 0
    regrouped_gold: int = 0
    regrouped_system: int = 0
    missing: int = 0
    extra: int = 0
    empty: int = 0
    different: int = 0
    """Groups that differ in what a score counts."""


class Sums(NamedTuple):
    """What some groups of sentences come to.

    golds, systems: sentences of either side. all: the sum of their counts, short: of those up to
    the cutoff, which are ``short_golds`` sentences of gold. but_for_case: how many pairs of
    sentences would have the same text if letter case were ignored.
    """

    golds: int
    systems: int
    short_golds: int
    all: Tallies
    short: Tallies
    pairing: PairingCounts
    but_for_case: int = 0

    def plus(self, other: Sums) -> Sums:
        both = zip(self.pairing, other.pairing, strict=True)
        return Sums(
            self.golds + other.golds,
            self.systems + other.systems,
            self.short_golds + other.short_golds,
            self.all + other.all,
            self.short + other.short,
            PairingCounts(*(one + two for one, two in both)),
            self.but_for_case + other.but_for_case,
        )


def nothing(columns: int) -> Sums:
    """The sums of no groups, with so many counts."""
    return Sums(0, 0, 0, np.zeros(columns, np.int64), np.zeros(columns, np.int64), PairingCounts())


def sums(golds: Sizes, systems: Sizes, rows: Tallies, cutoff: int) -> Sums:
    """Of groups with so many sentences of either side, and their rows of counts with the
    groups' own columns; ``(groups,)`` and ``(groups, counts + own)``."""
    short = rows[:, LENGTH] <= cutoff
    return Sums(
        int(golds.sum()),
        int(systems.sum()),
        int(golds[short].sum()),
        rows[:, :LENGTH].sum(axis=0),
        rows[short, :LENGTH].sum(axis=0),
        _pairing(golds, systems, rows),
    )


def _pairing(golds: Sizes, systems: Sizes, rows: Tallies) -> PairingCounts:
    """By the groups' sizes and by who has words in them."""
    in_gold, in_system, different = (rows[:, at] > 0 for at in (IN_GOLD, IN_SYSTEM, MISMATCH))
    in_both = in_gold & in_system
    single = in_both & (golds == 1) & (systems == 1)
    regrouped = in_both & ~single
    return PairingCounts(
        one_to_one=int(single.sum()),
        regrouped_gold=int(golds[regrouped].sum()),
        regrouped_system=int(systems[regrouped].sum()),
        missing=int(golds[in_gold & ~in_both].sum()),
        extra=int(systems[in_system & ~in_gold].sum()),
        empty=int((~in_gold & ~in_system).sum()),
        different=int(different.sum()),
    )
