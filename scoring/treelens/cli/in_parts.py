"""What commands look at of many sentences without holding them: files that are counted, one set
after the other, and then read again part by part."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.cli import CannotContinue, corpora, files, inputs, metrics
from treelens.cli.inputs import FilePair
from treelens.cli.pairs import say_of_sentences
from treelens.cli.several import Set, leave_out, unlike
from treelens.cli.waiting import WaitingBytes
from treelens.counting.files import FileCounts
from treelens.counting.memory import give_back
from treelens.counting.parts import TextParts
from treelens.counting.stretched import Map
from treelens.counting.together import PartsTogether
from treelens.counting.vocabulary import Vocabulary
from treelens.counting.work import StreamedText
from treelens.metrics import Metric
from treelens.report.batches import LARGEST, in_order
from treelens.rules.parameters import Parameters
from treelens.session.pair import Pair
from treelens.session.ranking import Places
from treelens.session.texts import fitting
from treelens.trees.forest import Annotation

Choice = Callable[[Sequence[Annotation]], tuple[Metric, ...]]
"""What is counted of files that say such things of words."""

_AT_FIRST, _MORE = 16, 8
"""Sentences that are told together at first, as who reads may stop, and how many times as many
then: all parts in which they are are read for them."""


class CountedTexts(NamedTuple):
    """A gold file and a system's: what they come to, and the parts that are behind it."""

    found: FileCounts
    parts: TextParts


class SetParts(NamedTuple):
    """The files of one set: gold's with each system's. sides: gold's text, and the systems'."""

    place: str
    names: tuple[str, ...]
    texts: tuple[CountedTexts, ...]
    sides: tuple[StreamedText, ...]
    wanted: corpora.CorpusRequest

    def together(self) -> PartsTogether:
        """Parts of gold's text with those of all systems."""
        return PartsTogether([text.parts for text in self.texts])

    def between(self, first: int, second: int) -> CountedTexts:
        """Two systems' texts, of which ``sides`` has these; what a user should know of how they
        belong together is said."""
        one, other = self.sides[first], self.sides[second]
        vocabulary = self.texts[0].parts.vocabulary
        counted = counted_texts(one, other, self.wanted, map, vocabulary=vocabulary)
        _say_together(one, other, counted.found, self.wanted)
        return counted


def each(
    found: Sequence[Set],
    options: argparse.Namespace,
    parameters: Parameters,
    *,
    strict: bool = False,
    count: Choice | None = None,
) -> Iterator[SetParts]:
    """The files of each set, counted when its turn comes; their parts can be read until the next
    one is asked for, and labels have the same ids in all of them. Of many, gold's files without a
    word, and files that hold no trees, are said and left out. strict: whether what no score counts
    is a finding. count: else what the options say."""
    names = metrics.names(options)
    count = count or (lambda sides: metrics.chosen_for(names, sides, parameters))
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    counted: tuple[Metric, ...] = ()
    vocabulary = Vocabulary(labels=True)
    for one in found:
        with contextlib.ExitStack() as stack:
            try:
                gold, *systems = (
                    stack.enter_context(corpora.side(inputs.source(name))) for name in one.names
                )
                formats = [side.format for side in (gold, *systems)]
                sides = [format.annotation for format in formats]
                counted = counted or count(sides)
                if not counted:
                    raise unlike(one, formats)
                wanted = corpora.CorpusRequest(
                    parameters, (gold.format, gold.format), counted, most
                )
                texts = [
                    counted_texts(gold, system, wanted, map, strict, vocabulary)
                    for system in systems
                ]
            except CannotContinue as problem:
                leave_out(problem, found)
                continue
            say(gold, systems, [text.found for text in texts], wanted)
            yield SetParts(one.place, one.names, tuple(texts), (gold, *systems), wanted)


def counted_texts(
    gold: StreamedText,
    system: StreamedText,
    wanted: corpora.CorpusRequest,
    shared: Map,
    strict: bool = False,
    vocabulary: Vocabulary | None = None,
) -> CountedTexts:
    """A gold file and a system's, counted; nothing is said of them. strict: whether what no score
    counts is a finding. vocabulary: which others share."""
    wanted = wanted._replace(formats=(gold.format, system.format), strict=True)
    parameters = fitting(wanted.parameters, *wanted.formats)
    parts = TextParts((gold, system), parameters, wanted.metrics, WaitingBytes, strict, vocabulary)
    pair = FilePair("", gold.source, system.source)
    # (Of ``map``, one stretch after the other: two threads count each.)
    found = corpora.counted(pair, gold, system, wanted, shared, lambda _, some: parts.keep(some))
    corpora.check(gold, system, found)
    parts.complete(found.elsewhere)
    give_back()
    return CountedTexts(found, parts)


def say(
    gold: StreamedText,
    systems: Sequence[StreamedText],
    found: Sequence[FileCounts],
    wanted: corpora.CorpusRequest,
) -> None:
    """What a user should know of files: first of each, then of how they belong together."""
    for number, (system, counts) in enumerate(zip(systems, found, strict=True)):
        pair = FilePair("", gold.source, system.source)
        corpora.say_problems(pair, counts, wanted.most, say_gold=number == 0)
    for system, counts in zip(systems, found, strict=True):
        _say_together(gold, system, counts, wanted)


def _say_together(
    gold: StreamedText, system: StreamedText, found: FileCounts, wanted: corpora.CorpusRequest
) -> None:
    say_of_sentences(system.source.name, gold.source.name, found.sums, wanted.metrics)
    corpora.say_uncertain(FilePair("", gold.source, system.source), found, wanted.parameters)


def told_in_order(
    parts: TextParts, most: int | None, tell: Callable[[Pair, int], str]
) -> Iterator[str]:
    """What there is to tell of the groups with findings, or of so many of them, as they stand."""
    size = _AT_FIRST
    left = parts.mismatches if most is None else most
    for pair in parts.differing() if left else ():
        groups = np.flatnonzero(pair.mismatching())[:left].tolist()
        left -= len(groups)
        while groups:
            some, groups, size = groups[:size], groups[size:], min(2 * size, LARGEST)
            pair.look_at(some)
            yield from (tell(pair, group) for group in some)
        if not left:
            break


def told(parts: TextParts, places: Places, tell: Callable[[Pair, int], str]) -> Iterator[str]:
    """What there is to tell of groups in the order of their places, whatever the files' order.

    Many are looked at together, in the files' order; what is told of them waits on disk till its
    turn comes.
    """
    size = _AT_FIRST
    while len(places):
        some, places, size = places.cut(0, size), places.cut(size), _MORE * size
        yield from in_order(parts, some, lambda pair, group, _: tell(pair, group), WaitingBytes())
