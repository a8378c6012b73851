"""The corpus: what is wrong in every pair of the workspace, also in files that are not open.

Files that belong together are read, compared, reported and let go of before the next are: the
memory needed is theirs. What has not changed since the client was told is not even read.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec
from treelens import corpus
from treelens.corpus import FolderEntry
from treelens.corpus.folders import unpacked
from treelens.metrics import tagging
from treelens.present.diagnostics import Diagnostic, diagnostics
from treelens.present.names import short_name
from treelens.session.config import PairRule, read_config
from treelens.session.document import Document, document
from treelens.session.pair import pair
from treelens.session.session import Link, Session
from treelens.session.toml import FILE_NAME
from treelens.trees.forest import decode, encode

from treelens_server import files
from treelens_server.background import Progress, Task
from treelens_server.context import Context
from treelens_server.files import path_of, uri_of
from treelens_server.pairing import LARGEST_CONFIG, suggested
from treelens_server.reports import encoded

_LOG = logging.getLogger("treelens")
MOST_FILES = 50_000
"""Files that a workspace is looked through for."""

_SUBSTITUTE = encode("\N{REPLACEMENT CHARACTER}")


class FileReport(NamedTuple):
    """What is wrong in a file; without items, what the client knows already."""

    name: str
    result_id: str
    items: list[msgspec.Raw] | None


class Checked(NamedTuple):
    """What came of some files that belong together."""

    state: str
    """Of all that it came of."""
    reports: Sequence[FileReport]
    pairs: int
    differing: int
    """Sentences, or groups of them, with a mismatch."""
    problems: int
    """Errors of text, and files that cannot be read."""


class WorkspacePairs(NamedTuple):
    """The pairs of a workspace, by files that belong together."""

    groups: Sequence[Sequence[Link]]
    complete: bool
    """Whether all files were looked at."""


async def find(context: Context[Any], task: Task) -> WorkspacePairs:
    """All pairs of the workspace's folders, as they would be if every file were open."""
    roots = tuple(context.roots)
    names, complete = await context.background.run(task, lambda progress: _paired(roots, progress))
    links = dict.fromkeys(context.links)
    for name in names:
        links.update(dict.fromkeys(context.links_with(name)))
        await asyncio.sleep(0)
    return WorkspacePairs(_together(links), complete)


async def check(
    context: Context[Any],
    task: Task,
    pairs: WorkspacePairs,
    known: Mapping[str, str],
    remembered: dict[Link, Checked],
) -> AsyncIterator[Checked]:
    """What is wrong in the files that are not open, those that belong together at a time.

    ``known`` are the ids of the reports that the client has; ``remembered`` is what the last check
    has found, and becomes what this one does. A step of the task each, so that what is asked for
    meanwhile is done in between.
    """
    report = context.background.report
    before = {**remembered}
    remembered.clear()
    for number, links in enumerate(pairs.groups):
        gold = short_name(links[0].gold)
        report(task, number / len(pairs.groups), f"{number + 1} of {len(pairs.groups)}: {gold}")
        group = _Group(context, links)
        checked = partial(group.checked, known, before)
        work = partial(_in_turn, checked, number, len(pairs.groups))
        found = await context.background.run(task, work)
        remembered[links[0]] = found._replace(reports=())
        yield found


def _in_turn(
    checked: Callable[[Progress], Checked], number: int, groups: int, progress: Progress
) -> Checked:
    """What comes of a group, by its number; said is how far all of them are, never less than
    before."""
    most = 0.0

    def rising(share: float) -> None:
        nonlocal most
        most = max(most, share)
        progress((number + most) / groups)

    return checked(rising)


# --- which files there are -----------------------------------------------------------------


def _paired(roots: Iterable[Path], progress: Progress) -> tuple[list[str], bool]:
    """Names of the files that are in pairs, as far as names tell; whether there were too many."""
    names: dict[str, None] = {}
    complete = True
    for root in roots:
        listed: list[str] = []
        for path in walk(root, progress):
            if len(listed) == MOST_FILES:
                complete = False
                break
            listed.append(path)
        names.update((uri_of(root / path), None) for path in _in_pairs(root, listed))
    return [*names], complete


def walk(root: Path, progress: Progress) -> Iterator[str]:
    """Paths of files below a folder, in order; links to folders are passed over."""
    return corpus.walk(partial(_entries, root, progress))


def _entries(root: Path, progress: Progress, folder: str) -> Iterator[FolderEntry]:
    """What is in a folder; nothing where it cannot be looked into."""
    progress(0)
    try:
        entries = [*os.scandir(root / folder)]
    except OSError as problem:
        _LOG.warning("%s is left out: %s", root / folder, problem.strerror)
        return
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        is_file = not is_folder and entry.is_file(follow_symlinks=False)
        if is_folder or is_file or _leads_inside(root / folder / entry.name, root):
            yield FolderEntry(entry.name, is_folder)


def _leads_inside(link: Path, root: Path) -> bool:
    """Whether something leads to a file of the folder; links in a circle lead nowhere."""
    return os.path.isfile(link) and files.is_inside(link, [root])


def _in_pairs(root: Path, listed: Sequence[str]) -> Iterator[str]:
    """Those that may be compared with something; what rules say is looked for when it is asked."""
    there = {*map(unpacked, listed)}
    rules = {
        PurePosixPath(path).parent: _rules(root / path)
        for path in listed
        if path.rsplit("/", 1)[-1] == FILE_NAME
    }
    for path in map(PurePosixPath, listed):
        _, found, by_rules = suggested(path, path.parents, lambda folder: rules.get(folder, ()))
        if by_rules or any({*one[:2]} <= there for one in found):
            yield path.as_posix()


def _rules(path: Path) -> tuple[PairRule, ...]:
    try:
        return read_config(decode(files.read(path, LARGEST_CONFIG)))[0]
    except files.ReadError:
        return ()


def _together(links: Iterable[Link]) -> list[list[Link]]:
    """Links in groups: what one file is compared with belongs to one group."""
    of: dict[str, list[Link]] = {}
    for link in links:
        mine, other = of.setdefault(link.gold, []), of.setdefault(link.system, [])
        if mine is not other:
            mine += other
            for name in {name for one in other for name in one[:2]} | {link.system}:
                of[name] = mine
        mine.append(link)
    return list({id(group): group for group in of.values()}.values())


# --- what is wrong in them -----------------------------------------------------------------


class _Group:
    """Files that belong together as they are now: made on the loop, used on the thread."""

    def __init__(self, context: Context[Any], links: Sequence[Link]) -> None:
        self._links = links
        self._names = list(dict.fromkeys(name for link in links for name in link[:2]))
        self._open = {
            name: context.document(name) for name in self._names if name in context.opened
        }
        self._formats = {name: context.format(name) for name in self._names}
        uris = {name: context.uri(name) for name in self._names}
        self._wire_names = context.names._replace(uri=uris.__getitem__)

    def checked(
        self, known: Mapping[str, str], remembered: Mapping[Link, Checked], progress: Progress
    ) -> Checked:
        """Reports of the files that are not open."""
        closed = [name for name in self._names if name not in self._open]
        result_id = self._state(progress)
        before = remembered.get(self._links[0])
        is_known = all(known.get(name) == result_id for name in closed)
        if before is not None and before.state == result_id and is_known:
            return before._replace(reports=[FileReport(name, result_id, None) for name in closed])
        session, unreadable = self._read(progress)
        differing = 0
        for job in session.jobs():
            # (A metric that costs little: it is the mismatches that count here.)
            metrics = (tagging.METRIC,)
            made = pair(job.gold, job.system, job.link.parameters, progress, metrics)
            differing += made.mismatches if made.unread is None else 0
            session.settle(job, made)
        reports, problems = [], len(unreadable)
        for name in closed:
            found = unreadable.get(name) or self._diagnostics(session, name)
            problems += sum(one.severity == "error" for one in found)
            names = self._wire_names._replace(document=session.document)
            items = None if known.get(name) == result_id else encoded(name, found, names)
            reports.append(FileReport(name, result_id, items))
            progress(1)
        return Checked(result_id, reports, len(self._links), differing, problems)

    def _state(self, progress: Progress) -> str:
        """What changes whenever one of the files does, or how they are compared."""
        state = []
        for name in self._names:
            progress(0)
            text, path = self._open.get(name), path_of(name)
            state.append(path and files.stamp(path) if text is None else text.text())
        return f"{hash((tuple(self._links), tuple(state), self._wire_names.encoding)):x}"

    def _read(self, progress: Progress) -> tuple[Session, dict[str, list[Diagnostic]]]:
        session, unreadable = Session(), {}
        for name in self._names:
            progress(0)
            try:
                text = self._text(name)
            except files.ReadError as problem:
                unreadable[name] = [_problem(str(problem))]
                continue
            session.put(name, document(text, session.symbols, self._formats[name]))
        session.link(self._links)
        return session, unreadable

    def _text(self, name: str) -> bytes:
        text, path = self._open.get(name), path_of(name)
        if text is not None:
            return text.text()
        if path is None:
            raise files.ReadError(f"{short_name(name)} is no file on disk: it is not checked")
        return files.read(path)

    def _diagnostics(self, session: Session, name: str) -> list[Diagnostic]:
        snapshot = session.snapshot(name)
        if snapshot is None:
            return []
        found = [one for one in diagnostics(snapshot) if one.listed]
        return [*_not_utf8(snapshot.document), *found]


def _not_utf8(text: Document) -> Iterator[Diagnostic]:
    at = text.text().find(_SUBSTITUTE)
    if at >= 0:
        message = (
            "this is not UTF-8, or was converted from something else and has lost letters; "
            "open the file with the encoding it has, and save it with encoding UTF-8"
        )
        yield Diagnostic(at, at + len(_SUBSTITUTE), "error", "not-utf-8", message)


def _problem(message: str) -> Diagnostic:
    return Diagnostic(0, 0, "error", "cannot-be-read", message)
