"""What holds for every action's edits, and pairs of texts to try it on."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from random import Random

from hypothesis import strategies as st
from treelens.edits.take import after_edits, take, take_alike
from treelens.edits.text import Edits, applied, edited, inverse
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.document import Document, document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode

SCORES = ("F1", "UF1", "tagging", "LAS", "UAS")


def paired(gold: str, system: str, parameters: Parameters = PRESETS["default"]) -> Pair:
    """Both texts; an empty one is of the other's format."""
    symbols = Symbols()
    first = document(encode(gold or system), symbols)
    found = [document(encode(text), symbols, first.format) for text in (gold, system)]
    return pair(found[0], found[1], parameters)


def strictly_paired(gold: str, system: str) -> Pair:
    """Both texts, with all that differs in them, counted or not."""
    symbols = Symbols()
    return pair(*(document(encode(text), symbols) for text in (gold, system))).strictly()


Told = Callable[[Pair, Side], Counter[object]]
"""What differs in a pair, each named by what no edit into a side moves."""


def take_all(
    of: Pair,
    into: Side,
    chance: Random,
    told: Told,
    realigned: Callable[[Pair, Pair, Side], bool] = lambda *_: False,
) -> Pair:
    """Take one finding of the first group after the other, in any order: each ends, and none
    appears that was not there, but where words are ``realigned`` by it."""
    while findings := list(of.findings(0)):
        finding = chance.choice(findings)
        edits = take(of, 0, finding, into)
        assert edits, finding
        after = after_edits(of, into, edits)
        before, now = told(of, into), told(after, into)
        if not realigned(of, after, into):
            assert not now - before, finding
            assert now.total() < before.total(), finding
        of = after
    return of


def perfect(found: Pair, group: int) -> bool:
    """Whether nothing differs in a group, and its scores say so."""
    named = {score.ratio.name: score.value for score in found.scores(group)}
    return not found.findings(group) and all(named.get(name) in (100, None) for name in SCORES)


def of_side(found: Pair, group: int, side: Side) -> range:
    ranges = found.group(group)
    return ranges.gold if side is Side.GOLD else ranges.system


def check(found: Pair, group: int, into: Side, edits: Edits) -> None:
    """That edits change something, do not overlap, touch no other sentence, and can be taken
    back."""
    text = found.document(into).text()
    assert all(one.end <= other.start for one, other in itertools.pairwise(edits))
    after = edited(found.document(into), edits)
    assert after.text() == applied(text, edits) != text
    assert applied(after.text(), inverse(text, edits)) == text
    mine, grown = of_side(found, group, into), len(after) - len(found.document(into))
    left = _others(after, range(mine.start, mine.stop + grown))
    assert left == _others(found.document(into), mine)


def check_alike(found: Pair, into: Side, data: st.DataObject) -> None:
    """That all findings of a kind, where each can be taken alone, are gone once all are taken."""
    codes = {one.code for group in range(len(found)) for one in found.findings(group)}
    codes &= {"wrong-label", "wrong-tag", "wrong-relation"}
    if codes:
        code = data.draw(st.sampled_from(sorted(codes)))
        alone = [
            bool(take(found, group, one, into))
            for group in range(len(found))
            for one in found.findings(group)
            if one.code == code
        ]
        edits = take_alike(found, into, lambda one: one.code == code)
        assert len(edits) <= sum(alone)
        if all(alone) and code != "wrong-tag":  # a tag decides what words count in gold
            now = after_edits(found, into, edits)
            left = {one.code for group in range(len(now)) for one in now.findings(group)}
            assert code not in left


def _others(document: Document, sentences: range) -> list[bytes]:
    """The texts of all sentences but some."""
    return [document.piece_text(k).strip() for k in range(len(document)) if k not in sentences]
