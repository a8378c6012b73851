"""What differs in several groups is found at once, and is what differs in each."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
import treelens.session.pair as session_pair
from hypothesis import given
from hypothesis import strategies as st
from treelens.differences.difference import Finding
from treelens.session import kept
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode
from trees import pairs


def paired(gold: str, system: str) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols) for text in (gold, system)))


@given(pairs(), st.data())
def test_what_is_found_for_many_groups_at_once_is_what_is_found_for_each(
    texts: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    at_once, ahead, each = (paired(*map("\n".join, texts)) for _ in range(3))
    groups = data.draw(st.permutations(range(len(each))))
    at_once.look_at(groups[: data.draw(st.integers(0, 2))])  # (Some are known already.)
    at_once.look_at(groups)
    with patch.object(session_pair, "_AHEAD", 1):
        alone = [each.findings(group) for group in groups]
    assert [at_once.findings(group) for group in groups] == alone
    assert [ahead.findings(group) for group in groups] == alone
    with patch.object(kept, "_LEAST", 1):
        forgetful = paired(*map("\n".join, texts))
        for order in (groups[::-1], groups):
            found = dict(zip(order, map(forgetful.findings, order), strict=True))
            assert [found[group] for group in groups] == alone


@pytest.mark.parametrize(("words", "together"), [(2, [16, 10]), (700, [])])
def test_who_asks_for_one_has_the_next_looked_at_where_they_are_small(
    words: int, together: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def tree(tag: str, number: int) -> str:
        leaves = " ".join(f"({tag}{number} word{place})" for place in range(words))
        return f"(S {leaves})\n"

    found = paired(*("".join(tree(tag, number) for number in range(40)) for tag in "AB"))
    look, looked = Pair._found, list[int]()

    def counted(self: Pair, groups: npt.NDArray[np.intp]) -> list[list[Finding]]:
        looked.append(len(groups))
        return look(self, groups)

    monkeypatch.setattr(Pair, "_found", counted)
    for group in (7, 8, 30, 39):
        assert len(found.findings(group)) == words
    assert looked == together
