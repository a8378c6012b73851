"""Multiword expressions: which are found, with their part of speech, and which of their words.

Source: Seddah et al. 2013 (SPMRL 2013), §3.4.4 and §4.4. Percentages, 0 to 100. An expression is

* in constituents, a constituent whose label ends with ``+`` (``MWN+``, ``N+``); the label, without
  function tags and features, is its part of speech, and its first word is its head;
* in dependencies, a word with dependents of relation ``dep_cpd`` and those dependents; its part
  of speech is what ``mwehead=`` says among the head's features, if anything does.

An expression is found if system has one over exactly the same words (of which each has its
counterpart); *with part of speech*, if the two are the same as well. A component is a word of an
expression other than the head; it is found if system has it as a component of an expression with
the same head. All words take part, punctuation too; traces do not.

Of constituents, one file may have brackets and the other dependencies. The original program
(do_eval_dep_mwe.pl) could not be had: what it does with ``dep_cpd`` below ``dep_cpd`` is not
known; here every head has an expression of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import Numbers
from treelens.metrics import CONSTITUENTS, DEPENDENCIES, Metric, Ratio, Tallies
from treelens.rules.parameters import bare
from treelens.trees.forest import decode, each_once

COMPONENT = "dep_cpd"
FEATURE = "mwehead="
MARK = "+"

COUNTS = ("gold", "system", "found", "tagged", "gold_parts", "system_parts", "parts")


class _Expression(NamedTuple):
    """The head first, then the other words in text order; rows of gold's where it has them."""

    group: int
    words: tuple[int, ...]
    tag: str


def tally(comparison: Comparison) -> Tallies:
    counts = np.zeros((comparison.groups, len(COUNTS)), np.int64)
    gold = list(_expressions(comparison.gold))
    partner = comparison.system.words.partner
    # A word of system's own is none of gold's: a number that no row has.
    own = np.where(partner >= 0, partner, -1 - np.arange(len(partner)))
    system = [
        one._replace(words=tuple(own[[*one.words]].tolist()))
        for one in _expressions(comparison.system)
    ]
    for column, side in enumerate((gold, system)):
        for one in side:
            counts[one.group, column] += 1
            counts[one.group, 4 + column] += len(one.words) - 1
    for column, of in ((2, _whole), (3, _with_tag), (6, _components)):
        common = Counter(f for e in gold for f in of(e)) & Counter(f for e in system for f in of(e))
        for (group, *_), times in common.items():
            counts[group, column] += times
    return counts


_Fact = tuple[int, object]


def _whole(one: _Expression) -> Iterator[_Fact]:
    yield one.group, frozenset(one.words)


def _with_tag(one: _Expression) -> Iterator[_Fact]:
    yield one.group, (frozenset(one.words), one.tag)


def _components(one: _Expression) -> Iterator[_Fact]:
    for word in one.words[1:]:
        yield one.group, (one.words[0], word)


def _expressions(side: ComparedSide) -> Iterator[_Expression]:
    return _of_constituents(side) if side.forest.dependencies is None else _of_dependencies(side)


def _of_constituents(side: ComparedSide) -> Iterator[_Expression]:
    forest = side.forest
    labels = forest.symbols.labels
    marked = {int(label) for label in each_once(forest.label) if bare(labels[label]).endswith(MARK)}
    if not marked:
        return
    overt = side.words.end > side.words.start
    rows = np.flatnonzero(np.isin(forest.label, [*marked]))
    sentences = np.searchsorted(forest.first_node, rows, side="right") - 1
    for row, sentence in zip(rows.tolist(), sentences.tolist(), strict=True):
        base = int(forest.first_leaf[sentence])
        first, last = base + int(forest.first[row]), base + int(forest.last[row])
        words = first + np.flatnonzero(overt[first:last])
        if len(words):
            tag = bare(labels[forest.label[row]])
            yield _Expression(int(side.sentence_group[sentence]), tuple(words.tolist()), tag)


def _of_dependencies(side: ComparedSide) -> Iterator[_Expression]:
    forest, found, fields = side.forest, side.forest.dependencies, side.forest.fields
    if found is None or fields is None:
        return
    component = found.relation == forest.symbols.label_id(COMPONENT)
    dependents = np.flatnonzero(component & (found.head >= 0))
    first = np.repeat(forest.first_leaf[:-1], np.diff(forest.first_leaf))[dependents]
    heads: Numbers = first + found.head[dependents]
    below: dict[int, list[int]] = {}
    for head, word in zip(heads.tolist(), dependents.tolist(), strict=True):
        below.setdefault(head, []).append(word)
    for head, words in below.items():
        features = decode(forest.symbols.token(int(fields.feats[head]))).split("|")
        tags = [f.removeprefix(FEATURE) for f in features if f.startswith(FEATURE)]
        group = int(side.words.group[head])
        yield _Expression(group, (head, *words), tags[0] if tags else "")


def _ratios(
    name: str, title: str, found: str, sides: tuple[str, str] = ("gold", "system")
) -> tuple[Ratio, Ratio, Ratio]:
    gold, system = sides
    return (
        Ratio(name, f"{title} F1", {found: 2}, {gold: 1, system: 1}),
        Ratio(f"{name}-recall", f"{title} recall", {found: 1}, {gold: 1}),
        Ratio(f"{name}-precision", f"{title} precision", {found: 1}, {system: 1}),
    )


METRIC = Metric(
    name="multiword",
    title="Multiword expressions",
    source="Seddah et al. 2013, §3.4.4",
    counts=COUNTS,
    ratios=(
        *_ratios("MWE", "MWE", "found"),
        *_ratios("MWE-POS", "MWE with part of speech", "tagged"),
        *_ratios("MWE-components", "MWE components", "parts", ("gold_parts", "system_parts")),
    ),
    tally=tally,
    takes=CONSTITUENTS | DEPENDENCIES,
    standard=False,
)
