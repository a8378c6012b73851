"""``score --counts`` and ``merge``: what was scored apart is as if it was scored at once."""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

import pytest
from treelens.cli import main

GOLD = "".join(
    f"(S (NP (DT the) (NN dog{n})) (VP (VB barks) (PP (IN at) (NP (NN it{n % 3})))))\n"
    for n in range(40)
)
FIRST = GOLD.replace(
    "(VP (VB barks) (PP (IN at) (NP (NN it1))))", "(VB barks) (PP (IN at) (NN it1))"
)
SECOND = GOLD.replace("(NP (DT the)", "(X (DT the)").replace("(NN dog7)", "(NN dog 7)")


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"gold": GOLD, "first": FIRST, "second": SECOND}
    for name, text in texts.items():
        lines = text.splitlines(keepends=True)
        (tmp_path / f"{name}.mrg").write_text(text)
        for part, share in (("1", lines[:15]), ("2", lines[15:])):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / f"{part}.mrg").write_text("".join(share))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    done = capsys.readouterr()
    return done.err if status else done.out


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_counts_merge_to_the_table_that_they_came_with(
    ending: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    for arguments in (
        ["gold.mrg", "first.mrg", "second.mrg"],
        ["gold", "first"],
        ["gold", "first", "second", "--cutoff", "5"],
    ):
        table = said(capsys, "score", *arguments, "--counts", f"counts.{ending}")
        merged = said(capsys, "merge", f"counts.{ending}")
        hint = "treelens compare GOLD SYSTEM draws what differs."
        assert merged.replace(hint, "").split() == table.replace(hint, "").split()


@pytest.mark.skipif(sys.platform == "win32", reason="no file is called so")
def test_a_spreadsheet_takes_no_name_for_a_formula(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "=gold.mrg", "@first\x1b.mrg"
    for old, new in zip(("gold.mrg", "first.mrg"), names, strict=True):
        (corpus / old).rename(new)
    table = said(capsys, "score", *names, "--counts", "counts.csv")
    with open("counts.csv", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert {tuple(row[:2]) for row in rows} == {("'=gold.mrg", "'@first␛.mrg")}
    merged = said(capsys, "merge", "counts.csv")
    assert merged.split() == table.split()[: len(merged.split())]


def test_what_is_counted_apart_adds_up_whatever_the_order(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (whole,) = json.loads(said(capsys, "score", "gold", "first", "-f", "json"))["systems"]
    for part in ("1", "2"):
        said(capsys, "score", f"gold/{part}.mrg", f"first/{part}.mrg", "--counts", f"{part}.csv")
    for order in (["1.csv", "2.csv"], ["2.csv", "1.csv"]):
        merged = said(capsys, "merge", *order, "-f", "json", "--one-system", "first")
        (system,) = json.loads(merged)["systems"]
        assert (system["corpus"], system["pairing"]) == (whole["corpus"], whole["pairing"])
        assert {file["name"] for file in system["files"]} == {"gold", "gold/1.mrg", "gold/2.mrg"}


def test_parts_whose_systems_have_other_names_are_said_to_be_added_up_by_one_option(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("1", "2"):
        said(capsys, "score", f"gold/{part}.mrg", f"first/{part}.mrg", "--counts", f"{part}.csv")
    said(capsys, "score", "gold.mrg", "first.mrg", "second.mrg", "--counts", "both.csv")
    for files, note in (
        (["1.csv", "2.csv"], True),
        (["1.csv", "2.csv", "--one-system", "first"], False),
        (["1.csv"], False),
        (["both.csv"], False),
    ):
        assert main(["merge", *files]) == 0
        assert ("--one-system NAME adds them up" in capsys.readouterr().err) == note


def test_a_shard_of_the_same_corpus_adds_to_it(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "score", "gold", "first", "--counts", "whole.csv")
    table = said(capsys, "merge", "whole.csv")
    with open("whole.csv", newline="") as stream:
        head, *rows = csv.reader(stream)
    for name, shard in (("a.csv", rows[:11]), ("b.csv", rows[11:])):
        with open(name, "w", newline="") as stream:
            csv.writer(stream).writerows([head, *shard])
    assert said(capsys, "merge", "a.csv", "b.csv") == table
    assert said(capsys, "merge", "a.csv", "b.csv", "--significance") == said(
        capsys, "merge", "whole.csv", "--significance"
    )
    assert "twice" in said(capsys, "merge", "whole.csv", "b.csv", status=2)


def test_significance_is_that_of_one_run(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["gold.mrg", "first.mrg", "second.mrg"]
    tested = said(capsys, "significance", *files, "--iterations", "200")
    said(capsys, "score", *files, "--counts", "counts.csv")
    assert said(capsys, "merge", "counts.csv", "--significance", "--iterations", "200") == tested
    with open("counts.csv", newline="") as stream:
        head, *rows = csv.reader(stream)
    last = rows[0].pop()
    for number, row in enumerate(rows):
        rows[number] = [*row[: len(head) - 1], ""]
    # (Of each system; which systems there are is in the order in which they come.)
    rows.sort(key=lambda row: (row[1], -int(row[3]) % 7))
    rows[0][-1] = last
    with open("mixed.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])
    assert said(capsys, "merge", "mixed.csv", "--significance", "--iterations", "200") == tested


def test_the_page_of_counts_is_the_page_of_one_run_as_far_as_it_goes(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for files in (["gold.mrg", "first.mrg"], ["gold.mrg", "first.mrg", "second.mrg"]):
        whole = said(capsys, "score", *files, "--format", "html")
        said(capsys, "score", *files, "--counts", "counts.csv")
        page = said(capsys, "merge", "counts.csv", "--format", "html")
        sections = [*map(_section, page.split("<section ")[1:])]
        assert [name for name, _ in sections] == ["scores", "pairing", "parameters"]
        known = dict(map(_section, whole.split("<section ")[1:]))
        assert [known[name] == text for name, text in sections] == [True, True, False]
        links = re.findall('href="#(.*?)"', page)
        assert links == [name for name, _ in sections]


def _section(text: str) -> tuple[str, str]:
    """What a section is called, and all of it."""
    (name,) = re.findall('^id="(.*?)"', text)
    return name, text.split("</section>")[0]


def test_every_row_says_which_sentences_it_is_of(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "score", "gold", "second", "--counts", "counts.csv")
    with open("counts.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["file"] for row in rows] == ["1.mrg"] * 15 + ["2.mrg"] * 25
    assert [row["gold_first"] for row in rows[:16]] == [*map(str, range(1, 16)), "1"]
    assert rows[3]["gold_line"] == rows[3]["system_line"] == "4"
    assert {row["gold"] for row in rows} == {"gold"}
    assert sum(int(row["system_problems"]) for row in rows) == 1
    whole = json.loads(said(capsys, "score", "gold.mrg", "second.mrg", "--format", "json"))
    total = whole["systems"][0]["corpus"]["all"]["counts"]["parseval"]
    assert sum(int(row["parseval.matched"]) for row in rows) == total["matched"]


def test_counts_of_another_kind_are_not_added(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "score", "gold.mrg", "first.mrg", "--counts", "a.csv")
    said(capsys, "score", "-p", "collins", "gold.mrg", "first.mrg", "--counts", "b.csv")
    assert "b.csv was counted in another way than a.csv" in said(
        capsys, "merge", "a.csv", "b.csv", status=2
    )
    (corpus / "c.csv").write_text("a,b\n1,2\n")
    assert "c.csv is no file of counts" in said(capsys, "merge", "c.csv", status=2)
    assert "none.csv: No such file" in said(capsys, "merge", "none.csv", status=2)


def test_a_run_that_fails_leaves_no_counts(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "empty.mrg").write_text("(())\n")
    said(capsys, "score", "empty.mrg", "first.mrg", "--counts", "counts.csv", status=2)
    assert not list(corpus.glob("counts*"))
