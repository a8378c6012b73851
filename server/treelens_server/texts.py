"""Which text a document has: whether a new one is an edit of the old, and what is on disk.

Pure but for :class:`Disk`, which looks at files; nothing here knows a client.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
from treelens.edits.text import Edit
from treelens.session.document import Document

from treelens_server import files
from treelens_server.files import Stamp, path_of

AT_ONCE = 1 << 18
"""Bytes that are read without leaving the loop: some ten milliseconds."""

MANY = 32
"""Changes at once that are cheaper to make in the text, which is then read anew."""

_HARDLY_ANY_LEFT = 0.99
"""The share of care (:attr:`Document.care`) from which on texts are read in the background."""


def is_large(edit: Edit, document: Document) -> bool:
    """Whether an edit makes another text of a document, whose layout may be another too, or is of
    one that is read as a whole each time, or soon may be."""
    if document.care > _HARDLY_ANY_LEFT:
        return True
    gone = edit.end - edit.start
    kept = document.length - gone
    return len(edit.replacement) > kept or gone + len(edit.replacement) > AT_ONCE


def text_after(document: Document, edit: Edit) -> bytes:
    """The whole text after an edit."""
    return document.text(0, edit.start) + edit.replacement + document.text(edit.end)


def as_edit(old: Document, text: bytes) -> Edit | None:
    """A whole text as an edit of what it was; None if hardly anything of that is left."""
    found = difference(old.text(), text)
    return None if is_large(found, old) else found


def difference(old: bytes, new: bytes) -> Edit:
    """The one stretch in which two texts differ, as an edit of the old one."""
    before, after = (np.frombuffer(text, np.uint8) for text in (old, new))
    shorter = min(len(before), len(after))
    differs = before[:shorter] != after[:shorter]
    start = int(np.argmax(differs)) if differs.any() else shorter
    rest = shorter - start
    differs = before[len(before) - rest :][::-1] != after[len(after) - rest :][::-1]
    same = int(np.argmax(differs)) if differs.any() else rest
    return Edit(start, len(old) - same, new[start : len(new) - same])


class Digests:
    """What tells whether a whole text that comes is the one that is there already."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def names(self) -> set[str]:
        return {*self._known}

    def is_new(self, name: str, text: bytes) -> bool:
        """Whether a document has another text by now, which is noted."""
        digest = hashlib.blake2b(text).digest()
        before = self._known.get(name)
        self._known[name] = digest
        return before != digest

    def edited(self, name: str) -> None:
        """It has a text that nobody has computed the digest of."""
        self._known[name] = b""

    def forget(self, name: str) -> None:
        self._known.pop(name, None)


class Disk:
    """Files that are not open, as they were when they were last looked at."""

    def __init__(self, complain: Callable[[str], None]) -> None:
        """``complain`` is told of a file that cannot be read, once."""
        self._complain = complain
        self._stamps: dict[str, Stamp | None] = {}
        self._complained: set[str] = set()

    def is_there(self, name: str) -> bool:
        path = path_of(name)
        return path is not None and files.stamp(path) is not None

    def has_been_written(self, name: str) -> bool:
        """Whether a file is another one than was read."""
        path = path_of(name)
        return path is not None and name in self._stamps and files.stamp(path) != self._stamps[name]

    def has_changed(self, name: str) -> bool:
        """Whether a file that is there has been written since; noted."""
        path = path_of(name)
        stamp = files.stamp(path) if path else None
        changed = self._stamps.get(name) != stamp
        self._stamps[name] = stamp
        return changed

    def read(self, name: str) -> bytes | None:
        """A file's text; None where it cannot be read, of which the user is told."""
        path = path_of(name)
        try:
            text, damage = files.read_undamaged(path) if path is not None else (None, "")
        except files.ReadError as problem:
            text, damage = None, str(problem)
        if damage:
            self.say(damage)
        return text

    def say(self, problem: str) -> None:
        """Tell what is wrong with a file, once."""
        if problem not in self._complained:
            self._complained.add(problem)
            self._complain(problem)

    def forget(self, name: str) -> None:
        """Look at it anew the next time, whatever its stamp."""
        self._stamps.pop(name, None)
