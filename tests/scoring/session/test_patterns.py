"""Wildcards mean what the regular expressions for them would, and take no time."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st
from treelens.session.patterns import filled, matched, wildcards


def by_regex(pattern: str, path: str) -> tuple[str, ...] | None:
    """The obvious way, which goes back once for every way to share a name among stars."""
    pattern = pattern.removeprefix("./")
    wildcard = re.compile(r"\*\*/|\*+|\?")
    meanings = {"**/": "((?:[^/]+/)*)", "?": "([^/])"}
    parts = wildcard.split(pattern)
    regex = re.escape(parts[0]) + "".join(
        meanings.get(kind, "([^/]*)") + re.escape(part)
        for kind, part in zip(wildcard.findall(pattern), parts[1:], strict=True)
    )
    match = re.compile(regex, re.DOTALL).fullmatch(path)
    return match.groups() if match else None


@given(st.text("ab/*?.", max_size=8), st.text("ab/.", max_size=12))
@example("a/**/b", "a/b")
@example("**/", "a/b/")
@example("*a*a*", "aaaa")
@example("a**/b", "axx/b")
@example("**/**/a", "x/y/a")
@example("?*", "é.mrg")
def test_a_pattern_means_what_its_regular_expression_does(pattern: str, path: str) -> None:
    assert matched(pattern, path) == by_regex(pattern, path)


@given(st.text("ab/*?", max_size=8), st.text("ab/", max_size=12))
def test_what_is_matched_and_filled_in_again_is_the_path(pattern: str, path: str) -> None:
    values = matched(pattern, path)
    if values is not None:
        assert len(values) == wildcards(pattern)
        assert filled(pattern, values) == (path if values else pattern.removeprefix("./"))


def test_stars_without_number_take_no_time() -> None:
    for wildcard in ("*a", "**/", "**/*a", "?*"):
        pattern = wildcard * 100
        for path in ("a" * 250 + "b", "a/" * 125 + "b", "b" * 250):
            matched(pattern, path)
            matched(pattern + ".mrg", path)
