"""ELAS and EULAS: the numbers of the UD tools' evaluation, where the words are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from treelens.cli import main
from treelens.metrics import enhanced
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.session.session import Link, Session
from treelens.trees.forest import Symbols, encode

ROW = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t{}\t_\n"
WORDS = ["Anna", "eats", "and", "drinks"]
BASIC = [(2, "nsubj"), (0, "root"), (4, "cc"), (2, "conj")]
GOLD = ["2:nsubj|4:nsubj", "0:root", "4:cc", "2:conj:and"]


def table(deps: list[str]) -> str:
    rows = enumerate(zip(WORDS, BASIC, deps, strict=True), 1)
    return "".join(ROW.format(n, word, *basic, said) for n, (word, basic, said) in rows) + "\n"


@pytest.mark.parametrize(
    "system",
    [
        GOLD,
        ["2:nsubj", "0:root", "4:cc", "2:conj"],
        ["2:nsubj|1:nsubj:pass", "0:root", "2:cc|4:cc", "2:conj>obl"],
        ["_", "0:x", "_", "4:cc|2:conj:or"],
    ],
)
def test_scores_are_those_of_udeval(
    system: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = table(GOLD), table(system)
    files = [tmp_path / "gold.conllu", tmp_path / "system.conllu"]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    assert main(["udeval", "-v", *map(str, files)]) == 0
    printed = re.findall(r"^(EU?LAS) *\|(.*)$", capsys.readouterr().out, re.M)
    symbols = Symbols()
    documents = (document(encode(text), symbols) for text in texts)
    found = {
        one.ratio.name: one.value for one in pair(*documents, metrics=(enhanced.METRIC,)).scores()
    }
    assert len(printed) == 2
    for name, row in printed:
        assert row.split("|")[2].strip() == f"{found[name]:.2f}"
        if name == "ELAS":
            shares = [f"{found[f'ELAS-{part}']:.2f}" for part in ("precision", "recall")]
            assert [cell.strip() for cell in row.split("|")[:2]] == shares


@pytest.mark.parametrize(("asked", "counted"), [((enhanced.METRIC.name,), True), ((), False)])
def test_it_is_counted_in_the_editor_when_asked_for(asked: tuple[str, ...], counted: bool) -> None:
    """Not where both files have DEPS: these come and go with every edit."""
    session = Session()
    for name in ("gold", "system"):
        session.put(name, document(encode(table(GOLD)), session.symbols))
    session.link([Link("gold", "system", metrics=asked)])
    (job,) = session.jobs()
    assert (enhanced.METRIC in (job.metrics or ())) is counted
