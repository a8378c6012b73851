"""From constituents to dependencies: every word's head and relation, by a table of heads.

In every constituent the table names the child that is the head (Magerman 1995, Collins 1999);
the head words of the other children depend on the head's. Traces are taken out first. Words
that the parameters leave out (punctuation) are heads only where there is nothing else that the
table's rule would take.

A word's relation is the label of the largest constituent that it is the head of, of those that
count by the parameters, or its tag if there is none. Function tags follow as a subtype:
``NP-SBJ-1`` is ``NP:SBJ``, so that they count where subtypes do. Of labels that the parameters
hold equal one stands for all.

Takes a forest and gives it rows of heads. Knows neither alignment nor metrics.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.match import Numbers, pack
from treelens.compare.nesting import nest
from treelens.rules.parameters import Heads, Parameters, bare, label_table, one_of_equal, tag_name
from treelens.trees.forest import (
    NOWHERE,
    ROOT,
    Dependencies,
    Forest,
    Ints,
    Symbols,
    each_once,
    encode,
    running,
)

_FEW = 16
"""Children up to which productions are compared many at once."""


class _Items(NamedTuple):
    """Constituents, ``c`` of them, and words behind; ``(i,)`` each."""

    constituents: int
    label: Ints
    """As written."""
    parent: Numbers
    start: Numbers
    aside: npt.NDArray[np.bool_]


def with_heads(forest: Forest, heads: Heads, parameters: Parameters) -> Forest:
    """The forest with dependencies.

    A trace's head is ``NOWHERE``. Every other word has one: it comes to the root or to a word.
    """
    table = label_table(forest.symbols, parameters)
    overt = np.flatnonzero(~table.trace[forest.tag])
    items = _items(forest, overt, parameters)
    head_child = _head_children(items, heads, forest.symbols, parameters)
    head_word = _followed(head_child, np.arange(len(items.label)) >= items.constituents)
    counted = np.append(
        table.bracket[items.label[: items.constituents]] >= 0, np.ones(len(overt), np.bool_)
    )
    named = _followed(head_child, counted)
    # The largest constituent of each word, or the word itself.
    largest = np.ones(len(items.label), np.bool_)
    largest[head_child[: items.constituents]] = False
    of = np.flatnonzero(largest)
    dependent = head_word[of] - items.constituents
    above = items.parent[of]
    governor = np.where(above >= 0, head_word[above] - items.constituents, ROOT)
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))[overt]
    head = np.full(len(forest.word), NOWHERE, np.int32)
    head[overt[dependent]] = np.where(
        governor >= 0, overt[governor] - forest.first_leaf[sentence[dependent]], ROOT
    )
    relation = np.zeros(len(forest.word), np.int32)
    relation[overt[dependent]] = _relations(items, named[of], forest.symbols, parameters)
    return dataclasses.replace(forest, dependencies=Dependencies(head, relation))


def _items(forest: Forest, overt: Numbers, parameters: Parameters) -> _Items:
    """The constituents that hold an overt word, and the overt words."""
    flags = np.zeros(len(forest.word), np.bool_)
    flags[overt] = True
    before = running(flags)
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    base = forest.first_leaf[sentence]
    first, last = before[base + forest.first], before[base + forest.last]
    held = np.flatnonzero(first < last)
    nesting = nest(first[held], last[held], len(overt))
    tags = forest.tag[overt]
    deleted = label_table(forest.symbols, parameters).deleted[tags]
    return _Items(
        len(held),
        np.append(forest.label[held], tags),
        np.append(nesting.parent, nesting.word_parent),
        np.append(first[held], np.arange(len(overt))),
        np.append(np.zeros(len(held), np.bool_), deleted),
    )


def _head_children(
    items: _Items, heads: Heads, symbols: Symbols, parameters: Parameters
) -> Numbers:
    """The child of each constituent that is its head; a word's is itself."""
    below = np.flatnonzero(items.parent >= 0)
    order = below[np.argsort(pack(items.parent[below], items.start[below]), kind="stable")]
    parents, first, arity = np.unique(items.parent[order], return_index=True, return_counts=True)
    found = np.arange(len(items.label))
    code = _codes(items, symbols, parameters)
    for size in each_once(arity).tolist():
        rows = np.flatnonzero(arity == size)
        children = order[first[rows][:, None] + np.arange(size)]
        if size == 1:
            found[parents[rows]] = children[:, 0]
            continue
        chosen, number = np.arange(len(rows)), np.arange(len(rows))
        if size <= _FEW:
            production = pack(code[parents[rows]], *code[children].T)
            _, chosen, number = np.unique(production, return_index=True, return_inverse=True)
        place = [
            _head(heads, *_production(items, symbols, int(parents[rows[k]]), children[k]))
            for k in chosen.tolist()
        ]
        found[parents[rows]] = children[np.arange(len(rows)), np.array(place)[number]]
    return found


def _codes(items: _Items, symbols: Symbols, parameters: Parameters) -> Numbers:
    """Equal for items that a table cannot tell apart."""
    table, cut = label_table(symbols, parameters), items.constituents
    words = table.whole_tag[items.label[cut:]].astype(np.int64) * 2 + items.aside[cut:]
    nodes = table.bare[items.label[:cut]].astype(np.int64)
    return np.append(nodes, words + int(table.bare.max(initial=0)) + 1)


def _production(
    items: _Items, symbols: Symbols, parent: int, children: Numbers
) -> tuple[str, tuple[str, ...], frozenset[int]]:
    labels, words = items.label[children].tolist(), (children >= items.constituents).tolist()
    names = tuple(
        _name(symbols.labels[label], word=word) for label, word in zip(labels, words, strict=True)
    )
    aside = frozenset(k for k, flag in enumerate(items.aside[children].tolist()) if flag)
    return _name(symbols.labels[items.label[parent]], word=False), names, aside


@functools.lru_cache(maxsize=1 << 13)
def _name(written: str, *, word: bool) -> str:
    """A label as tables have it."""
    return tag_name(written) if word else bare(written)


@functools.lru_cache(maxsize=1 << 16)
def _head(heads: Heads, label: str, children: tuple[str, ...], aside: frozenset[int]) -> int:
    return heads.table.head(label, children, aside)


def _followed(step: Numbers, arrived: npt.NDArray[np.bool_]) -> Numbers:
    """Where steps lead from each item, to the first that has arrived."""
    at = np.where(arrived, np.arange(len(step)), step)
    while not arrived[at].all():
        at = at[at]
    return at


def _relations(items: _Items, named: Numbers, symbols: Symbols, parameters: Parameters) -> Numbers:
    """The label ids of the relations that some items stand for."""
    word = (named >= items.constituents).astype(np.int64)
    kinds, number = np.unique(items.label[named] * np.int64(2) + word, return_inverse=True)
    names = [
        one_of_equal(parameters, tag_name(symbols.labels[kind // 2]))
        if kind % 2
        else relation_name(symbols.labels[kind // 2], parameters)
        for kind in kinds.tolist()
    ]
    keys = np.array([symbols.key(encode(name)) for name in names], np.uint64)
    return symbols.label_ids(keys)[number].astype(np.int64)


def relation_name(label: str, parameters: Parameters) -> str:
    """``NP-SBJ-1`` is ``NP:SBJ``: indices and features are left out."""
    name = bare(label)
    functions = re.split("[-=]", label.split("##", 1)[0][len(name) :])
    kept = "-".join(part for part in functions if part and not part.isdigit())
    name = one_of_equal(parameters, name)
    return f"{name}:{kept}" if kept else name
