"""Empty elements of trees of brackets, which no score counts: those that only one side has at a
place, and those that have another index."""

from __future__ import annotations

from treelens.compare.comparison import Comparison
from treelens.compare.sides import Side
from treelens.differences.difference import WORDS, Difference, Noun, Phrases, Rows, Sign, alone
from treelens.differences.marks import Mark, RowSides, at_word_of, bare_name
from treelens.differences.nesting import traces, traces_of_both

_F1 = "F1"


def _lone_traces(comparison: Comparison, owner: Side) -> Rows:
    """Empty elements that do not count, and that only one side has at a place."""
    gold = owner is Side.GOLD
    side, found = comparison.gold if gold else comparison.system, traces(comparison)[not gold]
    rows = found.rows[found.lone]
    return alone(owner, side.words.group[rows], rows, side.forest.tag[rows])


def _missing_traces(comparison: Comparison) -> Rows:
    return _lone_traces(comparison, Side.GOLD)


def _extra_traces(comparison: Comparison) -> Rows:
    return _lone_traces(comparison, Side.SYSTEM)


def _wrong_traces(comparison: Comparison) -> Rows:
    """Empty elements that both sides have, with another index."""
    gold, system = comparison.gold, comparison.system
    rows, others = traces_of_both(comparison)
    differ = gold.forest.word[rows] != system.forest.word[others]
    rows, others = rows[differ], others[differ]
    tags = gold.forest.tag[rows], system.forest.tag[others]
    return Rows(gold.words.group[rows], rows, others, *tags)


def _at_trace(at: RowSides) -> Mark | None:
    """An empty element, named with the brackets that hold nothing else and go with it."""
    mark, forest = at.here.at_words(range(at.own, at.own_end)), at.here.forest
    nodes = slice(*forest.first_node[mark.sentence : mark.sentence + 2].tolist())
    alone = (forest.first[nodes] == mark.span[0]) & (forest.last[nodes] == mark.span[1])
    labels = [bare_name(at.here.label_names[label]) for label in forest.label[nodes][alone]]
    opened = "".join(f"({label} " for label in labels)
    return mark._replace(words=(opened + mark.words[0] + ")" * len(labels),))


def _at_index(at: RowSides) -> Mark | None:
    """An empty element, with its index."""
    return at.here.at_words(range(at.own, at.own_end), at.here.word(at.own))


def _at_gap(at: RowSides) -> Mark | None:
    """Where an empty element is there."""
    return at_word_of(at, range(at.other, at.other_end))


_INDEX = Noun("index", "indices")
_TRACE = Noun("empty element", "empty elements")

DIFFERENCES = (
    Difference(
        code="missing-trace",
        rows=_missing_traces,
        marks=(_at_trace, _at_gap),
        family="trace",
        noun=_TRACE,
        tally=_TRACE,
        heading="Missing Empty Elements",
        phrases=Phrases("{system} has no {words}", "{gold} has {their_words}, missing here"),
        sign=Sign("-", "dim", "{gold_words} missing"),
        modifier="missing",
        tokens=WORDS,
        owner=Side.GOLD,
        severity="hint",
        kind="{gold_has} missing",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="extra-trace",
        rows=_extra_traces,
        marks=(_at_gap, _at_trace),
        family="trace",
        noun=_TRACE,
        tally=_TRACE,
        heading="Extra Empty Elements",
        phrases=Phrases("{system} has {their_words}, not in {gold}", "{gold} has no {words}"),
        sign=Sign("+", "dim", "{system_words} extra"),
        modifier="extra",
        tokens=WORDS,
        owner=Side.SYSTEM,
        severity="hint",
        kind="{system_has} extra",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="wrong-trace",
        rows=_wrong_traces,
        marks=(_at_index, _at_index),
        family="trace",
        noun=_INDEX,
        tally=_INDEX,
        heading="Indices of Empty Elements",
        phrases=Phrases(*["{they} has {their_words} here, not {words}"] * 2),
        sign=Sign("~", "dim"),
        modifier="wrong",
        tokens=frozenset({"trace"}),
        severity="hint",
        kind="index of {gold_has}",
        replaceable=True,
        everywhere=False,
        uncounted_by=_F1,
    ),
)
