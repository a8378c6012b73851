"""Edits in one process, many times as many as a server is sent in the same time: what a session
has of its documents and pairs must be what one has that is given their texts."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, get_args

from same_documents import same
from treelens.formats.table import named
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.session.session import Link, Session
from treelens.session.vocabulary import NamePart
from treelens.trees.forest import encode

from fuzzing.desk import LONGEST, Step
from fuzzing.rounds import Finding, Round


def run(one: Round) -> Finding | None:
    """Type all that is typed; after each burst, what differs from a fresh session."""
    names = [name for name, _ in one.files]
    session = _sitting({name: encode(text) for name, text in one.files})
    try:
        for burst in one.bursts:
            for step in burst:
                if step.deed == "type":
                    _type(session, names[step.file], step)
            found = _compared(session, names, one)
            if found is not None:
                return found
    except Exception as problem:
        return Finding(f"an error: {problem!r}", traceback.format_exc(), None, one)
    return None


def _sitting(texts: dict[str, bytes]) -> Session:
    session = Session()
    for name, text in texts.items():
        session.put(name, document(text, session.symbols, named(name)))
    session.link(Link(*two) for two in pairwise(texts))
    for job in session.jobs():
        session.settle(job, pair(job.gold, job.system))
    for name in texts:
        [*_vocabulary(session, name)]  # (which is kept up once somebody has asked)
    return session


def _type(session: Session, name: str, step: Step) -> None:
    """As a client that counts bytes, and may part the two of a line's end or those of a letter."""
    known = session.document(name)
    assert known is not None
    start = int(step.where * known.length)
    end = start + round(step.length * known.length + 0.49 * (step.length > 0))
    end = known.length if known.length > LONGEST else min(end, known.length)
    session.edit(name, start, end, encode(step.new))


def _compared(session: Session, names: list[str], of: Round) -> Finding | None:
    texts = {}
    for name in names:
        mine = session.document(name)
        assert mine is not None
        texts[name] = mine.text()
        same(mine, document(texts[name], mine.symbols, named(name)))
    sides = dict(_said(session, names)), dict(_said(_sitting(texts), names))
    for what, mine in sides[0].items():
        if mine != sides[1][what]:
            return Finding(what, repr(mine), repr(sides[1][what]), of)
    return None


def _said(session: Session, names: list[str]) -> Iterator[tuple[str, Any]]:
    for name in names:
        yield f"vocabulary {name}", [*_vocabulary(session, name)]
    for link in session.links:
        found = session.unread_or_pair(link)
        assert found is not None
        groups = range(len(found))
        yield f"groups {link[:2]}", [found.group(group) for group in groups]
        yield f"total {link[:2]}", found.total.tolist()
        yield f"tallies {link[:2]}", found.tallies().tolist()
        yield f"findings {link[:2]}", [found.findings(group) for group in groups]


def _vocabulary(session: Session, name: str) -> Iterator[Any]:
    snapshot = session.snapshot(name)
    assert snapshot is not None
    for part in get_args(NamePart):
        yield snapshot.vocabularies[0].names(part).all()
