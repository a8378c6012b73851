"""Renaming: by the client's own request in the file; by a command as far as one likes, where the
client asks before it changes files that nobody has open in front of them."""

from __future__ import annotations

import hashlib
from collections.abc import Set
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from treelens.edits.rename import Name, problem, renamed
from treelens.edits.text import coarser
from treelens.formats.table import named
from treelens.present.fixed import is_fixed
from treelens.present.names import short_name
from treelens.present.renaming import name_at, renamed_there, renaming
from treelens.session.document import Document, document
from treelens.session.session import Snapshot
from treelens.trees.forest import Symbols, encode

from treelens_server import files
from treelens_server.background import Later, ModifiedError, Progress
from treelens_server.client import WrittenEdit
from treelens_server.context import Context, Feature, Handler
from treelens_server.corpus import MOST_FILES, walk
from treelens_server.edits import ASKS, Changed, FileEdit, file_edit, of_files, workspace_edit
from treelens_server.files import path_of, uri_of
from treelens_server.positions import Encoding, ranges
from treelens_server.records import RENAME, RENAMING, PlaceArgument, RenameArgument, Renaming

MOST = 2_000
"""Edits of a file at once; past that, several are put together."""

_ENDINGS = (
    *("mrg", "ptb", "psd", "parse", "gld", "tst", "brackets", "bracket", "spmrl"),
    *("conllu", "conllx", "conll", "conll06", "conll07"),
)
"""Of files that are looked for: a file of another name is renamed in while it is open."""


def prepared(
    context: Context[None], params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    at = context.locate(params.text_document.uri, params.position)
    name = at and name_at(*at)
    if not at or not name:
        return None
    (place,) = ranges(at[0].document, [name[2:]], context.encoding)
    return types.PrepareRenamePlaceholder(place, name.text)


def answer(context: Context[None], params: types.RenameParams) -> types.WorkspaceEdit | None:
    found = _named(context, params.text_document.uri, params.position, params.new_name)
    if found is None:
        return None
    snapshot, name = found
    edits = coarser(snapshot.document, renamed(snapshot.document, name, params.new_name), MOST)
    return workspace_edit(context, [Changed(snapshot.name, edits)])


def counted(context: Context[None], params: PlaceArgument) -> Renaming | None:
    """What can be renamed there, and how often it is used."""
    context.look_at_compared(params.uri)
    at = context.locate(params.uri, params.position)
    found = renaming(*at) if at else None
    if found is None:
        return None
    name = found.name
    return Renaming(name.text, name.kind, found.sentence, found.file, found.compared)


def rename(context: Context[None], argument: RenameArgument) -> Later | None:
    """In the ``sentence``, the ``file``, the files ``compared`` with it too, or in all files of
    the ``workspace`` that are annotated alike."""
    new, scope = argument.new_name, argument.scope
    if scope == "compared":
        context.look_at_compared(argument.uri)
    found = _named(context, argument.uri, argument.position, new)
    if found is None:
        return None
    snapshot, name = found
    if scope == "workspace" and name.kind != "index":
        return _everywhere(context, snapshot, name, new)
    sentence = snapshot.document.sentence_at(name.start) or 0
    within = range(sentence, sentence + 1) if scope == "sentence" else None
    changes = [Changed(snapshot.name, renamed(snapshot.document, name, new, within))]
    if scope == "compared":
        changes += [
            Changed(one.name, renamed_there(name, new, one.document), _also(one.name))
            for one in {other.name: other for other in snapshot.counterparts}.values()
            if not is_fixed(one.name)
        ]
    changes = [_coarser(context, change) for change in changes]
    context.client.edit(workspace_edit(context, changes))
    return None


def _named(
    context: Context[None], uri: str, position: types.Position, new: str
) -> tuple[Snapshot, Name] | None:
    """What is to be renamed; None, and a message, where that cannot be."""
    at = context.locate(uri, position)
    name = at and name_at(*at)
    if not at or not name:
        context.client.tell("Put the cursor on a label, tag, relation, index or sentence ID")
        return None
    wrong = problem(new, name.kind)
    if wrong:
        context.client.tell(wrong, types.MessageType.Warning)
        return None
    return at[0], name


def _coarser(context: Context[None], change: Changed) -> Changed:
    """Edits that a client can take; it is asked to ask before it makes them if it can."""
    known = context.document(change.name)
    label = change.label if context.client.can(ASKS) else None
    return Changed(change.name, coarser(known, change.edits, MOST) if known else (), label)


def _also(name: str) -> str:
    return f"Also in {short_name(name)}"


# --- the workspace -------------------------------------------------------------------------


class _Search(NamedTuple):
    """What is renamed, and what the client takes."""

    name: Name
    new: str
    alike: str
    """How files are annotated that it is renamed in."""
    encoding: Encoding
    asks: bool

    def edit(
        self, document: Document, uri: str, version: int | None, label: str | None
    ) -> FileEdit | None:
        """Of a file; None where nothing is renamed in it."""
        if document.format.annotation != self.alike:
            return None
        edits = coarser(document, renamed_there(self.name, self.new, document), MOST)
        if not edits:
            return None
        asked = label if self.asks else None
        return file_edit(document, edits, self.encoding, uri, version, asked)


class _Open(NamedTuple):
    """A file that is open, as it was when it was asked for."""

    document: Document
    uri: str
    version: int | None
    label: str | None


def _everywhere(context: Context[None], snapshot: Snapshot, name: Name, new: str) -> Later:
    """All of it on the thread, one file after the other, till it is as it is sent: of a corpus
    these are a hundred megabytes. In between is seen what has been opened since."""
    known = {one: found for one in context.opened if (found := context.document(one))}
    opened = [
        _Open(
            found,
            context.uri(one),
            context.version(one),
            None if one == snapshot.name else _also(one),
        )
        for one, found in known.items()
        if not is_fixed(one)
    ]
    can = context.client.can
    search = _Search(name, new, snapshot.document.format.annotation, context.encoding, can(ASKS))
    roots, versioned = tuple(context.roots), can("workspace.workspace_edit.document_changes")
    title = f"renaming {name.text} in all files"

    def work(progress: Progress) -> tuple[_InFiles, _InFiles]:
        here = _InFiles([search.edit(*one) for one in opened], {}, [])
        return here, _in_files(roots, known.keys(), search, progress)

    def then(found: tuple[_InFiles, _InFiles]) -> Later:
        return put_together(*found, _opened_since(context, known.keys(), found[1]))

    def put_together(here: _InFiles, others: _InFiles, versions: dict[str, int | None]) -> Later:
        def written(_: Progress) -> WrittenEdit:
            made = (
                one and one._replace(version=versions.get(one.uri, one.version))
                for one in (*here.edits, *others.edits)
            )
            return of_files((one for one in made if one is not None), versioned=versioned)

        def send(made: WrittenEdit) -> Later | None:
            by_now = _opened_since(context, known.keys(), others)
            if by_now != versions:
                return put_together(here, others, by_now)
            _tell_unreadable(context, others.unreadable)
            context.client.edit(made)
            return None

        return Later(title, {*known, *versions}, written, send)

    return Later(title, frozenset(known), work, then)


def _opened_since(
    context: Context[None], known: Set[str], others: _InFiles
) -> dict[str, int | None]:
    """The versions of files that have been opened since they were looked for; as they were read,
    or what was found in them says nothing."""
    versions = {}
    for name in context.opened:
        if name in known or name not in others.read:
            continue
        now = context.document(name)
        if now is None or _digest(now.text()) != others.read[name]:
            raise ModifiedError(name)
        versions[name] = context.version(name)
    return versions


def _tell_unreadable(context: Context[None], unreadable: list[str]) -> None:
    if unreadable:
        message = f"Not renamed in {', '.join(map(short_name, unreadable[:3]))}"
        more = f" and {len(unreadable) - 3} more" if len(unreadable) > 3 else ""
        message += f"{more}: cannot be read"
        context.client.tell(message, types.MessageType.Warning)


class _InFiles(NamedTuple):
    """What was found in files."""

    edits: list[FileEdit | None]
    read: dict[str, bytes]
    """Of those that are not open, what tells whether a text is the one that was read."""
    unreadable: list[str]


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


def _in_files(
    roots: tuple[Path, ...], known: Set[str], search: _Search, progress: Progress
) -> _InFiles:
    """In those that are not open."""
    names = [
        uri_of(root / path)
        for root in roots
        for path in islice(walk(root, progress), MOST_FILES)
        if path.rsplit(".", 1)[-1].lower() in _ENDINGS
    ]
    found = _InFiles([], {}, [])
    for number, one in enumerate(dict.fromkeys(names)):
        progress(number / len(names))
        path = path_of(one)
        if one in known or path is None:
            continue
        try:
            text = files.read(path, strict=True)
        except files.ReadError:
            found.unreadable.append(one)
            continue
        found.read[one] = _digest(text)
        if encode(search.name.text) in text:
            read = document(text, Symbols(), named(one))
            found.edits.append(search.edit(read, one, None, _also(one)))
    return found


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_RENAME,
            answer,
            types.RenameOptions(prepare_provider=True),
            empty=None,
        ),
        Handler(types.TEXT_DOCUMENT_PREPARE_RENAME, prepared),
        Handler(RENAMING.method, counted, params=RENAMING.params),
    ),
    ((RENAME, rename),),
)
