"""Which open documents a file would be compared with."""

from __future__ import annotations

from pathlib import Path

from treelens_server.sought import Sought

FOLDER = Path("/corpus/a")


def test_a_file_and_the_folders_it_is_in_are_sought_by_the_same() -> None:
    sought = Sought()
    sought.seek("one", [FOLDER / "Émile.gold.mrg", FOLDER / "x.mrg"])
    sought.seek("two", [FOLDER / "x.mrg", Path("/corpus/b/y.mrg")])
    assert sought.by(FOLDER / "x.mrg.gz") == {"one", "two"}
    assert sought.by(FOLDER / "e\u0301MILE.gold.mrg") == {"one"}
    assert sought.by(Path("/corpus/b")) == {"two"}
    assert sought.by(Path("/corpus")) == {"one", "two"}
    assert sought.by(Path("/corpus/a/x")) == sought.by(Path("/corp")) == set()


def test_what_is_not_sought_any_more_leaves_nothing() -> None:
    sought = Sought()
    sought.seek("one", [FOLDER / "x.mrg"])
    sought.seek("one", [FOLDER / "y.mrg"])
    assert sought.by(FOLDER / "x.mrg") == set()
    assert sought.by(FOLDER / "y.mrg") == {"one"}
    sought.forget("one")
    sought.forget("never")
    assert not sought._by_path
    assert not sought._paths
