"""Function trees written as brackets, and random ones, for the tests of TedEval."""

from __future__ import annotations

from hypothesis import strategies as st
from treelens.forest import Symbols, encode
from treelens.formats import brackets
from treelens.tedeval.convert import Labels, from_brackets
from treelens.tedeval.trees import Chains, Node, Tree, tree


def written(text: str, labels: Labels = Labels.AS_WRITTEN) -> Tree:
    """A tree from brackets; the topmost bracket of function trees is the root."""
    forest, problems = brackets.read(encode(text), Symbols())
    assert len(forest) == 1
    assert {problem.code for problem in problems} <= {"untagged"}
    return from_brackets(forest, 0, labels)


def shown(chains: Chains) -> dict[str, list[str]]:
    """Chains as the worked values are written: ``0-2`` for the span of the first two words."""
    return {f"{first}-{last}": list(chain) for (first, last), chain in sorted(chains.items())}


@st.composite
def trees(draw: st.DrawFn, words: int, labels: str = "abc", most: int = 7) -> Tree:
    """A random tree over so many words, unary chains and all."""
    nodes = _nodes(draw, 0, words, draw(st.integers(0, most)), labels)
    return tree([f"w{word}" for word in range(words)], [""] * words, nodes)


def _nodes(draw: st.DrawFn, first: int, last: int, most: int, labels: str) -> list[Node]:
    """Up to so many nodes within a stretch, one above or beside the other."""
    if not most or first == last:
        return []
    low = draw(st.integers(first, last - 1))
    high = draw(st.integers(low + 1, last))
    node = Node(draw(st.sampled_from(labels)), low, high)
    inside = draw(st.integers(0, most - 1))
    before = draw(st.integers(0, most - 1 - inside))
    return [
        node,
        *_nodes(draw, low, high, inside, labels),
        *_nodes(draw, first, low, before, labels),
        *_nodes(draw, high, last, most - 1 - inside - before, labels),
    ]
