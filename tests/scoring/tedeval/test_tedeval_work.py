"""How much of its files ``treelens tedeval`` reads: counted in bytes, whatever these are."""

from __future__ import annotations

from pathlib import Path

import pytest
from treelens.cli import tedeval
from treelens.corpus import blocks, of_text
from treelens.formats import conll
from treelens.trees.forest import Forest, Problem, Symbols

ROW = "{0}\tw{0}\t_\tN\tN\t_\t{1}\tdep\t_\t_\n"
GOOD = "".join(ROW.format(number, number - 1) for number in range(1, 6)) + "\n"
CIRCLE = ROW.format(1, 2) + ROW.format(2, 1) + "\n"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is read as a table from here on."""
    found: list[bytes] = []
    real = conll.read

    def reading(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
        found.append(source)
        return real(source, symbols)

    monkeypatch.setattr(conll, "read", reading)
    return found


def times_read(read: list[bytes], text: str) -> float:
    return sum(map(len, read)) / len(text)


@pytest.mark.parametrize("unit", ["1\ta\tb\n", "1\n", "junk\n", "2\tb\t_\tN\tN\t_\t7\tx\t_\t_\n"])
def test_a_text_that_cannot_be_cut_is_read_once(
    unit: str, read: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treelens.cli.tedeval_files.STRETCH_BYTES", 1000)
    gold, parse = tmp_path / "g.conll", tmp_path / "p.conll"
    gold.write_text(GOOD)
    text = ROW.format(1, 0) + unit * 3000
    parse.write_text(text)
    assert tedeval.run(["-g", str(gold), "-p", str(parse)]) == 0
    assert times_read([one for one in read if one != GOOD.encode()], text) == 1


@pytest.mark.parametrize("size", [100, 10_000])
@pytest.mark.parametrize("mended", [False, True])
def test_a_file_of_many_blocks_is_read_for_problems_and_for_scores(
    size: int, mended: bool, read: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once more where sentences had to be mended: these are told before the scores are there.
    What follows the last cut of a block is read again with the next one."""
    monkeypatch.setattr("treelens.cli.tedeval_files.STRETCH_BYTES", size)
    text = GOOD * 40 + (CIRCLE if mended else "")
    files = tmp_path / "g.conll", tmp_path / "p.conll"
    for file in files:
        file.write_text(text)
    assert tedeval.run(["-g", str(files[0]), "-p", str(files[1])]) == 0
    passes = (3 if mended else 2) if size < len(text) else 1
    again = 2.5 if size < len(GOOD) * 2 else 1.2
    assert 2 * passes <= times_read(read, text) <= 2 * passes * again


def test_what_cannot_be_cut_is_read_when_it_has_ended(read: list[bytes]) -> None:
    text = ROW.format(1, 0) * 500
    (block,) = blocks(of_text("x.conll", text.encode()), 100)
    assert len(block.forest) == 1
    assert [*map(len, read)] == [len(text)]
