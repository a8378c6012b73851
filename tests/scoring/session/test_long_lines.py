"""Places in long sentences and on long lines: those that looking through all of the text gives, and
for thousands of them nothing is looked through again each time."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.session import document as documents
from treelens.session import long_lines
from treelens.session.document import Document, document, place
from treelens.trees.forest import Symbols, decode, encode
from trees import hostile

ENDS = re.compile(rb"\r\n|\r|\n")
NOT_UTF8 = st.sampled_from(
    [b"(S\n(N \xff\xe2\x82))\n", b"(S (N \x80\x80\x80\x80\x80\x80)\r\n(N \xf0\x9f))"]
)


@given(
    st.tuples(hostile, hostile).map(lambda texts: tuple(map(encode, texts)))
    | st.tuples(NOT_UTF8, st.just(b"(N a)\n")),
    st.integers(4, 12),
)
def test_places_are_those_of_the_whole_text(texts: tuple[bytes, bytes], long: int) -> None:
    """(Beside bytes that are no UTF-8, half of a surrogate pair is no character either.)"""
    text, new = texts[0] + texts[0], texts[1]
    with pytest.MonkeyPatch.context() as patch:
        for module in (documents, long_lines):
            patch.setattr(module, "LONG", long)
        now = document(text, Symbols())
        _is_plain(now)
        now, _ = now.edit(len(text) // 2, len(text) // 2, new)
        _is_plain(now)


def _is_plain(now: Document) -> None:
    text = now.text()
    ends = [0, *(match.end() for match in ENDS.finditer(text))]
    for offset in range(len(text) + 1):
        line = sum(end <= offset for end in ends)
        start = ends[line - 1]
        assert now.line_start(offset) == (line - 1, start)
        assert now.text(start, offset) == text[start:offset]
        if text[offset : offset + 1] < b"\x80":  # Nothing stands inside of a character.
            assert place(now, offset) == (line, len(decode(text[start:offset])) + 1)


@pytest.mark.parametrize("between", [" ", "\n"])
def test_many_places_cost_what_they_are(between: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0

    def counting(name: str) -> None:
        read = getattr(Document, name)

        def looking(now: Document, *arguments: int) -> Any:
            nonlocal looked_at
            found = read(now, *arguments)
            looked_at += len(found)
            return found

        monkeypatch.setattr(Document, name, looking)

    counting("text")
    counting("piece_text")
    words = between.join(["(NP (N 𝔸𝔹))"] * 2000)
    for text in (f"(S {words})", f"(S (N a)){between}" * 2000):
        whole = document(encode(text), Symbols())
        edited, _ = whole.edit(1, 2, b"VP")
        for now in (whole, edited):
            looked_at = 0
            for offset in range(0, now.length, 10):
                place(now, offset)
            assert looked_at < now.length // 10 * (long_lines.LONG + 100)
