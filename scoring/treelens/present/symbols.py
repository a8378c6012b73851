"""The outline: all of a small file, whatever is in view; of another, a line for each sentence near
the view, with the constituents or the words of the nearest."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple

from treelens.present.lines import sentence_id
from treelens.present.names import opening
from treelens.present.parts import Part, of_sentence
from treelens.present.window import is_near, near
from treelens.session.session import Snapshot
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import FORM
from treelens.trees.tree import Tree

NODES = 200
"""Constituents, or words of tables, in an outline, give or take those of one sentence."""

_WHOLE = 2000
"""Of these at most, in few sentences, the outline has all."""

_WORDS = 8
_DEEPEST = 60
"""A tree nested past this is cut off: clients walk an outline recursively."""


class Symbol(NamedTuple):
    name: str
    detail: str
    kind: Literal["sentence", "constituent", "word"]
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[Symbol, ...] = ()


def symbols(snapshot: Snapshot) -> list[Symbol]:
    """The sentences near the view, in text order."""
    return [symbol for part in parts(snapshot) for symbol in part.make()]


def parts(snapshot: Snapshot) -> list[Part[Symbol]]:
    """The same as parts, a sentence each."""
    sentences = near(snapshot.visible, len(snapshot.document))
    middles = [(one.start + one.stop - 1) / 2 for one in snapshot.visible.stretches]
    remaining = _WHOLE if is_near(len(snapshot.document)) else NODES
    full = set()
    for sentence in sorted(sentences, key=lambda k: min(abs(k - one) for one in middles)):
        if remaining <= 0:
            break
        full.add(sentence)
        remaining -= _size(snapshot, sentence)
    return [
        of_sentence(snapshot, k, (k in full,), partial(_sentence, snapshot, k, k in full))
        for k in sentences
    ]


def _sentence(snapshot: Snapshot, sentence: int, with_children: bool) -> list[Symbol]:
    forest, row, shift = snapshot.document.piece(sentence)
    start, end = (forest.tree[row] + shift).tolist()
    first, last = forest.first_leaf[row : row + 2].tolist()
    text = opening(snapshot.document, sentence, _WORDS)
    children = _children(snapshot, sentence) if with_children else ()
    count = "1 word" if last - first == 1 else f"{last - first} words"
    name = sentence_id(snapshot.document, sentence) if forest.layout == "rows" else ""
    detail = f"{name} · {count}" if name else count
    name = f"{sentence + 1}: {text}"
    return [Symbol(name, detail, "sentence", start, end, start, start + 1, children)]


def _size(snapshot: Snapshot, sentence: int) -> int:
    """How many constituents a sentence has, or words if it has dependencies."""
    forest, row, _ = snapshot.document.piece(sentence)
    first = forest.first_node if forest.dependencies is None else forest.first_leaf
    return int(first[row + 1] - first[row])


def _children(snapshot: Snapshot, sentence: int) -> tuple[Symbol, ...]:
    table = snapshot.dependency_tree(sentence)
    return _constituents(snapshot.tree(sentence)) if table is None else _words(table)


def _words(table: DependencyTree) -> tuple[Symbol, ...]:
    """The words in text order: heads and dependents do not nest as lines do."""
    found = []
    for word in table.words:
        head = f" ← {table.words[word.head].form}" if word.head >= 0 else ""
        detail = f"{word.tag} · {word.relation}{head}".strip(" ·")
        span = word.fields[FORM]
        name = word.form or word.number or "–"
        found.append(Symbol(name, detail, "word", word.start, word.end, *span))
    return tuple(found)


def _constituents(tree: Tree) -> tuple[Symbol, ...]:
    """The constituents, built from the last one up: no recursion, however deep the tree."""
    built: dict[int, list[Symbol]] = {}
    depth = [0] * len(tree.nodes)
    for index, node in enumerate(tree.nodes):
        depth[index] = depth[node.parent] + 1 if node.parent >= 0 else 0
    words = tree.words
    for index in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[index]
        if node.word is not None or depth[index] > _DEEPEST:
            continue
        if node.parent < 0 and not node.label:
            # The root that Penn-style files write without a label would tell nothing.
            return tuple(reversed(built.get(index, [])))
        shown = words[node.first : min(node.last, node.first + _WORDS)]
        text = " ".join(shown) + (" …" if node.last - node.first > _WORDS else "")
        symbol = Symbol(
            node.label or "–",
            text,
            "constituent",
            node.start,
            node.end,
            node.label_start,
            node.label_end,
            tuple(reversed(built.pop(index, []))),
        )
        built.setdefault(node.parent, []).append(symbol)
    return tuple(reversed(built.get(-1, [])))
