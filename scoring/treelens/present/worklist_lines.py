"""A line of a worklist: a group of sentences with its score, what is wrong with it and its state.

Which lines there are, and in what order, is :mod:`treelens.present.worklist`'s.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from treelens.differences.wording import counts_in_words, message
from treelens.present.lines import sentence_id
from treelens.present.names import isolated, opening
from treelens.present.nothing import in_what
from treelens.present.numbers import headlines_of, number
from treelens.present.parts import Anchor, Part
from treelens.present.worklist import Worklist, headline_of
from treelens.render.markdown import escaped
from treelens.render.numbers import number_of
from treelens.session.pair import Pair, Side
from treelens.session.review import STATES, Review, State

_WORDS = 14
_MESSAGES = 12
_NOTE = 60


class ListedGroup(NamedTuple):
    """A line of the list; ``sentence`` is of ``side``'s file, offsets are its bytes."""

    group: int
    side: Side
    sentence: int
    start: int
    end: int
    place: int
    """Where to go: the first mismatch in it, or its start."""
    name: str
    words: str
    score: str
    errors: int
    summary: str
    state: State


def parts(
    work: Worklist, names: Callable[[Side], str], groups: Sequence[int]
) -> list[Part[ListedGroup]]:
    """The lines of some groups, and what each depends on but for its place in the list and the
    file; ``names``: of the two documents."""
    pair, called = work.pair, {side: names(side) for side in Side}
    look = functools.cache(partial(pair.look_at, groups))  # (Which most lists need not again.)
    states = pair.states_of(np.array(groups, np.int64))
    found = []
    for group, state in zip(groups, states, strict=True):
        side, sentence = work.anchor(group)
        marked = bool(work.broken[group]), int(work.code[group]), int(work.notes[group])
        held = pair.origin, pair.strict, state, side, called[side], work.names
        key = *held, *marked, agreed(work, group), changed(work, group)
        make = partial(_line, work, group, look)
        found.append(Part(key, (Anchor(called[side], sentence),), make))
    return found


def _line(work: Worklist, group: int, look: Callable[[], None]) -> list[ListedGroup]:
    look()
    return [entry_of(work, group)]


def entry_of(work: Worklist, group: int) -> ListedGroup:
    """The line of a group, worked out from its findings."""
    side, sentence = work.anchor(group)
    document = work.pair.document(side)
    forest, row, shift = document.piece(sentence)
    start, end = (forest.tree[row] + shift).tolist()
    findings = work.pair.findings(group)
    marks = [one.at(side) for one in findings]
    places = [mark.start for mark in marks if mark is not None and mark.sentence == sentence]
    ratio = headline_of(work.pair)
    score = next(one for one in work.pair.scores(group) if one.ratio == ratio)
    return ListedGroup(
        group,
        side,
        sentence,
        start,
        end,
        min(places, default=start),
        sentence_id(document, sentence),
        isolated(opening(document, sentence, _WORDS)),
        number(score),
        len(findings),
        " · ".join(
            [
                *(["broken"] if work.broken[group] else []),
                *agreed(work, group),
                *changed(work, group),
                *(counts_in_words(findings, work.names) or _the_same(work.pair)),
                *([number_of(int(work.notes[group]), "note")] if work.notes[group] else []),
            ]
        ),
        STATES[int(work.code[group])],
    )


def _the_same(pair: Pair) -> tuple[str, ...]:
    """In what two files of other kinds are the same; of others that goes without saying."""
    return (f"no mismatch{in_what(pair)}",) if pair.is_mixed else ()


def agreed(work: Worklist, group: int) -> tuple[str, ...]:
    """That systems agree against gold in a group, where they do and it was asked for."""
    if work.suspects is None or not work.suspects.places[group]:
        return ()
    places, said = (int(column[group]) for column in work.suspects)
    return (f"{number_of(places, 'place')} where {said} systems agree against gold",)


def changed(work: Worklist, group: int) -> tuple[str, ...]:
    """What is new in a group and what was mended, where it was asked for and there is any."""
    if work.moved is None:
        return ()
    counts = ((int(column[group]), word) for word, column in work.moved._asdict().items())
    parts = [f"{count} {word}" for count, word in counts if count]
    return (", ".join(parts),) if parts else ()


def state_in_words(review: Review) -> str:
    """A state above its sentence, in a word or two; empty of one that is to do."""
    note = review.note if len(review.note) <= _NOTE else f"{review.note[:_NOTE]}…"
    return {
        "todo": "",
        "checked": f"✓ checked{note and ': '}{note}",
        "question": f"? {note or 'in question'}",
        "changed": "↻ changed since it was checked",
    }[review.state]


def tooltip(work: Worklist, group: int, note: str, on_nodes: Sequence[str] = ()) -> str:
    """All of a sentence, its scores, what differs and notes on its nodes, as Markdown."""
    side, sentence = work.anchor(group)
    forest, row, _ = work.pair.document(side).piece(sentence)
    parts = [isolated(escaped(" ".join(forest.words(row))))]
    scores = headlines_of(work.pair, group)
    parts += [f"**{scores}**"] if scores else []
    messages = []
    for finding in work.pair.findings(group):
        where = side if finding.at(side) else side.other
        messages.append(f"- {escaped(message(finding, where, work.names))}")
    if len(messages) > _MESSAGES:
        messages[_MESSAGES:] = [f"- … and {len(messages) - _MESSAGES} more"]
    state = STATES[int(work.code[group])]
    said = {"changed": "changed since it was checked"}.get(state, state)
    if state != "todo":
        parts.append(f"*{said}*" + (f": {escaped(note)}" if note else ""))
    notes = "\n".join(f"- {escaped(one)}" for one in on_nodes)
    parts += ["\n".join(messages) or f"No mismatch{in_what(work.pair)}", notes]
    return "\n\n".join(filter(None, parts))
