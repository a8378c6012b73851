"""Files of counts as other programs read them: the query of ``docs/scale.md``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from treelens.cli import main

_PAGE = Path(__file__).parents[3] / "docs" / "scale.md"


@pytest.mark.parametrize("name", ["counts.parquet", "counts.csv"])
def test_duckdb_reads_counts_as_they_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    for side, label in (("gold", "NP"), ("system", "QP")):
        for number in range(4):
            inner = f"(NP (D a) (N dog{number}))" if number else f"({label} (D a) (N dog))"
            (tmp_path / side / f"section{number % 2}").mkdir(parents=True, exist_ok=True)
            path = tmp_path / side / f"section{number % 2}" / f"{number}.mrg"
            path.write_text(f"(S {inner} (VP (V barks)))\n")
    assert main(["score", "gold", "system", "--format", "json", "--counts", name]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    (query,) = re.findall(r"```sql\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    rows = duckdb.sql(query.replace("counts.parquet", name)).fetchall()
    of_files = {f["name"]: f["counts"]["parseval"] for f in system["files"]}
    assert [row[0] for row in rows] == ["section0", "section1"]
    for folder, sentences, f1 in rows:
        counts = of_files[folder]
        assert sentences == 2
        assert f1 == round(200 * counts["matched"] / (counts["gold"] + counts["system"]), 2)
