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
from collections.abc import Iterator, Sequence
from itertools import combinations

from treelens.dropin.conll.perl import split
from treelens.dropin.conll.tally import FIELDS, SEPARATOR

ANYTHING = SEPARATOR.join([b"*"] * 6)
_SHOWN = 8
_RARE = 5
"""When the eighth context is rarer than this, only the two most frequent are shown."""
_STEP = 16
"""How much rarer contexts may be, each time that more of them are looked for."""


def worth_showing(contexts: Sequence[bytes]) -> dict[bytes, int]:
    """Of an error's contexts, six fields each that ``FIELDS`` joins, with any of these replaced by
    stars: those that are left when the general ones and the rare ones are dropped."""
    rows = [context.split(FIELDS) for context in contexts]
    # Where a word falls apart, contexts that differ may have one key, which is counted together.
    apart = any(SEPARATOR in context for context in contexts)
    least = 1 if apart else len(rows)
    while True:
        least = max(least // _STEP, 1)
        shown, enough = _from_the_top(with_stars(rows, least))
        if enough or least == 1:
            return shown


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


def with_stars(rows: Sequence[Sequence[bytes]], least: int = 1) -> Counter[bytes]:
    """Every way to replace fields of contexts by stars, and how often the result occurs, where
    that is ``least`` times or more."""
    counts = Counter[bytes]()
    _choose(rows, (), least, counts)
    return counts


def _choose(
    rows: Sequence[Sequence[bytes]], chosen: tuple[bytes, ...], least: int, counts: Counter[bytes]
) -> None:
    """Choose the next field of contexts that have ``chosen`` before it: a star, or one of theirs.
    What occurs too rarely does not get more frequent by another field."""
    if len(chosen) == len(rows[0]):
        counts[SEPARATOR.join(chosen)] += len(rows)
        return
    by_field = defaultdict[bytes, list[Sequence[bytes]]](list)
    for row in rows:
        by_field[row[len(chosen)]].append(row)
    # (Of a field that is a star there are two ways that are the same.)
    by_field[b"*"] += rows
    for field, some in by_field.items():
        if len(some) >= least:
            _choose(some, (*chosen, field), least, counts)


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
