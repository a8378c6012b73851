"""Reports of texts, for the tests of what a report is written as."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from treelens.counting.sums import Sums, sums
from treelens.report.content import AtHand, ReadFile, Report, SystemReport, blocks, rows, signature
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode

GOLD = """\
(S (NP (DT the) (NN dog)) (VP (VB barks)))
(S (NP (NN rain)) (VP (VB falls)) (. .))
(S (NP (PRP she)) (VP (VB sleeps)))
"""
GOOD = """\
(S (NP (DT the) (NN dog)) (VP (VB barks)))
(S (NP (NN rain)) (X (NN falls)) (. .))
(())
"""
BAD = """\
(S (DT the) (VP (NN dog) (VB barks)))
(S (NP (NN rain)) (VP (VB falls)) (. .)) (S (NP (PRP she)) (VP (VB sleeps)))
"""


def of_pair(one: Pair) -> Sums:
    """The sums over all groups of a pair."""
    gold, gold_end, system, system_end = one.groups[:4]
    groups = slice(0, len(one))
    return sums(gold_end - gold, system_end - system, one.rows(groups), one.parameters.cutoff)


def reported(
    gold: str,
    *systems: str,
    parameters: Parameters = PRESETS["default"],
    names: Sequence[str] = (),
) -> tuple[Report, list[Pair]]:
    """A report, and its pairs; ``names`` are gold's and the systems'."""
    symbols = Symbols()
    documents = [document(encode(text), symbols) for text in (gold, *systems)]
    named = names or ["gold.mrg", *(f"out/system{at}.mrg" for at in range(1, len(documents)))]
    sources = [
        ReadFile(name, len(one), len(one.problems()))
        for name, one in zip(named, documents, strict=True)
    ]
    pairs = [pair(documents[0], other, parameters) for other in documents[1:]]
    found = []
    for source, one in zip(sources[1:], pairs, strict=True):
        added, each = of_pair(one), partial(rows, one)
        made = blocks(added, parameters, one.metrics)
        unsure, behind = tuple(one.uncertain()), AtHand(one)
        found.append(SystemReport(source, added.pairing, made, (), unsure, each, behind))
    metrics = pairs[0].metrics
    line, together = signature(parameters, metrics), [tuple(pairs)] if len(pairs) > 1 else []
    return Report(sources[0], tuple(found), parameters, metrics, line, together), pairs
