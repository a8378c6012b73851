"""Variation by comparing every pair of occurrences: slow and obvious, from objects."""

from __future__ import annotations

from collections.abc import Iterator

from treelens.rules.parameters import bare, tag_name
from treelens.session.document import Document

Key = tuple[str, ...]
Seen = tuple[Key, str | None, tuple[int, tuple[int, ...]]]
"""A key, a label, and where: a sentence and words."""

ROOTS = ("", "TOP", "ROOT", "S1")


class Sentence:
    """One sentence's words without traces, tags, heads and brackets."""

    def __init__(self, document: Document, number: int) -> None:
        self.heads: list[int] | None = None
        self.relations: list[str] = []
        self.chains: dict[tuple[int, int], list[str]] = {}
        rows = document.dependency_tree(number)
        if rows is not None:
            kept = [k for k, word in enumerate(rows.words) if tag_name(word.tag) != "-NONE-"]
            new = {old: k for k, old in enumerate(kept)}
            words = [rows.words[k] for k in kept]
            self.words = [word.form for word in words]
            self.tags = [tag_name(word.tag) or "_" for word in words]
            self.columns = {
                "tags:xpos": [word.xpos or "_" for word in words],
                "tags:feats": [word.features for word in words],
                "tags:lemma": [word.lemma for word in words],
            }
            self.heads = [new.get(word.head, -9) if word.head >= 0 else word.head for word in words]
            self.relations = [word.relation or "_" for word in words]
            return
        tree = document.tree(number)
        leaves = [node for node in tree.nodes if node.word is not None]
        kept = [k for k, node in enumerate(leaves) if tag_name(node.label) != "-NONE-"]
        self.words = [str(leaves[k].word) for k in kept]
        self.tags = [tag_name(leaves[k].label) or "_" for k in kept]
        self.columns = {}
        for node in tree.nodes:
            inside = [new for new, old in enumerate(kept) if node.first <= old < node.last]
            if node.word is None and inside and bare(node.label) not in ROOTS:
                self.chains.setdefault((inside[0], inside[-1]), []).append(bare(node.label))

    def related(self, low: int, high: int) -> bool:
        """Whether two words could be."""
        return self.heads is not None and "PUNCT" not in (self.tags[low], self.tags[high])

    def relation(self, low: int, high: int) -> str | None:
        """The relation between two words, with the side on which the head is."""
        assert self.heads is not None
        if self.heads[high] == low:
            return self.relations[high] + "<"
        return self.relations[low] + ">" if self.heads[low] == high else None

    def around(self, low: int, high: int) -> Key | None:
        """The words from one to another, with those beside; "" is an edge."""
        words = ["", *self.words, ""][low : high + 3]
        return None if any(word and not word.strip("_") for word in words) else tuple(words)


def _normal(key: Key) -> Key:
    return tuple({"-LRB-": "(", "-RRB-": ")"}.get(word, word) for word in key)


def seen(document: Document, kind: str, distance: int = 7) -> Iterator[Seen]:
    """All that could be an occurrence; with no label: not annotated at all."""
    sentences = [Sentence(document, number) for number in range(len(document))]
    strings = {
        _normal(key)
        for sentence in sentences
        for low, high in sentence.chains
        if (key := sentence.around(low, high))
    }
    for number, sentence in enumerate(sentences):
        size = len(sentence.words)
        for low in range(size):
            if kind.startswith("tags"):
                key = sentence.around(low, low)
                column = sentence.columns.get(kind)
                if kind == "tags" and key:
                    yield key, sentence.tags[low], (number, (low,))
                elif key and column:
                    yield (*key, sentence.tags[low]), column[low], (number, (low,))
                continue
            for high in range(low, size):
                key = sentence.around(low, high)
                if key is None:
                    continue
                if kind == "brackets":
                    if _normal(key) in strings:
                        chain = sentence.chains.get((low, high))
                        yield key, chain and " ".join(chain), (number, (low, high))
                elif low < high <= low + distance and sentence.related(low, high):
                    yield key, sentence.relation(low, high), (number, (low, high))


def varied(document: Document, kind: str, distance: int = 7) -> dict[Key, set[Seen]]:
    """The occurrences that disagree with another one, by key."""
    everything = list(seen(document, kind, distance))
    found: dict[Key, set[Seen]] = {}
    for key, label, place in everything:
        same = [one for one in everything if _normal(one[0]) == _normal(key)]
        if any(other != label for _, other, _ in same):
            found.setdefault(_normal(key), set()).add((_normal(key), label, place))
    return found
