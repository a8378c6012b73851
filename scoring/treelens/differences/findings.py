"""What differs in a group of sentences, in a linguist's words: the findings that are shown.

From the same comparison that the metrics count. Offsets are relative to the start of the
sentence's piece, so that a finding stays true while the text before it changes.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from treelens.compare.attachments import NOTHING
from treelens.compare.comparison import Comparison, Side, wrong_arcs, wrong_words
from treelens.trees.forest import DEPREL, FEATS, HEAD, LEMMA, NOWHERE, ROOT, XPOS, decode

NO_RELATION = "no relation"
"""What a message says instead of a relation that is not given."""

_QUOTED_WORDS = 6
"""Words that a message quotes before it shortens."""

Code = Literal[
    "missing-bracket",
    "extra-bracket",
    "crossing-bracket",
    "wrong-label",
    "wrong-tag",
    "wrong-head",
    "wrong-relation",
    "wrong-morphology",
    "different-words",
    "missing-words",
    "extra-words",
    "missing-sentence",
    "extra-sentence",
]

KINDS: dict[Code, str] = {
    "missing-bracket": "missing",
    "extra-bracket": "extra",
    "crossing-bracket": "crossing",
    "wrong-label": "label",
    "wrong-tag": "tag",
    "wrong-head": "head",
    "wrong-relation": "relation",
    "wrong-morphology": "morphology",
    "different-words": "word",
    "missing-words": "word",
    "extra-words": "word",
    "missing-sentence": "not in system",
    "extra-sentence": "not in gold",
}
"""What a finding is counted as, where there is room for a word or two only."""
_NOUNS = frozenset({"label", "tag", "head", "relation", "word"})
"""Kinds that have a plural."""


class Mark(NamedTuple):
    """A place on one side: the n-th sentence of the group, and offsets within its piece."""

    sentence: int
    start: int
    end: int
    message: str
    span: tuple[int, int] = (0, 0)
    """Words of the sentence that the finding is about."""
    written: str = ""
    """What this side has there, in a word or two: a label, a tag, the head's form."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference. A side's mark is None where that side has nothing to point at."""

    code: Code
    gold: Mark | None
    system: Mark | None


def counted(findings: Iterable[Finding]) -> list[str]:
    """How many findings of which kind, in their order: ``["2 missing", "2 labels"]``."""
    kinds = Counter(KINDS[finding.code] for finding in findings)
    return [
        f"{count} {kind}s" if count > 1 and kind in _NOUNS else f"{count} {kind}"
        for kind, count in kinds.items()
    ]


def find(comparison: Comparison) -> tuple[Finding, ...]:
    """Everything that differs in one group, in the order of gold's text, then of system's."""
    return tuple(Finder(comparison).all())


class View:
    """One side of some groups, with plain numbers for its rows; marks are in its sentences."""

    def __init__(self, side: Side) -> None:
        self.side = side
        forest = side.forest
        self.forest = forest
        self.first_leaf = forest.first_leaf.tolist()
        self.label_names = forest.symbols.labels
        self.sentence_of_node = np.repeat(
            np.arange(len(forest)), np.diff(forest.first_node)
        ).tolist()
        self.sentence_of_word = np.repeat(
            np.arange(len(forest)), np.diff(forest.first_leaf)
        ).tolist()

    def label(self, bracket: int) -> str:
        return self.label_names[int(self.forest.label[self.row(bracket)])]

    def row(self, bracket: int) -> int:
        return int(self.side.brackets.row[bracket])

    def words(self, bracket: int) -> range:
        """The rows of a bracket's words."""
        row = self.row(bracket)
        base = self.first_leaf[self.sentence_of_node[row]]
        return range(base + int(self.forest.first[row]), base + int(self.forest.last[row]))

    def word(self, row: int) -> str:
        return decode(self.forest.symbols.token(int(self.forest.word[row])))

    def tag(self, row: int) -> str:
        return self.label_names[int(self.forest.tag[row])]

    def quote(self, rows: range) -> str:
        """A few words, in quotation marks."""
        if len(rows) <= _QUOTED_WORDS:
            return "“" + " ".join(map(self.word, rows)) + "”"
        half = _QUOTED_WORDS // 2
        head, tail = rows[:half], rows[-half:]
        return "“" + " ".join([*map(self.word, head), "…", *map(self.word, tail)]) + "”"

    def at_label(self, bracket: int, message: str) -> Mark:
        """A mark on the opening bracket and its label."""
        row, forest = self.row(bracket), self.forest
        sentence = self.sentence_of_node[row]
        base = int(forest.piece[sentence, 0])
        span = int(forest.first[row]), int(forest.last[row])
        start, end = int(forest.open[row]) - base, int(forest.label_end[row]) - base
        written = self.label(bracket)
        written = written.split("##", 1)[0] or written or "unlabelled bracket"
        return Mark(sentence, start, end, message, span, written)

    def at_words(self, rows: range, message: str) -> Mark:
        """A mark on words, from the first to the last one of the same sentence.

        In a table, on the first one's form: the others' are on lines of their own.
        """
        forest = self.forest
        sentence = self.sentence_of_word[rows[0]]
        base, first = int(forest.piece[sentence, 0]), self.first_leaf[sentence]
        last = min(rows[-1], self.first_leaf[sentence + 1] - 1)
        end_row = last if forest.layout == "brackets" else rows[0]
        start, end = int(forest.word_start[rows[0]]), int(forest.word_end[end_row])
        return Mark(
            sentence, start - base, end - base, message, (rows[0] - first, last + 1 - first)
        )

    def at_tag(self, row: int, message: str) -> Mark:
        forest = self.forest
        sentence = self.sentence_of_word[row]
        base, first = int(forest.piece[sentence, 0]), self.first_leaf[sentence]
        bracketed = forest.layout == "brackets"
        start = int(forest.leaf_open[row] if bracketed else forest.tag_start[row])
        end = int(forest.tag_end[row])
        if start == end:  # a word without a tag
            start, end = int(forest.word_start[row]), int(forest.word_end[row])
        span, written = (row - first, row + 1 - first), self.tag(row).split("##", 1)[0] or "no tag"
        return Mark(sentence, start - base, end - base, message, span, written)

    def field(self, row: int, column: int) -> str:
        """What is written in a field of a word's line."""
        return self.forest.text(*self._field(row, column))

    def at_field(self, row: int, column: int, message: str, written: str) -> Mark:
        """A mark on a field of a word's line; on the word where the line does not have it."""
        forest = self.forest
        sentence = self.sentence_of_word[row]
        base, first = int(forest.piece[sentence, 0]), self.first_leaf[sentence]
        start, end = self._field(row, column)
        if start == end:
            start, end = int(forest.word_start[row]), int(forest.word_end[row])
        span = (row - first, row + 1 - first)
        return Mark(sentence, start - base, end - base, message, span, written)

    def _field(self, row: int, column: int) -> tuple[int, int]:
        assert self.forest.fields is not None
        field = self.forest.fields.bounds[row]
        return int(field[column]), max(int(field[column + 1]) - 1, int(field[column]))

    def relation(self, row: int) -> str:
        relation = self.field(row, DEPREL)
        return relation if relation not in ("", NOTHING) else NO_RELATION

    def head(self, row: int) -> str:
        """A word's head as a message names it."""
        assert self.side.arcs is not None
        head = int(self.side.arcs.head[row])
        return {ROOT: "the root", NOWHERE: "nothing"}.get(head) or f"“{self.word(head)}”"

    def at_sentence(self, sentence: int, message: str) -> Mark:
        """A mark on the root's opening bracket and label."""
        forest = self.forest
        base, start = int(forest.piece[sentence, 0]), int(forest.tree[sentence, 0])
        node, word = int(forest.first_node[sentence]), self.first_leaf[sentence]
        count = self.first_leaf[sentence + 1] - word
        if forest.layout == "rows" and count:
            start, end = int(forest.leaf_open[word]), int(forest.word_end[word])
        elif node < forest.first_node[sentence + 1]:
            end = int(forest.label_end[node])
        else:
            end = start + 1
        return Mark(sentence, start - base, max(end, start + 1) - base, message, (0, count))


class Finder:
    """What differs, kind by kind; all but :meth:`all` take comparisons of many groups too."""

    def __init__(self, comparison: Comparison) -> None:
        self.gold = View(comparison.gold)
        self.system = View(comparison.system)

    def all(self) -> Iterator[Finding]:
        if not len(self.gold.forest.word) or not len(self.system.forest.word):
            yield from self.lone_sentences()
            return
        yield from self.brackets_of_gold()
        yield from self.brackets_of_system()
        yield from self.tags()
        yield from self.attachments()
        yield from self.words()

    def lone_sentences(self) -> Iterator[Finding]:
        if not len(self.gold.forest.word) and not len(self.system.forest.word):
            return
        gold, system = len(self.gold.forest), len(self.system.forest)
        marks = [
            [
                view.at_sentence(k, _LONE[len(view.forest.word) > 0, has_other][side])
                for k in range(count)
            ]
            for side, view, count, has_other in (
                (0, self.gold, gold, system > 0),
                (1, self.system, system, gold > 0),
            )
        ]
        code: Code = "missing-sentence" if len(self.gold.forest.word) else "extra-sentence"
        for k in range(max(gold, system)):
            yield Finding(code, *(side[min(k, len(side) - 1)] if side else None for side in marks))

    def brackets_of_gold(self) -> Iterator[Finding]:
        gold, system = self.gold, self.system
        brackets = gold.side.brackets
        for bracket in np.flatnonzero(brackets.partner < 0).tolist():
            here = f"{gold.label(bracket)} over {gold.quote(gold.words(bracket))}"
            other = int(brackets.relabelled[bracket])
            if other >= 0:
                theirs, ours = system.label(other), gold.label(bracket)
                words = system.quote(system.words(other))
                yield Finding(
                    "wrong-label",
                    gold.at_label(bracket, f"system has {theirs} here, not {ours}"),
                    system.at_label(other, f"gold has {ours} here, not {theirs}, over {words}"),
                )
                continue
            at = self._counterpart(gold, system, gold.words(bracket))
            mark = system.at_words(at, f"gold has {here}, missing here") if at else None
            yield Finding("missing-bracket", gold.at_label(bracket, f"system has no {here}"), mark)

    def brackets_of_system(self) -> Iterator[Finding]:
        gold, system = self.gold, self.system
        brackets = system.side.brackets
        free = (brackets.partner < 0) & (brackets.relabelled < 0)
        for bracket in np.flatnonzero(free).tolist():
            here = f"{system.label(bracket)} over {system.quote(system.words(bracket))}"
            if brackets.crosses[bracket]:
                other = self._crossed(bracket)
                theirs = f"{gold.label(other)} over {gold.quote(gold.words(other))}"
                yield Finding(
                    "crossing-bracket",
                    gold.at_label(other, f"system has {here}, which crosses this"),
                    system.at_label(bracket, f"{here} crosses gold's {theirs}"),
                )
                continue
            at = self._counterpart(system, gold, system.words(bracket))
            mark = gold.at_words(at, f"system has {here}, not in gold") if at else None
            yield Finding("extra-bracket", mark, system.at_label(bracket, f"gold has no {here}"))

    def _crossed(self, bracket: int) -> int:
        """The shortest of gold's brackets that one of system's crosses."""
        ours, theirs = self.system.side.brackets, self.gold.side.brackets
        start, end = ours.start[bracket], ours.end[bracket]
        crossed = (theirs.start < start) & (start < theirs.end) & (theirs.end < end)
        crossed |= (start < theirs.start) & (theirs.start < end) & (end < theirs.end)
        at = np.flatnonzero(crossed)
        return int(at[np.argmin(theirs.end[at] - theirs.start[at])])

    @staticmethod
    def _counterpart(here: View, there: View, rows: range) -> range | None:
        """The first of the other side's words on the cells of some words."""
        start, end = here.side.words.start[rows[0]], here.side.words.end[rows[-1]]
        words = there.side.words
        at = np.flatnonzero((words.end > start) & (words.start < end) & (words.end > words.start))
        return range(int(at[0]), int(at[0]) + 1) if len(at) else None

    def tags(self) -> Iterator[Finding]:
        words = self.gold.side.words
        wrong = words.counted & (words.partner >= 0) & ~words.tagged
        for row in np.flatnonzero(wrong).tolist():
            other = int(words.partner[row])
            ours, theirs = self.gold.tag(row) or "no tag", self.system.tag(other) or "no tag"
            yield Finding(
                "wrong-tag",
                self.gold.at_tag(
                    row, f"system has {theirs} for “{self.gold.word(row)}”, not {ours}"
                ),
                self.system.at_tag(
                    other, f"gold has {ours} for “{self.system.word(other)}”, not {theirs}"
                ),
            )

    def attachments(self) -> Iterator[Finding]:
        """Heads, relations and morphology, word by word."""
        arcs, words = self.gold.side.arcs, self.gold.side.words
        if arcs is None:
            return
        different = (words.partner >= 0) & (wrong_arcs(words, arcs) | arcs.unlike.any(axis=1))
        for row in np.flatnonzero(different).tolist():
            other = int(words.partner[row])
            if not arcs.attached[row]:
                heads = self.gold.head(row), self.system.head(other)
                message = "attaches “{word}” to {there}, not to {here}"
                yield self._of_field("wrong-head", row, other, HEAD, message, heads)
            if not arcs.subtyped[row]:
                relations = self.gold.relation(row), self.system.relation(other)
                yield self._of_field("wrong-relation", row, other, DEPREL, _HAS, relations)
            if arcs.unlike[row].any():
                yield self._of_morphology(row, other)

    def morphology(self) -> Iterator[Finding]:
        """Of the attachments, the words whose lemma, second tag or features differ."""
        arcs, words = self.gold.side.arcs, self.gold.side.words
        if arcs is None:
            return
        different = (words.partner >= 0) & arcs.unlike.any(axis=1)
        for row in np.flatnonzero(different).tolist():
            yield self._of_morphology(row, int(words.partner[row]))

    def _of_morphology(self, row: int, other: int) -> Finding:
        assert self.gold.side.arcs is not None
        unlike = self.gold.side.arcs.unlike[row].tolist()
        columns = list(itertools.compress((LEMMA, XPOS, FEATS), unlike))
        # The mark is on the first field that differs, the message has them all.
        ours, theirs = (
            "; ".join(view.field(at, column) for column in columns)
            for view, at in ((self.gold, row), (self.system, other))
        )
        return self._of_field("wrong-morphology", row, other, columns[0], _HAS, (ours, theirs))

    def _of_field(
        self, code: Code, row: int, other: int, column: int, message: str, values: tuple[str, str]
    ) -> Finding:
        """A finding of one field; ``values``: what gold has there, and what system has."""
        ours, theirs = values
        gold, system = self.gold, self.system
        in_gold = message.format(word=gold.word(row), here=ours, there=theirs)
        in_system = message.format(word=system.word(other), here=theirs, there=ours)
        return Finding(
            code,
            gold.at_field(row, column, f"system {in_gold}", ours),
            system.at_field(other, column, f"gold {in_system}", theirs),
        )

    def words(self) -> Iterator[Finding]:
        """Stretches of the axis on which the words differ, each as a whole."""
        sides = []
        for view in (self.gold, self.system):
            words = view.side.words
            rows = np.flatnonzero(wrong_words(words)).tolist()
            sides.append([(int(words.start[row]), int(words.end[row]), row) for row in rows])
        for golds, systems in stretches(*sides):
            mine = f"gold has {self.gold.quote(golds)}" if golds else ""
            theirs = f"system has {self.system.quote(systems)}" if systems else ""
            counts = f" ({_count(len(golds))} against {_count(len(systems))})"
            counts = counts if golds and systems and len(golds) != len(systems) else ""
            code: Code = (
                "different-words"
                if golds and systems
                else "missing-words"
                if golds
                else "extra-words"
            )
            yield Finding(
                code,
                self.gold.at_words(
                    golds,
                    f"{theirs} here{counts}"
                    if theirs
                    else f"system has no {self.gold.quote(golds)}",
                )
                if golds
                else None,
                self.system.at_words(
                    systems,
                    f"{mine} here{counts}" if mine else f"gold has no {self.system.quote(systems)}",
                )
                if systems
                else None,
            )


_HAS = "has {there} for “{word}”, not {here}"

_LONE = {
    # (this side has words, the other side has a sentence): (on gold's side, on system's)
    (True, True): ("system has no parse of this sentence", "gold has an empty tree here"),
    (True, False): ("this sentence is missing in system", "this sentence is not in gold"),
    (False, True): (
        "an empty tree: system has a sentence here",
        "no parse: gold has a sentence here",
    ),
    (False, False): ("an empty tree", "an empty parse"),
}


def _count(words: int) -> str:
    return "1 word" if words == 1 else f"{words} words"


def stretches(
    gold: list[tuple[int, int, int]], system: list[tuple[int, int, int]]
) -> Iterator[tuple[range, range]]:
    """Words ``(start, end, row)`` of both sides, those on overlapping cells together."""
    marked = sorted([(*word, 0) for word in gold] + [(*word, 1) for word in system])
    rows: tuple[list[int], list[int]] = ([], [])
    reach = -1
    for start, end, row, side in marked:
        if start >= reach and (rows[0] or rows[1]):
            yield _range(rows[0]), _range(rows[1])
            rows = ([], [])
        rows[side].append(row)
        reach = max(reach, end)
    if rows[0] or rows[1]:
        yield _range(rows[0]), _range(rows[1])


def _range(rows: list[int]) -> range:
    return range(rows[0], rows[-1] + 1) if rows else range(0)
