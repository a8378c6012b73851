"""Positions against an oracle that does the obvious: split the lines, encode what is before."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lines import ENCODINGS, SEPARATORS, lines_of, texts, units, whole
from lsprotocol import types
from treelens.session.document import Document, document
from treelens.trees.forest import Symbols, encode
from treelens_server.positions import (
    Encoding,
    edit_of,
    edited,
    end_of,
    offset_at,
    positions,
    span_of,
    whole_line,
)


def read(text: str) -> Document:
    return document(encode(text), Symbols())


@given(texts, st.sampled_from(ENCODINGS))
def test_every_place_has_the_position_that_counting_gives(text: str, encoding: Encoding) -> None:
    places, expected = [], []
    for number, (start, end) in enumerate(lines_of(text)):
        for at in range(start, end + 1):
            places.append(len(encode(text[:at])))
            expected.append(types.Position(number, units(text[start:at], encoding)))
    found = read(text)
    assert positions(found, places, encoding) == expected
    assert [offset_at(found, position, encoding) for position in expected] == places


@given(texts, st.data(), st.sampled_from(ENCODINGS))
def test_the_order_in_which_positions_are_asked_for_does_not_matter(
    text: str, data: st.DataObject, encoding: Encoding
) -> None:
    found = read(text)
    boundaries = [len(encode(text[:at])) for at in range(len(text) + 1)]
    some = data.draw(st.lists(st.sampled_from(boundaries), max_size=10))
    each = [positions(found, [offset], encoding)[0] for offset in some]
    assert positions(found, some, encoding) == each


@given(texts, st.integers(0, 60), st.integers(0, 60), st.sampled_from(ENCODINGS))
def test_a_position_that_is_none_means_one_before_it(
    text: str, line: int, character: int, encoding: Encoding
) -> None:
    offset = offset_at(read(text), types.Position(line, character), encoding)
    lines = lines_of(text)
    if line >= len(lines):
        assert offset == len(encode(text))
        return
    start, end = lines[line]
    fitting = [at for at in range(start, end + 1) if units(text[start:at], encoding) <= character]
    assert offset == len(encode(text[: fitting[-1]]))


@pytest.mark.parametrize("separator", SEPARATORS)
def test_other_separators_are_inside_of_lines(separator: str) -> None:
    found = read(f"(S (N a{separator}b))\n(S (N c))\n")
    assert found.line_count == 3
    (end,) = positions(found, [len(encode(f"(S (N a{separator}b))"))], "utf-16")
    assert end == types.Position(0, 11)


def test_places_inside_of_a_character_are_its_start() -> None:
    found = read("𝔸b")
    assert offset_at(found, types.Position(0, 1), "utf-16") == 0
    assert offset_at(found, types.Position(0, 2), "utf-16") == 4
    assert [offset_at(found, types.Position(0, n), "utf-8") for n in range(6)] == [0, 0, 0, 0, 4, 5]


def test_a_range_that_is_the_wrong_way_round_is_turned() -> None:
    range_ = types.Range(types.Position(0, 5), types.Position(0, 2))
    assert span_of(read("(S (N we))"), range_, "utf-16") == (2, 5)


@given(texts, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 4), texts), max_size=4))
def test_edits_between_the_halves_of_characters_make_what_a_client_has(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    """A client whose text is a list of units of UTF-16; one by one, and all in the text at once."""
    found, changes, start = read(text), [], halves(text)
    now = start
    for at, length, new in edits:
        ends = [outside(now, min(place, len(now))) for place in (at, at + length)]
        places = [unit_position(now, place) for place in ends]
        change = types.TextDocumentContentChangePartial(types.Range(*places), whole(new))
        now = now[: ends[0]] + halves(new) + now[ends[1] :]
        changes.append(change)
        found, _ = found.edit(*edit_of(found, change, "utf-16"))
        assert found.text() == encode(whole(now))
    assert edited(encode(whole(start)), changes, "utf-16") == encode(whole(now))


anywhere = st.builds(types.Position, *[st.integers(0, 8) | st.just(1 << 30)] * 2)


@given(
    texts,
    st.lists(st.tuples(anywhere, anywhere, texts.map(lambda text: text[:3])), max_size=4),
    st.sampled_from(ENCODINGS),
)
@example("a", [(types.Position(1, 0),) * 2 + (one,) for one in ("\n", "b")], "utf-16")
def test_many_changes_of_places_anywhere_are_those_one_by_one(
    text: str, edits: list[tuple[types.Position, types.Position, str]], encoding: Encoding
) -> None:
    text = whole(halves(text))
    found, changes = read(text), []
    for start, end, new in edits:
        range_ = types.Range(start, end)
        changes.append(types.TextDocumentContentChangePartial(range_, whole(halves(new))))
        found, _ = found.edit(*edit_of(found, changes[-1], encoding))
    assert edited(encode(text), changes, encoding) == found.text()


def halves(text: str) -> str:
    """A text with each unit of UTF-16 as a character of Python's."""
    units = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(units[at] + 256 * units[at + 1]) for at in range(0, len(units), 2))


def outside(text: str, at: int) -> int:
    """Not between the two of a line's end: there is no such position."""
    return at - (text[max(at - 1, 0) : at + 1] == "\r\n")


def unit_position(text: str, at: int) -> types.Position:
    number, (start, _) = [(n, one) for n, one in enumerate(lines_of(text)) if one[0] <= at][-1]
    return types.Position(number, at - start)


def test_a_letter_typed_in_two_halves_is_the_letter() -> None:
    found = read("(S (N ))")
    for column, half in ((6, "\ud835"), (7, "\udd38")):
        here = types.Position(0, column)
        change = types.TextDocumentContentChangePartial(types.Range(here, here), half)
        found, _ = found.edit(*edit_of(found, change, "utf-16"))
    assert found.text() == "(S (N 𝔸))".encode()


def test_many_trees_on_one_line_take_time_that_grows_with_the_line() -> None:
    text = "(S (N ß)) " * 20_000
    found = read(text)
    starts = found.start[:-1].tolist()
    columns = [position.character for position in positions(found, starts, "utf-16")]
    assert columns == [10 * number for number in range(20_000)]


@pytest.mark.parametrize(("encoding", "width"), [("utf-8", 6), ("utf-16", 4), ("utf-32", 3)])
def test_the_end_of_a_text_and_of_a_line_are_counted_as_agreed(
    encoding: Encoding, width: int
) -> None:
    assert end_of(encode("é\r\nab😀"), encoding) == types.Position(1, width)
    assert end_of(b"a\n", encoding) == types.Position(1, 0)
    assert end_of(b"", encoding) == types.Position(0, 0)
    assert whole_line(7, "ab😀", encoding).end == types.Position(7, width)
