"""Words whose part-of-speech tag is another one, where the parameters count it."""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison, wrong_tags
from treelens.differences.difference import FIELDS, Difference, Noun, Phrases, Rows, Sign
from treelens.differences.marks import at_tag


def _tags(comparison: Comparison) -> Rows:
    gold, system = comparison.gold, comparison.system
    rows = np.flatnonzero(wrong_tags(gold.words))
    others = gold.words.partner[rows]
    names = gold.forest.tag[rows]
    theirs = system.forest.tag[others]
    return Rows(gold.words.group[rows], rows, others, names, theirs)


DIFFERENCES = (
    Difference(
        code="wrong-tag",
        rows=_tags,
        marks=(at_tag, at_tag),
        family="tag",
        noun=Noun("tag", "tags"),
        tally=Noun("tag", "tags"),
        heading="Tags",
        phrases=Phrases(*["{they} has {there} for {words}, not {here}"] * 2),
        sign=Sign("^", "tag"),
        modifier="wrong",
        tokens=FIELDS,
        severity="information",
        blank={"": "no tag"},
        replaceable=True,
    ),
)
