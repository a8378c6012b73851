"""Files and their names: URIs as clients spell them, paths, and text as an editor would read it."""

from __future__ import annotations

import codecs
import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from treelens.trees.forest import encode

LARGEST = 256 << 20
"""Bytes of a file that is read; past this the command line is the place."""


class ReadError(Exception):
    """A file that cannot be compared with; the message is for the user."""


class Stamp(NamedTuple):
    """What tells that a file has been written since."""

    modified: int
    size: int


def name_of(uri: str) -> str:
    """One spelling for all spellings of a URI."""
    path = path_of(uri)
    return uri if path is None else uri_of(path)


def path_of(uri: str) -> Path | None:
    """The file that a URI names; None if it names something else."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or "\0" in unquote(parts.path):
        return None
    text = unquote(parts.path)
    if os.name == "nt":
        text = text.lstrip("/") if not parts.netloc else f"//{parts.netloc}{text}"
    path = Path(os.path.normpath(text))
    return path if path.is_absolute() else None


def uri_of(path: Path) -> str:
    text = path.as_posix()
    if path.drive.endswith(":"):
        # Editors disagree about the case of the letter, and about escaping the colon.
        return f"file:///{text[0].lower()}:{quote(text[2:])}"
    return "file://" + (quote(text) if not text.startswith("//") else quote(text[2:]))


def stamp(path: Path) -> Stamp | None:
    """None if there is no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return Stamp(status.st_mtime_ns, status.st_size)


def read(path: Path) -> bytes:
    """A file's text in UTF-8, as an editor that opens it would have it."""
    try:
        if path.stat().st_size > LARGEST:
            limit = LARGEST >> 20
            raise ReadError(
                f"{path.name} is larger than {limit} MB; compare it with 'treelens score'"
            )
        return as_editor(path.read_bytes())
    except OSError as error:
        raise ReadError(f"{path.name} cannot be read: {error.strerror or error}") from None


def as_editor(data: bytes) -> bytes:
    """UTF-8 without its mark, or what a UTF-16 mark announces; what is neither shows as U+FFFD."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return encode(data.decode("utf-16", "replace"))
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data
