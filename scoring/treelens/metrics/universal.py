"""The scores of the CoNLL 2018 shared task besides attachment: tags, features, lemmas, content.

Source: Zeman et al. 2018; Straka & Popel's conll18_ud_eval.py. Each is the harmonic mean of
recall and precision over aligned words, a percentage, 0 to 100.

CLAS looks at content words that have a head (content words by their relation, each side's own
for its total), MLAS wants
tag and features right besides, and all function words below in their order; BLEX wants the
lemma right, and any lemma is where gold has ``_``. Where both files have the same words the
numbers are the original's (``treelens conll18`` is that program); where they differ, words are
aligned as in :mod:`treelens.align`, which also pairs words of one token whose forms differ.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import NOTHING, Arcs
from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import Numbers
from treelens.metrics import DEPENDENCIES, Metric, Ratio, Tallies, by_group
from treelens.trees.forest import NOWHERE

Flags = npt.NDArray[np.bool_]

COUNTS = (
    "gold",
    "system",
    "upos",
    "xpos",
    "features",
    "all_tags",
    "lemmas",
    "gold_content",
    "system_content",
    "content",
    "morphology",
    "lexemes",
)


def tally(comparison: Comparison) -> Tallies:
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or system.arcs is None:
        return np.zeros((comparison.groups, len(COUNTS)), np.int64)
    upos, arcs = gold.words.tagged, gold.arcs
    fields = gold.forest.fields
    assert fields is not None
    content = arcs.content & arcs.attached & arcs.related & (arcs.head != NOWHERE)
    nothing = gold.forest.symbols.key(NOTHING.encode())
    tagged = upos & arcs.features
    functions = _functions_right(gold, arcs, system, system.arcs, tagged)
    flags = (
        (gold, np.ones(len(upos), np.bool_)),
        (system, np.ones(len(system.arcs.head), np.bool_)),
        (gold, upos),
        (gold, arcs.xpos),
        (gold, arcs.features),
        (gold, tagged & arcs.xpos),
        (gold, arcs.lemma | (_lemmaless(fields.lemma, nothing) & (gold.words.partner >= 0))),
        (gold, arcs.content & (arcs.head != NOWHERE)),
        (system, system.arcs.content & (system.arcs.head != NOWHERE)),
        (gold, content),
        (gold, content & tagged & functions),
        (gold, content & (arcs.lemma | _lemmaless(fields.lemma, nothing))),
    )
    columns = [by_group(side.words.group[flag], comparison) for side, flag in flags]
    return np.stack(columns, axis=1).astype(np.int64)


def _lemmaless(lemma: npt.NDArray[np.uint64], nothing: int) -> Flags:
    return lemma == np.uint64(nothing)


def _functions_right(
    gold: ComparedSide, arcs: Arcs, system: ComparedSide, others: Arcs, tagged: Flags
) -> Flags:
    """Which of gold's words have the same function words below, in order, on the other side."""
    right = arcs.attached & arcs.related & tagged
    here, there = _below(arcs), _below(others)
    counts = [
        np.bincount(side.head[rows], minlength=len(side.head))
        for side, (rows, _) in ((arcs, here), (others, there))
    ]
    same = counts[0] == np.append(counts[1], 0)[gold.words.partner]
    place = np.full(len(others.head) + 1, -1, np.int64)
    place[there[0]] = there[1]
    rows, rank = here
    wrong = ~right[rows] | (place[gold.words.partner[rows]] != rank)
    same[arcs.head[rows[wrong]]] = False
    return same


def _below(arcs: Arcs) -> tuple[Numbers, Numbers]:
    """The function words that have heads, and which of their head's each is, from 0."""
    rows = np.flatnonzero(arcs.functional & (arcs.head >= 0))
    order = np.argsort(arcs.head[rows], kind="stable")
    rows = rows[order]
    heads = arcs.head[rows]
    first = np.searchsorted(heads, heads, side="left")
    return rows, np.arange(len(rows)) - first


_WORDS, _CONTENT = {"gold": 1, "system": 1}, {"gold_content": 1, "system_content": 1}

METRIC = Metric(
    name="universal",
    title="Universal Dependencies",
    source="Zeman et al. 2018; conll18_ud_eval.py",
    counts=COUNTS,
    ratios=(
        Ratio("CLAS", "CLAS", {"content": 2}, _CONTENT),
        Ratio("MLAS", "MLAS", {"morphology": 2}, _CONTENT),
        Ratio("BLEX", "BLEX", {"lexemes": 2}, _CONTENT),
        Ratio("UPOS", "UPOS", {"upos": 2}, _WORDS),
        Ratio("XPOS", "XPOS", {"xpos": 2}, _WORDS),
        Ratio("UFeats", "UFeats", {"features": 2}, _WORDS),
        Ratio("AllTags", "AllTags", {"all_tags": 2}, _WORDS),
        Ratio("Lemmas", "Lemmas", {"lemmas": 2}, _WORDS),
    ),
    tally=tally,
    takes=DEPENDENCIES,
)
