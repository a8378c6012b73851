"""Errors by class: differences put together that one wrong decision of a system has led to.

Constituents are repaired step by step in the manner of Kummerfeld et al. 2012 (``transform``),
and a step's class is what was moved and where (``classes``); words of dependencies are classed
by their relation (``dependencies``). Each bracket, word, head, relation and tag that differs is
of exactly one error. Knows no files, editors or reports.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

import numpy as np

from treelens.compare.comparison import Comparison, Side
from treelens.differences.findings import Finder, Finding, Mark, View
from treelens.errors.constituents import errors_in_constituents, nowhere
from treelens.errors.dependencies import errors_in_dependencies
from treelens.errors.error import CLASSES, NOTHING, Direction, Error

__all__ = ["CLASSES", "NOTHING", "Direction", "Error", "classify"]


def classify(comparison: Comparison) -> list[tuple[Error, ...]]:
    """The errors of each group, in the order of its text; marks as in a group's findings."""
    finder = Finder(comparison)
    views = finder.gold, finder.system
    found: list[list[Error]] = [[] for _ in range(comparison.groups)]
    lone = frozenset(_lone(comparison))
    for group, error in (
        *errors_in_constituents(comparison, views, lone),
        *errors_in_dependencies(comparison, views),
        *_of_words(comparison, "Tag", finder.tags()),
        *_of_words(comparison, "Morphology", finder.morphology()),
        *_different_words(comparison, finder, lone),
        *_lone_sentences(comparison, views, lone),
    ):
        found[group].append(error)
    first = [_first_sentences(side, comparison.groups) for side in _sides(comparison)]
    return [
        tuple(sorted((_placed(error, *starts) for error in errors), key=_order))
        for errors, *starts in zip(found, *first, strict=True)
    ]


def _sides(comparison: Comparison) -> tuple[Side, Side]:
    return comparison.gold, comparison.system


def _first_sentences(side: Side, groups: int) -> list[int]:
    first: list[int] = np.searchsorted(side.sentence_group, np.arange(groups)).tolist()
    return first


def _placed(error: Error, gold: int, system: int) -> Error:
    """With sentences counted within the group."""
    if not gold and not system:
        return error
    return error.at(
        tuple(mark._replace(sentence=mark.sentence - gold) for mark in error.gold),
        tuple(mark._replace(sentence=mark.sentence - system) for mark in error.system),
    )


def _order(error: Error) -> tuple[int, int, int]:
    side, marks = (0, error.gold) if error.gold else (1, error.system)
    return (marks[0].sentence, marks[0].start, side) if marks else (0, 0, 2)


# --- words -----------------------------------------------------------------------------------


def _of_words(
    comparison: Comparison, kind: str, findings: Iterable[Finding]
) -> Iterator[tuple[int, Error]]:
    """Findings of single words as errors of a class."""
    for finding in findings:
        assert finding.gold
        assert finding.system
        labels = finding.gold.written, finding.system.written
        yield _of_finding(comparison, finding, kind, finding.gold.message, labels)


def _of_finding(
    comparison: Comparison,
    finding: Finding,
    kind: str,
    message: str,
    labels: tuple[str, str] = ("", ""),
    brackets: int = 0,
    words: int = 1,
) -> tuple[int, Error]:
    gold, system = (_marks(mark) for mark in (finding.gold, finding.system))
    error = Error(kind, message, "", *labels, brackets, words, gold, system)
    side, mark = (
        (comparison.gold, finding.gold) if finding.gold else (comparison.system, finding.system)
    )
    assert mark is not None
    return int(side.sentence_group[mark.sentence]), error


def _marks(mark: Mark | None) -> tuple[Mark, ...]:
    return (mark,) if mark else ()


def _different_words(
    comparison: Comparison, finder: Finder, lone: frozenset[int]
) -> Iterator[tuple[int, Error]]:
    """Stretches where the words differ, each with the brackets that hold only such words."""
    findings = list(finder.words())
    held = [0] * len(findings)
    for view, of in ((finder.gold, _gold_mark), (finder.system, _system_mark)):
        places = [
            (view.first_leaf[mark.sentence] + mark.span[0], number)
            for number, finding in enumerate(findings)
            if (mark := of(finding))
        ]
        counted, group_of = view.side.words.counted, view.side.brackets.group
        for bracket in nowhere(view.side.brackets):
            if int(group_of[bracket]) not in lone and places:
                # Those of its words that count are of stretches, whose words are in a row.
                word = next(row for row in view.words(bracket) if counted[row])
                at = bisect_right(places, (word, len(findings))) - 1
                held[places[max(at, 0)][1]] += 1
    for finding, brackets in zip(findings, held, strict=True):
        marks = [mark for mark in (finding.gold, finding.system) if mark]
        words = max(mark.span[1] - mark.span[0] for mark in marks)
        group, error = _of_finding(
            comparison, finding, "Different Words", marks[0].message, ("", ""), brackets, words
        )
        if group not in lone:
            yield group, error


def _gold_mark(finding: Finding) -> Mark | None:
    return finding.gold


def _system_mark(finding: Finding) -> Mark | None:
    return finding.system


# --- sentences -------------------------------------------------------------------------------


def _lone(comparison: Comparison) -> list[int]:
    """Groups with words on one side only."""
    counts = [
        np.bincount(side.words.group, minlength=comparison.groups) > 0
        for side in _sides(comparison)
    ]
    found: list[int] = np.flatnonzero(counts[0] != counts[1]).tolist()
    return found


_LONE = (
    ("Missing Sentence", "system has no parse of this sentence"),
    ("Extra Sentence", "gold has no such sentence"),
)


def _lone_sentences(
    comparison: Comparison, views: tuple[View, View], lone: frozenset[int]
) -> Iterator[tuple[int, Error]]:
    if not lone:
        return
    bounds = np.arange(comparison.groups + 1)
    sides = _sides(comparison)
    # (Rows are in the order of groups.)
    brackets = [np.diff(np.searchsorted(side.brackets.group, bounds)).tolist() for side in sides]
    words = [np.diff(np.searchsorted(side.words.group, bounds)).tolist() for side in sides]
    sentences = [np.searchsorted(side.sentence_group, bounds).tolist() for side in sides]
    for group in sorted(lone):
        kind, message = _LONE[0 if words[0][group] else 1]
        gold, system = (
            tuple(view.at_sentence(at, message) for at in range(*first[group : group + 2]))
            for view, first in zip(views, sentences, strict=True)
        )
        lost, spoken = (sum(side[group] for side in both) for both in (brackets, words))
        yield group, Error(kind, message, "", "", "", lost, spoken, gold, system)
