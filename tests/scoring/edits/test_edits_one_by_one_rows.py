"""The same law for tables: every difference, taken one by one, in any order and into either file,
ends with its fix; nothing else appears, and at the end all is the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import pytest
from edit_laws import strictly_paired, take_all
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from shared import SHARED
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE, own_mark
from treelens.session.pair import Pair, Side

FOLDER = SHARED / "dependency" / "en_ewt-dev"

sides = st.sampled_from(list(Side))
chances = st.randoms(use_true_random=False)

LEMMA, UPOS, XPOS, FEATS, MISC = range(5)
VALUES = ("ab", ["X", "Y", "Z"], ["_", "P", "Q"], ["_", "A=a", "A=b|B=b"], ["_", "K=1", "K=2"])
LETTERS = "abcdefghijklmnop"
RELATIONS = ("nsubj", "obj", "obl:in", "dep")


@dataclass(eq=False)
class Row:
    """A word, or an empty node; ``head`` None: the root."""

    form: str
    fields: list[str]
    head: Row | None = None
    relation: str = "root"
    edges: list[tuple[Row | None, str]] = field(default_factory=list)
    empty: bool = False


@dataclass
class Table:
    rows: list[Row]
    recut: bool = False
    tokens: list[tuple[str, list[Row]]] = field(default_factory=list)
    """Each with what it has besides the forms of its words."""
    comments: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[Row]:
        return [row for row in self.rows if not row.empty]


def written(table: Table) -> str:
    ids: dict[int, str] = {id(None): "0"}
    words = empties = 0
    for row in table.rows:
        words, empties = (words, empties + 1) if row.empty else (words + 1, 0)
        ids[id(row)] = f"{words}.{empties}" if row.empty else str(words)
    lines = [*table.comments]
    for row in table.rows:
        for ending, tied in table.tokens:
            if tied[0] is row:
                form = "".join(one.form for one in tied) + ending
                name = f"{ids[id(tied[0])]}-{ids[id(tied[-1])]}"
                lines.append("\t".join([name, form, *"_" * 8]))
        lemma, upos, xpos, feats, misc = row.fields
        arc = ["_", "_"] if row.empty else [ids[id(row.head)], row.relation]
        deps = "|".join(f"{ids[id(head)]}:{name}" for head, name in row.edges) or "_"
        lines.append(
            "\t".join([ids[id(row)], row.form, lemma, upos, xpos, feats, *arc, deps, misc])
        )
    return "\n".join(lines) + "\n\n"


def said(chance: Random) -> list[str]:
    return [chance.choice(values) for values in VALUES]


def drawn(chance: Random) -> Table:
    words = [
        Row(LETTERS[2 * place : 2 * place + 2], said(chance))
        for place in range(chance.randint(2, 7))
    ]
    table = Table([*words], comments=["# sent_id = 1", "# a = 1"][: chance.randint(0, 2)])
    for word in words[1:]:
        attach(chance, word, table)
    for word in words:
        word.edges = [(word.head, word.relation)]
    for change in chance.choices([token, empty_node, edge], k=chance.randint(0, 3)):
        change(chance, table)
    return table


# --- what somebody else might have --------------------------------------------------------------


def attach(chance: Random, word: Row, table: Table) -> None:
    heads = [one for one in table.words if one is not word]
    word.head, word.relation = chance.choice(heads), chance.choice(RELATIONS)


def arc(chance: Random, table: Table) -> None:
    attach(chance, chance.choice(table.words), table)


def value(chance: Random, table: Table) -> None:
    column = chance.randrange(5)
    chance.choice(table.rows).fields[column] = chance.choice(VALUES[column])


def edge(chance: Random, table: Table) -> None:
    row, head = chance.choice(table.rows), chance.choice([None, *table.rows])
    new = head, chance.choice(RELATIONS)
    if row.edges and chance.random() < 0.5:
        row.edges.remove(chance.choice(row.edges))
    if new not in row.edges and head is not row:
        row.edges.append(new)


def token(chance: Random, table: Table) -> None:
    words = table.words
    if table.recut:
        return
    start = chance.randrange(len(words))
    tied = words[start : start + chance.randint(2, 3)]
    if any(row in tied for _, rows in table.tokens for row in rows):
        table.tokens = [one for one in table.tokens if one[1][0] not in tied]
    elif len(tied) > 1:
        table.tokens.append((chance.choice(["", "'"]), tied))


def empty_node(chance: Random, table: Table) -> None:
    empties = [row for row in table.rows if row.empty]
    if empties and chance.random() < 0.5:
        without(table, chance.choice(empties))
    else:
        row, at = (
            Row(chance.choice("ef"), said(chance), empty=True),
            chance.randint(0, len(table.rows)),
        )
        if not any(one.empty for one in table.rows[max(at - 1, 0) : at + 1]):
            table.rows.insert(at, row)


def comment(chance: Random, table: Table) -> None:
    table.comments = [one for one in table.comments if chance.random() < 0.7]
    table.comments.append(f"# {chance.choice('abc')} = {chance.randrange(3)}")


def without(table: Table, gone: Row) -> None:
    at = table.rows.index(gone)
    if not gone.empty and any(one.empty for one in table.rows[at + 1 : at + 2]):
        without(table, table.rows[at + 1])
    table.rows.remove(gone)
    for row in table.rows:
        row.head = gone.head if row.head is gone and gone.head is not row else row.head
        row.head = None if row.head is gone else row.head
        row.edges = [one for one in row.edges if one[0] is not gone]
    table.tokens = [(end, [row for row in tied if row is not gone]) for end, tied in table.tokens]
    table.tokens = [one for one in table.tokens if len(one[1]) > 1]


def lost(chance: Random, table: Table) -> None:
    if len(table.words) > 2:
        without(table, chance.choice(table.words))


def added(chance: Random, table: Table) -> None:
    row = Row(2 * chr(chance.randrange(0x400, 0x2000)), said(chance))
    beside = chance.choice(table.words)
    table.rows.insert(table.rows.index(beside), row)
    for _, tied in table.tokens:
        if beside in tied[1:]:
            tied.insert(tied.index(beside), row)
    attach(chance, row, table)
    row.edges = [(row.head, row.relation)]


def split(chance: Random, table: Table) -> None:
    row = chance.choice(table.words)
    if table.tokens:
        return
    table.recut = True
    part = Row(row.form[1:], said(chance), row, "dep", [(row, "dep")])
    row.form = row.form[:1]
    if part.form:
        table.rows.insert(table.rows.index(row) + 1, part)
        for _, tied in table.tokens:
            if row in tied:
                tied.insert(tied.index(row) + 1, part)


def joined(chance: Random, table: Table) -> None:
    words = table.words
    at = chance.randrange(len(words))
    if 2 < len(words) > at + 1 and not table.tokens:
        table.recut = True
        words[at].form += words[at + 1].form
        without(table, words[at + 1])


CHANGES = (arc, value, value, edge, token, empty_node, comment, lost, added, split, joined)


def annotated_otherwise(chance: Random, table: Table) -> Table:
    table = deepcopy(table)
    for change in chance.choices(CHANGES, k=chance.randint(1, 5)):
        change(chance, table)
    return table


# --- the law -------------------------------------------------------------------------------


def named(of: Pair, finding: Finding, into: Side) -> Iterator[object]:
    """A difference by what no edit into a side moves."""
    difference = BY_CODE[finding.code]
    own, other = own_mark(finding, into), own_mark(finding, into.other)
    # (Whether a side writes features at all is for its other words to say.)
    family = difference.family.replace("unwritten morphology", "morphology")
    if difference.family == "words":
        for mark in (own, other):
            yield from ((mark is own, word) for word in (mark.words if mark else ()))
    elif family == "morphology" and other is not None:
        # (One difference or two, by whether a side writes one column, both or none.)
        yield from ((family, other.span, value) for value in other.written.split("; "))
    elif other is None or difference.owner is into:
        assert own
        yield family, own.written.split(":")[-1]
    else:
        # (An empty node in the place of another is one that was missing.)
        yield family, other.start, difference.family != "empty-node" and other.written


def told(of: Pair, into: Side) -> Counter[object]:
    return Counter(name for finding in of.findings(0) for name in named(of, finding, into))


def partners(of: Pair, into: Side) -> list[tuple[str, str]]:
    """Of each word of the other side its form, and that of its partner here."""
    comparison = of.comparison(0)
    there = comparison.system if into is Side.GOLD else comparison.gold
    forms = [
        [word.form for word in table.words]
        for side in (into.other, into)
        if (table := of.document(side).dependency_tree(0))
    ]
    found = zip(forms[0], there.words.partner.tolist(), strict=True)
    return [(form, forms[1][partner] if partner >= 0 else "") for form, partner in found]


def realigned(before: Pair, after: Pair, into: Side) -> bool:
    """Whether words that are not the same are aligned otherwise than they were."""
    both = zip(partners(before, into), partners(after, into), strict=True)
    return any(now not in (then, (then[0], then[0])) for then, now in both)


@examples(60)
@given(chances, sides)
def test_each_difference_of_tables_is_taken_by_itself(chance: Random, into: Side) -> None:
    gold = drawn(chance)
    system = annotated_otherwise(chance, gold)
    of = take_all(strictly_paired(written(gold), written(system)), into, chance, told, realigned)
    tables = [of.document(side).dependency_tree(0) for side in Side]
    read = [
        [(one.number, one.form, one.head, one.relation) for one in table.words]
        for table in tables
        if table
    ]
    assert read[0] == read[1]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no reference data")
@pytest.mark.parametrize("number", range(0, 1300, 100))
def test_so_it_is_in_real_tables(number: int) -> None:
    gold, system = (
        {
            text[1]: f"{block}\n\n"
            for block in (FOLDER / name).read_text(encoding="utf-8").split("\n\n")
            if (text := re.search("# text = (.*)", block))
        }
        for name in ("gold.conllu", "system.raw.conllu")
    )
    text = [one for one in gold if one in system and len(one) < 120][number]
    for into in Side:
        take_all(strictly_paired(gold[text], system[text]), into, Random(number), told, realigned)
