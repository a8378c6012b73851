"""What is said about the place under the mouse: a node and what the other file has there, a
sentence and its numbers, and at the first sentence the whole file's."""

from __future__ import annotations

from typing import NamedTuple

from treelens.forest import decode
from treelens.present.counterpart import Match, matching, node_at
from treelens.present.lenses import counts
from treelens.present.names import escaped, isolated, short_name
from treelens.present.numbers import beside, table, worse_sentences
from treelens.present.status import totals
from treelens.session.document import Document
from treelens.session.session import Counterpart, Snapshot
from treelens.tree import Node, Tree

_WORDS = 12


class Hover(NamedTuple):
    start: int
    end: int
    markdown: str


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """About the innermost node at an offset; about the sentence at its top and beside it."""
    at = node_at(snapshot, offset)
    if at is None:
        return None
    sentence, node = at
    tree = snapshot.tree(sentence)
    if _is_top(tree, node):
        return Hover(node.start, node.label_end, "\n\n".join(_sentence(snapshot, sentence)))
    parts = [_node(tree, node)]
    for other in snapshot.counterparts:
        match = matching(other, sentence, node)
        parts.append(f"**{escaped(short_name(other.name))}** {_there(other, node, match)}")
    end = node.end if node.word is not None else node.label_end
    return Hover(node.start, end, "\n\n".join(parts))


def _is_top(tree: Tree, node: Node) -> bool:
    """Whether a node stands for its sentence: the root, or what a root without a label holds."""
    root = tree.nodes[0]
    below = not root.label and len(root.children) == 1 and tree.nodes[root.children[0]] is node
    return node is root or (below and node.word is None)


def _node(tree: Tree, node: Node) -> str:
    words = tree.words
    if node.word is not None:
        place = f"word {node.first + 1} of {len(words)}"
        return f"**{escaped(node.label or 'no tag')}** “{isolated(escaped(node.word))}” · {place}"
    count = node.last - node.first
    place = f"words {node.first + 1}–{node.last} of {len(words)}" if count != 1 else "1 word"
    return (
        f"**{escaped(node.label or '( )')}** · {place}\n\n{quoted(words[node.first : node.last])}"
    )


def _there(other: Counterpart, node: Node, match: Match | None) -> str:
    """What the other file has for a node, after its name."""
    if match is None:
        return "has nothing of this sentence"
    there = match.node
    label = f"**{escaped(there.label or '( )')}**"
    if match.kind == "same" and node.word is not None:
        if there.word == node.word and there.label == node.label:
            return "has the same word and tag"
        return f"has {label} “{isolated(escaped(there.word or ''))}” here"
    if match.kind == "same":
        return "has the same bracket" if there.label == node.label else f"has {label} here"
    if match.kind == "other label":
        return f"has {label} here"
    what = "word" if node.word is not None else "bracket"
    line = _text(other.document, there, match)
    return f"has no such {what}; the smallest around its words is {label}\n\n{line}"


def _text(document: Document, there: Node, match: Match) -> str:
    words = document.tree(match.sentence).words
    return quoted(words[there.first : there.last])


def _sentence(snapshot: Snapshot, sentence: int) -> list[str]:
    words = snapshot.tree(sentence).words
    comment = _comment(snapshot, sentence)
    title = f"**Sentence {sentence + 1:,}** of {len(snapshot.document):,} · {len(words)} words"
    parts = [title + (f" · {escaped(comment)}" if comment else ""), quoted(words)]
    for other in snapshot.counterparts:
        group = other.pair.group_of(other.side, sentence)
        name = f"against **{escaped(short_name(other.name))}**: {' · '.join(counts(other, group))}"
        scores = other.pair.scores(group)
        parts += [name, table(scores), beside(scores)]
        worse = worse_sentences(other.pair, group) if other.complete else None
        if worse is not None:
            parts.append(f"{worse:,} of {len(other.pair):,} sentences have a lower F1")
        if sentence == 0 and other.complete:
            parts += ["---", "**All sentences**", totals(other.pair)]
    return parts


def _comment(snapshot: Snapshot, sentence: int) -> str:
    """What stands on the line before a tree, where files write ids."""
    start = int(snapshot.document.start[sentence])
    above = decode(snapshot.document.text(start, snapshot.tree(sentence).start)).strip()
    return above.splitlines()[-1][:80] if above else ""


def quoted(words: list[str]) -> str:
    """Words as a Markdown quotation, the middle left out where there are many."""
    if len(words) > _WORDS:
        half = _WORDS // 2
        words = [*words[:half], "…", *words[-half:]]
    return f"> {isolated(escaped(' '.join(words)))}"
