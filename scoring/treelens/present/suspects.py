"""What a gold file's systems agree on against it, in words and at its places."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import takewhile
from operator import eq
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from treelens.trees.dependency_tree import DependencyTree

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
    found = suspects_in(pairs[0].gold, pairs, range(sentence, sentence + 1))
    if not found:  # (as of most sentences)
        return []
    written = _Written(pairs[0].gold, sentence)
    return [(one, *written.place_of(one)) for one in found]


class _Written:
    """Where gold has what is judged in a sentence: looked up once for all there is."""

    def __init__(self, gold: Document, sentence: int) -> None:
        self._gold = gold
        self._sentence = sentence
        nodes = gold.tree(sentence).nodes
        self._words = [node for node in nodes if node.word is not None]
        rows = [word.row for word in self._words if tag_name(word.label) != TRACE]
        self._over: defaultdict[tuple[int, int], list[Node]] = defaultdict(list)
        """Brackets by their first and last words; traces at their ends are none."""
        for node in nodes:
            first, end = bisect_left(rows, node.first), bisect_left(rows, node.last)
            if node.word is None and first < end:
                self._over[rows[first], rows[end - 1]].append(node)

    @cached_property
    def _table(self) -> DependencyTree | None:
        return self._gold.dependency_tree(self._sentence)

    def place_of(self, one: Suspect) -> tuple[int, int]:
        """Where gold writes it: the field or the label that differs, else the words."""
        first, last = self._words[one.first], self._words[one.last]
        start, end = first.word_start, last.word_end
        if one.key == "tags":
            start, end = first.label_start, first.label_end
        elif one.key == "attachments":
            start, end = self._field(one, first)
        elif one.gold != NOTHING:
            start, end = self._label(one)
        return (start, end) if end > start else (first.word_start, last.word_end)

    def _field(self, one: Suspect, word: Node) -> tuple[int, int]:
        """The relation, or the head where only that is another."""
        assert self._table is not None, "heads are judged of tables only"
        same_relation = one.gold.partition(" ")[0] == one.other.partition(" ")[0]
        return self._table.words[word.row].fields[HEAD if same_relation else DEPREL]

    def _label(self, one: Suspect) -> tuple[int, int]:
        """Of the first bracket over exactly these words that is another one."""
        chain = one.gold.split(" ")
        over: list[Node] = []
        for node in self._over[one.first, one.last]:
            if len(over) < len(chain) and bare(node.label) == chain[len(over)]:
                over.append(node)
        same = map(eq, chain, one.other.split(" "))
        alike = sum(1 for _ in takewhile(bool, same))
        return (over[alike].label_start, over[alike].label_end) if alike < len(over) else (0, 0)
