"""Random files of gold and system for TedEval, scored at once by a metric and one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from tedeval_trees import bank
from treelens.compare.comparison import compare
from treelens.formats.table import read
from treelens.metrics import Metric
from treelens.rules.parameters import PRESETS
from treelens.tedeval import treebank
from treelens.tedeval.convert import LabelReading
from treelens.tedeval.evaluation import Errors, TedEvalOptions, evaluate
from treelens.tedeval.versions import VERSIONS
from treelens.trees.forest import ROOT, Symbols, encode
from trees import sentences

WORDS = ("the", "dog", "saw", "a", "cat")

EQUAL = ("ADVP", "PRT")
"""Tags, as well as labels, that the parameters of the metrics hold equal, and TedEval does not."""

Sentence = list[tuple[str, int, str]]
"""Words with their heads (from 0) and relations."""

Text = tuple[bytes, str]
"""A file, and its format."""


def table(rows: Sentence, tags: Sequence[str] = "X") -> str:
    """A dependency tree as CoNLL has it; the tags of the words in turn."""
    return "".join(
        f"{at}\t{word}\t_\t{tags[at % len(tags)]}\tX\t_\t{head + 1}\t{relation}\t_\t_\n"
        for at, (word, head, relation) in enumerate(rows, 1)
    )


@st.composite
def dependencies(draw: st.DrawFn, words: list[str]) -> str:
    heads = st.integers(ROOT, len(words) - 1)
    rows = [(word, draw(heads), draw(st.sampled_from("abc"))) for word in words]
    return table(rows, draw(st.sampled_from(["X", "XY", "XYY", EQUAL, EQUAL[::-1]])))


@st.composite
def constituents(draw: st.DrawFn, words: list[str]) -> str:
    """A tree with functions, and now and then a constituent of nothing but a trace."""
    text = draw(sentences(words, traces=False))
    for tag in ("DT", "VB", "IN"):
        text = text.replace(f"({tag} ", f"({draw(st.sampled_from([*EQUAL, tag]))} ")
    at = text.rindex(")")
    return text[:at] + draw(st.sampled_from(["", " (NP-SBJ (-NONE- *T*-1))"])) + text[at:]


@st.composite
def words_of_both(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """A sentence's words, and the same but for one that is another, or none, or two in one."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
    at = draw(st.integers(0, len(words) - 1))
    instead = draw(
        st.sampled_from([words[at : at + 2], ["other"], [], ["".join(words[at : at + 2])]])
    )
    return words, [*words[:at], *instead, *words[at + 2 :]] or ["other"]


@st.composite
def texts(draw: st.DrawFn, formats: tuple[str, str]) -> tuple[Text, Text]:
    """Gold and system: as many sentences, of much the same words, in these formats."""
    both = draw(st.lists(words_of_both(), min_size=1, max_size=4))
    files = []
    for format_name, sides in zip(formats, zip(*both, strict=True), strict=True):
        one = dependencies if format_name == "conll" else constituents
        text = "\n".join(draw(one(words)) for words in sides)
        files.append((encode(text), format_name))
    return files[0], files[1]


def by_metric(metric: Metric, gold: Text, system: Text) -> list[dict[str, int]]:
    """The counts of each sentence, all counted at once."""
    symbols = Symbols()
    forests = [
        read(treebank.format_of(format_name, source), source, symbols)[0]
        for source, format_name in (gold, system)
    ]
    groups = [np.arange(len(forest), dtype=np.int32) for forest in forests]
    found = compare(
        forests[0], groups[0], forests[1], groups[1], len(groups[0]), PRESETS["default"]
    )
    return [dict(zip(metric.counts, row, strict=True)) for row in metric.tally(found).tolist()]


def by_definition(gold: Text, system: Text, version: str, *, labelled: bool = True) -> list[Errors]:
    """Edits and nodes of each sentence, one after the other, span by span."""
    options = TedEvalOptions(VERSIONS[version], labelled)
    labels = LabelReading.CATEGORIES if options.version.lexemes else LabelReading.FUNCTIONS
    banks = [
        bank(source, format_name, labels, options.version.head_label)
        for source, format_name in (gold, system)
    ]
    return [
        evaluate(banks[1].tree(at), [banks[0].tree(at)], options) for at in range(len(banks[0]))
    ]
