"""Groups of ``--kinds rare`` of a corpus of any size, when all decisions have been counted: their
sentences are looked up in one more reading, and read again together."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from treelens.cli.decided import CorpusKind
from treelens.cli.stretches import (
    Assembled,
    Gathered,
    Numbers,
    Portion,
    Search,
    asked_of,
    assembled,
    read_again,
    texts_of,
)
from treelens.consistency.found import SearchedCorpus, between, corpus_of
from treelens.consistency.rare import RareDecision, groups_of, sentences_of

Chosen = Mapping[CorpusKind, Sequence[RareDecision]]


class RareAssembly(NamedTuple):
    """All sentences in which something was decided that was chosen."""

    search: Search
    files: tuple[Gathered, ...]
    chosen: Chosen


def sentences(portion: Portion, chosen: Chosen) -> Numbers:
    """Those of some stretches in which something was decided that was chosen, by number in the
    corpus; ``(k,)``."""
    search = portion.search
    found = [np.zeros(0, np.int64)]
    for first, asked in asked_of(search, texts_of(portion)):
        cells = {one.cell for one in chosen.get(corpus_of(asked.strip.forest), ())}
        here = sentences_of(asked.strip, search.options, cells)
        found.append(here + portion.before[first].in_corpus)
    return np.concatenate(found)


def assemble_rare(task: RareAssembly) -> list[Assembled]:
    """The groups of what was chosen."""
    options = dataclasses.replace(task.search.options, kinds=("rare",))
    made = []
    for files, strip in read_again(task.files, options):
        chosen = task.chosen.get(corpus_of(strip.forest), ())
        groups = between(groups_of(strip, options, chosen), files)
        made.append(assembled(SearchedCorpus(files, groups), task.search))
    return made
