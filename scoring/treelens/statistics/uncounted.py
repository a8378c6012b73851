"""Cohen's κ of what no score counts: what two annotators agree on besides structure.

As :mod:`treelens.statistics.kappa` has it. Categories are keys of what is written (words have such
keys), so that they stay what they are while labels and words are added. Items of each kind are
those that the strict differences of :mod:`treelens.differences` are about: what both annotators
have, or where either has something, of which the other may have none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import (
    ComparedSide,
    Comparison,
    Flags,
    own_counted,
    shared_axis,
)
from treelens.compare.enhanced import by_node, written_by_both
from treelens.compare.match import pack, partners
from treelens.differences.difference import two_by_two
from treelens.differences.labels import functions_of, indices_of
from treelens.differences.other_lines import lines_by_place
from treelens.rules.parameters import bare, label_table
from treelens.statistics.kappa import NO_ITEMS, NONE, AgreementKind, Items, Numbers
from treelens.trees.forest import Fields, Keys, Symbols, encode, running
from treelens.trees.other_lines import OtherLine, OtherLineKind

_Rows = npt.NDArray[np.integer[Any]]

_SAYS_NOTHING = ord("_")


def _keys(labels: _Rows, symbols: Symbols, text: Callable[[str], str] = str) -> Numbers:
    """Categories of labels by id: the key of what a label says of something."""
    known, inverse = np.unique(labels, return_inverse=True)
    keys = [symbols.key(encode(text(symbols.labels[label]))) for label in known.tolist()]
    return np.array(keys, np.uint64)[inverse].view(np.int64)


def _or_none(matched: tuple[_Rows, _Rows], ours: Numbers, theirs: Numbers) -> Items:
    """Items of what either has, where a partner is a row of the other side or -1."""
    alone = np.flatnonzero(matched[1] < 0)
    return Items(
        np.concatenate([ours, np.full(len(alone), NONE)]),
        np.concatenate([np.append(theirs, NONE)[matched[0]], theirs[alone]]),
    )


# --- brackets ------------------------------------------------------------------------------


def _functions(comparison: Comparison) -> Items:
    """Of brackets that both have."""
    return _parts_of_labels(functions_of, comparison)


def _indices(comparison: Comparison) -> Items:
    """Of brackets that both have, where either has one."""
    found = _parts_of_labels(indices_of, comparison)
    some = (found.first != 0) | (found.second != 0)
    return Items(found.first[some], found.second[some])


def _parts_of_labels(text: Callable[[str], str], comparison: Comparison) -> Items:
    first, second = comparison.gold, comparison.system
    at = np.flatnonzero(first.brackets.partner >= 0)
    ours = first.forest.label[first.brackets.row[at]]
    theirs = second.forest.label[second.brackets.row[first.brackets.partner[at]]]
    symbols = first.forest.symbols
    return Items(_keys(ours, symbols, text), _keys(theirs, symbols, text))


def _roots(comparison: Comparison) -> Items:
    """The outermost constituent of sentences that meet one to one."""
    sides = comparison.gold, comparison.system
    if any(side.forest.annotation != "constituents" for side in sides):
        return NO_ITEMS
    counts = [np.bincount(side.sentence_group, minlength=comparison.groups) for side in sides]
    groups = np.flatnonzero((counts[0] == 1) & (counts[1] == 1))
    rows = []
    for side in sides:
        at = np.searchsorted(side.sentence_group, groups)
        first = side.forest.first_node
        rows.append(np.where(first[at] < first[at + 1], first[at], -1))
    there = (rows[0] >= 0) & (rows[1] >= 0)
    return Items(
        *(
            _keys(side.forest.label[row[there]], side.forest.symbols)
            for side, row in zip(sides, rows, strict=True)
        )
    )


def _empty_elements(comparison: Comparison) -> Items:
    """Those that do not count, of either, by the place where they stand among words of both."""
    sides, traces = (comparison.gold, comparison.system), _traces(comparison)
    table = label_table(sides[0].forest.symbols, comparison.parameters)
    rows = [
        np.flatnonzero(trace & ~own_counted(side.forest, table))
        for side, trace in zip(sides, traces, strict=True)
    ]
    if not any(map(len, rows)):
        return NO_ITEMS
    ours, theirs = (
        side.words._replace(end=np.where(trace, side.words.start, side.words.end))
        for side, trace in zip(sides, traces, strict=True)
    )
    axis = shared_axis((ours, theirs))
    cut = len(rows[0])
    places, written = [], []
    for side, at in zip(sides, rows, strict=True):
        places.append((side.words.group[at], axis[side.words.start[at]]))
        written.append(side.forest.word[at].view(np.int64))
    group, start = (np.concatenate(columns) for columns in zip(*places, strict=True))
    number = np.unique(np.concatenate(written), return_inverse=True)[1].astype(np.int64)
    same, place = pack(group, start, number), pack(group, start)
    matched = partners(same[:cut], same[cut:])
    gold, system = matched.gold.copy(), matched.system.copy()
    # (What is left at the same place is the same element, otherwise annotated.)
    left, others = np.flatnonzero(gold < 0), np.flatnonzero(system < 0)
    rest = partners(place[:cut][left], place[cut:][others])
    met = rest.gold >= 0
    gold[left[met]] = others[rest.gold[met]]
    system[others[rest.gold[met]]] = left[met]
    return _or_none((gold, system), written[0], written[1])


def _traces(comparison: Comparison) -> tuple[Flags, Flags]:
    """Which words are empty elements, on either side, by its own tags.

    The axis does not say: they have cells in groups whose words are all the same, as words have.
    """
    sides = comparison.gold, comparison.system
    trace = label_table(sides[0].forest.symbols, comparison.parameters).trace
    ours, theirs = (trace.take(side.forest.tag) for side in sides)
    return ours, theirs


# --- punctuation ---------------------------------------------------------------------------


def _of_both(comparison: Comparison) -> tuple[Flags, Flags]:
    """Which words both have, ``(w,)`` of either side; empty elements are none, whatever the other
    side takes them for."""
    traces = _traces(comparison)
    found = []
    for side, own, other in zip(
        (comparison.gold, comparison.system), traces, reversed(traces), strict=True
    ):
        partner = side.words.partner
        found.append((partner >= 0) & ~own & ~np.append(other, False)[partner])
    return found[0], found[1]


def _left_out(comparison: Comparison) -> tuple[_Rows, _Rows]:
    """Words of both that do not count, and their partners."""
    words = comparison.gold.words
    rows = np.flatnonzero(_of_both(comparison)[0] & ~words.counted)
    return rows, words.partner[rows]


def _tags(comparison: Comparison) -> Items:
    rows, others = _left_out(comparison)
    first, second = comparison.gold.forest, comparison.system.forest
    return Items(_keys(first.tag[rows], first.symbols), _keys(second.tag[others], second.symbols))


def _holders(comparison: Comparison) -> Items:
    """What holds a word that does not count: the label of the lowest constituent, and how many
    words that count it has before and behind the word."""
    if any(one.forest.annotation != "constituents" for one in (comparison.gold, comparison.system)):
        return NO_ITEMS
    rows, others = _left_out(comparison)
    ours, theirs = _of_both(comparison)
    return Items(_holding(comparison.gold, ours, rows), _holding(comparison.system, theirs, others))


def _holding(side: ComparedSide, of_both: Flags, rows: _Rows) -> Numbers:
    forest = side.forest
    counts = running(side.words.counted & of_both)
    keys = []
    sentences = np.searchsorted(forest.first_leaf, rows, side="right") - 1
    for row, sentence in zip(rows.tolist(), sentences.tolist(), strict=True):
        base, nodes = int(forest.first_leaf[sentence]), forest.first_node[sentence : sentence + 2]
        of = slice(int(nodes[0]), int(nodes[1]))
        holds = (forest.open[of] < forest.leaf_open[row]) & (
            forest.close[of] > forest.leaf_open[row]
        )
        found = np.flatnonzero(holds)
        if not len(found):
            keys.append(0)
            continue
        node = of.start + int(found[-1])
        low, high = base + int(forest.first[node]), base + int(forest.last[node])
        before, behind = counts[row] - counts[low], counts[high] - counts[row + 1]
        label = bare(forest.symbols.labels[int(forest.label[node])])
        keys.append(forest.symbols.key(encode(f"{label} {before} {behind}")))
    return np.array(keys, np.uint64).view(np.int64)


# --- tables and lattices ---------------------------------------------------------------------


def _fields(column: Callable[[Fields, Symbols], Keys], comparison: Comparison) -> Items:
    """A field of words of both, in sentences in which both annotators write it at all."""
    return _of_fields(column, comparison, np.logical_and)


def _misc(comparison: Comparison) -> Items:
    """The same where either does: who leaves it empty says something too."""
    return _of_fields(lambda fields, _: fields.misc, comparison, np.logical_or)


def _of_fields(
    column: Callable[[Fields, Symbols], Keys], comparison: Comparison, both: np.ufunc
) -> Items:
    sides, keys, written = (comparison.gold, comparison.system), [], []
    if comparison.gold.forest.annotation != comparison.system.forest.annotation:
        return NO_ITEMS
    for side in sides:
        if side.forest.fields is None:
            return NO_ITEMS
        found = column(side.forest.fields, side.forest.symbols)
        keys.append(np.where(found == 0, np.uint64(_SAYS_NOTHING), found).view(np.int64))
        there = side.words.group[keys[-1] != _SAYS_NOTHING]
        written.append(np.bincount(there, minlength=comparison.groups) > 0)
    words = comparison.gold.words
    rows = np.flatnonzero((words.partner >= 0) & both(*written)[words.group])
    return Items(keys[0][rows], keys[1][words.partner[rows]])


def _lemmas(fields: Fields, symbols: Symbols) -> Keys:
    return fields.lemma


def _second_tags(fields: Fields, symbols: Symbols) -> Keys:
    return _keys(fields.xpos, symbols).view(np.uint64)


def _features(fields: Fields, symbols: Symbols) -> Keys:
    """In one order, whichever they are written in."""
    known, inverse = np.unique(fields.feats, return_inverse=True)
    ordered = [b"|".join(sorted(text.split(b"|"))) for text in symbols.tokens(known)]
    return np.array([*map(symbols.key, ordered)], np.uint64)[inverse]


def _enhanced(comparison: Comparison) -> Items:
    """Edges of either, by word and head; the category is the relation."""
    groups = written_by_both(comparison)
    if not groups.any():
        return NO_ITEMS
    edges: list[defaultdict[object, list[bytes]]] = []
    for side in by_node(comparison, groups):
        edges.append(defaultdict(list))
        for node, (_, _, found) in side.items():
            for (head, relation), _ in found:
                edges[-1][node, head].append(relation)
    pairs: list[tuple[bytes | None, bytes | None]] = []
    for place in edges[0].keys() | edges[1].keys():
        pairs += _paired(*(side.get(place, []) for side in edges))
    return _written(pairs, comparison.gold.forest.symbols)


def _lines(kind: OtherLineKind, comparison: Comparison) -> Items:
    """Lines of a kind that either has, by what they are about; the category is what they say."""
    ours, theirs = lines_by_place(comparison)
    pairs: list[tuple[bytes | None, bytes | None]] = []
    for place in ours.keys() | theirs.keys():
        if place[0] == kind:
            pairs += _paired(*([*map(_line, side.get(place, []))] for side in (ours, theirs)))
    return _written(pairs, comparison.gold.forest.symbols)


def _line(line: OtherLine) -> bytes:
    said = [one for one in line.value if one not in (b"", b"_")]
    return b" = ".join([line.key, *said]) if line.key else b" ".join(said)


def _paired(ours: list[bytes], theirs: list[bytes]) -> Iterable[tuple[bytes | None, bytes | None]]:
    """What is at one place on either side: the same with the same, then in order."""
    same, left, others = two_by_two(ours, theirs, lambda one: one)
    return [*same, *zip_longest(left, others)]


def _written(pairs: list[tuple[bytes | None, bytes | None]], symbols: Symbols) -> Items:
    """Items of what is written, or of nothing."""
    keys = np.array(
        [[0 if one is None else symbols.key(one) for one in pair] for pair in pairs], np.uint64
    ).reshape(-1, 2)
    none = np.array([[one is None for one in pair] for pair in pairs], np.bool_).reshape(-1, 2)
    return Items(*np.where(none, NONE, keys.view(np.int64)).T)


def _kind(key: str, title: str, noun: str, items: Callable[[Comparison], Items]) -> AgreementKind:
    return AgreementKind(key, title, noun, items, None, keyed=True)


KINDS: tuple[AgreementKind, ...] = (
    _kind("functions", "Function tags of the same brackets", "brackets", _functions),
    _kind("indices", "Indices of the same brackets", "brackets", _indices),
    _kind("empty-elements", "Empty elements, “–” where one has none", "empty elements",
          _empty_elements),
    _kind("roots", "Roots", "sentences", _roots),
    _kind("uncounted-tags", "Tags of words that do not count", "words", _tags),
    AgreementKind("uncounted-words", "Where words that do not count hang", "words", _holders, None,
                  keyed=True, told=False),
    _kind("lemmas", "Lemmas", "words", partial(_fields, _lemmas)),
    _kind("xpos", "The language’s own tags", "words", partial(_fields, _second_tags)),
    _kind("features", "Features", "words", partial(_fields, _features)),
    _kind("enhanced", "Enhanced dependencies, “–” where one has none", "dependencies", _enhanced),
    _kind("misc", "MISC", "words", _misc),
    _kind("comments", "Comments, “–” where one has none", "comments", partial(_lines, "comment")),
    _kind("tokens", "Multiword tokens, “–” where one has none", "tokens",
          partial(_lines, "token")),
    _kind("empty-nodes", "Empty nodes, “–” where one has none", "nodes",
          partial(_lines, "empty")),
)  # fmt: skip
"""Everything that no score of structure counts and that there is a κ of."""
