"""Which words have the same head, relation and morphology on the other side.

Takes words that have been paired (:mod:`treelens.compare.comparison`). A head is the same if the
head's partner is the partner's head, or both are roots; a word that only one side has is nowhere
the same. Knows nothing of metrics.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.rules.universal import (
    CONTENT_RELATIONS,
    FUNCTIONAL_RELATIONS,
    UNIVERSAL_FEATURES,
    universal_relation,
)
from treelens.trees.by_label import ByLabel, kept
from treelens.trees.forest import (
    NOWHERE,
    ROOT,
    Dependencies,
    Fields,
    Forest,
    Ints,
    Keys,
    Symbols,
    decode,
)

Flags = npt.NDArray[np.bool_]

NOTHING = "_"
"""What CoNLL formats write in a field that says nothing."""


class Arcs(NamedTuple):
    """One side's dependencies; ``(w,)`` each, rows as in the side's forest."""

    head: Ints
    """Row of the head in the forest; or ``ROOT``, ``NOWHERE``."""
    relation: Ints
    """Number of the relation up to its subtype."""
    attached: Flags
    """Whether the partner has the same head, or neither has any."""
    related: Flags
    """Whether the partner has the same relation up to subtypes."""
    subtyped: Flags
    """Whether the partner has the same relation, subtypes and all."""
    xpos: Flags
    """Whether the partner has the same second tag."""
    features: Flags
    """Whether the partner has the same universal features."""
    lemma: Flags
    """Whether the partner has the same lemma."""
    unlike: Flags
    """``(w, 3)``: whether lemma, second tag or any feature is not as the partner's, each only
    where both sides write it in the word's group at all."""
    differs: Flags
    """``(w, 3)``: the same wherever it is written."""
    content: Flags
    """Whether the relation is one of content words."""
    functional: Flags
    """Whether the relation is one of function words."""


def arcs(
    sides: tuple[Forest, Forest], groups: tuple[Ints, Ints], partners: tuple[Ints, Ints]
) -> tuple[Arcs, Arcs] | None:
    """Both sides' dependencies compared; None if a side has none.

    ``groups``: which group each word is in; ``partners``: rows of the other side's words, -1
    for none; each ``(w,)``.
    """
    gold, system = sides[0].dependencies, sides[1].dependencies
    if gold is None or system is None:
        return None
    ours, theirs = _fields(sides[0]), _fields(sides[1])
    golds = np.flatnonzero(partners[0] >= 0)
    systems = partners[0][golds]
    tables = relation_table(sides[0].symbols)
    heads = _heads(sides[0], gold), _heads(sides[1], system)
    relations = gold.relation[golds], system.relation[systems]
    values, universal = _features(ours.feats, theirs.feats, sides[0].symbols)
    same = {
        "attached": _attached(heads[0][golds], heads[1][systems], partners[1]),
        "related": tables.universal[relations[0]] == tables.universal[relations[1]],
        "subtyped": relations[0] == relations[1],
        "xpos": ours.xpos[golds] == theirs.xpos[systems],
        "features": universal[0][golds] == universal[1][systems],
        "lemma": ours.lemma[golds] == theirs.lemma[systems],
    }
    alike = same["lemma"], same["xpos"], values[0][golds] == values[1][systems]
    common = _common(sides, groups)[groups[0][golds]]
    same["differs"] = ~np.stack(alike, axis=1)
    same["unlike"] = same["differs"] & common
    return (
        _arcs(golds, same, heads[0], gold.relation, tables),
        _arcs(systems, same, heads[1], system.relation, tables),
    )


def _attached(gold: Ints, system: Ints, partner: Ints) -> Flags:
    """Whether heads of words and of their partners are each other's partners, or both none."""
    # A head that only one side has is nowhere on the other.
    there = np.where(partner >= 0, partner, NOWHERE)
    moved = np.append(there, [NOWHERE, ROOT])[system]
    headless = (gold == NOWHERE) & (system == NOWHERE)
    return headless | ((gold == moved) & (moved != NOWHERE))


def _common(sides: tuple[Forest, Forest], groups: tuple[Ints, Ints]) -> Flags:
    """Whether both sides write lemmas, second tags and features in each group at all; (g, 3)."""
    nothing = sides[0].symbols.key(NOTHING.encode())
    count = int(max(group.max(initial=-1) for group in groups)) + 1
    common = np.ones((count, 3), np.bool_)
    for side, group in zip(sides, groups, strict=True):
        fields = _fields(side)
        written = fields.lemma != nothing, fields.xpos > 0, fields.feats != nothing
        for column, flags in enumerate(written):
            common[:, column] &= np.bincount(group[flags], minlength=count) > 0
    return common


def _arcs(
    rows: npt.NDArray[np.integer[Any]],
    same: dict[str, Flags],
    head: Ints,
    relation: Ints,
    tables: RelationTable,
) -> Arcs:
    """One side's, given what is the same of the words that have partners, in these rows.

    ``relation``: label ids.
    """
    spread = {}
    for name, flags in same.items():
        spread[name] = np.zeros((len(head), *flags.shape[1:]), np.bool_)
        spread[name][rows] = flags
    content, functional = tables.content[relation], tables.functional[relation]
    universal = tables.universal[relation]
    return Arcs(head, universal, content=content, functional=functional, **spread)


def _fields(forest: Forest) -> Fields:
    """A forest's fields; where heads were found by a table, fields that say nothing."""
    if forest.fields is not None:
        return forest.fields
    words = len(forest.word)
    nothing = np.full(words, forest.symbols.key(NOTHING.encode()), np.uint64)
    bounds = np.zeros((words, 11), np.int32)
    return Fields(nothing, np.zeros(words, np.int32), nothing, nothing, nothing, bounds)


def differing(ours: Fields, theirs: Fields, symbols: Symbols) -> Flags:
    """Whether lemma, second tag and features are not the same, row by row; ``(n, 3)``."""
    values, _ = _features(ours.feats, theirs.feats, symbols)
    columns = ours.lemma != theirs.lemma, ours.xpos != theirs.xpos, values[0] != values[1]
    return np.stack(columns, axis=1)


def _heads(forest: Forest, own: Dependencies) -> Ints:
    first = np.repeat(forest.first_leaf[:-1], np.diff(forest.first_leaf))
    return np.where(own.head >= 0, own.head + first, own.head).astype(np.int32)


class RelationTable(NamedTuple):
    """What there is to know of labels as relations; ``(labels,)`` each, by id."""

    universal: Ints
    """The number of the label without its subtype, in the order in which they came."""
    content: Flags
    functional: Flags


def relation_table(symbols: Symbols) -> RelationTable:
    """The table for all labels that the symbols have so far."""
    return RelationTable(*_by_label(symbols).columns())


@kept
def _by_label(symbols: Symbols) -> ByLabel:
    numbers: dict[str, int] = {}

    def row(label: str) -> tuple[int, ...]:
        name = universal_relation(label)
        number = numbers.setdefault(name, len(numbers))
        return number, name in CONTENT_RELATIONS, name in FUNCTIONAL_RELATIONS

    return ByLabel(symbols, (np.int32, np.bool_, np.bool_), row)


def _features(
    gold: Keys, system: Keys, symbols: Symbols
) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
    """Numbers of all features of each word, equal for equal sets; and of the universal ones."""
    distinct, inverse = np.unique(np.concatenate([gold, system]), return_inverse=True)
    sets = [feature_sets(symbols.token(key)) for key in distinct.tolist()]
    found = []
    for which in (0, 1):
        numbers: dict[tuple[str, ...], int] = {}
        of_set = [numbers.setdefault(one[which], len(numbers)) for one in sets]
        column = np.array(of_set, np.int32)[inverse]
        found.append((column[: len(gold)], column[len(gold) :]))
    return found[0], found[1]


@functools.lru_cache(maxsize=1 << 16)
def feature_sets(feats: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The features of a field in their canonical order: all of them, and the universal ones."""
    text = decode(feats)
    features = tuple(sorted({*text.split("|")} - {"", NOTHING}))
    return features, tuple(f for f in features if f.split("=", 1)[0] in UNIVERSAL_FEATURES)
