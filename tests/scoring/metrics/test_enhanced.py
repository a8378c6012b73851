"""ELAS and EULAS: the numbers of the UD tools' evaluation, where the words are the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.cli import main
from treelens.formats.table import named
from treelens.metrics import enhanced
from treelens.metrics.table import metrics_shown
from treelens.session.document import Document, document
from treelens.session.pair import Pair, Side, aligned, pair, with_counts
from treelens.trees.enhanced import enhanced as trees
from treelens.trees.enhanced import renumbered
from treelens.trees.forest import ROOT, Symbols, encode

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


def test_heads_are_ids_as_they_are_written() -> None:
    """As of the basic tree: a row that is taken out leaves all others what they are."""
    symbols = Symbols()
    rows = table(GOLD).splitlines(keepends=True)
    texts = "".join(rows), "".join(rows[:2] + rows[3:])
    gold, system = (document(encode(text), symbols) for text in texts)
    found = {
        one.ratio.name: one.value for one in pair(gold, system, metrics=(enhanced.METRIC,)).scores()
    }
    assert found["ELAS-precision"] == 100
    assert found["ELAS-recall"] == 80
    forest = system.forest(range(1))
    assert renumbered(forest) == {0: {1: 0, 2: 1, 4: 2}}
    assert [[edge.head for edge in one.edges] for one in trees(forest)] == [[1, 2], [ROOT], [1]]
    assert not renumbered(gold.forest(range(1)))
    # No number, one that is longer, one that is given twice, and twelve in order.
    for ids, by_number in (
        (["1", "x", "03"], {1: 0, 2: 1, 3: 2}),
        (["1", "1", "3"], {1: 0, 3: 2}),
        ([*map(str, range(1, 13))], None),
    ):
        lines = [ROW.format(one, "a", 0, "x", "_") for one in ids]
        odd = document(encode("".join(lines) + "\n"), symbols).forest(range(1))
        assert renumbered(odd) == ({} if by_number is None else {0: by_number})


@given(
    st.lists(
        st.tuples(st.sampled_from(("1", "2", "3", "4", "07", "0", "x", "")), st.integers(0, 8)),
        min_size=1,
        max_size=7,
    )
)
def test_heads_are_those_of_the_basic_tree_whatever_the_ids(rows: list[tuple[str, int]]) -> None:
    lines = [ROW.format(one, "a", head, "x", f"{head}:x") for one, head in rows]
    read = document(encode("".join(lines) + "\n"), Symbols(), named("x.conllu"))
    for sentence in range(len(read)):
        forest = read.forest(range(sentence, sentence + 1))
        assert forest.dependencies is not None
        heads = [edge.head for one in trees(forest) for edge in one.edges]
        assert len(heads) == len(forest.dependencies.head)
        # (A word may not be its own head, but a node of a graph may.)
        others = [word for word, head in enumerate(heads) if head != word]
        assert [heads[word] for word in others] == forest.dependencies.head[others].tolist()


def shown(found: Pair) -> dict[str, float | None]:
    return {one.ratio.name: one.value for one in found.scores()}


def in_editor(gold: Document, system: Document) -> Pair:
    return with_counts(aligned(gold, system, unasked=metrics_shown))


@pytest.mark.parametrize("side", Side)
def test_an_editor_shows_it_while_both_files_have_deps(side: Side) -> None:
    """These come and go with every edit: an edited pair says what one opened afresh says."""
    symbols = Symbols()
    gold, system = (document(encode(table(GOLD)), symbols) for _ in range(2))
    found = in_editor(gold, system)
    assert shown(found)["ELAS"] == 100
    assert [one.name for one in found.metrics][:2] == ["attachment", "enhanced"]
    bare = encode(table(["_"] * len(GOLD)))
    for text, there in ((bare, False), (encode(table(GOLD)), True)):
        before = found.document(side)
        made, change = before.edit(0, before.length, text)
        found = found.edit(side, made, change)
        assert ("ELAS" in shown(found)) is there
        afresh = in_editor(found.gold, found.system)
        assert shown(found) == shown(afresh)
        assert np.array_equal(found.total, afresh.total)


def test_whoever_asks_for_it_has_it_in_any_case() -> None:
    symbols = Symbols()
    documents = [document(encode(table(["_"] * len(GOLD))), symbols) for _ in range(2)]
    found = with_counts(aligned(*documents, metrics=(enhanced.METRIC,), unasked=metrics_shown))
    assert shown(found)["ELAS"] is None
    assert "ELAS" not in shown(in_editor(*documents))
    assert "ELAS" not in shown(pair(*documents))
