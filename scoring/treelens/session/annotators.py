"""What several annotators, or systems, say of the same words: categories of the first one's.

Each other file is aligned with the first one; a unit of judgement is a word of the first file, or
a stretch of its words over which anybody has a bracket. What an annotator has no word for is not
judged by them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.rules.parameters import TRACE, bare, tag_name
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.statistics.reliability import MISSING
from treelens.trees.digests import numbers_of
from treelens.trees.forest import NOWHERE, ROOT, Forest, decode, each_once, encode

Numbers = npt.NDArray[np.int64]

LEMMAS = "lemmas"
"""The key of what has as many categories as a language has words."""
NONE = -1
"""The category of a stretch of words over which an annotator has no bracket."""
NOTHING = "–"
"""What it is called."""


class Judged(NamedTuple):
    """One thing that is judged, of some units.

    category: ``(u, annotators)``, the first annotator's first. sentence, first, last: ``(u,)``,
    where each unit is in the first file: words counted from 0 in the sentence, ``last`` included.
    name: what a category is called.
    """

    key: str
    title: str
    category: Numbers
    sentence: Numbers
    first: Numbers
    last: Numbers
    name: Callable[[int], str]


class CategoryNames(dict[str, "_Names"]):
    """What categories are called, by the key of what is judged: numbers of several sentences are
    the same where they have been given out by one of these."""

    def __missing__(self, key: str) -> _Names:
        made = self[key] = _Names()
        return made


class FewNames(CategoryNames):
    """The same of any number of sentences: of what has ever new categories, what they are called
    is not known."""

    def __missing__(self, key: str) -> _Names:
        made = self[key] = _Unnamed() if key == LEMMAS else _Names()
        return made


class _Annotator(NamedTuple):
    """number: which file, from 0. forest: its sentences. row: for each of the first file's words
    the word here, -1 where there is none; back: the other way round."""

    number: int
    forest: Forest
    row: Numbers
    back: Numbers


class _Part(NamedTuple):
    """Some sentences of the first file, as everybody has them; sentence, word: ``(w,)``, where
    each of the first file's words is, sentences and words counted from 0."""

    annotators: tuple[_Annotator, ...]
    sentence: Numbers
    word: Numbers


def judged(
    document: Document, pairs: Sequence[Pair], sentences: range | None = None
) -> list[Judged]:
    """All that the files say of the first one's words and that is not the same everywhere;
    ``pairs`` are of it with each other one.

    sentences: those of the first file that are looked at, by default all, and with them those
    that anybody has as one sentence with one of them. What is said of a sentence does not depend
    on which others are looked at; the numbers of its categories do.
    """
    there = _together(pairs, range(len(document)) if sentences is None else sentences)
    found = _judged(_part(document, pairs, there), CategoryNames())
    return [
        one._replace(sentence=one.sentence + there.start)
        for one in found
        if _says_something(one.category)
    ]


def judged_in_part(
    document: Document, pairs: Sequence[Pair], names: CategoryNames
) -> Iterator[Judged]:
    """The same, and what is the same everywhere, of a document that is part of a file;
    :data:`NO_FEATURE` stands for each feature that no word has here."""
    return _judged(_part(document, pairs, range(len(document))), names)


def _part(document: Document, pairs: Sequence[Pair], sentences: range) -> _Part:
    annotators = tuple(_annotators(document, pairs, sentences))
    forest = annotators[0].forest
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))
    word = np.arange(len(forest.word)) - forest.first_leaf[sentence]
    return _Part(annotators, sentence, word)


def _judged(part: _Part, names: CategoryNames) -> Iterator[Judged]:
    def of_words(key: str, title: str, columns: Sequence[Numbers | None]) -> Iterator[Judged]:
        there = [column for column in columns if column is not None]
        if len(there) == len(columns):
            category = _by_word(part, there)
            yield Judged(key, title, category, part.sentence, part.word, part.word, names[key].name)

    for key, title, column in _WORDS:
        yield from of_words(key, title, [column(one, names[key]) for one in part.annotators])
    for key, title, columns in _features(part, names):
        yield from of_words(key, title, columns)
    if all(one.forest.annotation == "constituents" for one in part.annotators):
        yield _brackets(part, names[BRACKETS])


def _by_word(part: _Part, columns: Sequence[Numbers]) -> Numbers:
    """The category of each of the first file's words, of all annotators beside each other; the
    columns have those of each annotator's own words."""
    return np.stack(
        [
            np.where(one.row >= 0, np.append(own, MISSING)[one.row], MISSING)
            for one, own in zip(part.annotators, columns, strict=True)
        ],
        axis=1,
    )


def _says_something(category: Numbers) -> bool:
    there = category[category != MISSING]
    return bool(len(there)) and bool((there != there[0]).any())


def _together(pairs: Sequence[Pair], sentences: range) -> range:
    """Some sentences, with all that are in one group with one of them."""
    while sentences:
        bounds = [(pair.groups, _groups(pair, sentences)) for pair in pairs]
        first = min(int(groups.gold_start[here.start]) for groups, here in bounds)
        end = max(int(groups.gold_end[here.stop - 1]) for groups, here in bounds)
        if range(first, end) == sentences:
            break
        sentences = range(first, end)
    return sentences


def _groups(pair: Pair, sentences: range) -> range:
    """The groups that some sentences of gold are in, the first to the last."""
    first, last = (pair.group_of(Side.GOLD, one) for one in (sentences[0], sentences[-1]))
    return range(first, last + 1)


def _annotators(
    document: Document, pairs: Sequence[Pair], sentences: range
) -> Iterator[_Annotator]:
    forest = document.forest(sentences)
    own = np.where(_is_trace(forest), -1, np.arange(len(forest.word)))
    yield _Annotator(0, forest, own, own)
    for number, pair in enumerate(pairs, 1):
        groups = _groups(pair, sentences) if sentences else range(0)
        compared = pair.compared(groups.start, groups.stop)
        row = np.where(own >= 0, compared.gold.words.partner, -1).astype(np.int64)
        back = np.full(len(compared.system.forest.word), -1, np.int64)
        back[row[row >= 0]] = np.flatnonzero(row >= 0)
        yield _Annotator(number, compared.system.forest, row, back)


def _is_trace(forest: Forest) -> npt.NDArray[np.bool_]:
    """Which leaves are empty elements: no words that anybody else could have."""
    names = np.array([tag_name(label) == TRACE for label in forest.symbols.labels], np.bool_)
    return names[forest.tag]


class _Names:
    """Numbers of categories by what they are called, from 0."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def name(self, number: int) -> str:
        """What a category is called."""
        return NOTHING if number == NONE else self._names[number]

    def of(self, values: npt.NDArray[np.generic], name: Callable[[int], str]) -> Numbers:
        """The numbers of some values, whose names are asked for once each."""
        known, inverse = np.unique(values, return_inverse=True)
        return self._numbered([name(one) for one in known.tolist()])[inverse]

    def _numbered(self, names: Sequence[str]) -> Numbers:
        return np.array([self.number(name) for name in names], np.int64)

    def in_order(self, values: Numbers, others: _Names) -> Numbers:
        """The numbers here of others' numbers, new ones as they come; NONE stays."""
        known, first = np.unique(values, return_index=True)
        table = np.full(len(others._names) + 1, NONE, np.int64)
        for number in known[np.argsort(first)].tolist():
            if number != NONE:
                table[number] = self.number(others.name(number))
        return table[values]


class _Unnamed(_Names):
    """The same without the names, in no memory: numbers are digests of 63 bits. (That two names of
    a corpus have the same one is unlikely, and changes no digit that is shown.)"""

    def _numbered(self, names: Sequence[str]) -> Numbers:
        return numbers_of([*map(encode, names)])


# --- words -----------------------------------------------------------------------------------


def _tags(one: _Annotator, names: _Names) -> Numbers | None:
    labels = one.forest.symbols.labels
    return names.of(one.forest.tag, lambda label: tag_name(labels[label]) or "_")


def _xpos(one: _Annotator, names: _Names) -> Numbers | None:
    if one.forest.fields is None:
        return None
    labels = one.forest.symbols.labels
    return names.of(one.forest.fields.xpos, lambda label: labels[label] or "_")


def _lemmas(one: _Annotator, names: _Names) -> Numbers | None:
    if one.forest.fields is None:
        return None
    return names.of(one.forest.fields.lemma, lambda key: decode(one.forest.symbols.token(key)))


def _relations(one: _Annotator, names: _Names) -> Numbers | None:
    if one.forest.dependencies is None:
        return None
    labels = one.forest.symbols.labels
    return names.of(one.forest.dependencies.relation, lambda label: labels[label] or "_")


def _heads(one: _Annotator, names: _Names) -> Numbers | None:
    """The head as how many of the first file's words it is away; one without a word there is no
    head that anybody else could have."""
    given = one.forest.dependencies
    if given is None:
        return None
    base = np.repeat(one.forest.first_leaf[:-1], np.diff(one.forest.first_leaf))
    at = np.where(given.head >= 0, base + given.head, 0)
    head = np.where(given.head >= 0, np.append(one.back, -1)[at], -1)
    away = head - one.back
    alone = f"a word of file {one.number + 1} only"
    names_of = {_ROOT: "root", _NOWHERE: "no head", _ALONE: alone}
    away = np.where(head < 0, _ALONE, away)
    away = np.where(given.head == ROOT, _ROOT, np.where(given.head == NOWHERE, _NOWHERE, away))
    return names.of(away, lambda value: names_of.get(value) or f"{value:+d}")


_ROOT, _NOWHERE, _ALONE = 1 << 40, (1 << 40) + 1, (1 << 40) + 2


def _attachments(one: _Annotator, names: _Names) -> Numbers | None:
    """Head and relation together."""
    own = _Names()
    heads, relations = _heads(one, own), _relations(one, own)
    if heads is None or relations is None:
        return None
    both = (heads << 24) + relations
    low = (1 << 24) - 1
    return names.of(both, lambda code: f"{own.name(code & low)} {own.name(code >> 24)}")


_WORDS: tuple[tuple[str, str, Callable[[_Annotator, _Names], Numbers | None]], ...] = (
    ("tags", "Part-of-speech tags", _tags),
    ("xpos", "Tags of the language", _xpos),
    (LEMMAS, "Lemmas", _lemmas),
    ("heads", "Heads", _heads),
    ("relations", "Relations", _relations),
    ("attachments", "Heads and relations", _attachments),
)


FEATURE = "features:"
"""How the key of a feature begins."""
NO_FEATURE = "features"
"""The key of one that no word has."""


def _features(
    part: _Part, names: CategoryNames
) -> Iterator[tuple[str, str, Sequence[Numbers | None]]]:
    """Each feature that anybody gives a word; a word without it is a category of its own."""
    if any(one.forest.fields is None for one in part.annotators):
        return
    columns = [_feature_columns(one, names) for one in part.annotators]
    without = [np.full(len(one.forest.word), _WITHOUT) for one in part.annotators]
    yield NO_FEATURE, "No feature", without
    for feature in sorted(set().union(*columns)):
        own = map(dict.get, columns, itertools.repeat(feature), without)
        yield f"{FEATURE}{feature}", f"Feature {feature}", [*own]


_WITHOUT = 0
"""The number of the category of words that do not have a feature."""


def _feature_columns(one: _Annotator, names: CategoryNames) -> dict[str, Numbers]:
    assert one.forest.fields is not None
    known, inverse = np.unique(one.forest.fields.feats, return_inverse=True)
    found: dict[str, Numbers] = {}
    for number, key in enumerate(known.tolist()):
        for part in decode(one.forest.symbols.token(key)).split("|"):
            feature, equals, value = part.partition("=")
            if equals:
                of_feature = names[f"{FEATURE}{feature}"]
                of_feature.number("without")  # is _WITHOUT, as the first of all
                values = found.setdefault(feature, np.full(len(known), _WITHOUT))
                values[number] = of_feature.number(value)
    return {feature: values[inverse] for feature, values in found.items()}


# --- brackets --------------------------------------------------------------------------------

_UNCOUNTED = ("", "TOP", "ROOT", "S1", "VROOT")


BRACKETS = "brackets"


def _brackets(part: _Part, names: _Names) -> Judged:
    """Every stretch of words over which anybody has a bracket; the category is the chain of
    labels over exactly these."""
    chains, size = _Names(), max(len(part.word), 1)
    found = [_chains(one, size, chains) for one in part.annotators]
    stretches = each_once(np.concatenate([stretch for stretch, _ in found]))
    category = np.full((len(stretches), len(found)), NONE, np.int64)
    for number, (stretch, chain) in enumerate(found):
        category[np.searchsorted(stretches, stretch), number] = chain
    category = names.in_order(category, chains)
    start, last = np.divmod(stretches, size)
    for number, one in enumerate(part.annotators):
        words = np.append(0, np.cumsum(one.row >= 0))
        category[words[last + 1] == words[start], number] = MISSING
    title = "Brackets, “–” where one has none"
    where = part.sentence[start], part.word[start], part.word[last]
    return Judged(BRACKETS, title, category, *where, names.name)


def _chains(one: _Annotator, size: int, chains: _Names) -> tuple[Numbers, Numbers]:
    """The stretches of the first file's words that have brackets, rising, each as first word times
    size and last word; and the numbers of the labels over each, from the top down."""
    forest = one.forest
    labels = [bare(label) for label in forest.symbols.labels]
    counts = np.array([label not in _UNCOUNTED for label in labels], np.bool_)
    of = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    low, high = forest.first_leaf[of] + forest.first, forest.first_leaf[of] + forest.last
    known = np.flatnonzero(one.back >= 0)
    start, end = np.searchsorted(known, low), np.searchsorted(known, high)
    nodes = np.flatnonzero((end > start) & counts[forest.label])
    first, last = one.back[known[start[nodes]]], one.back[known[end[nodes] - 1]]
    nodes, stretch = nodes[first <= last], (first * size + last)[first <= last]
    order = np.argsort(stretch, kind="stable")
    label, stretch = forest.label[nodes[order]], stretch[order]
    starts = np.flatnonzero(np.diff(stretch, prepend=-1))
    ends = np.append(starts[1:], len(stretch))
    chain = chains.of(label[starts], lambda number: labels[number])
    for at in np.flatnonzero(ends - starts > 1).tolist():
        over = label[starts[at] : ends[at]].tolist()
        chain[at] = chains.number(" ".join(labels[number] for number in over))
    return stretch[starts], chain
