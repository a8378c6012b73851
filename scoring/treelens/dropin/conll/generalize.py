"""Which local contexts of an error are worth a row: the clever way.

A context has six fields: part of speech and word of the token before, the token, the token
after; any of them may be a star. An error that occurs in 100 places has up to 6,400 contexts,
and a context is dropped when another that has one or two stars less is as frequent. Only
contexts that are equally frequent can drop each other, and only the eight most frequent are
shown; so frequencies are gone through from the top, and mostly the first few suffice: rare
contexts are looked for only when the frequent ones were not enough. The tests have the plain way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from treelens.dropin.conll.perl import split
from treelens.dropin.conll.tally import FIELDS, SEPARATOR
from treelens.dropin.shared.spilled import Counters, Spilled

_FIELDS = 6
ANYTHING = SEPARATOR.join([b"*"] * _FIELDS)
_SHOWN = 8
_RARE = 5
"""When the eighth context is rarer than this, only the two most frequent are shown."""
_STEP = 16
"""How much rarer contexts may be, each time that more of them are looked for."""


Row = tuple[bytes | None, ...]
"""The fields of a context; None for those that are too rare to stand in what is looked for."""


def worth_showing(contexts: Spilled, counters: Counters) -> dict[bytes, int]:
    """Of an error's contexts, six fields each that ``FIELDS`` joins, with any of these replaced by
    stars: those that are left when the general ones and the rare ones are dropped. ``counters``:
    where more may be counted."""
    fields = [counters.new() for _ in range(_FIELDS)]
    total, apart, stars = 0, False, 0
    for batch in contexts.batches():
        rows = [context.split(FIELDS) for context in batch.elements()]
        # (Where there are no rows, there are no columns.)
        for counter, column in zip(fields, zip(*rows, strict=True), strict=False):
            counter.update(column)
        total += batch.total()
        stars = max([stars, *(row.count(b"*") for row in rows)])
        # Where a word falls apart, contexts that differ may have one key, which is counted
        # together.
        apart = apart or any(SEPARATOR in context for context in batch)
        counters.bound()
    least = 1 if apart else total
    while True:
        least = max(least // _STEP, 1)
        frequent = _rows(contexts, fields, least, stars)
        shown, enough = _from_the_top(with_stars(frequent, least))
        if enough or least == 1:
            return shown


def _rows(contexts: Spilled, fields: Sequence[Spilled], least: int, stars: int) -> Counter[Row]:
    """Contexts of the fields that may stand in something that occurs ``least`` times or more, which
    are few. stars: that a context has in the text, each found as it is and as a star."""
    frequent = [
        {
            field
            for batch in each.batches()
            for field, count in batch.items()
            if count << stars >= least
        }
        | {b"*"}
        for each in fields
    ]
    rows = Counter[Row]()
    for batch in contexts.batches():
        for context, count in batch.items():
            found = zip(context.split(FIELDS), frequent, strict=True)
            rows[tuple([field if field in often else None for field, often in found])] += count
    return rows


def _from_the_top(counts: Counter[bytes]) -> tuple[dict[bytes, int], bool]:
    """What is worth showing of some contexts, and whether rarer ones would change nothing."""
    levels: defaultdict[int, list[bytes]] = defaultdict(list)
    for key, count in counts.items():
        levels[count].append(key)
    kept: dict[bytes, int] = {}
    seen: list[int] = []
    for count in sorted(levels, reverse=True):
        left = _without_general(levels[count])
        kept.update(dict.fromkeys(left, count))
        seen += [count] * len(left)
        if (len(seen) >= _SHOWN and seen[_SHOWN - 1] >= _RARE) or (count < _RARE and len(seen) > 1):
            return _frequent(kept, seen), True
    return _frequent(kept, seen), False


def with_stars(rows: Mapping[Row, int], least: int = 1) -> Counter[bytes]:
    """Every way to replace fields of contexts by stars, and how often the result occurs, where
    that is ``least`` times or more. ``rows``: how often each context does."""
    counts = Counter[bytes]()
    starred = any(b"*" in row for row in rows)
    _choose([*rows.items()], (), least, counts, starred=starred)
    return counts


def _choose(
    rows: Sequence[tuple[Row, int]],
    chosen: tuple[bytes, ...],
    least: int,
    counts: Counter[bytes],
    *,
    starred: bool,
) -> None:
    """Choose the next field of contexts that have ``chosen`` before it: a star, or one of theirs.
    What occurs too rarely does not get more frequent by another field, unless that is a star
    itself. starred: whether any is."""
    if len(chosen) == len(rows[0][0]):
        counts[SEPARATOR.join(chosen)] += sum(count for _, count in rows)
        return
    by_field = defaultdict[bytes, list[tuple[Row, int]]](list)
    for row in rows:
        field = row[0][len(chosen)]
        if field is not None:
            by_field[field].append(row)
    # (Of a field that is a star there are two ways that are the same.)
    by_field[b"*"] += rows
    after = len(chosen) + 1
    for field, some in by_field.items():
        most = sum(count for _, count in some)
        if starred and most < least:
            most = sum(count << row[after:].count(b"*") for row, count in some)
        if most >= least:
            _choose(some, (*chosen, field), least, counts, starred=starred)


def _frequent(kept: dict[bytes, int], seen: list[int]) -> dict[bytes, int]:
    least = seen[_SHOWN - 1] if len(seen) >= _SHOWN else 0
    if least < _RARE:
        least = seen[1] if len(seen) > 1 else 0
    return {key: count for key, count in kept.items() if count >= least}


def _without_general(level: list[bytes]) -> set[bytes]:
    """Of equally frequent contexts, those that no other one drops.

    A context that was dropped drops none itself, so the order matters; it is that of the bytes.
    """
    left = set(level)
    for key in sorted(level):
        if key in left:
            left.difference_update(_more_general(key))
    return left


def _more_general(key: bytes) -> Iterator[bytes]:
    """A context with one or two more stars."""
    fields = split(key, SEPARATOR)
    places = [place for place, field in enumerate(fields) if field != b"*"]
    for size in (1, 2):
        for chosen in combinations(places, size):
            starred = list(fields)
            for place in chosen:
                starred[place] = b"*"
            yield SEPARATOR.join(starred)
