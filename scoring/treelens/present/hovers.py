"""What is said about the place under the mouse: a node and what the other file has there, a
sentence and its numbers, and at the first sentence the whole file's."""

from __future__ import annotations

from typing import NamedTuple

from treelens.metrics import headlines
from treelens.present.alignment import sentences_together
from treelens.present.counterpart import Match, matching, node_at
from treelens.present.lenses import counts
from treelens.present.lines import line_at, sentence_id
from treelens.present.names import isolated, quoted, short_name
from treelens.present.numbers import other_metrics, table, worse_sentences
from treelens.present.revisions import side_names
from treelens.present.status import totals
from treelens.present.word_hovers import about_part, about_word, other_words, unlike_morphology
from treelens.render.markdown import escaped
from treelens.session.document import Document
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import FORM, ID, decode
from treelens.trees.tree import Node, Tree


class Hover(NamedTuple):
    start: int
    end: int
    markdown: str


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """About the node or the word at an offset; about the sentence at its top and beside it."""
    at = node_at(snapshot, offset)
    if at is None:
        return None
    sentence, node = at
    table = snapshot.dependency_tree(sentence)
    if table is not None:
        return _in_table(snapshot, sentence, table, offset)
    tree = snapshot.tree(sentence)
    if _is_top(tree, node):
        return Hover(node.start, node.label_end, _sentence(snapshot, sentence))
    parts = [_node(tree, node)]
    for other in snapshot.counterparts:
        there = _there(other, sentence, node)
        parts.append(f"**{escaped(short_name(other.name))}** {there}")
    end = node.end if node.word is not None else node.label_end
    return Hover(node.start, end, "\n\n".join(parts))


def _in_table(
    snapshot: Snapshot, sentence: int, table: DependencyTree, offset: int
) -> Hover | None:
    line = line_at(snapshot.document, offset)
    place = table.word_at(offset)
    if place is not None:
        word = table.words[place]
        span = word.fields[word.column(offset)]
        # Without a comment above there is no other place to ask about the sentence.
        if not (place == 0 and word.start == table.start and word.column(offset) == ID):
            about = about_word(snapshot, sentence, table, place)
            return Hover(*(span if span[0] < span[1] else word.fields[FORM]), about)
    elif line.kind in ("token", "empty node"):
        return Hover(line.start, line.end, about_part(snapshot, sentence, table, line))
    end = line.end if line.kind == "comment" else max(line.start, offset)
    return Hover(line.start, end, _sentence(snapshot, sentence))


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


def _there(other: Counterpart, sentence: int, node: Node) -> str:
    """What the other file has for a node, after its name."""
    match = matching(other, sentence, node)
    if match is None:
        return "has nothing of this sentence"
    there = match.node
    label = f"**{escaped(there.label or '( )')}**"
    if match.kind == "same" and node.word is not None:
        otherwise = unlike_morphology(other, sentence, node.row)
        if not otherwise and there.word == node.word and there.label == node.label:
            return "has the same word and tag"
        told = f"\n\n{otherwise}" if otherwise else ""
        return f"has {label} “{isolated(escaped(there.word or ''))}” here{told}"
    if match.kind == "same":
        return "has the same bracket" if there.label == node.label else f"has {label} here"
    if match.kind == "other label":
        return f"has {label} here"
    if node.word is not None:
        return other_words(other, sentence, node.row)
    line = _text(other.document, there, match)
    return f"has no such bracket; the smallest around its words is {label}\n\n{line}"


def _text(document: Document, there: Node, match: Match) -> str:
    words = document.tree(match.sentence).words
    return quoted(words[there.first : there.last])


def _sentence(snapshot: Snapshot, sentence: int) -> str:
    """A sentence's numbers, as Markdown; the first one's with those of the file."""
    words = snapshot.tree(sentence).words
    comment = _comment(snapshot, sentence)
    count = "1 word" if len(words) == 1 else f"{len(words)} words"
    title = f"**Sentence {sentence + 1:,}** of {len(snapshot.document):,} · {count}"
    parts = [title + (f" · {escaped(comment)}" if comment else ""), quoted(words)]
    for other in snapshot.counterparts:
        group = other.pair.group_of(other.side, sentence)
        said = " · ".join(counts(other, group, side_names(snapshot.name, other)))
        name = f"against **{escaped(short_name(other.name))}**: {escaped(said)}"
        scores = other.pair.scores(group)
        parts += [name, escaped(sentences_together(other, sentence))]
        parts += [table(scores), other_metrics(scores), _rank(other, group)]
        if sentence == 0 and other.complete:
            parts += ["---", "**All sentences**", totals(other.pair)]
    return "\n\n".join(filter(None, parts))


def _rank(other: Counterpart, group: int) -> str:
    worse = worse_sentences(other.pair, group) if other.complete else None
    if worse is None:
        return ""
    score = headlines(other.pair.metrics)[0].headline
    return f"{worse:,} of {len(other.pair):,} sentences have a lower {score}"


def _comment(snapshot: Snapshot, sentence: int) -> str:
    """What a sentence is called: a table's ``sent_id``, or what stands above a tree."""
    if snapshot.dependency_tree(sentence) is not None:
        return sentence_id(snapshot.document, sentence)
    start = int(snapshot.document.start[sentence])
    above = decode(snapshot.document.text(start, snapshot.tree(sentence).start)).strip()
    return above.splitlines()[-1][:80] if above else ""
