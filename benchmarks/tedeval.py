"""TedEval by length: sentences of 300 words cost per word what short ones do.

Random dependency trees, a parse of each with some other heads. Beside it Zhang & Shasha's search
(``zss``), whose cost grows faster than the square of the length, up to where it is bearable. Best
of some turns; what is printed besides the times is their ratios, for the machine may be slow.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import zss
from treelens.tedeval.convert import dependency_nodes
from treelens.tedeval.evaluation import TedEvalOptions, evaluate
from treelens.tedeval.spans import sentence_spans
from treelens.tedeval.trees import FunctionTree, tree
from treelens.tedeval.versions import VERSIONS

LENGTHS = (10, 30, 100, 300, 1000, 10_000)
SEARCHED = 30
"""Words up to which the search is run."""
TURNS = 5


def main() -> None:
    print(f"{'words':>7} {'ms a sentence':>14} {'µs a word':>10}  search")
    for length in LENGTHS:
        gold, parse = _pair(length)
        options = TedEvalOptions(VERSIONS["2011"])
        ours = seconds(lambda: evaluate(parse, [gold], options))  # noqa: B023 — called at once
        line = f"{length:>7} {1e3 * ours:>14.3f} {1e6 * ours / length:>10.2f}"
        if length <= SEARCHED:
            trees = _searchable(parse), _searchable(gold)
            search = seconds(lambda: zss.simple_distance(*trees))  # noqa: B023 — called at once
            line += f"  {search / ours:.0f} times as long"
        print(line)


def seconds(work: Callable[[], object]) -> float:
    """The best of some turns."""
    best = float("inf")
    for _ in range(TURNS):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def _pair(length: int) -> tuple[FunctionTree, FunctionTree]:
    """A tree over so many words, and the same with every tenth head or so another one."""
    chance = random.Random(length)
    heads = [-1, *(chance.randrange(max(0, word - 5), word) for word in range(1, length))]
    others = [
        chance.randrange(word) if word and chance.random() < 0.1 else head
        for word, head in enumerate(heads)
    ]
    relations = [chance.choice("abcdef") for _ in heads]
    return _tree(heads, relations), _tree(others, relations)


def _tree(heads: list[int], relations: list[str]) -> FunctionTree:
    words = [f"w{word}" for word in range(len(heads))]
    nodes = dependency_nodes(sentence_spans(heads), relations, "*")
    return tree(words, [""] * len(words), nodes)


def _searchable(value: FunctionTree) -> zss.Node:
    root = zss.Node("root")
    opened = [(root, len(value.words))]
    for node in value.nodes:
        while opened[-1][1] <= node.first:
            opened.pop()
        below = zss.Node(node.label)
        opened[-1][0].addkid(below)
        opened.append((below, node.last))
    return root


if __name__ == "__main__":
    main()
