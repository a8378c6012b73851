"""``NAME.review``: what annotators have said of sentences of a file that can hold no comments.

A line a sentence, in the file's order, its fields between tabs::

    checked   1    The cat sat on the mat .   3fa2b1c9
    question  id   weblog-001                 0badcafe   is this a fragment?
    note      1    The cat sat on the mat .   4-6 PP on…mat   why not an argument?

The state; which of the sentences with these words it is, or ``id`` where what follows is the
sentence's ID (``id 2`` for the second one of that ID); words or ID; a digest of the sentence as
it was then; a note. Of a note on a node what it is about stands where else the digest is. Lines
that start with ``#`` are comments. A line that cannot be read, or whose sentence is not there,
is kept as it is. Knows no trees.
"""

from __future__ import annotations

import functools
import itertools
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

ENDING = ".review"
LARGEST_SIDECAR = 64 << 20
"""Bytes of one: half a million sentences and more."""

_WHICH = re.compile(r"(?:(id)[ ]?)?(\d{0,9})")
_DIGEST = re.compile(r"[0-9a-f]{8}")
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")

_BREAK = re.compile(r"\r\n|\r|\n")

_MOST_GONE = 1000
"""Texts beyond those of the lines that are kept in mind."""


class SidecarLine(NamedTuple):
    """A line that can be read. ``text``: words, or an ID with ``by_id``."""

    number: int
    """From 0; lines end where editors end them."""
    state: Literal["checked", "question", "note"]
    text: str
    by_id: bool
    occurrence: int
    digest: str
    note: str
    about: str = ""
    """Of a note on a node: which (:mod:`treelens.session.notes`)."""

    @property
    def key(self) -> str:
        return f"id\t{self.text}" if self.by_id else self.text


class LineProblem(NamedTuple):
    """What is wrong with a line of a sidecar, and what is done about it."""

    code: str
    line: int
    message: str


class LineColumns(NamedTuple):
    """The lines as numbers; ``(lines,)`` each."""

    name: npt.NDArray[np.int64]
    """The place of the text among the texts, and the occurrence from 0 in the low 32 bits."""
    digest: npt.NDArray[np.int64]
    """-1 for none."""
    question: npt.NDArray[np.bool_]
    of_node: npt.NDArray[np.bool_]
    """Notes on nodes, which give a sentence no state."""


class Sidecar:
    """A sidecar's text, read. Two are told apart by which object they are."""

    lines: tuple[SidecarLine, ...]
    texts: dict[str, int]
    """The different keys of the lines, numbered, and some that they have had: the same object for
    as long as there is no new one."""
    columns: LineColumns

    def __init__(self, source: str = "", before: Sidecar | None = None) -> None:
        """``before``: the same before an edit. Lines that are as they were are not read again:
        there may be as many as there are sentences."""
        self.source = source
        if before is not None and len(before.texts) < 2 * len(before.lines) + _MOST_GONE:
            self._read_after(before)
            return
        self.lines, self._unread = _read(source, 0)
        self.texts = _numbered(self.lines, {})
        self.columns = _columns(self.lines, self.texts)

    def _read_after(self, before: Sidecar) -> None:
        start, rest = _alike(before.source, self.source)
        end, old_end = len(self.source) - rest, len(before.source) - rest
        first, last = _breaks(self.source[:start]), _breaks(before.source[:old_end]) + (not rest)
        shift = _breaks(self.source[:end]) - last
        lines, unread = _read(self.source[start:end], first)
        kept, below = (bisect_left(before.lines, (number,)) for number in (first, last))
        moved = before.lines[below:]
        if shift:
            moved = tuple([SidecarLine(one.number + shift, *one[1:]) for one in moved])
        self.lines = (*before.lines[:kept], *lines, *moved)
        above = (one for one in before._unread if one.line < first)
        behind = (one for one in before._unread if one.line >= last)
        shifted = (one._replace(line=one.line + shift) for one in behind)
        self._unread = (*above, *unread, *shifted)
        self.texts = _numbered(lines, before.texts)
        parts = zip(before.columns, _columns(lines, self.texts), strict=True)
        columns = (np.concatenate([old[:kept], new, old[below:]]) for old, new in parts)
        self.columns = LineColumns(*columns)

    @functools.cached_property
    def problems(self) -> tuple[LineProblem, ...]:
        states = np.flatnonzero(~self.columns.of_node)
        names = self.columns.name[states]
        order = np.argsort(names, kind="stable")
        again = order[1:][np.diff(names[order]) == 0]
        twice = [self.lines[at].number for at in states[again].tolist()]
        found = [*self._unread, *(LineProblem(_TWICE_CODE, number, _TWICE) for number in twice)]
        return tuple(sorted(found, key=lambda one: one.line))

    @property
    def text_lines(self) -> list[str]:
        """The lines as they are written, without their ends."""
        return self.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def line(self, number: int) -> str:
        """One of them."""
        found = _LINE.match(self.source, line_start(self.source, number))
        return found[1] if found else ""

    @property
    def line_count(self) -> int:
        """Lines of the text; what follows the last line's end is none."""
        return _breaks(self.source) + (not is_ended(self.source))

    def states_of(self, key: str, occurrence: int) -> list[SidecarLine]:
        """The lines that give a sentence a state, in order."""
        text = self.texts.get(key, -1)
        there = self.columns.name == (text << 32) + occurrence - 1
        return [self.lines[at] for at in np.flatnonzero(there & ~self.columns.of_node).tolist()]

    def note_of(self, line: SidecarLine) -> str:
        """The note of a state, and those of other lines about the same sentence, which will be one
        with it where it is written anew."""
        others = self._states.get((line.key, line.occurrence), ())
        return together([line.note, *(one.note for one in others)])

    @functools.cached_property
    def _states(self) -> dict[tuple[str, int], list[SidecarLine]]:
        """The states of each sentence, if there is one that has several."""
        found: dict[tuple[str, int], list[SidecarLine]] = {}
        if any(one.code == _TWICE_CODE for one in self.problems):
            for line in self.lines:
                if line.state != "note":
                    found.setdefault((line.key, line.occurrence), []).append(line)
        return found


def _numbered(lines: Iterable[SidecarLine], texts: dict[str, int]) -> dict[str, int]:
    """With the keys of these lines that are not among the texts."""
    new = dict.fromkeys(line.key for line in lines if line.key not in texts)
    return {**texts, **dict(zip(new, itertools.count(len(texts))))} if new else texts


def _columns(lines: Sequence[SidecarLine], texts: dict[str, int]) -> LineColumns:
    return LineColumns(
        np.array([(texts[line.key] << 32) + line.occurrence - 1 for line in lines], np.int64),
        np.array([int(line.digest, 16) if line.digest else -1 for line in lines], np.int64),
        np.array([line.state == "question" for line in lines], np.bool_),
        np.array([line.state == "note" for line in lines], np.bool_),
    )


def _alike(old: str, new: str) -> tuple[int, int]:
    """Characters of the lines with which two texts begin alike, and with which they end so. Of the
    breaks only \\n is looked at, behind which a line starts in any case."""
    start = new.rfind("\n", 0, _shared(old, new)) + 1
    rest = _shared(old[start:][::-1], new[start:][::-1])
    at = new.find("\n", len(new) - rest)
    return start, len(new) - at - 1 if at >= 0 else 0


def _shared(one: str, other: str) -> int:
    """Characters with which both begin."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def is_ended(text: str) -> bool:
    """Whether what is put behind a text starts a line."""
    return not text or text.endswith(("\r", "\n"))


def line_start(text: str, number: int) -> int:
    """Where a line of a text starts; of one behind the last, the text's end."""
    if "\r" in text:
        parts = _BREAK.split(text, number) if number else [text]
    else:
        parts = text.split("\n", number)
    return len(text) - (len(parts[-1]) if len(parts) > number else 0)


def _breaks(text: str) -> int:
    """How many lines end in a text."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def together(notes: Iterable[str]) -> str:
    """Several notes on one sentence as one, none of them twice."""
    return "; ".join(dict.fromkeys(filter(None, notes)))


def written(state: str, text: str, *, by_id: bool, occurrence: int, digest: str, note: str) -> str:
    """A line, without its end."""
    number = "" if by_id and occurrence == 1 else str(occurrence)
    which = f"id {number}".strip() if by_id else number
    fields = [state, which, text, digest, note]
    return "\t".join(fields).rstrip("\t")


def heading(name: str) -> str:
    """The first lines of a new sidecar."""
    return (
        f"# Review of {name}, by Treelens. A line a sentence: state, which of the sentences with\n"
        "# these words (or id), words (or ID), digest of its tree when it was reviewed, note.\n"
    )


def _read(source: str, first: int) -> tuple[tuple[SidecarLine, ...], tuple[LineProblem, ...]]:
    """The lines from a number on, and what is wrong with those that cannot be read."""
    lines, problems = [], []
    for number, match in enumerate(_LINE.finditer(source), first):
        text = match[1]
        if not text.strip() or text.startswith("#"):
            continue
        found = _line(number, text)
        if isinstance(found, str):
            problems.append(LineProblem("review-line", number, found))
        else:
            lines.append(found)
    return tuple(lines), tuple(problems)


_TWICE_CODE = "review-twice"
_TWICE = (
    "another line is about the same sentence; a question goes before a check, "
    "of the same states the first line counts, and their notes are shown together"
)


def _line(number: int, text: str) -> SidecarLine | str:
    """The line, or what is wrong with it."""
    if text.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||")):
        return "left over from a merge; skipped, the lines around it count (take it out by hand)"
    fields = text.split("\t")
    state = fields[0].strip().lower()
    if state not in ("checked", "question", "note"):
        return (
            f"“{fields[0][:40]}” is no state (checked, question, note); "
            "the line is skipped and kept"
        )
    if len(fields) < 3:
        return (
            f"{len(fields)} of at least 3 fields between tabs (state, which, words); "
            "the line is skipped and kept"
        )
    which = _WHICH.fullmatch(fields[1].strip())
    if which is None or not fields[1].strip() or which[2] in ("0", "00"):
        return (
            f"“{fields[1][:40]}” does not say which sentence (1 for the first one of these words, "
            "or id); the line is skipped and kept"
        )
    # (Other blanks, such as U+00A0, are of a word.)
    text, by_id = fields[2].strip(" "), which[1] is not None
    occurrence = max(int(which[2] or 1), 1)
    if state == "note":
        about, note = (*fields[3:5], "", "")[:2]
        return SidecarLine(number, "note", text, by_id, occurrence, "", note.strip(), about.strip())
    digest = fields[3].strip().lower() if len(fields) > 3 else ""
    if digest and not _DIGEST.fullmatch(digest):
        # Somebody has left the digest out.
        fields, digest = [*fields[:3], "", *fields[3:]], ""
    return SidecarLine(
        number,
        "checked" if state == "checked" else "question",
        text,
        by_id,
        occurrence,
        digest,
        " ".join(" ".join(fields[4:]).split()),
    )
