"""The client's documents, the files that they are compared with, and what belongs together.

All that changes is changed here, on the loop's thread: a document is opened, edited, closed; a
file is written; two files are paired by hand. Small texts are read and compared at once, large
ones in the background (:mod:`reading`, :mod:`aligning`). Features see snapshots of it. A little
longer than other modules are, so that all that changes is in one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from lsprotocol import types
from treelens.corpus.folders import is_packed, unpacked
from treelens.edits.text import Edit
from treelens.formats.table import Format, named
from treelens.present.names import short_name
from treelens.present.revisions import revision
from treelens.session.document import Document, document
from treelens.session.session import Link, Session, Snapshot
from treelens.trees.forest import encode

from treelens_server import files
from treelens_server.aligning import Aligning
from treelens_server.background import Background
from treelens_server.beside import Beside, is_beside
from treelens_server.client import Client
from treelens_server.files import PACKED_SCHEME, name_of, path_of
from treelens_server.link_sources import LinkSources
from treelens_server.pairing import Pairing, is_config
from treelens_server.positions import edit_of, edited, offset_at
from treelens_server.reading import Readings
from treelens_server.records import ByHand
from treelens_server.reviewing import Reviewing, is_sidecar
from treelens_server.states import States
from treelens_server.texts import AT_ONCE, MANY, Digests, Disk, as_edit, is_large, text_after
from treelens_server.turns import Turns
from treelens_server.versions import Version, Versions, earlier_name, is_ours
from treelens_server.views import Views

_LOG = logging.getLogger("treelens")

_LOOK_EVERY = 1.0
"""Seconds between two looks at files that the client does not tell us about."""

_LOOK_LESS = 20
"""How many times as long as a look takes it is to the next one, where that is more."""

_MOST_FILES = 32
"""Files that are looked at one by one when they have changed; where more have, all are."""

_Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


@dataclass(slots=True)
class Open:
    """A document that the client has open, by its own spelling of the name."""

    uri: str
    version: int
    language: str = ""
    text: bytes | None = None
    """What the client has under this spelling, while it has changed another one since."""


class SaidByHand(NamedTuple):
    """What was said by hand and holds, by files' names."""

    again: int
    """How often a client has said what it had said to a server before this one."""
    pairs: list[tuple[str, str]]
    alone: list[str]
    since: dict[tuple[str, str], Version]
    together: dict[str, list[list[str]]]


class Documents:
    """What is open and what it is compared with."""

    def __init__(self, client: Client, after: Callable[[], None]) -> None:
        """``after`` is called whenever something is there that was awaited."""
        self.client = client
        self.session = Session()
        self.session.is_heard_alone = lambda name: revision(name) is not None
        self.pairing = Pairing(client)
        self.session.in_order = self.pairing.in_order
        self.beside = Beside(client)
        self.reviewing = Reviewing(
            client, self.beside, self.session.document, self.uri, self._is_said_of
        )
        self.turns = Turns(after)
        self.states = States()
        self.sources = LinkSources()
        self.session.overlay = self.sources.overlay
        self.background = Background(client, after, self.session.document)
        self.open: dict[str, Open] = {}
        self._spelled: dict[str, dict[str, Open]] = {}
        """Under which URIs the client has a document open, each with a text of its own: the one
        that was opened or changed last is it, above."""
        self._wants_strict = True
        self.shows_heads = False
        """Whether a head's form is wanted behind its number."""
        self._shows_packed = False
        """Whether the client shows what packed files hold, under names of its own."""
        self._aligning = Aligning(self.session, self.background, after)
        self._views = Views(self.session)
        self._readings = Readings[types.TextDocumentContentChangePartial](self.background.start)
        self._digests = Digests()
        self._disk = Disk(lambda problem: client.tell(problem, types.MessageType.Warning))
        self._versions = Versions()
        self._said_again = 0
        self._touched: set[str] = set()
        self.renewed: Sequence[str] = ()
        """Documents of which something is shown otherwise than after the last turn of work."""
        self._linked_by = 0
        """How often configurations had been found to be others when all was linked by them."""
        self._look_again = 0.0
        self._watched: frozenset[str] | None = None
        self._endings: frozenset[str] = frozenset()

    # --- what there is ---------------------------------------------------------------------

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
        if self._views.guess(snapshot, offset):
            snapshot = self.snapshot(uri) or snapshot
        return snapshot, offset

    def uri(self, name: str) -> str:
        """A name as the client spells it."""
        known = self.open.get(name)
        if known is None and self._shows_packed and is_packed(name):
            return name.replace("file:", f"{PACKED_SCHEME}:", 1)
        return known.uri if known else name

    def format(self, name: str) -> Format | None:
        """What a document's name, or the client's name of its language, says that it is."""
        known = self.open.get(name)
        return named(unpacked(name), known.language if known else "")

    def is_read(self, name: str) -> bool:
        """Whether a document is being read."""
        return name in self._readings

    def reads(self) -> bool:
        """Whether any document is."""
        return bool(self._readings.names())

    def awaits_pairs(self, name: str) -> bool:
        """Whether it is not known yet how a document compares with its partners."""
        return self._aligning.awaits(name)

    def awaits_whole_pairs(self, name: str) -> bool:
        """Whether that is not known of all of it; what is in view is known before the rest."""
        return self._aligning.awaits(name, whole=True)

    def touched(self) -> set[str]:
        """The documents that the client has changed since this was last asked."""
        touched, self._touched = self._touched, set()
        return touched

    def turn(self) -> None:
        """A turn of the loop's work is over: go on with what waits for that, and find what is shown
        otherwise by now."""
        self.turns.go_on()
        if self._is_linked_otherwise():
            self.relink()
        self.session.look_again()
        self.renewed = self.session.renewed()

    def _is_said_of(self, name: str) -> None:
        """Something else is said of a document's sentences; its partners show that too."""
        self.session.renew({name} | self.session.partners(name))

    def _told_beside(self, name: str) -> None:
        if is_sidecar(name):
            self.reviewing.told(name)

    # --- documents of the client -----------------------------------------------------------

    def did_open(self, item: types.TextDocumentItem) -> None:
        name = name_of(item.uri)
        if is_config(name):
            return
        if is_beside(name):
            self.beside.did_open(item)
            self._told_beside(name)
            return
        opened = Open(item.uri, item.version, item.language_id)
        self._spelled.setdefault(name, {})[item.uri] = opened
        self._let_speak(name, opened)
        self._touched.add(name)
        self.session.renew([name])
        self._versions.opened(name, None)
        self._take(name, encode(item.text))
        self._versions.opened(name, self.session.document(name))
        self._link_opened(name)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        name = name_of(params.text_document.uri)
        if is_beside(name):
            self.beside.did_change(params)
            self._told_beside(name)
            return
        known = self.open.get(name)
        if known is None:
            if not is_config(name):
                _LOG.warning("a change of %s, which is not open; ignored", name)
            return
        known = self._spelled[name].get(params.text_document.uri, known)
        self._let_speak(name, known)
        version = params.text_document.version
        if version <= known.version:
            _LOG.warning("%s: version %d after %d", name, version, known.version)
        known.version = version
        self._touched.add(name)
        self._apply(name, params.content_changes)
        self._aligning.align()

    def did_close(self, uri: str) -> bool:
        """Whether it was one of the documents that are compared; it stays one for as long as the
        client has it open under another spelling of its URI."""
        name = name_of(uri)
        if is_beside(name):
            self.beside.did_close(uri)
            self._told_beside(name)
            return False
        spelled = self._spelled.get(name)
        if spelled is None:
            if not is_config(name):
                _LOG.warning("%s was closed and is not open; ignored", name)
            return False
        self.session.renew([name])
        spelled.pop(uri if uri in spelled else [*spelled][-1])
        if spelled:
            self._let_speak(name, [*spelled.values()][-1])
            return True
        del self.open[name], self._spelled[name]
        self._views.forget(name)
        self._readings.forget(name)
        # Changes that were not saved are gone; the file may be another one's partner.
        self._disk.forget(name)
        if self.pairing.closed(name, self.open):
            self.relink()
        else:
            self._link_closed(name)
        return True

    def _let_speak(self, name: str, one: Open) -> None:
        """Have a document be what the client has under one spelling of its URI."""
        before, spelled = self.open.get(name), self._spelled[name]
        if before is one:
            return
        if before is not None and spelled.get(before.uri) is before:
            before.text = self._text(name)
        self.open[name] = spelled[one.uri] = spelled.pop(one.uri)
        text, one.text = one.text, None
        if text is not None:
            self.session.renew([name])
            self._take(name, text)
            self._aligning.align()

    def visible(self, uri: str, ranges: Iterable[types.Range]) -> None:
        """The client says what is in view."""
        name = name_of(uri)
        lines = [(max(one.start.line, 0), max(one.end.line, 0)) for one in ranges]
        if name in self.open and lines:
            self._views.say(name, lines)
        self.look_around()

    def configure(self, settings: Any) -> None:
        """The client's settings, whatever it sends for them."""
        shows_heads = _setting(settings, "hints", "heads") is True
        if self.shows_heads != shows_heads:
            self.shows_heads = shows_heads
            self.client.refresh(folds=False)
        shows_packed = _setting(settings, "packed") is True
        if self._shows_packed != shows_packed:
            self._shows_packed = shows_packed
            self.session.renew(name for link in self.session.links for name in link[:2])
        wants_strict = _setting(settings, "strict") is not False
        if self._wants_strict != wants_strict:
            self._wants_strict = wants_strict
            self.relink()

    def _is_lenient(self, link: Link) -> bool:
        """Whether what no score counts is left out of what two files have otherwise."""
        return not (self._wants_strict and all(map(self.pairing.strict, link[:2])))

    # --- what belongs together -------------------------------------------------------------

    def find_roots(self) -> None:
        """The folders of the workspace."""
        self.pairing.work_in(filter(None, map(path_of, self.client.folders())))

    def folders_changed(self) -> None:
        """The workspace has other folders than before."""
        self.find_roots()
        self.look_around(soon=True)

    def pair(self, gold: str, system: str) -> None:
        """By hand: compare these two."""
        names = name_of(gold), name_of(system)
        self.pairing.pair(*names)
        self.relink()
        if names not in {link[:2] for link in self.session.links}:
            self._complain([name for name in names if name not in self._digests])

    def complain(self, wanted: Iterable[str]) -> None:
        """Say which of some files cannot be read."""
        missing = [name for name in wanted if name not in self._digests]
        if missing:
            self._complain(missing)

    def _complain(self, missing: Sequence[str]) -> None:
        what = " and ".join(map(short_name, missing)) or "A file that is not open"
        self.client.tell(f"{what} cannot be read", types.MessageType.Error)

    def unpair(self, uri: str) -> None:
        """By hand: end this file's pairs by hand; if there are none, compare it with nothing."""
        name = name_of(uri)
        sources, pairing = self.sources.unpair(name), self.pairing.unpair(name)
        by_hand = sources or pairing
        if not by_hand:
            self.pairing.alone.add(name)
        self._versions.forget(name)
        self.relink()
        if by_hand and path_of(name) is not None:
            self._tell_partners(name)

    def end_pair(self, uri: str, other: str) -> None:
        """A pair by hand is over; nothing is said of that."""
        if self.pairing.end(name_of(uri), name_of(other)):
            self.relink()

    def _tell_partners(self, name: str) -> None:
        """What a file is compared with once no pair by hand is in the way."""
        links = self.session.links_of(name)
        others = sorted({short_name(one) for link in links for one in link[:2] if one != name})
        partners = f"{' and '.join(others)} again" if others else "nothing"
        told = f"{short_name(name)} is compared with {partners}, as names and treelens.toml say"
        self.client.tell(told)

    @property
    def by_hand(self) -> SaidByHand:
        """What was said by hand and holds."""
        pairing, together = self.pairing, self.sources.said()
        alone = sorted(pairing.alone)
        return SaidByHand(self._said_again, pairing.by_hand, alone, self._versions.chosen, together)

    def say_again(self, said: ByHand) -> None:
        """What was said by hand to a server before this one. What is over by now stays so: no file
        of a pair is open, or one that is no file is not."""
        for one in said.pairs:
            pair = name_of(one.gold), name_of(one.system)
            if pair[0] == pair[1]:
                continue
            opened = {name for name in pair if name in self.open}
            if opened and all(path_of(name) is not None for name in {*pair} - opened):
                self.pairing.pair(*pair)
        self.pairing.alone.update(map(name_of, said.alone))
        for each in said.since:
            self._hold_against(each.gold, each.system, each.old, each.text, each.called)
        self.sources.say_again(said.together)
        self._said_again += 1
        self.relink()

    def hold_against(
        self, gold: str, system: str, old: str | None, text: str | None, called: str
    ) -> None:
        """By hand: what is new in a system file since another one, since a text that it was before,
        or, with neither, since it was opened; without a name for that, nothing is any longer."""
        self._hold_against(gold, system, old, text, called)
        self.relink()

    def _hold_against(
        self, gold: str, system: str, old: str | None, text: str | None, called: str
    ) -> None:
        pair = name_of(gold), name_of(system)
        earlier = name_of(old) if old else earlier_name(*pair)
        known = None
        if called and not old:
            known = self._versions.as_opened(pair[1]) if text is None else encode(text)
            if known is None:
                self._complain([pair[1]])
                return
            self._take(earlier, known)
        self._versions.choose(pair, Version(earlier, called, known) if called else None)

    def relink(self) -> None:
        """Find out anew what belongs together, read what is not there and let go of the rest."""
        self._linked_by = self.pairing.changes
        links = self.sources.links(self.pairing.links(self.open), self.open)
        for name in self.open:
            self.session.declare(name, self.pairing.labels(name))
        if self.session.be_lenient(self._is_lenient):
            self.client.refresh(folds=False)
        versions = self._versions.of(links)
        pairs = [*links, *(one.link for one in versions.values())]
        wanted = {name for link in pairs for name in link[:2]}
        unread = {name for name in wanted - {*self.open} if not self._load(name)}
        links = [link for link in links if not unread.intersection(link[:2])]
        there = {one: old for one, old in versions.items() if one in links}
        there = {one: old for one, old in there.items() if old.link.system not in unread}
        self.session.link(links, there)
        self.sources.settle(unread)
        held = (wanted | {*self.open}) - unread | self._versions.texts()
        for name in (self._digests.names() | self._readings.names()) - held:
            self._forget(name)
        self._watch(wanted - {*self.open})
        self._aligning.align()

    def _is_linked_otherwise(self) -> bool:
        """Whether configurations are others by now than all was linked by: whoever is the first to
        read one again, such as a check of the corpus, does not link."""
        return self.pairing.changes != self._linked_by

    def look_at(self, name: str) -> None:
        """See whether a file that is not open, or what is beside one, has been written, before an
        edit of it is made."""
        self.reviewing.look_beside(name)
        if name not in self.open and self._disk.has_been_written(name):
            self.files_changed([name])

    def files_changed(self, uris: Sequence[str]) -> None:
        """The client says that these were made, written or taken away."""
        self.pairing.look()
        self.reviewing.look()
        names = {*map(name_of, uris)}
        is_known = len(names) <= _MOST_FILES and not any(map(self.pairing.is_elsewhere, names))
        if is_known and not self._is_linked_otherwise():
            sought = names.union(*map(self.pairing.sought_by, names))
            concerned = sought.union(*map(self.session.partners, sought))
            opened = [name for name in concerned if name in self.open]
            found = dict.fromkeys(link for name in opened for link in self._found(name))
            about = concerned.union(*(link[:2] for link in found))
            if self._are_by_themselves(about):
                before = [link for name in sought for link in self.session.links_of(name)]
                self._link_anew(dict.fromkeys(before), found)
                return
        self.look_around(soon=True)

    def _are_by_themselves(self, names: Iterable[str]) -> bool:
        """Whether all that some files are compared with is what :mod:`pairing` finds by itself."""
        return not any(
            self.pairing.is_spoken_of(name)
            or self._versions.is_spoken_of(name)
            or self.sources.speaks_of(name, self.open)
            for name in names
        )

    def _link_anew(self, before: Iterable[Link], found: Collection[Link]) -> None:
        """Some links, in place of some others; all others stay as they are, but for the texts of
        files that are not open."""
        gone = [link for link in before if link not in found]
        self.session.unlink(gone)
        alone = {one for link in gone for one in link[:2] if not self.session.links_of(one)}
        wanted = {one for link in found for one in link[:2]} - {*self.open}
        watched = (self._watched or frozenset()) - alone | wanted
        unread = {one for one in watched if not self._load(one)}
        if any(map(self.session.links_of, unread)):  # of which nobody has said that it is gone
            self.look_around(soon=True)
            return
        self.session.link_also(link for link in found if unread.isdisjoint(link[:2]))
        for one in (alone - {*self.open}) & (self._digests.names() | self._readings.names()):
            self._forget(one)
        self._watch(watched)
        self._aligning.align()
        self.look_around()

    def _link_opened(self, name: str) -> None:
        """What a document that was opened is compared with; all others stay as they are."""
        links = self.pairing.links_of(name, self.open)
        by_hand = any(self.pairing.is_spoken_of(one) for link in links for one in link[:2])
        if by_hand or not self._is_like_others(name) or self._is_linked_otherwise():
            self.relink()
            return
        self.session.declare(name, self.pairing.labels(name))
        wanted = {one for link in links for one in link[:2]} - {*self.open}
        unread = {one for one in wanted if not self._load(one)}
        self.session.link_also([one for one in links if unread.isdisjoint(one[:2])])
        self._watch((self._watched or frozenset()) - {name} | wanted)
        self._aligning.align()
        self.look_around()

    def _link_closed(self, name: str) -> None:
        """A document is on disk only: it is compared with those that are open."""
        links = self.session.links_of(name)
        others = [one for link in links for one in link[:2] if one != name]
        wanted = {link for one in others if one in self.open for link in self._found(one)}
        if not self._is_like_others(name) or (wanted & {*links} and not self._load(name)):
            self.relink()
            return
        self.session.unlink([link for link in links if link not in wanted])
        alone = {one for one in (name, *others) if not self.session.links_of(one)}
        for one in alone - {*self.open}:
            self._forget(one)
        watched = (self._watched or frozenset()) - alone
        self._watch(watched if name in alone else watched | {name})
        self._aligning.align()
        self.look_around()

    def _found(self, name: str) -> list[Link]:
        return self.pairing.links_of(name, self.open)

    def _is_like_others(self, name: str) -> bool:
        """Whether opening or closing a document changes nothing about what others are compared
        with: it is there in any case, and nothing was said about it by hand."""
        path = path_of(name)
        return (path is None or files.stamp(path) is not None) and self._are_by_themselves([name])

    def look_around(self, *, soon: bool = False) -> None:
        """See whether files have changed that nobody tells us of; a few calls to the system for
        each document that is open."""
        started = time.monotonic()
        if not soon and started < self._look_again:
            return
        self.pairing.look()
        self.reviewing.look()
        self.relink()
        ended = time.monotonic()
        self._look_again = ended + max(_LOOK_EVERY, _LOOK_LESS * (ended - started))

    def watch_corpus(self, names: Iterable[str]) -> None:
        """Have all files watched that are named as those of a corpus are, beside those before."""
        ends = {name.rsplit(".", 1)[-1] for name in names if "." in name}
        self.pairing.endings.update(f".{end}" for end in ends)
        self._watch(self._watched or frozenset())

    def _watch(self, names: Set[str]) -> None:
        """Have the partners that are not open watched, those that are not there yet, and what says
        who is one."""
        endings = frozenset(self.pairing.endings)
        if names != self._watched or endings != self._endings:
            self.client.watch(self.pairing.watchers(names), again=self._watched is not None)
            self._watched, self._endings = frozenset(names), endings

    # --- texts -----------------------------------------------------------------------------

    def _load(self, name: str) -> bool:
        """Have a file that is not open as it is on disk; False if there is none to have."""
        if is_ours(name):
            return name in self._digests
        if not self._disk.is_there(name):
            return False
        if not self._disk.has_changed(name):
            return name in self._digests
        text = self._disk.read(name)
        if text is None:
            self._drop(name)
            return False
        self._take(name, text)
        self._versions.opened(name, self.session.document(name))
        self._say_unread(name)
        return True

    def _say_unread(self, name: str) -> None:
        """Say of a file that is not open, so that nothing can be marked in it, if it is not read
        as a whole or holds no trees."""
        document = self.session.document(name)
        problem = document.unread if document is not None and name not in self.open else None
        if problem is not None:
            self._disk.say(f"{short_name(name)}: {problem.message}")

    def _text(self, name: str) -> bytes | None:
        """The text of a document, also while it is being read; None where it could not be."""
        reading, document = self._readings.text(name), self.session.document(name)
        if reading is not None:
            return edited(*reading, self.client.encoding)
        return None if document is None else document.text()

    def _take(self, name: str, text: bytes) -> None:
        """A whole text for a document: as an edit of what it was, if that is near at hand."""
        old, format = self.session.document(name), self.format(name)
        # (Another language may have been chosen for what was open under it.)
        fits = old is None or format is old.declared
        if not self._digests.is_new(name, text) and fits:
            return
        self._readings.forget(name)
        edit = as_edit(old, text) if old is not None and fits else None
        if old is not None and edit is not None:
            self._edit(name, old, edit)
            return
        if len(text) <= AT_ONCE:
            self.session.put(name, document(text, self.session.symbols, format))
            return
        self.session.drop(name)
        read = partial(document, text, self.session.symbols, format)
        self._readings.begin(name, text, read, partial(self._has_read, name))

    def _has_read(self, name: str, read: Document | None, changes: Sequence[_Change]) -> None:
        if read is None:
            self._digests.forget(name)
            return
        self.session.put(name, read)
        self._versions.opened(name, read)
        self._say_unread(name)
        self._views.look(name)
        self._apply(name, changes)
        self._aligning.align()

    def _apply(self, name: str, changes: Sequence[_Change]) -> None:
        document = self.session.document(name)
        parts = [one for one in changes if isinstance(one, types.TextDocumentContentChangePartial)]
        if len(changes) > MANY and len(parts) == len(changes) and document is not None:
            self._take(name, edited(document.text(), parts, self.client.encoding))
            return
        for change in changes:
            self._change(name, change)

    def _change(self, name: str, change: _Change) -> None:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self._take(name, encode(change.text))
            return
        self._digests.edited(name)
        if name in self._readings:
            self._readings.postpone(name, change)
            return
        document = self.session.document(name)
        if document is None:
            _LOG.error("a change of %s, which could not be read; ignored", name)
            return
        edit = edit_of(document, change, self.client.encoding)
        if is_large(edit, document):
            self._take(name, text_after(document, edit))
            return
        self._edit(name, document, edit)
        snapshot = self.session.snapshot(name)
        if snapshot is not None:
            self._views.guess(snapshot, edit.start)

    def _edit(self, name: str, old: Document, edit: Edit) -> None:
        try:
            self.session.edit(name, *edit)
        except Exception:
            # Our mistake. What must not happen is that from here on all answers are about
            # another text than the client's.
            _LOG.exception("an edit of %s failed; it is read anew", name)
            text = document(text_after(old, edit), self.session.symbols, self.format(name))
            self.session.put(name, text)

    def _forget(self, name: str) -> None:
        self._drop(name)
        self._disk.forget(name)
        self._versions.opened(name, None)

    def _drop(self, name: str) -> None:
        self.session.drop(name)
        self._digests.forget(name)
        self._readings.forget(name)
        self.reviewing.left(name)


def _setting(settings: Any, *keys: str) -> Any:
    """One of the client's settings; None where it does not send it."""
    value = settings
    for key in ("treelens", *keys):
        value = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
    return value
