"""What commands look at of many sentences without holding them: files that are counted, one set
after the other, and then read again part by part."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.cli import CannotContinue, corpora, files, inputs, metrics
from treelens.cli.inputs import FilePair
from treelens.cli.pairs import say_of_sentences
from treelens.cli.several import Set, leave_out, unlike
from treelens.cli.waiting import WaitingBytes
from treelens.counting.files import FileCounts
from treelens.counting.parts import TextParts
from treelens.counting.work import StreamedText
from treelens.metrics import Metric
from treelens.rules.parameters import Parameters
from treelens.session.texts import fitting


class CountedTexts(NamedTuple):
    """A gold file and a system's: what they come to, and the parts that are behind it."""

    found: FileCounts
    parts: TextParts


class SetParts(NamedTuple):
    """The files of one set: gold's with each system's."""

    place: str
    names: tuple[str, ...]
    texts: tuple[CountedTexts, ...]


def each(
    found: Sequence[Set], options: argparse.Namespace, parameters: Parameters
) -> Iterator[SetParts]:
    """What :func:`treelens.cli.several.each` has, in bounded memory; the parts of a set can be
    read until the next one is asked for."""
    names = metrics.names(options)
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    counted: tuple[Metric, ...] = ()
    for one in found:
        with contextlib.ExitStack() as stack:
            try:
                gold, *systems = (
                    stack.enter_context(corpora.side(inputs.source(name))) for name in one.names
                )
                formats = [side.format for side in (gold, *systems)]
                sides = [format.annotation for format in formats]
                counted = counted or metrics.chosen_for(names, sides, parameters)
                if not counted:
                    raise unlike(one, formats)
                texts = [_counted(gold, system, parameters, counted, most) for system in systems]
            except CannotContinue as problem:
                leave_out(problem, found)
                continue
            _say(one, gold, systems, [text.found for text in texts], counted, parameters, most)
            yield SetParts(one.place, one.names, tuple(texts))


def _counted(
    gold: StreamedText,
    system: StreamedText,
    parameters: Parameters,
    counted: tuple[Metric, ...],
    most: int | None,
) -> CountedTexts:
    formats = gold.format, system.format
    wanted = corpora.CorpusRequest(parameters, formats, counted, most, strict=True)
    parts = TextParts((gold, system), fitting(parameters, *formats), counted, WaitingBytes)
    pair = FilePair("", gold.source, system.source)
    # (One stretch after the other: two threads count each.)
    found = corpora.counted(pair, gold, system, wanted, map, lambda _, some: parts.keep(some))
    corpora.check(gold, system, found)
    return CountedTexts(found, parts)


def _say(
    one: Set,
    gold: StreamedText,
    systems: Sequence[StreamedText],
    found: Sequence[FileCounts],
    counted: tuple[Metric, ...],
    parameters: Parameters,
    most: int | None,
) -> None:
    """What a user should know of files: first of each, then of how they belong together."""
    pairs = [FilePair("", gold.source, system.source) for system in systems]
    for number, (pair, counts) in enumerate(zip(pairs, found, strict=True)):
        corpora.say_problems(pair, counts, most, say_gold=number == 0)
    for pair, counts in zip(pairs, found, strict=True):
        say_of_sentences(pair.system.name, pair.gold.name, counts.sums, counted)
        corpora.say_uncertain(pair, counts, parameters)
