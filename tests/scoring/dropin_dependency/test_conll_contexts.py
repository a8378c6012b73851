"""The quick way to the contexts that are worth showing is the plain way."""

from __future__ import annotations

from collections import Counter
from itertools import product
from tempfile import TemporaryDirectory

from hypothesis import example, given
from hypothesis import strategies as st
from treelens.dropin.conll.generalize import with_stars, worth_showing
from treelens.dropin.conll.perl import split
from treelens.dropin.conll.tally import FIELDS, SEPARATOR
from treelens.dropin.shared.spilled import Counters

FIELD = st.sampled_from([b"a", b"b", b"*", b"", b"x0x01y"])
CONTEXTS = st.lists(st.tuples(*[FIELD] * 6), min_size=1, max_size=12)


def every_way(contexts: list[tuple[bytes, ...]]) -> Counter[bytes]:
    """Each context with each of its fields replaced by a star, or not."""
    return Counter(
        SEPARATOR.join(choice)
        for context in contexts
        for choice in product(*[(field, b"*") for field in context])
    )


def plainly(counts: Counter[bytes]) -> dict[bytes, int]:
    """Walk all contexts from the most frequent down; let each drop what is more general."""
    left = dict(counts)
    for key in sorted(counts, key=lambda key: (-counts[key], key)):
        fields = split(key, SEPARATOR)
        for stars in product((False, True), repeat=len(fields)):
            changed = [place for place, star in enumerate(stars) if star and fields[place] != b"*"]
            general = SEPARATOR.join(
                b"*" if star else field for star, field in zip(stars, fields, strict=True)
            )
            drops = 1 <= len(changed) == sum(stars) <= 2 and key in left
            if drops and left.get(general) == left[key]:
                del left[general]
    ranked = sorted(left.values(), reverse=True)
    least = ranked[7] if len(ranked) > 7 else 0
    if least < 5:
        least = ranked[1] if len(ranked) > 1 else 0
    return {key: count for key, count in left.items() if count >= least}


@given(CONTEXTS, st.integers(1, 7), st.integers(0, 99))
def test_worth_showing_is_the_plain_way(
    contexts: list[tuple[bytes, ...]], times: int, most: int
) -> None:
    with TemporaryDirectory() as folder:
        counters = Counters(lambda: folder, most)
        joined = counters.new()
        joined.update([*map(FIELDS.join, contexts)] * times)
        counters.bound()
        assert worth_showing(joined, counters) == plainly(every_way(contexts * times))


@example([(b"a", b"a", b"a", b"a", b"a", b"*")], 2)
@given(CONTEXTS, st.integers(1, 7))
def test_what_is_frequent_is_counted_as_if_everything_were(
    contexts: list[tuple[bytes, ...]], least: int
) -> None:
    rows = Counter(contexts)
    assert with_stars(rows) == every_way(contexts)
    apart = any(SEPARATOR in field for context in contexts for field in context)
    frequent = {key: count for key, count in every_way(contexts).items() if count >= least}
    assert apart or with_stars(rows, least) == frequent


def test_every_subset_is_counted_once() -> None:
    counts = with_stars({(b"a", b"b", b"c", b"d", b"e", b"f"): 1})
    assert len(counts) == 64
    assert set(counts.values()) == {1}
