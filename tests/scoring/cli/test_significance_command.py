"""``treelens significance``: what it says is what the library computes, and it repeats itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from treelens.cli import main

GOLD = "(S (NP (D the) (N dog)) (VP (V saw) (NP (D a) (N cat))))\n" * 12
BETTER = GOLD.replace("(S (NP (D the)", "(S (NX (D the)", 1)
WORSE = GOLD.replace("(NP (D a) (N cat))", "(D a) (N cat)")


@pytest.fixture
def written(tmp_path: Path) -> list[str]:
    texts = {"gold.mrg": GOLD, "better.mrg": BETTER, "worse.mrg": WORSE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in texts]


def test_a_clear_difference_is_marked(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["significance", *written, "--iterations", "2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.split()[:2] == ["Bracketing", "F1"] and "*" in line)
    assert row.split()[2:5] == ["97.92", "85.71", "-12.20"]
    assert lines[-1].endswith("|iterations:2000|seed:0")


def test_json_has_every_pair_of_systems_and_a_seed_repeats_it(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, better, worse = written
    outputs = []
    for _ in range(2):
        arguments = ["significance", gold, better, worse, gold, "--format", "json"]
        assert main([*arguments, "--iterations", "500", "--seed", "3"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    found = json.loads(outputs[0])
    assert [(c["first"], c["second"]) for c in found["comparisons"]] == [
        (better, worse),
        (better, gold),
        (worse, gold),
    ]
    scores = found["comparisons"][0]["scores"]["F1"]
    assert scores["p"] <= scores["corrected"] <= min(1, 3 * scores["p"])
    low, high = found["systems"][2]["intervals"]["F1"]
    assert low == high == 100


def test_what_a_system_lacks_is_no_test_and_others_are_not_corrected_for_it(
    written: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nothing.mrg").write_text("(())\n" * 12)
    gold, better, worse = written
    nothing = str(tmp_path / "nothing.mrg")
    options = ("--iterations", "500", "--format")
    assert main(["significance", gold, better, worse, nothing, *options, "json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["comparisons"]
    assert main(["significance", gold, better, worse, *options, "json"]) == 0
    (alone,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert pairs[0]["scores"]["precision"] == alone["scores"]["precision"]
    assert [pair["scores"]["precision"]["p"] for pair in pairs[1:]] == [None, None]
    assert [pair["scores"]["precision"]["corrected"] for pair in pairs[1:]] == [None, None]
    recall = [pair["scores"]["recall"] for pair in pairs]
    assert all(one["corrected"] > one["p"] for one in recall[1:])
    for pair in pairs:
        for one in pair["scores"].values():
            lacking = None in (one["first"], one["second"])
            assert (one["p"] is None) == (one["corrected"] is None) == lacking
    assert main(["significance", gold, better, worse, nothing, *options, "table"]) == 0
    shown = capsys.readouterr().out.splitlines()
    rows = [line.split()[2:] for line in shown if line.split()[:2] == ["Bracketing", "precision"]]
    assert rows[-2:] == [["–"] * 5] * 2
    assert any("that have the score (Holm)" in line for line in shown)
