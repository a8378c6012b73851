"""What holds for every action's edits, and pairs of texts to try it on."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from random import Random

from hypothesis import strategies as st
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE
from treelens.edits.take import after_edits, take, take_alike, take_sentence
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
    """That of the findings of a kind, once all are taken, none is left that would end by itself;
    in broken sentences none that would end with these."""
    codes = {one.code for one in _findings(found) if BY_CODE[one.code].everywhere}
    if codes:
        code = data.draw(st.sampled_from(sorted(codes)))
        of_kind = [one for one in _placed(found) if one[1].code == code]
        edits = take_alike(found, into, lambda one: one.code == code)
        if BY_CODE[code].replaceable and all(take(found, *one, into) for one in of_kind):
            assert len(edits) <= len(of_kind)
        now = after_edits(found, into, edits)
        left = [one for one in _placed(now) if one[1].code == code]
        # (A tag decides what words count in gold, and keeps features of its own.)
        for group, one in left if "tag" not in code else ():
            mine = now.group(group)[0 if into is Side.GOLD else 1]
            more = take(now, group, one, into)
            if any(map(now.document(into).is_broken, mine)):
                more = more or take_sentence(now, group, into)
            then = after_edits(now, into, more or ())
            assert sum(other.code == code for other in _findings(then)) >= len(left), one


def _placed(found: Pair) -> list[tuple[int, Finding]]:
    """All findings, each with its group."""
    return [(group, one) for group in range(len(found)) for one in found.findings(group)]


def _findings(found: Pair) -> list[Finding]:
    return [one for _, one in _placed(found)]


def _others(document: Document, sentences: range) -> list[bytes]:
    """The texts of all sentences but some."""
    return [document.piece_text(k).strip() for k in range(len(document)) if k not in sentences]
