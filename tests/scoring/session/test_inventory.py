"""Kinds of mismatches are those of the findings, counted; an edit has its group looked at only."""

from __future__ import annotations

from collections import Counter

import pytest
from conll_texts import table_pairs
from hypothesis import given
from hypothesis import strategies as st
from treelens.differences.table import kind_of
from treelens.differences.wording import title
from treelens.formats.table import CONLL, Format
from treelens.session.document import document
from treelens.session.inventory import Classes, Inventory
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode
from trees import pairs

both_formats = st.one_of(
    pairs().map(lambda two: ("\n".join(two[0]), "\n".join(two[1]), None)),
    table_pairs().map(lambda two: (*two, CONLL)),
)


def made(gold: str, system: str, format: Format | None) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols, format) for text in (gold, system))).strictly()


def known(kinds: Inventory, of: Pair) -> list[Counter[int]]:
    found = kinds.of(of)
    counts: list[Counter[int]] = [Counter() for _ in range(len(of))]
    for group, kind in zip(found.group.tolist(), found.kind.tolist(), strict=True):
        counts[group][kind] += 1
    return counts


@given(both_formats)
def test_they_are_the_findings(texts: tuple[str, str, Format | None]) -> None:
    of = made(*texts)
    kinds = Inventory()
    assert kinds.wanting(of) == len(of)
    kinds.work(of)
    assert kinds.wanting(of) == 0
    symbols = of.gold.symbols
    for group, counts in enumerate(known(kinds, of)):
        codes: Counter[str] = Counter()
        for kind, count in counts.items():
            codes[kind_of(kind, symbols).difference.code] += count
        assert codes == Counter(finding.code for finding in of.findings(group))


def test_they_name_both_sides() -> None:
    of = made(
        "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n",
        "(S (ADJP (J we)) (VP (V see) (D the) (N sea)))\n",
        None,
    )
    kinds = Inventory()
    kinds.work(of)
    titles = {title(kind_of(kind, of.gold.symbols)) for kind in known(kinds, of)[0]}
    assert titles == {"NP→ADJP", "NP missing", "N→J"}


@given(both_formats, st.data())
def test_after_edits_they_are_those_of_the_pair_made_afresh(
    texts: tuple[str, str, Format | None], data: st.DataObject
) -> None:
    of = made(*texts)
    kinds = Inventory()
    kinds.work(of)
    for _ in range(2):
        side = data.draw(st.sampled_from(Side))
        text = of.document(side).text()
        start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        piece = data.draw(st.sampled_from((b"", b"x", b"(S (NP (DT the)))\n")))
        changed, change = of.document(side).edit(start, end, piece)
        of = of.edit(side, changed, change)
        kinds.work(of)
    fresh = Inventory()
    fresh.work(of)
    assert known(kinds, of) == known(fresh, of)


def test_only_what_was_edited_is_wanting() -> None:
    lines = [f"(S (NP (N w{n})) (V goes))" for n in range(600)]
    of = made("\n".join(lines), "\n".join(lines).replace("NP", "XP"), None)
    kinds = Inventory()
    kinds.work(of)
    text = of.gold.text()
    at = text.index(b"NP", len(text) // 2)
    of = of.edit(Side.GOLD, *of.gold.edit(at, at + 2, b"XP"))
    assert kinds.wanting(of) == 1
    kinds.work(of)
    assert len(kinds.of(of).group) == 599


@given(pairs().map(lambda two: ("\n".join(two[0]), "\n".join(two[1]), None)))
def test_classes_of_errors_are_kept_alike(texts: tuple[str, str, Format | None]) -> None:
    of = made(*texts)
    classes = Classes()
    kept = Inventory(classes.look)
    kept.work(of)
    for group, counts in enumerate(known(kept, of)):
        names = Counter({classes.names[kind]: count for kind, count in counts.items()})
        assert names == Counter(error.name for error in of.errors(group))


def test_what_was_found_before_it_was_cancelled_stays() -> None:
    class EnoughError(Exception):
        pass

    def progress(share: float) -> None:
        raise EnoughError

    lines = "\n".join(f"(S (NP (N w{n})) (V goes))" for n in range(600))
    of = made(lines, lines.replace("NP", "XP"), None)
    kinds = Inventory()
    begun = kinds.begin(of)
    with pytest.raises(EnoughError):
        begun.work(progress)
    kinds.take(begun)
    assert 0 < kinds.wanting(of) < 600
    kinds.work(of)
    assert len(kinds.of(of).group) == 600
