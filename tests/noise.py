"""Sentences and what became of them: damaged copies whose right groups are known.

What the alignment of sentences is measured by, in its tests and in ``benchmarks/alignment.py``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from shared import SHARED
from treelens.align.groups import Groups
from treelens.align.sentences import Alignment, align_sentences
from treelens.rules.spelling import numbers

Sentence = list[str]
Sentences = list[Sentence]
Group = tuple[int, int, int, int]
"""First sentence and end in gold, and in system."""

_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


class Text:
    """Sentences as the alignment reads them."""

    def __init__(self, sentences: Sentences) -> None:
        self._words = [[word.encode() for word in sentence] for sentence in sentences]
        lengths, values = numbers([b"".join(words) for words in self._words])
        self.numbers = np.stack([lengths.astype(np.uint64), values], axis=1)

    def words(self, sentence: int) -> list[bytes]:
        return self._words[sentence]


def aligned(gold: Sentences, system: Sentences) -> Alignment:
    return align_sentences(Text(gold), Text(system))


def shown(groups: Groups) -> list[Group]:
    return list(zip(*(column.tolist() for column in groups[:4]), strict=True))


def real(kind: str) -> Sentences:
    """The words of real sentences: ``constituents`` or ``dependencies``; none without the data."""
    if kind == "constituents":
        file = SHARED / "parseval" / "icepahc2400" / "gold.txt"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [[leaf[2] for leaf in _LEAF.finditer(line)] for line in lines]
    file = SHARED / "dependency" / "en_ewt-dev" / "gold.conllx"
    if not file.exists():
        file = file.with_suffix(".conllu")
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    rows = [[line.split("\t") for line in block.splitlines()] for block in text.split("\n\n")]
    words = [[row[1] for row in block if len(row) > 7 and row[0].isdigit()] for block in rows]
    return [sentence for sentence in words if sentence]


class Damaged(NamedTuple):
    """What is left of some sentences, and which belong together."""

    gold: Sentences
    system: Sentences
    groups: list[Group]
    touched: list[bool]
    """Which groups are not simply the same sentence."""

    def found(self, groups: Groups) -> tuple[float, float]:
        """Shares of the groups, and of the untouched ones, that are exactly right."""
        those = set(shown(groups))
        right = [group in those for group in self.groups]
        still = [one for one, touched in zip(right, self.touched, strict=True) if not touched]
        return sum(right) / max(len(right), 1), sum(still) / max(len(still), 1)


Damage = Callable[[Sentences, int, random.Random, list[str]], tuple[int, Sentences]]
"""Of the sentences from a number on: how many are taken, and what system has for them."""


def damaged(gold: Sentences, share: float, kinds: Sequence[Damage], seed: int = 7) -> Damaged:
    """Sentences of which a share was damaged, in one of some ways each."""
    draw = random.Random(seed)
    vocabulary = [word for sentence in gold for word in sentence]
    result = Damaged(gold, [], [], [])
    at = 0
    while at < len(gold):
        touched = draw.random() < share
        kind = draw.choice(kinds) if touched else untouched
        taken, made = kind(gold, at, draw, vocabulary)
        end, count = at + taken, len(result.system)
        if kind in (lost, added, untouched):
            both = [(at, end, count, count + len(made[:1]))] if kind is not added else []
            if kind is added:
                both = [(at, at, count, count + 1), (at, end, count + 1, count + 2)]
        else:
            both = [(at, end, count, count + len(made))]
        result.groups.extend(both)
        result.touched.extend([touched] * len(both))
        result.system.extend(made)
        at = end
    return result


def untouched(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    return 1, [gold[at]]


def lost(gold: Sentences, at: int, draw: random.Random, words: list[str]) -> tuple[int, Sentences]:
    return 1, []


def added(gold: Sentences, at: int, draw: random.Random, words: list[str]) -> tuple[int, Sentences]:
    """Another sentence stands before it, of as many words."""
    return 1, [draw.choices(words, k=len(gold[at])), gold[at]]


def joined(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    together = gold[at : at + 2]
    return len(together), [[word for sentence in together for word in sentence]]


def split(gold: Sentences, at: int, draw: random.Random, words: list[str]) -> tuple[int, Sentences]:
    if len(gold[at]) < 2:
        return 1, [gold[at]]
    cut = draw.randint(1, len(gold[at]) - 1)
    return 1, [gold[at][:cut], gold[at][cut:]]


def emptied(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    return 1, [[]]


def misheard(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    """Half of the words are any others: as a poor recogniser has them."""
    sentence = list(gold[at])
    for place in draw.sample(range(len(sentence)), len(sentence) // 2):
        sentence[place] = draw.choice(words)
    return 1, [sentence]


def misspelt(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    """A letter of every third word is another one."""
    made = []
    for word in gold[at]:
        if draw.random() < 1 / 3:
            place = draw.randrange(len(word))
            word = word[:place] + draw.choice("aeioust") + word[place + 1 :]
        made.append(word)
    return 1, [made]


def reworded(
    gold: Sentences, at: int, draw: random.Random, words: list[str]
) -> tuple[int, Sentences]:
    """A word is another one."""
    sentence = list(gold[at])
    sentence[draw.randrange(len(sentence))] = draw.choice(words)
    return 1, [sentence]


MIXED: tuple[Damage, ...] = (lost, added, joined, split, emptied, misheard, misspelt, reworded)
