"""Diagnostics of the whole corpus, over the protocol: asked for, or published by command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import PUSH, Client, Message

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n(S (NP (N you)))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n(S (NP (N you)))\n"
CONFIG = '[[pairs]]\ngold = "gold/*.txt"\nsystem = ["one/*.txt", "two/*.txt"]\n'
SUMMARY = "3 pairs checked: 2 sentences with mismatches"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A gold with two systems by configuration, a pair by name, what is in no pair, and no file."""
    files = {
        "treelens.toml": CONFIG,
        "gold/a.txt": GOLD,
        "one/a.txt": GOLD,
        "two/a.txt": SYSTEM,
        "below/b.gold.mrg": GOLD,
        "below/b.system.mrg": SYSTEM,
        "below/alone.gold.mrg": "(S",
        ".hidden/c.gold.mrg": GOLD,
        ".hidden/c.system.mrg": SYSTEM,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("round.gold.mrg", "below/treelens.toml"):  # (links in a circle are no files)
        (tmp_path / name).symlink_to(tmp_path / name)
    return tmp_path


def pull(client: Client, previous: dict[str, str] | None = None, **more: Any) -> dict[str, Message]:
    ids = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    answer = client.request("workspace/diagnostic", {"previousResultIds": ids, **more})
    return {item["uri"]: item for item in answer["items"]}


def named(reports: dict[str, Message], folder: Path) -> dict[str, list[str]]:
    """The codes of the reports, by path."""
    return {
        uri.removeprefix(folder.as_uri() + "/"): [one["code"] for one in report["items"]]
        for uri, report in reports.items()
    }


def test_all_pairs_are_checked_whether_they_are_open_or_not(client: Client, folder: Path) -> None:
    capabilities = client.start(folder)["capabilities"]
    assert capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
    reports = pull(client)
    assert named(reports, folder) == {
        "below/b.gold.mrg": ["missing-bracket"],
        "below/b.system.mrg": ["missing-bracket"],
        "gold/a.txt": ["missing-bracket"],
        "one/a.txt": [],
        "two/a.txt": ["missing-bracket"],
    }
    assert client.wait_for("treelens/checked")["message"] == SUMMARY
    # What the editor would have shown, had they been open: the place in the other file too.
    system = (folder / "below/b.system.mrg").as_uri()
    client.open(system, SYSTEM)
    assert client.diagnostics(system) == reports[system]["items"]
    (related,) = reports[system]["items"][0]["relatedInformation"]
    assert related["location"] == {
        "uri": (folder / "below/b.gold.mrg").as_uri(),
        "range": {"start": {"line": 0, "character": 27}, "end": {"line": 0, "character": 30}},
    }


def test_what_has_not_changed_is_not_sent_again(client: Client, folder: Path) -> None:
    client.start(folder)
    first = pull(client)
    ids = {uri: report["resultId"] for uri, report in first.items()}
    again = pull(client, ids)
    assert {report["kind"] for report in again.values()} == {"unchanged"}
    assert {uri: report["resultId"] for uri, report in again.items()} == ids
    # (The pairs are counted all the same.)
    client.wait_for("treelens/checked")
    assert client.wait_for("treelens/checked")["message"] == SUMMARY
    (folder / "two/a.txt").write_text(GOLD)
    now = pull(client, ids)
    changed = {uri: one for uri, one in now.items() if one["kind"] == "full"}
    assert named(changed, folder) == {"gold/a.txt": [], "one/a.txt": [], "two/a.txt": []}
    (folder / "below/b.gold.mrg").unlink()
    gone = pull(client, ids)[(folder / "below/b.gold.mrg").as_uri()]
    assert gone["kind"] == "full"
    assert gone["items"] == []


def test_an_open_file_counts_as_it_is_typed(client: Client, folder: Path) -> None:
    client.start(folder)
    system = (folder / "below/b.system.mrg").as_uri()
    client.open(system, GOLD, version=7)
    reports = pull(client)
    assert reports[system]["version"] == 7
    found = named(reports, folder)
    assert found["below/b.gold.mrg"] == found["below/b.system.mrg"] == []


def test_what_is_summed_up_is_what_is_there_where_all_of_a_pair_is_open(
    client: Client, folder: Path
) -> None:
    client.start(folder)
    system = (folder / "below/b.system.mrg").as_uri()
    client.open((folder / "below/b.gold.mrg").as_uri(), GOLD)
    client.open(system, SYSTEM)
    pull(client)
    assert client.wait_for("treelens/checked")["message"] == SUMMARY
    client.change(system, 2, {"text": GOLD})
    pull(client)
    checked = client.wait_for("treelens/checked")["message"]
    assert checked == "3 pairs checked: 1 sentence with mismatches"


def test_an_open_file_counts_once_all_of_it_is_deleted(client: Client, folder: Path) -> None:
    client.start(folder)
    ids = {uri: report["resultId"] for uri, report in pull(client).items()}
    client.open((folder / "below/b.system.mrg").as_uri(), "")
    gold = pull(client, ids)[(folder / "below/b.gold.mrg").as_uri()]
    assert {one["code"] for one in gold["items"]} == {"missing-sentence"}


def test_how_far_the_work_is_never_falls(client: Client, folder: Path) -> None:
    for number in range(6):
        (folder / f"{number}.gold.mrg").write_text(GOLD * 500)
        (folder / f"{number}.system.mrg").write_text(SYSTEM * 500)
    client.start(folder)
    client.request("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": 17})
    client.wait_for("$/progress", lambda one: one["value"]["kind"] == "end")
    told = [one["params"]["value"] for one in client.seen if one["method"] == "$/progress"]
    shares = [value["percentage"] for value in told if value["kind"] == "report"]
    assert shares == sorted(shares)
    assert {0, 100} < {*shares}


def test_parts_are_sent_as_they_are_found_and_the_work_can_be_cancelled(
    client: Client, folder: Path
) -> None:
    for number in range(300):
        (folder / f"{number}.gold.mrg").write_text(GOLD * 50)
        (folder / f"{number}.system.mrg").write_text(SYSTEM * 50)
    client.start(folder)
    tokens = {"partialResultToken": "part", "workDoneToken": 17}
    number = client.ask("workspace/diagnostic", {"previousResultIds": [], **tokens})
    client.wait_for(
        "$/progress", lambda one: one["token"] == 17 and one["value"]["kind"] == "begin"
    )
    part = client.wait_for("$/progress", lambda one: one["token"] == "part")["value"]["items"]
    assert {report["kind"] for report in part} == {"full"}
    told = client.wait_for("$/progress", lambda one: "of 302" in one["value"].get("message", ""))
    assert told["token"] == 17
    client.notify("$/cancelRequest", {"id": number})
    assert client.response(number)["error"]["code"] == -32800
    client.wait_for("$/progress", lambda one: one["token"] == 17 and one["value"]["kind"] == "end")
    assert client.count("treelens/checked") == 0


def test_a_command_publishes_for_clients_that_do_not_ask(client: Client, folder: Path) -> None:
    client.start(folder, PUSH)
    client.request("workspace/executeCommand", {"command": "treelens.checkCorpus"})
    assert client.wait_for("window/showMessage")["message"] == SUMMARY
    published = [one["params"] for one in client.seen if "publishDiagnostics" in one["method"]]
    reports = {one["uri"]: {"items": one["diagnostics"]} for one in published}
    (loop,) = reports.pop((folder / "below/treelens.toml").as_uri())["items"]
    assert "treelens.toml cannot be read" in loop["message"]
    assert named(reports, folder)["below/b.gold.mrg"] == ["missing-bracket"]
    # A file that is opened and closed again is told about as before; one that is mended, anew.
    gold, system = ((folder / f"below/b.{side}.mrg").as_uri() for side in ("gold", "system"))
    client.open(gold, GOLD, version=3)
    client.wait_for("textDocument/publishDiagnostics", lambda one: one.get("version") == 3)
    client.close(gold)
    client.wait_for("textDocument/publishDiagnostics", lambda one: not one["diagnostics"])
    back = client.wait_for("textDocument/publishDiagnostics", lambda one: one["uri"] == gold)
    assert [one["code"] for one in back["diagnostics"]] == ["missing-bracket"]
    (folder / "below/b.system.mrg").write_text(GOLD)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": system, "type": 2}]})
    for _ in range(2):
        mended = client.wait_for("textDocument/publishDiagnostics")
        assert mended["uri"] in (gold, system)
        assert mended["diagnostics"] == []


def test_what_is_no_utf8_or_too_much_is_said(client: Client, folder: Path) -> None:
    (folder / "gold/a.txt").write_bytes(b"(S (N caf\xe9))\n" + b"(S (N one))\n" * 300)
    (folder / "two/a.txt").write_bytes(b"(S (N caf\xe9))\n" + b"(X (N one))\n" * 300)
    client.start(folder)
    reports = pull(client)
    items = reports[(folder / "two/a.txt").as_uri()]["items"]
    assert "UTF-8" in items[0]["message"]
    assert items[0]["range"]["start"] == {"line": 0, "character": 9}
    marked = {one["range"]["start"]["line"] for one in items if one["code"] == "wrong-label"}
    (more,) = (one for one in items if one["code"] == "more-mismatches")
    assert 0 < len(marked) <= len(items) < 110
    assert more["message"].startswith(f"{300 - len(marked)} more sentences")


def test_what_is_not_read_is_not_compared(client: Client, folder: Path) -> None:
    (folder / "below/b.gold.mrg").write_text("(S (N 0=we) (V 1=see))\n")
    client.start(folder, PUSH)
    client.request("workspace/executeCommand", {"command": "treelens.checkCorpus"})
    told = client.wait_for("window/showMessage")["message"]
    assert told == "3 pairs checked: 1 sentence with mismatches, 1 error"
    published = [one["params"] for one in client.seen if "publishDiagnostics" in one["method"]]
    said = {one["uri"]: one["diagnostics"] for one in published}
    gold, system = ((folder / f"below/b.{side}.mrg").as_uri() for side in ("gold", "system"))
    assert ([one["code"] for one in said[gold]], said.get(system, [])) == (["format"], [])


def test_a_folder_without_pairs_says_what_makes_one(client: Client, tmp_path: Path) -> None:
    client.start(tmp_path)
    assert pull(client) == {}
    assert "x.gold.mrg" in client.wait_for("treelens/checked")["message"]
