"""Parquet files whose columns are none of a sentence’s."""

from __future__ import annotations

from pathlib import Path

import pytest
from treelens.cli import inputs, main


def test_columns_of_another_kind_are_none_of_a_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    odd = {"tokens": [["dogs"]], "upos": ["NOUN"], "head": [0], "mwt": [["1-2"]], "text": [7]}
    parquet.write_table(pyarrow.table(odd), tmp_path / "odd.parquet")
    with inputs.source("odd.parquet").open() as stream:
        assert stream.read().decode() == "# text = 7\n1\tdogs" + "\t_" * 8 + "\n\n"
    parquet.write_table(pyarrow.table({"form": ["dogs", "bark"]}), tmp_path / "words.parquet")
    assert main(["score", "words.parquet", "words.parquet"]) == 2
    assert "has no column of a sentence's words, a list (tokens, " in capsys.readouterr().err
