"""The memory of a sitting: documents by name, which of them are paired, and what is in view.

Everything else receives snapshots, which never change. Reads no files and watches no clock:
whoever owns a session brings it the documents, and the pairs that took long to compute. Names
are opaque here (the server's are URIs). Longer than other modules are: what an edit of a document
changes of everything else has to be seen in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.declared import ANY, DeclaredLabels
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.session.view import BEGINNING, View
from treelens.session.vocabulary import Vocabulary
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import Symbols
from treelens.trees.tree import Tree

if TYPE_CHECKING:
    from treelens.session.agreement import Agreement
    from treelens.session.since import Earlier


class Link(NamedTuple):
    """That two documents belong together, and how they are scored."""

    gold: str
    system: str
    parameters: Parameters = PRESETS["default"]
    metrics: tuple[str, ...] = ()
    """Names of what is counted; none are the standard ones."""
    called: tuple[str, str] | None = None
    """What gold and system are called where they are something else: annotators, say."""
    marked: bool = True
    """Whether what differs is marked in the files; if not, they only answer to each other."""
    work_of: tuple[str, ...] = ()
    """The files of which this pair says what is left to do, where these are not its own two."""

    def name(self, side: Side) -> str:
        return self.gold if side is Side.GOLD else self.system

    def sides(self, name: str) -> list[Side]:
        return [side for side in Side if self.name(side) == name]


class EarlierVersion(NamedTuple):
    """An earlier version of a link's system file, as a link of its own, and what it is called."""

    link: Link
    called: str


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A pair that a document is in: the other file's name, and the side this one has."""

    name: str
    side: Side
    pair: Pair
    complete: bool = True
    """Whether all of the pair has been counted, or only what is in view."""
    called: tuple[str, str] | None = None
    """As the link has it."""
    marked: bool = True
    alone: bool = False
    """Whether nothing is to be marked of others while this one is compared with."""
    earlier: Earlier | None = None
    """An earlier version of the system file: what it does not have is said to be new."""

    @property
    def document(self) -> Document:
        """The other file's document."""
        return self.pair.document(self.side.other)

    def sentences(self, sentence: int) -> range:
        """The other file's sentences that hold the text of one of this file's, if any do."""
        return self.ranges(self.pair.group_of(self.side, sentence))[1]

    def ranges(self, group: int) -> tuple[range, range]:
        """This file's sentences of a group, and the other's."""
        gold, system = self.pair.group(group)
        return (gold, system) if self.side is Side.GOLD else (system, gold)


class Overlay(Protocol):
    """What is laid over a document beside what it is compared with. The session keeps it, and
    knows no more of it; what it says is for who shows it."""

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """``(sentences,)``: which are to stay, whatever is done to all that are alike."""

    def is_stale(self) -> bool:
        """Whether it would be another one by now, though no document was edited."""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One document as it is now, with all it is compared with."""

    name: str
    document: Document
    counterparts: tuple[Counterpart, ...]
    visible: View
    """Sentences in view, or around where something was last done."""
    overlay: Overlay | None = None
    vocabularies: tuple[Vocabulary, ...] = ()
    """The document's, and those of all it is compared with."""
    labels: DeclaredLabels = ANY
    """What the user says that there is."""
    marked: tuple[Counterpart, ...] = field(init=False)
    """Those of which it is marked here what differs; those to be heard alone, if there are such."""
    _trees: dict[int, Tree] = field(default_factory=dict)
    _dependency_trees: dict[int, DependencyTree | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        marked = tuple(other for other in self.counterparts if other.marked)
        marked = tuple(other for other in marked if other.alone) or marked
        object.__setattr__(self, "marked", marked)  # (How a frozen one is completed.)

    def tree(self, sentence: int) -> Tree:
        """One sentence as objects, made once for all the features that ask."""
        tree = self._trees.get(sentence)
        if tree is None:
            tree = self._trees[sentence] = self.document.tree(sentence)
        return tree

    def dependency_tree(self, sentence: int) -> DependencyTree | None:
        """One sentence with its heads, if the document's format has heads."""
        if sentence not in self._dependency_trees:
            self._dependency_trees[sentence] = self.document.dependency_tree(sentence)
        return self._dependency_trees[sentence]


@dataclass(slots=True)
class _Alignment:
    """A link's pair; None until it is brought, and meanwhile the edits it will have missed.

    A preview is a pair of which only what is in view has been counted.
    """

    pair: Pair | None = None
    preview: Pair | None = None
    backlog: list[tuple[Side, Document, SentenceChange]] = field(default_factory=list)


class PairJob(NamedTuple):
    """A pair to compute: bring the result to :meth:`Session.settle` together with this."""

    link: Link
    gold: Document
    system: Document
    alignment: _Alignment


def _is_pair(link: Link) -> bool:
    return link.gold != link.system


class Session:
    """Documents, links between them, and pairs. All documents share one table of symbols."""

    def __init__(self) -> None:
        self.is_heard_alone: Callable[[str], bool] = lambda name: False
        """Whether other files are to be quiet while one of this name is compared with."""
        self.overlay: Callable[[str], Overlay | None] = lambda name: None
        """What is laid over a document."""
        self.in_order: Callable[[str, Sequence[Link]], Sequence[Link]] = lambda name, links: links
        """The links of a document in the order in which they are shown, whoever came first."""
        self._lenient: Callable[[Link], bool] = lambda link: False
        self._agreements: dict[Link, Agreement] = {}
        self.symbols = Symbols()
        self._documents: dict[str, Document] = {}
        self._visible: dict[str, View] = {}
        self._alignments: dict[Link, _Alignment] = {}
        self._about: dict[str, dict[Link, None]] = {}
        """In order."""
        self._links: tuple[Link, ...] | None = None
        self._waiting: dict[Link, None] = {}
        self._versions: dict[Link, EarlierVersion] = {}
        self._unseen: set[Link] = set()
        """Those links that are there for their versions only."""
        self._snapshots: dict[str, Snapshot] = {}
        self._overlays: dict[str, Overlay] = {}
        """Those of the snapshots."""
        self._renewed: set[str] = set()
        self._vocabularies: dict[str, Vocabulary] = {}
        self._labels: dict[str, DeclaredLabels] = {}

    @property
    def links(self) -> tuple[Link, ...]:
        if self._links is None:
            golds = sorted({link.gold for link in self._alignments})
            self._links = tuple(link for gold in golds for link in self.links_from(gold))
        return self._links

    def document(self, name: str) -> Document | None:
        return self._documents.get(name)

    def pair(self, link: Link) -> Pair | None:
        """The pair, once all of it is computed, if both files are read."""
        pair = self.unread_or_pair(link)
        return pair if pair is not None and pair.unread is None else None

    def unread_or_pair(self, link: Link) -> Pair | None:
        """The pair, also of files of which one is not read: it is there to be told of."""
        alignment = self._alignments.get(link)
        return alignment.pair if alignment else None

    def earlier(self, link: Link) -> Earlier | None:
        """The earlier version that a link's system file is held against, once it is compared."""
        from treelens.session.since import Earlier  # which one picture does without

        version = self._versions.get(link)
        pair = self.pair(version.link) if version is not None else None
        return Earlier(pair, version.called) if version and pair is not None else None

    def visible(self, name: str) -> View:
        """The sentences of a document that are in view."""
        return self._visible.get(name, BEGINNING)

    def partners(self, name: str) -> set[str]:
        """The names that are paired with one, computed or not."""
        return {link.name(side.other) for link in self.links_of(name) for side in link.sides(name)}

    def links_of(self, name: str) -> tuple[Link, ...]:
        """The links that a document is in."""
        return tuple(self._about.get(name, ()))

    def links_from(self, gold: str) -> list[Link]:
        """Those of :attr:`links` in which a document is gold."""
        about = self._about.get(gold, ())
        return [link for link in about if link.gold == gold and link not in self._unseen]

    def snapshot(self, name: str) -> Snapshot | None:
        """The same object for as long as nothing about the document has changed."""
        known = self._snapshots.get(name)
        if known is None and name in self._documents:
            others = tuple(self._counterparts(name))
            # (What is heard alone is heard without what is laid over the document, too.)
            overlay = None if any(other.alone for other in others) else self.overlay(name)
            if overlay is not None:
                self._overlays[name] = overlay
            known = self._snapshots[name] = Snapshot(
                name,
                self._documents[name],
                others,
                self.visible(name),
                overlay,
                tuple(
                    map(self._vocabulary, (name, *sorted(self.partners(name) & {*self._documents})))
                ),
                self._labels.get(name, ANY),
            )
        return known

    def agreement(self, link: Link) -> Agreement | None:
        """How far two annotators agree, once their pair is there."""
        from treelens.session.agreement import Agreement  # which one picture does without

        pair = self.pair(link)
        if pair is None:
            return None
        known = self._agreements.get(link)
        if known is None:
            known = self.agree(link, Agreement(pair))
        known.follow(pair)
        return known

    def agree(self, link: Link, agreement: Agreement) -> Agreement:
        """Take what was counted of two annotators' pair; it follows what is edited since."""
        there = self._alignments
        self._agreements = {one: kept for one, kept in self._agreements.items() if one in there}
        self._agreements[link] = agreement
        return agreement

    def look_again(self) -> bool:
        """Let go of snapshots whose overlay is another one by now; whether there were any."""
        stale = [name for name, overlay in self._overlays.items() if overlay.is_stale()]
        self.renew(stale)
        return bool(stale)

    def renew(self, names: Iterable[str]) -> None:
        """What is shown of these documents, or with them, is something else now."""
        for name in names:
            self._snapshots.pop(name, None)
            self._overlays.pop(name, None)
            self._renewed.add(name)

    def renewed(self) -> list[str]:
        """The documents whose snapshots are others than when this was last asked, and those that
        are gone, by name: whoever follows all documents need not look at the rest."""
        renewed, self._renewed = sorted(self._renewed), set()
        return renewed

    def put(self, name: str, document: Document) -> None:
        """A document that was read anew: its pairs have to be computed again."""
        self._documents[name] = document
        self._vocabularies.pop(name, None)
        self._realign(name)
        self._forget(name)

    def drop(self, name: str) -> None:
        """A document that is not there, or not yet again; its links stay."""
        self._forget(name)
        self._documents.pop(name, None)
        self._vocabularies.pop(name, None)
        self._visible.pop(name, None)
        self._realign(name)

    def edit(self, name: str, start: int, end: int, replacement: bytes) -> SentenceChange:
        """Replace a stretch of a document that is there, and bring its pairs up to date."""
        document, change = self._documents[name].edit(start, end, replacement)
        self._documents[name] = document
        if name in self._vocabularies:
            self._vocabularies[name] = self._vocabularies[name].edited(document, change)
        self._shift_view(name, change)
        for link in self.links_of(name):
            alignment = self._alignments[link]
            for side in link.sides(name):
                if alignment.pair is not None:
                    alignment.pair = alignment.pair.edit(side, document, change)
                    continue
                alignment.backlog.append((side, document, change))
                if alignment.preview is not None:
                    alignment.preview = alignment.preview.edit(side, document, change)
        self._forget(name)
        return change

    def declare(self, name: str, labels: DeclaredLabels) -> None:
        """What labels there are in a document, as the user says."""
        if self._labels.get(name, ANY) != labels:
            self._labels[name] = labels
            self.renew([name])

    def _vocabulary(self, name: str) -> Vocabulary:
        known = self._vocabularies.get(name)
        if known is None:
            known = self._vocabularies[name] = Vocabulary(self._documents[name])
        return known

    def link(
        self, links: Iterable[Link], versions: Mapping[Link, EarlierVersion] | None = None
    ) -> None:
        """These are all the links from now on, and earlier versions that some are held against;
        pairs of those that stay are kept."""
        wanted = dict.fromkeys(links)
        self._hold_against(versions or {})
        self._unseen = {one.link for one in self._versions.values()} - {*wanted}
        wanted |= dict.fromkeys(self._unseen)
        self.unlink([link for link in self._alignments if link not in wanted])
        self.link_also(wanted)
        about: dict[str, dict[Link, None]] = {}
        for link in filter(_is_pair, wanted):
            for name in link[:2]:
                about.setdefault(name, {})[link] = None
        self._put_in_order(about)

    def _hold_against(self, versions: Mapping[Link, EarlierVersion]) -> None:
        for link in {*self._versions} | {*versions}:
            if self._versions.get(link) != versions.get(link):
                self.renew(link[:2])
        self._versions = {**versions}

    def link_also(self, links: Iterable[Link]) -> None:
        """These besides those that there are."""
        new = [link for link in dict.fromkeys(links) if link not in self._alignments]
        for link in filter(_is_pair, new):
            self._alignments[link] = _Alignment()
            for name in link[:2]:
                self._about.setdefault(name, {})[link] = None
            self._start_over(link)
        names = dict.fromkeys(name for link in new for name in link[:2])
        self._put_in_order({name: self._about.get(name, {}) for name in names})

    def unlink(self, links: Iterable[Link]) -> None:
        """These no longer."""
        for link in links:
            self._start_over(link)
            del self._alignments[link]
            self._waiting.pop(link, None)
            for name in link[:2]:
                del self._about[name][link]
                if not self._about[name]:
                    del self._about[name]
        self._links = None

    def _put_in_order(self, about: Mapping[str, Mapping[Link, None]]) -> None:
        """These are the links of some documents."""
        self._links = None
        for name, links in about.items():
            ordered = self.in_order(name, [*links]) if len(links) > 1 else [*links]
            if [*self._about.get(name, ())] != [*ordered]:
                self._about[name] = dict.fromkeys(ordered)
                self._forget(name)

    def _start_over(self, link: Link) -> None:
        """There is no pair of it (yet): a job for it, and other snapshots of its documents."""
        self._waiting[link] = None
        for name in link[:2]:
            self._forget(name)

    def jobs(self) -> list[PairJob]:
        """The pairs to compute, each named once; what is edited meanwhile is made up for later."""
        found = []
        for link in [*self._waiting]:
            gold, system = self.document(link.gold), self.document(link.system)
            if gold is not None and system is not None:
                del self._waiting[link]
                self._alignments[link] = fresh = _Alignment()
                found.append(PairJob(link, gold, system, fresh))
        return found

    def preview(self, job: PairJob, pair: Pair) -> bool:
        """Show a pair for as long as the rest of it is being counted; False as below."""
        if self._alignments.get(job.link) is not job.alignment:
            return False
        job.alignment.preview = self._caught_up(job, pair)
        self._forget(job.link.gold)
        return True

    def settle(self, job: PairJob, pair: Pair) -> bool:
        """Take a computed pair; False if one of its documents has been replaced meanwhile."""
        if self._alignments.get(job.link) is not job.alignment:
            return False
        job.alignment.pair = self._caught_up(job, pair)
        job.alignment.preview = None
        job.alignment.backlog.clear()
        self._forget(job.link.gold)
        return True

    def _caught_up(self, job: PairJob, pair: Pair) -> Pair:
        """With the edits since the job was handed out."""
        for side, document, change in job.alignment.backlog:
            pair = pair.edit(side, document, change)
        return pair.strictly(not self._lenient(job.link))

    def be_lenient(self, lenient: Callable[[Link], bool]) -> bool:
        """Which files' differences that no score counts are not shown, from now on. Whether that
        is anything new."""
        self._lenient = lenient
        changed = False
        for link, alignment in self._alignments.items():
            strict = not lenient(link)
            # (A pair of no sentences is there, and false.)
            for one in (alignment.pair, alignment.preview):
                changed = changed or (one is not None and one.strict != strict)
            if alignment.pair is not None:
                alignment.pair = alignment.pair.strictly(strict)
            if alignment.preview is not None:
                alignment.preview = alignment.preview.strictly(strict)
        if changed:
            self.renew([*self._documents])
        return changed

    def look(self, name: str, *stretches: range) -> bool:
        """What of a document is in view; whether that is anything new."""
        visible = View.of(*stretches)
        if name not in self._documents or self._visible.get(name) == visible:
            return False
        self._visible[name] = visible
        self.renew([name])
        return True

    def _counterparts(self, name: str) -> Iterable[Counterpart]:
        for link in self.links_of(name):
            alignment = self._alignments[link]
            for side in link.sides(name):
                pair, complete = alignment.pair, alignment.pair is not None
                pair = pair if pair is not None else alignment.preview
                if pair is not None and pair.unread is None and link not in self._unseen:
                    other = link.name(side.other)
                    alone = self.is_heard_alone(other)
                    called, marked, earlier = link.called, link.marked, self.earlier(link)
                    yield Counterpart(other, side, pair, complete, called, marked, alone, earlier)

    def _realign(self, name: str) -> None:
        for link in self.links_of(name):
            self._alignments[link] = _Alignment()
            self._waiting[link] = None

    def _shift_view(self, name: str, change: SentenceChange) -> None:
        """The view stays on the same sentences when some are added or taken before it."""
        visible = self._visible.get(name)
        if visible is not None:
            grown = change.new_end - change.old_end
            self._visible[name] = visible.moved(change.old_end, grown)

    def _forget(self, name: str) -> None:
        """The snapshots of a document and of its partners are out of date, and of what is held
        against it."""
        later = [link.system for link, one in self._versions.items() if name in one.link[:2]]
        self.renew((name, *self.partners(name), *later))
