"""A group's tally: how many brackets and tags of both sides are the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.dropin.jp.reading import Bracket, Sentence, Tag
from treelens.dropin.jp.settings import Settings
from treelens.dropin.jp.words import align_words
from treelens.dropin.shared.rows import ERROR, OK, Tally

EqualLabels = Sequence[frozenset[str]]
Span = tuple[int, int]

_FEW = 400
"""Up to so many comparisons of two spans, comparing them all is the quickest way."""


class Score(NamedTuple):
    """A group's tally."""

    tally: Tally
    """Its length lacks what was deleted."""
    short_length: int
    """What is compared with the cutoff, less what was deleted: the positions of gold (fewer
    than words where several were taken together), or the words if it is an error."""


def merged(sentences: Sequence[Sentence]) -> Sentence:
    """Several sentences as one, under a TOP that does not count."""
    if len(sentences) == 1:
        return sentences[0]
    words: list[str] = []
    brackets: list[Bracket] = []
    for sentence in sentences:
        by = len(words)
        brackets.extend([(label, start + by, end + by) for label, start, end in sentence.brackets])
        words.extend(sentence.words)
    return Sentence(
        text=" ".join(sentence.text for sentence in sentences),
        kept=" ".join(words).lower(),
        words=tuple(words),
        tags=tuple(tag for sentence in sentences for tag in sentence.tags),
        brackets=tuple(brackets),
        deleted=sum(sentence.deleted for sentence in sentences),
        may_be_hollow=any(sentence.may_be_hollow for sentence in sentences),
    )


def compare(system: Sentence, gold: Sentence, settings: Settings) -> Score:
    """Score the brackets and tags of a group."""
    length = positions = len(gold.words)
    system_brackets: Sequence[Bracket] = system.brackets
    gold_brackets: Sequence[Bracket] = gold.brackets
    # With the same words, every word is a position.
    simple = system.kept == gold.kept and not (system.may_be_hollow or gold.may_be_hollow)
    if not simple:
        aligned = align_words(system.words, gold.words)
        positions = aligned.gold[-1] + 1 if aligned.gold else 0
        system_brackets = _placed(system.brackets, aligned.system)
        gold_brackets = _placed(gold.brackets, aligned.gold)
    if settings.as_evalb and len(system.tags) != len(gold.tags):
        return Score(Tally(length, ERROR), length)
    found, wanted = set(system_brackets), set(gold_brackets)
    matched = len(found & wanted)
    if settings.equal_labels:
        matched += _equal_matches(found - wanted, wanted - found, settings.equal_labels)
    tally = Tally(
        length,
        OK,
        matched,
        # Lists are counted, and sets matched: of two equal brackets one can never match.
        len(gold_brackets),
        len(system_brackets),
        # Brackets of one side cross each other only where positions were shared.
        _crossing(system_brackets, found - wanted if simple else found, wanted),
        len(gold.tags),
        _same_tags(system.tags, gold.tags, settings),
    )
    return Score(tally, positions)


def _placed(brackets: Iterable[Bracket], positions: Sequence[int]) -> list[Bracket]:
    """Brackets over positions.

    One without words, of which all that was inside was deleted, ends at the word before the one
    that it starts at. So at the start of a sentence, where that is counted from the end, it
    covers everything. *Mended*: at the end of a sentence there is no word that it starts at.
    """
    past = positions[-1] + 1 if positions else 0
    starts = [*positions, past]
    ends = [past, *(position + 1 for position in positions)]
    return [(label, starts[start], ends[end]) for label, start, end in brackets]


def _equal_matches(found: set[Bracket], wanted: set[Bracket], equal: EqualLabels) -> int:
    """Brackets over the same words with equal labels. None is used up: one may match several,
    and a pair of labels that the parameters name twice matches twice."""
    labels: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for label, start, end in wanted:
        labels[start, end].append(label)
    return sum(
        label in either and other in either
        for label, start, end in found
        for other in labels.get((start, end), ())
        for either in equal
    )


def _crossing(system: Sequence[Bracket], suspects: set[Bracket], gold: set[Bracket]) -> int:
    """How many brackets of system cross one of gold; only the suspects may."""
    if not suspects or not gold:
        return 0
    spans = {(start, end) for _, start, end in suspects}
    golds = {(start, end) for _, start, end in gold}
    few = len(spans) * len(golds) <= _FEW
    crossing = _crossing_one_by_one(spans, golds) if few else _crossing_of_many(spans, golds)
    return sum([(start, end) in crossing for _, start, end in system]) if crossing else 0


def _crossing_one_by_one(spans: set[Span], gold: set[Span]) -> set[Span]:
    crossing = set()
    for start, end in spans:
        for other_start, other_end in gold:
            if start < other_start < end < other_end or other_start < start < other_end < end:
                crossing.add((start, end))
                break
    return crossing


def _crossing_of_many(spans: set[Span], gold: set[Span]) -> set[Span]:
    """The same, where that would take too long: a gold bracket crosses a span iff it starts
    inside and ends behind it, or ends inside and starts before it."""
    size = 1 + max(end for _, end in spans | gold)
    farthest, earliest = [-1] * size, [size] * size
    for start, end in gold:
        farthest[start] = max(farthest[start], end)
        earliest[end] = min(earliest[end], start)
    return {
        (start, end)
        for start, end in spans
        if max(farthest[start + 1 : end], default=-1) > end
        or min(earliest[start + 1 : end], default=size) < start
    }


def _same_tags(system: Sequence[Tag], gold: Sequence[Tag], settings: Settings) -> int:
    """Tagged words that both have. Where they stand matters with ``-evalb`` only."""
    if system == gold:
        return len(gold)
    different = [pair for pair in zip(system, gold, strict=False) if pair[0] != pair[1]]
    both = min(len(system), len(gold))
    same = both - len(different)
    if settings.as_evalb:
        return same
    # Those in place are common to both bags; the others have to be looked for.
    rest: dict[Tag, int] = {}
    for tag in (*(pair[1] for pair in different), *gold[both:]):
        rest[tag] = rest.get(tag, 0) + 1
    for tag in (*(pair[0] for pair in different), *system[both:]):
        if rest.get(tag):
            rest[tag] -= 1
            same += 1
    return same
