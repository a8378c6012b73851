"""A text in any of the formats that TedEval reads, as trees; reading never raises.

====================  =====================================================================
``conll``, ``conllu``  tables with heads (CoNLL-X, CoNLL-U)
``ptb``, ``bracketed``  Penn-style and SPMRL brackets
``rr``                 relational-realisational brackets
``ftrees``             function trees as brackets, as ``treelens tedeval convert`` writes them
====================  =====================================================================
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from treelens.corpus.blocks import Block
from treelens.formats import brackets
from treelens.formats.table import BRACKETS, CONLL, Format, named, sniff
from treelens.tedeval.algebra import WILDCARD
from treelens.tedeval.convert import LabelReading, bracketed_spans, from_brackets, from_dependencies
from treelens.tedeval.spans import WordSpans, forest_spans, mended, remarks
from treelens.tedeval.trees import Chains, FunctionTree, chains
from treelens.trees.forest import Problem

FORMATS = ("conll", "conllu", "ptb", "bracketed", "rr", "ftrees")
DEPENDENCIES = ("conll", "conllu")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_LABELS = {"rr": LabelReading.RELATIONAL, "ftrees": LabelReading.AS_WRITTEN}


class Remark(NamedTuple):
    """What is to be said of a line, from 1, and a sentence, from 0, if it is of one."""

    line: int | None
    text: str
    sentence: int | None = None

    @classmethod
    def of(cls, problem: Problem, line: int) -> Remark:
        """Of what is wrong in a text."""
        return cls(line, " ".join(problem.message.split()))


class _Some(NamedTuple):
    """Some sentences, of which the first has that number; spans: where words have heads."""

    block: Block
    spans: WordSpans | None

    @property
    def sentences(self) -> range:
        first = self.block.sentence
        return range(first, first + len(self.block.forest))


class Treebank:
    """Trees of one file, of which a block is held at a time: asked for in order each is read once,
    whoever goes back has the file read again from its start, unless it is one block.

    blocks: reads the file, in the format of that name. labels: how brackets are read; None: heads
    and relations are.
    """

    def __init__(
        self,
        blocks: Callable[[], Iterable[Block]],
        format_name: str,
        labels: LabelReading,
        head_label: str,
    ) -> None:
        self._read = blocks
        is_table = format_name in DEPENDENCIES
        self.labels = None if is_table else _LABELS.get(format_name, labels)
        self.head_label = head_label
        self._length: int | None = None
        self._blocks = iter(list[_Some]())
        self._here: _Some | None = None
        self._whole: _Some | None = None
        """All of a file that is one block: it may be slow to read, as broken text is."""
        self._has_mended = True
        """Whether any sentence had to be mended, as far as that is known."""

    def __len__(self) -> int:
        if self._length is None:
            self._length = sum(len(some.block.forest) for some in self._each())
        return self._length

    def tree(self, sentence: int) -> FunctionTree:
        """One sentence; past the end, one without words: a parse that is missing."""
        if (some := self._some(sentence)) is None:
            return FunctionTree((), (), ())
        forest, row = some.block.forest, sentence - some.block.sentence
        if some.spans is not None:
            return from_dependencies(forest, row, some.spans, self.head_label)
        found = from_brackets(forest, row, self.labels or LabelReading.AS_WRITTEN)
        return self._with_heads(found) if self.labels is LabelReading.AS_WRITTEN else found

    def nodes(self, sentence: int) -> Chains:
        """The chains of labels over all that is a node, an empty one where it has no label."""
        found, some = chains(self.tree(sentence).nodes), self._some(sentence)
        if some is None or some.spans is not None:
            return found
        row, labels = sentence - some.block.sentence, self.labels or LabelReading.AS_WRITTEN
        return {**dict.fromkeys(bracketed_spans(some.block.forest, row, labels), ()), **found}

    def tokens(self, sentence: int) -> tuple[Sequence[int], Sequence[bytes]] | None:
        """The token of each word, and each word's token as written, where the format has both."""
        some = self._some(sentence)
        if some is None or some.block.forest.anchors is None:
            return None
        forest, row = some.block.forest, sentence - some.block.sentence
        rows = slice(forest.first_leaf[row], forest.first_leaf[row + 1])
        surfaces = map(forest.symbols.token, some.block.forest.anchors.surface[rows].tolist())
        return some.block.forest.anchors.token[rows].tolist(), [*surfaces]

    def line(self, sentence: int) -> int | None:
        """The line, from 1, on which a sentence's tree starts."""
        some = self._some(sentence)
        return some and some.block.line_of(sentence - some.block.sentence) + 1

    def problems(self) -> Iterator[Remark]:
        """What is wrong in the file."""
        length, has_mended = 0, False
        for block, spans in self._each():
            length += len(block.forest)
            given = block.forest.dependencies
            if spans is not None and given is not None and not has_mended:
                has_mended = len(mended(given.head, block.forest.first_leaf, spans)) > 0
            ends = _line_ends(block) if block.problems else []
            for problem in block.problems:
                # (A word right below its function needs no tag.)
                if problem.code != "untagged" or self.labels in (None, LabelReading.CATEGORIES):
                    line = block.line + bisect_right(ends, problem.start) + 1
                    yield Remark.of(problem, line)
        self._length, self._has_mended = length, has_mended

    def remarks(self) -> Iterator[Remark]:
        """Sentences that had to be mended to make them trees, and how."""
        for block, spans in self._each() if self.labels is None and self._has_mended else ():
            forest = block.forest
            assert forest.dependencies is not None
            assert spans is not None
            head, first_leaf = forest.dependencies.head, forest.first_leaf
            untrue = mended(head, first_leaf, spans)
            ends = _line_ends(block) if untrue else []
            for row in untrue:
                rows = slice(first_leaf[row], first_leaf[row + 1])
                for remark in remarks(head[rows].tolist()):
                    line = block.line + bisect_right(ends, int(forest.tree[row, 0])) + 1
                    yield Remark(line, remark, block.sentence + row)

    def _some(self, sentence: int) -> _Some | None:
        """The block that a sentence is in; None past the end."""
        if self._length is not None and sentence >= self._length:
            return None
        if self._here is None or sentence < self._here.block.sentence:
            self._blocks, self._here = self._each(), None
        while self._here is None or sentence not in self._here.sentences:
            self._here = None  # (Two are never held.)
            self._here = next(self._blocks, None)
            if self._here is None:
                return None
        return self._here

    def _each(self) -> Iterator[_Some]:
        if self._whole is not None:
            yield self._whole
            return
        whole = None
        for block in self._read():
            given = block.forest.dependencies if self.labels is None else None
            some = _Some(block, given and forest_spans(given.head, block.forest.first_leaf))
            # (As long as the file: only of a packed one, by chance, is there more.)
            is_first = block.offset == 0
            whole = some if is_first and block.length == block.source.size else None
            yield some
        self._whole = whole

    def _with_heads(self, found: FunctionTree) -> FunctionTree:
        """The head daughters of function trees, written ``*``, under the label that they have."""
        nodes = (
            node._replace(label=self.head_label) if node.label == WILDCARD else node
            for node in found.nodes
        )
        return found._replace(nodes=tuple(nodes))


def _line_ends(block: Block) -> list[int]:
    """Where the lines of a block end: of many places none is looked for by itself."""
    return [found.end() for found in _LINE_END.finditer(block.forest.source)]


def guess(name: str, source: bytes) -> str:
    """The format of a text, by its file's name if that says it, else by how it begins."""
    ending = name.rpartition(".")[2].lower()
    if ending == "ftrees":
        return ending
    if (named(name) or sniff(source)).annotation == "dependencies":
        return "conllu" if ending == "conllu" else "conll"
    return "ptb"


def format_of(format_name: str, start: bytes) -> Format:
    """How a text that begins so is read in the format of that name."""
    return CONLL if format_name in DEPENDENCIES else BRACKETS[brackets.sniff(start)]
