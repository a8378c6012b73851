"""How two files were lined up, in words: what was taken together, and why.

Which sentences form a group because their texts are cut differently; which words stand on the
same stretch of text without being the same words; why a word has no partner.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treelens.align.groups import GroupedBy, There
from treelens.align.uncertain import WHY
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE, own_mark
from treelens.present.counterpart import CounterpartGroup
from treelens.present.names import short_name
from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart
from treelens.trees.forest import decode

_REWORDED = "a guess: moved and reworded"


class SentenceWords(NamedTuple):
    """Some words of a sentence of a document; ``end`` is one past the last one."""

    sentence: int
    first: int
    end: int


class AlignedWords(NamedTuple):
    """Words of both files that stand on the same stretch of text; None: no words there."""

    here: SentenceWords
    there: SentenceWords | None


def stretch(group: CounterpartGroup, sentence: int, first: int, end: int) -> AlignedWords:
    """The words there that some words of a sentence stand with, and all that those stand with.

    Where they reach over a sentence's end, those of the first sentence.
    """
    rows = range(group.row(sentence, first), group.row(sentence, end))
    words, others = group.here.words, group.there.words
    start, stop = int(words.start[rows[0]]), int(words.end[rows[-1]])
    theirs = np.zeros(0, np.intp)
    while start < stop:
        theirs = np.flatnonzero((others.end > start) & (others.start < stop))
        ours = np.flatnonzero((words.end > start) & (words.start < stop))
        low = min([start, *words.start[ours].tolist(), *others.start[theirs].tolist()])
        high = max([stop, *words.end[ours].tolist(), *others.end[theirs].tolist()])
        if (low, high) == (start, stop):
            rows = range(int(ours[0]), int(ours[-1]) + 1)
            break
        start, stop = low, high
    base = group.row(sentence, 0)
    count = int(group.here.forest.first_leaf[sentence - group.mine.start + 1]) - base
    here = SentenceWords(sentence, max(rows[0] - base, 0), min(rows[-1] + 1 - base, count))
    if not len(theirs):
        return AlignedWords(here, None)
    number, low = group.place_there(int(theirs[0]))
    count = int(np.diff(group.there.forest.first_leaf)[number - group.theirs.start])
    return AlignedWords(
        here, SentenceWords(number, low, min(low + int(theirs[-1] - theirs[0]) + 1, count))
    )


def forms(document: Document, words: SentenceWords) -> list[str]:
    """Words as they are written."""
    forest, row, _ = document.piece(words.sentence)
    return forest.words(row, words.first, words.end)


def reason(
    ours: tuple[Document, SentenceWords], theirs: tuple[Document, SentenceWords] | None
) -> str:
    """Why words that are not the same were taken together, or why there is nothing to take."""
    if theirs is None:
        return "the other text has no letters for it"
    here, there = forms(*ours), forms(*theirs)
    if "".join(here) == "".join(there):
        return "the same letters, cut into words differently"
    text, other = _tokens(*ours), _tokens(*theirs)
    if text == other:
        return f"both stand for “{text}” in the text"
    if "".join(here).casefold() == "".join(there).casefold():
        return "the same letters but for their case"
    return "other letters in the same place of the text"


def _tokens(document: Document, words: SentenceWords) -> str:
    """What the running text has for some words: of those in a multiword token, the token."""
    written = forms(document, words)
    forest, row, _ = document.piece(words.sentence)
    if forest.anchors is None:
        return "".join(written)
    first = int(forest.first_leaf[row]) + words.first
    rows = slice(first, first + len(written))
    found: dict[int, str] = {}
    for form, token, key in zip(
        written,
        forest.anchors.token[rows].tolist(),
        forest.anchors.surface[rows].tolist(),
        strict=True,
    ):
        surface = decode(forest.symbols.token(key)) if key else ""
        if surface:
            found.setdefault(token, surface)
        else:
            found[token] = found.get(token, "") + form
    return "".join(found.values())


def explained(other: Counterpart, finding: Finding) -> str:
    """The reason for a finding about words; empty for others."""
    if BY_CODE[finding.code].family != "words":
        return ""
    found = [
        (other.pair.document(side), SentenceWords(mark.sentence, *mark.span))
        for side in Side
        if (mark := own_mark(finding, side)) is not None
    ]
    return reason(found[0], found[1] if len(found) > 1 else None)


def sentences_together(other: Counterpart, sentence: int) -> str:
    """Which sentences there a sentence is compared with, unless it is the one of its number."""
    mine, theirs = _ranges(other, sentence)
    name = short_name(other.name)
    if not len(theirs):
        elsewhere = moved(other, sentence)
        if elsewhere is not None:
            this, how = ("may be", "reworded and ") if elsewhere.reworded else ("is", "")
            place = f"sentence {elsewhere.sentence + 1:,}"
            return f"moved: this {this} {place} of {name}, {how}out of order"
        return f"{name} has no sentence with this text"
    if len(mine) == len(theirs) == 1:
        why = uncertainty(other, sentence)
        if theirs.start == sentence and not why:
            return ""
        return " · ".join(filter(None, [f"compared with {_numbers(theirs)} of {name}", why]))
    if len(mine) == 1:
        return f"taken together with {_numbers(theirs)} of {name}: the same text, cut differently"
    return (
        f"{_numbers(mine)} taken together with {_numbers(theirs)} of {name}: "
        "the same text, cut differently"
    )


def joined(other: Counterpart, sentence: int) -> str:
    """The same in a word or two for a lens; empty where one stands against one."""
    mine, theirs = _ranges(other, sentence)
    if not len(theirs):
        return moved_in_short(other, sentence)
    if len(mine) == len(theirs) == 1:
        return uncertainty(other, sentence)
    return f"{_count(len(mine))} here, {len(theirs)} there"


def uncertainty(other: Counterpart, sentence: int) -> str:
    """Why a sentence was paired as it was, where that is a guess; else empty."""
    how = other.pair.how(other.pair.group_of(other.side, sentence))
    if how is not GroupedBy.MOVED:
        return WHY.get(how, "")
    there = moved(other, sentence)
    return _REWORDED if there and there.reworded else ""


def may_be_guess(other: Counterpart, group: int) -> bool:
    """Whether that has to be asked of a group's sentences, which may take long."""
    how = other.pair.how(group)
    return how is GroupedBy.MOVED or how in WHY


def moved_in_short(other: Counterpart, sentence: int) -> str:
    """Whether a sentence without counterpart stands elsewhere; empty if not."""
    there = moved(other, sentence)
    return "" if there is None else _REWORDED if there.reworded else "moved"


def moved(other: Counterpart, sentence: int) -> There | None:
    """The sentence of the other file that is this one, in another place."""
    return other.pair.elsewhere(other.side, sentence)


def _ranges(other: Counterpart, sentence: int) -> tuple[range, range]:
    """This file's sentences of a group, and the other's."""
    return other.ranges(other.pair.group_of(other.side, sentence))


def _count(sentences: int) -> str:
    return "1 sentence" if sentences == 1 else f"{sentences} sentences"


def _numbers(sentences: range) -> str:
    """As people count."""
    if len(sentences) == 1:
        return f"sentence {sentences.start + 1:,}"
    return f"sentences {sentences.start + 1:,}–{sentences.stop:,}"
