"""What the server has in hand: the session, where its documents come from, work in the background.

Small documents are read and paired at once; large ones on a thread of their own, and until
that is done there is nothing to say about them. All state changes on the loop's thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from lsprotocol import types
from treelens.formats.table import Format, named
from treelens.present.names import short_name
from treelens.present.window import near
from treelens.present.workspace_symbols import Index
from treelens.session.adjudication import Three
from treelens.session.agreement import Agreement
from treelens.session.document import Document, document
from treelens.session.pair import Pair, Side, aligned, counted, pair
from treelens.session.session import Job, Link, Session, Snapshot, links_of
from treelens.trees.forest import encode

from treelens_server import files
from treelens_server.background import Background, CancelledWorkError, Progress
from treelens_server.client import Client
from treelens_server.corpus import Checked
from treelens_server.features.diagnostics import Documents
from treelens_server.features.tokens import Coloured
from treelens_server.features.worklist import Worklists
from treelens_server.files import Stamp, name_of, path_of
from treelens_server.pairing import Pairing, is_config
from treelens_server.positions import edited, offset_at, span_of
from treelens_server.publishing import Publisher
from treelens_server.reviewing import Reviewing, is_sidecar

_LOG = logging.getLogger("treelens")

AT_ONCE = 1 << 18
"""Bytes that are read without leaving the loop: some ten milliseconds."""

_MANY = 32
"""Changes at once that are cheaper to make in the text, which is then read anew."""

_COUNT_EVERY = 0.02
"""Seconds between two parts of counting what annotators disagree on."""

_LOOK_EVERY = 1.0
"""Seconds between two looks at files that the client does not tell us about."""


@dataclass(slots=True)
class Open:
    """A document that the client has open, by its own spelling of the name."""

    uri: str
    version: int
    language: str = ""


@dataclass(slots=True)
class _Reading:
    """A document that is being read; what happens to it meanwhile is done afterwards."""

    digest: bytes
    edits: list[types.TextDocumentContentChangeEvent] = field(default_factory=list)


_ABOUT_PAIRS = (types.TEXT_DOCUMENT_DIAGNOSTIC, types.TEXT_DOCUMENT_CODE_LENS)


class Workbench:
    """The server's one memory. Features ask :meth:`snapshot` and :meth:`locate` only."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.session = Session()
        self.pairing = Pairing(client)
        self.publisher = Publisher(self)
        self.reviewing = Reviewing(self)
        self.session.checked = self.reviewing.reviewed
        self.worklists = Worklists(self)
        self.open: dict[str, Open] = {}
        self.background = Background(client, self._has_progressed, self.session.document)
        self.shows_heads = False
        """Whether a head's form is wanted behind its number."""
        self.searched: dict[Document, Index] = {}
        """What the last search for sentences has read through."""
        self.checked: dict[Link, Checked] = {}
        """What the last check of the corpus has found, without the reports."""
        self.told: dict[str, str] | None = None
        """The ids of the reports about files that are not open which the client was sent, if it
        has asked for that."""
        self.following = self.outdated = False
        """Whether they are being brought up to date, and whether there is need for that."""
        self.coloured = Coloured()
        self._stamps: dict[str, Stamp | None] = {}
        self._digests: dict[str, bytes] = {}
        self._readings: dict[str, _Reading] = {}
        self._resume: Callable[[], None] = lambda: None
        self._previewed: set[str] = set()
        self._touched: set[str] = set()
        self._in_view: dict[str, tuple[int, int]] = {}
        self._complained: set[str] = set()
        self._counting: asyncio.TimerHandle | None = None
        self._looked = 0.0
        self._watched: frozenset[str] | None = None
        self._endings: frozenset[str] = frozenset()

    # --- what features ask -----------------------------------------------------------------

    def snapshot(self, uri: str) -> Snapshot | None:
        """What is known of an open document; None while it is being read."""
        name = name_of(uri)
        return self.session.snapshot(name) if name in self.open else None

    def locate(self, uri: str, position: types.Position) -> tuple[Snapshot, int] | None:
        """A snapshot and the offset of a position in it."""
        snapshot = self.snapshot(uri)
        if snapshot is None:
            return None
        offset = offset_at(snapshot.document, position, self.client.encoding)
        if self._look_at(snapshot, offset):
            snapshot = self.snapshot(uri) or snapshot
        return snapshot, offset

    def document(self, name: str) -> Document | None:
        return self.session.document(name)

    def documents(self) -> Documents:
        return Documents(self.document, self.uri, self.client.encoding)

    def uri(self, name: str) -> str:
        """A name as the client spells it."""
        known = self.open.get(name)
        return known.uri if known else name

    def announce(self) -> None:
        """Tell the client what it would not ask for; after every turn of the loop's work."""
        touched, self._touched = self._touched, set()
        self.session.look_again()
        self.publisher.announce(touched)
        if self.publisher.is_counting and self._counting is None:
            # A part of what is open is counted in each turn; messages go first.
            self._counting = asyncio.get_running_loop().call_later(_COUNT_EVERY, self._count_on)

    def keeps_waiting(self, message: dict[str, Any]) -> bool:
        """Whether a request is about a document that is being read.

        An empty answer now would stay on the screen: there is no way to have a client ask
        for an outline again, and those that know of no refreshing would never ask. For lenses
        there is one, and VS Code takes as long from a keystroke to its question about lenses as
        the last answers took: waiting for one would make it slow for long.
        """
        name, method = _named_in(message), message.get("method")
        if name is None:
            return False
        if method == types.TEXT_DOCUMENT_CODE_LENS and self.client.asks_for_lenses_again:
            return False
        return self.awaits_pairs(name) if method in _ABOUT_PAIRS else name in self._readings

    def awaits_pairs(self, name: str) -> bool:
        """Whether it is not known yet how a document compares with its partners."""
        names = {name} | self.session.partners(name)
        return self.background.concerns(names - self._previewed)

    def when_ready(self, resume: Callable[[], None]) -> None:
        """What to call whenever something that was awaited is there."""
        self._resume = resume

    def _count_on(self) -> None:
        self._counting = None
        self.announce()

    def find_roots(self) -> None:
        """The folders of the workspace."""
        self.pairing.roots = [
            path for uri in self.client.folders() if (path := path_of(uri)) is not None
        ]

    def stop(self) -> None:
        self.background.stop()

    def _has_progressed(self) -> None:
        self._resume()
        self.announce()

    # --- documents of the client -----------------------------------------------------------

    def did_open(self, item: types.TextDocumentItem) -> None:
        name = name_of(item.uri)
        if is_config(name):
            return
        if is_sidecar(name):
            self.reviewing.did_open(item)
            return
        self.open[name] = Open(item.uri, item.version, item.language_id)
        self._touched.add(name)
        self._take(name, encode(item.text))
        self.relink()

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        name = name_of(params.text_document.uri)
        if is_sidecar(name):
            self.reviewing.did_change(params)
            return
        known = self.open.get(name)
        if known is None:
            if not is_config(name):
                _LOG.warning("a change of %s, which is not open; ignored", name)
            return
        version = params.text_document.version
        if version <= known.version:
            _LOG.warning("%s: version %d after %d", name, version, known.version)
        known.version = version
        self._touched.add(name)
        self._apply(name, params.content_changes)
        self._align()

    def did_close(self, uri: str) -> None:
        name = name_of(uri)
        if is_sidecar(name):
            self.reviewing.did_close(uri)
            return
        if self.open.pop(name, None) is None:
            if not is_config(name):
                _LOG.warning("%s was closed and is not open; ignored", name)
            return
        self._in_view.pop(name, None)
        self.publisher.forget(name, uri)
        self.coloured.forget(name)
        self._readings.pop(name, None)
        # Changes that were not saved are gone; the file may be another one's partner.
        self._stamps.pop(name, None)
        self.relink()

    def visible(self, uri: str, ranges: Iterable[types.Range]) -> None:
        """The extension says what is in view."""
        name = name_of(uri)
        lines = [line for range_ in ranges for line in (range_.start.line, range_.end.line)]
        if name in self.open and lines:
            self._in_view[name] = max(min(lines), 0), max(lines)
            self._look(name)
        self.look_around()

    def configure(self, settings: Any) -> None:
        """The client's settings, whatever it sends for them."""
        value = settings
        for key in ("treelens", "hints", "heads"):
            value = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
        if self.shows_heads != (value is True):
            self.shows_heads = value is True
            self.client.refresh(folds=False)

    def _look(self, name: str) -> None:
        document = self.session.document(name)
        if document is not None and len(document) and name in self._in_view:
            first, last = (
                document.sentence_at(document.line_bounds(line)[0]) or 0
                for line in self._in_view[name]
            )
            self.session.look(name, range(first, last + 1))

    def pair(self, gold: str, system: str) -> None:
        """By hand: compare these two."""
        names = name_of(gold), name_of(system)
        self.pairing.pair(*names)
        self.relink()
        linked = {link[:2] for link in self.session.links}
        if names not in linked:
            missing = [name for name in names if name not in self._digests]
            what = " and ".join(map(short_name, missing)) or "A file that is not open"
            self.client.tell(f"{what} cannot be read", types.MessageType.Error)

    def adjudicate(self, first: str, second: str, adjudicated: str = "") -> None:
        """By hand: two annotators' files, and the one in which it is settled who is right."""
        names = [name_of(uri) if uri else "" for uri in (first, second, adjudicated)]
        self.pairing.adjudicate(Three(names[0], names[1], names[2]))
        self.relink()
        missing = [one for one in names if one and one not in self._digests]
        if missing:
            what = " and ".join(map(short_name, missing))
            self.client.tell(f"{what} cannot be read", types.MessageType.Error)

    def unpair(self, uri: str) -> None:
        """By hand: compare this with nothing."""
        self.pairing.unpair(name_of(uri))
        self.relink()

    # --- pairs -----------------------------------------------------------------------------

    def relink(self) -> None:
        """Find out anew what belongs together, read what is not there and let go of the rest."""
        self._looked = time.monotonic()
        links = self.pairing.links(self.open)
        threes = self.pairing.adjudications(self.open)
        links = [one for one in links if not any({*one[:2]} <= {*three[:3]} for three in threes)]
        links += [link for three in threes for link in links_of(three)]
        for name in self.open:
            self.session.declare(name, self.pairing.labels(name))
        wanted = {name for link in links for name in link[:2]}
        unread = {name for name in wanted - {*self.open} if not self._load(name)}
        self.session.link([link for link in links if not unread.intersection(link[:2])])
        self.session.adjudicate([three for three in threes if not unread.intersection(three[:3])])
        held = (wanted | {*self.open}) - unread
        for name in {*self._digests, *self._readings} - held:
            self._forget(name)
        self._watch(wanted - {*self.open})
        self._align()

    def look_around(self, *, soon: bool = False) -> None:
        """See whether files have changed that nobody tells us of; a few calls to the system."""
        if not soon and time.monotonic() - self._looked < _LOOK_EVERY:
            return
        self.pairing.look()
        self.reviewing.look()
        self.relink()

    # --- reading ---------------------------------------------------------------------------

    def _load(self, name: str) -> bool:
        """Have a file that is not open as it is on disk; False if there is none to have."""
        path = path_of(name)
        stamp = files.stamp(path) if path else None
        if path is None or stamp is None:
            return False
        if self._stamps.get(name) == stamp:
            return name in self._digests
        self._stamps[name] = stamp
        try:
            text = files.read(path)
        except files.ReadError as problem:
            if str(problem) not in self._complained:
                self._complained.add(str(problem))
                self.client.tell(str(problem), types.MessageType.Warning)
            self._forget(name)
            self._stamps[name] = stamp
            return False
        self._take(name, text)
        return True

    def _take(self, name: str, text: bytes) -> None:
        """A whole text for a document: as an edit of what it was, if that is near at hand."""
        digest = hashlib.blake2b(text).digest()
        old, format = self.session.document(name), self.format(name)
        # (Another language may have been chosen for what was open under it.)
        fits = old is None or format is old.declared
        if self._digests.get(name) == digest and fits:
            return
        self._digests[name] = digest
        self._readings.pop(name, None)
        if old is not None and fits:
            start, end, replacement = _difference(old.text(), text)
            if not _is_large(start, end, replacement, old):
                self._edit(name, old, start, end, replacement)
                return
        if len(text) <= AT_ONCE:
            self.session.put(name, document(text, self.session.symbols, format))
            return
        self.session.drop(name)
        self._readings[name] = reading = _Reading(digest)

        def read(_: Progress) -> Document:
            if self._readings.get(name) is not reading:
                raise CancelledWorkError
            return document(text, self.session.symbols, format)

        then = partial(self._has_read, name, reading)
        self.background.start(f"reading {short_name(name)}", {name}, read, then)

    def format(self, name: str) -> Format | None:
        """What a document's name, or the client's name of its language, says that it is."""
        known = self.open.get(name)
        return named(name, known.language if known else "")

    def _has_read(self, name: str, reading: _Reading, read: Document | None) -> None:
        if self._readings.get(name) is not reading:
            return
        del self._readings[name]
        if read is None:
            self._digests.pop(name, None)
            return
        self.session.put(name, read)
        self._look(name)
        self._apply(name, reading.edits)
        self._align()

    def _apply(self, name: str, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        document = self.session.document(name)
        parts = [one for one in changes if isinstance(one, types.TextDocumentContentChangePartial)]
        if len(changes) > _MANY and len(parts) == len(changes) and document is not None:
            self._take(name, edited(document.text(), parts, self.client.encoding))
            return
        for change in changes:
            self._change(name, change)

    def _change(self, name: str, change: types.TextDocumentContentChangeEvent) -> None:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self._take(name, encode(change.text))
            return
        if name in self._readings:
            self._readings[name].edits.append(change)
            return
        document = self.session.document(name)
        if document is None:
            _LOG.error("a change of %s, which could not be read; ignored", name)
            return
        start, end = span_of(document, change.range, self.client.encoding)
        replacement = encode(change.text)
        self._digests[name] = b""
        if _is_large(start, end, replacement, document):
            self._take(name, document.text(0, start) + replacement + document.text(end))
            return
        self._edit(name, document, start, end, replacement)
        snapshot = self.session.snapshot(name)
        if snapshot is not None:
            self._look_at(snapshot, start)

    def _edit(self, name: str, old: Document, start: int, end: int, replacement: bytes) -> None:
        try:
            self.session.edit(name, start, end, replacement)
        except Exception:
            # Our mistake. What must not happen is that from here on all answers are about
            # another text than the client's.
            _LOG.exception("an edit of %s failed; it is read anew", name)
            text = old.text(0, start) + replacement + old.text(end)
            self.session.put(name, document(text, self.session.symbols, self.format(name)))

    def _forget(self, name: str) -> None:
        self.session.drop(name)
        for known in (self._stamps, self._digests, self._readings):
            known.pop(name, None)

    def _look_at(self, snapshot: Snapshot, offset: int) -> bool:
        """For clients that do not say what is in view: it is around what they ask about."""
        sentence = snapshot.document.sentence_at(offset)
        if sentence is None or snapshot.name in self._in_view:
            return False
        if sentence in near(snapshot.visible, len(snapshot.document)):
            return False
        self.session.look(snapshot.name, range(sentence, sentence + 1))
        for other in snapshot.counterparts:
            group = other.pair.group(other.pair.group_of(other.side, sentence))
            there = group.system if other.side is Side.GOLD else group.gold
            if other.name not in self._in_view and len(there):
                self.session.look(other.name, there)
        return True

    def _align(self) -> None:
        """Compute the pairs that are wanting."""
        for job in self.session.jobs():
            if job.gold.length + job.system.length <= 2 * AT_ONCE:
                found = pair(job.gold, job.system, job.link.parameters, metrics=job.metrics)
                self.session.settle(job, found)
            else:
                self.background.start(
                    f"aligning {short_name(job.link.gold)} and {short_name(job.link.system)}",
                    {job.link.gold, job.link.system},
                    partial(self._aligned, job, asyncio.get_running_loop()),
                    partial(self._has_aligned, job),
                )

    def _aligned(self, job: Job, loop: asyncio.AbstractEventLoop, progress: Progress) -> Pair:
        """On the thread: all of a pair, and first what is in view, which takes no time."""
        start = aligned(job.gold, job.system, job.link.parameters, job.metrics)
        sentences = near(self.session.visible(job.link.gold), len(job.gold))
        if len(start) and len(sentences):
            ends = (sentences.start, sentences.stop - 1)
            first, last = (start.group_of(Side.GOLD, sentence) for sentence in ends)
            loop.call_soon_threadsafe(self._preview, job, counted(start, range(first, last + 1)))
        found = counted(start, progress=progress)
        if job.link.called and job.link.marked:  # two annotators: how far they agree besides
            agreement = Agreement(found)
            loop.call_soon_threadsafe(self.session.agree, job.link, agreement)
        return found

    def _preview(self, job: Job, part: Pair) -> None:
        if self.session.pair(job.link) is None and self.session.preview(job, part):
            self._previewed |= {*job.link[:2]}
            self._has_progressed()

    def _has_aligned(self, job: Job, found: Pair | None) -> None:
        self._previewed -= {*job.link[:2]}
        if found is not None:
            self.session.settle(job, found)

    def watch_corpus(self, names: Iterable[str]) -> None:
        """Have all files watched that are named as those of the corpus are."""
        endings = {f"**/*.{name.rsplit('.', 1)[-1]}" for name in names if "." in name}
        self._watch(self._watched or frozenset(), frozenset(endings))

    def _watch(self, names: Set[str], endings: Set[str] | None = None) -> None:
        """Have the partners that are not open watched, and what says who is one."""
        endings = self._endings if endings is None else endings
        if names != self._watched or endings != self._endings:
            watchers = self.pairing.watchers(names, sorted(endings))
            self.client.watch(watchers, again=self._watched is not None)
            self._watched, self._endings = frozenset(names), frozenset(endings)


def _is_large(start: int, end: int, replacement: bytes, document: Document) -> bool:
    """Whether an edit makes another text of a document, whose layout may be another too."""
    kept = document.length - (end - start)
    return len(replacement) > kept or end - start + len(replacement) > AT_ONCE


def _difference(old: bytes, new: bytes) -> tuple[int, int, bytes]:
    """The one stretch in which two texts differ, as an edit of the old one."""
    before, after = (np.frombuffer(text, np.uint8) for text in (old, new))
    shorter = min(len(before), len(after))
    differs = before[:shorter] != after[:shorter]
    start = int(np.argmax(differs)) if differs.any() else shorter
    rest = shorter - start
    differs = before[len(before) - rest :][::-1] != after[len(after) - rest :][::-1]
    same = int(np.argmax(differs)) if differs.any() else rest
    return start, len(old) - same, new[start : len(new) - same]


def _named_in(message: dict[str, Any]) -> str | None:
    """The document that a request is about."""
    value: Any = message
    for key in ("params", "textDocument", "uri"):
        value = value.get(key) if isinstance(value, dict) else None
    return name_of(value) if isinstance(value, str) else None
