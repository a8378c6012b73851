"""What is said in lines that are no words': comments; in tables multiword tokens, empty nodes.

Comments that say which text this is (``sent_id``, ``text``, ``newdoc``, ``newpar`` ...), who read
it and who has looked at it are no annotation (:mod:`treelens.trees.other_lines`). Comments are
about what stands before their ``=``, or among brackets their ``:``; tokens are those over the same
words; empty nodes those behind the same word, as many as there are. Their enhanced dependencies
are no part of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.sides import Side
from treelens.differences.difference import (
    Difference,
    Modifier,
    Noun,
    Phrases,
    Rows,
    Sign,
    once,
    rows_from,
    two_by_two,
)
from treelens.differences.marks import Mark, RowSides, at_word_of
from treelens.differences.parts import FIELDS
from treelens.trees.forest import DEPS, FORM, MISC, decode

if TYPE_CHECKING:
    from treelens.trees.other_lines import OtherLine, OtherLineKind

    _Places = dict[tuple[OtherLineKind, int, Hashable], list[OtherLine]]

_LAS, _ANY = "LAS", "any score"


class _Different(NamedTuple):
    """Lines of one kind that are not the same: by group, where gold's and system's start in their
    sources; -1: that side has none."""

    kind: OtherLineKind
    group: int
    gold: int
    system: int


@once
def _different(comparison: Comparison) -> tuple[_Different, ...]:
    ours, theirs = lines_by_place(comparison)
    found = []
    for place in ours.keys() | theirs.keys():
        kind, group, _ = place
        for one, other in _unlike(ours.get(place, []), theirs.get(place, [])):
            starts = (line.start if line else -1 for line in (one, other))
            found.append(_Different(kind, group, *starts))
    return tuple(sorted(found, key=lambda one: one.group))


def lines_by_place(comparison: Comparison) -> tuple[_Places, _Places]:
    """Gold's lines and system's by kind, group and what they are about, the same on both sides."""
    gold, system = comparison.gold, comparison.system
    kinds = [(side.forest.layout, side.forest.annotation) for side in (gold, system)]
    if kinds[0] != kinds[1]:
        return {}, {}
    return _by_place(gold, None), _by_place(system, system.words.partner.tolist())


def _by_place(side: ComparedSide, partner: list[int] | None) -> _Places:
    """Lines by kind, group and what they are about, in terms of gold's words; ``partner``: of each
    word gold's."""
    from treelens.trees.other_lines import other_lines  # which most texts do without

    found: _Places = defaultdict(list)
    first, groups = side.forest.first_leaf.tolist(), side.sentence_group.tolist()

    def known(row: int) -> Hashable:
        """Gold's word for a row; what only one side has is nobody else's."""
        return row if partner is None else partner[row] if partner[row] >= 0 else (row,)

    for line in other_lines(side.forest):
        about: Hashable = line.key
        if line.kind == "token":
            about = known(line.first), known(line.last - 1)
        elif line.kind == "empty":
            about = known(line.first - 1) if line.first > first[line.sentence] else "start"
        found[line.kind, groups[line.sentence], about].append(line)
    return found


def _unlike(
    ours: list[OtherLine], theirs: list[OtherLine]
) -> Iterator[tuple[OtherLine | None, OtherLine | None]]:
    """Those that the other side does not have as they are, each with another one that it has."""
    _, left, others = two_by_two(ours, theirs, lambda line: line.value)
    yield from zip_longest(left, others)


def _rows(kind: OtherLineKind, owner: Side | None, comparison: Comparison) -> Rows:
    """Those of a kind that both sides have, or that only their owner has."""
    return rows_from(
        (one.group, one.gold, one.system)
        for one in _different(comparison)
        if one.kind == kind and _owner(one) is owner
    )


def _owner(one: _Different) -> Side | None:
    return Side.GOLD if one.system < 0 else Side.SYSTEM if one.gold < 0 else None


def at_line(at: RowSides) -> Mark:
    """A line, all of it; written is what the other side's does not say."""
    here, there = at.here.other_line(at.own), at.there.other_line(at.other)
    assert here is not None
    if there is None or here.kind == "comment":
        return at.here.at_line(here, _said(here))
    pairs = enumerate(zip(here.value, there.value, strict=False), FORM)
    unlike = [(at, decode(one)) for at, (one, other) in pairs if one != other]
    # (Of an empty node DEPS is left out.)
    last = DEPS if here.kind == "empty" else MISC
    columns = tuple(MISC if column == last else column for column, _ in unlike)
    written = FIELDS.join(one for _, one in unlike)
    return at.here.at_line(here, written)._replace(columns=columns)


def _where_a_line_is_lacking(at: RowSides) -> Mark | None:
    """The words that a line there is about: of a comment the sentence."""
    line = at.there.other_line(at.other)
    assert line is not None
    word = at_word_of(at, at.there.about(line))
    return word and at.here.at_sentence(word.sentence) if line.kind == "comment" else word


def _said(line: OtherLine) -> str:
    if line.kind == "comment":
        between = " " if line.key.endswith(b":") else " = "
        return between.join(decode(part) for part in (line.key, *line.value) if part)
    return decode(line.value[0])


def _three(
    kind: OtherLineKind, code: str, noun: Noun, heading: str, where: str, score: str = _LAS
) -> Iterator[Difference]:
    """The ways in which lines of a kind differ: both have one, only gold, only system."""
    ways: tuple[tuple[str, Side | None, Modifier, str, str], ...] = (
        ("wrong", None, "wrong", "~", "{gold_has} → {system_has}"),
        ("missing", Side.GOLD, "missing", "-", f"{noun.one} {{gold_has}} missing"),
        ("extra", Side.SYSTEM, "extra", "+", f"{noun.one} {{system_has}} extra"),
    )
    for way, owner, modifier, sign, label in ways:
        lacks = f"{{they}} has no {noun.one} {{here}}{where}"
        more = f"{{they}} has the {noun.one} {{there}}, "
        has = f"{{they}} has {{there}} for this {noun.one}, not {{here}}"
        yield Difference(
            code=f"{way}-{code}",
            rows=partial(_rows, kind, owner),
            marks=(
                _where_a_line_is_lacking if owner is Side.SYSTEM else at_line,
                _where_a_line_is_lacking if owner is Side.GOLD else at_line,
            ),
            family=code,
            noun=noun,
            tally=noun,
            heading=heading if owner is None else f"{way.capitalize()} {heading}",
            phrases=Phrases(
                f"{more}not in {{gold}}" if owner is Side.SYSTEM else lacks if owner else has,
                f"{more}missing here" if owner is Side.GOLD else lacks if owner else has,
            ),
            sign=Sign(sign, "dim", label),
            modifier=modifier,
            owner=owner,
            severity="hint",
            blank={"": "nothing"},
            kind=noun.one if owner is None else f"{noun.one} {way}",
            everywhere=False,
            uncounted_by=score,
        )


DIFFERENCES = (
    *_three("comment", "comment", Noun("comment", "comments"), "Comments", "", _ANY),
    *_three(
        "token",
        "token",
        Noun("multiword token", "multiword tokens"),
        "Multiword Tokens",
        " over {words}",
    ),
    *_three(
        "empty",
        "empty-node",
        Noun("empty node", "empty nodes"),
        "Empty Nodes",
        " beside {words}",
    ),
)

FAMILIES = frozenset(one.family for one in DIFFERENCES)
