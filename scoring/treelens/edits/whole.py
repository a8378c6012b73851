"""Whole sentences of brackets: put in another's place, put in, taken out, in the file's own habit.

A habit is whether trees stand on one line or are spread over indented ones, what ends a line,
and whether blank lines stand between sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treelens.edits.text import Edit, Edits, difference, differing, ordered
from treelens.formats.brackets import Habit
from treelens.formats.conll_repair import BOM
from treelens.formats.table import BRACKETS
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.other_lines import COMMENT, tree_comments
from treelens.trees.tree import Tree

_BLANKS = re.compile(rb"[ \t\n\v\f\r]+")
_TOKEN = re.compile(rb"([ \t\n\v\f\r]*)([()]|[^() \t\n\v\f\r]+)")
_LAST_BLANK_LINE = re.compile(rb".*(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|[\r\n])", re.DOTALL)
_INDENT = b"  "


def tree_text(document: Document, sentence: int) -> bytes:
    """A tree as it is written, without what stands around it."""
    tree = document.tree(sentence)
    return document.text(tree.start, tree.end)


def line_break(document: Document) -> bytes:
    """What ends the document's first line."""
    found = LINE_BREAK.search(document.text(0, document.line_bounds(1)[0]))
    return found[0] if found else b"\n"


def rendered(document: Document, there: Document, sentence: int, *, spread: bool) -> bytes:
    """Another document's tree in this one's habit: ``spread`` over lines, or on one. What is not
    closed there is closed here, as it was read: it would hold what follows."""
    text = tree_text(there, sentence)
    written = COMMENT.sub(b"", text)
    text += b")" * (written.count(b"(") - written.count(b")"))
    if not spread:
        return one_line(text)
    if LINE_BREAK.search(text):
        return LINE_BREAK.sub(line_break(document), text)
    return LINE_BREAK.sub(line_break(document), indented(there.tree(sentence), text))


def one_line(text: bytes) -> bytes:
    """A tree without line breaks; comments inside of it are left out."""
    return _BLANKS.sub(b" ", COMMENT.sub(b"", text)).replace(b" )", b")")


def indented(tree: Tree, text: bytes) -> bytes:
    """A line for each constituent in one that does not hold words only."""
    breaks: dict[int, int] = {}
    depth: list[int] = []
    for index, node in enumerate(tree.nodes):
        depth.append(depth[node.parent] + 1 if node.parent >= 0 else 0)
        siblings = tree.nodes[node.parent].children if node.parent >= 0 else ()
        if siblings[:1] == (index,) or node.parent < 0:
            continue
        if any(tree.nodes[sibling].word is None for sibling in siblings):
            breaks[node.start - tree.start] = depth[index]
    parts, at = [], 0
    for start in sorted(breaks):
        parts += [text[at:start].rstrip(), b"\n" + _INDENT * breaks[start]]
        at = start
    return b"".join([*parts, text[at:]])


# --- comments that are annotation ----------------------------------------------------------


def without_line(document: Document, start: int, end: int) -> Edit:
    """A line gone, with its break."""
    behind = LINE_BREAK.match(document.text(end, end + 2))
    return Edit(start, end + (behind.end() if behind else 0), b"")


def with_comments(document: Document, sentence: int, comments: Iterable[bytes]) -> Edits:
    """Comments put on lines of their own above a tree."""
    one = line_break(document)
    text = b"".join(comment + one for comment in comments)
    tree, piece = document.tree(sentence).start, int(document.start[sentence])
    before = document.text(piece, tree)
    at = piece + max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
    if document.text(0, at + len(BOM)) == BOM:
        at = len(BOM)
    elif at and document.text(at - 1, at) not in (b"\n", b"\r"):
        text = one + text
    return (Edit(at, at, text),) if text else ()


def _comments(document: Document, sentence: int, *, inside: bool) -> list[tuple[int, bytes]]:
    """Those around a tree, or ``inside`` of it, and where they start."""
    tree, base = document.tree(sentence), int(document.start[sentence])
    text = document.piece_text(sentence)
    return [
        (base + start, text[start:end])
        for start, end in tree_comments(text)
        if (tree.start < base + start < tree.end) == inside
    ]


def _comments_taken(here: Document, sentence: int, taken: Iterable[bytes]) -> Iterator[Edit]:
    """Those around a tree gone that are not among others, and those others put there."""
    new = [*taken]
    for start, comment in _comments(here, sentence, inside=False):
        if comment in new:
            new.remove(comment)
        else:
            yield without_line(here, start, start + len(comment))
    yield from with_comments(here, sentence, new)


def _left_out(there: Document, sentence: int, *, spread: bool) -> list[bytes]:
    """The comments of a sentence that its tree does not bring along when it is written here."""
    kept = spread and LINE_BREAK.search(tree_text(there, sentence)) is not None
    sides = (False,) if kept else (False, True)
    found = [one for inside in sides for one in _comments(there, sentence, inside=inside)]
    return [comment for _, comment in sorted(found)]


def graft(old: bytes, new: bytes, base: int) -> Edits:
    """The edits that make a tree's text another's: what both have keeps its blanks, unless there
    are comments in between, whose ends are line breaks."""
    if COMMENT.search(old) or COMMENT.search(new):
        return difference(old, new, base)
    ours, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    kept = dict.fromkeys(range(len(theirs)), -1)
    before, other = 0, 0
    words = [token for _, token in ours], [token for _, token in theirs]
    for a, b, c, d in [*differing(*words), (len(ours), len(ours), len(theirs), len(theirs))]:
        kept.update(zip(range(other, c), range(before, a), strict=True))
        before, other = b, d
    parts = []
    for at, (blanks, token) in enumerate(theirs):
        # The old blanks, if the same two tokens stood beside each other.
        same = kept[at] >= 0 and (at == 0 or kept[at - 1] == kept[at] - 1)
        parts.append((ours[kept[at]][0] if same and at else blanks if at else b"", token))
    return _spelt(ours, parts, base)


def _spelt(ours: list[tuple[bytes, bytes]], theirs: list[tuple[bytes, bytes]], base: int) -> Edits:
    offsets = [base]
    for blanks, token in ours:
        offsets.append(offsets[-1] + len(blanks) + len(token))
    return ordered(
        Edit(offsets[a], offsets[b], b"".join(x + y for x, y in theirs[c:d]))
        for a, b, c, d in differing(ours, theirs)
    )


def replace(here: Document, sentences: range, there: Document, others: range) -> Edits:
    """Other sentences in the place of these. Where there are as many, each gets its own."""
    if not others:
        return ordered(removal(here, sentence) for sentence in sentences)
    if not sentences:
        raise ValueError("nothing is replaced: use insertion")
    edits: list[Edit] = []
    for number, sentence in enumerate(sentences):
        if number >= len(others):
            edits.append(removal(here, sentence))
            continue
        old = tree_text(here, sentence)
        spread = LINE_BREAK.search(old) is not None
        edits += graft(
            old, rendered(here, there, others[number], spread=spread), _start(here, sentence)
        )
        edits += _comments_taken(here, sentence, _left_out(there, others[number], spread=spread))
        if sentence == sentences[-1] and len(others) > len(sentences):
            rest = others[len(sentences) :]
            end = here.tree(sentence).end
            more = b"".join(
                _separator(here) + _with_its_comments(here, there, other, spread=spread)
                for other in rest
            )
            edits.append(Edit(end, end, more))
    return ordered(edits)


def _with_its_comments(here: Document, there: Document, sentence: int, *, spread: bool) -> bytes:
    above = _left_out(there, sentence, spread=spread)
    tree = rendered(here, there, sentence, spread=spread)
    return line_break(here).join([*above, tree])


def _start(document: Document, sentence: int) -> int:
    return document.tree(sentence).start


def _separator(document: Document) -> bytes:
    lines = 2 if document.format is BRACKETS[Habit.PARAGRAPH] else 1
    return line_break(document) * lines


def insertion(here: Document, before: int, there: Document, others: range) -> Edits:
    """Other sentences put in before a sentence, or at the end."""
    spread = (
        bool(len(here))
        and LINE_BREAK.search(tree_text(here, min(before, len(here) - 1))) is not None
    )
    separator = _separator(here)
    trees = [_with_its_comments(here, there, other, spread=spread) for other in others]
    if before < len(here):
        at = int(here.start[before]) if before else first_piece(here)
        return (Edit(at, at, b"".join(tree + separator for tree in trees)),)
    end = here.length
    tail = here.text(max(end - 8, 0), end)
    lead = b"" if not tail else _missing_breaks(tail, separator, line_break(here))
    return (Edit(end, end, lead + separator.join(trees) + line_break(here)),)


def _missing_breaks(tail: bytes, separator: bytes, one: bytes) -> bytes:
    """What a text lacks at its end so that a separator stands there."""
    wanted = len(separator) // len(one)
    there = len(LINE_BREAK.findall(tail[len(tail.rstrip()) :]))
    return one * max(wanted - there, 0)


def first_piece(document: Document) -> int:
    """Where the first sentence starts with the comments that are its own: what a blank line
    sets off is the file's."""
    tree = document.tree(0)
    head = _LAST_BLANK_LINE.match(document.text(0, tree.start))
    if head:
        return head.end()
    return 3 if document.text(0, 3) == b"\xef\xbb\xbf" else 0


def removal(document: Document, sentence: int) -> Edit:
    """A sentence gone, with the comments above it and the blank lines behind it."""
    start = int(document.start[sentence]) if sentence else first_piece(document)
    end = int(document.start[sentence + 1])
    if sentence + 1 == len(document):  # what stands behind the last tree is nobody's
        tree_end = document.tree(sentence).end
        found = LINE_BREAK.search(document.text(tree_end, end))
        rest = document.text(tree_end, end)
        if not rest.strip():
            return Edit(start, end, b"")
        end = tree_end + (found.end() if found else 0)
    return Edit(start, end, b"")
