"""The live totals of a pair: a few numbers for the status bar, the rest behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.metrics import Score
from treelens.present.names import short_name
from treelens.present.nothing import in_what
from treelens.present.numbers import by_name, headlines_of, number, other_metrics, short, table
from treelens.render.markdown import escaped
from treelens.rules import distances
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.session.session import Link
from treelens.session.since import Earlier
from treelens.session.texts import text_of


class Status(NamedTuple):
    score: str
    detail: str
    """Markdown."""
    sentences: int
    mismatches: int


def status(
    link: Link, pair: Pair, before: Iterable[Score] = (), earlier: Earlier | None = None
) -> Status:
    """What a pair's files add up to, and what has moved since its scores were those ``before``, or
    those of an earlier version."""
    title = f"**{escaped(short_name(link.gold))}** ↔ **{escaped(short_name(link.system))}**"
    if pair.unread is not None:
        return Status("not compared", f"{title}\n\n{escaped(doubt(link, pair))}", 0, 0)
    then = tuple(earlier.pair.scores() if earlier else before)
    score = headlines_of(pair, before=then) or _the_same(pair)
    called = earlier.called if earlier else "at first"
    moved = earlier or score != (headlines_of(pair) or score)
    since = [f"{called}: {short(then)}"] if moved else []
    detail = "\n\n".join([title, *since, totals(pair)])
    return Status(score, detail, len(pair), pair.mismatches)


def _the_same(pair: Pair) -> str:
    """``10 of 40 the same in words and tags``."""
    return f"{len(pair) - pair.mismatches:,} of {len(pair):,} the same{in_what(pair)}"


_FEWEST = 5
"""Sentences with words from which on it is said that files share hardly any."""

_WORDS = 10
"""Words of each file from which on it is said of fewer sentences."""

_LOOKED_AT, _READ = 200, 200
"""Sentences of a file that so few are looked for in, and words of each: with every keystroke."""

_SHARED = 0.1


def doubt(link: Link, pair: Pair) -> str:
    """What is to be said of two files that are not of one text, or not of one kind: why, and what
    to do; empty of others."""
    gold, system = short_name(link.gold), short_name(link.system)
    unread = pair.unread and pair.document(pair.unread).format.unread
    if pair.unread and unread:
        return f"Nothing is compared with {short_name(link.name(pair.unread))}: {unread.message}"
    shared, fewer = pair.shared, pair.worded
    if shared < _SHARED * fewer and (fewer >= _FEWEST or _are_others(pair)):
        sentences = "sentences have" if fewer > 1 else "sentence has"
        return (
            f"{gold} and {system} share hardly any words: {shared:,} of {fewer:,} {sentences} a "
            "counterpart. Choose another file with “Compare with…”, or say in treelens.toml which "
            "files belong together."
        )
    kinds = pair.gold.format.annotation, pair.system.format.annotation
    if fewer and kinds[0] != kinds[1]:
        known = [one.ratio.headline for one in pair.scores() if one.value is not None]
        what = ", ".join(["words and tags", *filter(None, known)])
        return (
            f"{gold} has {kinds[0]} and {system} has {kinds[1]}: only {what} can be compared. "
            "Choose another file with “Compare with…”, or give brackets heads by a table (heads in "
            "treelens.toml)."
        )
    return ""


def _are_others(pair: Pair) -> bool:
    """Whether the words of a short file are others than those of each sentence of the other file:
    most of them, in order. (Those of a sentence that is half typed are not.)"""
    texts = (_texts(pair.document(side), pair.parameters) for side in Side)
    few, many = sorted(texts, key=lambda one: sum(map(len, one)))
    common = sum(max(distances.LCSseq.similarity(one, other) for other in many) for one in few)
    words = sum(map(len, few))
    return words >= _WORDS and common < words / 2


def _texts(document: Document, parameters: Parameters) -> list[Sequence[bytes]]:
    """The words of the first sentences that have any."""
    pieces = map(document.piece, range(min(len(document), _LOOKED_AT)))
    texts = (text_of(piece.forest, piece.row, parameters)[:_READ] for piece in pieces)
    return [*filter(None, texts)]


def totals(pair: Pair) -> str:
    """The corpus's numbers as Markdown, with the signature that pins what they mean."""
    scores = pair.scores()
    named = by_name(scores)
    right = len(pair) - pair.mismatches
    others = [other_metrics(scores)]
    if "complete" in named:
        others.append(f"complete match {number(named['complete'])}")
    if "crossing" in named:
        others.append(f"crossing {number(named['crossing'])} a sentence")
    counted = f"{len(pair):,} sentences, {right:,} without a mismatch{in_what(pair)}"
    signature = f"parameters `{pair.parameters.signature}`"
    parts = [table(scores), " · ".join(filter(None, others)), f"{counted}; {signature}"]
    return "\n\n".join(filter(None, parts))
