"""The alignment of the jp-evalb script, for those who want its groups under our counts.

The walks over sentences and words are the drop-in's (:mod:`treelens.dropin.jp`), errors of method
included: groups take in neighbours, and what follows a missing word may be paired wrongly. Unlike
the script, no sentence is lost at the end, and words that nobody wrote are no part of the text.
Neither walk is local: after an edit everything is aligned again.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable

import numpy as np

from treelens.align.groups import GroupedBy, Groups, Yields
from treelens.align.words import Axis, together
from treelens.dropin.jp import sentences, words


def align_sentences(gold: Yields, system: Yields) -> Groups:
    """Groups of all sentences; those that the script does not come to are alone."""
    golds, systems = len(gold.numbers), len(system.numbers)
    texts = sentences.Texts(_text(system), systems, _text(gold), golds)
    rows = [
        (group.gold.start, group.gold.stop, group.system.start, group.system.stop)
        for group in sentences.groups(texts)
    ]
    i, j = (rows[-1][1], rows[-1][3]) if rows else (0, 0)
    rows += [(k, k + 1, j, j) for k in range(i, golds)]
    rows += [(golds, golds, k, k + 1) for k in range(j, systems)]
    columns = np.array(rows, np.int32).reshape(-1, 4).T
    everything = np.full(len(rows), golds + systems + 1, np.int32)
    alone = (columns[0] == columns[1]) | (columns[2] == columns[3])
    how = np.where(alone, GroupedBy.ALONE, GroupedBy.CUT).astype(np.int8)
    stood = np.zeros(len(rows), np.bool_)
    return Groups._make([*columns, everything, everything, stood, how])


def align_words(gold: list[bytes], system: list[bytes]) -> Axis:
    """Words of one position are together; they are partners if they are one on either side."""
    positions = words.align_words(*([_decoded(word) for word in side] for side in (system, gold)))
    golds, systems = Counter(positions.gold), Counter(positions.system)
    axis = Axis([], [], 0)
    for position in range(1 + max([*positions.gold, *positions.system], default=-1)):
        axis = axis.then(together(golds[position], systems[position]))
    return axis


def _text(side: Yields) -> Callable[[int], str]:
    @functools.lru_cache(None)
    def text(sentence: int) -> str:
        return " ".join(map(_decoded, side.words(sentence))).lower()

    return text


def _decoded(word: bytes) -> str:
    return word.decode("utf-8", "surrogateescape")
