"""The worklist of a pair: a page of the list, a step in it, all about an entry."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from msgspec import Raw
from treelens.present.names import short_name
from treelens.present.notes import in_file
from treelens.present.queries import Query
from treelens.present.revisions import names_of
from treelens.present.worklist import (
    Flags,
    ListOptions,
    Section,
    Worklist,
    WorklistStop,
    let_through,
    of_section,
    with_changes,
    with_suspects,
    worklist,
)
from treelens.present.worklist_lines import ListedGroup, parts, tooltip
from treelens.present.worklist_page import (
    headline,
    link_named,
    next_stop,
    page,
    reviewed_side,
    rivals_of,
    worst,
)
from treelens.render.width import without_controls
from treelens.session.pair import Pair, Side
from treelens.session.review import Reviewed, unreviewed
from treelens.session.session import Link

from treelens_server import records
from treelens_server.context import Context, Feature, Handler
from treelens_server.files import name_of
from treelens_server.places import group_at, pair_names
from treelens_server.positions import places
from treelens_server.records import (
    WORKLIST,
    WORKLIST_CHANGED,
    WORKLIST_GROUP,
    WORKLIST_STEP,
    WORKLIST_TOOLTIP,
    Nothing,
    PairNames,
    WorklistFilter,
    WorklistGroupParams,
    WorklistOptions,
    WorklistParams,
    WorklistSection,
    WorklistStepParams,
    WorklistTooltipParams,
)
from treelens_server.shares import (
    DocumentNames,
    Hole,
    Shares,
    WireTemplate,
    literal,
    place_json,
    range_json,
)
from treelens_server.sorting import Sorting


@dataclass(slots=True)
class _List:
    """What is kept of a pair's worklist from one request to the next."""

    sorting: Sorting
    query: Query = field(default_factory=lambda: Query(""))
    work: Worklist | None = None
    reviewed: dict[Side, Reviewed] = field(default_factory=dict)
    stop: WorklistStop | None = None


@dataclass(slots=True)
class _Memory:
    """The worklists of all pairs that somebody has asked about."""

    lists: dict[Link, _List] = field(default_factory=dict)
    announced: dict[str, list[object]] = field(default_factory=dict)
    """What lists depend on, as it was when they were announced last; by gold file."""
    links: Sequence[Link] = ()
    """Those that there were at the last turn."""
    sorted: list[tuple[int, int]] = field(default_factory=list)
    """How far each list had been sorted then."""
    shares: Shares[ListedGroup] = field(default_factory=Shares[ListedGroup])


_Context = Context[_Memory]


class _Asked:
    """The list that a request is about."""

    def __init__(self, context: _Context, link: Link, pair: Pair, reviewed: str) -> None:
        self.link, self.pair = link, pair
        self.kept = context.memory.lists.setdefault(link, _List(Sorting(context.background.start)))
        self.work = _work(context, link, pair, reviewed_side(link, reviewed), self.kept)

    def flags(self, options: ListOptions) -> Flags:
        """What the filters let through."""
        kept, pair = self.kept, self.pair
        asked = Query(options.query, before=kept.query)
        if kept.query.text != asked.text:
            kept.query = asked
        found = {side: kept.query.matching(pair.document(side)) for side in Side}
        kept.query.forget(pair.gold, pair.system)
        return let_through(self.work, options, found)


def _work(context: _Context, link: Link, pair: Pair, side: Side, kept: _List) -> Worklist:
    """The list as it is now: the same object until something changes."""
    reviewed = {
        one: context.reviewing.reviewed(link.name(one)) or unreviewed(len(pair.document(one)))
        for one in Side
    }
    known = kept.work
    if (
        known is None
        or known.pair is not pair
        or known.side is not side
        or any(kept.reviewed[one] is not reviewed[one] for one in Side)
    ):
        kept.reviewed = reviewed
        kept.work = known = worklist(pair, side, reviewed, names_of(link))
    return known


def _asked(
    context: _Context,
    names: PairNames | None,
    uri: str | None,
    reviewed: str = "system",
    options: WorklistOptions | None = None,
) -> _Asked | None:
    link = link_named(_there(context), pair_names(names), uri and name_of(uri))
    pair = context.pair(link) if link is not None else None
    if link is None or pair is None:
        return None
    found = _Asked(context, link, pair, reviewed)
    sorting, earlier = found.kept.sorting, context.earlier(link)
    rivals = [one for other in rivals_of(link, context.links) if (one := context.pair(other))]
    if options and options.order == "suspects" and len(rivals) > 1:
        found.work = with_suspects(found.work, sorting.suspects(rivals))
    if options and earlier and (options.order == "worse" or options.filter.worse):
        found.work = with_changes(found.work, sorting.changes(earlier, pair))
    return found


def _there(context: _Context) -> list[Link]:
    return [link for link in context.links if context.pair(link) is not None]


# --- a page of the list --------------------------------------------------------------------


def answer(context: _Context, params: WorklistParams) -> records.Worklist:
    """See docs/worklist.md. Without any pair, ``pair`` is null, and it is said which are there or
    being made."""
    asked = _asked(context, params.pair, params.uri, params.reviewed, params)
    busy = context.background.busy
    pairs = [_names(context, link) for link in _there(context)]
    if asked is None:
        return records.Worklist(pair=None, pairs=pairs, busy=busy)
    link, pair, sorting = asked.link, asked.pair, asked.kept.sorting
    options, tally = _options(params), asked.work.counts
    if params.again:
        sorting.again()
    flags = asked.flags(options)
    grouped = options.by != "nothing"
    errors = sorting.errors(pair, options.by, link) if grouped else None
    window = params.offset, params.limit
    found = page(asked.work, options, flags, errors, params.group, window)
    shown = (
        {"groups": [*map(_section, found.sections)]}
        if found.sections is not None
        else {
            "entries": _entries(context, asked, found.groups),
            "offset": found.offset,
            "more": found.more,
        }
    )
    return records.Worklist(
        pair=_names(context, link),
        pairs=pairs,
        reviewed=context.uri(link.name(asked.work.side)),
        headline=headline(pair),
        since=earlier.called if (earlier := context.earlier(link)) else "",
        total=tally.total,
        checked=tally.checked,
        questions=tally.questions,
        changed=tally.changed,
        left=tally.left,
        listed=found.listed,
        busy=busy if sorting.begun else None,
        incomplete=grouped and sorting.is_wanting(pair, options.by),
        **shown,
    )


def _names(context: _Context, link: Link) -> PairNames:
    return PairNames(context.uri(link.gold), context.uri(link.system))


def _options(params: WorklistOptions) -> ListOptions:
    wanted = params.filter or WorklistFilter()
    return ListOptions(
        params.order,
        params.by,
        wanted.query,
        wanted.show,
        wanted.least,
        wanted.low,
        wanted.high,
        wanted.worse is True,
    )


def _section(one: Section) -> WorklistSection:
    return WorklistSection(*one._replace(title=without_controls(one.title)))


def _entries(context: _Context, asked: _Asked, groups: Sequence[int]) -> list[Raw]:
    """The lines of some groups, each written once for as long as it stays the same."""
    shares, names = context.memory.shares, context.names
    write = partial(_written, asked.link, names)
    lines = [shares.sent(one, names, write) for one in parts(asked.work, asked.link.name, groups)]
    shares.tidy()
    return [
        Raw(b'{"group":%d,%b}' % (group, line))
        for group, (line,) in zip(groups, lines, strict=True)
    ]


def _written(link: Link, names: DocumentNames, found: Sequence[ListedGroup]) -> list[WireTemplate]:
    """All of a :class:`ListedGroup` but its group, which is another one when others come."""
    return [_line(link.name(one.side), names, one) for one in found]


def _line(name: str, names: DocumentNames, one: ListedGroup) -> WireTemplate:
    document = names.document(name)
    assert document is not None, "what a pair is of is there"
    start, end, place = places(document, [one.start, one.end, one.place], names.encoding)
    said = {
        "name": without_controls(one.name),
        "words": without_controls(one.words),
        "score": one.score,
        "errors": one.errors,
        "summary": without_controls(one.summary),
        "state": one.state,
    }
    json = b'"uri":%b,"range":%b,"place":%b,"sentence":%%d,%b' % (
        literal(names.uri(name)),
        range_json(start, end),
        place_json(place),
        literal(said)[1:-1],
    )
    lines = [Hole(name, line) for line, _ in (start, end, place)]
    number = Hole(name, one.sentence + 1, sentence=True)
    return WireTemplate(one.start, one.end, json, (*lines, number))


# --- places --------------------------------------------------------------------------------


def to_group(context: _Context, params: WorklistGroupParams) -> int | None:
    """The group that the cursor is in."""
    asked = _asked(context, params.pair, params.uri)
    return group_at(context, asked.link, asked.pair, params.at) if asked else None


def to_step(context: _Context, params: WorklistStepParams) -> Raw | None:
    """The entry to go to, written; None at the end of the list, or of the group."""
    asked = _asked(context, params.pair, params.uri, params.reviewed, params)
    if asked is None:
        return None
    options, first = _options(params), params.to == "worst"
    options = worst(options) if first else options
    flags = asked.flags(options)
    if params.group is not None and options.by != "nothing":
        errors = asked.kept.sorting.errors(asked.pair, options.by, asked.link)
        flags = flags & of_section(asked.work, params.group, options.by, errors)
    at = None if first else params.at
    here = group_at(context, asked.link, asked.pair, at) if at else None
    back = params.to == "previous"
    found = next_stop(asked.work, options, flags, here, asked.kept.stop, back=back)
    if found is None:
        return None
    asked.kept.stop = found
    (entry,) = _entries(context, asked, [found.group])
    return entry


def to_tooltip(context: _Context, params: WorklistTooltipParams) -> str | None:
    """All about an entry, as Markdown."""
    asked = _asked(context, params.pair, params.uri, params.reviewed)
    if asked is None or not 0 <= params.group < len(asked.pair):
        return None
    side, sentence = asked.work.anchor(params.group)
    document = asked.pair.document(side)
    review = context.reviewing.review(asked.link.name(side), document, sentence)
    return tooltip(
        asked.work, params.group, review.note, [*_on_nodes(context, asked, params.group)]
    )


def _on_nodes(context: _Context, asked: _Asked, group: int) -> Iterator[str]:
    """The notes on nodes of a group, each file's by its name."""
    for side, sentences in zip(Side, asked.pair.group(group), strict=True):
        name, document = asked.link.name(side), asked.pair.document(side)
        reviews, sidecar = context.reviewing.reviews(name), context.reviewing.sidecar(name)
        for sentence in sentences:
            for note in reviews.notes(document, sidecar, sentence):
                for one in in_file(document, sentence, note):
                    yield f"{short_name(name)}: {one.message}"


def announce(context: _Context) -> None:
    """Tell whoever has asked that there is something new; what, they ask themselves."""
    memory = context.memory
    if memory.links is not context.links:  # (The same until one comes or goes.)
        memory.links, lists = context.links, memory.lists
        memory.lists = {link: lists[link] for link in memory.links if link in lists}
    sorted_now = [(len(kept.sorting.begun), kept.sorting.news) for kept in memory.lists.values()]
    news, memory.sorted = sorted_now != memory.sorted, sorted_now
    for gold in context.golds_renewed:
        now: list[object] = []
        for link in context.links_from(gold):
            # (A link may be another one that says the same; a pair is kept.)
            now += [context.pair(link), (earlier := context.earlier(link)) and earlier.pair]
            now += [context.reviewing.reviewed(link.name(side)) for side in Side]
        before = memory.announced.pop(gold, [])
        news |= len(before) != len(now) or not all(map(operator.is_, before, now))
        memory.announced |= {gold: now} if now else {}
    if news and memory.lists:
        context.client.say(WORKLIST_CHANGED, Nothing())


FEATURE = Feature(
    (
        Handler(WORKLIST.method, answer, params=WORKLIST.params),
        Handler(WORKLIST_STEP.method, to_step, params=WORKLIST_STEP.params),
        Handler(WORKLIST_GROUP.method, to_group, params=WORKLIST_GROUP.params),
        Handler(WORKLIST_TOOLTIP.method, to_tooltip, params=WORKLIST_TOOLTIP.params),
    ),
    memory=_Memory,
    turned=announce,
)
