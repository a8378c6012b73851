"""Packed files in the editor: what they hold, paired and scored, and changed by nothing."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from lsp_client import PULL, Client, Message
from treelens_server import files
from treelens_server.features import packed

GOLD = "(S (NP (N we)) (VP (V see)))\n(S (NP (N you)) (VP (V go)))\n"
SYSTEM = GOLD.replace("(NP (N you", "(XP (N you")
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
CAPABILITIES: Message = {
    **PULL,
    "workspace": {**PULL["workspace"], "applyEdit": True},
    "textDocument": {
        **PULL["textDocument"],
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        },
    },
}
PAIRS = """
[[pairs]]
gold = "a.gold.conllu"
system = "*.system.conllu"
"""
SECOND = {"line": 1, "character": 5}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client() as started:
        started.start(tmp_path, CAPABILITIES)
        settings = {"treelens": {"packed": True}}
        started.notify("workspace/didChangeConfiguration", {"settings": settings})
        yield started
        assert not started.errors, b"".join(started.errors).decode()


def written(file: Path, text: str) -> Path:
    file.write_bytes(PACKINGS[file.suffix](text.encode()))
    return file


def shown(file: Path) -> str:
    return file.as_uri().replace("file:", f"{files.PACKED_SCHEME}:")


def unpacked(client: Client, uri: str) -> Message:
    found: Message = client.request("treelens/unpack", {"uri": uri})
    return found


def opened(client: Client, file: Path) -> str:
    """As the extension does it."""
    client.open(shown(file), unpacked(client, shown(file))["text"])
    return shown(file)


def messages(client: Client, uri: str) -> list[str]:
    return [one["message"] for one in client.diagnostics(uri)]


@pytest.mark.parametrize("ending", PACKINGS)
def test_it_is_paired_with_a_packed_partner(client: Client, tmp_path: Path, ending: str) -> None:
    written(tmp_path / f"a.system.mrg{ending}", SYSTEM)
    gold = opened(client, written(tmp_path / f"a.gold.mrg{ending}", GOLD))
    (pair,) = client.wait_for("treelens/status", lambda one: one["pairs"])["pairs"]
    assert (pair["gold"], pair["mismatches"]) == (gold, 1)
    # The partner is nobody's to open under its own name.
    assert pair["system"] == shown(tmp_path / f"a.system.mrg{ending}")
    (said,) = messages(client, gold)
    assert "XP" in said


@pytest.mark.parametrize("ours", ["a.gold.conllu", "a.gold.conllu.gz"])
@pytest.mark.parametrize("theirs", ["a.system.conllu", "a.system.conllu.xz"])
@pytest.mark.parametrize(
    "config", ["", '[[pairs]]\ngold="a.gold.conllu"\nsystem="*.system.conllu"\n']
)
def test_its_partner_may_be_packed_or_not(
    client: Client, tmp_path: Path, ours: str, theirs: str, config: str
) -> None:
    (tmp_path / "treelens.toml").write_text(config)
    row = "1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    for name, text in ((ours, row), (theirs, row.replace("VERB", "NOUN"))):
        file = tmp_path / name
        written(file, text) if file.suffix in PACKINGS else file.write_text(text)
    if ours.endswith(".gz"):
        gold = opened(client, tmp_path / ours)
    else:
        gold = (tmp_path / ours).as_uri()
        client.open(gold, row)
    assert len(messages(client, gold)) == 1


def test_it_is_checked_with_the_whole_corpus(client: Client, tmp_path: Path) -> None:
    pair = [
        written(tmp_path / "a.gold.mrg.gz", GOLD),
        written(tmp_path / "a.system.mrg.bz2", SYSTEM),
    ]
    written(tmp_path / "alone.gold.mrg.gz", GOLD)
    found = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert {one["uri"]: len(one["items"]) for one in found} == {shown(one): 1 for one in pair}


def test_a_truncated_file_gives_its_sentences_and_says_where_it_ends(
    client: Client, tmp_path: Path
) -> None:
    text = "".join(f"(S (NP (N w{n})) (VP (V v{n * n})))\n" for n in range(40_000))
    file = tmp_path / "a.mrg.gz"
    whole = gzip.compress(text.encode())
    file.write_bytes(whole[: len(whole) // 2])
    found = unpacked(client, shown(file))["text"]
    assert text.startswith(found)
    assert len(found) > len(text) // 4
    client.open(shown(file), found)
    (said,) = client.wait_for(
        "textDocument/publishDiagnostics", lambda one: one["uri"] == shown(file)
    )["diagnostics"]
    assert said["code"] == "damaged"
    assert said["range"]["start"]["line"] == found.count("\n")
    # Mended on disk, and shown anew.
    file.write_bytes(whole)
    assert unpacked(client, shown(file))["text"] == text
    client.change(shown(file), 2, {"text": text})
    assert client.wait_for(
        "textDocument/publishDiagnostics",
        lambda one: one["uri"] == shown(file) and not one["diagnostics"],
    )


def test_what_cannot_be_shown_is_refused_with_the_reason(
    client: Client, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = written(tmp_path_factory.mktemp("elsewhere") / "a.mrg.gz", GOLD)
    (tmp_path / "link.mrg.gz").symlink_to(outside)
    (tmp_path / "plain.mrg").write_text(GOLD)
    (tmp_path / "damaged.mrg.gz").write_bytes(gzip.compress(GOLD.encode())[:5])
    large = tmp_path / "large.mrg.gz"
    large.write_bytes(gzip.compress(b" " * (packed._MOST + 1)))
    expected = {
        shown(outside): "outside of the workspace",
        shown(tmp_path / "link.mrg.gz"): "outside of the workspace",
        shown(tmp_path / "plain.mrg"): "no packed file",
        shown(tmp_path / "missing.mrg.gz"): "cannot be read",
        shown(tmp_path / "damaged.mrg.gz"): "cannot be read",
        shown(large): "larger than 50 MB",
        "untitled:x.mrg.gz": "no packed file",
    }
    for uri, reason in expected.items():
        found = unpacked(client, uri)
        assert found["text"] == ""
        assert reason in found["refused"]


def test_nothing_changes_it(client: Client, tmp_path: Path) -> None:
    file = written(tmp_path / "a.system.mrg.gz", SYSTEM)
    gold = tmp_path / "a.gold.mrg"
    gold.write_text(GOLD)
    client.open(gold.as_uri(), GOLD)
    system = opened(client, file)
    place = {"start": SECOND, "end": SECOND}
    context = {"diagnostics": [], "triggerKind": 1}
    into_gold: list[Any] = client.about("codeAction", gold.as_uri(), range=place, context=context)
    from_system: list[Any] = client.about("codeAction", system, range=place, context=context)
    assert into_gold
    assert from_system
    for one in [*into_gold, *from_system]:
        assert {*client.request("codeAction/resolve", one)["edit"]["changes"]} == {gold.as_uri()}
    refusal = "a.system.mrg.gz is packed: unpack it to change it"
    node = {"textDocument": {"uri": system, "version": 1}, "range": place, "operation": "delete"}
    assert client.request("treelens/editNode", node)["refused"] == refusal
    at = {"uri": system, "position": SECOND}
    review = {"reviewed": "system", "at": at, "state": "checked"}
    assert "cannot be changed" in client.request("treelens/review", review)["refused"]
    for command, argument in {
        "takeGold": at,
        "rename": {**at, "newName": "YP", "scope": "file"},
        "adjudicate": {"first": gold.as_uri(), "second": "file:///b.mrg", "adjudicated": system},
    }.items():
        params = {"command": f"treelens.{command}", "arguments": [argument]}
        before = client.count("window/showMessage")
        client.request("workspace/executeCommand", params)
        told = client.wait_for("window/showMessage")
        assert client.count("window/showMessage") == before + 1
        assert told["message"] == refusal
