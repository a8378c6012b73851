"""Both files in blocks of any size: the sentences, and how it ends, that all lines at once give."""

from __future__ import annotations

import io

import pytest
from dependency_programs import DEPENDENCY, NO_DATA
from hypothesis import given
from hypothesis import strategies as st
from treelens.dropin.conll.dialects import EVAL07, EVAL_CONLLX, Dialect
from treelens.dropin.conll.lines import Ending, Fault, read_blocks
from treelens.dropin.conll.tokens import all_columns, columns

Sentences = list[tuple[int, list[bytes], list[bytes]]]


def in_blocks(gold: bytes, system: bytes, dialect: Dialect, size: int) -> tuple[Sentences, Ending]:
    """Each sentence's first line and its lines of both files."""
    found: Sentences = []
    ending = None
    for block in read_blocks(io.BytesIO(gold), io.BytesIO(system), dialect, size):
        assert ending is None, "only the last block has an ending"
        ending = block.ending
        for start, end in block.sentences:
            found.append((block.line + start, block.gold[start:end], block.system[start:end]))
    assert ending is not None
    return found, ending


def at_once(gold: bytes, system: bytes, dialect: Dialect) -> tuple[Sentences, Ending]:
    """The plain way, over all lines."""
    lines, its = gold.splitlines(keepends=True), system.splitlines(keepends=True)
    common = min(len(lines), len(its))
    found: Sentences = []
    start = 0
    for at in range(common):
        if lines[at].isspace() != its[at].isspace():
            return found, Ending(Fault(at, lines[at], its[at]))
        if lines[at].isspace():
            found.append((start, lines[start:at], its[start:at]))
            start = at + 1
    longer = lines if len(lines) > common else its
    past = common
    while dialect.lenient_end and past < len(longer) and longer[past].isspace():
        past += 1
    surplus = past - common
    counts = (surplus, 0) if longer is lines else (0, surplus)
    if past < len(longer):
        sides = (longer[past], None) if longer is lines else (None, longer[past])
        return found, Ending(Fault(past, *sides), *counts)
    return [*found, (start, lines[start:common], its[start:common])], Ending(None, *counts)


texts = st.lists(st.sampled_from([b"1\ta", b"2\tbb", b"", b" ", b"long " * 9]), max_size=12).map(
    b"\n".join
)
dialects = pytest.mark.parametrize("dialect", [EVAL07, EVAL_CONLLX])


@dialects
@given(texts, texts, st.integers(1, 40))
def test_any_two_files(dialect: Dialect, gold: bytes, system: bytes, size: int) -> None:
    assert in_blocks(gold, system, dialect, size) == at_once(gold, system, dialect)


@dialects
@given(texts, st.integers(1, 40), st.sampled_from([b"", b"\n", b"\n\n", b"\n\nx\n"]))
def test_files_that_part_at_the_end(dialect: Dialect, gold: bytes, size: int, more: bytes) -> None:
    for one, other in ((gold, gold + more), (gold + more, gold)):
        assert in_blocks(one, other, dialect, size) == at_once(one, other, dialect)


@pytest.mark.skipif(not DEPENDENCY.exists(), reason=NO_DATA)
def test_blocks_of_a_real_file_do_not_grow_with_it() -> None:
    gold = max(DEPENDENCY.glob("*/gold.conllx"), key=lambda path: path.stat().st_size)
    text = gold.read_bytes()
    blocks = [*read_blocks(io.BytesIO(text * 3), io.BytesIO(text * 3), EVAL07, 1 << 14)]
    assert len(blocks) > 3
    assert max(sum(map(len, block.gold)) for block in blocks) < 1 << 16


FIELD = st.text("a-1\u00a0é", min_size=1, max_size=3)
LINE = st.builds(
    lambda before, fields, between: (before + between.join(fields) + "\n").encode(),
    st.sampled_from(["", "", "", " ", "\t"]),
    st.lists(FIELD, min_size=1, max_size=10),
    st.sampled_from(["\t", " ", "\t\t", " \v"]),
)


@given(st.lists(LINE))
def test_many_lines_have_the_columns_of_each(lines: list[bytes]) -> None:
    assert [*all_columns(lines)] == [columns(line) for line in lines]
