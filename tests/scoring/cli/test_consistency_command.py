"""``treelens consistency``: what it reads, what it writes, and its exit status."""

from __future__ import annotations

import csv
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from treelens.cli import consistency, main

ROW = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_\n"


def get_back(relation: str, number: int) -> str:
    words = [
        ("They", "PRON", 2, "nsubj"),
        ("want", "VERB", 0, "root"),
        ("to", "PART", 4, "mark"),
        ("get", "VERB", 2, "xcomp"),
        ("back", "ADV", 4, relation),
        ("to", "ADP", 7, "case"),
        (f"work{number}", "NOUN", 4, "obl"),
    ]
    rows = (
        ROW.format(at, form, form.lower(), tag, head, relation)
        for at, (form, tag, head, relation) in enumerate(words, 1)
    )
    return f"# newdoc\n# sent_id = s{number}\n" + "".join(rows) + "\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    folder = tmp_path / "treebank"
    (folder / "part").mkdir(parents=True)
    texts = [get_back("advmod", 1), get_back("advmod", 2), get_back("compound:prt", 3)]
    (folder / "a.conllu").write_text("".join(texts), encoding="utf-8")
    (folder / "part" / "b.conllu").write_text(get_back("advmod", 4), encoding="utf-8")
    (folder / "README.md").write_text("no trees", encoding="utf-8")
    return folder


def lines(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[str]:
    assert main(["consistency", *arguments]) == status
    return capsys.readouterr().out.splitlines()


def groups(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(capsys, *arguments, "--format", "jsonl")]


def test_a_group_a_line_is_a_contract(treebank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = groups(capsys, str(treebank))
    places = one.pop("occurrences")
    assert one == {
        "kind": "relations",
        "tier": "A",
        "key": ["to", "get", "back", "to"],
        "labels": [["advmod<", 3], ["compound:prt<", 1]],
        "documents": 4,
    }
    assert places[2] == {
        "file": str(treebank / "a.conllu"),
        "sentence": 3,
        "sent_id": "s3",
        "line": 26,
        "words": [4, 5],
        "label": "compound:prt<",
        "deviant": True,
    }
    assert [place["deviant"] for place in places] == [False, False, True, False]
    assert places[3]["file"] == str(treebank / "part" / "b.conllu")
    text = (treebank / "a.conllu").read_text(encoding="utf-8").split("\n")
    assert text[places[2]["line"] - 1].startswith("4\tget")


def test_edges_and_no_annotation_are_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.mrg"
    file.write_text("(S (NP (D a) (N b)) (V c))\n(S (D a) (N b) (V c))\n", encoding="utf-8")
    (one,) = groups(capsys, str(file), "--kinds", "brackets")
    assert one["key"] == [None, "a", "b", "c"]
    assert one["labels"] == [["NP", 1], [None, 1]]
    assert all(place["deviant"] for place in one["occurrences"])


def test_the_text_shows_words_in_context_labels_and_places(
    treebank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = lines(capsys, str(treebank))
    assert shown[0] == "relations: 1 group (1 of tier A), 1 occurrence to look at"
    assert shown[2].startswith("to [get back] to  relations, tier A, 4 times in 4 documents")
    (deviant,) = [line for line in shown if "compound:prt<" in line]
    assert deviant.lstrip().startswith("*")
    assert deviant.endswith("a.conllu:26")
    assert any("They want to get back to work3" in line for line in shown)


def test_groups_of_the_same_labels_are_one_entry(
    treebank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = lines(capsys, str(treebank), "--by", "structure")
    assert shown[2] == "advmod< / compound:prt<  relations, 1 string, 4 places"
    assert shown[3].startswith("    to [get back] to  advmod< 3  compound:prt< 1")
    for form in ("jsonl", "csv", "html", "sarif"):  # a group each, whatever it is listed by
        options = [str(treebank), "--format", form]
        assert lines(capsys, *options, "--by", "structure") == lines(capsys, *options), form


def test_against_another_corpus_only_what_both_have_is_shown(
    treebank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, release = tmp_path / "new.conllu", str(treebank / "part")
    new.write_text(get_back("compound:prt", 5) * 2, encoding="utf-8")
    assert groups(capsys, str(new)) == []
    (one,) = groups(capsys, str(new), "--against", release)
    assert [place.get("reference", False) for place in one["occurrences"]] == [False, False, True]
    # What varies in the reference alone is none of the corpus's.
    assert groups(capsys, release, "--against", str(treebank / "a.conllu"))
    other = tmp_path / "other.conllu"
    other.write_text(get_back("advmod", 6).replace("get", "go"), encoding="utf-8")
    assert groups(capsys, str(other), "--against", str(treebank)) == []


def test_more_groups_than_allowed_are_an_exit_status(
    treebank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines(capsys, str(treebank), "--fail-over", "1")
    lines(capsys, str(treebank), "--fail-over", "0", status=1)
    lines(capsys, str(treebank), "--kinds", "tags", "--fail-over", "0")


def test_csv_has_a_row_a_place(treebank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(lines(capsys, str(treebank), "--format", "csv")))
    assert len(rows) == 4
    assert (rows[2]["key"], rows[2]["label"], rows[2]["deviant"], rows[2]["words"]) == (
        "to [get back] to",
        "compound:prt<",
        "1",
        "4 5",
    )


def test_sarif_has_a_result_for_each_deviant(
    treebank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = lines(capsys, str(treebank), "--format", "sarif")
    (run,) = json.loads("\n".join(document))["runs"]
    (result,) = run["results"]
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 26}
    assert len(result["relatedLocations"]) == 3
    assert result["message"]["text"] == (
        "“get back” is compound:prt here and advmod in 3 other places, with the same words "
        "around (to … to)"
    )


def test_the_page_has_both_analyses_drawn(
    treebank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    lines(capsys, str(treebank), "--format", "html", "--output", str(page))
    text = page.read_text(encoding="utf-8")
    assert text.count("<article") == 1
    assert text.count("<svg") == 2
    # Under each analysis the files and lines in which it stands.
    usual, deviant = (
        re.sub("<[^>]*>", "", part.split("</p>")[0]) for part in text.split('class="places">')[1:]
    )
    a, b = treebank / "a.conllu", treebank / "part" / "b.conllu"
    assert (usual, deviant) == (f"{a}: 6 (s1), 16 (s2); {b}: 6 (s4)", f"{a}: 26 (s3)")
    assert 'data-kind="relations"' in text
    assert 'data-pair="advmod&lt; / compound:prt&lt;"' in text
    assert "http://" not in text.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.conllu"], "no such file"),
        (["--kinds", "nonsense", "x"], "'nonsense' is none of"),
        (["--kinds", "tags", "--context", "between", "x"], "tags are of single words"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["consistency", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_packed_files_of_a_folder_are_files_of_trees(
    treebank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lines(capsys, str(treebank), "--format", "jsonl")
    plain = treebank / "a.conllu"
    plain.with_name("a.conllu.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    packed = lines(capsys, str(treebank), "--format", "jsonl")
    assert found
    assert [line.replace("a.conllu.gz", "a.conllu") for line in packed] == found


def test_a_folder_without_trees_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    assert main(["consistency", str(tmp_path)]) == 2
    assert "holds no files of trees" in capsys.readouterr().err


def test_of_strings_inside_longer_ones_only_the_longest_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.mrg"
    file.write_text(
        "(S (X x) (NP (NP (D a)) (PP (P b) (N c))) (V d) (V 1))\n"
        "(S (X x) (Y (NQ (D a)) (PQ (P b) (N c))) (V d) (V 2))\n",
        encoding="utf-8",
    )
    assert len(groups(capsys, str(file), "--kinds", "brackets")) == 3
    shown = lines(capsys, str(file), "--kinds", "brackets")
    assert shown[0].startswith("brackets: 1 group")
    assert shown[1] == "brackets: 3 of 3 strings that vary have the same word on each side"
    assert "x [a b c] d" in shown[3]
    every = lines(capsys, str(file), "--kinds", "brackets", "--every")
    assert every[0].startswith("brackets: 3 groups")


def test_a_string_that_varies_in_two_contexts_is_one_of_those_that_vary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.mrg"
    file.write_text(
        "".join(
            f"(S (X {beside}) ({label} (D a) (N b)) (V {beside}))\n"
            for beside in "xy"
            for label in ("NP", "NQ")
        ),
        encoding="utf-8",
    )
    shown = lines(capsys, str(file), "--kinds", "brackets")
    assert shown[0].startswith("brackets: 2 groups")
    assert shown[1] == "brackets: 1 of 1 strings that vary have the same word on each side"
    monkeypatch.setattr(consistency, "IN_MEMORY", -1)
    assert lines(capsys, str(file), "--kinds", "brackets", "--jobs", "1") == shown


def test_the_last_tier_asked_for_is_shown(
    treebank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(groups(capsys, str(treebank), "--context", "between")) == 1
    assert groups(capsys, str(treebank), "--context", "between", "--tier", "B") == []
    (one,) = groups(capsys, str(treebank), "--context", "left", "--kinds", "relations")
    assert (one["tier"], one["key"]) == ("B", ["to", "get", "back"])


def test_lemmas_and_capitals_can_be_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.conllu"
    text = get_back("advmod", 1) + get_back("compound", 2).replace("\tget\tget\t", "\tGet\tget\t")
    file.write_text(text, encoding="utf-8")
    assert groups(capsys, str(file)) == []
    assert [one["key"] for one in groups(capsys, str(file), "--on", "lower")] == [
        ["to", "get", "back", "to"]
    ]
    assert len(groups(capsys, str(file), "--on", "lemma")) == 1
