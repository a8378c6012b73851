"""Which of a table's two columns of tags is compared, where the other side has one tag a word.

Brackets have a tag before each word; tables have two, UPOS and XPOS (in CoNLL-X the coarse and the
fine one), and a treebank's own tags are in the second. So of each group of sentences the column
that has more of the other side's tags is compared. Where both have as many, as where all are wrong,
it is the first one if most of the other side's tags are universal ones, or if the second one says
nothing. It is for a group to decide, not for a pair: what is counted of a sentence depends on no
other one, so that an edit changes nothing elsewhere, and files can be read part by part.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from treelens.compare.match import Numbers
from treelens.rules.universal import UNIVERSAL_TAGS
from treelens.trees.forest import XPOS, Forest, Ints

Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.integer[Any]]


def fitting_tags(
    sides: tuple[Forest, Forest],
    groups: tuple[Ints, Ints],
    partners: tuple[Rows, Rows],
    names: Ints,
    count: int,
) -> tuple[Forest, Forest]:
    """Both sides; of one with two tags a word, beside one without, with the fitting one as its tag.

    ``groups``: which of ``count`` groups each word is in, ``(w,)``; ``partners``: rows of words of
    both sides that are partners; ``names``: numbers of labels as tags, equal for equal tags.
    """
    at = 0 if sides[1].fields is None else 1
    table, brackets = sides[at], sides[1 - at]
    fields = table.fields
    if fields is None or brackets.fields is not None:
        return sides
    own, theirs = partners[at], brackets.tag[partners[1 - at]]
    of = groups[at][own]

    def number(flags: Flags) -> Numbers:
        return np.bincount(of[flags], minlength=count)

    wanted = names.take(theirs)
    first = number(names.take(table.tag[own]) == wanted)
    second = number(names.take(fields.xpos[own]) == wanted)
    universal = number(_universal(brackets).take(theirs))
    others = np.bincount(of, minlength=count) - universal
    tie = (first == second) & (others > universal) & (number(fields.xpos[own] > 0) > 0)
    chosen = ((second > first) | tie)[groups[at]]
    if not chosen.any():
        return sides
    ends = fields.bounds[:, XPOS + 1] - 1
    fitting = dataclasses.replace(
        table,
        tag=np.where(chosen, fields.xpos, table.tag),
        tag_start=np.where(chosen, fields.bounds[:, XPOS], table.tag_start),
        tag_end=np.where(chosen, np.maximum(ends, fields.bounds[:, XPOS]), table.tag_end),
    )
    return (fitting, brackets) if at == 0 else (brackets, fitting)


def _universal(forest: Forest) -> Flags:
    """Which labels are tags of Universal Dependencies, by id, as far as the forest has them."""
    found = np.zeros(len(forest.symbols.labels), np.bool_)
    for label in np.unique(forest.tag).tolist():
        found[label] = forest.symbols.label(label) in UNIVERSAL_TAGS
    return found
