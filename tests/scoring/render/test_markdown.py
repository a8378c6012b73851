"""Text of users is shown in Markdown as it is, and does nothing."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from treelens.render.markdown import code, escaped, plain
from treelens.render.width import clean


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


@given(st.text(), st.text())
def test_without_markup_a_text_is_as_it_was(text: str, other: str) -> None:
    linked = f"[{escaped(other)}](file:///x#L3)"
    found = f"**{escaped(text)}** in {code(other)} {linked}\n\n> {escaped(text)}"
    shown, beside = clean(text), clean(other)
    assert plain(found) == f"{shown} in {beside.replace('`', '’')} {beside}\n\n{shown}"


def test_without_markup_a_table_is_in_columns() -> None:
    table = "| of | F1 |\n|:--|--:|\n| labelled | **33.33** (1/3) |\n| a \\| 猫 | – |"
    assert plain(f"**All**\n\n{table}\n\nthe end") == (
        "All\n\nof        F1\nlabelled  33.33 (1/3)\na | 猫    –\n\nthe end"
    )
