"""What a validator of guidelines has said of a document's sentences, kept up while it is edited.

Which sentences are to be looked at: those that are others, and those of which something else is to
be known than when they were looked at (their ID has come before; other sentences have features or
enhanced graphs). Who looks, and when, is for the owner to say. What is wanted stands in a
``treelens.toml``:

.. code-block:: toml

    [validate]
    language = "en"     # whose features, relations and auxiliaries; "ud": what is of all languages
    level = 5           # up to which level, 1 to 5
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.session.document import Document
from treelens.session.toml import read_toml
from treelens.session.view import View
from treelens.trees.other_lines import at_line_start

LEVELS = range(1, 6)
_KEYS = ("language", "level")
_LANGUAGE = re.compile("[a-z]{2,8}")

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Checks:
    """What is checked."""

    language: str = "ud"
    level: int = LEVELS[-1]


DEFAULT = Checks()


def read_checks(text: str) -> Checks | None:
    """What a ``treelens.toml`` wants to have checked; what is wrong with it is
    :func:`checks`'s to say."""
    return checks(read_toml(text).data)[0]


def checks(data: dict[str, Any]) -> tuple[Checks | None, list[tuple[str, str]]]:
    """What a configuration wants, None if it says nothing; which of its keys are wrong, and why."""
    table = data.get("validate")
    if table is None:
        return None, []
    if not isinstance(table, dict):
        return None, [("validate", "validate is a table: write [validate] above its lines")]
    problems = [
        (key, f"“{key[:60]}” is not known in [validate]: {', '.join(_KEYS)} are")
        for key in table
        if key not in _KEYS
    ]
    language, level = table.get("language", DEFAULT.language), table.get("level", DEFAULT.level)
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        problems.append(("language", "language is a code such as “en”, or “ud”; left out"))
        language = DEFAULT.language
    if isinstance(level, bool) or level not in LEVELS:
        problems.append(("level", f"level is {LEVELS[0]} to {LEVELS[-1]}; left out"))
        level = DEFAULT.level
    return Checks(language, level), problems


class Incident(NamedTuple):
    """Something that breaks the guidelines. line: of the sentence's piece, from 0. kind: the
    validator's class of tests (``MORPHO``, ``SYNTAX`` …). link: the page that explains it."""

    line: int
    level: int
    is_error: bool
    kind: str
    test: str
    message: str
    link: str


class Summary(NamedTuple):
    """passed: the highest level up to which there are no errors, 0 for none; of what has been
    looked at. left: sentences that have not been."""

    passed: int
    errors: int
    warnings: int
    left: int


class FileBefore(NamedTuple):
    """What is to be known of the rest of the file to look at a sentence: whether its ID has come
    before, whether any sentence has features; of those before it, whether one has an enhanced
    graph, and whether one has none; whether the last word before it goes without a space."""

    repeated: bool
    features: bool
    graph: bool
    no_graph: bool
    no_space: bool


class _Facts(NamedTuple):
    """Of each sentence, ``(n,)``: its ID as a number (-1: none), and what others are to know."""

    id: Numbers
    features: Numbers
    graph: Numbers
    no_space: Numbers


class Validated:
    """One document's incidents."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks
        self.document: Document | None = None
        """The state that is followed."""
        self._found: list[tuple[Incident, ...]] = []
        self._facts = _Facts(*(np.zeros(0, np.int64) for _ in _Facts._fields))
        self._looked = np.zeros(0, np.int64)
        """What was known of the rest when each was looked at, as a number; -1: it has not been."""
        self._now = np.zeros(0, np.int64)
        self._ids: dict[bytes, int] = {}
        self.changes = 0
        """How often there was something else to say."""

    def follow(self, document: Document) -> None:
        """Take in a document's state: what is as it was stays known."""
        old = self.document
        if document is old:
            return
        first, old_end, new_end = (0, len(self._found), len(document))
        if old is not None:
            first, old_end, new_end = document.since(old)
        self._found[first:old_end] = [()] * (new_end - first)
        unknown = np.full(new_end - first, -1, np.int64)
        self._looked = _spliced(self._looked, first, old_end, unknown)
        fresh = [self._facts_of(document.piece_text(one)) for one in range(first, new_end)]
        columns = np.array(fresh, np.int64).reshape(-1, len(_Facts._fields)).T
        self._facts = _Facts(
            *(
                _spliced(column, first, old_end, new)
                for column, new in zip(self._facts, columns, strict=True)
            )
        )
        self.document, self._now = document, _codes(self._facts)
        self.changes += 1

    def wanting(self, visible: View, most: int) -> list[int]:
        """Sentences that are to be looked at, those in view or near it first."""
        todo = np.flatnonzero(self._looked != self._now)
        away = visible.away(todo, todo + 1)
        return todo[np.argsort(away, kind="stable")][:most].tolist()

    def before(self, sentence: int) -> FileBefore:
        """What is to be known of the rest to look at a sentence."""
        code = int(self._now[sentence])
        return FileBefore(*(bool(code >> at & 1) for at in range(len(FileBefore._fields))))

    def text(self, sentence: int) -> tuple[bytes, int]:
        """A sentence with the blank line that ends it, as a validator reads it; how many lines of
        its piece come before (the one that ends the sentence before it)."""
        assert self.document is not None, "something is followed"
        text, before = self.document.piece_text(sentence), 0
        if sentence > 0 and (blank := _BLANK.match(text)):
            text, before = text[blank.end() :], 1
        if sentence + 1 < len(self.document):
            ends = _BLANK.match(self.document.piece_text(sentence + 1))
            text += ends[0] if ends else b""
        return text, before

    def take(
        self, document: Document, found: dict[int, tuple[FileBefore, tuple[Incident, ...]]]
    ) -> None:
        """What was found of some sentences of a state that was followed; of those that are others
        by now it is not taken."""
        if self.document is None:
            return
        first, old_end, new_end = self.document.since(document)
        for sentence, (before, incidents) in found.items():
            if first <= sentence < old_end:
                continue
            here = sentence if sentence < first else sentence + new_end - old_end
            if here < len(self._found):
                self._found[here] = incidents
                self._looked[here] = sum(flag << at for at, flag in enumerate(before))
        self.changes += 1

    def of(self, sentence: int) -> tuple[Incident, ...]:
        """A sentence's incidents, as far as it has been looked at."""
        return self._found[sentence]

    @property
    def left(self) -> int:
        """Sentences that are to be looked at."""
        return int((self._looked != self._now).sum())

    def summary(self) -> Summary:
        every = [one for found in self._found for one in found]
        errors = [one.level for one in every if one.is_error]
        passed = min(errors) - 1 if errors else self.checks.level
        return Summary(passed, len(errors), len(every) - len(errors), self.left)

    def _facts_of(self, text: bytes) -> tuple[int, ...]:
        """What others are to know of a sentence."""
        named = _ID.search(text)
        rows = [line.rstrip(b"\r").split(b"\t") for line in text.split(b"\n")]
        rows = [row for row in rows if len(row) == _COLUMNS and row[0][:1].isdigit()]
        words = [row for row in rows if b"-" not in row[0]]
        graph = any(b"." in row[0] or row[8] != b"_" for row in words)
        no_space = bool(rows) and b"SpaceAfter=No" in rows[-1][9].split(b"|")
        number = self._ids.setdefault(named[1], len(self._ids)) if named else -1
        return number, any(row[5] != b"_" for row in rows), graph, no_space


_ID = re.compile(
    rb"%b[ \t]*sent_id[ \t]*=[ \t]*([^\r\n]*?)[ \t]*\r?$" % at_line_start(b"#"), re.MULTILINE
)
_BLANK = re.compile(rb"[ \t]*\r?\n")
_COLUMNS = 10


def _spliced(column: Numbers, first: int, old_end: int, new: Sequence[int] | Numbers) -> Numbers:
    return np.concatenate([column[:first], np.asarray(new, np.int64), column[old_end:]])


def _codes(facts: _Facts) -> Numbers:
    """What :class:`FileBefore` says of each sentence: a bit a field."""
    _, first = np.unique(facts.id, return_index=True)
    repeated = np.ones(len(facts.id), np.bool_)
    repeated[first] = False
    repeated &= facts.id >= 0
    fields = (
        repeated,
        np.full(len(facts.id), bool(facts.features.any())),
        _any_before(facts.graph > 0),
        _any_before(facts.graph == 0),
        np.append(0, facts.no_space)[:-1] > 0,
    )
    codes = np.zeros(len(facts.id), np.int64)
    for at, field in enumerate(fields):
        codes |= field.astype(np.int64) << at
    return codes


def _any_before(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return np.append(False, np.logical_or.accumulate(flags))[:-1]
