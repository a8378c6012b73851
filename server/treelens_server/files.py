"""Files and their names: URIs as clients spell them, paths, and text as an editor would read it.

Only regular files are read, none beyond its bound, and none that a link leads to outside of the
folders that whoever asks is allowed. Packed files are unpacked, no further than the bound.
"""

from __future__ import annotations

import functools
import ntpath
import os
import posixpath
import re
import stat
from collections.abc import Callable, Collection, Iterator
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import BinaryIO, NamedTuple
from urllib.parse import quote, unquote_to_bytes, urlsplit

from treelens.corpus.folders import is_packed, unpacked
from treelens.corpus.sources import Source, SourceError, chunks, encoding_of
from treelens.session.patterns import matched, plain
from treelens.trees.forest import encode

from treelens_server.limits import LARGEST

PACKED_SCHEME = "treelens-packed"
"""The scheme under which our own extension shows the text of packed files."""

MOST_LOOKED = 10_000
"""Files and folders that are looked at for a pattern."""

_NAMES_KEPT = 1 << 14
"""More than anybody has open: all are asked for in turn, and one too many would keep none."""

_NAMES = PureWindowsPath if os.name == "nt" else PurePosixPath
_AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class ReadError(Exception):
    """A file that cannot be compared with; the message is for the user."""


class Stamp(NamedTuple):
    """What tells that a file has been written since."""

    modified: int
    size: int
    identity: int
    """Of the file: another one may have been put in its place."""


# --- names ---------------------------------------------------------------------------------


@functools.lru_cache(maxsize=_NAMES_KEPT)
def name_of(uri: str) -> str:
    """One spelling for all spellings of a URI."""
    path = path_of(uri)
    return uri if path is None else uri_of(path)


@functools.lru_cache(maxsize=_NAMES_KEPT)
def path_of(uri: str) -> Path | None:
    """The file that a URI names; None if it names something else."""
    path = named(uri, _NAMES)
    return None if path is None else Path(path)


def named(uri: str, system: type[PurePath]) -> PurePath | None:
    """The path that a URI names where paths are as ``system`` has them; None if it names none."""
    try:
        parts = urlsplit(uri)
        text = os.fsdecode(unquote_to_bytes(parts.path))
    except ValueError:  # brackets in the host's place, or half of a surrogate pair
        return None
    if parts.scheme not in ("file", PACKED_SCHEME) or "\0" in text:
        return None
    host = parts.netloc if parts.netloc != "localhost" else ""
    if issubclass(system, PureWindowsPath):
        text = ntpath.normpath(f"//{host}{text}" if host else _without_slash(text))
    elif host:
        return None
    else:
        text = posixpath.normpath("/" + text.lstrip("/"))
    path = system(text)
    return path if path.is_absolute() else None


def _without_slash(text: str) -> str:
    """A drive's path; a share's, which some write with four slashes, as it is."""
    return text if text.startswith("//") else text.lstrip("/")


def uri_of(path: PurePath) -> str:
    text = path.as_posix()
    if path.drive.endswith(":"):
        # Editors disagree about the case of the letter, and about escaping the colon.
        return f"file:///{text[0].lower()}:{_quoted(text[2:])}"
    return f"file:{'' if path.drive else '//'}{_quoted(text)}"


def _quoted(text: str) -> str:
    """Escapes for the bytes that the name has on disk, whether they are UTF-8 or not."""
    return quote(os.fsencode(text))


# --- what is on disk -----------------------------------------------------------------------


def stamp(path: Path) -> Stamp | None:
    """None if there is no such file, or none that can be read through and has an end."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def stamp_of_any(path: Path) -> Stamp | None:
    """The same, or that of what is there in a file's place: a folder, a pipe, a link that leads
    nowhere."""
    try:
        # (The time of a folder is that of what is in it.)
        return stamp(path) or Stamp(-1, 0, path.lstat().st_ino)
    except (OSError, ValueError):
        return None


def barred(path: Path) -> Path | None:
    """The first folder on the way to a file that may not be entered; None if all may be, as those
    of most that are not there."""
    try:
        path.stat()
    except PermissionError:
        closed = (one for one in reversed(path.parents) if not os.access(one, os.X_OK))
        return next(closed, path.parent)
    except (OSError, ValueError):
        return None
    return None


def is_inside(path: Path, folders: Collection[Path]) -> bool:
    """Whether a file is in one of the folders, after all links are followed."""
    try:
        real = Path(os.path.realpath(path))  # links in a circle lead to one of themselves
        if real == path and any(path.is_relative_to(folder) for folder in folders):
            return True
        return any(real.is_relative_to(folder.resolve()) for folder in folders)
    except (OSError, ValueError, RuntimeError):  # a folder of links in a circle
        return False


def fitting(folder: Path, pattern: str, unread: Callable[[Path], None]) -> Iterator[str]:
    """Paths below a folder that a pattern means, of as many as are looked at; hidden ones and
    links to folders are passed over. ``unread`` is told of folders that may not be read."""
    pattern = plain(pattern)
    *fixed, _ = re.split("[*?]", pattern)[0].split("/")
    waiting, looked = ["/".join(fixed)], 0
    depth = MOST_LOOKED if "**/" in pattern else pattern.count("/")
    while waiting:
        below = waiting.pop()
        try:
            entries = sorted(os.scandir(folder / below), key=lambda entry: entry.name)
        except PermissionError:
            unread(folder / below)
            continue
        except OSError:
            continue
        for entry in entries:
            looked += 1
            if looked > MOST_LOOKED:
                return
            path = f"{below}/{entry.name}" if below else entry.name
            if entry.name.startswith("."):
                continue
            if not entry.is_dir(follow_symlinks=False):
                yield from (path,) if fits(pattern, path) else ()
            elif path.count("/") < depth:
                waiting.append(path)


def fits(pattern: str, path: str) -> bool:
    """Whether a path is one of a pattern's, packed or not."""
    pattern = plain(pattern)
    return any(matched(pattern, one) is not None for one in {path, unpacked(path)})


class FileText(NamedTuple):
    """A file's text; ``damage``: what is wrong with a packed one that ends before it should."""

    text: bytes
    damage: str = ""


def read(path: Path, most: int = LARGEST, *, strict: bool = False) -> bytes:
    """A file's text in UTF-8, as an editor that opens it would have it; none of more bytes than
    ``most``. Of one that somebody is writing to, what it is at this moment. Raises
    :class:`ReadError`, also for a packed file that is damaged; with ``strict``, for what is to be
    changed, where bytes are no text, too: an editor would not write them as they were."""
    text, damage = read_undamaged(path, most, strict=strict)
    if damage:
        raise ReadError(damage)
    return text


def read_undamaged(path: Path, most: int = LARGEST, *, strict: bool = False) -> FileText:
    """The same, of a damaged file what comes before the damage."""
    try:
        _regular(path, path.stat())  # to open another one, such as a device, may do something
        # Opening a pipe would wait for whoever writes to it, and it may have become one just now.
        descriptor = os.open(path, _AT_ONCE)
        with open(descriptor, "rb") as file:
            status = _regular(path, os.fstat(descriptor))
            if status.st_size > most:
                raise ReadError(_too_large(path.name, most))
            if is_packed(path.name):
                return _unpacked(path.name, file, most)
            return FileText(as_editor(file.read(status.st_size), strict=strict))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ReadError(f"{path.name} has bytes in line {line} that are no UTF-8") from None
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or error
        raise ReadError(f"{path.name} cannot be read: {what}") from None


def _regular(path: Path, status: os.stat_result) -> os.stat_result:
    if not stat.S_ISREG(status.st_mode):
        raise ReadError(f"{path.name} is no regular file; it is not read")
    return status


def _unpacked(name: str, file: BinaryIO, most: int) -> FileText:
    parts, size, damage = list[bytes](), 0, ""
    try:
        for part in chunks(Source(name, lambda: file)):
            parts.append(part)
            size += len(part)
            if size > most:
                raise ReadError(_too_large(f"{name}, unpacked,", most))
    except SourceError as problem:
        damage = str(problem)
    if damage and not parts:
        raise ReadError(damage)
    return FileText(as_editor(b"".join(parts)), damage)


def _too_large(name: str, most: int) -> str:
    if most == LARGEST:
        return f"{name} is larger than {most >> 20} MB; compare it with 'treelens score'"
    size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB"
    return f"{name} is larger than {size}; it is not read"


def as_editor(data: bytes, *, strict: bool = False) -> bytes:
    """UTF-8 without its mark, also of UTF-16 and 32; what is none of them shows as U+FFFD, or with
    ``strict`` is a UnicodeDecodeError."""
    encoding, mark = encoding_of(data[:4])
    data = data[mark:]
    if encoding != "utf-8":
        return encode(data.decode(encoding, "strict" if strict else "replace"))
    try:
        data.decode()
    except UnicodeDecodeError:
        if strict:
            raise
        return data.decode("utf-8", "replace").encode()
    return data
