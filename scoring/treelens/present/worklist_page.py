"""What is asked of a worklist: which pair's it is, a page of it, a step in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelens.metrics import headlines
from treelens.present.revisions import revision
from treelens.present.worklist import (
    Flags,
    ListOptions,
    NamedErrors,
    Section,
    Worklist,
    WorklistStop,
    by_name,
    by_state,
    of_section,
    ordered,
    step,
    stop,
)
from treelens.session.pair import Pair, Side
from treelens.session.session import Link

_MOST = 1000
"""Entries in one page."""


class WorklistPage(NamedTuple):
    """``sections`` where the list is in groups and none was asked for; else the ``groups`` of
    sentences of some entries, how many come before them and how many behind."""

    listed: int
    sections: Sequence[Section] | None
    groups: Sequence[int] = ()
    offset: int = 0
    more: int = 0


def page(
    work: Worklist,
    options: ListOptions,
    flags: Flags,
    errors: NamedErrors | None,
    group: str | None,
    part: tuple[int, int],
) -> WorklistPage:
    """Of what the filters let through (``flags``) a part: from where on, and how many.

    errors: what the list is grouped by; None of one that is not.
    """
    listed = int(np.count_nonzero(flags))
    if errors is not None:
        if group is None:
            state = options.by == "state"
            return WorklistPage(
                listed, by_state(work, flags) if state else by_name(work, flags, errors)
            )
        flags = flags & of_section(work, group, options.by, errors)
    offset, limit = max(part[0], 0), min(max(part[1], 1), _MOST)
    order = ordered(work, options, np.flatnonzero(flags)).tolist()
    shown = order[offset : offset + limit]
    return WorklistPage(listed, None, shown, offset, max(len(order) - offset - limit, 0))


def headline(pair: Pair) -> str:
    """What the scores of a list are."""
    first = headlines(pair.metrics)[0]
    return first.headline or first.title


# --- one after the other ------------------------------------------------------------------------


def worst(options: ListOptions) -> ListOptions:
    """The options of whoever wants to begin with what is worst, whatever the list's order."""
    return options._replace(order="score", by="nothing")


def next_stop(
    work: Worklist,
    options: ListOptions,
    flags: Flags,
    here: int | None,
    before: WorklistStop | None,
    *,
    back: bool,
) -> WorklistStop | None:
    """Where one is after a step from the group ``here``; ``before`` is where one was said to be
    last. None at the end of the list."""
    at = None if here is None else stop(work, options, here, before)
    found = step(work, options, flags, at, back=back)
    return None if found is None else stop(work, options, found, None)


# --- whose list it is ---------------------------------------------------------------------------


def link_named(
    links: Sequence[Link],
    names: tuple[str, str] | None,
    name: str | None,
) -> Link | None:
    """The pair that is named, else the first one that a file is in; of no file, one of the files of
    the pair that was named and is there no more, else the first one."""
    for link in links:
        if link[:2] == names:
            return link
    # (What was committed is heard alone; else what is work of more files than its own comes first.)
    best = sorted(links, key=lambda link: (revision(link.gold) is None, not link.work_of))
    files = (names or ()) if name is None else (name,)
    found = next((one for one in best if not set(one.work_of or one[:2]).isdisjoint(files)), None)
    if found is None and name is None and links:
        return links[0]
    return found


def rivals_of(link: Link, links: Sequence[Link]) -> list[Link]:
    """The pairs of a link's gold file with all of its systems; annotators and revisions are
    none."""
    return [one for one in links if one.gold == link.gold and one.marked and one.called is None]


def reviewed_side(link: Link, wanted: str) -> Side:
    """Whose sentences have the states: gold's where nothing is marked of the pair."""
    return Side.GOLD if not link.marked or wanted == "gold" else Side.SYSTEM
