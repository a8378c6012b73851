"""The workspace's corpora read, in the background, and read again where files are others.

What a folder's corpus is, its ``treelens.toml`` says; else it is all tables and trees below the
folder, without the systems of pairs, which are other analyses of the same sentences on purpose.
Without a folder it is what is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from treelens.consistency.agreed import FILE_NAME as AGREED
from treelens.consistency.declared import ConsistencyCheck, read_wanted
from treelens.consistency.index import between
from treelens.formats.table import named
from treelens.render.numbers import number_of
from treelens.session.document import Document, document
from treelens.session.toml import FILE_NAME
from treelens.trees.forest import Symbols, decode

from treelens_server import corpus, files
from treelens_server.background import CancelledWorkError, Progress, Task
from treelens_server.files import Stamp, path_of, uri_of
from treelens_server.varying.folders import Context, Folder, views

_Result = TypeVar("_Result")

TITLE = "looking for what varies"
MANY = 200
"""Sentences that are put into an index at once; more are, with all others, in the background."""
_BRACKETS = ("mrg", "ptb", "parse", "gld", "psd", "brackets", "bracket")


async def find(context: Context, *, says: bool = True) -> None:
    """Read all there is; ``says``: whether to tell what came of it."""
    corpora = []
    for folder in (_folder(context, root) for root in _roots(context)):
        documents = await _documents(context, folder)
        if documents is None:
            return
        corpora.append((folder, documents))
    if not await _make(context, corpora):
        return
    folders = context.memory.folders = still_there(context, [folder for folder, _ in corpora])
    if says:
        found = sum(len(view.all_groups()) for one in folders for view in one.views.values())
        what = number_of(found, "group") if found else "nothing"
        varies = "vary" if found > 1 else "varies"
        read = sum(len(one.documents) for one in folders)
        tiers = " and ".join(sorted({one.wanted.tier for one in folders}))
        context.client.tell(f"{number_of(read, 'file')} read: {what} of tier {tiers} {varies}")


def _roots(context: Context) -> Sequence[Path | None]:
    roots: list[Path | None] = [*context.roots]
    return roots or [None]


def still_there(context: Context, folders: Sequence[Folder]) -> list[Folder]:
    """Those that the workspace has not been told to leave."""
    roots = {*context.roots}
    return [folder for folder in folders if folder.root is None or folder.root in roots]


async def find_unasked(context: Context) -> None:
    """The same without a word, unless somebody has asked for it meanwhile."""
    if not context.memory.folders:
        await find(context, says=False)


async def look_again(context: Context) -> None:
    """Files may be others than were read: those that are, are read again."""
    folders = context.memory.folders
    are_others = {one.root for one in folders} != {*_roots(context)}
    if are_others or any(one.root and _text(one.root / FILE_NAME) != one.config for one in folders):
        await find(context, says=False)
        return
    for folder in folders:
        await _look_again(context, folder)


async def _look_again(context: Context, folder: Folder) -> None:
    agree(context, folder)
    names = await _names(context, folder)
    if names is None:
        return
    known, opened = folder.documents, {*context.opened}
    work = partial(_others, names - opened, known, folder.stamps, context.symbols)
    read = await _shown(context, work)
    if read is None:
        return
    folder.stamps |= read.stamps
    new = _open(context, names - {*known}) | read.documents
    gone = {name for name in known if name not in names | opened} | read.emptied
    for name in gone:
        folder.stamps.pop(name, None)
    many = sum(moved(known.get(name), one) for name, one in new.items())
    many += sum(len(known[name]) for name in gone)
    if many > MANY or not all(one.format.name in folder.views for one in new.values()):
        kept = {name: one for name, one in known.items() if name not in gone}
        await _make(context, [(folder, {**kept, **new})])
        return
    for name, one in new.items():
        folder.views[one.format.name].index.put(name, one)
    for name in gone:
        view = next(view for view in folder.views.values() if name in view.index)
        view.index.remove(name)


def moved(old: Document | None, new: Document) -> int:
    """How many sentences are taken out of an index and put in; more than :data:`MANY` of a document
    that has another format now, and goes into another index."""
    if old is None:
        return len(new)
    if old.format.name != new.format.name:
        return MANY + 1
    first, old_end, new_end = between(old, new)
    return old_end - first + new_end - first


async def build_again(context: Context) -> None:
    """Make the indices of the documents as they are now."""
    memory = context.memory
    if not await _make(context, [(folder, folder.documents) for folder in memory.folders]):
        memory.waiting.clear()  # until it is edited again
    # (What has changed since is looked at by itself.)
    memory.crowded = False


# --- what there is to read ------------------------------------------------------------------


def _folder(context: Context, root: Path | None) -> Folder:
    config = _text(root / FILE_NAME) if root else ""
    folder = Folder(root, read_wanted(config)[0] or ConsistencyCheck(), config)
    agree(context, folder)
    return folder


def agree(context: Context, folder: Folder) -> None:
    """Read what is right both ways there, as the client has it or else as it is on disk."""
    text = context.beside.text(folder.agreed_name)
    if folder.root is not None:
        # (First: what is written after that is read again.)
        folder.agreed_stamp = files.stamp(folder.root / AGREED)
        text = _text(folder.root / AGREED) if text is None else text
    folder.agree(text or "")


def is_wished(root: Path) -> bool:
    """Whether a folder's configuration wants this to begin by itself."""
    return read_wanted(_text(root / FILE_NAME))[0] is not None


def _text(path: Path) -> str:
    try:
        return decode(files.read(path)) if files.stamp(path) else ""
    except files.ReadError:
        return ""


def _paths(root: Path, wanted: ConsistencyCheck, progress: Progress) -> list[str]:
    found: list[str] = []
    for path in corpus.walk(root, progress):
        if len(found) == corpus.MOST_FILES:
            break
        if _is_in(path, wanted):
            found.append(path)
    return found


def _is_in(path: str, wanted: ConsistencyCheck) -> bool:
    if wanted.files:
        return wanted.has(path) or wanted.is_reference(path)
    known = named(path)
    if known is not None:
        return known.annotation == "dependencies"
    return path.rsplit(".", 1)[-1].lower() in _BRACKETS


async def _names(context: Context, folder: Folder) -> set[str] | None:
    """The files' names; of pairs only the gold files', unless patterns say what the corpus is.
    None if the user was tired of waiting."""
    root = folder.root
    if root is None:
        return {*context.opened}
    paths = await _shown(context, partial(_paths, root, folder.wanted))
    if paths is None:
        return None
    folder.refer(
        frozenset(uri_of(root / path) for path in paths if folder.wanted.is_reference(path))
    )
    kept = set()
    for name in (uri_of(root / path) for path in paths):
        is_system = any(link.system == name for link in context.links_with(name))
        if folder.wanted.files or not is_system:
            kept.add(name)
        await asyncio.sleep(0)
    return kept


class _Read(NamedTuple):
    documents: dict[str, Document]
    stamps: dict[str, Stamp | None]
    emptied: set[str]
    """What was known, and cannot be read now or holds no sentence."""


def _others(
    names: set[str],
    known: Mapping[str, Document],
    stamps: Mapping[str, Stamp | None],
    symbols: Symbols,
    progress: Progress,
) -> _Read:
    """Those files whose text is another than what is known: also of what we have written nothing
    is read into a document again."""
    read = _Read({}, {}, set())
    for number, name in enumerate(sorted(names)):
        progress(number / len(names))
        path = path_of(name)
        if path is None:
            continue
        now = files.stamp(path)
        if name in stamps and name in known and stamps[name] == now:
            continue
        try:
            text = files.read(path)
        except files.ReadError:
            text = b""
        read.stamps[name] = now
        if name not in known or known[name].text() != text:
            found = document(text, symbols, named(name))
            if len(found):
                read.documents[name] = found
            elif name in known:
                read.emptied.add(name)
    return read


# --- what comes of it -----------------------------------------------------------------------


async def _documents(context: Context, folder: Folder) -> dict[str, Document] | None:
    names = await _names(context, folder)
    if names is None:
        return None
    own = _open(context, names)
    read = await _shown(context, partial(_others, names - {*own}, {}, {}, context.symbols))
    if read is None:
        return None
    folder.stamps = read.stamps
    return {**read.documents, **own}


def _open(context: Context, names: Iterable[str]) -> dict[str, Document]:
    """Those that are open, as they are: what holds no sentence may hold some by and by."""
    opened = {name: context.document(name) for name in names if name in context.opened}
    return {name: one for name, one in opened.items() if one is not None}


async def _make(context: Context, corpora: Sequence[tuple[Folder, Mapping[str, Document]]]) -> bool:
    """Make the views of some folders of these documents, or of what is open by now; False if the
    user was tired of waiting."""
    memory = context.memory
    for folder, documents in corpora:
        own = _open(context, documents)
        work = partial(views, folder, {**documents, **own})
        made = await _shown(context, work)
        if made is None:
            return False
        folder.views = made
        memory.seen |= own
        memory.waiting -= {*own}
    context.watch_corpus([*(name for _, documents in corpora for name in documents), AGREED])
    return True


async def _shown(context: Context, work: Callable[[Progress], _Result]) -> _Result | None:
    """A step, with a bar if it takes long; None if the user does not want it any more."""
    task = Task(TITLE)
    try:
        with context.background.shown(task):
            return await context.background.run(task, work)
    except (CancelledWorkError, asyncio.CancelledError):
        return None
