"""What is printed of the tallies: evalb's table, with widths of its own for large numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from treelens.dropin.jp.comparison import Score
from treelens.dropin.shared.rows import ERROR, HEADER, Tally, Totals, summary_block

__all__ = ["HEADER", "Scores", "percent", "row", "summary", "summed", "total_row"]


class Scores(list[Score]):
    """The scores of a stretch."""

    def lengthen(self, by: Sequence[int]) -> None:
        """Add to each one's length."""
        self[:] = [
            Score(tally._replace(length=tally.length + more), length + more)
            for (tally, length), more in zip(self, by, strict=True)
        ]

    def rows(self, first: int) -> bytes:
        """Their rows, numbered from ``first`` on."""
        return b"".join([row(number, tally) for number, (tally, _) in enumerate(self, first)])

    def totals(self, longest: int | None = None) -> Totals:
        """Their totals; of those up to some length if one is given."""
        return summed([tally for tally, length in self if not longest or length <= longest])


def summed(tallies: Sequence[Tally]) -> Totals:
    """The same as adding them one by one, column by column; none of them is skipped."""
    scored = [tally for tally in tallies if tally.status != ERROR]
    columns = zip(*scored, strict=True) if scored else ((),) * len(Tally._fields)
    _, _, matched, gold, test, crossing, words, tags = map(tuple, columns)
    return Totals(
        sentences=len(tallies),
        errors=len(tallies) - len(scored),
        matched=sum(matched),
        gold=sum(gold),
        test=sum(test),
        crossing=sum(crossing),
        words=sum(words),
        tags=sum(tags),
        complete=sum([a == b == c for a, b, c in zip(matched, gold, test, strict=True)]),
        without_crossing=crossing.count(0),
        two_or_less_crossing=sum([count <= 2 for count in crossing]),
    )


def row(number: int, tally: Tally) -> bytes:
    """The group's row."""
    return b"%4d" % number + _behind_number(tally)


@lru_cache(maxsize=1 << 13)
def _behind_number(tally: Tally) -> bytes:
    length, status, matched, gold, test, crossing, words, tags = tally
    return b" %4d %4d %7.2f %6.2f %5d %6d %4d %6d %6d %5d %8.2f\n" % (
        length,
        status,
        percent(matched, gold),
        percent(matched, test),
        matched,
        gold,
        test,
        crossing,
        words,
        tags,
        percent(tags, words),
    )


def percent(part: int, whole: int) -> float:
    """Divided first and multiplied then, which can show in the last place."""
    return part / whole * 100 if whole else 0.0


def total_row(totals: Totals) -> bytes:
    brackets = b""
    if totals.gold > 0 and totals.test > 0:
        brackets = b"                %6.2f %6.2f  %5d %5d %5d  %5d" % (
            totals.recall,
            totals.precision,
            totals.matched,
            totals.gold,
            totals.test,
            totals.crossing,
        )
    rule = b"=" * 76 + b"\n"
    return rule + brackets + b"  %5d %5d   %6.2f\n" % (totals.words, totals.tags, totals.tagging)


def summary(totals: Totals, short: Totals) -> bytes:
    blocks = summary_block(b"All", totals) + summary_block(b"len<=40", short)
    # What is not a number has no sign in Python. The last line is empty where the script prints
    # the file that it has written, which ends with a newline of its own.
    return b"=== Summary ===\n" + blocks.replace(b"  -nan", b"   nan") + b"\n"
