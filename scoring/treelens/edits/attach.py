"""A constituent or word of a tree moved under another constituent, its words where they are.

Only brackets move: the closing ones of what it comes out of or goes into, or the opening ones. So
it can go where no other word would come between: out of constituents that it begins or ends, and
into those that end before it or begin behind it. Whatever else is asked is refused, with the
reason.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from treelens.edits.brackets import TreeText, closed, untagged
from treelens.edits.text import Edit, Edits, ordered
from treelens.trees.tree import Node


class Refusal(NamedTuple):
    """Why something cannot be done, in a user's words."""

    reason: str


def attach(text: TreeText, index: int, target: int) -> Edits | Refusal:
    """Make a node a child of the target, the last or the first one; both by index."""
    node, there = text.node(index), text.node(target)
    if there.word is not None:
        return Refusal(f"{_name(there)} is a word, under which nothing can be: choose a bracket")
    up, down = text.tree.path(index), text.tree.path(target)
    if index in down:
        return Refusal(f"{_name(there)} is in {_name(node)} itself")
    if node.parent == target:
        return Refusal(f"{_name(node)} is directly under {_name(there)} already")
    if node.parent < 0:
        return Refusal(f"{_name(node)} is the root, which is under nothing")
    common = next(one for one in up if one in down)
    # What it comes out of and what it goes into, from the inside to the outside.
    out = [text.node(one) for one in up[1 : up.index(common)]]
    into = [text.node(one) for one in down[: down.index(common)]]
    for one in (*out, *into):
        if not closed(text, one):
            return Refusal(f"{_name(one)} has no closing bracket")
    emptied = next((one for one in out if len(one.children) == 1), None)
    if emptied is not None:
        return Refusal(f"{_name(emptied)} holds nothing else and would be empty")
    if not into:
        return _out_of(text, node, out)
    outermost = out[-1] if out else node
    if into[-1].end <= outermost.start:
        gap, beside = (into[-1].end, outermost.start), _all_end(text, into)
    else:
        gap, beside = (outermost.end, into[-1].start), _all_begin(text, into)
    if not beside or text.between(*gap).strip():
        return _apart(text, node, into[0])
    leftwards = into[-1].end <= outermost.start
    return (_leftwards if leftwards else _rightwards)(text, node, out, into)


def _name(node: Node) -> str:
    return f"“{node.word}”" if node.word is not None else node.label or "the bracket"


def _apart(text: TreeText, node: Node, there: Node) -> Refusal:
    low, high = min(node.last, there.last), max(node.first, there.first)
    words = text.tree.words[low:high]
    between = " ".join(words if len(words) < 5 else [*words[:2], "…", *words[-2:]])
    what = f"“{between}”" if between else "something else"
    return Refusal(
        f"{_name(node)} does not stand beside {_name(there)}: {what} is between them, and the "
        "words would change their order"
    )


def _out_of(text: TreeText, node: Node, out: Sequence[Node]) -> Edits | Refusal:
    """Out of constituents that it all begins, or all ends."""
    if _all_end(text, [node, *out]):
        return _ended(text, node, out, ())
    if _all_begin(text, [node, *out]):
        return _begun(text, node, out, ())
    return _middle(text, node, out)


def _leftwards(
    text: TreeText, node: Node, out: Sequence[Node], into: Sequence[Node]
) -> Edits | Refusal:
    """To the end of a constituent before it, out of constituents that it begins."""
    if not _all_begin(text, [node, *out]):
        return _apart(text, node, into[0])
    return _begun(text, node, out, into)


def _rightwards(
    text: TreeText, node: Node, out: Sequence[Node], into: Sequence[Node]
) -> Edits | Refusal:
    """To the beginning of a constituent behind it, out of constituents that it ends."""
    if not _all_end(text, [node, *out]):
        return _apart(text, node, into[0])
    if untagged(node):
        return Refusal(f"{_name(node)} has no tag: at the beginning it would be taken for one")
    return _ended(text, node, out, into)


def _all_begin(text: TreeText, nodes: Sequence[Node]) -> bool:
    """Whether each node is the first thing in the next one."""
    return all(text.node(up.children[0]) == one for one, up in itertools.pairwise(nodes))


def _all_end(text: TreeText, nodes: Sequence[Node]) -> bool:
    """Whether each node is the last thing in the next one."""
    return all(text.node(up.children[-1]) == one for one, up in itertools.pairwise(nodes))


def _middle(text: TreeText, node: Node, out: Sequence[Node]) -> Refusal:
    """It neither begins nor ends all that it would have to come out of."""
    chain = itertools.pairwise([node, *out])
    cut = (up for one, up in chain if not _all_begin(text, [one, up]))
    one = next(cut, out[-1])
    return Refusal(f"{_name(node)} stands inside of {_name(one)}, which would be cut in two")


def _begun(
    text: TreeText, node: Node, out: Sequence[Node], into: Sequence[Node]
) -> Edits | Refusal:
    """What it comes out of begins behind it, what it goes into ends there."""
    edits = [Edit(one.end - 1, one.end, b"") for one in into]
    edits.append(Edit(node.end, node.end, b")" * len(into)))
    if out:
        rest = text.node(out[0].children[1])
        if untagged(rest) and len(out[0].children) == 2:
            return Refusal(f"“{rest.word}” has no tag: {_name(out[0])} would be taken for it")
        opening = _opening(text, out, node.start)
        if opening is None:
            return Refusal("there is a comment in between")
        edits.append(Edit(out[-1].start, node.start, b""))
        edits.append(Edit(rest.start, rest.start, opening))
    return ordered(edits)


def _ended(
    text: TreeText, node: Node, out: Sequence[Node], into: Sequence[Node]
) -> Edits | Refusal:
    """What it comes out of ends before it, what it goes into begins there."""
    edits = [Edit(one.end - 1, one.end, b"") for one in out]
    if out:
        rest = text.node(out[0].children[-2])
        if untagged(rest) and len(out[0].children) == 2:
            return Refusal(f"“{rest.word}” has no tag: {_name(out[0])} would be taken for it")
        edits.append(Edit(rest.end, rest.end, b")" * len(out)))
    if into:
        first = text.node(into[0].children[0])
        opening = _opening(text, into, first.start)
        if opening is None:
            return Refusal("there is a comment in between")
        edits.append(Edit(into[-1].start, first.start, b""))
        edits.append(Edit(node.start, node.start, opening))
    return ordered(edits)


def _opening(text: TreeText, nodes: Sequence[Node], end: int) -> bytes | None:
    """The opening brackets of nodes inside each other, up to where something in the innermost
    starts; None if anything else is written there."""
    found = b""
    for one, inner in zip(reversed(nodes), [*reversed(nodes[:-1]), None], strict=True):
        start = inner.start if inner is not None else end
        if text.between(one.label_end, start).strip():
            return None
        found += text.between(one.start, one.label_end) + b" "
    return found
