"""``-p collins`` counts what evalb counted, sentence by sentence, wherever evalb scored one.

evalb's output for real trees and a real parser's output lives with the shared reference data,
which a plain clone does not have.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from shared import SHARED
from treelens.metrics import scores
from treelens.metrics.table import metrics_of
from treelens.report.content import counts
from treelens.rules.parameters import PRESETS, Parameters, read_parameters
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols

ICEPAHC = SHARED / "parseval" / "icepahc2400"
EDGE = SHARED / "parseval" / "edge"
SAMPLES = SHARED / "parseval" / "samples"

pytestmark = pytest.mark.skipif(not ICEPAHC.exists(), reason="no shared reference data here")

METRICS = metrics_of("constituents")


class Row(NamedTuple):
    """What evalb prints of a sentence, the percentages left out."""

    number: int
    length: int
    status: int
    matched: int
    gold: int
    system: int
    crossing: int
    words: int
    tagged: int


class Summary(NamedTuple):
    """One of the two blocks at the end."""

    sentences: int
    valid: int
    scores: dict[str, str]


_NAMES = {
    "Bracketing Recall": "recall",
    "Bracketing Precision": "precision",
    "Bracketing FMeasure": "F1",
    "Complete match": "complete",
    "Average crossing": "crossing",
    "No crossing": "no-crossing",
    "2 or less crossing": "2-or-less-crossing",
    "Tagging accuracy": "tagging",
}


def evalb(output: Path) -> tuple[list[Row], list[Summary]]:
    text = output.read_text(encoding="utf-8", errors="replace")
    rows = []
    for line in text.splitlines():
        if re.match(r" *\d+ +\d+ +[012] ", line):
            cells = line.split()
            whole = [int(cell) for cell in cells if "." not in cell]
            rows.append(Row(*whole))
    summaries = []
    for block in re.split(r"^-- .* --$", text, flags=re.MULTILINE)[1:]:
        values = dict(re.findall(r"^(.*?) +=\s+(\S+)$", block, flags=re.MULTILINE))
        summaries.append(
            Summary(
                int(values["Number of sentence"]),
                int(values["Number of Valid sentence"]),
                {_NAMES[name]: value for name, value in values.items() if name in _NAMES},
            )
        )
    return rows, summaries


def scored(gold: Path, system: Path, parameters: Parameters) -> Pair:
    symbols = Symbols()
    documents = [document(path.read_bytes(), symbols) for path in (gold, system)]
    return pair(*documents, parameters)


def row_of(pair: Pair, number: int) -> Row:
    """A group's counts, as evalb prints them."""
    ours = counts(pair.tally(number - 1), pair.metrics)
    parseval, tagging = ours["parseval"], ours["tagging"]
    return Row(
        number,
        int(pair.lengths()[number - 1]),
        0,
        parseval["matched"],
        parseval["gold"],
        parseval["system"],
        ours["crossing"]["crossing"],
        tagging["words"],
        tagging["tagged"],
    )


CASES = {
    "evalb.COLLINS.out": "collins",
    "evalb.noprm.out": "none",
    "evalb.newprm.out": "new.prm",
    "evalb.nkprm.out": "nk.prm",
    "evalb.unlabeled.out": "COLLINS_unlabeled.prm",
}


def parameters(name: str) -> Parameters:
    if name in PRESETS:
        return PRESETS[name]
    return read_parameters((SAMPLES / name).read_text(encoding="utf-8"), name)[0]


@pytest.mark.parametrize(("golden", "name"), CASES.items(), ids=CASES.keys())
def test_every_sentence_that_evalb_scores_has_its_counts(golden: str, name: str) -> None:
    rows, summaries = evalb(ICEPAHC / "expected" / golden)
    chosen = parameters(name)
    found = scored(ICEPAHC / "gold.txt", ICEPAHC / "sys.txt", chosen)
    assert len(found) == len(rows) == summaries[0].sentences

    tallies, valid = found.tallies(), np.array([row.status == 0 for row in rows])
    pairs = [(row_of(found, row.number), row) for row in rows if row.status == 0]
    assert [(mine, theirs) for mine, theirs in pairs if mine != theirs] == []

    short = found.lengths() <= chosen.cutoff
    for summary, block in zip(summaries, (valid, valid & short), strict=True):
        assert int(block.sum()) == summary.valid
        values = {
            score.ratio.name: f"{score.value:.2f}"
            for score in scores(tallies[block].sum(axis=0), METRICS)
            if score.value is not None
        }
        assert {name: values[name] for name in summary.scores} == summary.scores


KNOWN = {
    "both_empty_line": "a blank line is no sentence here",
    "empty_test_line": "a blank line is no sentence here",
    "eq_chain": "equal labels are an equivalence here",
    "label_hash": "what follows ## is features here, of labels and of tags",
    "prm_indent": "a directive may be indented here",
    "two_trees_line": "two trees on a line are two sentences here",
}
"""Edge cases that docs/scoring.md lists as differences."""


def edge_cases() -> list[str]:
    return sorted(path.stem for path in (EDGE / "expected" / "evalb").glob("*.out"))


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases_differ_only_where_the_documentation_says_so(name: str) -> None:
    own = EDGE / f"{name}.prm"
    chosen = parameters("collins")
    if own.exists():
        chosen, _ = read_parameters(own.read_text(encoding="utf-8"), name)
    found = scored(EDGE / f"{name}.gld", EDGE / f"{name}.tst", chosen)
    rows, _ = evalb(EDGE / "expected" / "evalb" / f"{name}.out")
    agree = all(
        row.number <= len(found) and row_of(found, row.number) == row
        for row in rows
        if row.status == 0
    )
    assert agree != (name in KNOWN), KNOWN.get(name)
