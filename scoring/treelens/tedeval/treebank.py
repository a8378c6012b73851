"""A text in any of the formats that TedEval reads, as trees; reading never raises.

====================  =====================================================================
``conll``, ``conllu``  tables with heads (CoNLL-X, CoNLL-U)
``ptb``, ``bracketed``  Penn-style and SPMRL brackets
``rr``                 relational-realisational brackets
``ftrees``             function trees as brackets, as ``treelens tedeval convert`` writes them
====================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treelens.forest import Forest, Problem, Symbols
from treelens.formats import brackets, conll
from treelens.tedeval.convert import Labels, from_brackets, from_dependencies, remarks
from treelens.tedeval.trees import Tree

FORMATS = ("conll", "conllu", "ptb", "bracketed", "rr", "ftrees")
DEPENDENCIES = ("conll", "conllu")
_LABELS = {"rr": Labels.RELATIONAL, "ftrees": Labels.AS_WRITTEN}
_EXTENSIONS = {"conll": "conll", "conllx": "conll", "conllu": "conllu", "ftrees": "ftrees"}


class Treebank(NamedTuple):
    """Trees of one file. ``labels``: how brackets are read; None: heads and relations are."""

    forest: Forest
    problems: list[Problem]
    labels: Labels | None
    head_label: str

    def __len__(self) -> int:
        return len(self.forest)

    def tree(self, sentence: int) -> Tree:
        """One sentence; past the end, one without words: a parse that is missing."""
        if sentence >= len(self.forest):
            return Tree((), (), ())
        if self.labels is None:
            return from_dependencies(self.forest, sentence, self.head_label)
        return from_brackets(self.forest, sentence, self.labels)

    def remarks(self, sentence: int) -> list[str]:
        """What had to be mended to make it a tree."""
        if self.labels is None and sentence < len(self.forest):
            return remarks(self.forest, sentence)
        return []

    def tokens(self, sentence: int) -> tuple[Sequence[int], Sequence[int]] | None:
        """The token of each word, and each word's token as written, where the format has both."""
        anchors = self.forest.anchors
        if anchors is None or sentence >= len(self.forest):
            return None
        rows = slice(self.forest.first_leaf[sentence], self.forest.first_leaf[sentence + 1])
        return anchors.token[rows].tolist(), anchors.surface[rows].tolist()


def guess(name: str, source: bytes) -> str:
    """The format of a text, by its file's name if that says it, else by how it begins."""
    extension = name.rpartition(".")[2].lower()
    if extension in _EXTENSIONS:
        return _EXTENSIONS[extension]
    return "conll" if conll.sniff(source) else "ptb"


def read(
    source: bytes, symbols: Symbols, format_name: str, labels: Labels, head_label: str
) -> Treebank:
    """Read a text; ``labels`` says how Penn-style brackets are taken, others say it themselves."""
    if format_name in DEPENDENCIES:
        return Treebank(*conll.read(source, symbols), None, head_label)
    forest, problems = brackets.read(source, symbols)
    labels = _LABELS.get(format_name, labels)
    if labels is not Labels.CATEGORIES:
        # A word right below its function needs no tag.
        problems = [problem for problem in problems if problem.code != "untagged"]
    return Treebank(forest, problems, labels, head_label)
