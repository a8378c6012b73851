"""What the sentences of documents say, under some parameters: all that tells them apart.

Texts with the same sentences, which most are, need no more of alignment than this.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from treelens.align.yields import sentence_texts, text_numbers
from treelens.formats.table import Format
from treelens.rules.parameters import Parameters, label_table, word_table
from treelens.trees.forest import Forest, Keys


def fitting(parameters: Parameters, gold: Format, system: Format) -> Parameters:
    """The parameters as they hold between files of these formats."""
    if gold.layout == system.layout == "rows" and parameters.spelling.escapes is None:
        # Escapes are what brackets need; in rows words are as they are written, unless it is said.
        spelling = dataclasses.replace(parameters.spelling, escapes=False)
        return dataclasses.replace(parameters, spelling=spelling)
    return parameters


def text_of(forest: Forest, row: int, parameters: Parameters) -> list[bytes]:
    """A sentence's text as it is compared."""
    (found,) = texts_of(forest, range(row, row + 1), parameters)
    return found


def texts_of(forest: Forest, rows: range, parameters: Parameters) -> list[list[bytes]]:
    """The same of some sentences that stand one behind the other."""
    trace = label_table(forest.symbols, parameters).trace
    return sentence_texts(forest, rows, trace, word_table(forest.symbols, parameters))


def text_keys(forest: Forest, parameters: Parameters) -> Keys:
    """Length and number of each sentence's text, whatever the forest's symbols."""
    if not len(forest):
        return np.zeros((0, 2), np.uint64)
    trace = label_table(forest.symbols, parameters).trace
    return text_numbers(forest, trace, word_table(forest.symbols, parameters))


def text_keys_of_both(gold: Forest, system: Forest, parameters: Parameters) -> tuple[Keys, Keys]:
    """The same of two forests that share their symbols: once, where these have the same words."""
    golds = text_keys(gold, parameters)
    trace = label_table(gold.symbols, parameters).trace
    same = (
        gold.anchors is system.anchors is None
        and np.array_equal(gold.first_leaf, system.first_leaf)
        and np.array_equal(gold.word, system.word)
        and np.array_equal(trace.take(gold.tag), trace.take(system.tag))
    )
    return golds, golds if same else text_keys(system, parameters)
