"""Sentences of the same words, analysed differently.

Analysed: heads and relations, or brackets; what their words are tagged as is for ``tags``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treelens.consistency.brackets import CHAINED, spans
from treelens.consistency.groups import Occurrence, VariationGroup, group
from treelens.consistency.material import Material
from treelens.consistency.options import ConsistencyOptions
from treelens.trees.forest import Forest, Ints

FEWEST = 2
"""Words of a sentence that can be analysed in more than one way."""

_Parts = list[tuple[int, int, str]]
"""What an analysis says: first word, last word, what."""


def groups(strip: Material, options: ConsistencyOptions) -> Iterator[VariationGroup]:
    """The groups of sentences with at least two words."""
    same: dict[bytes, list[int]] = {}
    first = strip.first
    whole = strip.reach[first[:-1]] == np.diff(first)
    for sentence in np.flatnonzero(whole & (np.diff(first) >= FEWEST + 2)).tolist():
        inside = slice(int(first[sentence]) + 1, int(first[sentence + 1]) - 1)
        same.setdefault(strip.word[inside].tobytes(), []).append(sentence)
    repeated = [sentences for sentences in same.values() if len(sentences) > 1]
    analysed = _analyses(strip, [one for sentences in repeated for one in sentences], options)
    for sentences in repeated:
        analyses = [analysed[one] for one in sentences]
        if any(other != analyses[0] for other in analyses[1:]):
            yield _group(strip, sentences, analyses)


def _group(strip: Material, sentences: Sequence[int], analyses: Sequence[_Parts]) -> VariationGroup:
    agreed = set.intersection(*map(set, analyses))
    differing = [[part for part in one if part not in agreed] for one in analyses]
    words = sorted(
        {word for parts in differing for low, high, _ in parts for word in range(low, high + 1)}
    )
    start = int(strip.first[sentences[0]]) + 1
    places = range(start, start + strip.size(sentences[0]))
    key = tuple(map(strip.shown, places))
    labels = [
        "; ".join(f"{_stretch(key, low, high)}: {what}" for low, high, what in parts)
        for parts in differing
    ]
    # (Analyses that have what all have, and no more, still have a name of their own.)
    occurrences = [
        Occurrence(sentence, tuple(words), label or "no more than what all have")
        for sentence, label in zip(sentences, labels, strict=True)
    ]
    return group("texts", strip.identity(places), key, occurrences, "both")


_MOST_SHOWN = 4


def _stretch(key: Sequence[str | None], low: int, high: int) -> str:
    words = [word or "" for word in key[low : high + 1]]
    if len(words) > _MOST_SHOWN:
        words = [*words[:2], "…", words[-1]]
    return f"{low + 1} {' '.join(words)}"


def _analyses(
    strip: Material, sentences: Sequence[int], options: ConsistencyOptions
) -> dict[int, _Parts]:
    if strip.forest.dependencies is not None:
        return {one: _heads(strip, one) for one in sentences}
    node, first, last, name, names = spans(strip, options)
    of = strip.sentence[first]
    cuts = np.searchsorted(of, np.arange(len(strip.first)))
    found = {}
    for one in sentences:
        rows = slice(int(cuts[one]), int(cuts[one + 1]))
        base = int(strip.first[one]) + 1
        labels = name[node[rows]].tolist()
        found[one] = _chained(
            (first[rows] - base).tolist(), (last[rows] - base).tolist(), [names[k] for k in labels]
        )
    return found


def _chained(first: list[int], last: list[int], labels: list[str]) -> _Parts:
    """Brackets over the same words as one part."""
    found: _Parts = []
    for low, high, label in zip(first, last, labels, strict=True):
        if found and found[-1][:2] == (low, high):
            label = f"{found.pop()[2]}{CHAINED}{label}"
        found.append((low, high, label))
    return found


def _heads(strip: Material, sentence: int) -> _Parts:
    forest = strip.forest
    assert forest.dependencies is not None
    start, end = forest.first_leaf[sentence : sentence + 2].tolist()
    names = forest.symbols.labels
    kept = strip.counted[start:end].tolist()
    place = (strip.place[start:end] - strip.first[sentence] - 1).tolist()
    found: _Parts = []
    for row, (head, relation) in enumerate(
        zip(
            _column(forest, "head", start, end),
            _column(forest, "relation", start, end),
            strict=True,
        )
    ):
        if kept[row]:
            above = f" of {place[head] + 1}" if head >= 0 else ""
            what = f"{names[relation] or '_'}{above}"
            found.append((place[row], place[row], what))
    return found


def _column(forest: Forest, name: str, start: int, end: int) -> list[int]:
    column: Ints = getattr(forest.dependencies, name)
    return column[start:end].tolist()
