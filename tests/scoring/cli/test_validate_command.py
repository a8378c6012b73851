"""``treelens validate``: the UD validator's incidents, whoever has checked which part."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from treelens.cli import main, ud_workers
from treelens.cli.inputs import source
from treelens.cli.ud_workers import NOT_INSTALLED, NoValidator, validated
from treelens.corpus import sources
from treelens.corpus.sources import of_text

EXAMPLES = Path(__file__).parents[3] / "examples"
_SAID = re.compile(r"\[(?:File \S+ )?Line (\d+) Sent [^\]]*\]: \[L(\d) \w+ ([\w-]+)\]")

ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t{}\t{}\n"


def sentence(number: int, *, deps: str = "_", feats: str = "Mood=Ind|VerbForm=Fin") -> str:
    head = f"# sent_id = s{number}\n# text = Dogs bark.\n"
    graph = ["_", "_", "_"] if deps == "_" else ["2:nsubj", deps, "2:punct"]
    rows = [
        ROW.format(1, "Dogs", "dog", "NOUN", "_", 2, "nsubj", graph[0], "_"),
        ROW.format(2, "bark", "bark", "VERB", feats, 0, "root", graph[1], "SpaceAfter=No"),
        ROW.format(3, ".", ".", "PUNCT", "_", 2, "punct", graph[2], "_"),
    ]
    return head + "".join(rows) + "\n"


FILES = (
    sentence(1) * 2 + sentence(2, feats="VerbForm=Fin") + "\n" + sentence(3, deps="0:root"),
    sentence(3) + sentence(4).replace("nsubj", "nsubjj") + sentence(5).replace("\t2\tp", "\t9\tp")
    + sentence(6, feats="_").replace("# text = Dogs bark.\n", "") + sentence(7).removesuffix("\n"),
)  # fmt: skip


@pytest.mark.parametrize("level", [1, 2, 3, 5])
def test_parts_have_the_incidents_of_one_long_run(
    level: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ud_workers, "_PART_BYTES", 100)
    monkeypatch.setattr(sources, "CHUNK_BYTES", 60)
    paths = [tmp_path / name for name in ("a.conllu", "b.conllu")]
    for path, text in zip(paths, FILES, strict=True):
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "udtools.cli", "--lang", "en", "--level", str(level)]
    done = subprocess.run(
        [*command, "--max-err", "0", *map(str, paths)], capture_output=True, text=True, check=False
    )
    expected = Counter(_SAID.findall(done.stderr))
    found = validated([source(str(path)) for path in paths], "en", level)
    assert Counter((str(one.line), str(one.level), one.test) for one in found) == expected
    assert expected


def test_the_line_is_the_words_own(tmp_path: Path) -> None:
    text = sentence(1) + sentence(2).replace("Mood=Ind|", "")
    (one,) = validated([of_text("a.conllu", text.encode())], "en", 5)
    assert (one.test, one.severity, one.level) == ("verbform-fin-without-mood", "warning", 3)
    assert text.split("\n")[one.line - 1].startswith("2\tbark")


@pytest.mark.parametrize(("name", "language"), [("ferry", "en"), ("marche", "fr")])
def test_the_examples_pass(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(EXAMPLES / f"{name}.gold.conllu")
    assert main(["validate", "--language", language, file]) == 0
    assert capsys.readouterr().out.splitlines() == ["0 errors, 0 warnings", "Level 5 is passed."]


def test_errors_are_an_exit_status_and_say_which_level_is_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.conllu"
    file.write_text(sentence(1).replace("nsubj", "nsubjj"), encoding="utf-8")
    assert main(["validate", "-l", "en", str(file)]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith(f"{file}:3: error, level ")
    assert shown[-1] == "Level 1 is passed."
    assert main(["validate", "-l", "en", str(file), "--format", "jsonl"]) == 1
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["line"], first["severity"]) == (3, "error")
    assert main(["validate", "-l", "en", str(file), "--format", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["results"][0]["level"] == "error"


def test_without_the_validator_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "udtools.py").write_text("raise ImportError", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(NoValidator, match=re.escape(NOT_INSTALLED)):
        [*validated([of_text("a.conllu", sentence(1).encode())], "en", 5)]
