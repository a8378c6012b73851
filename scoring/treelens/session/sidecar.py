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
import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

ENDING = ".review"

_WHICH = re.compile(r"(?:(id)[ ]?)?(\d{0,9})")
_DIGEST = re.compile(r"[0-9a-f]{8}")
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")


_BREAK = re.compile(r"\r\n|\r|\n")


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

    def __init__(self, source: str = "") -> None:
        self.source = source
        self.lines, self.problems = _read(source)

    @property
    def text_lines(self) -> list[str]:
        """The lines as they are written, without their ends."""
        return [match[1] for match in _LINE.finditer(self.source)]

    @property
    def line_count(self) -> int:
        """Lines of the text; what follows the last line's end is none."""
        breaks = len(_BREAK.findall(self.source))
        return breaks + (not self.source.endswith(("\r", "\n")) and bool(self.source))

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

    @functools.cached_property
    def texts(self) -> dict[str, int]:
        """The different keys of the lines, numbered."""
        texts: dict[str, int] = {}
        for line in self.lines:
            texts.setdefault(line.key, len(texts))
        return texts

    @functools.cached_property
    def columns(self) -> LineColumns:
        return LineColumns(
            np.array(
                [(self.texts[line.key] << 32) + line.occurrence - 1 for line in self.lines],
                np.int64,
            ),
            np.array(
                [int(line.digest, 16) if line.digest else -1 for line in self.lines], np.int64
            ),
            np.array([line.state == "question" for line in self.lines], np.bool_),
            np.array([line.state == "note" for line in self.lines], np.bool_),
        )


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


def _read(source: str) -> tuple[tuple[SidecarLine, ...], tuple[LineProblem, ...]]:
    lines, problems = [], []
    seen: Counter[tuple[str, int]] = Counter()
    for number, match in enumerate(_LINE.finditer(source)):
        text = match[1]
        if not text.strip() or text.startswith("#"):
            continue
        found = _line(number, text)
        if isinstance(found, str):
            problems.append(LineProblem("review-line", number, found))
            continue
        seen[found.key, found.occurrence] += found.state != "note"
        if found.state != "note" and seen[found.key, found.occurrence] > 1:
            problems.append(LineProblem(_TWICE_CODE, number, _TWICE))
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
