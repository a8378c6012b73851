"""The options that say which words are the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from treelens.cli import main
from treelens.rules.contractions import LANGUAGES, contractions
from treelens.rules.spelling import read_contractions

GOLD = "(S (NP (PRP I)) (VP (MD ca) (RB n't) (VP (VB go) (NP (-LRB- -LRB-) (JJ grey)))))\n"
SYSTEM = "(S (NP (PRP i)) (VP (MD cannot) (VP (VB go) (NP (-LRB- () (JJ gray)))))\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    names = [tmp_path / name for name in ("gold.mrg", "system.mrg")]
    for name, text in zip(names, (GOLD, SYSTEM.replace("-LRB- ()", "-LRB- -LRB-)")), strict=True):
        name.write_text(text, encoding="utf-8")
    (tmp_path / "equal.txt").write_text("grey gray\n", encoding="utf-8")
    (tmp_path / "short.txt").write_text("# what\nca n't = cannot\nx y\n", encoding="utf-8")
    return [str(name) for name in names]


def unlabelled(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[float, str]:
    assert main(["score", "--format", "json", *arguments]) == 0
    value = json.loads(capsys.readouterr().out)
    return value["systems"][0]["corpus"]["all"]["scores"]["tedeval-unlabelled"], value["signature"]


def test_each_option_counts_and_is_in_the_signature(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, signature = unlabelled(capsys, *files)
    assert "|words:escapes|" in signature
    equal = ["--equivalences", str(tmp_path / "equal.txt")]
    for more, name in (
        (["--ignore-case"], "|words:escapes+case|"),
        (equal, "|words:escapes+equivalences#"),
    ):
        better, signature = unlabelled(capsys, *files, *more)
        assert better > plain
        assert name in signature
    same, signature = unlabelled(capsys, *files, "--no-escapes")
    assert (same, "|words:exact|" in signature) == (plain, True)
    assert (
        "|words:escapes+nfkc+quotes|"
        in (unlabelled(capsys, *files, "--unicode", "nfkc", "--quotes")[1])
    )


def test_between_tables_escapes_are_so_where_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [tmp_path / "gold.conllu", tmp_path / "system.conllu"]
    for name, word in zip(names, ("(", "-LRB-"), strict=True):
        name.write_text(f"1\t{word}\t_\tX\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    for options, wanted in (([], "exact"), (["--no-escapes"], "exact"), (["--escapes"], "escapes")):
        score, signature = unlabelled(capsys, *map(str, names), *options)
        assert f"|words:{wanted}|" in signature
        assert score == (100 if wanted == "escapes" else 0)


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("score", ("gold.mrg", "system.mrg")),
        ("score --format json", ("gold.mrg", "system.mrg")),
        ("compare", ("gold.mrg", "system.mrg")),
        ("score", ("gold", "system")),
    ],
)
def test_texts_that_differ_in_letter_case_only_are_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    names: tuple[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    same, other = "(S (NP (N Rain)) (V falls))\n", "(S (NP (N Ünder)) (V {}))\n"
    gold = same + 2 * other.format("Goes") + other.format("stays")
    system = same + 2 * other.format("goes").lower() + other.format("gains")
    system = system.replace("(s ", "(S ").replace("(np (n ", "(NP (N ").replace("(v ", "(V ")
    for name, text in zip(names, (gold, system), strict=True):
        if name.endswith(".mrg"):
            Path(name).write_text(text, "utf-8")
            continue
        Path(name).mkdir()
        for part in ("a.mrg", "b.mrg"):
            (Path(name) / part).write_text(text, "utf-8")
    count = 4 if "gold" in names else 2
    note = f"note: {count} sentences have the same text in {names[0]} and {names[1]} but for case"
    main([*command.split(), *names])
    assert f"{note} (see --ignore-case)\n" in capsys.readouterr().err
    main([*command.split(), "--ignore-case", *names])
    assert capsys.readouterr().err == ""


def test_lists_of_contractions(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, signature = unlabelled(capsys, *files, "--contractions", "en")
    assert "+contractions#" in signature
    assert main(["compare", *files, "--contractions", "en", "--ignore-case"]) == 1
    assert "cannot" in capsys.readouterr().out
    assert main(["score", *files, "--contractions", str(tmp_path / "short.txt")]) == 0
    assert "short.txt:3: a contraction is written as in" in capsys.readouterr().err
    assert main(["score", *files, "--contractions", "klingon"]) == 2
    assert "no such file, nor a list here (en, de, fr)" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_languages_list_is_read_without_a_problem(language: str) -> None:
    text = LANGUAGES[language]
    read, problems = read_contractions(text)
    assert problems == []
    assert len(read) == len(text.split("\n")) - 2
    assert {*read} <= {*contractions(language)}
