"""What got worse since an earlier version: what all changes together say, and kept up."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from test_changes import GOLD, TEXTS, pairs
from treelens.session.changes import changes
from treelens.session.pair import Pair, Side
from treelens.session.since import ChangeCounts, inventory, new_in, state_in


def counted(old: Pair, new: Pair) -> ChangeCounts:
    kept = inventory()
    kept.work((old, new))
    return ChangeCounts(*kept.of((old, new)).T)


def test_each_sentence_has_what_is_new_and_what_was_mended_in_it() -> None:
    right, wrong = GOLD, GOLD.replace("NP (D", "XP (D")
    found = counted(
        *pairs(f"{right}\n" * 3, f"{wrong}\n{right}\n{wrong}", f"{right}\n{wrong}\n{wrong}")
    )
    assert found.new.tolist() == [0, 1, 0]
    assert found.mended.tolist() == [1, 0, 0]


@given(TEXTS, st.booleans())
def test_sentences_have_together_what_all_of_the_file_has(
    drawn: tuple[str, str, str], strict: bool
) -> None:
    old, new = pairs(*drawn, strict=strict)
    every = Counter(one.fate for part in changes(old, new) for one in part.differences)
    found = counted(old, new)
    assert (found.new.sum(), found.mended.sum()) == (every["new"], every["mended"])


@given(TEXTS, st.booleans())
def test_groups_have_what_is_new_in_the_file(drawn: tuple[str, str, str], strict: bool) -> None:
    old, new = pairs(*drawn, strict=strict)
    every = {one.new for part in changes(old, new) for one in part.differences if one.fate == "new"}
    for group in range(len(new)):
        findings = set(new.findings(group))
        assert new_in(old, new, group) & findings == every & findings


@examples(15)
@given(TEXTS, st.data())
def test_what_is_kept_up_is_what_is_counted_afresh(
    drawn: tuple[str, str, str], data: st.DataObject
) -> None:
    old, new = (one.strictly() for one in pairs(*drawn))
    kept = inventory()
    kept.work((old, new))
    said = {state_in(old, new, group): new_in(old, new, group) for group in range(len(new))}
    for _ in range(3):
        edited = data.draw(st.sampled_from([old.gold, new.system]))
        at = data.draw(st.integers(0, edited.length))
        end = min(at + data.draw(st.integers(0, 12)), edited.length)
        text = data.draw(st.sampled_from(("N", "(S (N a))\n", ")", "a", "\n\n", "")))
        after, change = edited.edit(at, end, text.encode())
        if edited is old.gold:
            old, new = (one.edit(Side.GOLD, after, change) for one in (old, new))
        else:
            new = new.edit(Side.SYSTEM, after, change)
        kept.work((old, new))
        assert kept.of((old, new)).tolist() == [
            list(row) for row in zip(*counted(old, new), strict=True)
        ]
        for group in range(len(new)):
            found = new_in(old, new, group)
            before = said.setdefault(state_in(old, new, group), found)
            assert sorted(one.code for one in before) == sorted(one.code for one in found)
