"""Sentences of gold with those around them, up to where the groups of both versions end."""

from __future__ import annotations

from treelens.session.changes import up_to_whole_groups
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols

APART = b"(S (N one) (N two) (N three))\n(S (N four) (N five) (N six))\n"
TOGETHER = b"(S (N one) (N two) (N three) (N four) (N five) (N six))\n"


def test_what_either_version_has_in_one_is_looked_at_together() -> None:
    symbols = Symbols()
    gold, joined = (document(text, symbols) for text in (APART, TOGETHER))
    same, other = pair(gold, gold), pair(gold, joined)
    for pairs in ((same, other), (other, same)):
        assert up_to_whole_groups(pairs, range(1)) == range(2)
        assert up_to_whole_groups(pairs, range(1, 2)) == range(2)
    assert up_to_whole_groups((same, same), range(1)) == range(1)
