"""``-p collins`` counts what evalb counted, sentence by sentence, wherever evalb scored one.

evalb's output for real trees and a real parser's output lives with the shared reference data,
which a plain clone does not have.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from treelens.forest import Symbols
from treelens.metrics import scores
from treelens.metrics.table import METRICS
from treelens.parameters import PRESETS, Parameters, read_parameters
from treelens.report.content import counts
from treelens.session.document import document
from treelens.session.pair import Pair, pair

REPOSITORY = Path(__file__).parents[3]
SHARED = Path(os.environ.get("TREELENS_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))
ICEPAHC = SHARED / "parseval" / "icepahc2400"
SAMPLES = SHARED / "parseval" / "samples"

pytestmark = pytest.mark.skipif(not ICEPAHC.exists(), reason="no shared reference data here")


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


def evalb(name: str) -> tuple[list[Row], list[Summary]]:
    text = (ICEPAHC / "expected" / name).read_text(encoding="utf-8")
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


def scored(parameters: Parameters) -> Pair:
    symbols = Symbols()
    gold, system = (
        document((ICEPAHC / name).read_bytes(), symbols) for name in ("gold.txt", "sys.txt")
    )
    return pair(gold, system, parameters)


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
    rows, summaries = evalb(golden)
    chosen = parameters(name)
    found = scored(chosen)
    assert len(found) == len(rows) == summaries[0].sentences

    valid = np.array([row.status == 0 for row in rows])
    different = {}
    tallies, lengths = found.tallies(), found.lengths().tolist()
    for row in rows:
        ours = counts(tallies[row.number - 1])
        parseval, tagging = ours["parseval"], ours["tagging"]
        mine = (
            lengths[row.number - 1],
            parseval["matched"] if chosen.labelled else parseval["spans"],
            parseval["gold"],
            parseval["system"],
            ours["crossing"]["crossing"],
            tagging["words"],
            tagging["tagged"],
        )
        theirs = (row.length, *row[3:])
        if row.status == 0 and mine != theirs:
            different[row.number] = (mine, theirs)
    assert not different

    short = found.lengths() <= chosen.cutoff
    for summary, block in zip(summaries, (valid, valid & short), strict=True):
        assert int(block.sum()) == summary.valid
        values = {
            score.ratio.name: f"{score.value:.2f}"
            for score in scores(tallies[block].sum(axis=0), METRICS)
            if score.value is not None
        }
        assert {name: values[name] for name in summary.scores} == summary.scores
