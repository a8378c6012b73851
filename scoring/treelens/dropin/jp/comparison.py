"""A group's tally: how many brackets and tags of both sides are the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.dropin.jp.reading import Bracket, Sentence, Tag
from treelens.dropin.jp.settings import CUTOFF, Settings
from treelens.dropin.jp.words import align_words
from treelens.dropin.rows import ERROR, OK, Tally

EqualLabels = Sequence[frozenset[str]]


class Score(NamedTuple):
    """A group's tally; its length lacks what was deleted."""

    tally: Tally
    positions: int
    """Of gold; fewer than words where several were taken together."""

    def within_cutoff(self, deleted: int) -> bool:
        """Whether the group counts as short: by its positions, or by its words if an error."""
        counted = self.tally.length if self.tally.status == ERROR else self.positions
        return counted + deleted <= CUTOFF


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
        return Score(Tally(length, ERROR), positions)
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
    crossing = _crossing_spans(spans, {(start, end) for _, start, end in gold})
    return sum([(start, end) in crossing for _, start, end in system]) if crossing else 0


def _crossing_spans(
    spans: set[tuple[int, int]], gold: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """The spans that cross one of gold's, which is: a gold bracket starts inside and ends
    behind, or ends inside and starts before."""
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
    if settings.as_evalb:
        return sum([one == other for one, other in zip(system, gold, strict=True)])
    return (Counter(system) & Counter(gold)).total()
