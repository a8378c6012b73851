"""Reports of texts, for the tests of what a report is written as."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.report.content import ReadFile, Report, report
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
    return report(sources[0], list(zip(sources[1:], pairs, strict=True)), parameters), pairs
