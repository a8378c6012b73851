"""What is counted of a line: the model, which takes any line and walks through it once.

A line is a tree as NLTK reads it: any Unicode blank separates, ``( NP`` is ``(NP``, and a
backslash before a bracket makes it part of a word. Lines that NLTK refuses are *mended*: what
is missing at the end is closed, what stands outside of all brackets is left out, several trees
on a line become one, and a line without a tree is a sentence without words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from treelens.dropin.jp.settings import Settings

Bracket = tuple[str, int, int]
"""Label, first word, and the word behind the last."""
Tag = tuple[str, str]
"""A tag and its word, as they are written."""

# (Possessive: what could be given back again would take two hundred bytes a letter.)
_WORD = r"(?:[^\s()\\]++|\\[()]?+)"
_TOKENS = re.compile(rf"\(\s*(?P<label>{_WORD}*+)|(?P<end>\))|(?P<word>{_WORD}++)")


class Sentence(NamedTuple):
    """What is counted of a line."""

    text: str
    """All its words in lower case, with spaces: what sentences are lined up by."""
    kept: str
    """The same without deleted words."""
    words: tuple[str, ...]
    """The words that are left, as they are written."""
    tags: tuple[Tag, ...]
    brackets: tuple[Bracket, ...]
    """Over the words that are left. One without words starts and ends at the same place."""
    deleted: int
    """Subtrees taken out that count for the length."""
    may_be_hollow: bool
    """Whether there may be brackets without words."""


@dataclass(slots=True)
class _Node:
    """An open bracket, and how far all lists were when it was opened."""

    label: str
    words: int
    tags: int
    brackets: int
    deleted: int
    children: int = 0
    """As the line has them."""
    first: str | None = None
    """The first child, if it is a word."""
    height: int = 0
    """Of the highest child that is left; a word's is 1."""


GOLD_ONLY = "S1"
"""A label that counts on the gold side only."""


def bracket_label(label: str, is_gold: bool) -> str:
    """The label that a bracket counts with; empty if it does not count at all.

    Cut at the first hyphen, wherever it is, and at nothing else. ``TOP`` is left out only when
    it is the whole label; and ``S1`` on the system side only, so a file with such roots does not
    score 100 % against itself.
    """
    if label == "TOP":
        return ""
    cut = label.split("-", 1)[0]
    return "" if cut == GOLD_ONLY and not is_gold else cut


def read_sentence(line: str, settings: Settings, is_gold: bool) -> tuple[Sentence, str | None]:
    """Read a line, whatever it is; why NLTK would refuse it, and what becomes of it."""
    reading = _Reading(settings, is_gold)
    problem = reading.read(line)
    text = " ".join(reading.leaves).lower()
    kept = " ".join(reading.words).lower()
    sentence = Sentence(
        text,
        kept,
        tuple(reading.words),
        tuple(reading.tags),
        tuple(reading.brackets),
        reading.deleted,
        any(start == end for _, start, end in reading.brackets),
    )
    return sentence, problem


class _Reading:
    """The lists that grow while a line is read, and shrink when a subtree is taken out."""

    def __init__(self, settings: Settings, is_gold: bool) -> None:
        self.settings = settings
        self.is_gold = is_gold
        self.leaves: list[str] = []
        self.words: list[str] = []
        self.tags: list[Tag] = []
        self.brackets: list[Bracket] = []
        self.deleted = 0

    def read(self, line: str) -> str | None:
        """Read all of the line; the problem that it has."""
        outside = self._open("TOP")
        stack = [outside]
        problem = None
        for label, end, word in _tokens(line):
            if end:
                if len(stack) == 1:
                    problem = "a ')' too many: left out"
                else:
                    self._close(stack)
            elif word:
                if len(stack) == 1:
                    problem = f"'{word[:20]}' outside of all brackets: left out"
                else:
                    self._take(word, stack[-1])
            else:
                stack.append(self._open(label))
        if len(stack) > 1:
            problem = f"{len(stack) - 1} brackets are not closed: closed at the end of the line"
        while len(stack) > 1:
            self._close(stack)
        if outside.children > 1:
            problem = problem or "several trees on a line: taken as one"
        return problem if outside.children else "no tree: a sentence without words"

    def _open(self, label: str) -> _Node:
        counts = len(self.words), len(self.tags), len(self.brackets)
        return _Node(label, *counts, self.deleted)

    def _take(self, word: str, parent: _Node) -> None:
        if not parent.children:
            parent.first = word
        parent.children += 1
        parent.height = max(parent.height, 1)
        self.leaves.append(word)
        self.words.append(word)

    def _close(self, stack: list[_Node]) -> None:
        node, parent = stack.pop(), stack[-1]
        parent.children += 1
        # A tree of several parts is wrapped in TOP, so its own root can be taken out as well;
        # of any other tree the root always stays.
        is_root = len(stack) == 1 and node.children <= 1
        if not is_root and self.settings.deletes(node.label, node.first):
            self._take_out(node)
            return
        parent.height = max(parent.height, node.height + 1)
        if node.children == 1 and node.first is not None:
            # The root again: its word stays, and yet has no tag.
            if node.label not in self.settings.delete_labels:
                self.tags.append((node.label, node.first))
        elif node.height >= 2:
            label = bracket_label(node.label, self.is_gold)
            if label:
                self.brackets.append((label, node.words, len(self.words)))

    def _take_out(self, node: _Node) -> None:
        del self.words[node.words :]
        del self.tags[node.tags :]
        del self.brackets[node.brackets :]
        # What was deleted inside is not counted a second time.
        self.deleted = node.deleted + (node.label not in self.settings.delete_for_length)


def _tokens(line: str) -> Iterator[tuple[str, str, str]]:
    """A label (perhaps empty), a closing bracket or a word, in its place of three."""
    for found in _TOKENS.finditer(line):
        yield found["label"] or "", found["end"] or "", found["word"] or ""
