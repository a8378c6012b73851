"""Text of users is shown in Markdown as it is, and does nothing."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from treelens.render.markdown import code, escaped


def test_links_pictures_and_tags_are_text() -> None:
    assert escaped("[x](http://y)") == r"\[x\](http\://y)"
    assert escaped("![x](y) <b>") == r"!\[x\](y) \<b\>"
    assert escaped("www.example.org, WWW.x") == r"www\.example.org, WWW\.x"
    assert escaped("command://x mailto:x") == r"command\://x mailto\:x"
    assert escaped("NP-SBJ: 1.5") == "NP-SBJ: 1.5"
    assert escaped("a\x1b[31m\nb") == "a␛\\[31m␊b"


@given(st.text())
def test_nothing_that_means_something_stands_bare(text: str) -> None:
    found = escaped(text)
    bare = re.sub(r"\\[\\`*_\[\]<>|~&$:.]", "", found)
    assert not re.search(r"[\\`*_\[\]<>|~&$]|[a-zA-Z]://|www\.", bare)
    assert not any(unicodedata.category(one) in ("Cc", "Cs") for one in found)


@given(st.text())
def test_a_code_span_ends_where_it_should(text: str) -> None:
    assert code(text).count("`") == 2
