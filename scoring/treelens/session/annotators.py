"""What several annotators, or systems, say of the same words: categories of the first one's.

Each other file is aligned with the first one; a unit of judgement is a word of the first file, or
a stretch of its words over which anybody has a bracket. What an annotator has no word for is not
judged by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.rules.parameters import TRACE, bare, tag_name
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.statistics.reliability import MISSING
from treelens.trees.forest import NOWHERE, ROOT, Forest, decode, each_once

Numbers = npt.NDArray[np.int64]

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
    """All that the files say of the first one's words; ``pairs`` are of it with each other one.

    sentences: those of the first file that are looked at, by default all, and with them those
    that anybody has as one sentence with one of them. What is said of a sentence does not depend
    on which others are looked at; the numbers of its categories do.
    """
    there = _together(pairs, range(len(document)) if sentences is None else sentences)
    found = _judged([_part(document, pairs, there)])
    return [one._replace(sentence=one.sentence + there.start) for one in found]


def judged_together(files: Iterable[tuple[Document, Sequence[Pair]]]) -> list[Judged]:
    """The same of several first files, with the pairs of each; sentences are counted on through
    all of them."""
    parts, before = list[_Part](), 0
    for document, pairs in files:
        part = _part(document, pairs, range(len(document)))
        parts.append(part._replace(sentence=part.sentence + before))
        before += len(document)
    return _judged(parts)


def _part(document: Document, pairs: Sequence[Pair], sentences: range) -> _Part:
    annotators = tuple(_annotators(document, pairs, sentences))
    forest = annotators[0].forest
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))
    word = np.arange(len(forest.word)) - forest.first_leaf[sentence]
    return _Part(annotators, sentence, word)


def _judged(parts: Sequence[_Part]) -> list[Judged]:
    names = _Names()
    sentence = np.concatenate([part.sentence for part in parts])
    word = np.concatenate([part.word for part in parts])
    found = []
    for key, title, column in _WORDS:
        columns = [[column(one, names) for one in part.annotators] for part in parts]
        if any(one is None for of_part in columns for one in of_part):
            continue
        category = _by_word(parts, [[one for one in own if one is not None] for own in columns])
        found.append(Judged(key, title, category, sentence, word, word, names.name))
    for feature, category in _features(parts, names):
        key, title = f"features:{feature}", f"Feature {feature}"
        found.append(Judged(key, title, category, sentence, word, word, names.name))
    if all(one.forest.annotation == "constituents" for part in parts for one in part.annotators):
        found.append(_brackets(parts, names))
    return [one for one in found if _says_something(one.category)]


def _by_word(parts: Sequence[_Part], columns: Sequence[Sequence[Numbers]]) -> Numbers:
    """The category of each of the first files' words, of all annotators beside each other; the
    columns have those of each annotator's own words."""
    return np.concatenate(
        [
            np.stack(
                [
                    np.where(one.row >= 0, np.append(own, MISSING)[one.row], MISSING)
                    for one, own in zip(part.annotators, of_part, strict=True)
                ],
                axis=1,
            )
            for part, of_part in zip(parts, columns, strict=True)
        ]
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
        return NOTHING if number == NONE else self._names[number]

    def of(self, values: npt.NDArray[np.generic], name: Callable[[int], str]) -> Numbers:
        """The numbers of some values, whose names are asked for once each."""
        known, inverse = np.unique(values, return_inverse=True)
        return np.array([self.number(name(one)) for one in known.tolist()], np.int64)[inverse]

    def in_order(self, values: Numbers, others: _Names) -> Numbers:
        """The numbers here of others' numbers, new ones as they come; NONE stays."""
        known, first = np.unique(values, return_index=True)
        table = np.full(len(others._names) + 1, NONE, np.int64)
        for number in known[np.argsort(first)].tolist():
            if number != NONE:
                table[number] = self.number(others.name(number))
        return table[values]


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
    heads, relations = _heads(one, names), _relations(one, names)
    if heads is None or relations is None:
        return None
    both = (heads << 24) + relations
    low = (1 << 24) - 1
    return names.of(both, lambda code: f"{names.name(code & low)} {names.name(code >> 24)}")


_WORDS: tuple[tuple[str, str, Callable[[_Annotator, _Names], Numbers | None]], ...] = (
    ("tags", "Part-of-speech tags", _tags),
    ("xpos", "Tags of the language", _xpos),
    ("lemmas", "Lemmas", _lemmas),
    ("heads", "Heads", _heads),
    ("relations", "Relations", _relations),
    ("attachments", "Heads and relations", _attachments),
)


def _features(parts: Sequence[_Part], names: _Names) -> Iterator[tuple[str, Numbers]]:
    """Each feature that anybody gives a word; a word without it is a category of its own."""
    if any(one.forest.fields is None for part in parts for one in part.annotators):
        return
    columns = [[_feature_columns(one, names) for one in part.annotators] for part in parts]
    without = names.number("without")
    for feature in sorted(set().union(*(column for of_part in columns for column in of_part))):
        own = [
            [
                column.get(feature, np.full(len(one.forest.word), without))
                for one, column in zip(part.annotators, of_part, strict=True)
            ]
            for part, of_part in zip(parts, columns, strict=True)
        ]
        yield feature, _by_word(parts, own)


def _feature_columns(one: _Annotator, names: _Names) -> dict[str, Numbers]:
    assert one.forest.fields is not None
    known, inverse = np.unique(one.forest.fields.feats, return_inverse=True)
    without = names.number("without")
    found: dict[str, Numbers] = {}
    for number, key in enumerate(known.tolist()):
        for part in decode(one.forest.symbols.token(key)).split("|"):
            feature, equals, value = part.partition("=")
            if equals:
                values = found.setdefault(feature, np.full(len(known), without))
                values[number] = names.number(value)
    return {feature: values[inverse] for feature, values in found.items()}


# --- brackets --------------------------------------------------------------------------------

_UNCOUNTED = ("", "TOP", "ROOT", "S1", "VROOT")


def _brackets(parts: Sequence[_Part], names: _Names) -> Judged:
    """Every stretch of words over which anybody has a bracket; the category is the chain of
    labels over exactly these."""
    found = [_brackets_of(part, names) for part in parts]
    category, sentence, first, last = map(np.concatenate, zip(*found, strict=True))
    title = "Brackets, “–” where one has none"
    return Judged("brackets", title, category, sentence, first, last, names.name)


def _brackets_of(part: _Part, names: _Names) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Categories, sentences, first and last words of one part's stretches."""
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
    return category, part.sentence[start], part.word[start], part.word[last]


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
