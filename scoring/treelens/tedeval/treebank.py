"""A text in any of the formats that TedEval reads, as trees; reading never raises.

====================  =====================================================================
``conll``, ``conllu``  tables with heads (CoNLL-X, CoNLL-U)
``ptb``, ``bracketed``  Penn-style and SPMRL brackets
``rr``                 relational-realisational brackets
``ftrees``             function trees as brackets, as ``treelens tedeval convert`` writes them
====================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.formats import brackets, conll
from treelens.formats.table import named, sniff
from treelens.tedeval.algebra import WILDCARD
from treelens.tedeval.convert import LabelReading, bracketed_spans, from_brackets, from_dependencies
from treelens.tedeval.spans import WordSpans, forest_spans, mended, remarks
from treelens.tedeval.trees import Chains, FunctionTree, chains
from treelens.trees.forest import Forest, Problem, Symbols

FORMATS = ("conll", "conllu", "ptb", "bracketed", "rr", "ftrees")
DEPENDENCIES = ("conll", "conllu")
_LABELS = {"rr": LabelReading.RELATIONAL, "ftrees": LabelReading.AS_WRITTEN}


class Treebank(NamedTuple):
    """Trees of one file. ``labels``: how brackets are read; None: heads and relations are."""

    forest: Forest
    problems: list[Problem]
    labels: LabelReading | None
    head_label: str
    spans: WordSpans | None = None

    def __len__(self) -> int:
        return len(self.forest)

    def tree(self, sentence: int) -> FunctionTree:
        """One sentence; past the end, one without words: a parse that is missing."""
        if sentence >= len(self.forest):
            return FunctionTree((), (), ())
        if self.spans is not None:
            return from_dependencies(self.forest, sentence, self.spans, self.head_label)
        found = from_brackets(self.forest, sentence, self.labels or LabelReading.AS_WRITTEN)
        return self._with_heads(found) if self.labels is LabelReading.AS_WRITTEN else found

    def nodes(self, sentence: int) -> Chains:
        """The chains of labels over all that is a node, an empty one where it has no label."""
        found = chains(self.tree(sentence).nodes)
        if self.spans is not None or sentence >= len(self.forest):
            return found
        brackets = bracketed_spans(self.forest, sentence, self.labels or LabelReading.AS_WRITTEN)
        return {**dict.fromkeys(brackets, ()), **found}

    def _with_heads(self, found: FunctionTree) -> FunctionTree:
        """The head daughters of function trees, written ``*``, under the label that they have."""
        nodes = (
            node._replace(label=self.head_label) if node.label == WILDCARD else node
            for node in found.nodes
        )
        return found._replace(nodes=tuple(nodes))

    def remarks(self) -> Iterator[tuple[int, str]]:
        """Sentences that had to be mended to make them trees, and how."""
        if self.spans is None or self.forest.dependencies is None:
            return
        head, first_leaf = self.forest.dependencies.head, self.forest.first_leaf
        for sentence in mended(head, first_leaf, self.spans):
            rows = slice(first_leaf[sentence], first_leaf[sentence + 1])
            for remark in remarks(head[rows].tolist()):
                yield sentence, remark

    def tokens(self, sentence: int) -> tuple[Sequence[int], Sequence[int]] | None:
        """The token of each word, and each word's token as written, where the format has both."""
        anchors = self.forest.anchors
        if anchors is None or sentence >= len(self.forest):
            return None
        rows = slice(self.forest.first_leaf[sentence], self.forest.first_leaf[sentence + 1])
        return anchors.token[rows].tolist(), anchors.surface[rows].tolist()


def guess(name: str, source: bytes) -> str:
    """The format of a text, by its file's name if that says it, else by how it begins."""
    ending = name.rpartition(".")[2].lower()
    if ending == "ftrees":
        return ending
    if (named(name) or sniff(source)).annotation == "dependencies":
        return "conllu" if ending == "conllu" else "conll"
    return "ptb"


def read(
    source: bytes, symbols: Symbols, format_name: str, labels: LabelReading, head_label: str
) -> Treebank:
    """Read a text; ``labels`` says how Penn-style brackets are taken, others say it themselves."""
    if format_name in DEPENDENCIES:
        forest, problems = conll.read(source, symbols)
        assert forest.dependencies is not None
        spans = forest_spans(forest.dependencies.head, forest.first_leaf)
        return Treebank(forest, problems, None, head_label, spans)
    forest, problems = brackets.read(source, symbols)
    labels = _LABELS.get(format_name, labels)
    if labels is not LabelReading.CATEGORIES:
        # A word right below its function needs no tag.
        problems = [problem for problem in problems if problem.code != "untagged"]
    return Treebank(forest, problems, labels, head_label)
