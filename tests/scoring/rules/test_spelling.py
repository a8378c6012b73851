"""Words that are the same but for how they are written, one by one and in their places."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.rules import spelling as spelling_module
from treelens.rules.spelling import (
    BASE,
    DEFAULT,
    Spelling,
    normal_word,
    numbers,
    powers,
    read_contractions,
    read_equivalences,
    words,
)
from treelens.trees.forest import Symbols, encode

EXACT = Spelling(escapes=False)
CONTRACTIONS = (
    (("ca", "n't"), ("can", "not")),
    (("cannot",), ("can", "not")),
    (("n't",), ("not",)),
)


def compared(text: str, spelling: Spelling, symbols: Symbols | None = None) -> list[str]:
    """The words of sentences (a line each), as they are compared."""
    symbols = symbols or Symbols()
    lines = [line.split() for line in text.splitlines()]
    keys = np.array([symbols.key(encode(word)) for line in lines for word in line], np.uint64)
    sentence = np.repeat(np.arange(len(lines), dtype=np.int32), [len(line) for line in lines])
    table = words(symbols, spelling)
    normal = table.normal(table.spelt(keys, sentence))
    return [symbols.token(key).decode() for key in normal.tolist()]


@pytest.mark.parametrize(
    ("spelling", "text", "expected"),
    [
        (EXACT, "-LRB- \\/ “A”", "-LRB- \\/ “A”"),
        (DEFAULT, "-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-", "( ) [ ] { }"),
        (DEFAULT, "1\\/2 \\* a\\b -LRB-x -lrb-", "1/2 * a\\b -LRB-x -lrb-"),
        (Spelling(quotes=True), "`` '' “ ” „ « » \"", " ".join('"' * 8)),
        (Spelling(quotes=True), "` ‘ ’ ' ‹ ›", " ".join("'" * 6)),
        (Spelling(quotes=True), "don’t rock''n", "don't rock''n"),
        (Spelling(unicode="nfc"), "e\u0301 ﬁ", "é ﬁ"),
        (Spelling(unicode="nfkc"), "e\u0301 ﬁ", "é fi"),
        (Spelling(ignore_case=True), "Straße ÀB", "strasse àb"),
        (Spelling(equivalences=(("a", "b"), ("c", "d"), ("b", "c"))), "a b d x", "d d d x"),
        (Spelling(equivalences=(("A", "x"),), ignore_case=True), "a X", "x x"),
        (Spelling(contractions=CONTRACTIONS), "ca n't cannot do n't", "can not cannot do not"),
        (Spelling(contractions=CONTRACTIONS), "ca\nn't ca", "ca not ca"),
        (Spelling(contractions=CONTRACTIONS, ignore_case=True), "CA N'T", "can not"),
        (Spelling(contractions=((("im",), ("in", "dem")),)), "im im", "indem indem"),
        (Spelling(contractions=((("a", "b"), ("x", "y", "z")),)), "a b b", "x yz b"),
    ],
)  # fmt: skip
def test_what_is_compared(spelling: Spelling, text: str, expected: str) -> None:
    assert " ".join(compared(text, spelling)) == expected


spellings = st.builds(
    Spelling,
    escapes=st.booleans(),
    unicode=st.sampled_from(["as-is", "nfc", "nfkc"]),
    quotes=st.booleans(),
    ignore_case=st.booleans(),
)
written = st.lists(
    st.one_of(st.text(max_size=12), st.sampled_from(["-LRB-", "\\/", "``", "É", "long enough"])),
    max_size=30,
).map(lambda found: [word.encode("utf-8", "surrogatepass") for word in found])


@given(spellings, st.lists(written, max_size=4))
def test_all_words_at_once_are_each_word_alone(
    spelling: Spelling, parts: list[list[bytes]]
) -> None:
    symbols = Symbols()
    table = words(symbols, spelling)
    for part in parts:
        keys = np.array([symbols.key(word) for word in part], np.uint64)
        ids = table.ids(keys)
        alone = [normal_word(word, spelling) for word in part]
        assert [symbols.token(key) for key in table.normal(ids).tolist()] == alone
        lengths, values = numbers([word or b"\0" for word in alone])
        found = [column.tolist() for column in table.texts(ids)]
        assert found == [lengths.tolist(), values.tolist()]


@given(st.lists(st.integers(0, 1 << 31), max_size=6))
def test_powers_are_powers(exponents: list[int]) -> None:
    found = powers(np.array(exponents, np.int64)).tolist()
    assert found == [pow(BASE, exponent, 1 << 64) for exponent in exponents]


@given(st.lists(st.binary(max_size=40), max_size=6), st.integers(1, 50))
def test_texts_are_numbered_in_pieces_as_they_are_at_once(texts: list[bytes], size: int) -> None:
    whole = numbers(texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelling_module, "_AT_ONCE", size)
        in_pieces = numbers(texts)
    assert [column.tolist() for column in in_pieces] == [column.tolist() for column in whole]


def test_a_long_word_is_numbered_in_little_memory() -> None:
    word = b"a" * (8 << 20)
    tracemalloc.start()
    try:
        numbers([word])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 12 * len(word)


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_the_numbers_of_parts_make_that_of_the_whole(parts: list[bytes]) -> None:
    lengths, values = (column.tolist() for column in numbers([*parts, b"".join(parts)]))
    before = itertools.accumulate(lengths[:-1], initial=0)
    whole = sum(
        value * pow(BASE, place, 1 << 64) for value, place in zip(values[:-1], before, strict=False)
    )
    assert (lengths[-1], values[-1]) == (sum(lengths[:-1]), whole % (1 << 64))


def test_thousands_of_words_are_told_apart() -> None:
    symbols = Symbols()
    table = words(symbols, Spelling(ignore_case=True))
    small = np.array([symbols.key(b"word%d" % k) for k in range(20_000)], np.uint64)
    capital = np.array([symbols.key(b"Word%d" % k) for k in range(20_000)], np.uint64)
    normal = table.normal(table.ids(capital))
    assert len(np.unique(normal)) == 20_000
    assert normal.tolist() == table.normal(table.ids(small)).tolist()


def test_lists_are_read_and_what_is_wrong_is_told_by_its_line() -> None:
    found, problems = read_equivalences("# words\ncolour color\n\nalone\na b c\n")
    assert found == (("colour", "color"), ("a", "b", "c"))
    assert [problem.line for problem in problems] == [4]
    contractions, problems = read_contractions("ca n't = can not\ncan not = cannot\nx\n= y\nz =\n")
    assert contractions == ((("ca", "n't"), ("can", "not")), (("cannot",), ("can", "not")))
    assert [problem.line for problem in problems] == [3, 4, 5]


@given(st.text(alphabet="ab =#\n", max_size=40))
def test_any_list_gives_an_answer(text: str) -> None:
    equivalences, _ = read_equivalences(text)
    contractions, _ = read_contractions(text)
    spelling = Spelling(equivalences=equivalences, contractions=contractions)
    assert len(compared("a b ab a", spelling)) == 4


def test_signatures_tell_what_makes_no_difference() -> None:
    assert EXACT.signature == "exact"
    assert DEFAULT.signature == "escapes"
    every = Spelling(True, "nfkc", True, True, (("a", "b"),), CONTRACTIONS)
    assert every.signature.startswith("escapes+nfkc+quotes+case+equivalences#")
    assert "+contractions#" in every.signature
