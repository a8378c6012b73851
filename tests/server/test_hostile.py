"""No message ends the server or keeps it from answering the next; the end of input always does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hostile
import pytest
from fuzzing import storms, strangers
from lsp_client import PATIENCE, PULL, PUSH, SERVER, Client, Message, edit, framed

ONE = "untitled:one"
ABOUT_ONE: Message = {"textDocument": {"uri": ONE}}


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as started:
        started.start()
        started.open(ONE, "(S (N a)\n")
        yield started


def lives(client: Client) -> bool:
    return [item["code"] for item in client.diagnostics(ONE)] == ["unclosed"]


def ends(client: Client) -> bool:
    assert client.process.stdin is not None
    client.process.stdin.close()
    return client.process.wait(PATIENCE) == 1


def error(client: Client, number: Any) -> int:
    response = client.response(number)
    code: int = response["error"]["code"]
    return code


def test_every_request_is_answered_whatever_arrives(client: Client) -> None:
    asked = []
    for number, body in hostile.bodies(seed=0, count=500):
        client.send_raw(hostile.framed(body))
        asked += [number] if number is not None else []
    for number in asked:
        client.response(number)
    assert lives(client)
    assert ends(client)


def test_strange_questions_about_what_is_there_are_answered(tmp_path: Path) -> None:
    assert strangers.finding("0", 300, tmp_path) is None


@pytest.mark.parametrize("storm", sorted({one.__name__ for one in storms.STORMS}))
def test_after_a_storm_all_is_as_in_a_fresh_server(storm: str, tmp_path: Path) -> None:
    assert storms.finding("0", [storm, "edits"], tmp_path) is None


def test_streams_that_lose_their_thread_find_it_again(client: Client) -> None:
    for data in hostile.misframed(0, 60):
        client.send_raw(data)
        assert lives(client), data
    assert ends(client)


def test_a_document_of_any_name_is_one_like_another(client: Client) -> None:
    for uri in hostile.URIS:
        client.open(uri, "(S (N b)\n")
        client.about("hover", uri, position={"line": 0, "character": 1})
        client.change(uri, 2, edit(0, 4, 5, "V"))
        command = {"command": "treelens.unpair", "arguments": [{"uri": uri}]}
        client.request("workspace/executeCommand", command)
        client.close(uri)
        assert lives(client), uri


def test_a_client_may_begin_with_a_root_that_is_none() -> None:
    for uri in ("file://[", "http://[::1", "file:///\ud800", "untitled:x"):
        with Client() as client:
            folders = [{"uri": uri, "name": "x"}]
            params = {"processId": None, "rootUri": uri, "capabilities": {}}
            client.request("initialize", {**params, "workspaceFolders": folders})
            client.notify("initialized", {})
            client.open(ONE, "(S (N a)\n")
            client.wait_for("textDocument/publishDiagnostics")


_HERE: Message = {"line": 0, "character": 8}
_CLOSED: Message = {"range": {"start": _HERE, "end": _HERE}, "text": ")"}


@pytest.mark.parametrize(
    ("version", "change"),
    [
        ({}, _CLOSED),
        ({"version": None}, _CLOSED),
        ({"version": 1_764_109_999_123}, _CLOSED),
        ({"version": "two"}, _CLOSED),
        ({"version": 2}, {"range": None, "rangeLength": None, "text": "(S (N a))"}),
        ({"version": 2}, {**_CLOSED, "rangeLength": -1}),
        ({"version": 2}, {**_CLOSED, "rangeLength": 2**40}),
    ],
)
def test_a_change_that_is_said_otherwise_is_taken(
    client: Client, version: Message, change: Message
) -> None:
    identity = {"uri": ONE, **version}
    client.notify("textDocument/didChange", {"textDocument": identity, "contentChanges": [change]})
    assert client.diagnostics(ONE) == []


@pytest.mark.parametrize("lacking", ["version", "languageId", "capabilities"])
def test_what_a_client_does_not_say_is_not_needed(lacking: str) -> None:
    item = {"uri": ONE, "version": 1, "languageId": "plaintext", "text": "(S (N a)\n"}
    begin: Message = {"processId": None, "rootUri": None, "capabilities": {}}
    with Client() as client:
        client.request("initialize", {key: begin[key] for key in begin if key != lacking})
        client.notify("initialized", {})
        said = {key: item[key] for key in item if key != lacking}
        client.notify("textDocument/didOpen", {"textDocument": said})
        assert lives(client)


@pytest.mark.parametrize("furthest", [2**31, 2**32 - 1, 2**53 - 1, 2**64 - 1, 1.7e308])
def test_a_position_beyond_all_that_there_are_is_the_end(client: Client, furthest: float) -> None:
    end = {"line": furthest, "character": furthest}
    ends = {"start": {"line": 0, "character": furthest}, "end": end}
    client.change(ONE, 2, {"range": ends, "text": ")"})
    assert client.diagnostics(ONE) == []
    assert client.about("hover", ONE, position=end)["range"]["start"]["line"] == 0
    before = {"line": -1, "character": -1}
    client.change(ONE, 3, {"range": {"start": before, "end": end}, "text": "("})
    assert lives(client)


@pytest.mark.parametrize("furthest", [2**31, 2**64, 10**400, 1.7e308], ids="abcd")
def test_so_it_is_in_messages_of_our_own(client: Client, furthest: float) -> None:
    client.change(ONE, 2, {"text": "(S (N a))\n(S (N b))"})
    end = {"line": furthest, "character": furthest}
    last = {"line": 1, "character": 9}
    of = {"textDocument": {"uri": ONE}}
    asked = [
        ("picture", lambda place: {**of, "position": place}),
        ("answering", lambda place: {"uri": ONE, "position": place}),
        ("elsewhere", lambda place: {"uri": ONE, "position": place}),
        ("abreast", lambda place: {"uri": ONE, "range": {"start": place, "end": place}}),
    ]
    for method, params in asked:
        there = client.request(f"treelens/{method}", params(last))
        assert client.request(f"treelens/{method}", params(end)) == there, method
    start = {"line": -(2**40), "character": -1}
    client.notify("treelens/visible", {"uri": ONE, "ranges": [{"start": start, "end": end}]})
    client.change(ONE, 3, {"text": "(S (N a)\n"})
    assert lives(client)
    assert b"".join(client.errors) == b""


def test_numbers_that_are_none_are_taken_as_the_first(client: Client) -> None:
    nowhere = {"line": float("nan"), "character": float("-inf")}
    client.change(ONE, 2, {"range": {"start": nowhere, "end": nowhere}, "text": "(S (N b))\n"})
    symbols = client.about("documentSymbol", ONE)
    assert len(symbols) == 2


def test_standard_error_shows_control_characters(client: Client) -> None:
    number = client.ask("\x1b[34mblue", {})
    assert error(client, number) == -32601
    client.close("untitled:\x1b[31mred")
    assert lives(client)
    client.expect_errors("Not Found: ␛[34mblue", "untitled:␛[31mred was closed")


def test_ids_that_are_none_are_refused(client: Client) -> None:
    for number in ({"a": 1}, [1], None, True, 1.5):
        client.send({"id": number, "method": "textDocument/hover"})
        assert error(client, None) == -32600, number
    assert lives(client)


def test_of_requests_with_one_id_under_way_the_first_is_answered(
    client: Client, tmp_path: Path
) -> None:
    # Large enough for the thread: what is asked about it waits.
    uri = (tmp_path / "large.mrg").as_uri()
    client.open(uri, "(S (N a))\n" * 60_000)
    params = {"textDocument": {"uri": uri}}
    first, again = [], []
    for _ in range(2):
        client.send({"id": "x", "method": "textDocument/diagnostic", "params": params})
    for _ in range(2):
        answer = client.response("x")  # type: ignore[arg-type]
        (again if "error" in answer else first).append(answer)
    assert [one["error"]["code"] for one in again] == [-32600]
    assert first[0]["result"]["items"] == []


def test_what_was_cancelled_before_it_was_asked_is_answered(client: Client) -> None:
    """Also where both arrive together: an id may be given again."""
    cancel = {"method": "$/cancelRequest", "params": {"id": 77}}
    asked = {"id": 77, "method": "textDocument/documentSymbol", "params": ABOUT_ONE}
    client.send_raw(framed(cancel) + framed(asked))
    assert "result" in client.response(77)


def test_a_notification_that_wants_an_answer_is_told_that_there_is_none(client: Client) -> None:
    for method in ("$/cancelRequest", "textDocument/didOpen", "initialized"):
        number = client.ask(method, {"id": 1, "textDocument": {"uri": ONE}})
        assert error(client, number) == -32600, method
    assert lives(client)


def test_a_request_that_wants_no_answer_gets_none(client: Client) -> None:
    client.notify("shutdown")
    client.notify("textDocument/hover", {"textDocument": {"uri": ONE}})
    assert lives(client)


def test_nothing_that_is_nested_deeply_is_too_deep(client: Client) -> None:
    for depth in (900, 990, 5_000, 100_000):
        nested = b"[" * depth + b"]" * depth
        for method in (b"treelens/visible", b"textDocument/hover", b"no/such"):
            body = b'{"jsonrpc":"2.0","id":"x","method":"%b","params":%b}' % (method, nested)
            client.send_raw(hostile.framed(body))
            assert lives(client), (depth, method)


def test_a_tree_of_any_depth_is_asked_about(client: Client) -> None:
    depth = 5_000
    client.open("untitled:deep", "(S " * depth + "(N a)" + ")" * depth)
    inside = {"line": 0, "character": 3 * depth + 3}
    (selection,) = client.about("selectionRange", "untitled:deep", positions=[inside])
    ranges = []
    while selection:
        ranges.append([selection["range"][end]["character"] for end in ("start", "end")])
        selection = selection.get("parent")
    widths = [end - start for start, end in ranges]
    assert widths[:3] == [1, 5, 9]
    assert len(widths) == 200
    assert widths == sorted(widths)


def test_an_answer_that_cannot_be_written_is_an_error() -> None:
    program = (
        "from treelens_server import transport;"
        "from treelens_server.features import selections;"
        "selections._DEEPEST = 10**6;"
        "transport.serve_stdio()"
    )
    with Client((sys.executable, "-c", program)) as client:
        client.start()
        client.open(ONE, "(S " * 5_000)
        places = {"positions": [{"line": 0, "character": 14_000}]}
        assert error(client, client.ask("textDocument/selectionRange", ABOUT_ONE | places))
        assert client.about("documentSymbol", ONE)


@pytest.mark.parametrize("capabilities", [PULL, PUSH])
@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("untitled:x.mrg", "(\ud800 (N \udc00)\n(S (N a))) \ud83d"),
        ("untitled:x.conllu", "1\t\ud800" + "\t\udc00" * 4 + "\t0\troot\t\ud800\t_\n\n\ud83d\n"),
        ("untitled:x.lattice", "0\t1\t\ud800"),
    ],
)
def test_half_of_a_surrogate_pair_silences_nobody(
    uri: str, text: str, capabilities: Message
) -> None:
    """Editors have such texts, while an emoji is put in or taken out; UTF-8 has none."""
    with Client() as client:
        client.start(capabilities=capabilities)
        client.open(uri, text)
        for method in ("documentSymbol", "codeLens"):
            client.about(method, uri)
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 2}}
        client.request("treelens/picture", place)
        if capabilities is PULL:
            found = client.diagnostics(uri)
        else:
            published = client.wait_for(
                "textDocument/publishDiagnostics", lambda it: it["uri"] == uri
            )
            found = published["diagnostics"]
        assert found
        assert not client.errors


# --- ends ----------------------------------------------------------------------------------


def initialize(process: int | None) -> Message:
    return {"processId": process, "rootUri": None, "capabilities": {}}


def test_it_ends_with_the_process_that_it_was_started_for() -> None:
    program = [sys.executable, "-c", "input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as parent, Client() as client:
        client.request("initialize", initialize(parent.pid))
        client.open(ONE, "(S (N a)\n")
        client.about("hover", ONE, position={"line": 0, "character": 1})
        parent.kill()
        parent.wait(PATIENCE)
        assert client.process.wait(PATIENCE) == 1


def test_it_ends_if_that_process_is_gone_already() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as parent:
        parent.wait(PATIENCE)
    with Client() as client:
        client.send({"id": 1, "method": "initialize", "params": initialize(parent.pid)})
        assert client.process.wait(PATIENCE) == 1


@pytest.mark.parametrize("number", [-1, 10**15])
def test_what_can_be_no_process_is_not_waited_for(number: int) -> None:
    with Client() as client:
        client.request("initialize", initialize(number))
        assert client.stop() == 0


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
def test_it_ends_though_nobody_reads_its_answers() -> None:
    with subprocess.Popen(
        SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        for number in range(3000):
            body = {"jsonrpc": "2.0", "id": number, "method": "x" * 100}
            process.stdin.write(hostile.framed(json.dumps(body).encode()))
        process.stdin.close()
        try:
            assert process.wait(PATIENCE) == 1
        finally:
            process.kill()


# --- writing -------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
def test_an_unbuffered_stream_that_is_interrupted_loses_nothing() -> None:
    """A write to a full pipe, stopped and continued, comes back short."""
    with Client(("env", "PYTHONUNBUFFERED=1", *SERVER)) as client:
        client.start()
        text = "(S (NP (N a)) (VP (V b)))\n" * 1500
        client.open(ONE, text)
        client.diagnostics(ONE)
        gate = client.hold()
        about = {"textDocument": {"uri": ONE}}
        numbers = [client.ask("textDocument/documentSymbol", about) for _ in range(40)]
        for _ in range(5):
            time.sleep(0.2)
            client.process.send_signal(signal.SIGSTOP)
            client.process.send_signal(signal.SIGCONT)
        gate.set()
        for number in numbers:
            assert len(client.response(number)["result"]) > 10


def test_what_libraries_print_is_no_message() -> None:
    program = (
        "import os, sys; from treelens_server import transport;"
        "from treelens_server.features import symbols;"
        "symbols.parts = lambda _: (print('x'), os.write(1, b'y'), os.system('echo z'))[3:];"
        "transport.serve_stdio()"
    )
    with Client((sys.executable, "-c", program)) as client:
        client.start()
        client.open(ONE, "(S (N a)\n")
        assert client.about("documentSymbol", ONE) == []
        assert lives(client)


def test_a_client_that_reads_late_keeps_nobody_from_writing(client: Client) -> None:
    """Both sides write before they read: more than a pipe holds, in each direction."""
    gate: threading.Event = client.hold()
    hover = {"textDocument": {"uri": ONE}, "position": {"line": 0, "character": 1}}
    numbers = [client.ask("textDocument/hover", hover) for _ in range(2000)]
    gate.set()
    assert all("result" in client.response(number) for number in numbers)
