"""What a gold file's systems agree on against it, in words and at its places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import takewhile

from treelens.present.names import isolated
from treelens.present.parts import Part, of_sentence
from treelens.present.window import near
from treelens.rules.parameters import TRACE, bare, tag_name
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.session.session import Counterpart, Snapshot
from treelens.session.suspects import FEWEST, NOTHING, Suspect, claim, suspects_in
from treelens.trees.forest import DEPREL, HEAD
from treelens.trees.tree import Node

CODE = "suspect"

SuspectPlace = tuple[Suspect, int, int]
"""Where it is written: from an offset to another."""


def message(one: Suspect) -> str:
    """In a line, as “3 of 3 systems say NP here, gold has VP”."""
    return (
        f"{isolated(claim(one))}, gold has {'none' if one.gold == NOTHING else isolated(one.gold)}"
    )


def systems_of(snapshot: Snapshot) -> list[Counterpart]:
    """The systems that a file is gold for, where there are several; annotators and revisions are
    none."""
    found = [
        other
        for other in snapshot.marked
        if other.side is Side.GOLD and other.called is None and other.complete
    ]
    return found if len(found) >= FEWEST else []


def parts(snapshot: Snapshot) -> Iterator[Part[SuspectPlace]]:
    """What is suspect near the view, a part a sentence: each with where it is written."""
    others = systems_of(snapshot)
    pairs = [other.pair for other in others]
    shown = near(snapshot.visible, len(snapshot.document))
    if not pairs or not shown:
        return
    groups = [[pair.group_of(Side.GOLD, one) for pair in pairs] for one in shown]
    wrong = [pair.mismatching() for pair in pairs]
    for sentence, of in zip(shown, groups, strict=True):
        if sum(bool(flags[group]) for flags, group in zip(wrong, of, strict=True)) < FEWEST:
            continue
        states = [pair.states_of(range(g, g + 1)) for pair, g in zip(pairs, of, strict=True)]
        key = CODE, tuple(pair.origin for pair in pairs), tuple(states)
        yield of_sentence(snapshot, sentence, key, partial(_found, pairs, sentence))


def _found(pairs: list[Pair], sentence: int) -> list[SuspectPlace]:
    gold = pairs[0].gold
    here = range(sentence, sentence + 1)
    return [(one, *place_of(gold, one)) for one in suspects_in(gold, pairs, here)]


def place_of(gold: Document, one: Suspect) -> tuple[int, int]:
    """Where gold writes it: the field or the label that differs, else the words."""
    words = [node for node in gold.tree(one.sentence).nodes if node.word is not None]
    first, last = words[one.first], words[one.last]
    start, end = first.word_start, last.word_end
    if one.key == "tags":
        start, end = first.label_start, first.label_end
    elif one.key == "attachments":
        start, end = _field(gold, one, first)
    elif one.gold != NOTHING:
        start, end = _label(gold, one)
    return (start, end) if end > start else (first.word_start, last.word_end)


def _field(gold: Document, one: Suspect, word: Node) -> tuple[int, int]:
    """The relation, or the head where only that is another."""
    table = gold.dependency_tree(one.sentence)
    assert table is not None, "heads are judged of tables only"
    same_relation = one.gold.partition(" ")[0] == one.other.partition(" ")[0]
    return table.words[word.row].fields[HEAD if same_relation else DEPREL]


def _label(gold: Document, one: Suspect) -> tuple[int, int]:
    """Of the first bracket over exactly these words that is another one; traces at its ends are no
    words."""
    nodes = gold.tree(one.sentence).nodes
    words = [n.row for n in nodes if n.word is not None and tag_name(n.label) != TRACE]
    chain = one.gold.split(" ")
    over: list[Node] = []
    for node in nodes:
        inside = [row for row in words if node.first <= row < node.last]
        is_in = (
            node.word is None and len(over) < len(chain) and bare(node.label) == chain[len(over)]
        )
        if is_in and inside and (inside[0], inside[-1]) == (one.first, one.last):
            over.append(node)
    alike = sum(
        1
        for _ in takewhile(
            lambda both: both[0] == both[1], zip(chain, one.other.split(" "), strict=False)
        )
    )
    return (over[alike].label_start, over[alike].label_end) if alike < len(over) else (0, 0)
