"""PARSEVAL: brackets in common, labelled and not, and sentences without any difference.

Source: Black et al. 1991; the counts are those of evalb (Sekine & Collins 1997) for every
sentence that evalb scores. Percentages, 0 to 100.

Where the numbers differ from evalb's, by intention:

* No sentence is left out: evalb drops one whose words differ, or that has no parse, from all
  averages; here words are aligned (see :mod:`treelens.compare.comparison`), what is missing counts.
* There are no limits on words, brackets, lengths or errors.
* Labels are cut at the first ``-`` or ``=`` that is not their first character (evalb: at any,
  so that ``-X-`` is the empty label), and at ``##``, where SPMRL features start.
* The bracket without a label that Penn-style files wrap a tree in is no constituent (evalb
  counts it).
* Pairs of equal labels are an equivalence (evalb's are not transitive and depend on order).
* Which punctuation is left out is for gold's tags to say (evalb: each side's own, so that a
  wrong tag on a comma makes the whole sentence an error).
* A complete match needs a parse on both sides.
"""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison, presence
from treelens.metrics import CONSTITUENTS, Metric, Ratio, Tallies, by_group


def tally(comparison: Comparison) -> Tallies:
    gold, system = comparison.gold.brackets, comparison.system.brackets
    matched = by_group(gold.group[gold.partner >= 0], comparison)
    relabelled = by_group(gold.group[gold.relabelled >= 0], comparison)
    golds, systems = by_group(gold.group, comparison), by_group(system.group, comparison)
    gold_present, system_present = presence(comparison)
    complete = (matched == golds) & (matched == systems) & gold_present & system_present
    columns = (matched, matched + relabelled, golds, systems, complete, gold_present)
    return np.stack(columns, axis=1).astype(np.int64)


_LABELLED, _SPANS = {"matched": 2}, {"spans": 2}
_BOTH = {"gold": 1, "system": 1}

METRIC = Metric(
    name="parseval",
    title="PARSEVAL",
    source="Black et al. 1991; evalb",
    counts=("matched", "spans", "gold", "system", "complete", "sentences"),
    ratios=(
        Ratio("F1", "Bracketing F1", _LABELLED, _BOTH, headline="F1"),
        Ratio("recall", "Bracketing recall", {"matched": 1}, {"gold": 1}),
        Ratio("precision", "Bracketing precision", {"matched": 1}, {"system": 1}),
        Ratio("UF1", "Unlabelled F1", _SPANS, _BOTH),
        Ratio("unlabelled-recall", "Unlabelled recall", {"spans": 1}, {"gold": 1}),
        Ratio("unlabelled-precision", "Unlabelled precision", {"spans": 1}, {"system": 1}),
        Ratio("complete", "Complete match", {"complete": 1}, {"sentences": 1}),
    ),
    tally=tally,
    takes=CONSTITUENTS,
    options=("--parameters", "--unlabelled"),
)
