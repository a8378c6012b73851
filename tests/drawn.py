"""Expectations drawn under the text they are about, and sessions made of such texts.

    ( (S (NP (DT the) (NN cat)) (VP (VBD sat))))
         ^^^ missing-bracket: system has no NP over “the cat”

A line of blanks and carets speaks of the last line above that is none. A drawing is taken off
to get the text, and made again from what a feature answers; then the two must be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import dedent

from treelens.formats.table import Format
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.session.session import Link, Session, Snapshot
from treelens.trees.forest import decode, encode

Mark = tuple[int, int, str]
"""Start and end in bytes, and what is said there."""

_DRAWN = re.compile(r" *\^+( .*)?")


def plain(drawing: str) -> str:
    """The text without what is drawn under it."""
    lines = dedent(drawing).strip("\n").split("\n")
    return "\n".join(line for line in lines if not _DRAWN.fullmatch(line)) + "\n"


def drawn(text: str, marks: Iterable[Mark]) -> str:
    """The text with marks drawn under it, each under the line it starts on."""
    source, lines = encode(text), text.rstrip("\n").split("\n")
    under: list[list[str]] = [[] for _ in lines]
    for start, end, note in sorted(marks):
        before = decode(source[:start])
        line = before.count("\n")
        column = len(before) - before.rfind("\n") - 1
        length = max(len(decode(source[start:end]).split("\n")[0]), 1)
        under[line].append((" " * column + "^" * length + f" {note}").rstrip())
    return "\n".join("\n".join([line, *marked]) for line, marked in zip(lines, under, strict=True))


def same(drawing: str, marks: Iterable[Mark]) -> None:
    """That these marks make this drawing."""
    assert drawn(plain(drawing), marks) == dedent(drawing).strip("\n")


def sitting(
    gold: str,
    *systems: str,
    format: Format | None = None,
    parameters: Parameters = PRESETS["default"],
) -> Session:
    """A session with gold and one or more systems open and paired: gold.mrg, system.mrg, 2.mrg."""
    session = Session()
    names = ["system.mrg", *(f"{number}.mrg" for number in range(2, len(systems) + 1))]
    for name, text in zip(["gold.mrg", *names], [gold, *systems], strict=True):
        session.put(name, document(encode(text), session.symbols, format))
        session.look(name, range(1))
    session.link(Link("gold.mrg", name, parameters) for name in names[: len(systems)])
    for job in session.jobs():
        assert session.settle(job, pair(job.gold, job.system, job.link.parameters))
    return session


def snapshot(session: Session, name: str = "gold.mrg") -> Snapshot:
    found = session.snapshot(name)
    assert found is not None
    return found


def alone(text: str) -> Snapshot:
    """A document that is compared with nothing."""
    session = Session()
    session.put("gold.mrg", document(encode(text), session.symbols))
    return snapshot(session)


def cursor(text: str) -> tuple[str, int]:
    """Text with a ``‸`` in it, without; and the byte offset where it was."""
    before, _, after = text.partition("‸")
    return before + after, len(encode(before))
