"""Attachment scores over aligned words: heads and relations that both sides have.

Source: Buchholz & Marsi 2006 (LAS, UAS, label accuracy); Zeman et al. 2018 for words that
differ: a score is the harmonic mean of recall (of gold's words) and precision (of system's), so
that where all words are the same, all three are the share of gold's words that are right.
Neutral edge direction: Schwartz, Abend, Reichart & Rappoport 2011. Percentages, 0 to 100.

* A relation counts up to its first colon, as in the UD evaluation; ``LAS-subtypes`` compares
  relations whole, as the CoNLL-X and CoNLL 2007 scorers do.
* Punctuation counts. The scores without it leave out what those scorers leave out: words of
  which every character is punctuation in Unicode (categories P*); in files of constituents, the
  words that the parameters leave out, by gold's tags.
* Constituents have heads where a table says which (``--heads``, :mod:`treelens.compare.headed`).
* A word without a head (``_``, or a number that is no word) is not one that has to be right.
* NED takes a head for right if in gold it is the word's head, one of its dependents, or its
  head's head (the root's head is the root).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import Arcs
from treelens.compare.comparison import ComparedSide, Comparison
from treelens.metrics import DEPENDENCIES, Metric, Ratio, Tallies, by_group
from treelens.rules.spelling import is_punctuation
from treelens.trees.forest import NOWHERE, ROOT

Flags = npt.NDArray[np.bool_]

COUNTS = (
    "gold",
    "system",
    "attached",
    "labelled",
    "subtyped",
    "related",
    "related_subtyped",
    "gold_plain",
    "system_plain",
    "attached_plain",
    "labelled_plain",
    "subtyped_plain",
    "related_plain",
    "related_subtyped_plain",
    "near",
)


def tally(comparison: Comparison) -> Tallies:
    gold, system = comparison.gold, comparison.system
    arcs, others = gold.attachments, system.attachments
    if arcs is None or others is None:
        return np.zeros((comparison.groups, len(COUNTS)), np.int64)
    headed = arcs.head != NOWHERE, others.head != NOWHERE
    attached = arcs.attached & headed[0]
    labelled, subtyped = attached & arcs.related, attached & arcs.subtyped
    # A label is not right where the other side has no arc to bear it.
    borne = headed[0] & np.append(headed[1], False)[gold.words.partner]
    related, related_subtyped = arcs.related & borne, arcs.subtyped & borne
    plain = _plain(gold, system)
    of_gold, of_system = gold.words.group, system.words.group
    flags = (
        (of_gold, headed[0]),
        (of_system, headed[1]),
        (of_gold, attached),
        (of_gold, labelled),
        (of_gold, subtyped),
        (of_gold, related),
        (of_gold, related_subtyped),
        (of_gold, headed[0] & plain[0]),
        (of_system, headed[1] & plain[1]),
        (of_gold, attached & plain[0]),
        (of_gold, labelled & plain[0]),
        (of_gold, subtyped & plain[0]),
        (of_gold, related & plain[0]),
        (of_gold, related_subtyped & plain[0]),
        (of_gold, headed[0] & _near(gold, arcs, system, others)),
    )
    columns = [by_group(group[flag], comparison) for group, flag in flags]
    return np.stack(columns, axis=1).astype(np.int64)


def _near(gold: ComparedSide, arcs: Arcs, system: ComparedSide, others: Arcs) -> Flags:
    """Which of gold's words have in system a head that is near in gold; ``(w,)``."""
    partner = np.append(gold.words.partner, -1)
    paired = partner[:-1] >= 0
    theirs = np.append(others.head, [NOWHERE, ROOT])[np.where(paired, partner[:-1], NOWHERE)]
    there = np.where(system.words.partner >= 0, system.words.partner, NOWHERE)
    head = np.append(there, [NOWHERE, ROOT])[theirs]  # gold's word that system has for a head
    heads = np.append(arcs.head, [NOWHERE, ROOT])
    word = np.arange(len(arcs.head))
    found = (head == arcs.head) | (head == heads[arcs.head]) | (heads[head] == word)
    return found & (head != NOWHERE) & paired


def _plain(gold: ComparedSide, system: ComparedSide) -> tuple[Flags, Flags]:
    """Which words of each side are no punctuation; of words of both, gold says it."""
    golds, systems = ~_punctuation(gold), ~_punctuation(system)
    paired = np.flatnonzero(system.words.partner >= 0)
    systems[paired] = golds[system.words.partner[paired]]
    return golds, systems


def _punctuation(side: ComparedSide) -> Flags:
    """Which words are punctuation: by their characters, or by their tags in constituents."""
    if side.forest.dependencies is None:
        return ~side.words.counted
    distinct, inverse = np.unique(side.forest.word, return_inverse=True)
    flags = [is_punctuation(side.forest.symbols.token(key)) for key in distinct.tolist()]
    return np.array(flags, np.bool_)[inverse]


_WORDS, _PLAIN = {"gold": 1, "system": 1}, {"gold_plain": 1, "system_plain": 1}

METRIC = Metric(
    name="attachment",
    title="Attachment",
    source="Buchholz & Marsi 2006; Zeman et al. 2018; Schwartz et al. 2011",
    counts=COUNTS,
    ratios=(
        Ratio("LAS", "LAS", {"labelled": 2}, _WORDS, headline="LAS"),
        Ratio("UAS", "UAS", {"attached": 2}, _WORDS, headline="UAS"),
        Ratio("LAS-recall", "LAS recall", {"labelled": 1}, {"gold": 1}),
        Ratio("LAS-precision", "LAS precision", {"labelled": 1}, {"system": 1}),
        Ratio("UAS-recall", "UAS recall", {"attached": 1}, {"gold": 1}),
        Ratio("UAS-precision", "UAS precision", {"attached": 1}, {"system": 1}),
        Ratio("LA", "Label accuracy", {"related": 2}, _WORDS),
        Ratio("LAS-subtypes", "LAS with subtypes", {"subtyped": 2}, _WORDS),
        Ratio("LA-subtypes", "Label accuracy with subtypes", {"related_subtyped": 2}, _WORDS),
        Ratio("LAS-plain", "LAS without punctuation", {"labelled_plain": 2}, _PLAIN),
        Ratio("UAS-plain", "UAS without punctuation", {"attached_plain": 2}, _PLAIN),
        Ratio("LA-plain", "Label accuracy without punctuation", {"related_plain": 2}, _PLAIN),
        Ratio(
            "LAS-plain-subtypes",
            "LAS without punctuation, with subtypes",
            {"subtyped_plain": 2},
            _PLAIN,
        ),
        Ratio(
            "LA-plain-subtypes",
            "Label accuracy without punctuation, with subtypes",
            {"related_subtyped_plain": 2},
            _PLAIN,
        ),
        Ratio("NED", "Neutral edge direction", {"near": 2}, _WORDS),
    ),
    tally=tally,
    takes=DEPENDENCIES,
    from_heads=True,
    options=("--heads", "--parameters"),
)
