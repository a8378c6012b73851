"""Names of files on every system, and which files are read."""

from __future__ import annotations

import os
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from hostile import URIS
from hypothesis import given
from hypothesis import strategies as st
from treelens_server import files
from treelens_server.limits import LARGEST

WINDOWS = {
    "file:///c%3A/x/a.mrg": ("c:/x/a.mrg", "file:///c:/x/a.mrg"),
    "file:///C:/x/../a%20b.mrg": ("C:/a b.mrg", "file:///c:/a%20b.mrg"),
    "file://localhost/c:/x": ("c:/x", "file:///c:/x"),
    "file:/c:/x": ("c:/x", "file:///c:/x"),
    "file://server/share/a.mrg": ("//server/share/a.mrg", "file://server/share/a.mrg"),
    "file:////server/share/a.mrg": ("//server/share/a.mrg", "file://server/share/a.mrg"),
    "file:///x/no-drive.mrg": (None, None),
    "file:///c:x/not-absolute.mrg": (None, None),
    "http://server/x": (None, None),
}
POSIX = {
    "file:///x/a.mrg": ("/x/a.mrg", "file:///x/a.mrg"),
    "file:////x//a.mrg": ("/x/a.mrg", "file:///x/a.mrg"),
    "file:///x/./y/../a%20b.mrg": ("/x/a b.mrg", "file:///x/a%20b.mrg"),
    "file:///": ("/", "file:///"),
    "file:///c%3A/x": ("/c:/x", "file:///c%3A/x"),
    "file://localhost/x": ("/x", "file:///x"),
    "file://elsewhere/x": (None, None),
    "file://[": (None, None),
    "http://[::1": (None, None),
    "file:///\ud800": (None, None),
    "file:///a%00b": (None, None),
}


@pytest.mark.parametrize(
    ("system", "uri", "expected"),
    [
        *((PureWindowsPath, *one) for one in WINDOWS.items()),
        *((PurePosixPath, *one) for one in POSIX.items()),
    ],
)
def test_a_uri_names_a_path_and_has_one_spelling(
    system: type[PurePath], uri: str, expected: tuple[str | None, str | None]
) -> None:
    path = files.named(uri, system)
    assert (path and path.as_posix(), path and files.uri_of(path)) == expected


@pytest.mark.parametrize("system", [PurePosixPath, PureWindowsPath])
@given(uri=st.one_of(st.sampled_from(URIS), st.text(), st.text().map("file:///{}".format)))
def test_whatever_is_sent_for_a_uri_is_a_path_of_one_spelling_or_none(
    system: type[PurePath], uri: str
) -> None:
    path = files.named(uri, system)
    if path is not None:
        assert files.named(files.uri_of(path), system) == path


def test_names_that_are_no_utf8_stay_different() -> None:
    one, other = files.path_of("file:///%ff.mrg"), files.path_of("file:///%fe.mrg")
    assert one is not None
    assert other is not None
    assert one != other
    assert os.fsencode(one) == b"/\xff.mrg"
    assert files.uri_of(one) == "file:///%FF.mrg"


# --- what is read --------------------------------------------------------------------------


def read_error(path: Path, most: int = LARGEST) -> str:
    with pytest.raises(files.ReadError) as raised:
        files.read(path, most)
    return str(raised.value)


@pytest.mark.skipif(os.name == "nt", reason="no such files there")
def test_what_is_no_regular_file_is_neither_there_nor_read(tmp_path: Path) -> None:
    fifo, zero = tmp_path / "fifo", tmp_path / "zero"
    os.mkfifo(fifo)
    zero.symlink_to("/dev/zero")
    for path in (fifo, zero, tmp_path):
        assert files.stamp(path) is None
        assert "cannot be read" in read_error(path) or "no regular file" in read_error(path)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "d/" * 3000 + "x"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    assert files.stamp(tmp_path / name) is None
    assert "cannot be read" in read_error(tmp_path / name)
    assert not files.is_inside(Path("/") / name, [tmp_path])


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_in_a_circle_lead_nowhere_else(tmp_path: Path) -> None:
    path = tmp_path / "x.prm"
    path.symlink_to(path)
    assert files.is_inside(path, [tmp_path])
    assert not files.is_inside(path, [tmp_path / "below"])
    assert read_error(path).startswith("x.prm cannot be read: ")


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "x.prm"
    path.write_bytes(b"x" * 2048)
    assert files.read(path, 2048) == b"x" * 2048
    assert read_error(path, 2047) == "x.prm is larger than 1 kB; it is not read"


def test_a_sparse_file_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "a.mrg"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    assert read_error(path) == "a.mrg is larger than 256 MB; compare it with 'treelens score'"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_file_that_is_not_open_is_read_as_the_editor_would(encoding: str) -> None:
    text = "(S (N שלום))\n"
    assert files.as_editor(text.encode(encoding)) == text.encode()


def test_a_link_is_inside_if_what_it_leads_to_is(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "file").touch()
    (inside / "near").symlink_to("file")
    (inside / "far").symlink_to(outside / "file")
    (inside / "round").symlink_to("round")
    (inside / "folder").symlink_to(outside)
    assert files.is_inside(inside / "file", [inside])
    assert files.is_inside(inside / "near", [inside])
    assert files.is_inside(inside / "missing", [inside])
    assert files.stamp(inside / "round") is None
    for name in ("far", "folder/file", "../out/file"):
        assert not files.is_inside(inside / name, [inside]), name
    assert files.is_inside(inside / "folder" / "file", [inside, inside / "folder"])


def test_a_folder_that_may_not_be_entered_has_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    unread = list[Path]()
    (tmp_path / "a.mrg").touch()
    assert [*files.fitting(tmp_path, "*.mrg", unread.append)] == ["a.mrg"]
    assert (unread, files.barred(tmp_path / "a.mrg")) == ([], None)
    for owner, name in ((Path, "stat"), (os.path, "realpath"), (os, "scandir"), (os, "open")):
        monkeypatch.setattr(owner, name, refuse)
    assert files.stamp(tmp_path / "a.mrg") is None
    assert not files.is_inside(tmp_path / "a.mrg", [tmp_path])
    assert [*files.fitting(tmp_path, "*.mrg", unread.append)] == []
    assert unread == [tmp_path]
    assert read_error(tmp_path / "a.mrg") == "a.mrg cannot be read: Permission denied"
    monkeypatch.setattr(os, "access", lambda folder, _: folder != tmp_path)
    assert files.barred(tmp_path / "below" / "a.mrg") == tmp_path


def test_files_that_fit_a_pattern(tmp_path: Path) -> None:
    for name in ("a.s", "b.s", "x/c.s", "x/y/d.s", ".h.s", ".hidden/e.s", "x/f.t"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).touch()
    for pattern, names in {
        "*.s": ["a.s", "b.s"],
        "./*.s": ["a.s", "b.s"],
        "x/*.s": ["x/c.s"],
        "*/*.s": ["x/c.s"],
        "**/*.s": ["a.s", "b.s", "x/c.s", "x/y/d.s"],
        "x/**/?.s": ["x/c.s", "x/y/d.s"],
        "a**.s": ["a.s"],
        "none/*.s": [],
        "?": [],
    }.items():
        assert sorted(files.fitting(tmp_path, pattern, list[Path]().append)) == names, pattern
