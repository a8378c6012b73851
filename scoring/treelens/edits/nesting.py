"""Which constituents a sentence of brackets has, as spans of its words: moved, put in, taken out.

No word moves, so that a tree is its constituents in the order in which they open. What comes of it
is written where it differs, bracket by bracket: blanks and comments in between stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from treelens.edits.brackets import TreeText, closed, untagged
from treelens.edits.text import Edit, Edits, differing, ordered

Relation = Literal["above", "below", "beside", "none"]
"""Where a constituent is to be, seen from one that is placed; none: it cannot be beside that."""


_IN_WORD = re.compile(rb"[^() \t\n\v\f\r]{2}")


class Constituent(NamedTuple):
    """Its words ``[first, last)``, its label as it is written, and which node it was (-1: new)."""

    first: int
    last: int
    label: bytes
    node: int = -1


class NewWord(NamedTuple):
    """A word that is put in, as it is written with its tag, and which of all words it will be."""

    at: int
    text: bytes


def constituents(text: TreeText) -> list[Constituent] | None:
    """A tree's, in the order in which they open; None where some are not closed, or empty."""
    found = []
    for index, node in enumerate(text.tree.nodes):
        if node.word is None:
            if not closed(text, node) or node.first >= node.last:
                return None
            label = text.between(node.label_start, node.label_end)
            found.append(Constituent(node.first, node.last, label, index))
    return found


def placed(
    those: Sequence[Constituent], new: Constituent, relation: Callable[[Constituent], Relation]
) -> list[Constituent]:
    """These with another one among them, wherever it was before.

    Whatever it meets gives way: what belongs above takes its words too, what belongs below keeps
    only those, what belongs beside leaves them, and what fits nowhere is gone. Among those over
    the same words it stays below what it was below, and a new one goes below all that belong above.
    """
    before = next((k for k, one in enumerate(those) if one.node == new.node >= 0), None)
    found = []
    inner = 0
    for place, one in enumerate(those):
        if place == before:
            continue
        changed = _given_way(one, new, relation(one))
        if changed is None:
            continue
        found.append(changed)
        same = changed[:2] == new[:2]
        if same and (relation(one) == "above" if before is None else place < before):
            inner = len(found)
    found.insert(inner, new)
    return in_order(found)


def _given_way(one: Constituent, new: Constituent, relation: Relation) -> Constituent | None:
    first, last = one.first, one.last
    if first >= new.last or last <= new.first:
        return one
    if relation == "above":
        return one._replace(first=min(first, new.first), last=max(last, new.last))
    if relation == "below":
        return one._replace(first=max(first, new.first), last=min(last, new.last))
    inside = new.first <= first and last <= new.last
    if inside or (first <= new.first and new.last <= last):
        return one
    if relation == "none":
        return None
    if first < new.first:
        return one._replace(last=new.first)
    return one._replace(first=new.last)


def in_order(those: Iterable[Constituent]) -> list[Constituent]:
    """By where they open, the longer first; those over the same words stay as they are."""
    return sorted(those, key=lambda one: (one.first, -one.last))


def with_word(
    those: Sequence[Constituent], at: int, holding: Container[int], root: Container[Constituent]
) -> list[Constituent]:
    """These when a word is put in before the how-manieth: those that end there or else those that
    begin there have it if their nodes are among the ``holding``, and all that these are in."""

    def reaching(nested: list[Constituent]) -> list[Constituent]:
        """Of some that are in each other, from the outermost, up to the last that is to."""
        places = [k for k, one in enumerate(nested) if one.node in holding or one in root]
        return nested[: max(places, default=-1) + 1]

    ends = reaching([one for one in those if one.last == at])
    begins = [] if ends else reaching([one for one in those if one.first == at])
    found = []
    for one in those:
        first = one.first + (one.first > at or (one.first == at and one not in begins))
        last = one.last + (one.last > at or (one.last == at and one in ends))
        found.append(one._replace(first=first, last=last))
    return found


def rooted(
    those: list[Constituent], count: int, root: Constituent | None
) -> list[Constituent] | None:
    """These with a root over ``count`` words: if none holds all, ``root`` does, wherever it was;
    None where there is none."""
    if any((one.first, one.last) == (0, count) for one in those):
        return those
    if root is None:
        return None
    others = [one for one in those if one.node != root.node or root.node < 0]
    return in_order([root._replace(first=0, last=count), *others])


# --- written -------------------------------------------------------------------------------


_Key = tuple[str, bytes | int]


class _Token(NamedTuple):
    """An opening bracket with its label, a closing one, or a word, and where it stands."""

    kind: Literal["open", "close", "word"]
    text: bytes
    start: int = 0
    end: int = 0

    @property
    def key(self) -> _Key:
        """Equal for what may stand for the other: a word only for itself."""
        return self.kind, self.start if self.kind == "word" else self.text


def rewritten(
    text: TreeText, those: Sequence[Constituent], words: Iterable[NewWord] = ()
) -> Edits | None:
    """The edits that make a tree these constituents; ``words`` are new, in order. None where that
    cannot be read back: a word without a tag alone in a bracket, or first in one without a
    label."""
    old = [*_old_tokens(text)]
    leaves = [one for one in old if one.kind == "word"]
    for word in words:
        leaves.insert(word.at, _Token("word", word.text, -1))
    bare = {node.start for node in text.tree.nodes if untagged(node)}
    for one in those:
        if leaves[one.first].start in bare and (one.last == one.first + 1 or not one.label):
            return None
    return ordered(_changes(text, old, [*_new_tokens(leaves, those)]))


def _old_tokens(text: TreeText) -> Iterator[_Token]:
    closing: list[tuple[int, _Token]] = []
    nodes = text.tree.nodes
    for node in nodes:
        while closing and closing[-1][0] <= node.start:
            yield closing.pop()[1]
        if node.word is None:
            label = text.between(node.label_start, node.label_end)
            yield _Token("open", label, node.start, node.label_end)
            closing.append((node.end, _Token("close", b")", node.end - 1, node.end)))
        else:
            yield _Token("word", text.between(node.start, node.end), node.start, node.end)
    yield from (token for _, token in reversed(closing))


def _new_tokens(leaves: Sequence[_Token], those: Sequence[Constituent]) -> Iterator[_Token]:
    closing: list[int] = []
    pending = list(reversed(those))
    for place, leaf in enumerate(leaves):
        while closing and closing[-1] <= place:
            closing.pop()
            yield _Token("close", b")")
        while pending and pending[-1].first == place:
            one = pending.pop()
            closing.append(one.last)
            yield _Token("open", one.label)
        yield leaf
    yield from [_Token("close", b")")] * len(closing)


def _changes(text: TreeText, old: list[_Token], new: list[_Token]) -> Iterator[Edit]:
    for a, b, c, d in _stretches(old, new):
        run = new[c:d]
        pair = (*old[a:b], *run)
        if b - a == len(run) == 1 and all(one.kind == "open" and one.text for one in pair):
            # Only its label is another: the bracket stays, and what is marked in it.
            yield Edit(old[a].end - len(old[a].text), old[a].end, run[0].text)
            continue
        yield from _taken_out(text, old, a, b)
        cut = next((k for k in range(len(run), 0, -1) if run[k - 1].kind != "open"), 0)
        behind = b"".join(_behind(token) for token in run[:cut])
        before = b"".join(b"(%b " % token.text for token in run[cut:])
        if behind:
            yield Edit(old[a - 1].end, old[a - 1].end, behind)
        if before:
            yield Edit(old[b].start, old[b].start, before)


def _stretches(old: list[_Token], new: list[_Token]) -> Iterator[tuple[int, int, int, int]]:
    """Which stretches of tokens are others, those that touch joined into one. The words that were
    there stay where they are: it is what stands between them that differs."""
    for (start, stop), (other, end) in zip(_between_words(old), _between_words(new), strict=True):
        found: list[tuple[int, int, int, int]] = []
        here, there = ([one.key for one in some] for some in (old[start:stop], new[other:end]))
        for a, b, c, d in differing(here, there):
            if found and found[-1][1] == a and found[-1][3] == c:
                a, _, c, _ = found.pop()
            found.append((a, b, c, d))
        yield from ((start + a, start + b, other + c, other + d) for a, b, c, d in found)


def _between_words(tokens: list[_Token]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, token in enumerate(tokens):
        if token.kind == "word" and token.start >= 0:
            yield start, at
            start = at + 1
    yield start, len(tokens)


def _behind(token: _Token) -> bytes:
    """A token as it is written behind another one."""
    return {"open": b" (", "close": b"", "word": b" "}[token.kind] + token.text


def _taken_out(text: TreeText, old: list[_Token], a: int, b: int) -> Iterator[Edit]:
    """Tokens gone: of those that open, with the blanks behind, else with those before."""
    for place in range(a, b):
        start, end = old[place].start, old[place].end
        if old[place].kind == "open" and not text.between(end, old[place + 1].start).strip():
            end = old[place + 1].start
        elif place and not text.between(old[place - 1].end, start).strip():
            start = old[place - 1].end
        glued = _IN_WORD.fullmatch(text.between(start - 1, start) + text.between(end, end + 1))
        yield Edit(start, end, b" " if glued else b"")
