"""Processes of the UD validator: texts shared out to them, incidents back in the texts' order."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from treelens.cli.processes import all_processors, in_threads
from treelens.corpus.sources import Source, chunks
from treelens.trees.digests import NumberedTexts
from treelens.trees.forest import encode

NOT_INSTALLED = (
    "the validator of Universal Dependencies is not installed; get it with "
    "pip install 'treelens[ud]' (the package udtools)"
)
_NO_VALIDATOR = 3
_LINE_ENDS = "non-unix-newline"
_PART_BYTES = 1 << 17
_BLANK_LINE = re.compile(rb"\n[ \t]*\r?\n")
_LINK = re.compile(r"https?://[^\s()'\"]+[^\s()'\".,;]")


class NoValidator(Exception):  # noqa: N818 — what is wrong is outside, not in here
    """The validator is not there, or has ended without an answer: the message says which."""


class ValidatorIncident(NamedTuple):
    """What the validator found, in whose words. line: from 1, 0: the text as a whole. node: the
    ID of the word, as written; empty where it is none's. level: 1 to 6. link: the page that
    explains it, if the validator names one."""

    file: str
    line: int
    sent_id: str
    node: str
    level: int
    severity: str
    test: str
    message: str
    link: str


class SentencesPart(NamedTuple):
    """Whole sentences of a file; ``line``: how many lines come before."""

    file: str
    text: bytes
    line: int


COMMAND = (sys.executable, "-P", "-m", "treelens.cli.ud_worker")
"""(Without -P, Python would take a ``udtools.py`` of the folder that it is started in.)"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": "utf-8"}


def request(
    part: SentencesPart, language: str, level: int, before: dict[str, Any], *, last: bool
) -> str:
    """What a process is asked: a line."""
    asked = {
        "text": part.text.decode("utf-8", "replace"),
        "line": part.line,
        "language": language,
        "level": level,
        "before": before,
        "last": last,
    }
    return json.dumps(asked) + "\n"


def ended(status: int | None) -> NoValidator:
    """Why a process has ended in place of answering."""
    missing = status == _NO_VALIDATOR
    return NoValidator(NOT_INSTALLED if missing else "the UD validator has ended")


class Worker:
    """A process that validates; it is asked one text at a time, from one thread at a time."""

    def __init__(self, language: str, level: int) -> None:
        self._language, self._level = language, level
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env=environment(),
        )

    def ask(self, part: SentencesPart, before: dict[str, Any], *, last: bool) -> dict[str, Any]:
        """The incidents of a text, and what is to be known of it afterwards."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            asked = request(part, self._language, self._level, before, last=last)
            self._process.stdin.write(asked)
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:
            answer = ""
        if not answer.endswith("\n"):
            raise ended(self._process.wait())
        found: dict[str, Any] = json.loads(answer)
        return found

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def validated(
    files: Sequence[Source],
    language: str,
    level: int,
    progress: Callable[[float], None] = lambda share: None,
) -> Iterator[ValidatorIncident]:
    """The incidents of some files together, which are one treebank, in order; on all cores.

    The same as of one run over them all: what the validator would know of the texts before
    (IDs, whether there are features, enhanced graphs) is told to whoever validates the next. Of
    the texts, which are first read as far as there are no features, memory holds a few parts.
    Raises :class:`NoValidator`, and SourceError.
    """
    workers: list[Worker] = []
    mine = threading.local()
    size = sum(file.size or 0 for file in files) or 1

    def ask(question: _Question) -> tuple[SentencesPart, list[dict[str, Any]]]:
        if not hasattr(mine, "worker"):
            mine.worker = Worker(language, level)
            workers.append(mine.worker)
        found = mine.worker.ask(question.part, question.before, last=question.last)
        return question.part, found["incidents"]

    done, line_ends = 0, list[ValidatorIncident]()
    try:
        for part, found in in_threads(ask, _questions(files), all_processors()):
            for one in found:
                made = incident(part.file, one)
                # (How a text's lines end is said once, not of every part.)
                if made.test != _LINE_ENDS:
                    yield made
                elif not line_ends:
                    line_ends.append(made)
            done += len(part.text)
            progress(min(done / size, 1))
    finally:
        for worker in workers:
            worker.end()
    yield from line_ends


def incident(file: str, one: dict[str, Any]) -> ValidatorIncident:
    """A worker's record of an incident."""
    link = _LINK.search(f"{one['message']} {one['explanation']}")
    message = " ".join(one["message"].split())
    return ValidatorIncident(
        file, one["line"], one["sent_id"], one["node"], one["level"], one["severity"], one["test"],
        message, link[0] if link else "",
    )  # fmt: skip


def _parts(file: Source) -> Iterator[SentencesPart]:
    """A file cut behind blank lines."""
    text, line = bytearray(), 0
    for chunk in chunks(file):
        # (What may go on as a blank line begins at the last break.)
        looked = max(text.rfind(b"\n"), _PART_BYTES)
        text += chunk
        while blank := _BLANK_LINE.search(text, looked):
            part = bytes(text[: blank.end()])
            yield SentencesPart(file.name, part, line)
            line += part.count(b"\n")
            del blank, text[: len(part)]
            looked = _PART_BYTES
    if text:
        yield SentencesPart(file.name, bytes(text), line)


SENTENCE_ID = re.compile(rb"^#[ \t]*sent_id[ \t]*=[ \t]*([^\r\n]*?)[ \t]*\r?$", re.MULTILINE)


class _Row(NamedTuple):
    """What the validator keeps of a row for the texts behind."""

    id: bytes
    feats: bytes
    head: bytes
    relation: bytes
    deps: bytes
    misc: bytes

    @property
    def in_graph(self) -> bool:
        return b"." in self.id or (b"-" not in self.id and self.deps != b"_")

    @property
    def enhanced(self) -> bool:
        basic = self.head + b":" + self.relation
        return b"-" not in self.id and self.deps not in (b"_", basic)


_ROW = re.compile(
    rb"^(\d[^\t\n]*)" + rb"\t[^\t\n]*" * 4 + rb"\t([^\t\n]*)" * 4 + rb"\t([^\t\r\n]*)", re.MULTILINE
)


_FEATURED = re.compile(
    rb"^\d[^\t\n]*" + rb"\t[^\t\n]*" * 4 + rb"\t(?!_\t)[^\t\n]*" + rb"\t[^\t\n]*" * 3 + rb"\t",
    re.MULTILINE,
)
"""A row with features."""


class _Question(NamedTuple):
    """A part, what is to be known before it, and whether none comes after it."""

    part: SentencesPart
    before: dict[str, Any]
    last: bool


def _questions(files: Sequence[Source]) -> Iterator[_Question]:
    known = NumberedTexts()
    seen: dict[str, Any] = {"seen_morpho_feature": 1} if _has_features(files) else {}
    parts = (part for file in files for part in _parts(file))
    part = next(parts, None)
    while part is not None:
        after = next(parts, None)
        ids = {found[1].decode("utf-8", "replace") for found in SENTENCE_ID.finditer(part.text)}
        there, every = len(known), sorted(ids)
        numbers = known.numbers([*map(encode, every)]).tolist()
        again = [one for one, number in zip(every, numbers, strict=True) if number < there]
        yield _Question(part, {"sent_ids": again, "seen": dict(seen)}, last=after is None)
        for sentence, line in _sentences(part):
            graph = any(row.in_graph for row in sentence)
            name = "seen_enhanced_graph" if graph else "seen_tree_without_enhanced_graph"
            seen.setdefault(name, line)
            if any(row.enhanced for row in sentence):
                seen["seen_enhancement"] = line
            seen["spaceafterno_in_effect"] = b"SpaceAfter=No" in sentence[-1].misc.split(b"|")
        part = after


def _has_features(files: Iterable[Source]) -> bool:
    return any(_FEATURED.search(part.text) for file in files for part in _parts(file))


def _sentences(part: SentencesPart) -> Iterator[tuple[list[_Row], int]]:
    """The rows of each sentence, and the line of the first one."""
    line = part.line + 1
    start = 0
    while start < len(part.text):
        blank = _BLANK_LINE.search(part.text, start)
        end = blank.end() if blank else len(part.text)
        found = list(_ROW.finditer(part.text, start, end))
        if found:
            first = line + part.text.count(b"\n", start, found[0].start())
            yield [_Row(*row.groups()) for row in found], first
        line += part.text.count(b"\n", start, end)
        start = end
