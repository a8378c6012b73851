"""Words and cells that look alike: what tells them apart is said."""

from __future__ import annotations

import re

import pytest
from treelens.differences.wording import drawn, summary
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols, encode

ROW = "1\ta\t_\tD\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("gold", "system", "said"),
    [
        (
            "(S (N \u00e9) (V was) (N there))",
            "(S (N e\u0301) (V was) (N there))",
            "system has “e\u0301” "
            "(U+0065 LATIN SMALL LETTER E, U+0301 COMBINING ACUTE ACCENT) here",
        ),
        (
            "(S (N ab))",
            "(S (N a\u200bb))",
            "system has “a\u200bb” (U+200B ZERO WIDTH SPACE) here",
        ),
        (
            "(S (N a\u200bb))",
            "(S (N ab))",
            "system has “ab” (without U+200B ZERO WIDTH SPACE) here",
        ),
        (
            ROW.replace("\t_\tD", "\tx\u00a0y\tD"),
            ROW.replace("\t_\tD", "\tx y\tD"),
            "system has x y (U+0020 SPACE) for “a”, not x\u00a0y (U+00A0 NO-BREAK SPACE)",
        ),
        ("(S (N ab))", "(S (N ac))", "system has “ac” here"),
    ],
)
def test_what_looks_alike_is_told_apart(gold: str, system: str, said: str) -> None:
    symbols = Symbols()
    of = pair(*(document(encode(text), symbols) for text in (gold, system))).strictly()
    (finding,) = of.findings(0)
    assert summary(finding) == said
    assert all(point in drawn(finding).label for point in re.findall(r"U\+\w+", said)[:1])
