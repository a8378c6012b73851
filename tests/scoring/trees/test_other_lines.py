"""Where a line starts, whichever breaks a text has."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st
from treelens.trees.other_lines import at_line_start

_BOM = b"\xef\xbb\xbf"
_MARKED = re.compile(at_line_start(rb"[#%]"))


@given(st.lists(st.sampled_from([b"#", b"%", b"a", b"\r", b"\n", _BOM]), max_size=8).map(b"".join))
@example(_BOM + b"#")
@example(_BOM + _BOM + b"#")
@example(b"#" + _BOM + b"#\r#\n%")
def test_a_line_starts_behind_any_break_and_a_byte_order_mark(text: bytes) -> None:
    starts = [
        at
        for at, byte in enumerate(text)
        if byte in b"#%" and text[:at].removeprefix(_BOM)[-1:] in (b"", b"\r", b"\n")
    ]
    assert [match.start() for match in _MARKED.finditer(text)] == starts
