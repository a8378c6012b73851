"""Trees and dependency graphs of NLTK, from texts and as texts; NLTK is loaded when it is used.

>>> import treelens
>>> treelens.to_nltk("(S (NP (DT a)) (VP (VB b)))")[0].leaves()
['a', 'b']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from treelens.formats.table import named
from treelens.session.document import document
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import NOWHERE, Symbols, encode
from treelens.trees.tree import Tree as Sentence

if TYPE_CHECKING:
    from nltk.parse.dependencygraph import DependencyGraph
    from nltk.tree import Tree

_BLANK = re.compile(r"[ \t\n\v\f\r]")  # (other Unicode blanks are of a word)
_ESCAPED = str.maketrans({"(": "-LRB-", ")": "-RRB-"})


def to_nltk(text: str | bytes, name: str = "") -> list[Tree | DependencyGraph]:
    """The sentences of a text: ``nltk.Tree`` of brackets, ``DependencyGraph`` of CoNLL tables.

    name: of the file, whose ending may say the format. What is wrong in the text is mended as
    everywhere here (:func:`treelens.score` says what). A word without a tag is a leaf of its
    constituent; a word without a head has the head None, and hangs nowhere.
    """
    source = encode(text) if isinstance(text, str) else text
    read = document(source, Symbols(), named(name))
    found: list[Tree | DependencyGraph] = []
    for sentence in range(len(read)):
        table = read.dependency_tree(sentence)
        found.append(_tree(read.tree(sentence)) if table is None else _graph(table))
    return found


def from_nltk(sentences: Iterable[Tree | DependencyGraph]) -> str:
    """A text that can be scored: a bracketed tree a line, or tables of CoNLL-U.

    Brackets in words are written ``-LRB-`` and ``-RRB-``. Raises TypeError for trees and graphs
    together, ValueError for a word or a label that cannot be written (one with a blank in it).
    """
    from nltk.tree import Tree

    found = list(sentences)
    trees = [one for one in found if isinstance(one, Tree)]
    if trees and len(trees) < len(found):
        raise TypeError("trees and dependency graphs are two formats: not in one text")
    if trees:
        return "".join(f"{_written(one)}\n" for one in trees)
    return "".join("".join(_rows(one)) + "\n" for one in found)


def _tree(sentence: Sentence) -> Tree:
    from nltk.tree import Tree

    made: dict[int, Any] = {}
    # (From the last node up, not by recursion: a text may be as deep as it likes.)
    for index in reversed(range(len(sentence.nodes))):
        node = sentence.nodes[index]
        if node.word is None:
            made[index] = Tree(node.label, [made[child] for child in node.children])
        else:
            made[index] = Tree(node.label, [node.word]) if node.label else node.word
    top = made.get(0)
    return top if isinstance(top, Tree) else Tree("", [] if top is None else [top])


def _graph(table: DependencyTree) -> DependencyGraph:
    from nltk.parse.dependencygraph import DependencyGraph

    graph = DependencyGraph()
    for address, word in enumerate(table.words, 1):
        node = graph.nodes[address]
        node.update(address=address, word=word.form, lemma=word.lemma, ctag=word.tag)
        node.update(tag=word.xpos, feats=word.features, rel=word.relation)
        node["head"] = None if word.head == NOWHERE else word.head + 1
        if word.head != NOWHERE:
            graph.nodes[word.head + 1]["deps"][word.relation].append(address)
        if word.head == -1 and graph.root is None:
            graph.root = node
    return graph


def _written(tree: Tree) -> str:
    from nltk.tree import Tree

    parts: list[str] = []
    waiting: list[Any] = [tree]
    while waiting:
        one = waiting.pop()
        if one is _CLOSE:
            parts.append(")")
        elif isinstance(one, Tree):
            parts.append(f" ({_plain(one.label())}")
            waiting += [_CLOSE, *reversed(one)]
        else:
            parts.append(f" {_plain(one)}")
    return "".join(parts).strip()


_CLOSE = object()


def _plain(name: object) -> str:
    text = str(name).translate(_ESCAPED)
    if _BLANK.search(text):
        raise ValueError(f"“{text}” has a blank in it, and cannot be written in brackets")
    return text


def _rows(graph: DependencyGraph) -> Iterator[str]:
    for address in sorted(one for one in graph.nodes if one):
        node = graph.nodes[address]
        head = node["head"]
        cells = [address, node["word"], node["lemma"], node["ctag"], node["tag"], node["feats"]]
        cells += [head, node["rel"], None, None]
        written = ["_" if cell in (None, "") else str(cell) for cell in cells]
        if any("\t" in cell or "\n" in cell or "\r" in cell for cell in written):
            raise ValueError(f"word {address} has a tab or a line break in it")
        yield "\t".join(written) + "\n"
