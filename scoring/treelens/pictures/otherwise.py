"""What the other side has otherwise in a way that no score counts: drawn paler than what counts."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from treelens.compare.comparison import Comparison
from treelens.differences.labels import at_label_of_bracket
from treelens.differences.marks import at_bracket, at_node, at_sentence, at_whole_label
from treelens.differences.other_lines import at_line
from treelens.differences.table import all_rows

Remarks = dict[int, list[str]]
"""By row of a forest, what is said of it: ``; function tag, not counted by F1``."""


_ELSEWHERE = (at_sentence, at_line)
"""Marks of what is neither a constituent nor a word."""
_BRACKETS = (at_bracket, at_label_of_bracket)
"""Marks of constituents that count, by the number of the bracket; and of any, by their rows."""
_NODES = (at_node, at_whole_label)


class UncountedRows(NamedTuple):
    """A side's constituents and words of which something differs that no score counts."""

    nodes: Remarks
    words: Remarks


def otherwise(comparison: Comparison) -> tuple[UncountedRows, UncountedRows]:
    """Gold's and system's."""
    found = _nothing(), _nothing()
    for difference, rows in all_rows(comparison):
        if difference.counted:
            continue
        alone = f" {difference.modifier}" if difference.owner else ""
        said = f"; {difference.tally.one}{alone}, not counted by {difference.uncounted_by}"
        sides = zip(comparison[:2], found, difference.marks, rows[1:3], strict=True)
        for side, its, marking, own in sides:
            if marking not in _ELSEWHERE:
                own = own[own >= 0]
                own = side.brackets.row[own] if marking in _BRACKETS else own
                of_nodes = marking in _BRACKETS or marking in _NODES
                for row in own.tolist():
                    (its.nodes if of_nodes else its.words)[row].append(said)
    return found


def nothing() -> tuple[UncountedRows, UncountedRows]:
    """Where it is not asked for."""
    return _nothing(), _nothing()


def _nothing() -> UncountedRows:
    return UncountedRows(defaultdict(list), defaultdict(list))
