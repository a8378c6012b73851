"""ELAS and EULAS: labelled scores of enhanced dependencies, whole and up to subtypes.

Source: Bouma, Seddah & Zeman 2020 (IWPT); the UD tools' eval.py. Each is the harmonic mean of
recall (of gold's enhanced dependencies) and precision (of system's) over aligned words, a
percentage, 0 to 100; EULAS cuts the relations, and each step of a path (``conj>obl``), at their
first colon.

* Dependencies whose head is an empty node, and those of empty nodes, are left out: the original
  wants empty nodes collapsed into paths first.
* Where the words are the same the numbers are the original's (``treelens udeval`` is that
  program), but for a dependency that a word has twice: it counts as often as both sides have it;
  the original counts every pair.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import NOTHING
from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import pack, partners
from treelens.metrics import DEPENDENCIES, Metric, Ratio, Tallies, by_group
from treelens.rules.universal import universal_relation
from treelens.trees.enhanced import renumbered
from treelens.trees.forest import ROOT, Ints, decode

Numbers = npt.NDArray[np.int64]

COUNTS = ("gold", "system", "matched", "plain")


class _Edges(NamedTuple):
    """A side's enhanced dependencies; ``(e,)`` each. head: row of a word, or ``ROOT``; whole and
    plain: label ids of the relation, whole and without subtypes."""

    word: Numbers
    head: Numbers
    whole: Numbers
    plain: Numbers


def tally(comparison: Comparison) -> Tallies:
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or system.arcs is None:
        return np.zeros((comparison.groups, len(COUNTS)), np.int64)
    ours, theirs = _edges(gold), _edges(system)
    here = _in_terms_of_gold(theirs, system.words.partner)
    columns = [
        by_group(gold.words.group[ours.word], comparison),
        by_group(system.words.group[theirs.word], comparison),
        *(
            by_group(gold.words.group[ours.word[_matched(ours, here, which)]], comparison)
            for which in (2, 3)
        ),
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def _in_terms_of_gold(edges: _Edges, partner: Ints) -> _Edges:
    """Those between words that gold has, or to the root, by gold's rows."""
    moved = np.append(partner.astype(np.int64), ROOT)
    kept = (partner[edges.word] >= 0) & ((edges.head == ROOT) | (moved[edges.head] >= 0))
    word, head, whole, plain = (column[kept] for column in edges)
    return _Edges(moved[word], moved[head], whole, plain)


def _matched(ours: _Edges, theirs: _Edges, which: int) -> npt.NDArray[np.bool_]:
    """Which of gold's dependencies system has, one to one."""
    columns = [
        np.concatenate([getattr(one, name) for one in (ours, theirs)]) for name in ("word", "head")
    ]
    relation = np.concatenate([ours[which], theirs[which]])
    key, cut = pack(columns[0], columns[1] - ROOT, relation), len(ours.word)
    return partners(key[:cut], key[cut:]).gold >= 0


def _edges(side: ComparedSide) -> _Edges:
    forest = side.forest
    assert forest.fields is not None
    nothing = np.array([0, forest.symbols.key(NOTHING.encode())], np.uint64)
    if np.isin(forest.fields.deps, nothing).all():
        none = np.zeros(0, np.int64)
        return _Edges(none, none, none, none)
    distinct, inverse = np.unique(forest.fields.deps, return_inverse=True)
    number_of, token = forest.symbols.label_id, forest.symbols.token
    read = [
        [(head, number_of(whole), number_of(plain)) for head, whole, plain in _read(token(key))]
        for key in distinct.tolist()
    ]
    sizes = np.array([len(one) for one in read], np.int64)[inverse]
    word = np.repeat(np.arange(len(inverse)), sizes)
    flat = [edge for number in inverse[sizes > 0].tolist() for edge in read[number]]
    number, whole, plain = np.array(flat, np.int64).reshape(-1, 3).T
    counts = np.diff(forest.first_leaf)
    first, size = (np.repeat(column, counts)[word] for column in (forest.first_leaf[:-1], counts))
    for sentence, by_number in renumbered(forest).items():
        here = slice(*np.searchsorted(word, forest.first_leaf[sentence : sentence + 2]).tolist())
        nowhere = int(counts[sentence])
        number[here] = [one and by_number.get(one, nowhere) + 1 for one in number[here].tolist()]
    head = np.where(number > 0, first + number - 1, ROOT)
    kept = number <= size
    return _Edges(word[kept], head[kept], whole[kept], plain[kept])


@functools.lru_cache(maxsize=1 << 13)
def _read(field: bytes) -> tuple[tuple[int, str, str], ...]:
    """What a field says of words and the root: the head's number, and the relation's two names."""
    found = []
    for part in decode(field).split("|"):
        head, mark, relation = part.partition(":")
        if mark and head.isascii() and head.isdigit() and len(head) < 10:
            plain = ">".join(map(universal_relation, relation.split(">")))
            found.append((int(head), relation, plain))
    return tuple(found)


_BOTH = {"gold": 1, "system": 1}

METRIC = Metric(
    name="enhanced",
    title="Enhanced dependencies",
    source="Bouma, Seddah & Zeman 2020",
    counts=COUNTS,
    ratios=(
        Ratio("ELAS", "ELAS", {"matched": 2}, _BOTH, headline="ELAS"),
        Ratio("ELAS-recall", "ELAS recall", {"matched": 1}, {"gold": 1}),
        Ratio("ELAS-precision", "ELAS precision", {"matched": 1}, {"system": 1}),
        Ratio("EULAS", "EULAS", {"plain": 2}, _BOTH),
    ),
    tally=tally,
    takes=DEPENDENCIES,
    standard=False,
)
