"""Cohen's κ between two annotators: how far they agree beyond what chance would give.

Counts, for items that both have, which category either gives: a confusion table, which is a sum
over sentences. κ is no ratio of two sums of counts (the expected agreement is made of products
of the table's margins), so that it is not one of :mod:`treelens.metrics`. Knows no files.

κ = (Po - Pe) / (1 - Pe): Po is the share of items with the same category from both, Pe is
Σ over categories of the product of the shares that either annotator gives it (Cohen 1960; in
computational linguistics: Carletta 1996; of their choice: Artstein & Poesio 2008). From below 0
(less than by chance) to 1. Where Pe is 1 (one category only) or nothing is there, it is undefined.

What is an item, and what a category, is :data:`KINDS`. A span of words is nobody's item before
somebody has put a bracket there, so that spans themselves have no κ: F1 is what is reported of
them (Hripcsak & Rothschild 2005 show that κ comes near it as what nobody marks grows).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import Arcs, relation_table
from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import pack, partners
from treelens.rules.parameters import Parameters, bare, label_table, tag_name
from treelens.rules.universal import universal_relation
from treelens.trees.forest import NOWHERE, ROOT, Ints, Symbols, decode, each_once

Numbers = npt.NDArray[np.int64]
_Key = TypeVar("_Key")

NONE = -1
"""The category of what an annotator has not at all."""

Category = int | bytes
"""A number; or what is written, behind ``=``."""

Cell = tuple[Any, Any, int]
"""The first annotator's category, the second's, and how often they are together."""

_NOTHING = b""
"""The category of what an annotator has not at all, where they are what is written."""


class Items(NamedTuple):
    """The categories of some items, ``(i,)`` each: the first annotator's, and the second's.

    A category is the least id of the labels that count as one, so that it stays what it is while
    labels are added.
    """

    first: Numbers
    second: Numbers


class AgreementKind(NamedTuple):
    """Something to agree on. noun: what the items are, in the plural."""

    key: str
    title: str
    noun: str
    items: Callable[[Comparison], Items]
    numbers: Callable[[Symbols, Parameters], Ints] | None
    """What number each label has, equal where labels are one category; None where categories
    are no labels."""
    shown: Callable[[str], str] = str
    """What a label is called as a category."""
    keyed: bool = False
    """Whether categories are keys of what is written, as words have them."""
    told: bool = True
    """Whether what is written there is for readers."""

    @property
    def named(self) -> bool:
        """Whether its categories can be told in words."""
        return self.told and (self.keyed or self.numbers is not None)

    def cells(self, comparison: Comparison) -> list[Cell]:
        """The combinations of categories that occur in a comparison, and how often."""
        items = self.items(comparison)
        if not self.keyed:
            return _combinations(items, np.ndarray.tolist)
        symbols = comparison.gold.forest.symbols
        return _combinations(items, lambda keys: _written(keys, symbols))


class Kappa(NamedTuple):
    """κ in whole numbers, so that what is equal is equal.

    agreed: items with the same category from both. products: Σ over categories of how often the
    first annotator gives it, times how often the second does.
    """

    items: int
    agreed: int
    products: int

    @property
    def value(self) -> float | None:
        """None where it is undefined: no items, or one category for all of them."""
        above = self.agreed * self.items - self.products
        below = self.items * self.items - self.products
        return above / below if below else None

    @property
    def observed(self) -> float | None:
        """The share of items that both give the same category, 0 to 1."""
        return self.agreed / self.items if self.items else None

    @property
    def expected(self) -> float | None:
        """The share that chance would give, 0 to 1."""
        return self.products / (self.items * self.items) if self.items else None


class Table(Protocol):
    """A confusion table that items can be put into."""

    def add(self, cells: Iterable[Cell], times: int = 1) -> None: ...

    def __bool__(self) -> bool:
        """Whether there is anything in it."""

    @property
    def kappa(self) -> Kappa: ...

    def disagreements(self) -> Iterable[Cell]:
        """The first's category, the second's other one, how often; in any order."""


class ConfusionTable:
    """A confusion table that items can be put into and taken out of."""

    def __init__(self) -> None:
        self.cells: Counter[tuple[Category, Category]] = Counter()
        self._first: Counter[Category] = Counter()
        self._second: Counter[Category] = Counter()

    def add(self, cells: Iterable[Cell], times: int = 1) -> None:
        """``times`` is -1 for items that are no longer there."""
        for first, second, count in cells:
            _add(self.cells, (first, second), times * count)
            _add(self._first, first, times * count)
            _add(self._second, second, times * count)

    def __bool__(self) -> bool:
        return bool(self.cells)

    @property
    def kappa(self) -> Kappa:
        agreed = sum(self.cells[one, one] for one in self._first.keys() & self._second.keys())
        products = sum(count * self._second[one] for one, count in self._first.items())
        return Kappa(self._first.total(), agreed, products)

    def disagreements(self) -> Iterator[Cell]:
        """The first's category, the second's other one, how often; in any order."""
        return ((*cell, count) for cell, count in self.cells.items() if cell[0] != cell[1])


def _add(counts: Counter[_Key], key: _Key, count: int) -> None:
    counts[key] += count
    if not counts[key]:
        del counts[key]


def _combinations(items: Items, named: Callable[[Numbers], Sequence[Category]]) -> list[Cell]:
    """Each combination of categories that occurs, and how often."""
    if not len(items.first):
        return []
    found, numbers = np.unique(np.concatenate(items), return_inverse=True)
    cut, names = len(items.first), named(found)
    cells, counts = np.unique(numbers[:cut] * len(names) + numbers[cut:], return_counts=True)
    both = zip(*np.divmod(cells, len(names)), strict=True)
    return [
        (names[first], names[second], count)
        for (first, second), count in zip(both, counts.tolist(), strict=True)
    ]


def _written(keys: Numbers, symbols: Symbols) -> list[Category]:
    """What is written as categories, which other symbols do not change."""
    texts = symbols.tokens(np.where(keys == NONE, 0, keys).view(np.uint64))
    return [
        _NOTHING if key == NONE else b"=%b" % text
        for key, text in zip(keys.tolist(), texts, strict=True)
    ]


def category_name(
    kind: AgreementKind, category: Category, symbols: Symbols, parameters: Parameters
) -> str:
    """What to call a category: every name that counts as it, such as ``ADVP/PRT``."""
    if category in (NONE, _NOTHING):
        return "–"
    if isinstance(category, bytes):
        return decode(category[1:]) or "–"
    if kind.numbers is None:
        return str(category)
    numbers = kind.numbers(symbols, parameters)
    labels = np.flatnonzero(numbers == numbers[category]).tolist()
    return "/".join(sorted({kind.shown(symbols.labels[label]) for label in labels})) or "–"


# --- items -----------------------------------------------------------------------------------


def _label_numbers(symbols: Symbols, parameters: Parameters) -> Ints:
    return label_table(symbols, parameters).bracket


def _tag_numbers(symbols: Symbols, parameters: Parameters) -> Ints:
    return label_table(symbols, parameters).tag


def _relation_numbers(symbols: Symbols, parameters: Parameters) -> Ints:
    return relation_table(symbols).universal


def _every_number(symbols: Symbols, parameters: Parameters) -> Ints:
    return np.arange(len(symbols.labels), dtype=np.int32)


def _least(numbers: Ints) -> Ints:
    """For each label the least one of its number; ``(labels,)``."""
    found = np.zeros(int(numbers.max(initial=-1)) + 2, np.int32)
    found[numbers[::-1]] = np.arange(len(numbers), dtype=np.int32)[::-1]
    return found[numbers]


def _labels(comparison: Comparison) -> Items:
    """Brackets over the same words, from the top down where there are several."""
    first, second = comparison.gold, comparison.system
    met = _same_span(comparison)
    at = np.flatnonzero(met >= 0)
    return Items(_names(comparison, first)[at], _names(comparison, second)[met[at]])


def _labels_or_none(comparison: Comparison) -> Items:
    """All brackets: what is only one's is nothing of the other's."""
    first, second = comparison.gold, comparison.system
    met = _same_span(comparison)
    ours, theirs = _names(comparison, first), _names(comparison, second)
    alone = np.ones(len(theirs), np.bool_)
    alone[met[met >= 0]] = False
    lone = theirs[alone]
    return Items(
        np.concatenate([ours, np.full_like(lone, NONE)]),
        np.concatenate([np.where(met >= 0, np.append(theirs, NONE)[met], NONE), lone]),
    )


def _same_span(comparison: Comparison) -> Ints:
    """For each of the first's brackets the second's on the same words; -1: none; ``(b,)``.

    In the order of the text, whatever the labels: a match that looked for equal labels would
    find more agreement than there is.
    """
    first, second = comparison.gold.brackets, comparison.system.brackets
    both = [(side.group, side.start, side.end) for side in (first, second)]
    group, start, end = (np.concatenate(columns) for columns in zip(*both, strict=True))
    spans = pack(group, start, end)
    room = np.flatnonzero(start >= end)
    # (Only one side has the words of those; no two of them are over the same.)
    spans[room] = spans.max(initial=0) + 1 + np.arange(len(room))
    cut = len(first.row)
    return partners(spans[:cut], spans[cut:]).gold


def _names(comparison: Comparison, side: ComparedSide) -> Numbers:
    table = _least(_label_numbers(side.forest.symbols, comparison.parameters))
    return table[side.forest.label[side.brackets.row]].astype(np.int64)


def _tags(comparison: Comparison) -> Items:
    """Words of both that count."""
    first, second = comparison.gold, comparison.system
    at = np.flatnonzero(first.words.counted & (first.words.partner >= 0))
    table = _least(_tag_numbers(first.forest.symbols, comparison.parameters)).astype(np.int64)
    partner = first.words.partner[at]
    return Items(table[first.forest.tag[at]], table[second.forest.tag[partner]])


def _relations(comparison: Comparison) -> Items:
    """Words with the same head."""
    arcs, others = comparison.gold.attachments, comparison.system.attachments
    if arcs is None or others is None:
        return NO_ITEMS
    at = np.flatnonzero(arcs.attached & (arcs.head != NOWHERE))
    partner = comparison.gold.words.partner[at]
    # Relations have numbers in the order in which their first labels came.
    numbers = relation_table(comparison.gold.forest.symbols).universal
    least = each_once(_least(numbers)).astype(np.int64)
    return Items(least[arcs.relation[at]], least[others.relation[partner]])


def _whole_relations(comparison: Comparison) -> Items:
    """The same, with subtypes; where the files have relations themselves."""
    first, second = comparison.gold, comparison.system
    ours, theirs = first.forest.dependencies, second.forest.dependencies
    if first.arcs is None or ours is None or theirs is None:
        return NO_ITEMS
    at = np.flatnonzero(first.arcs.attached & (first.arcs.head != NOWHERE))
    partner = first.words.partner[at]
    return Items(
        ours.relation[at].astype(np.int64),
        theirs.relation[partner].astype(np.int64),
    )


_ROOT = 1 << 30
_LONE = 1 << 31
"""A head that only the first annotator has; the second's is one more."""


def _heads(comparison: Comparison) -> Items:
    """Words of both that have heads; the category is how far the head is away, and where.

    In words that both have: so the same head is the same category, and it is the same way round
    for either annotator.
    """
    arcs, others = comparison.gold.attachments, comparison.system.attachments
    if arcs is None or others is None:
        return NO_ITEMS
    words, theirs = comparison.gold.words, comparison.system.words
    at = _headed(comparison, arcs, others)
    pair = np.cumsum(words.partner >= 0) - 1
    pairs = (
        np.where(words.partner >= 0, pair, _LONE),
        np.where(theirs.partner >= 0, np.append(pair, 0)[theirs.partner], _LONE + 1),
    )
    return Items(
        _distance(arcs.head[at], pairs[0], pair[at]),
        _distance(others.head[words.partner[at]], pairs[1], pair[at]),
    )


def _headed(comparison: Comparison, arcs: Arcs, others: Arcs) -> npt.NDArray[np.intp]:
    """The first's rows of words that both have, with a head on either side."""
    partner = comparison.gold.words.partner
    theirs = np.append(others.head, NOWHERE)[partner]
    return np.flatnonzero((partner >= 0) & (arcs.head != NOWHERE) & (theirs != NOWHERE))


def _distance(head: Ints, pairs: Numbers, own: Numbers) -> Numbers:
    """How many pairs of words some heads are behind their words, which have numbers ``own``."""
    place = np.where(head == ROOT, _ROOT, np.append(pairs, 0)[head])
    return np.where(place >= _ROOT, place, place - own).astype(np.int64)


def _attachments(comparison: Comparison) -> Items:
    """The same with the relation: of words with the same category, both have head and relation."""
    arcs, others = comparison.gold.attachments, comparison.system.attachments
    heads = _heads(comparison)
    if arcs is None or others is None:
        return heads
    at = _headed(comparison, arcs, others)
    relations = arcs.relation[at], others.relation[comparison.gold.words.partner[at]]
    return Items(*((head << 24) + one for head, one in zip(heads, relations, strict=True)))


NO_ITEMS = Items(np.zeros(0, np.int64), np.zeros(0, np.int64))

KINDS: tuple[AgreementKind, ...] = (
    AgreementKind("labels", "Labels of brackets over the same words", "brackets", _labels,
                  _label_numbers, bare),
    AgreementKind("labels-none", "Labels, “–” where one has no bracket", "brackets",
                  _labels_or_none, _label_numbers, bare),
    AgreementKind("tags", "Part-of-speech tags", "words", _tags, _tag_numbers, tag_name),
    AgreementKind("relations", "Relations where heads are the same", "words", _relations,
                  _relation_numbers, universal_relation),
    AgreementKind("relations-subtypes", "The same, with subtypes", "words", _whole_relations,
                  _every_number),
    AgreementKind("heads", "Heads", "words", _heads, None),
    AgreementKind("attachments", "Heads and relations", "words", _attachments, None),
)  # fmt: skip
"""Everything that there is a κ of."""
