"""On real treebanks and a real parser's output: the command is the metric of the reports.

The reference data is not part of the project; where it is absent the tests say that they skip.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from shared import SHARED
from tedeval_trees import bank, searched
from treelens.cli import main
from treelens.formats.lattice import read_lattice, read_segments
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.tedeval.distance import FreeLabels
from treelens.tedeval.evaluation import TedEvalOptions, evaluate
from treelens.tedeval.segments import states
from treelens.tedeval.versions import VERSIONS
from treelens.trees.forest import Symbols

pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="no shared reference data here")

ENGLISH = SHARED / "dependency" / "en_ewt-dev"
FRENCH = SHARED / "dependency" / "fr_sequoia-dev"
ICELANDIC = SHARED / "parseval" / "icepahc2400"
HEBREW = SHARED / "lattice"

PAIRS = [
    (ENGLISH / "gold.conllx", ENGLISH / "system.conllx"),
    (FRENCH / "gold.conllx", FRENCH / "system.conllx"),
    (ENGLISH / "gold.conllu", ENGLISH / "system.goldtok.conllu"),
    (ICELANDIC / "gold.txt", ICELANDIC / "sys.txt"),
]


def by_command(files: Sequence[Path], out: Path, *options: str) -> list[tuple[int, int]]:
    """Edits and nodes of each sentence."""
    gold, parse = map(str, files)
    assert main(["tedeval", "-g", gold, "-p", parse, "-o", str(out), *options]) == 0
    rows = out.with_suffix(".ted").read_text(encoding="utf-8").splitlines()[:-1]
    return [(int(edits), int(nodes)) for *_, edits, nodes in (row.split("\t") for row in rows)]


def by_metric(files: Sequence[Path]) -> list[tuple[int, int, int]]:
    """Edits, edits unlabelled and nodes of each sentence."""
    symbols = Symbols()
    found = pair(*(document(path.read_bytes(), symbols) for path in files))
    names = [(m.name, count) for m in found.metrics for count in m.counts]
    at = [names.index(("tedeval", count)) for count in ("edits", "edits_unlabelled", "nodes")]
    rows = found.tallies()[:, at].tolist()
    return [(edits, unlabelled, nodes) for edits, unlabelled, nodes in rows]


@pytest.mark.parametrize(
    "files", PAIRS, ids=lambda files: f"{files[0].parent.name}/{files[0].name}"
)
def test_the_command_and_the_reports_count_the_same(
    files: Sequence[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = by_metric(files)
    assert by_command(files, tmp_path / "out") == [(edits, nodes) for edits, _, nodes in expected]
    found = by_command(files, tmp_path / "out", "-unlabeled")
    assert found == [(unlabelled, nodes) for _, unlabelled, nodes in expected]


def test_a_treebank_against_itself_and_as_function_trees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, converted = ENGLISH / "gold.conllx", tmp_path / "gold.ftrees"
    assert main(["tedeval", "convert", str(gold), str(converted)]) == 0
    found = by_command((gold, converted), tmp_path / "out")
    assert all(edits == 0 for edits, _ in found)
    assert sum(nodes for _, nodes in found) == 67_918


def test_short_sentences_have_zhang_and_shashas_distance() -> None:
    gold, parse = (
        bank(path.read_bytes(), "conll", head="*")
        for path in (ENGLISH / "gold.conllx", ENGLISH / "system.conllx")
    )
    short = [at for at in range(len(gold)) if 4 < len(gold.tree(at).words) < 12][:60]
    free = FreeLabels()
    for sentence in short:
        trees = parse.tree(sentence), gold.tree(sentence)
        expected = searched(*trees, lambda a, b: int(not free.replaces(a, b)))
        assert evaluate(trees[0], [trees[1]], TedEvalOptions(VERSIONS["2011"])).edits == expected


def test_files_of_a_real_analyser() -> None:
    symbols = Symbols()
    mapping, problems = read_segments((HEBREW / "yap.output.mapping").read_bytes(), symbols)
    split, more = read_segments((HEBREW / "yap.output.segmentation").read_bytes(), symbols)
    lattice, last = read_lattice((HEBREW / "yap.input.lattice").read_bytes())
    assert problems == more == last == []
    assert mapping.anchors is not None
    assert split.anchors is not None
    assert mapping.anchors.token.tolist() == split.anchors.token.tolist() == [1, 2, 3, 4, 4, 4, 5]
    assert mapping.words(0) == split.words(0)
    tags = [mapping.symbols.label(tag) for tag in mapping.tag.tolist()]
    path = states(mapping.words(0), tags, lattice[0])
    assert path is not None
    # A mapping numbers its states anew: this path has gaps in the lattice.
    assert path != list(range(8))
