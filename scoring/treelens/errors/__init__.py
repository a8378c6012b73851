"""Errors by class: differences put together that one wrong decision of a system has led to.

Constituents are repaired step by step in the manner of Kummerfeld et al. 2012 (``transform``),
and a step's class is what was moved and where (``classes``); words of dependencies are classed
by their relation (``dependencies``). Each bracket, word, head, relation and tag that differs is
of exactly one error. Knows no files, editors or reports.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from treelens.compare.comparison import ComparedSide, Comparison, presence
from treelens.compare.sides import Side
from treelens.differences.difference import Finding
from treelens.differences.marks import Mark, View, bare_name
from treelens.differences.sentences import lone
from treelens.differences.table import BY_CODE, findings, own_mark, rows_of
from treelens.differences.wording import Said, phrase_of, written
from treelens.errors.constituents import (
    count_in_constituents,
    errors_in_constituents,
    nowhere,
)
from treelens.errors.dependencies import errors_in_dependencies
from treelens.errors.error import CLASSES, NOTHING, CountedError, Direction, Error, ErrorKind

__all__ = [
    "CLASSES",
    "NOTHING",
    "CountedError",
    "Direction",
    "Error",
    "ErrorKind",
    "classify",
    "count",
]


def classify(comparison: Comparison) -> list[tuple[Error, ...]]:
    """The errors of each group, in the order of its text; marks as in a group's findings."""
    views, alone = _views(comparison), _alone(comparison)
    found: list[list[Error]] = [[] for _ in range(comparison.groups)]
    for group, error in (
        *errors_in_constituents(comparison, views, alone),
        *_of_words(comparison, "Tag", "wrong-tag"),
        *_of_the_rest(comparison, views, alone),
    ):
        found[group].append(error)
    first = [_first_sentences(side, comparison.groups) for side in _sides(comparison)]
    return [
        tuple(sorted((_placed(error, *starts) for error in errors), key=_order)) if errors else ()
        for errors, *starts in zip(found, *first, strict=True)
    ]


def count(comparison: Comparison) -> dict[int, list[CountedError]]:
    """What reports count of the errors of each group that has some, in any order."""
    views, alone = _views(comparison), _alone(comparison)
    found: dict[int, list[CountedError]] = {}
    for group, counted in (
        *count_in_constituents(comparison, views, alone),
        *_counted_tags(comparison, views),
        *((group, error.counted) for group, error in _of_the_rest(comparison, views, alone)),
    ):
        found.setdefault(group, []).append(counted)
    return found


def _of_the_rest(
    comparison: Comparison, views: tuple[View, View], alone: frozenset[int]
) -> Iterator[tuple[int, Error]]:
    """Errors that are not of brackets or of tags."""
    yield from errors_in_dependencies(comparison, views)
    yield from _of_words(comparison, "Morphology", "wrong-morphology")
    yield from _different_words(comparison, views)
    yield from _lone_sentences(comparison, views, alone)


def _views(comparison: Comparison) -> tuple[View, View]:
    return View(comparison.gold), View(comparison.system)


def _alone(comparison: Comparison) -> frozenset[int]:
    """The groups with words on one side only."""
    return frozenset(np.flatnonzero(lone(comparison)).tolist())


def _sides(comparison: Comparison) -> tuple[ComparedSide, ComparedSide]:
    return comparison.gold, comparison.system


def _first_sentences(side: ComparedSide, groups: int) -> list[int]:
    first: list[int] = np.searchsorted(side.sentence_group, np.arange(groups)).tolist()
    return first


def _placed(error: Error, gold: int, system: int) -> Error:
    """With sentences counted within the group."""
    if not gold and not system:
        return error
    return error.at(
        tuple(one._replace(sentence=one.sentence - gold) for one in error.gold),
        tuple(one._replace(sentence=one.sentence - system) for one in error.system),
    )


def _order(error: Error) -> tuple[int, int, int]:
    side, marks = (0, error.gold) if error.gold else (1, error.system)
    return (marks[0].sentence, marks[0].start, side) if marks else (0, 0, 2)


# --- words -----------------------------------------------------------------------------------


def _of_words(comparison: Comparison, kind: str, code: str) -> Iterator[tuple[int, Error]]:
    """Findings of single words as errors of a class."""
    difference = BY_CODE[code]
    for finding in findings(comparison, (difference,)):
        labels = written(difference, finding.gold), written(difference, finding.system)
        yield _of_finding(comparison, finding, kind, labels)


def _counted_tags(
    comparison: Comparison, views: tuple[View, View]
) -> Iterator[tuple[int, CountedError]]:
    difference = BY_CODE["wrong-tag"]
    ((_, rows),) = rows_of(comparison, (difference,))
    gold, system = (
        [difference.blank.get(name, name) for name in map(bare_name, map(view.tag, at.tolist()))]
        for view, at in zip(views, (rows.gold, rows.system), strict=True)
    )
    for group, *labels in zip(rows.group.tolist(), gold, system, strict=True):
        yield group, CountedError(ErrorKind("Tag", "", *labels), 0, 1)


def _of_finding(
    comparison: Comparison,
    finding: Finding,
    kind: str,
    labels: tuple[str, str] = ("", ""),
    brackets: int = 0,
    words: int = 1,
) -> tuple[int, Error]:
    gold, system = (_marks(own_mark(finding, side)) for side in Side)
    side, of = (Side.GOLD, comparison.gold) if gold else (Side.SYSTEM, comparison.system)
    error = Error(kind, phrase_of(finding, side), "", *labels, brackets, words, gold, system)
    return int(of.sentence_group[(gold or system)[0].sentence]), error


def _marks(mark: Mark | None) -> tuple[Mark, ...]:
    return (mark,) if mark else ()


def _different_words(
    comparison: Comparison, views: tuple[View, View]
) -> Iterator[tuple[int, Error]]:
    """Stretches where the words differ, each with the brackets that hold only such words; of the
    words those that count."""
    wanted = tuple(one for one in BY_CODE.values() if one.family == "words")
    found = findings(comparison, wanted)
    held, words = [0] * len(found), [0] * len(found)
    for side, view in zip(Side, views, strict=True):
        places = []
        counted, alone = view.side.words.counted, lone(comparison)
        for number, finding in enumerate(found):
            if mark := own_mark(finding, side):
                start, end = (view.first_leaf[mark.sentence] + at for at in mark.span)
                places.append((start, number))
                words[number] = max(words[number], int(counted[start:end].sum()))
        places.sort()
        for bracket in nowhere(view.side.brackets):
            if not alone[view.side.brackets.group[bracket]] and places:
                # Those of its words that count are of stretches, whose words are in a row.
                word = next(row for row in view.rows(bracket) if counted[row])
                at = bisect_right(places, (word, len(found))) - 1
                held[places[max(at, 0)][1]] += 1
    for finding, *lost in zip(found, held, words, strict=True):
        yield _of_finding(comparison, finding, "Different Words", ("", ""), *lost)


# --- sentences -------------------------------------------------------------------------------


_LONE = (
    ("Missing Sentence", Said("{system} has no parse of this sentence", {})),
    ("Extra Sentence", Said("{gold} has no such sentence", {})),
)


def _lone_sentences(
    comparison: Comparison, views: tuple[View, View], alone: frozenset[int]
) -> Iterator[tuple[int, Error]]:
    if not alone:
        return
    bounds = np.arange(comparison.groups + 1)
    sides = _sides(comparison)
    # (Rows are in the order of groups.)
    brackets = [np.diff(np.searchsorted(side.brackets.group, bounds)).tolist() for side in sides]
    words = [
        np.bincount(side.words.group[side.words.counted], minlength=comparison.groups).tolist()
        for side in sides
    ]
    in_gold, _ = presence(comparison)
    sentences = [np.searchsorted(side.sentence_group, bounds).tolist() for side in sides]
    for group in sorted(alone):
        kind, message = _LONE[0 if in_gold[group] else 1]
        gold, system = (
            tuple(view.at_sentence(at) for at in range(*first[group : group + 2]))
            for view, first in zip(views, sentences, strict=True)
        )
        brackets_lost, words_lost = (
            sum(side[group] for side in both) for both in (brackets, words)
        )
        yield group, Error(kind, message, "", "", "", brackets_lost, words_lost, gold, system)
