"""Every Python snippet of the documentation runs, one page's after the other in one namespace."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
_SNIPPET = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
PAGES = [
    page
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    if _SNIPPET.search(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_snippets_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for side in ("gold", "system"):
        shutil.copy(ROOT / "examples" / f"garden.{side}.mrg", f"{side}.mrg")
    Path("COLLINS.prm").write_text("DEBUG 0\nDELETE_LABEL TOP\n", encoding="utf-8")
    texts = {side: Path(f"{side}.mrg").read_text(encoding="utf-8") for side in ("gold", "system")}
    names: dict[str, Any] = {
        "gold_text": texts["gold"],
        "system_text": texts["system"],
        "other_text": texts["gold"],
        "first_text": texts["gold"],
        "second_text": texts["system"],
    }
    for snippet in _SNIPPET.findall(page.read_text(encoding="utf-8")):
        exec(compile(snippet, page.name, "exec"), names)
