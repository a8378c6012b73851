"""Hostile texts, and their lines and characters counted in the obvious way."""

from __future__ import annotations

import re
from typing import get_args

from hypothesis import strategies as st
from treelens_server.positions import Encoding

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
SEPARATORS = "\u000b\u000c\u001c\u001d\u001e\u0085\u2028\u2029"
"""What Python calls the end of a line and the protocol does not."""

texts = st.lists(
    st.sampled_from(
        [
            *("(", ")", " ", "NP", "a", "ß", "א", "€", "𝔸", "\ud800", "\udfff"),
            *("\n", "\r\n", "\r", *SEPARATORS, "(S (N we))", "(S (N we)) (S (N you))\n"),
        ]
    ),
    max_size=40,
).map(lambda parts: whole("".join(parts)))


def whole(text: str) -> str:
    """A text as clients have it, in UTF-16: halves of a letter that stand together are one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    if encoding == "utf-16":
        return sum(2 if ord(one) > 0xFFFF else 1 for one in text)
    return len(text)


def lines_of(text: str) -> list[tuple[int, int]]:
    """Start and end of each line, its end left out, in characters of Python."""
    ends = [*re.finditer(r"\r\n|\r|\n", text)]
    starts = [0, *(match.end() for match in ends)]
    return list(zip(starts, [*(match.start() for match in ends), len(text)], strict=True))
