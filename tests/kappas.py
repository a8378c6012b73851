"""Two annotators' texts, and Cohen's κ as the textbook has it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from treelens.formats.table import Format
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.agreement import Agreement
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.statistics.kappa import Kappa
from treelens.trees.forest import Symbols, encode

NONE = PRESETS["none"]


def paired(
    first: list[str],
    second: list[str],
    parameters: Parameters = NONE,
    format: Format | None = None,
) -> Pair:
    symbols = Symbols()
    texts = ("\n".join(trees) for trees in (first, second))
    one, other = (document(encode(text), symbols, format) for text in texts)
    return pair(one, other, parameters)


def all_kappas(found: Agreement) -> dict[str, Kappa]:
    return {**found.kappas, **found.uncounted_kappas}


def textbook(items: list[tuple[object, object]]) -> float | None:
    """Po, Pe and κ as Cohen 1960 has them, exactly."""
    if not items:
        return None
    n = len(items)
    observed = Fraction(sum(a == b for a, b in items), n)
    ours, theirs = (Counter(side) for side in zip(*items, strict=True))
    expected = Fraction(sum(ours[one] * theirs[one] for one in ours), n * n)
    return None if expected == 1 else float((observed - expected) / (1 - expected))
