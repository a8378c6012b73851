"""The live totals of a pair: one number for the status bar, the rest behind it."""

from __future__ import annotations

from typing import NamedTuple

from treelens.present.names import escaped, short_name
from treelens.present.numbers import beside, by_name, number, short, table
from treelens.session.pair import Pair
from treelens.session.session import Link


class Status(NamedTuple):
    score: str
    detail: str
    """Markdown."""
    sentences: int
    mismatches: int


def status(link: Link, pair: Pair) -> Status:
    """What a pair's files add up to."""
    title = f"**{escaped(short_name(link.gold))}** ↔ **{escaped(short_name(link.system))}**"
    return Status(short(pair.scores()), f"{title}\n\n{totals(pair)}", len(pair), pair.mismatches)


def totals(pair: Pair) -> str:
    """The corpus's numbers as Markdown, with the signature that pins what they mean."""
    scores = pair.scores()
    named = by_name(scores)
    right = len(pair) - pair.mismatches
    others = [beside(scores)]
    if "complete" in named:
        others.append(f"complete match {number(named['complete'])}")
    if "crossing" in named:
        others.append(f"crossing {number(named['crossing'])} a sentence")
    counted = f"{len(pair):,} sentences, {right:,} without a mismatch"
    signature = f"parameters `{pair.parameters.signature}`"
    parts = [table(scores), " · ".join(filter(None, others)), f"{counted}; {signature}"]
    return "\n\n".join(filter(None, parts))
