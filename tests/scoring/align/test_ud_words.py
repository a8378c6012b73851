"""Real treebanks against raw text's parses: the words in common are those that CoNLL 2018 finds."""

from __future__ import annotations

import re

import numpy as np
import pytest
from shared import SHARED
from treelens.align.axis import lay
from treelens.align.sentences import align_sentences
from treelens.align.yields import Flags, sentence_texts, text_numbers
from treelens.formats import conll
from treelens.rules.spelling import DEFAULT, words
from treelens.trees.forest import Forest, Ints, Symbols, decode

DEPENDENCY = SHARED / "dependency"


class Text:
    """A forest as the walk over sentences reads it."""

    def __init__(self, forest: Forest, trace: Flags) -> None:
        self.forest, self.trace = forest, trace
        self.table = words(forest.symbols, DEFAULT)
        self.numbers = text_numbers(forest, trace, self.table)

    def words(self, sentence: int) -> list[bytes]:
        one = range(sentence, sentence + 1)
        (found,) = sentence_texts(self.forest, one, self.trace, self.table)
        return found


def word_groups(forest: Forest, start: Ints, end: Ints) -> Ints:
    sentence_group = np.repeat(np.arange(len(start), dtype=np.int32), end - start)
    return np.repeat(sentence_group, np.diff(forest.first_leaf))


def common_words(gold: Forest, system: Forest) -> int:
    """Words on the same cells with the same form, but for case."""
    symbols = gold.symbols
    trace = np.zeros(len(symbols.labels), np.bool_)
    groups = align_sentences(Text(gold, trace), Text(system, trace)).groups
    laid = lay(
        gold,
        word_groups(gold, groups.gold_start, groups.gold_end),
        system,
        word_groups(system, groups.system_start, groups.system_end),
        len(groups.stood),
        trace,
        words(symbols, DEFAULT),
    )
    forms = [
        {
            (start, end): decode(symbols.token(key)).lower()
            for (start, end), key in zip(places.tolist(), side.word.tolist(), strict=True)
        }
        for side, places in ((gold, laid.gold), (system, laid.system))
    ]
    return len(forms[0].items() & forms[1].items())


@pytest.mark.skipif(not DEPENDENCY.is_dir(), reason=f"no reference data: {DEPENDENCY}")
@pytest.mark.parametrize("kind", ["raw", "goldtok"])
@pytest.mark.parametrize("treebank", ["en_ewt-dev", "fr_sequoia-dev"])
def test_the_words_in_common_are_those_of_the_shared_task(treebank: str, kind: str) -> None:
    folder, symbols = DEPENDENCY / treebank, Symbols()
    gold, system = (
        conll.read((folder / name).read_bytes(), symbols)[0]
        for name in ("gold.conllu", f"system.{kind}.conllu")
    )
    expected = (folder / "expected" / f"{kind}.conll18-c.out").read_text(encoding="utf-8")
    row = re.search(r"^Words +\| +(\d+) \| +(\d+) \| +(\d+) \| +(\d+)$", expected, re.MULTILINE)
    assert row is not None
    assert [len(gold.word), len(system.word)] == [int(row[2]), int(row[3])]
    assert common_words(gold, system) == int(row[4])
