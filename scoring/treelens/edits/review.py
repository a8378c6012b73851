"""What makes a sentence checked, in question or to do again: a comment or a line beside the file.

Small edits: nothing is written anew that is there already, and lines that cannot be read stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelens.edits.text import Edit, Edits, ordered
from treelens.session.document import LINE_BREAK, Document
from treelens.session.notes import About, NodeNote
from treelens.session.notes import written as about_written
from treelens.session.review import COMMENT, Review, Reviewed, Reviews
from treelens.session.sentence_names import ID_MARK, digest, head
from treelens.session.sidecar import Sidecar, heading, is_ended, line_start, written
from treelens.trees.forest import encode
from treelens.trees.other_lines import at_line_start

LONGEST_NOTE = 1000
"""Characters of a note; the rest is cut off."""

_COMMENT_LINE = re.compile(rb"%b[^\r\n]*(?:\r\n|\r|\n)" % at_line_start(b"#"))
_BLANK_LINES = re.compile(rb"(?:\A\xef\xbb\xbf)?(?:[ \t]*+(?:\r\n|\r|\n))*+")


class Lines(NamedTuple):
    """Lines ``[first, end)`` of a sidecar become ``text``, whole lines with their ends."""

    first: int
    end: int
    text: str


def plain_note(note: str) -> str:
    """A note as it can be written: on one line."""
    return " ".join(note.split())[:LONGEST_NOTE]


def takes_comments(document: Document, name: str, sentence: int) -> bool:
    """Whether states go above the sentence: CoNLL-U has comments, and so has CoNLL-X if the
    sentence has some already (not all tools know them there)."""
    forest, row, _ = document.piece(sentence)
    if forest.layout != "rows":
        return False
    if name.lower().endswith(".conllu"):
        return True
    return _COMMENT_LINE.search(forest.source, *head(forest, row)) is not None


def in_comments(document: Document, sentence: int, review: Review) -> Edits:
    """Comments of a sentence that say so, instead of those that say something else; no edits if
    they do already."""
    forest, row, shift = document.piece(sentence)
    start, end = head(forest, row)
    found = list(COMMENT.finditer(forest.source, start, end))
    line_break = LINE_BREAK.search(forest.source, start)
    new = _comments(document, sentence, review, line_break[0] if line_break else b"\n")
    kept = [(match.start() + shift, match.end() + shift) for match in found]
    if not kept:
        at = _below_comments(forest.source, start, end) + shift
        return ordered([Edit(at, at, new)])
    (first, last), *others = kept
    if document.text(first, kept[-1][1]) == new:
        return ()
    return ordered([Edit(first, last, new), *(Edit(*other, b"") for other in others)])


def _comments(document: Document, sentence: int, review: Review, line_break: bytes) -> bytes:
    if review.state == "todo":
        return b""
    state = "checked" if review.state == "changed" else review.state
    lines = [f"# treelens_review = {state} {digest(document, sentence)}"]
    if review.note:
        lines.append(f"# treelens_note = {review.note}")
    return b"".join(encode(line) + line_break for line in lines)


def _below_comments(source: bytes, start: int, end: int) -> int:
    comments = [match.end() for match in _COMMENT_LINE.finditer(source, start, end)]
    if comments:
        return comments[-1]
    blank = _BLANK_LINES.match(source, start, end)
    return blank.end() if blank else start


def state_beside(
    reviews: Reviews, document: Document, sidecar: Sidecar, sentence: int, review: Review, name: str
) -> list[Lines]:
    """Lines of the sidecar of a file that is called ``name``, in text order; none if it says so
    already."""
    reviewed = reviews.of(document, sidecar)
    key = reviews.key(document, sentence)
    named = f"{ID_MARK if key.by_id else ''}{key.text}"
    mine = [line.number for line in sidecar.states_of(named, key.occurrence)]
    if review.state == "todo":
        return [Lines(number, number + 1, "") for number in mine]
    state = "checked" if review.state == "changed" else review.state
    new = written(
        state,
        key.text,
        by_id=key.by_id,
        occurrence=key.occurrence,
        digest=digest(document, sentence),
        note=review.note,
    )
    if mine:
        first, *others = mine
        if not others and sidecar.line(first) == new:
            return []
        return [
            Lines(first, first + 1, new + "\n"),
            *(Lines(number, number + 1, "") for number in others),
        ]
    return [_new_line(reviewed, sidecar, sentence, new, name)]


def _new_line(reviewed: Reviewed, sidecar: Sidecar, sentence: int, new: str, name: str) -> Lines:
    at = _place(reviewed.line, sidecar, sentence)
    if not sidecar.source.strip():
        return Lines(0, 0, heading(name) + new + "\n")
    return Lines(at, at, new + "\n")


# --- notes on nodes --------------------------------------------------------------------------


def note_in_comments(
    document: Document, sentence: int, node: About, text: str, old: Sequence[NodeNote]
) -> Edits:
    """A comment that says so of a node, in the place of the ``old`` ones; without a text, none."""
    forest, row, shift = document.piece(sentence)
    start, end = head(forest, row)
    line_break = LINE_BREAK.search(forest.source, start)
    ending = line_break[0] if line_break else b"\n"
    new = encode(f"# treelens_about = {about_written(node)}: {text}") + ending if text else b""
    if not old:
        at = _below_comments(forest.source, start, end) + shift
        return ordered([Edit(at, at, new)] if new else [])
    first, *others = old
    gone = [Edit(one.start, one.end, b"") for one in others]
    return ordered([Edit(first.start, first.end, new), *gone])


def note_beside(
    reviews: Reviews,
    document: Document,
    sidecar: Sidecar,
    sentence: int,
    node: About,
    text: str,
    old: Sequence[NodeNote],
    name: str,
) -> list[Lines]:
    """The same in lines of the sidecar of a file that is called ``name``."""
    key = reviews.key(document, sentence)
    new = written(
        "note",
        key.text,
        by_id=key.by_id,
        occurrence=key.occurrence,
        digest=about_written(node),
        note=text,
    )
    if not old:
        reviewed = reviews.of(document, sidecar)
        return [_new_line(reviewed, sidecar, sentence, new, name)] if text else []
    first, *others = (one.line for one in old)
    gone = [Lines(number, number + 1, "") for number in others]
    return [Lines(first, first + 1, f"{new}\n" if text else ""), *gone]


def _place(lines: np.ndarray[tuple[int], np.dtype[np.int32]], sidecar: Sidecar, at: int) -> int:
    """The line that a new one goes before: behind that of the sentence before it."""
    before = lines[:at]
    before = before[before >= 0]
    if len(before):
        return sidecar.lines[int(before[-1])].number + 1
    after = lines[at:]
    after = after[after >= 0]
    if len(after):
        return sidecar.lines[int(after[0])].number
    return sidecar.line_count


def applied(source: str, lines: Sequence[Lines]) -> str:
    """The sidecar with these lines."""
    for first, end, text in reversed(lines):
        start, stop = line_start(source, first), line_start(source, end)
        if start == len(source) and not is_ended(source):
            text = "\n" + text
        source = source[:start] + text + source[stop:]
    return source


# --- edits that nobody has saved -------------------------------------------------------------


class Unsaved(NamedTuple):
    """What is certain of a sidecar in which an editor has made edits that are not on disk, and
    which it does not show us. It may hold them for hours, with those that follow; it may also have
    thrown them away, and have made those that follow in the text that is on disk. Whatever of it is
    so:"""

    sure: int
    """So many lines at the start are as they are known: none of these edits was made there."""
    most: int
    """There are no more lines than these."""
    ended: bool
    """Whether the last line has an end."""


def unsaved(before: Unsaved | None, sidecar: Sidecar, lines: Sequence[Lines]) -> Unsaved:
    """The same once lines of it are edited; ``before``: None where it was on disk as it is."""
    count = sidecar.line_count
    known = before or Unsaved(count, count, is_ended(sidecar.source))
    grown = sum(one.text.count("\n") - (one.end - one.first) for one in lines)
    sure = min([known.sure, *(one.first for one in lines)])
    return known._replace(sure=sure, most=known.most + max(grown, 0))


def from_unsure(source: str, lines: Sequence[Lines], known: Unsaved) -> Sequence[Lines]:
    """An edit of an unsaved sidecar as one that takes away nothing else, whatever has become of
    those before. What is new is put where it would be, or near it; what is certain is changed. All
    else is written anew, from the first line that is not certain to the end: with what may have
    been thrown away."""
    is_new = known.ended and all(one.first == one.end for one in lines)
    if is_new or all(one.end <= known.sure for one in lines):
        return lines
    first = min([known.sure, *(one.first for one in lines)])
    text = applied(source, lines)
    return [Lines(first, known.most, text[line_start(text, first) :])]
