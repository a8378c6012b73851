"""Folders by name: walked in order, paired by relative path."""

from __future__ import annotations

from treelens.corpus import FolderEntry, folders, pair_names, walk

TREE = {
    "": [
        FolderEntry("b.mrg", False),
        FolderEntry("a", True),
        FolderEntry(".git", True),
        FolderEntry("venv", True),
    ],
    "a": [
        FolderEntry("2.mrg", False),
        FolderEntry("1.mrg", False),
        FolderEntry("z", True),
        FolderEntry(".x", False),
    ],
    "a/z": [FolderEntry("deep.mrg", False)],
}


def test_a_walk_gives_every_file_in_order() -> None:
    assert [*walk(lambda folder: TREE[folder])] == ["a/1.mrg", "a/2.mrg", "a/z/deep.mrg", "b.mrg"]


def test_files_are_paired_by_their_place_packed_or_not() -> None:
    found = pair_names(["a/1.mrg", "b.mrg.gz", "c.mrg"], ["a/1.mrg", "b.mrg", "d.mrg"])
    assert found.pairs == (("a/1.mrg", "a/1.mrg"), ("b.mrg.gz", "b.mrg"))
    assert (found.gold_only, found.system_only) == (("c.mrg",), ("d.mrg",))
    assert pair_names(["x.mrg"], ["x.mrg.zst"]).pairs == (("x.mrg", "x.mrg.zst"),)


def test_a_file_counts_in_every_folder_that_it_is_in() -> None:
    assert [*folders("a/b/c.mrg")] == ["a/b", "a"]
    assert [*folders("c.mrg")] == []
