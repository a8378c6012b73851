"""Files as the world has them: whatever is wrong with one costs that one only, and is said."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from lsp_client import Client, edit

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n"
RULE = '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n'

posix = pytest.mark.skipif(os.name == "nt", reason="no such files there")


def pair(folder: Path, name: str = "a") -> tuple[Path, Path]:
    folder.mkdir(exist_ok=True, parents=True)
    files = folder / f"{name}.gold.mrg", folder / f"{name}.system.mrg"
    for file, text in zip(files, (GOLD, SYSTEM), strict=True):
        file.write_text(text)
    return files


def differs(client: Client, file: Path) -> bool:
    return [item["code"] for item in client.diagnostics(file.as_uri())] == ["missing-bracket"]


def said(client: Client, text: str) -> bool:
    """Whether the client was told something, by now."""
    return any(text in json.dumps(message, ensure_ascii=False) for message in client.seen)


def changed(client: Client, *files: Path) -> None:
    changes = [{"uri": file.as_uri(), "type": 2} for file in files]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


# --- one fault, one message, and everything else goes on -----------------------------------


FAULTS = {
    "number": (f"{RULE}x = {'9' * 10_000}", "a number is out of range"),
    "deep": (f"{RULE}x = {'[' * 100_000}", "brackets within brackets"),
    "stars": ('[[pairs]]\ngold = "gold"\nsystem = "b**.mrg"\n', ""),
    "many": (f'[[pairs]]\ngold = "{"**/" * 60}x"\nsystem = "{"**/" * 60}y"\n', ""),
    "long": (f'[[pairs]]\ngold = "{"x" * 250}*"\nsystem = "{"y" * 250}*"\n', ""),
    "parts": (f"{RULE}{'a.' * 5000}a = 1", "a key of more than 32 parts"),
    "large": (RULE + "#" * (2 << 20), "is larger than 1 MB"),
    "bytes": ("\ud800", "not TOML"),
}


def test_a_configuration_that_is_wrong_costs_its_folder_only(
    client: Client, tmp_path: Path
) -> None:
    good = pair(tmp_path / "good")
    client.start(tmp_path)
    for name, (text, message) in FAULTS.items():
        bad, _ = pair(tmp_path / name)
        (tmp_path / name / "gold").write_text(GOLD)
        config = tmp_path / name / "treelens.toml"
        config.write_bytes(text.encode("utf-8", "surrogatepass"))
        client.open(bad.as_uri(), GOLD)
        client.open((tmp_path / name / "gold").as_uri(), GOLD)
        # (Where no rule can be used, the names are; where one can, no file fits it.)
        assert differs(client, bad), name
        assert said(client, message), name
        published = [one for one in client.seen if config.as_uri() in json.dumps(one)]
        assert len(published) <= 2, name
    client.open(good[0].as_uri(), GOLD)
    assert differs(client, good[0])


def test_names_that_no_file_can_have_cost_no_other_document(client: Client, tmp_path: Path) -> None:
    gold, _ = pair(tmp_path)
    client.start(tmp_path)
    names = ["x" * 250 + ".gold.mrg", "x" * 300 + ".gold.mrg", "gold/" * 900 + "x.gold.mrg"]
    names += ["a.gold." * 20_000 + "mrg", "gold/" * 90 + "x" * 20_000]
    for uri in ["file:///", *(f"{tmp_path.as_uri()}/{name}" for name in names)]:
        client.open(uri, GOLD)
        assert client.diagnostics(uri) == []
    client.open(gold.as_uri(), GOLD)
    assert differs(client, gold)
    assert not said(client, "Traceback")


@posix
def test_what_is_no_regular_file_is_not_read(client: Client, tmp_path: Path) -> None:
    """A folder with pipes and endless files for everything that the server reads by itself."""
    gold, system = pair(tmp_path)
    system.unlink()
    os.mkfifo(system)
    (tmp_path / "a.auto.mrg").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "a.gold.mrg.review")
    below = tmp_path / "below"
    below.mkdir()
    names = ("parameters", "equivalences", "contractions", "heads")
    for name in names:
        os.mkfifo(below / name)
    lines = "".join(f'{name} = "{name}"\n' for name in names)
    (below / "treelens.toml").write_text(f"{RULE}{lines}")
    inner, _ = pair(below)
    os.mkfifo(tmp_path / "treelens.toml")
    client.start(tmp_path)
    for file in (gold, inner):
        client.open(file.as_uri(), GOLD)
    assert client.diagnostics(gold.as_uri()) == []
    assert differs(client, inner)
    for name in (*names, "treelens.toml"):
        assert said(client, f"{name} is no regular file; it is not read"), name
    client.about("codeLens", gold.as_uri())


@posix
@pytest.mark.parametrize(
    ("leads", "message"),
    [
        (None, "is no regular file; it is not read"),
        ("treelens.toml", "cannot be read: "),
        ("nothing", "cannot be read: No such file"),
        ("/dev/zero", "is a link that leads out of the workspace"),
    ],
)
def test_what_is_there_and_no_configuration_is_said(
    leads: str | None, message: str, client: Client, tmp_path: Path
) -> None:
    gold, _ = pair(tmp_path)
    config = tmp_path / "treelens.toml"
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    assert differs(client, gold)
    assert not said(client, config.as_uri())
    config.symlink_to(leads) if leads else config.mkdir()
    changed(client, config)
    assert differs(client, gold)
    assert said(client, f'"treelens.toml {message}')


@posix
def test_links_out_of_the_workspace_are_not_followed(client: Client, tmp_path: Path) -> None:
    secret, work = tmp_path / "secret", tmp_path / "work"
    secret.write_text("the root password\n" + GOLD)
    gold, system = pair(work)
    system.unlink()
    system.symlink_to(secret)
    inner, _ = pair(work / "below")
    (work / "below" / "treelens.toml").write_text(f'{RULE}parameters = "list"\n')
    (work / "below" / "list").symlink_to(secret)
    other, _ = pair(work / "linked")
    (work / "linked" / "treelens.toml").symlink_to(secret)
    (work / "linked" / "a.gold.mrg.review").symlink_to(secret)
    client.start(work)
    for file in (gold, inner, other):
        client.open(file.as_uri(), GOLD)
        client.about("codeLens", file.as_uri())
    assert client.diagnostics(gold.as_uri()) == []
    assert differs(client, inner)
    assert differs(client, other)
    assert said(client, "is a link that leads out of the workspace")
    assert not said(client, "password")


def test_parameters_that_are_not_read_are_the_default_ones(client: Client, tmp_path: Path) -> None:
    gold, system = pair(tmp_path)
    system.write_text(f"(TOP {GOLD})")
    (tmp_path / "treelens.toml").write_text(f'{RULE}parameters = "list"\n')
    with (tmp_path / "list").open("wb") as file:
        file.truncate(1 << 25)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    codes = [item["code"] for item in client.diagnostics(gold.as_uri())]
    assert codes == ["extra-uncounted-bracket"]
    assert said(client, "list is larger than 16 MB; it is not read; scored without it")
    assert not said(client, "does not exist")


@posix
def test_a_folder_that_is_a_link_is_one_whose_files_were_opened_by_the_user(
    client: Client, tmp_path: Path
) -> None:
    pair(tmp_path / "elsewhere")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "data").symlink_to(tmp_path / "elsewhere")
    gold = tmp_path / "work" / "data" / "a.gold.mrg"
    client.start(tmp_path / "work")
    client.open(gold.as_uri(), GOLD)
    assert differs(client, gold)


# --- files that change while one looks -----------------------------------------------------


def test_a_partner_that_changes_shrinks_vanishes_and_comes_back(
    client: Client, tmp_path: Path
) -> None:
    gold, system = pair(tmp_path)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    assert differs(client, gold)
    for text, codes in (
        (GOLD, []),
        (GOLD[: len(GOLD) // 2], None),
        ("", ["missing-sentence"]),
        (SYSTEM, ["missing-bracket"]),
    ):
        system.write_text(text)
        changed(client, system)
        found = [item["code"] for item in client.diagnostics(gold.as_uri())]
        assert found == codes or codes is None, text
    system.unlink()
    system.mkdir()
    changed(client, system)
    assert client.diagnostics(gold.as_uri()) == []
    system.rmdir()
    new = tmp_path / "new"
    new.write_text(SYSTEM)
    new.replace(system)
    changed(client, system)
    assert differs(client, gold)


@posix
@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("a.system.mrg", []),
        ("treelens.toml", ["missing-bracket"]),
        ("list.prm", ["missing-bracket"]),
        ("a.system.mrg.review", ["missing-uncounted-bracket"]),
    ],
)
def test_a_file_that_becomes_what_is_none_is_left_alone_until_it_is_back(
    name: str, without: list[str], client: Client, tmp_path: Path
) -> None:
    gold, _ = pair(tmp_path / "work")
    file = tmp_path / "work" / name
    (tmp_path / "secret").write_text(GOLD)
    (tmp_path / "work" / "treelens.toml").write_text(f'{RULE}parameters = "list.prm"\n')
    (tmp_path / "work" / "list.prm").write_text("DELETE_LABEL NP\n")
    (tmp_path / "work" / "a.system.mrg.review").write_text("checked\t1\twe see the sea\t0\t\n")
    client.start(tmp_path / "work")
    client.open(gold.as_uri(), GOLD)
    text = file.read_text()

    def found() -> list[str]:
        changed(client, file)
        client.about("codeLens", gold.as_uri())
        return [item["code"] for item in client.diagnostics(gold.as_uri())]

    before = found()
    assert before == ["missing-uncounted-bracket"]
    for leads in ("/dev/zero", tmp_path / "secret", file, tmp_path / "nothing", None, "folder"):
        file.unlink()
        if leads is None:
            os.mkfifo(file)
        elif leads == "folder":
            file.mkdir()
        else:
            file.symlink_to(leads)
        assert found() == without, leads
        file.rmdir() if leads == "folder" else file.unlink()
        new = tmp_path / "new"
        new.write_text(text)
        new.replace(file)
        assert found() == before, leads
    assert not said(client, "Traceback")


def test_another_file_of_the_same_size_and_time_is_another_file(
    client: Client, tmp_path: Path
) -> None:
    gold, system = pair(tmp_path)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    assert differs(client, gold)
    status = system.stat()
    other = tmp_path / "other"
    other.write_text(SYSTEM.replace("sea", "sky"))
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(system)
    changed(client, system)
    codes = [item["code"] for item in client.diagnostics(gold.as_uri())]
    assert "different-words" in codes


def test_a_file_that_vanishes_from_the_disk_stays_as_it_is_open(
    client: Client, tmp_path: Path
) -> None:
    gold, system = pair(tmp_path)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    client.open(system.as_uri(), SYSTEM)
    for file in (gold, system):
        file.unlink()
    changed(client, gold, system)
    assert differs(client, gold)
    client.change(system.as_uri(), 2, {"text": GOLD})
    assert client.diagnostics(gold.as_uri()) == []
    client.close(system.as_uri())
    client.open(system.as_uri(), SYSTEM, 3)
    assert differs(client, gold)


# --- many servers, and many files ------------------------------------------------------------


def test_two_servers_in_one_folder_say_the_same(tmp_path: Path) -> None:
    gold, system = pair(tmp_path)
    with Client() as one, Client() as other:
        for client in (one, other):
            client.start(tmp_path)
            client.open(gold.as_uri(), GOLD)
            assert differs(client, gold)
        before = sorted(tmp_path.iterdir())
        one.open(system.as_uri(), SYSTEM)
        one.change(system.as_uri(), 2, edit(0, 29, 30, "X"))
        assert differs(other, gold)
        system.write_text(GOLD)
        changed(other, system)
        assert other.diagnostics(gold.as_uri()) == []
        assert one.diagnostics(gold.as_uri()) != []
        assert sorted(tmp_path.iterdir()) == before


def test_opening_a_document_says_nothing_about_the_others(client: Client, tmp_path: Path) -> None:
    """Each of many pairs is found, read and watched once, whatever else is open."""
    client.start(tmp_path)
    files = [pair(tmp_path, f"f{number}") for number in range(40)]
    for gold, _ in files:
        client.open(gold.as_uri(), GOLD)
    assert all(differs(client, gold) for gold, _ in files)
    for gold, system in files[:20]:
        client.open(system.as_uri(), SYSTEM)
        client.close(gold.as_uri())
    assert all(differs(client, system) for _, system in files[:20])
    assert all(differs(client, gold) for gold, _ in files[20:])
    for _, system in files[:20]:
        client.close(system.as_uri())
    assert all(differs(client, gold) for gold, _ in files[20:])
    client.wait_for("treelens/status", lambda _: len(client.pairs()) == 20)


PROGRAM = """
import sys
from treelens_server import pairing, transport
real = pairing.Pairing._automatic
def wrong(self, name, opened):
    if "wrong" in name:
        raise RuntimeError("our mistake")
    return real(self, name, opened)
pairing.Pairing._automatic = wrong
transport.serve_stdio()
"""


def test_a_mistake_of_ours_about_one_document_is_told_once_and_costs_no_other(
    tmp_path: Path,
) -> None:
    gold, _ = pair(tmp_path)
    with Client((sys.executable, "-c", PROGRAM)) as client:
        client.start(tmp_path)
        for number in range(3):
            client.open(f"{tmp_path.as_uri()}/wrong{number % 2}.mrg", GOLD)
        client.open(gold.as_uri(), GOLD)
        assert differs(client, gold)
        told = [one for one in client.seen if "our mistake" in json.dumps(one)]
        assert len(told) == 2


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(" * 300_000, "a.system.mrg: brackets nest more than 10,000 deep here"),
        ("no trees at all\n", "a.system.mrg: “no trees at all” stands outside of any tree"),
        ("(NP 0=I)\n", "a.system.mrg: this is discbracket"),
    ],
)
def test_of_a_file_that_is_not_open_and_not_read_it_is_said_why(
    client: Client, tmp_path: Path, text: str, what: str
) -> None:
    gold, system = pair(tmp_path)
    system.write_text(text)
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    told = client.wait_for("window/showMessage")
    assert told["message"].startswith(what)
    system.write_text(SYSTEM)
    changed(client, system)
    client.wait_for("treelens/status", lambda status: "85.71" in json.dumps(status))
    assert client.count("window/showMessage") == 1
