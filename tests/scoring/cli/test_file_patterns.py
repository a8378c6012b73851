"""Patterns of files: what they fit, whatever links there are."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.cli.patterns import fitting

FILES = (
    "a.mrg",
    "x/a.mrg",
    "x/b.txt",
    "x/y/a.mrg",
    "x/y/z/a.mrg",
    ".h/a.mrg",
    "x/.b.mrg",
    "y/[b].mrg",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("patterns")
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


parts = st.sampled_from(["**", "*", "x", "y", ".*", "?", "[xy]", "*.mrg", "a.mrg", "[[]b].mrg"])


@given(st.lists(parts, min_size=1, max_size=5), st.booleans())
def test_they_fit_what_they_fit_in_a_shell(folder: Path, parts: list[str], below: bool) -> None:
    pattern = "/".join([*([str(folder)] if below else []), *parts])
    before = os.getcwd()
    os.chdir(folder)
    try:
        found = [*fitting(pattern)]
        expected = {one for one in glob.glob(pattern, recursive=True) if os.path.isfile(one)}
    finally:
        os.chdir(before)
    assert sorted(found) == sorted(expected)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_links_lead_nowhere_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "x" / "y" / "a.mrg").touch()
    for name in ("self", "again", "x/up"):
        (tmp_path / name).symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    assert [*fitting("**/**/**/**/*.mrg")] == ["x/y/a.mrg"]
    assert sorted(fitting("*/x/**/a.mrg")) == ["again/x/y/a.mrg", "self/x/y/a.mrg"]
    assert [*fitting("**/**/**/**/*.txt")] == []
