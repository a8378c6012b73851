"""Which local contexts of an error are worth a row: the clever way.

A context has six fields: part of speech and word of the token before, the token, the token
after; any of them may be a star. An error that occurs in 100 places has up to 6,400 contexts,
and a context is dropped when another that has one or two stars less is as frequent. Only
contexts that are equally frequent can drop each other, and only the eight most frequent are
shown; so frequencies are gone through from the top, and mostly the first few suffice. The
tests have the plain way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product

from treelens.dropin.conll.perl import split
from treelens.dropin.conll.tally import SEPARATOR

ANYTHING = SEPARATOR.join([b"*"] * 6)
_SHOWN = 8
_RARE = 5
"""When the eighth context is rarer than this, only the two most frequent are shown."""


def with_stars(contexts: Iterable[tuple[bytes, ...]]) -> Counter[bytes]:
    """Every way to replace fields by stars, and how often the result occurs."""
    counts: Counter[bytes] = Counter()
    for context in contexts:
        counts.update(map(SEPARATOR.join, product(*[(field, b"*") for field in context])))
    return counts


def worth_showing(counts: Counter[bytes]) -> dict[bytes, int]:
    """The contexts that are left when the general ones and the rare ones are dropped."""
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
            break
    return _frequent(kept, seen)


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
