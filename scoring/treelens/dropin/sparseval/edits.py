"""Edited speech (``EDITED``), made the same in both trees before they are compared.

After Charniak & Johnson (2001): an edited stretch has no structure inside, stands beside the
phrases that it began or ended, and is one with an edited stretch next to it.
"""

from __future__ import annotations

from treelens.dropin.sparseval.reading import Node, Tree


def normalise(tree: Tree) -> None:
    """Flatten edited nodes, raise them from the edges of phrases, and join neighbours."""
    if not tree.has_edits:
        return
    _flatten(tree.root)
    # Nodes that are now out of the tree are still listed, and change nothing in it.
    for node in reversed(tree.nodes):
        if node.children and not node.edited:
            node.children = _raised(node)
    for node in tree.nodes:
        if node.children and not node.edited:
            node.children = _joined(node.children)
    tree.list_again()


def _flatten(root: Node) -> None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.edited and node.children:
            inside = Tree(node)
            inside.list_again()
            node.children = [each for each in inside.nodes if not each.children]
        else:
            waiting += node.children


def _raised(node: Node) -> list[Node]:
    """The children, with those edited ones between them that were at the edges inside."""
    children: list[Node] = []
    for child in node.children:
        if child.edited or not child.children:
            children.append(child)
            continue
        inside = child.children
        start, end = 0, len(inside)
        while start < end and inside[start].edited:
            start += 1
        while end > start and inside[end - 1].edited:
            end -= 1
        child.children = inside[start:end]
        children += inside[:start]
        if child.children:
            children.append(child)
        children += inside[end:]
    return children


def _joined(children: list[Node]) -> list[Node]:
    """Edited neighbours as one, with the label of the first.

    An edited word without a bracket inside stays for itself: it has nothing to join.
    """
    kept: list[Node] = []
    for child in children:
        last = kept[-1] if kept else None
        if last and last.edited and child.edited and last.children and child.children:
            last.children += child.children
        else:
            kept.append(child)
    return kept
