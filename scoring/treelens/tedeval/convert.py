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
from collections.abc import Callable, Iterator, Sequence

from treelens.forest import ROOT, Forest
from treelens.parameters import TRACE, bare, tag_name
from treelens.tedeval.trees import Node, Span, Tree, tree


class Labels(enum.Enum):
    """How the labels of brackets are read."""

    CATEGORIES = "categories"
    FUNCTIONS = "functions"
    RELATIONAL = "relational-realisational"
    AS_WRITTEN = "function trees"


def from_dependencies(forest: Forest, sentence: int, head_label: str) -> Tree:
    """One sentence of a format with heads; ``head_label`` is ``*`` (2011) or ``hd`` (2012)."""
    if forest.rows is None:
        raise ValueError("a forest without heads")
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    names = forest.symbols.labels
    relations = [names[label] for label in forest.rows.relation[rows].tolist()]
    nodes = dependency_nodes(forest.rows.head[rows].tolist(), relations, head_label)
    tags = (tag_name(names[tag]) for tag in forest.tag[rows].tolist())
    return tree(forest.words(sentence), tags, nodes)


def dependency_nodes(
    heads: Sequence[int], relations: Sequence[str], head_label: str
) -> Iterator[Node]:
    """The nodes of a dependency tree; heads are word numbers from 0, or ``ROOT``."""
    for word, ((first, last), relation) in enumerate(
        zip(dependency_spans(heads), relations, strict=True)
    ):
        yield Node(relation, first, last)
        if last - first > 1:
            yield Node(head_label, word, word + 1)


def dependency_spans(heads: Sequence[int]) -> list[Span]:
    """The words that hang together with each word below it; linear, whatever the heads are.

    The stretch around a word that it dominates without a gap. In a projective tree that is all
    that it dominates. In another, whatever lies beyond a gap counts as lifted: it hangs at the
    lowest word above whose own stretch reaches it. So the spans are always those of a tree.
    A cycle hangs at the root by its first word; so do words whose head is none.
    """
    heads = without_cycles(heads)
    order, size = _pre_order(heads)
    place = [0] * len(heads)
    for at, word in enumerate(order):
        place[word] = at
    # The largest stretch so far that starts, or that ends, at each word.
    stretch_end = [word + 1 for word in range(len(heads))]
    stretch_start = list(range(len(heads)))
    spans: list[Span] = [(0, 0)] * len(heads)
    for word in reversed(order):  # what hangs below a word comes before it
        low, high = place[word], place[word] + size[word]
        last = word + 1
        while last < len(heads) and low < place[last] < high:
            last = stretch_end[last]
        first = word
        while first > 0 and low < place[first - 1] < high:
            first = stretch_start[first - 1]
        stretch_end[first], stretch_start[last - 1] = last, first
        spans[word] = (first, last)
    return spans


def without_cycles(heads: Sequence[int]) -> list[int]:
    """The heads, with ``ROOT`` for the first word of each cycle, and for heads that are none."""
    found = [head if 0 <= head < len(heads) else ROOT for head in heads]
    walk = [-1] * len(found)  # which walk towards the root came by
    for start in range(len(found)):
        word = start
        while word != ROOT and walk[word] < 0:
            walk[word] = start
            word = found[word]
        if word != ROOT and walk[word] == start:
            found[min(_cycle(found, word))] = ROOT
    return found


def _cycle(heads: Sequence[int], word: int) -> list[int]:
    cycle = [word]
    while heads[cycle[-1]] != word:
        cycle.append(heads[cycle[-1]])
    return cycle


def _pre_order(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """Words with each before all below it, and how many each has below it, itself included."""
    below: list[list[int]] = [[] for _ in heads]
    waiting: list[int] = []
    for word, head in enumerate(heads):
        (waiting if head == ROOT else below[head]).append(word)
    order = []
    while waiting:
        word = waiting.pop()
        order.append(word)
        waiting += below[word]
    size = [1] * len(heads)
    for word in reversed(order):
        if heads[word] != ROOT:
            size[heads[word]] += size[word]
    return order, size


def remarks(forest: Forest, sentence: int) -> list[str]:
    """What is not as in a projective tree with one root, and what becomes of it, in words."""
    if forest.rows is None:
        return []
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    heads = forest.rows.head[rows].tolist()
    mended = without_cycles(heads)
    found = []
    headless = sum(not 0 <= head < len(heads) and head != ROOT for head in heads)
    if headless:
        found.append(
            f"{_count(headless, 'word')} without a head in the sentence, put below the root"
        )
    cycles = sum(before != ROOT == after for before, after in zip(heads, mended, strict=True))
    if cycles - headless:
        found.append(f"{_count(cycles - headless, 'cycle')}, cut at its first word")
    lifted = _lifted(mended)
    if lifted:
        found.append(f"not projective: {_count(lifted, 'word')} lifted")
    return found


def _lifted(heads: Sequence[int]) -> int:
    """How many words hang beyond a gap of their head."""
    spans = dependency_spans(heads)
    return sum(
        head != ROOT and not spans[head][0] <= word < spans[head][1]
        for word, head in enumerate(heads)
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- brackets ------------------------------------------------------------------------------


def from_brackets(forest: Forest, sentence: int, labels: Labels) -> Tree:
    """One sentence of a format with brackets."""
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    names = forest.symbols.labels
    tags = [names[tag] for tag in forest.tag[rows].tolist()]
    place, spoken = [0], []
    for word, tag in enumerate(tags):
        if tag_name(tag) != TRACE:
            spoken.append(word)
        place.append(len(spoken))
    words = forest.words(sentence)
    read = _READERS[labels]
    nodes = [
        Node(label, place[first], place[last])
        for name, first, last in _bracket_spans(forest, sentence, labels, names, tags)
        if place[first] < place[last]
        for label in read(name)
    ]
    return tree((words[word] for word in spoken), (tag_name(tags[word]) for word in spoken), nodes)


def _bracket_spans(
    forest: Forest, sentence: int, labels: Labels, names: list[str], tags: list[str]
) -> Iterator[tuple[str, int, int]]:
    """The constituents, and the words' own brackets where these say a function."""
    top = labels in (Labels.CATEGORIES, Labels.AS_WRITTEN)
    end = forest.first_node[sentence + 1]
    nodes = slice(forest.first_node[sentence] + top, end)
    columns = (forest.label, forest.first, forest.last)
    for label, first, last in zip(*(column[nodes].tolist() for column in columns), strict=True):
        yield names[label], first, last
    alone = labels is Labels.AS_WRITTEN and nodes.start > end  # the root right over a word
    if labels is not Labels.CATEGORIES and not alone:
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


_READERS: dict[Labels, Callable[[str], list[str]]] = {
    Labels.CATEGORIES: lambda label: [bare(label)],
    Labels.FUNCTIONS: functions,
    Labels.RELATIONAL: _slot,
    Labels.AS_WRITTEN: lambda label: [label] if label else [],
}
