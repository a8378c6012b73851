"""The whole server, over real standard streams, as an editor sees it.

Longer than other modules are: case after case of one conversation, all of which need a process.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from lsp_client import PATIENCE, PULL, PUSH, SERVER, Client, Message, edit, framed
from treelens_server import transport
from treelens_server.client import LogToClient

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n(S (NP (N you)))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n(S (NP (N you)))\n"
NOBODY: Message = {"processId": None, "rootUri": None, "capabilities": {}}
CONFIG = '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, system = tmp_path / "a.gold.mrg", tmp_path / "a.system.mrg"
    gold.write_text(GOLD)
    system.write_text(SYSTEM)
    return gold, system


def codes(items: list[Message]) -> list[str]:
    return [item["code"] for item in items]


def position(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def open_both(client: Client, files: tuple[Path, Path]) -> tuple[str, str]:
    gold, system = (file.as_uri() for file in files)
    client.open(gold, files[0].read_text())
    client.open(system, files[1].read_text())
    return gold, system


# --- life ----------------------------------------------------------------------------------


def test_it_starts_says_what_it_can_and_ends_well(client: Client) -> None:
    capabilities = client.start()["capabilities"]
    assert capabilities["diagnosticProvider"]["interFileDependencies"] is True
    assert capabilities["codeLensProvider"]["resolveProvider"] is True
    assert capabilities["textDocumentSync"] == {"openClose": True, "change": 2, "save": False}
    assert "treelens.pair" in capabilities["executeCommandProvider"]["commands"]
    assert client.stop() == 0
    assert client.errors == []


def test_exit_without_shutdown_is_a_failure(client: Client) -> None:
    client.start()
    client.notify("exit")
    assert client.process.wait(PATIENCE) == 1


def test_the_end_of_input_ends_the_process(client: Client) -> None:
    client.start()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(PATIENCE) == 1


def test_nothing_is_answered_before_initialize_nor_after_shutdown(client: Client) -> None:
    about = {"textDocument": {"uri": "untitled:one"}}
    early = client.response(client.ask("textDocument/documentSymbol", about))
    assert early["error"]["code"] == -32002
    client.start()
    client.request("shutdown")
    late = client.response(client.ask("textDocument/documentSymbol", about))
    assert late["error"]["code"] == -32600
    client.notify("exit")
    assert client.process.wait(PATIENCE) == 0


def test_over_a_port_each_client_has_a_session_of_its_own(files: tuple[Path, Path]) -> None:
    command = [*SERVER[:-1], "--tcp", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            port = int(process.stderr.readline().split()[-1])
            connections = [
                socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(4)
            ]
            for connection in connections:
                connection.sendall(framed({"id": 1, "method": "initialize", "params": NOBODY}))
            for connection in connections:
                with connection, connection.makefile("rb") as reader:
                    assert reader.readline().startswith(b"Content-Length")
        finally:
            process.kill()


def test_to_a_client_that_has_gone_nothing_is_logged() -> None:
    def logs() -> list[logging.Handler]:
        known = logging.getLogger("treelens").handlers
        return [handler for handler in known if isinstance(handler, LogToClient)]

    before = logs()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        for _ in range(2):
            with socket.create_connection(listening.getsockname(), PATIENCE) as ours:
                theirs, _ = listening.accept()
                serving = threading.Thread(
                    target=transport.serve_connection, args=(theirs,), daemon=True
                )
                serving.start()
                ours.sendall(framed({"id": 1, "method": "initialize", "params": NOBODY}))
                assert ours.recv(1) == b"C"
            serving.join(PATIENCE)
            assert not serving.is_alive()
    assert logs() == before


def test_a_port_that_cannot_be_had_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [*SERVER[:-1], "--tcp", str(taken.getsockname()[1])]
        ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(b"treelens server: cannot listen on 127.0.0.1 port")
    assert ended.stderr.count(b"\n") == 1


# --- pairs -----------------------------------------------------------------------------------


def test_mismatches_are_in_both_files_each_with_its_counterpart(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, system = open_both(client, files)
    (here,), (there,) = client.diagnostics(gold), client.diagnostics(system)
    assert (here["code"], there["code"]) == ("missing-bracket", "missing-bracket")
    assert here["source"] == "treelens"
    assert here["range"] == {"start": position(0, 27), "end": position(0, 30)}
    (related,) = here["relatedInformation"]
    assert related["location"] == {"uri": system, "range": there["range"]}


def test_an_edit_changes_the_answers_about_both_files(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, system = open_both(client, files)
    before = client.about("diagnostic", system)
    client.change(gold, 2, edit(1, 4, 6, "VP"))
    assert codes(client.diagnostics(gold)) == ["missing-bracket", "wrong-label"]
    client.wait_for("workspace/diagnostic/refresh")
    after = client.about("diagnostic", system, previousResultId=before["resultId"])
    assert codes(after["items"]) == ["missing-bracket", "wrong-label"]
    again = client.about("diagnostic", system, previousResultId=after["resultId"])
    assert again == {"kind": "unchanged", "resultId": after["resultId"]}
    client.change(gold, 3, edit(1, 4, 6, "NP"))
    assert client.diagnostics(system) == before["items"]


def test_a_bracket_that_is_broken_disturbs_its_own_sentence_only(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    client.change(gold, 2, edit(1, 14, 16, ")"))
    found = client.diagnostics(gold)
    assert codes(found) == ["missing-bracket", "unclosed"]
    assert found[1]["range"]["start"]["line"] == 1


def test_a_partner_that_is_not_open_is_read_and_watched(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    client.open(files[0].as_uri(), GOLD)
    assert codes(client.diagnostics(files[0].as_uri())) == ["missing-bracket"]
    watched = client.wait_for(
        "client/registerCapability", lambda params: "a.system.mrg" in json.dumps(params)
    )
    assert watched["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    files[1].write_text(GOLD.replace("you", "us"))
    changed = {"changes": [{"uri": files[1].as_uri(), "type": 2}]}
    client.notify("workspace/didChangeWatchedFiles", changed)
    assert codes(client.diagnostics(files[0].as_uri())) == ["missing-sentence"]
    files[1].unlink()
    changed["changes"][0]["type"] = 3
    client.notify("workspace/didChangeWatchedFiles", changed)
    assert client.diagnostics(files[0].as_uri()) == []
    client.wait_for("treelens/status", lambda status: status["pairs"] == [])
    files[1].write_text(SYSTEM)
    changed["changes"][0]["type"] = 1
    client.notify("workspace/didChangeWatchedFiles", changed)
    assert codes(client.diagnostics(files[0].as_uri())) == ["missing-bracket"]


def test_what_is_open_wins_over_the_disk_until_it_is_closed(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, system = open_both(client, files)
    client.change(system, 2, {"text": GOLD})
    assert client.diagnostics(gold) == []
    client.close(system)
    assert codes(client.diagnostics(gold)) == ["missing-bracket"]


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_partner_with_a_mark_of_its_encoding_or_bytes_that_are_none(
    client: Client, tmp_path: Path, files: tuple[Path, Path], mark: str
) -> None:
    files[1].write_bytes(GOLD.encode(mark))
    client.start(tmp_path)
    client.open(files[0].as_uri(), GOLD)
    assert client.diagnostics(files[0].as_uri()) == []
    files[1].write_bytes(GOLD.encode().replace(b"sea", b"s\xffa"))
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    (found,) = client.diagnostics(files[0].as_uri())
    assert "s\ufffda" in found["message"]


def test_a_partner_that_is_a_folder_is_none(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    files[1].unlink()
    files[1].mkdir()
    client.start(tmp_path)
    client.open(files[0].as_uri(), GOLD)
    assert client.diagnostics(files[0].as_uri()) == []
    assert client.stop() == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_partner_that_may_not_be_read_is_said_once(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    files[1].chmod(0)
    client.start(tmp_path)
    client.open(files[0].as_uri(), GOLD)
    assert client.diagnostics(files[0].as_uri()) == []
    assert "cannot be read" in client.wait_for("window/showMessage")["message"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
@pytest.mark.parametrize("pattern", ["system/*.mrg", "system/*.*.mrg"])
def test_a_folder_that_may_not_be_read_is_said(
    pattern: str, client: Client, tmp_path: Path
) -> None:
    rules = f'[[pairs]]\ngold = "gold/*.mrg"\nsystem = "{pattern}"\n'
    (tmp_path / "treelens.toml").write_text(rules)
    for name, text in (("gold", GOLD), ("system", SYSTEM)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.mrg").write_text(text)
    for side, text in (("gold", GOLD), ("system", SYSTEM)):
        (tmp_path / f"b.{side}.mrg").write_text(text)
    (tmp_path / "system").chmod(0)
    client.start(tmp_path)
    try:
        client.open((tmp_path / "gold/a.mrg").as_uri(), GOLD)
        told = client.wait_for("window/showMessage")["message"]
        assert told == "The folder system may not be read: nothing in it is compared with"
        client.open((tmp_path / "b.gold.mrg").as_uri(), GOLD)
        assert client.diagnostics((tmp_path / "b.gold.mrg").as_uri())
    finally:
        (tmp_path / "system").chmod(0o700)


def test_a_configuration_says_who_belongs_together_and_changes_apply_at_once(
    client: Client, tmp_path: Path
) -> None:
    texts = {"one.mrg": GOLD, "two.mrg": SYSTEM, "three.mrg": GOLD}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    config = tmp_path / "treelens.toml"
    config.write_text('[[pairs]]\ngold = "one.mrg"\nsystem = ["two.mrg", "three.mrg"]\n')
    client.start(tmp_path)
    uri = (tmp_path / "one.mrg").as_uri()
    client.open(uri, GOLD)
    (found,) = client.diagnostics(uri)
    assert found["message"].startswith("two.mrg: ")
    client.wait_for("treelens/status", lambda status: len(status["pairs"]) == 2)
    config.write_text('[[pairs]]\ngold = "one.mrg"\nsystem = "three.mrg"\n')
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    assert client.diagnostics(uri) == []
    config.write_text("[[pairs]\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    told = client.wait_for(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == config.as_uri() and params["diagnostics"],
    )
    assert "not TOML" in told["diagnostics"][0]["message"]
    config.unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    client.wait_for(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == config.as_uri() and not params["diagnostics"],
    )


def test_what_a_file_is_compared_with_is_known_at_once(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    names = dict(zip(("gold", "system"), (file.as_uri() for file in files), strict=True))
    alone = (tmp_path / "alone.mrg").as_uri()
    client.open(names["gold"], GOLD)
    assert client.request("treelens/pairs", {"uri": names["gold"]}) == [names]
    client.open(alone, GOLD)
    assert client.request("treelens/pairs", {"uri": alone}) == []


def test_parameters_of_the_configuration_count(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    (tmp_path / "treelens.toml").write_text(CONFIG + 'parameters = "no-np.prm"\n')
    (tmp_path / "no-np.prm").write_text("DELETE_LABEL NP\n")
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    assert codes(client.diagnostics(gold)) == ["missing-uncounted-bracket"]
    client.wait_for(
        "treelens/status",
        lambda status: [one["score"][:9] for one in status["pairs"]] == ["F1 100.00"],
    )
    (tmp_path / "no-np.prm").write_text("DELETE_LABEL XP\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    assert codes(client.diagnostics(gold)) == ["missing-bracket"]


def test_the_configuration_says_which_words_are_the_same(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    for file, text in zip(files, ("(S (N Colour))\n", "(S (N color))\n"), strict=True):
        file.write_text(text)
    words = 'ignore_case = true\nequivalences = "equal.txt"\ncontractions = "en"\n'
    (tmp_path / "treelens.toml").write_text(CONFIG + words)
    (tmp_path / "equal.txt").write_text("color colour\n")
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    assert client.diagnostics(gold) == []
    (tmp_path / "equal.txt").write_text("color colours\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    assert codes(client.diagnostics(gold)) == ["different-words"]


def test_the_configuration_chooses_metrics_and_heads(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    chosen = 'metrics = ["UAS", "LAS"]\nheads = "heads.txt"\n'
    (tmp_path / "treelens.toml").write_text(CONFIG + chosen)
    (tmp_path / "heads.txt").write_text("*default* (r)\n")
    for file in files:
        file.write_text("(S (NP (N a)) (VP (V b)))\n")
    client.start(tmp_path)
    open_both(client, files)
    client.wait_for(
        "treelens/status",
        lambda status: [one["score"] for one in status["pairs"]] == ["LAS 100.00 · UAS 100.00"],
    )


def test_the_metrics_that_are_chosen_follow_what_a_file_becomes(
    client: Client, tmp_path: Path
) -> None:
    rule = 'gold = "g.txt"\nsystem = "s.txt"\nmetrics = ["standard", "leaf-ancestor"]\n'
    (tmp_path / "treelens.toml").write_text(f"[[pairs]]\n{rule}")
    trees, table = "(S (NP (N a)) (VP (V b)))\n", "1\ta\t_\tN\t_\t_\t0\troot\t_\t_\n\n"
    gold, system = (tmp_path / name for name in ("g.txt", "s.txt"))
    client.start(tmp_path)
    for file, text in ((gold, table + trees), (system, trees)):
        file.write_text(text)
        client.open(file.as_uri(), text)
    assert codes(client.diagnostics(gold.as_uri())) == ["extra-words", "stray"]
    client.change(gold.as_uri(), 2, edit(0, 0, 0, trees))
    hover = client.about("hover", gold.as_uri(), position={"line": 0, "character": 1})
    assert "leaf-ancestor 100.00" in hover["contents"]["value"]


def test_any_two_files_can_be_paired_and_unpaired(client: Client) -> None:
    client.start()
    client.open("untitled:one", GOLD)
    client.open("untitled:two", SYSTEM)
    assert client.diagnostics("untitled:one") == []
    command = {
        "command": "treelens.pair",
        "arguments": [{"gold": "untitled:one", "system": "untitled:two"}],
    }
    client.request("workspace/executeCommand", command)
    assert codes(client.diagnostics("untitled:one")) == ["missing-bracket"]
    command = {"command": "treelens.unpair", "arguments": [{"uri": "untitled:two"}]}
    client.request("workspace/executeCommand", command)
    assert client.diagnostics("untitled:one") == []


def _paired(client: Client, gold: str, system: str) -> None:
    """Until these two are the pair that is compared."""

    def are(status: Any) -> bool:
        return [(one["gold"], one["system"]) for one in status["pairs"]] == [(gold, system)]

    client.wait_for("treelens/status", are)


def _by_hand(client: Client, tmp_path: Path) -> tuple[str, str, str]:
    """A gold file, the system's that its name says, and another one that it is paired with."""
    gold, system, other = (tmp_path / f"x.{one}.mrg" for one in ("gold", "system", "other"))
    for file, text in ((gold, GOLD), (system, SYSTEM), (other, SYSTEM)):
        file.write_text(text, encoding="utf-8")
    client.start(tmp_path)
    client.open(gold.as_uri(), GOLD)
    _paired(client, gold.as_uri(), system.as_uri())
    pair = {"gold": gold.as_uri(), "system": other.as_uri()}
    client.request("workspace/executeCommand", {"command": "treelens.pair", "arguments": [pair]})
    _paired(client, gold.as_uri(), other.as_uri())
    return gold.as_uri(), system.as_uri(), other.as_uri()


def test_a_pair_by_hand_that_no_tab_shows_is_over_without_a_word(
    client: Client, tmp_path: Path
) -> None:
    gold, system, other = _by_hand(client, tmp_path)
    for one in (system, other):
        unpair = {"command": "treelens.unpair", "arguments": [{"uri": gold, "other": one}]}
        client.request("workspace/executeCommand", unpair)
        held = client.request("treelens/pairs", {"uri": gold})
        assert other in str(held) if one == system else system in str(held)
    _paired(client, gold, system)
    assert not [said for said in client.seen if said["method"] == "window/showMessage"]


def test_a_pair_by_hand_that_is_unpaired_leaves_what_names_say(
    client: Client, tmp_path: Path
) -> None:
    gold, system, _ = _by_hand(client, tmp_path)
    unpair = {"command": "treelens.unpair", "arguments": [{"uri": gold}]}
    client.request("workspace/executeCommand", unpair)
    said = client.wait_for("window/showMessage")["message"]
    _paired(client, gold, system)
    assert said == "x.gold.mrg is compared with x.system.mrg again, as names and treelens.toml say"
    # What names say is unpaired at the second go.
    client.request("workspace/executeCommand", unpair)
    client.wait_for("treelens/status", lambda status: status["pairs"] == [])


def test_a_pair_by_hand_ends_when_both_files_are_closed(client: Client, tmp_path: Path) -> None:
    gold, system, other = _by_hand(client, tmp_path)
    client.open(other, SYSTEM)
    client.close(gold)
    client.open(gold, GOLD)
    assert codes(client.diagnostics(gold)) == ["missing-bracket"]
    client.close(gold)
    client.close(other)
    client.wait_for("treelens/status", lambda status: status["pairs"] == [])
    client.open(gold, GOLD)
    _paired(client, gold, system)


def test_the_status_follows_each_edit(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, system = open_both(client, files)
    first = client.wait_for("treelens/status", lambda status: status["pairs"])
    assert first["busy"] is None
    (pair,) = first["pairs"]
    assert (pair["gold"], pair["system"]) == (gold, system)
    assert (pair["sentences"], pair["mismatches"]) == (2, 1)
    assert pair["score"] == "F1 90.91 · TedEval 94.12"
    client.change(gold, 2, edit(1, 4, 6, "VP"))
    after = client.wait_for("treelens/status", lambda status: status["pairs"])
    assert after["pairs"][0]["mismatches"] == 2
    client.change(gold, 3, edit(1, 4, 4, ""))
    client.diagnostics(gold)
    assert client.count("treelens/status") == 2


# --- features --------------------------------------------------------------------------------


def test_commands_show_documents(client: Client, tmp_path: Path, files: tuple[Path, Path]) -> None:
    client.start(tmp_path)
    gold, system = open_both(client, files)
    (following, lens, _) = client.about("codeLens", gold)
    assert lens["command"]["title"] == "F1 85.71 · TedEval 92.31 · 1 missing"
    client.request("workspace/executeCommand", lens["command"])
    shown = client.wait_for("window/showDocument")
    assert shown["uri"] == system
    assert shown["selection"]["start"] == position(0, 0)
    client.request("workspace/executeCommand", following["command"])
    shown = client.wait_for("window/showDocument")
    assert (shown["uri"], shown["selection"]["start"]) == (gold, position(0, 27))
    previous = {"uri": gold, "position": position(1, 8)}
    client.request(
        "workspace/executeCommand",
        {"command": "treelens.previousMismatch", "arguments": [previous]},
    )
    assert client.wait_for("window/showDocument")["selection"]["start"] == position(0, 27)


def test_every_feature_answers_about_a_document_and_about_none(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    at = {"position": position(0, 5)}
    everything = {"range": {"start": position(0, 0), "end": position(9, 0)}}
    for method, params in {
        "hover": at,
        "definition": at,
        "implementation": at,
        "references": {**at, "context": {"includeDeclaration": True}},
        "documentHighlight": at,
        "documentSymbol": {},
        "foldingRange": {},
        "selectionRange": {"positions": [position(0, 5)]},
        "codeLens": {},
        "inlayHint": everything,
        "semanticTokens/range": everything,
        "diagnostic": {},
    }.items():
        client.about(method, gold, **params)
        client.about(method, "file:///nowhere.mrg", **params)
    assert client.errors == []


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 15), ("utf-16", 11), ("utf-32", 10)])
def test_the_client_s_way_of_counting_is_kept_to(
    client: Client, encoding: str, column: int
) -> None:
    capabilities = {**PULL, "general": {"positionEncodings": [encoding]}}
    assert client.start(None, capabilities)["capabilities"]["positionEncoding"] == encoding
    # A word that holds what Python, but not the protocol, takes for the end of a line.
    client.open("untitled:one", "(S (N 𝔸\u2028) b)\n")
    (symbol,) = client.about("documentSymbol", "untitled:one")
    assert symbol["range"]["end"] == position(0, column + 2)
    assert codes(client.diagnostics("untitled:one")) == ["untagged"]
    tagged = edit(0, column, column, "(N "), edit(0, column + 4, column + 4, ")")
    client.change("untitled:one", 2, *tagged)
    assert client.diagnostics("untitled:one") == []


def test_clients_that_do_not_ask_are_told(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path, PUSH)
    gold, system = open_both(client, files)
    for uri in (gold, system):
        told = client.wait_for("textDocument/publishDiagnostics", lambda one: one["diagnostics"])
        assert (told["uri"], codes(told["diagnostics"])) == (uri, ["missing-bracket"])
    client.change(system, 2, {"text": GOLD})
    seen = {client.wait_for("textDocument/publishDiagnostics")["uri"] for _ in range(2)}
    assert seen == {gold, system}
    client.close(gold)
    told = client.wait_for("textDocument/publishDiagnostics", lambda one: one["uri"] == gold)
    assert told["diagnostics"] == []


def test_clients_that_ask_are_not_told(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    client.diagnostics(gold)
    assert client.count("textDocument/publishDiagnostics") == 0


def test_partners_come_along_for_clients_that_want_them(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    asks = {"diagnostic": {"relatedDocumentSupport": True}}
    client.start(tmp_path, {**PULL, "textDocument": asks})
    gold, system = open_both(client, files)
    related = client.about("diagnostic", gold)["relatedDocuments"]
    assert codes(related[system]["items"]) == ["missing-bracket"]


# --- large files -----------------------------------------------------------------------------


def test_large_files_are_read_in_the_background_with_progress(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    files[0].write_text(GOLD * 20_000)
    files[1].write_text(SYSTEM * 20_000)
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    # Typed while the file is being read.
    client.change(gold, 2, edit(1, 4, 6, "VP"))
    client.notify("treelens/visible", {"uri": gold, "ranges": []})
    # What is in view is there first, and the rest when it is counted.
    assert {"missing-bracket", "wrong-label"} <= {*codes(client.diagnostics(gold))}
    client.wait_for("treelens/status", lambda status: status["pairs"] and not status["busy"])
    found = client.diagnostics(gold)
    assert {"missing-bracket", "wrong-label", "more-mismatches"} == {*codes(found)}
    assert len(found) < 400
    titles = [
        one["params"]["value"]["title"]
        for one in client.seen
        if one["method"] == "$/progress" and one["params"]["value"]["kind"] == "begin"
    ]
    assert titles == [
        "reading a.gold.mrg",
        "reading a.system.mrg",
        "aligning a.gold.mrg and a.system.mrg",
    ]
    ends = [
        one["params"]["token"]
        for one in client.seen
        if one["method"] == "$/progress" and one["params"]["value"]["kind"] == "end"
    ]
    assert len(ends) == 3
    client.notify(
        "treelens/visible",
        {
            "uri": gold,
            "ranges": [
                {"start": position(line, 0), "end": position(line + 20, 0)}
                for line in (30_000, 10_000)  # two columns
            ],
        },
    )
    client.wait_for("workspace/codeLens/refresh")
    marks = client.diagnostics(gold)
    in_view = {
        one["range"]["start"]["line"] // 1_000 for one in marks if one.get("data") == "in view"
    }
    lenses = client.about("codeLens", gold)
    above = {one["range"]["start"]["line"] // 1_000 for one in lenses}
    assert in_view == above == {9, 10, 29, 30}
    assert client.stop() == 0


def test_lenses_wait_for_large_files_only_where_they_are_not_asked_for_again(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    # Without a mismatch nothing but the lenses has anything to say in the end.
    for file in files:
        file.write_text(GOLD * 20_000)
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    lenses = client.about("codeLens", gold)
    assert lenses == []
    while not lenses:
        client.wait_for("workspace/codeLens/refresh")
        lenses = client.about("codeLens", gold)
    lens = client.request("codeLens/resolve", lenses[0])
    assert lens["command"]["title"] == "F1 100.00 · TedEval 100.00 · no mismatch"


def test_lenses_are_there_at_the_first_answer_for_who_asks_once(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    for file in files:
        file.write_text(GOLD * 20_000)
    client.start(tmp_path, {"textDocument": PULL["textDocument"]})
    gold, _ = open_both(client, files)
    assert client.about("codeLens", gold)


def test_work_that_is_cancelled_stops_and_the_server_goes_on(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    for file, text in zip(files, (GOLD, SYSTEM), strict=True):
        file.write_text(text * 20_000)
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    begun = client.wait_for("$/progress", lambda one: "aligning" in one["value"].get("title", ""))
    client.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
    client.wait_for(
        "$/progress",
        lambda one: one["token"] == begun["token"] and one["value"]["kind"] == "end",
    )
    assert client.about("documentSymbol", gold)


def test_a_request_that_waits_can_be_cancelled(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    client.open(files[0].as_uri(), GOLD * 20_000)
    number = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": files[0].as_uri()}})
    client.notify("$/cancelRequest", {"id": number})
    response = client.response(number)
    assert "result" in response or response["error"]["code"] == -32800


def test_a_large_document_can_be_closed_while_it_is_read(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold = files[0].as_uri()
    client.open(gold, GOLD * 20_000)
    client.close(gold)
    client.open(gold, GOLD)
    assert codes(client.diagnostics(gold)) == ["missing-bracket"]
    assert client.stop() == 0


# --- nonsense --------------------------------------------------------------------------------


NONSENSE = (
    b"not json",
    b"[]",
    b"17",
    b'{"jsonrpc": "1.0", "id": 1, "method": "x"}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": 5}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen"}',
    b'{"jsonrpc": "2.0", "method": "no/such/notification", "params": {}}',
    b'{"jsonrpc": "2.0", "method": "treelens/visible", "params": {"uri": 5}}',
    b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": null}',
    b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": [1]}}',
    b'{"jsonrpc": "2.0", "id": "nobody asked", "result": 5}',
    b'{"jsonrpc": "2.0", "id": null, "method": null}',
    b'{"jsonrpc": "2.0"}',
    b"\xff\xfe",
)


def test_nonsense_does_not_stop_it(client: Client) -> None:
    client.start()
    client.open("untitled:one", "(S (N a)\n")
    for message in NONSENSE:
        client.send_raw(b"Content-Length: %d\r\n\r\n%b" % (len(message), message))
        assert codes(client.diagnostics("untitled:one")) == ["unclosed"], message
    assert client.stop() == 0


def test_requests_that_make_no_sense_are_answered(client: Client) -> None:
    client.start()
    client.open("untitled:one", "(S (N a))\n")
    one = {"textDocument": {"uri": "untitled:one"}}
    for method, params in (
        ("textDocument/hover", one),
        ("textDocument/hover", 5),
        ("textDocument/hover", None),
        ("textDocument/hover", {**one, "position": {"line": "1", "character": None}}),
        ("no/such/request", {}),
        ("workspace/executeCommand", {"command": "no.such.command", "arguments": []}),
    ):
        assert "error" in client.response(client.ask(method, params)), (method, params)
    assert client.stop() == 0


def test_commands_with_arguments_that_make_no_sense(client: Client) -> None:
    client.start()
    for command in ("pair", "unpair", "showCounterpart", "nextMismatch", "previousMismatch"):
        for arguments in ([], [5], [{}], [{"uri": 5}], [{"uri": "untitled:one"}], None):
            params = {"command": f"treelens.{command}", "arguments": arguments}
            assert client.request("workspace/executeCommand", params) is None
    assert client.stop() == 0


def test_edits_that_make_no_sense_leave_the_others_alone(client: Client) -> None:
    client.start()
    client.open("untitled:one", "(S (N a))\n")
    client.change("untitled:two", 2, edit(0, 0, 1, "x"))
    turned = {"range": {"start": position(0, 8), "end": position(0, 6)}, "text": "b)"}
    client.change("untitled:one", 2, turned, edit(99, 99, 99, "\n(S (N c)"))
    assert codes(client.diagnostics("untitled:one")) == ["unclosed"]
    assert client.about("documentSymbol", "untitled:one")[0]["name"] == "1: b"


def test_headers_are_read_whatever_their_case_and_number(client: Client) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    headers = b"content-type: x\r\nCONTENT-LENGTH:%d\r\n\r\n" % len(body)
    client.send_raw(headers + body)
    assert "capabilities" in client.response(1)["result"]


def test_a_crash_of_one_feature_is_logged_and_answered_with_nothing(tmp_path: Path) -> None:
    program = (
        "import sys; from treelens_server import transport; import treelens_server.server;"
        "from treelens_server.features import symbols; import treelens_server.features.symbols;"
        "symbols.parts = lambda snapshot: 1 / 0; transport.serve_stdio()"
    )
    with Client((sys.executable, "-c", program)) as client:
        client.start(tmp_path)
        client.open("untitled:one", "(S (N a)\n")
        assert client.about("documentSymbol", "untitled:one") == []
        assert "ZeroDivisionError" in client.wait_for("window/logMessage")["message"]
        assert codes(client.diagnostics("untitled:one")) == ["unclosed"]


def test_two_windows_on_the_same_files(tmp_path: Path, files: tuple[Path, Path]) -> None:
    with Client() as one, Client() as other:
        for client in (one, other):
            client.start(tmp_path)
            open_both(client, files)
        gold = files[0].as_uri()
        one.change(gold, 2, edit(1, 4, 6, "VP"))
        assert len(one.diagnostics(gold)) == 2
        assert len(other.diagnostics(gold)) == 1


def test_a_burst_of_typing_ends_where_it_should(
    client: Client, tmp_path: Path, files: tuple[Path, Path]
) -> None:
    client.start(tmp_path)
    gold, _ = open_both(client, files)
    started = time.monotonic()
    for version in range(2, 202):
        at = 6 + (version - 2) // 2
        typed = edit(1, at, at, "X") if version % 2 == 0 else edit(0, 5, 5, "")
        client.change(gold, version, typed)
        client.ask("textDocument/documentSymbol", {"textDocument": {"uri": gold}})
    found = client.diagnostics(gold)
    assert codes(found) == ["missing-bracket", "wrong-label"]
    assert found[1]["range"]["end"]["character"] == 106
    assert time.monotonic() - started < PATIENCE


# --- tables ----------------------------------------------------------------------------------

TABLE = (
    "# sent_id = 1\n"
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_\n"
    "2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_\n"
    "3\tpain\tpain\tNOUN\t_\tNumber=Sing\t0\troot\t_\t_\n"
    "\n"
)


@pytest.fixture
def table_files(tmp_path: Path) -> tuple[Path, Path]:
    files = tmp_path / "a.gold.conllu", tmp_path / "a.system.conllu"
    files[0].write_text(TABLE * 2)
    files[1].write_text(TABLE + TABLE.replace("3\tdet", "1\tdet"))
    return files


def test_a_pair_of_tables_has_the_whole_loop(
    client: Client, table_files: tuple[Path, Path]
) -> None:
    client.start()
    gold, system = open_both(client, table_files)
    for uri in (gold, system):
        (found,) = client.diagnostics(uri)
        assert found["code"] == "wrong-head"
        assert found["range"] == {"start": position(9, 16), "end": position(9, 17)}
        (related,) = found["relatedInformation"]
        assert related["location"]["range"] == found["range"]
    lenses = [lens for lens in client.about("codeLens", gold) if "command" in lens]
    assert lenses[0]["command"]["title"].startswith("LAS 100.00 · UAS 100.00 · TedEval 100.00")
    text = client.about("hover", gold, position=position(9, 3))["contents"]["value"]
    assert "← **det** — “pain” (3)" in text
    assert "← **det** — “de” (1)" in text
    client.change(gold, 2, edit(9, 16, 17, "1"))
    assert client.diagnostics(gold) == client.diagnostics(system) == []
    client.change(gold, 3, edit(9, 16, 17, "3"))
    assert codes(client.diagnostics(system)) == ["wrong-head"]


def test_heads_define_words_dependents_refer_to_them_and_counterparts_implement(
    client: Client, table_files: tuple[Path, Path]
) -> None:
    client.start()
    gold, system = open_both(client, table_files)
    here = position(9, 3)
    (head,) = client.about("definition", gold, position=here)
    assert (head["uri"], head["range"]["start"]) == (gold, position(10, 2))
    below = client.about(
        "references", gold, position=position(10, 3), context={"includeDeclaration": False}
    )
    assert [one["range"]["start"]["line"] for one in below] == [8, 9]
    (there,) = client.about("implementation", gold, position=here)
    assert (there["uri"], there["range"]["start"]) == (system, position(9, 2))
    answering = client.request("treelens/answering", {"uri": gold, "position": here})
    assert [(one["uri"], one["range"]["start"]) for one in answering] == [(system, position(9, 2))]
    assert answering[0]["whole"] == {"start": position(9, 0), "end": position(9, 25)}
    assert answering[0]["kind"] == "same"
    kinds = {one["kind"] for one in client.about("documentHighlight", gold, position=here)}
    assert kinds == {1, 3}


def test_a_table_that_is_typed_from_nothing_is_one_by_its_name_or_language(
    client: Client, tmp_path: Path
) -> None:
    client.start()
    named, told = (tmp_path / "new.conllu").as_uri(), "untitled:one"
    client.open(named, "")
    item = {"uri": told, "languageId": "conllx", "version": 1, "text": ""}
    client.notify("textDocument/didOpen", {"textDocument": item})
    for uri in (named, told):
        for version, letter in enumerate("1\tgo", 2):
            client.change(uri, version, edit(0, version - 2, version - 2, letter))
        assert codes(client.diagnostics(uri))[0] == "columns"


def test_heads_are_shown_when_the_settings_say_so(
    client: Client, table_files: tuple[Path, Path]
) -> None:
    client.start()
    gold, _ = open_both(client, table_files)
    whole = {"start": position(0, 0), "end": position(5, 0)}
    assert client.about("inlayHint", gold, range=whole) == []
    settings = {"treelens": {"hints": {"heads": True}}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    labels = [hint["label"] for hint in client.about("inlayHint", gold, range=whole)]
    assert labels == ["pain", "pain"]
    for nonsense in (None, [], {"treelens": 3}):
        client.notify("workspace/didChangeConfiguration", {"settings": nonsense})
        assert client.about("inlayHint", gold, range=whole) == []
