"""Brackets that are not well-formed, or merely unusual: read with care, explained, repaired.

One stack, one token at a time, nothing clever: this is also the oracle that the columns of
:mod:`treelens.formats.brackets` are tested against. It never raises, never recurses, and
takes time linear in the text. What it assumes about broken text it says in a problem. Brackets
that nest deeper than any tree does (``DEEPEST``) cost no memory: a text of nothing but
opening ones is such a tree.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from treelens.render.numbers import number_of
from treelens.trees.forest import DEEPEST, Forest, Problem, Symbols, decode, running
from treelens.trees.other_lines import COMMENT

_TOKENS = re.compile(rb"[()]|[^() \t\n\v\f\r]+")
_MARKUP = re.compile(rb"\s*(<[^<>]*>\s*)+|\s*\*x\*.*")
_LINES = re.compile(rb"[^\r\n]+")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"
_SHOWN = 24
"""Characters of a user's text that a message quotes."""
_MOST_UNOPENED = 1000
"""Brackets of a stretch that close nothing and are told one by one."""


@dataclass(slots=True)
class _Node:
    open: int
    label_start: int
    label_end: int
    first: int
    last: int = 0
    close: int = 0
    children: int = 0
    words: int = 0


class _Leaf(NamedTuple):
    open: int
    close: int
    tag_start: int
    tag_end: int
    word_start: int
    word_end: int


@dataclass(slots=True)
class _Sentence:
    piece: int
    end: int = 0
    nodes: list[_Node] = field(default_factory=list)
    leaves: list[_Leaf] = field(default_factory=list)


class _Reading:
    """One region being read: what is open, what is finished, what was found wrong."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.sentences: list[_Sentence] = []
        self.problems: list[Problem] = []
        self.stack: list[_Node] = []
        self.deeper = 0
        """Brackets that are open inside of the deepest constituent of :attr:`stack`."""
        self.is_labelled = True
        """Whether the last of these has its label, or another bracket inside."""
        self.too_deep = 0
        """Where the first such bracket of this tree is; 0 if there is none."""
        self.stray: tuple[int, int] | None = None
        self.count_unopened = 0
        """Brackets of this stretch that close nothing."""
        self.first_untold = self.last_unopened = 0

    def open(self, offset: int, piece: int) -> None:
        if not self.stack:
            self.sentences.append(_Sentence(piece))
        elif len(self.stack) > DEEPEST:  # (one more is a word's)
            self.deeper += 1
            self.is_labelled = False
            self.too_deep = self.too_deep or offset
            return
        else:
            self.stack[-1].children += 1
        sentence = self.sentences[-1]
        node = _Node(offset, offset + 1, offset + 1, len(sentence.leaves))
        sentence.nodes.append(node)
        self.stack.append(node)

    def token(self, start: int, end: int) -> None:
        if not self.stack:
            self.stray = (self.stray[0] if self.stray else start, end)
            return
        node = self.stack[-1]
        if self.deeper and not self.is_labelled:
            self.is_labelled = True
            return
        if (
            not self.deeper
            and not node.children
            and not node.words
            and node.label_end == node.open + 1
        ):
            node.label_start, node.label_end = start, end
            if start > node.open + 1:
                self.problem(
                    "label-apart",
                    f"a blank stands between the bracket and “{self.quote(start, end)}”, "
                    "which is taken as its label",
                    node.open,
                    end,
                )
            return
        node.words += 1
        self.sentences[-1].leaves.append(_Leaf(start, end, start, start, start, end))

    def close(self, end: int) -> None:
        if self.deeper:
            self.deeper -= 1
            self.is_labelled = True
            return
        sentence, node = self.sentences[-1], self.stack.pop()
        node.last, node.close = len(sentence.leaves), end
        if node.words == 1 and not node.children:
            word = sentence.leaves[-1]
            sentence.leaves[-1] = word._replace(
                open=node.open, close=end, tag_start=node.label_start, tag_end=node.label_end
            )
            sentence.nodes.pop()
        elif node.words:
            self.problem(
                "untagged",
                f"{number_of(node.words, 'word')} directly in ({self.label(node)}: read as "
                "without a part-of-speech tag; a word has a bracket of its own, (TAG word)",
                node.open,
                node.label_end,
            )
        if not self.stack:
            self.finish(sentence)

    def finish(self, sentence: _Sentence) -> None:
        if self.too_deep:
            self.problem(
                "too-deep",
                f"brackets nest more than {DEEPEST:,} deep here; those further in are left out, "
                "and what words they hold have no tags",
                self.too_deep,
                self.too_deep + 1,
            )
            self.too_deep = 0
        if not sentence.leaves:
            return  # an empty parse: how parsers say that they found nothing
        for node in sentence.nodes:
            if node.first == node.last and not node.children:
                self.problem(
                    "no-words",
                    f"({self.label(node)}) holds no words and does not count as a constituent",
                    node.open,
                    node.close,
                )

    def unopened(self, offset: int) -> None:
        self.count_unopened += 1
        if self.count_unopened > _MOST_UNOPENED:
            self.last_unopened = offset
            if self.count_unopened == _MOST_UNOPENED + 1:
                self.first_untold = offset
            return
        self.problem(
            "unopened",
            "this bracket closes nothing: every bracket before it is closed already; ignored",
            offset,
            offset + 1,
        )

    def flush_unopened(self) -> None:
        more = self.count_unopened - _MOST_UNOPENED
        if more > 0:
            self.problem(
                "more-unopened",
                f"from here on, {more:,} more brackets close nothing; ignored",
                self.first_untold,
                self.last_unopened + 1,
            )
        self.count_unopened = 0

    def unclosed(self, end: int) -> None:
        if not self.stack:
            return
        outermost, missing = self.stack[0], len(self.stack) + self.deeper
        self.problem(
            "unclosed",
            f"({self.label(outermost)} is not closed before the next tree: "
            f"{number_of(missing, 'closing bracket')} missing; taken to stand after the last word",
            outermost.open,
            outermost.label_end,
        )
        self.deeper = 0
        while self.stack:
            self.close(end)

    def flush_stray(self) -> None:
        if self.stray is None:
            return
        start, end = self.stray
        self.stray = None
        lines = _LINES.finditer(self.source, start, end)
        if not all(_MARKUP.fullmatch(line[0]) for line in lines if not line[0].isspace()):
            self.problem(
                "stray",
                f"“{self.quote(start, end)}” stands outside of any tree; ignored "
                "(comments start with # in the first column)",
                start,
                end,
            )

    def problem(self, code: str, message: str, start: int, end: int) -> None:
        broken = code in ("unclosed", "unopened", "more-unopened")
        self.problems.append(Problem(code, message, start, end, "error" if broken else "warning"))

    def label(self, node: _Node) -> str:
        return self.quote(node.label_start, node.label_end)

    def quote(self, start: int, end: int) -> str:
        text = decode(self.source[start : min(end, start + 4 * _SHOWN)])
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def read_carefully(
    source: bytes, regions: Iterable[tuple[int, int]], symbols: Symbols
) -> tuple[Forest, list[Problem]]:
    """Read stretches ``source[start:end]``, which begin at a line or at a bracket; never raises.

    Every bracket at depth 0 starts a sentence. What is still open at a stretch's end is closed
    there. A bracket with one word is a part-of-speech tag over it; words that stand beside
    others or beside constituents have no tag. Problems are in the order in which they are
    noticed.
    """
    reading = _Reading(source)
    for start, end in regions:
        _read_region(reading, start, end)
    return _forest(reading, symbols), reading.problems


def _read_region(reading: _Reading, start: int, end: int) -> None:
    before = len(reading.sentences)
    last = start
    for match in _TOKENS.finditer(without_comments(reading.source, start, end)):
        at, after = match.start() + start, match.end() + start
        kind = match[0]
        if kind == b"(":
            reading.flush_stray()
            piece = _piece_start(reading.source, last, at) if last > start else start
            reading.open(at, piece)
        elif kind != b")":
            reading.token(at, after)
        elif reading.stack:
            reading.close(after)
        else:
            reading.flush_stray()
            reading.unopened(at)
        last = after
    reading.flush_stray()
    reading.flush_unopened()
    reading.unclosed(last)
    found = reading.sentences[before:]
    for sentence, following in itertools.pairwise(found):
        sentence.end = following.piece
    if found:
        found[-1].end = end


def without_comments(source: bytes, start: int, end: int) -> bytes:
    """The text with comment lines, and a byte order mark, as blanks of the same length."""
    text = source[start:end]
    if start == 0 and text.startswith(_BOM):
        text = text[len(_BOM) :]
    text = COMMENT.sub(lambda comment: b" " * len(comment[0]), text)
    return b" " * (end - start - len(text)) + text


def _piece_start(source: bytes, last: int, tree: int) -> int:
    """After the line on which the tree before ends, or at the tree if that is the same line."""
    line_end = _LINE_END.search(source, last, tree)
    return line_end.end() if line_end else tree


def _forest(reading: _Reading, symbols: Symbols) -> Forest:
    source, sentences = reading.source, reading.sentences
    nodes = [node for sentence in sentences for node in sentence.nodes]
    leaves = [leaf for sentence in sentences for leaf in sentence.leaves]

    def key(start: int, stop: int) -> int:
        return symbols.key(source[start:stop])

    def column(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return np.array(values, np.int32)

    labels = [key(node.label_start, node.label_end) for node in nodes]
    tags = [key(leaf.tag_start, leaf.tag_end) for leaf in leaves]
    trees = [_extent(sentence) for sentence in sentences]
    pieces = [(sentence.piece, sentence.end) for sentence in sentences]
    ids = symbols.label_ids(np.array(labels + tags, np.uint64))
    return Forest(
        source=source,
        symbols=symbols,
        piece=np.array(pieces, np.int32).reshape(-1, 2),
        tree=np.array(trees, np.int32).reshape(-1, 2),
        first_node=running(column([len(sentence.nodes) for sentence in sentences])),
        first_leaf=running(column([len(sentence.leaves) for sentence in sentences])),
        label=ids[: len(nodes)],
        label_start=column([node.label_start for node in nodes]),
        label_end=column([node.label_end for node in nodes]),
        first=column([node.first for node in nodes]),
        last=column([node.last for node in nodes]),
        open=column([node.open for node in nodes]),
        close=column([node.close for node in nodes]),
        word=np.array([key(leaf.word_start, leaf.word_end) for leaf in leaves], np.uint64),
        tag=ids[len(nodes) :],
        leaf_open=column([leaf.open for leaf in leaves]),
        leaf_close=column([leaf.close for leaf in leaves]),
        tag_start=column([leaf.tag_start for leaf in leaves]),
        tag_end=column([leaf.tag_end for leaf in leaves]),
        word_start=column([leaf.word_start for leaf in leaves]),
        word_end=column([leaf.word_end for leaf in leaves]),
    )


def _extent(sentence: _Sentence) -> tuple[int, int]:
    spans = [(node.open, node.close) for node in sentence.nodes[:1]]
    spans += [(leaf.open, leaf.close) for leaf in sentence.leaves[:1]]
    return min(start for start, _ in spans), max(close for _, close in spans)
