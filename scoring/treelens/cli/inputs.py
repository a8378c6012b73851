"""What an argument stands for: a file, a folder, a pattern, a list, standard input, an address.

Files in a folder go by their path below it; so do those of a pattern, below its fixed part. A
list (``@names.txt``) has a name a line. Addresses (``s3://…``) are opened by fsspec where that is
installed. What is packed is unpacked by whoever reads it.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import importlib
import io
import itertools
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from treelens.cli import CannotContinue
from treelens.cli.packed import is_device, open_file
from treelens.cli.patterns import fitting
from treelens.corpus import FolderEntry, Source, SourceError, chunks, pair_names, walk
from treelens.corpus.blocks import format_of
from treelens.corpus.sources import is_plain, whole
from treelens.render.width import clean

if TYPE_CHECKING:
    from treelens.counting.work import StreamedText

STDIN = "-"
_LIST = "@"
_MARK = b"\xef\xbb\xbf"
_OF_ROWS = ".parquet"
_PLAIN = 1 << 18
"""Bytes of a text that say what it is."""
_AHEAD = 1 << 19
"""Bytes that are read of an address besides those that are asked for."""


def shown(name: str) -> str:
    """A file's name in messages and reports."""
    return "<stdin>" if name == STDIN else name


class Files(NamedTuple):
    """Files by their place: ``""`` for one that an argument names, else their paths below it."""

    argument: str
    by_place: dict[str, Source]

    @property
    def several(self) -> bool:
        return "" not in self.by_place

    @property
    def names(self) -> list[str]:
        """What is read: the files, and the list of them."""
        list_of_them = [self.argument[1:]] if self.argument.startswith(_LIST) else []
        return [*list_of_them, *(file.name for file in self.by_place.values())]


def files(argument: str) -> Files:
    """The files that an argument stands for; their names are as they would be opened."""
    if argument.startswith(_LIST) and not os.path.exists(argument):
        return Files(argument, {name: source(name) for name in _listed(argument[1:])})
    if _is_address(argument):
        return _addressed(argument)
    if os.path.isdir(argument):
        paths = walk(functools.partial(entries, argument))
        return Files(argument, {path: source(f"{argument.rstrip('/')}/{path}") for path in paths})
    if glob.has_magic(argument) and not os.path.exists(argument):
        found = sorted(fitting(argument))
        if not found:
            raise CannotContinue(f"{clean(argument)}: no file is called like that")
        return Files(argument, {place(path, argument): source(path) for path in found})
    return Files(argument, {"": source(argument)})


class FilePair(NamedTuple):
    """Two files that belong together; ``place`` is ``""`` where an argument names just them."""

    place: str
    gold: Source
    system: Source


class FilesByPair(NamedTuple):
    """The files of two arguments by pairs; those without a partner, by name."""

    pairs: tuple[FilePair, ...]
    alone: tuple[str, ...]
    several: bool


def paired(gold: Files, system: Files) -> FilesByPair:
    """Which files belong together: those at the same place; of two lists, those on one line."""
    if not gold.several and not system.several:
        return FilesByPair((FilePair("", gold.by_place[""], system.by_place[""]),), (), False)
    for each in (gold, system):
        if not each.by_place:
            raise CannotContinue(f"{clean(each.argument)} holds no files")
    if gold.several != system.several:
        many, one = (gold, system) if gold.several else (system, gold)
        raise CannotContinue(
            f"{clean(many.argument)} stands for many files, {clean(one.argument)} for one; "
            "name two folders, two patterns or two lists"
        )
    if gold.argument.startswith(_LIST) and system.argument.startswith(_LIST):
        return _in_lists(gold, system)
    found = pair_names([*gold.by_place], [*system.by_place])
    pairs = [FilePair(a, gold.by_place[a], system.by_place[b]) for a, b in found.pairs]
    if not pairs:
        raise CannotContinue(
            f"no file of {clean(gold.argument)} has the path of one of {clean(system.argument)}"
        )
    alone = [gold.by_place[place].name for place in found.gold_only]
    alone += [system.by_place[place].name for place in found.system_only]
    return FilesByPair(tuple(pairs), tuple(alone), True)


def _in_lists(gold: Files, system: Files) -> FilesByPair:
    if len(gold.by_place) != len(system.by_place):
        raise CannotContinue(
            f"{clean(gold.argument)} lists {len(gold.by_place)} files, "
            f"{clean(system.argument)} {len(system.by_place)}; they are paired line by line"
        )
    both = zip(gold.by_place.items(), system.by_place.values(), strict=True)
    return FilesByPair(tuple(FilePair(place, one, other) for (place, one), other in both), (), True)


def source(name: str) -> Source:
    """One file, standard input or address."""
    if name == STDIN:
        return Source(name, _stdin)
    if _is_address(name):
        return _at_address(name, _size_at(name))
    stamp = _stamp(name)
    stored = functools.partial(_as_it_was, _from_anywhere(name), name, stamp)
    if name.lower().endswith(_OF_ROWS):
        from treelens.cli import parquet

        return Source(name, functools.partial(parquet.rows_as_text, name, stored))
    return Source(name, stored, stamp.size if stamp else None)


def _from_anywhere(name: str) -> str:
    """The path as a process finds it that works elsewhere."""
    with contextlib.suppress(OSError):
        return os.path.join(os.getcwd(), name) if name else name
    return name


class _Stamp(NamedTuple):
    """What tells whether a file has been written since, also on another machine that sees it."""

    size: int
    modified: int


def _stamp(name: str) -> _Stamp | None:
    """Of a file that can be read more than once; a pipe's text is there but once."""
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(name)
        if stat.S_ISREG(status.st_mode):
            return _Stamp(status.st_size, status.st_mtime_ns)
    return None


def _as_it_was(path: str, name: str, stamp: _Stamp | None) -> BinaryIO:
    """A file, opened; of one that has changed since it was first looked at, what was read before
    and what would be read now are no one text."""
    try:
        file = open_file(path)
        if stamp is None:
            return file
        status = os.fstat(file.fileno())
        if _Stamp(status.st_size, status.st_mtime_ns) == stamp:
            return file
        file.close()
    except FileNotFoundError:
        if stamp is None:
            raise
    raise CannotContinue(f"{clean(name)} was changed while it was being read: try again")


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """A command cannot go on if a file of that name cannot be read."""
    try:
        yield
    except SourceError as problem:
        raise CannotContinue(clean(reason(name, problem))) from None


def reason(name: str, problem: SourceError) -> str:
    """Why a file cannot be read, in one line."""
    cause = problem.__cause__
    if isinstance(cause, FileNotFoundError):
        return f"{name}: no such file"
    if isinstance(cause, IsADirectoryError):
        return f"{name} is a directory, not a file"
    if isinstance(cause, OSError) and cause.strerror:
        return f"{name}: {cause.strerror}"
    return str(problem).replace(STDIN, shown(STDIN), 1) if name == STDIN else str(problem)


@contextlib.contextmanager
def plain(file: Source) -> Iterator[StreamedText]:
    """A file that can be entered anywhere, by other processes too: itself if it is plain UTF-8,
    else a copy that goes when it has been used. Raises SourceError."""
    from treelens.counting.work import StreamedText  # with all that counts, which few commands do

    if (found := _as_it_is(file)) is not None:
        yield found
        return
    import tempfile  # with all that removes folders, which plain files do without

    text = chunks(file)
    start = next(text, b"")  # (What cannot be read needs no folder.)
    with tempfile.TemporaryDirectory(prefix="treelens-") as folder:
        path = os.path.join(folder, "text")
        with open(path, "wb") as copy:
            copy.writelines(itertools.chain([start], text))
        with open(path, "rb") as again:
            format = format_of(file.name, again.read(_PLAIN))
        yield StreamedText(source(path)._replace(name=file.name), format)


def _as_it_is(file: Source) -> StreamedText | None:
    """A file of plain UTF-8 that can be entered anywhere; None of another."""
    from treelens.counting.work import StreamedText

    head = _head(file)
    if head is None or not is_plain(head):
        return None
    skipped = len(_MARK) if head.startswith(_MARK) else 0
    return StreamedText(file, format_of(file.name, head[skipped:]), skipped)


def _head(file: Source) -> bytes | None:
    """How a file begins that can be entered anywhere; None of another."""
    if file.size is None:
        return None
    try:
        with file.open() as stream:
            head = stream.read(_PLAIN)
            try:
                stream.seek(0)
            except (OSError, ValueError):  # of an address that is read from its start on only
                return None
            return head
    except OSError as problem:
        raise SourceError(f"{file.name} cannot be read: {problem.strerror or problem}") from problem


def _stdin() -> AbstractContextManager[BinaryIO]:
    if sys.stdin is None:
        raise CannotContinue("standard input is closed")
    with contextlib.suppress(io.UnsupportedOperation):  # (a text that somebody put there)
        if is_device(sys.stdin.buffer):
            raise CannotContinue("standard input is a device, not a file")
    return contextlib.nullcontext(sys.stdin.buffer)


def _listed(name: str) -> list[str]:
    with reading(name):
        names = [os.fsdecode(line.strip()) for line in whole(source(name)).splitlines()]
    found = [name for name in names if name and not name.startswith("#")]
    if not found:
        raise CannotContinue(f"{clean(name)} lists no files")
    once = set[str]()
    for one in found:
        # (By its name it is known which counts are whose; nor would it be right to drop it.)
        if one in once:
            raise CannotContinue(f"{clean(name)} lists {clean(one)} more than once")
        once.add(one)
    return found


def entries(root: str, folder: str) -> Iterable[FolderEntry]:
    """What is in a folder below another that may be read: folders that are no links, and regular
    files."""
    try:
        with os.scandir(os.path.join(root, folder)) as found:
            return [
                FolderEntry(entry.name, entry.is_dir(follow_symlinks=False))
                for entry in found
                # (No question to the entry: of links in a circle it would raise.)
                if entry.is_dir(follow_symlinks=False) or os.path.isfile(entry)
            ]
    except OSError as problem:
        raise CannotContinue(f"{clean(os.path.join(root, folder))}: {problem.strerror}") from None


def place(path: str, pattern: str, separator: str = os.sep) -> str:
    """What of a path that a pattern means is below the pattern's fixed part, with ``/`` between
    its parts wherever it is from."""
    start = _fixed(pattern.replace(separator, "/"))
    return path.replace(separator, "/")[len(start) :]


def _fixed(pattern: str) -> str:
    """The folders of a pattern before its first sign that is not to be taken literally."""
    parts: list[str] = []
    for part in pattern.split("/")[:-1]:
        if glob.has_magic(part):
            break
        parts.append(part + "/")
    return "".join(parts)


# --- addresses -------------------------------------------------------------------------------


def _is_address(name: str) -> bool:
    return "://" in name


def _fsspec() -> Any:
    try:
        return importlib.import_module("fsspec")
    except ImportError:
        raise CannotContinue(
            "addresses need the package 'fsspec' (pip install 'treelens[corpus]')"
        ) from None


def _addressed(address: str) -> Files:
    fsspec = _fsspec()
    try:
        system, path = fsspec.core.url_to_fs(address)
        if glob.has_magic(path):
            start, found = _fixed(path), system.glob(path, detail=True)
        elif system.isdir(path):
            start, found = path.rstrip("/") + "/", system.find(path, detail=True)
        else:
            return Files(address, {"": source(address)})
        each = {
            one: _at_address(system.unstrip_protocol(one), found[one].get("size"))
            for one in sorted(found)
            if found[one].get("type") != "directory"
        }
    except CannotContinue:
        raise
    except Exception as problem:  # whatever some service's package raises
        raise CannotContinue(f"{clean(address)}: {problem}") from None
    if not each:
        raise CannotContinue(f"{clean(address)}: there is no such file")
    return Files(address, {_below(one, start): file for one, file in each.items()})


def _below(path: str, start: str) -> str:
    return path.lstrip("/").removeprefix(start.lstrip("/"))


def _at_address(address: str, size: int | None) -> Source:
    """What is there, as any process opens it that sees it."""
    stored = functools.partial(_open_address, address)
    if address.lower().endswith(_OF_ROWS):
        from treelens.cli import parquet

        return Source(address, functools.partial(parquet.rows_as_text, address, stored))
    return Source(address, stored, size)


def _size_at(address: str) -> int | None:
    """Bytes of a file at an address, where its service says it."""
    with contextlib.suppress(Exception):  # (Opening it will say what is wrong.)
        system, path = _fsspec().core.url_to_fs(address)
        size: int | None = system.info(path).get("size")
        return size
    return None


def _open_address(address: str) -> AbstractContextManager[BinaryIO]:
    fsspec = _fsspec()
    try:
        system, path = fsspec.core.url_to_fs(address)
        return cast(AbstractContextManager[BinaryIO], system.open(path, "rb", block_size=_AHEAD))
    except (OSError, CannotContinue):
        raise
    except Exception as problem:
        raise OSError(None, str(problem)) from problem
