"""Any framework's trees as function trees, so that they can be compared.

* **Dependencies** (EMNLP 2011): a word's node spans the word with all that depends on it and
  bears its relation; a word with dependents has a head daughter besides, over itself alone.
* **Penn-style brackets**: labels are the dash functions (EACL 2012), one node for each, and a
  constituent without a function is no node; or the categories (ACL 2012).
* **Relational-realisational trees** (Tsarfaty & Sima'an 2008): of the three layers only the
  slots remain. Read is: ``SBJ@S`` (a slot: its function is the label); ``{SBJ,PRD}@S`` (a
  projection), ``SBJ:PRD@S`` (a place between slots) and labels without ``@`` (categories, the
  realisations) are no nodes. No specification of files could be had; this is the papers' way
  of writing nodes.
* **Function trees** (``.ftrees``): brackets whose labels are functions; the topmost is the root.

Indices (``NP-SBJ-1``, ``=2``) and SPMRL features (``##…##``) are no functions. Traces are no
words, and what holds nothing else is no node.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from treelens.rules.parameters import TRACE, bare, tag_name
from treelens.tedeval.spans import WordSpans
from treelens.tedeval.trees import FunctionNode, FunctionTree, Span, tree
from treelens.trees.forest import Forest


class LabelReading(enum.Enum):
    """How the labels of brackets are read."""

    CATEGORIES = "categories"
    FUNCTIONS = "functions"
    RELATIONAL = "relational-realisational"
    AS_WRITTEN = "function trees"


def from_dependencies(
    forest: Forest, sentence: int, spans: WordSpans, head_label: str
) -> FunctionTree:
    """One sentence of a format with heads; ``head_label`` is ``*`` (2011) or ``hd`` (2012).

    ``spans`` are those of the forest, which has heads.
    """
    assert forest.dependencies is not None
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    names = forest.symbols.labels
    relations = [names[label] for label in forest.dependencies.relation[rows].tolist()]
    found = zip(spans.first[rows].tolist(), spans.last[rows].tolist(), strict=True)
    tags = (tag_name(names[tag]) for tag in forest.tag[rows].tolist())
    return tree(forest.words(sentence), tags, dependency_nodes(found, relations, head_label))


def dependency_nodes(
    spans: Iterable[Span], relations: Sequence[str], head_label: str
) -> Iterator[FunctionNode]:
    """The nodes of a dependency tree, from the span and the relation of each word."""
    for word, ((first, last), relation) in enumerate(zip(spans, relations, strict=True)):
        yield FunctionNode(relation, first, last)
        if last - first > 1:
            yield FunctionNode(head_label, word, word + 1)


# --- brackets ------------------------------------------------------------------------------


def from_brackets(forest: Forest, sentence: int, labels: LabelReading) -> FunctionTree:
    """One sentence of a format with brackets."""
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    names = forest.symbols.labels
    tags = [names[tag] for tag in forest.tag[rows].tolist()]
    words, read = forest.words(sentence), _READERS[labels]
    brackets = _bracket_spans(forest, sentence, labels, names, tags)
    nodes = (FunctionNode(label, *span) for name, *span in brackets for label in read(name))
    overt, tag = [word for word, tag in enumerate(tags) if _is_overt(tag)], _TAGS[labels]
    return tree((words[word] for word in overt), (tag(tags[word]) for word in overt), nodes)


def bracketed_spans(forest: Forest, sentence: int, labels: LabelReading) -> set[Span]:
    """What has a bracket of its own, whether that is a node with a label or with none."""
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    names = forest.symbols.labels
    tags = [names[tag] for tag in forest.tag[rows].tolist()]
    brackets = _bracket_spans(forest, sentence, labels, names, tags)
    return {(first, last) for name, first, last in brackets if name or last - first > 1}


def _is_overt(tag: str) -> bool:
    return tag_name(tag) != TRACE


def _bracket_spans(
    forest: Forest, sentence: int, labels: LabelReading, names: list[str], tags: list[str]
) -> Iterator[tuple[str, int, int]]:
    """The constituents, and the words' own brackets where these say a function, that hold any
    word; words that are traces take no room."""
    place = list(accumulate(map(_is_overt, tags), initial=0))
    for name, first, last in _every_bracket(forest, sentence, labels, names, tags):
        if place[first] < place[last]:
            yield name, place[first], place[last]


def _every_bracket(
    forest: Forest, sentence: int, labels: LabelReading, names: list[str], tags: list[str]
) -> Iterator[tuple[str, int, int]]:
    top = labels in (LabelReading.CATEGORIES, LabelReading.AS_WRITTEN)
    end = forest.first_node[sentence + 1]
    nodes = slice(forest.first_node[sentence] + top, end)
    columns = (forest.label, forest.first, forest.last)
    for label, first, last in zip(*(column[nodes].tolist() for column in columns), strict=True):
        yield names[label], first, last
    alone = labels is LabelReading.AS_WRITTEN and nodes.start > end  # the root right over a word
    if labels is not LabelReading.CATEGORIES and not alone:
        yield from ((tag, word, word + 1) for word, tag in enumerate(tags))


_FUNCTION_MARKS = re.compile("[-=]")


def functions(label: str) -> list[str]:
    """The dash functions of a label: of ``NP-LOC-PRD-1`` LOC and PRD."""
    label = tag_name(label)
    if label.startswith("-"):
        return []
    parts = _FUNCTION_MARKS.split(label)[1:]
    return [part for part in parts if part and not part.isdigit()]


def _slot(label: str) -> list[str]:
    function, mark, _ = tag_name(label).partition("@")
    is_slot = mark and function and not set(function) & set("{},:")
    return [function] if is_slot else []


_READERS: dict[LabelReading, Callable[[str], list[str]]] = {
    LabelReading.CATEGORIES: lambda label: [bare(label)],
    LabelReading.FUNCTIONS: functions,
    LabelReading.RELATIONAL: _slot,
    LabelReading.AS_WRITTEN: lambda label: [label] if label else [],
}

_TAGS: dict[LabelReading, Callable[[str], str]] = {
    LabelReading.CATEGORIES: tag_name,
    LabelReading.FUNCTIONS: bare,
    LabelReading.RELATIONAL: lambda label: "" if "@" in label else tag_name(label),
    LabelReading.AS_WRITTEN: lambda label: "",
}
"""The part-of-speech tag in a word's label. In function trees there is none."""
