"""Whatever an argument of a drop-in stands for, it prints what it does of the files as one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from treelens.cli import conll18, joined, main

# (The first file of each has no line break, or empty line, at its end.)
GOLD = (
    "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks))))",
    "(TOP (S (NP (DT a) (NN cat)) (VP (VBD slept))))\n",
)
SYSTEM = (
    "(TOP (S (NP (DT the) (NN dog)) (VP (NNS barks))))",
    "(TOP (S (NP (DT a)) (NP (NN cat)) (VP (VBD slept))))\n",
)


def table(*heads: int) -> str:
    rows = zip(("the", "dog", "barks"), heads, strict=True)
    return "".join(
        f"{number}\t{word}\t{word}\tX\tX\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
        for number, (word, head) in enumerate(rows, 1)
    )


GOLD_TABLES = table(2, 3, 0), table(3, 3, 0) + "\n"
SYSTEM_TABLES = table(3, 3, 0), table(3, 3, 0) + "\n"

Command = Callable[[str, str], list[str]]
COMMANDS: dict[str, tuple[Command, tuple[str, str], tuple[str, str]]] = {
    "evalb": (lambda gold, system: [gold, system], GOLD, SYSTEM),
    "evalb-spmrl": (lambda gold, system: [gold, system], GOLD, SYSTEM),
    "jp-evalb": (lambda gold, system: [gold, system], GOLD, SYSTEM),
    "sparseval": (lambda gold, system: ["-p", "x.prm", gold, system], GOLD, SYSTEM),
    "conll18": (lambda gold, system: ["-v", gold, system], GOLD_TABLES, SYSTEM_TABLES),
    "udeval": (lambda gold, system: ["-v", gold, system], GOLD_TABLES, SYSTEM_TABLES),
    "eval07": (lambda gold, system: ["-q", "-g", gold, "-s", system], GOLD_TABLES, SYSTEM_TABLES),
}
KINDS = ("folder", "pattern", "list", "stdin", "gz", "bz2", "xz", "address")


def put(side: str, texts: tuple[str, str]) -> str:
    """Files of every kind, and the text that all of them hold."""
    whole = "\n".join(texts)
    for name, text in zip(("a.txt", "sub/b.txt"), texts, strict=True):
        path = Path(side, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
    Path(f"{side}.list").write_text(f"{side}/a.txt\n{side}/sub/b.txt\n")
    for ending, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        Path(f"{side}.{ending}").write_bytes(pack(whole.encode()))
    Path(f"{side}.txt").write_text(whole, newline="")
    return whole


def named(side: str, kind: str) -> str:
    if kind == "address":
        return Path(f"{side}.txt").absolute().as_uri()
    names = {"folder": side, "pattern": f"{side}/**/*.txt", "list": f"@{side}.list", "stdin": "-"}
    return names.get(kind, f"{side}.{kind}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_kind_of_input_prints_the_same(
    command: str,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    if kind == "address":
        pytest.importorskip("fsspec")
    arguments, golds, systems = COMMANDS[command]
    monkeypatch.chdir(tmp_path)
    Path("x.prm").write_text("")
    put("gold", golds)
    text = put("system", systems)
    assert main([command, *arguments("gold.txt", "system.txt")]) == 0
    expected = capfdbinary.readouterr().out
    gold = "gold.txt" if kind == "stdin" else named("gold", kind)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([command, *arguments(gold, named("system", kind))]) == 0
    assert capfdbinary.readouterr().out == expected


@pytest.mark.parametrize("name", ["x.gz", "-"])
def test_of_what_cannot_be_entered_conll18_has_a_copy_on_disk(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(conll18, "_IN_MEMORY", 100)
    for count in (1, 1000):
        text = "".join(GOLD_TABLES).encode()[:50] * count
        Path("x.gz").write_bytes(gzip.compress(text))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        file = conll18.open_file(joined.opener([name]), name)
        assert not isinstance(file, str)
        with file:
            assert (file.tell(), isinstance(file, io.BytesIO)) == (0, count == 1)
            assert file.read() == text


def test_what_lacks_a_partner_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    put("gold", GOLD)
    put("system", SYSTEM)
    Path("system/sub/b.txt").rename("system/sub/c.txt")
    assert main(["evalb", "gold", "system"]) == 2
    said = capsys.readouterr().err
    assert "gold/sub/b.txt, system/sub/c.txt" in said


def test_two_lists_are_paired_line_by_line_whatever_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    put("gold", GOLD)
    put("system", SYSTEM)
    assert main(["evalb", "gold", "system"]) == 0
    expected = capfdbinary.readouterr().out
    Path("system/a.txt").rename("system/z.txt")
    Path("system.list").write_text("system/z.txt\nsystem/sub/b.txt\n")
    assert main(["evalb", "@gold.list", "@system.list"]) == 0
    assert capfdbinary.readouterr().out == expected


ANOTHER_FORMAT = {
    b"(S (NP 0=I) (VP 1=see))\n": "discbracket",
    b"1\tgo\tgo\tgo\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\n\n": "CoNLL-2009",
}


@pytest.mark.parametrize("text", ANOTHER_FORMAT)
@pytest.mark.parametrize("command", COMMANDS)
def test_of_another_format_it_is_said_once_what_it_is(
    command: str,
    text: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    arguments, golds, _ = COMMANDS[command]
    monkeypatch.chdir(tmp_path)
    Path("x.prm").write_text("")
    Path("gold").write_bytes(text)
    put("system", golds)
    main([command, *arguments("gold", "system.txt")])
    said = capfd.readouterr().err
    assert said.count(f"gold: this is {ANOTHER_FORMAT[text]}") == said.count("this is ") == 1
    put("gold.of", golds)
    main([command, *arguments("gold.of.txt", "system.txt")])
    assert "this is " not in capfd.readouterr().err
