"""The worklist of a pair, and what an annotator says of its sentences.

Requests of our own extension (and of whoever likes them): they take a page of the list, a step
in it, and the edit that gives a sentence a state.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from lsprotocol import types
from treelens.edits.review import beside, in_comments, plain_note, takes_comments
from treelens.metrics import headlines
from treelens.present.names import short_name
from treelens.present.queries import Query
from treelens.present.revisions import names_of
from treelens.present.worklist import (
    Bunch,
    By,
    Entry,
    Flags,
    Named,
    Options,
    Order,
    Shown,
    Stop,
    Worklist,
    by_name,
    by_state,
    entries,
    listed,
    named,
    of_bunch,
    ordered,
    step,
    stop,
    tooltip,
    worklist,
)
from treelens.session.inventory import Classes, Inventory, Survey
from treelens.session.pair import Pair, Side
from treelens.session.ranking import badness
from treelens.session.review import STATES, Review, Reviewed
from treelens.session.session import Link, links_of
from treelens.session.sidecar import ENDING

from treelens_server.background import Progress
from treelens_server.edits import Changed, workspace_edit
from treelens_server.features import Feature
from treelens_server.files import name_of
from treelens_server.positions import offset_at, ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

WORKLIST = "treelens/worklist"
STEP = "treelens/worklistStep"
GROUP = "treelens/worklistGroup"
TOOLTIP = "treelens/worklistTooltip"
REVIEW = "treelens/review"
CHANGED = "treelens/worklistChanged"
SET_REVIEW = "treelens.review"

_AT_ONCE = 64
"""Groups that are looked at while somebody waits."""
_MOST = 1000
"""Entries in one answer."""
_PAUSE = 0.001
"""Seconds between two slices of work on the thread, for those who type."""


@dataclass(slots=True)
class _Memory:
    """What is kept of a pair's worklist from one request to the next."""

    kinds: Inventory = field(default_factory=Inventory)
    classes: Classes = field(default_factory=Classes)
    errors: Inventory = field(init=False)
    query: Query = field(default_factory=lambda: Query(""))
    work: Worklist | None = None
    reviewed: dict[Side, Reviewed] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    given_up: set[str] = field(default_factory=set)
    """What was cancelled: nobody begins it again unasked."""
    stop: Stop | None = None

    def __post_init__(self) -> None:
        self.errors = Inventory(self.classes.look)


class Worklists:
    """The worklists of all pairs that somebody has asked about."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._memories: dict[Link, _Memory] = {}
        self._announced: list[object] = []

    def memory(self, link: Link) -> _Memory:
        there = set(self._workbench.session.links)
        self._memories = {one: kept for one, kept in self._memories.items() if one in there}
        return self._memories.setdefault(link, _Memory())

    def work(self, link: Link, pair: Pair, side: Side) -> Worklist:
        """The list as it is now: the same object until something changes."""
        memory = self.memory(link)
        reviewed = {
            one: self._workbench.reviewing.reviewed(link.name(one)) or _unsaid(pair, one)
            for one in Side
        }
        known = memory.work
        if (
            known is None
            or known.pair is not pair
            or known.side is not side
            or any(memory.reviewed[one] is not reviewed[one] for one in Side)
        ):
            memory.reviewed = reviewed
            memory.work = known = worklist(pair, side, reviewed, names_of(link))
        return known

    def announce(self) -> None:
        """Tell whoever has asked that there is something new; what, they ask themselves."""
        if not self._memories:
            return
        session, reviewing = self._workbench.session, self._workbench.reviewing
        now: list[object] = []
        for link in session.links:
            # (A link may be another one that says the same; a pair is kept.)
            now.append(session.pair(link))
            now += [reviewing.reviewed(link.name(side)) for side in Side]
            memory = self._memories.get(link)
            now += [len(memory.begun)] if memory else []
        if len(now) != len(self._announced) or any(
            old is not new for old, new in zip(self._announced, now, strict=True)
        ):
            self._announced = now
            self._workbench.client.say(CHANGED, {})


def _unsaid(pair: Pair, side: Side) -> Reviewed:
    count = len(pair.document(side))
    return Reviewed(np.zeros(count, np.int8), np.full(count, -1, np.int32), ())


# --- a page of the list --------------------------------------------------------------------


def answer(workbench: Workbench, params: Any) -> dict[str, Any]:
    """``{uri?, pair?, reviewed, order, by, filter, group?, offset, limit}``: see docs/worklist.md.

    Without any pair, ``{"pair": null}`` and which are there or being made.
    """
    link = _link(workbench, params)
    if link is None:
        return {"pair": None, "busy": workbench.background.busy, "pairs": _pairs(workbench)}
    pair = workbench.session.pair(link)
    assert pair is not None
    side, options = _side(params, link), _options(params)
    work, memory = workbench.worklists.work(link, pair, side), workbench.worklists.memory(link)
    if _get(params, "again"):
        memory.given_up.clear()
    flags = _listed(workbench, link, work, options)
    tally = work.tally
    found: dict[str, Any] = {
        "pair": {"gold": workbench.uri(link.gold), "system": workbench.uri(link.system)},
        "pairs": _pairs(workbench),
        "reviewed": workbench.uri(link.name(side)),
        "headline": headlines(pair.metrics)[0].headline or headlines(pair.metrics)[0].title,
        "total": tally.total,
        "checked": tally.checked,
        "questions": tally.questions,
        "changed": tally.changed,
        "left": tally.left,
        "listed": int(np.count_nonzero(flags)),
        "busy": workbench.background.busy if memory.begun else None,
        "incomplete": False,
    }
    group = _get(params, "group")
    if options.by != "nothing":
        errors = _errors(workbench, link, pair, options.by)
        found["incomplete"] = bool(_wanting(memory, pair, options.by))
        if group is None:
            bunches = (
                by_state(work, flags) if options.by == "state" else by_name(work, flags, errors)
            )
            return {**found, "groups": [_bunch(one) for one in bunches]}
        flags = flags & of_bunch(work, str(group), options.by, errors)
    offset = max(int(_get(params, "offset") or 0), 0)
    limit = min(max(int(_get(params, "limit") or 100), 1), _MOST)
    order = ordered(work, options, np.flatnonzero(flags)).tolist()
    page = [*entries(work, order[offset : offset + limit])]
    return {
        **found,
        "entries": _entries(workbench, link, page),
        "offset": offset,
        "more": max(len(order) - offset - limit, 0),
    }


def _pairs(workbench: Workbench) -> list[dict[str, str]]:
    return [
        {"gold": workbench.uri(link.gold), "system": workbench.uri(link.system)}
        for link in workbench.session.links
        if workbench.session.pair(link) is not None
    ]


def _link(workbench: Workbench, params: Any) -> Link | None:
    """The pair that is named, else the first one that the file is in, else the first one."""
    session = workbench.session
    links = [link for link in session.links if session.pair(link) is not None]
    wanted, uri = _get(params, "pair"), _get(params, "uri")
    if wanted is not None:
        names = name_of(_get(wanted, "gold")), name_of(_get(wanted, "system"))
        for link in links:
            if link[:2] == names:
                return link
    if uri is not None:
        for link in [*_disagreements(workbench), *links]:
            if link in links and name_of(uri) in _files(workbench, link):
                return link
    return links[0] if links else None


def _disagreements(workbench: Workbench) -> list[Link]:
    """Where two annotators are adjudicated, which began as a copy of the first's: what the second
    has instead is the work to do."""
    threes = workbench.session.adjudications
    return [links_of(three)[2] for three in threes if three.adjudicated]


def _files(workbench: Workbench, link: Link) -> Sequence[str]:
    """The files that a list is about; of disagreements, the first annotator's too."""
    for three in workbench.session.adjudications:
        if link == links_of(three)[-1]:
            return three[:3]
    return link[:2]


def _side(params: Any, link: Link) -> Side:
    """Whose sentences have the states: of disagreements, the adjudicated file's."""
    if not link.marked:
        return Side.GOLD
    return Side.GOLD if _get(params, "reviewed") == "gold" else Side.SYSTEM


def _options(params: Any) -> Options:
    wanted = _get(params, "filter")
    return Options(
        _one_of(_get(params, "order"), get_args(Order)),
        _one_of(_get(params, "by"), get_args(By)),
        str(_get(wanted, "query") or ""),
        _one_of(_get(wanted, "show"), get_args(Shown)),
        int(_get(wanted, "least") or 0),
        _number(_get(wanted, "low")),
        _number(_get(wanted, "high")),
    )


def _one_of(value: Any, names: tuple[Any, ...]) -> Any:
    return value if value in names else names[0]


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else getattr(value, key, None)


def _listed(workbench: Workbench, link: Link, work: Worklist, options: Options) -> Flags:
    memory, pair = workbench.worklists.memory(link), work.pair
    if memory.query.text != Query(options.query).text:
        memory.query = Query(options.query)
    found = {side: memory.query.matching(pair.document(side)) for side in Side}
    memory.query.forget(pair.gold, pair.system)
    return listed(work, options, found)


def _errors(workbench: Workbench, link: Link, pair: Pair, by: By) -> Named:
    """What is known of the pair's errors; what is not is begun."""
    if by == "state":
        return Named(np.zeros(0, np.int64), np.zeros(0, np.int64), ())
    _complete(workbench, link, pair, by)
    memory = workbench.worklists.memory(link)
    if by == "class":
        return Named(*memory.errors.of(pair), tuple(memory.classes.names))
    return named(memory.kinds.of(pair), pair, by, names_of(link))


def _wanting(memory: _Memory, pair: Pair, by: By) -> int:
    if by == "state":
        return 0
    return (memory.errors if by == "class" else memory.kinds).wanting(pair)


def _complete(workbench: Workbench, link: Link, pair: Pair, by: By) -> None:
    """Find out what is not known: a few groups at once, many on the thread, with progress."""
    memory = workbench.worklists.memory(link)
    key = "class" if by == "class" else "kind"
    kept = memory.errors if by == "class" else memory.kinds
    wanting = kept.wanting(pair)
    if not wanting or key in memory.begun or key in memory.given_up:
        return
    if wanting <= _AT_ONCE:
        kept.work(pair)
        return
    survey = kept.begin(pair)
    memory.begun.add(key)

    def work(progress: Progress) -> Survey:
        def pausing(share: float) -> None:
            progress(share)
            time.sleep(_PAUSE)

        survey.work(pausing)
        return survey

    def done(found: Survey | None) -> None:
        kept.take(survey)
        memory.begun.discard(key)
        if found is None:
            memory.given_up.add(key)

    title = f"errors of {short_name(link.system)} by class" if key == "class" else "mismatches"
    workbench.background.start(f"sorting {title}", frozenset(), work, done)


def _bunch(one: Bunch) -> dict[str, Any]:
    return {
        "key": one.key,
        "title": one.title,
        "sentences": one.sentences,
        "left": one.left,
        "errors": one.errors,
    }


def _entries(workbench: Workbench, link: Link, found: list[Entry]) -> list[dict[str, Any]]:
    places: dict[int, list[types.Range]] = {}
    for side in Side:
        here = [one for one in found if one.side is side]
        document = workbench.document(link.name(side))
        if here and document is not None:
            spans = [
                span for one in here for span in ((one.start, one.end), (one.place, one.place))
            ]
            where = ranges(document, spans, workbench.client.encoding)
            for at, one in enumerate(here):
                places[one.group] = where[2 * at : 2 * at + 2]
    return [
        {
            "group": one.group,
            "uri": workbench.uri(link.name(one.side)),
            "range": places[one.group][0],
            "place": places[one.group][1].start,
            "sentence": one.sentence + 1,
            "name": one.name,
            "words": one.words,
            "score": one.score,
            "errors": one.errors,
            "summary": one.summary,
            "state": one.state,
        }
        for one in found
    ]


# --- places --------------------------------------------------------------------------------


def _current(workbench: Workbench, link: Link, params: Any) -> int | None:
    """The group that the cursor is in."""
    at = _get(params, "at")
    if at is None:
        return None
    return _group_at(workbench, link, _get(at, "uri"), _get(at, "position"))


def _group_at(workbench: Workbench, link: Link, uri: str, position: Any) -> int | None:
    name, pair = name_of(uri), workbench.session.pair(link)
    sides = link.sides(name)
    document = workbench.document(name)
    if pair is None or not sides or document is None or not len(document):
        return None
    place = types.Position(int(_get(position, "line")), int(_get(position, "character")))
    sentence = document.sentence_at(offset_at(document, place, workbench.client.encoding))
    return None if sentence is None else pair.group_of(sides[0], sentence)


def to_group(workbench: Workbench, params: Any) -> int | None:
    """``{pair?, at: {uri, position}}``: the group that the cursor is in."""
    link = _link(workbench, params)
    return None if link is None else _current(workbench, link, params)


def to_step(workbench: Workbench, params: Any) -> dict[str, Any] | None:
    """As :func:`answer`, with ``to: "worst" | "next" | "previous"`` and ``at: {uri, position}``:
    the entry to go to; None at the end of the list, or of the group."""
    link = _link(workbench, params)
    if link is None:
        return None
    pair = workbench.session.pair(link)
    assert pair is not None
    options, to = _options(params), _get(params, "to")
    if to == "worst":
        options = replace(options, order="score", by="nothing")
    work = workbench.worklists.work(link, pair, _side(params, link))
    memory = workbench.worklists.memory(link)
    flags = _listed(workbench, link, work, options)
    group = _get(params, "group")
    if group is not None and options.by != "nothing":
        errors = _errors(workbench, link, pair, options.by)
        flags = flags & of_bunch(work, str(group), options.by, errors)
    bad = badness(pair)
    here = None if to == "worst" else _current(workbench, link, params)
    at = None if here is None else stop(bad, here, memory.stop)
    found = step(work, options, flags, at, back=to == "previous")
    if found is None:
        return None
    memory.stop = stop(bad, found, None)
    (entry,) = _entries(workbench, link, [*entries(work, [found])])
    return entry


def to_tooltip(workbench: Workbench, params: Any) -> str | None:
    """``{pair, reviewed, group}``: all about an entry, as Markdown."""
    link = _link(workbench, params)
    if link is None:
        return None
    pair = workbench.session.pair(link)
    assert pair is not None
    work, group = workbench.worklists.work(link, pair, _side(params, link)), int(params.group)
    if not 0 <= group < len(pair):
        return None
    side, sentence = work.anchor(group)
    name = link.name(side)
    note = workbench.reviewing.review(name, pair.document(side), sentence).note
    return tooltip(work, group, note)


# --- what is said of a sentence --------------------------------------------------------------


def review(workbench: Workbench, params: Any) -> dict[str, Any]:
    """``{at: {uri, position}, pair?, reviewed, state?, note?}``.

    The sentence's state and note as they are; with a state, the edit that makes them these
    (``edit``), or why there is none (``refused``). ``saves`` are files that nobody looks at
    and that had better be saved.
    """
    return _review(workbench, params)


def set_review(workbench: Workbench, argument: Any) -> None:
    """``{uri, position, state, note?}``: for editors that know of commands only."""
    params = {**argument, "at": argument}
    found = _review(workbench, params, expected=True)
    if found.get("refused"):
        workbench.client.tell(found["refused"], types.MessageType.Warning)
    elif found.get("edit") is not None:
        workbench.client.edit(found["edit"])


COMMANDS: dict[str, Callable[[Workbench, Any], Any]] = {SET_REVIEW: set_review}


def _review(workbench: Workbench, params: Any, *, expected: bool = False) -> dict[str, Any]:
    at = _get(params, "at")
    place = _place(workbench, params, _get(at, "uri"), _get(at, "position"))
    if place is None:
        return {"refused": "There is no sentence here that could be reviewed"}
    name, sentence = place
    document = workbench.document(name)
    assert document is not None
    known = workbench.reviewing.review(name, document, sentence)
    found = {"state": known.state, "note": known.note, "sentence": sentence + 1}
    state = _get(params, "state")
    if state is None:
        return found
    if state not in STATES:
        return {**found, "refused": f"“{state}” is no state: todo, checked and question are"}
    note = _get(params, "note")
    new = Review(state, plain_note(known.note if note is None else str(note)))
    return found | review_edit(workbench, name, sentence, new, expected=expected)


def _place(workbench: Workbench, params: Any, uri: str, position: Any) -> tuple[str, int] | None:
    """The document and the sentence that have the state of what is at a position."""
    link = _link(workbench, {"uri": uri, "pair": _get(params, "pair")})
    if link is not None and name_of(uri) in link[:2]:
        pair, group = workbench.session.pair(link), _group_at(workbench, link, uri, position)
        if pair is not None and group is not None:
            side, sentence = workbench.worklists.work(link, pair, _side(params, link)).anchor(group)
            return link.name(side), sentence
    # A file that is compared with nothing can be reviewed as well.
    document = workbench.document(name_of(uri))
    if document is None or not len(document):
        return None
    place = types.Position(int(_get(position, "line")), int(_get(position, "character")))
    at = document.sentence_at(offset_at(document, place, workbench.client.encoding))
    return None if at is None else (name_of(uri), at)


def review_edit(
    workbench: Workbench, name: str, sentence: int, new: Review, *, expected: bool
) -> dict[str, Any]:
    """The edit that gives a sentence a state (``edit``, ``saves``), or why there is none
    (``refused``); ``expected``: of clients that do not say what they have beside the file."""
    document, reviewing = workbench.document(name), workbench.reviewing
    assert document is not None
    if not name.startswith(("file:", "untitled:")):
        other = f"{short_name(name)} cannot be changed: have the other file of the pair reviewed"
        return {"refused": other}
    if takes_comments(document, name, sentence):
        edits = in_comments(document, sentence, new)
        return {"edit": workspace_edit(workbench, [Changed(name, edits)]), "saves": []}
    if not name.startswith("file:"):
        where = f"States go beside the file {short_name(name)}: save it first"
        return {"refused": where}
    lines = beside(
        reviewing.reviews(name), document, reviewing.sidecar(name), sentence, new, short_name(name)
    )
    if not lines:
        return {"edit": None, "saves": []}
    edits_ = reviewing.text_edits(name, lines)
    uri, at = workbench.uri(name) + ENDING, name + ENDING
    edit = _beside_edit(workbench, uri, reviewing.version(at), edits_, reviewing.is_there(at))
    saves = [] if reviewing.version(at) is not None else [uri]
    if expected:
        reviewing.expect(name, lines)
    return {"edit": edit, "saves": saves}


def _beside_edit(
    workbench: Workbench,
    uri: str,
    version: int | None,
    edits: list[types.TextEdit],
    there: bool,
) -> types.WorkspaceEdit:
    can = partial(workbench.client.can)
    if not can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes={uri: edits})
    changes: list[Any] = []
    if not there and can("workspace.workspace_edit.resource_operations"):
        changes.append(
            types.CreateFile(uri=uri, options=types.CreateFileOptions(ignore_if_exists=True))
        )
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    changes.append(types.TextDocumentEdit(identifier, [*edits]))
    return types.WorkspaceEdit(document_changes=changes)


FEATURES = (
    Feature(WORKLIST, answer, empty=None),
    Feature(STEP, to_step, empty=None),
    Feature(GROUP, to_group, empty=None),
    Feature(TOOLTIP, to_tooltip, empty=None),
    Feature(REVIEW, review, empty={"refused": "That failed: see the log"}),
)
