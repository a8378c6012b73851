"""Numbers of texts: those that a dictionary would give, in a few bytes a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from treelens.trees.digests import NumberedTexts

TEXTS = st.lists(st.lists(st.integers(0, 40), max_size=12), max_size=12)


@examples(200)
@given(TEXTS)
def test_numbers_are_those_of_a_dictionary(batches: list[list[int]]) -> None:
    numbered, known = NumberedTexts(), dict[int, int]()
    for batch in batches:
        wanted = [known.setdefault(one, len(known)) for one in batch]
        texts = [b"\0" * one if one % 2 else b"text %d" % one for one in batch]
        assert numbered.numbers(texts).tolist() == wanted
        assert len(numbered) == len(known)


def test_a_text_takes_a_few_bytes_and_is_seldom_sorted_again() -> None:
    numbered = NumberedTexts()
    for first in range(0, 30_000, 100):
        numbered.numbers(
            [b"a rather long name of a sentence %d" % n for n in range(first, first + 100)]
        )
    assert sum(keys.nbytes + numbers.nbytes for keys, numbers in numbered._known) == 24 * 30_000
    assert len(numbered._known) < 10
