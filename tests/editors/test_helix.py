"""The configuration for Helix that the documentation prints: what it names, and Helix's check."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from lsp_client import Client

HX = shutil.which("hx") or shutil.which("helix")
PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
PATIENCE = 60.0


def configuration() -> str:
    """The block of the page."""
    section = PAGE.read_text(encoding="utf-8").split("## Helix\n")[1].split("\n## ")[0]
    return section.split("```toml\n")[1].split("```")[0]


def test_its_languages_are_served_by_the_command_it_names(tmp_path: Path) -> None:
    read = tomllib.loads(configuration())
    server = read["language-server"]["treelens"]
    assert {one["name"] for one in read["language"]} == {"penn-treebank", "conllu"}
    assert all(one["language-servers"] == ["treelens"] for one in read["language"])
    command = str(Path(sys.executable).parent / server["command"])
    with Client((command, *server["args"])) as client:
        client.start(tmp_path)
        for language, ending, text in (
            ("penn-treebank", "mrg", "(S (N we)"),
            ("conllu", "conllu", "1 we we PRON _ _ 0 root _ _\n"),
        ):
            (endings,) = (one["file-types"] for one in read["language"] if one["name"] == language)
            assert ending in endings
            uri = (tmp_path / f"a.{ending}").as_uri()
            item = {"uri": uri, "languageId": language, "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": item})
            assert client.diagnostics(uri)
        assert client.stop() == 0


@pytest.mark.skipif(HX is None, reason="hx (Helix) is not installed")
def test_helix_finds_the_server(tmp_path: Path) -> None:
    (tmp_path / "helix").mkdir()
    (tmp_path / "helix" / "languages.toml").write_text(configuration())
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    for language in ("penn-treebank", "conllu"):
        checked = subprocess.run(
            [str(HX), "--health", language],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        assert "treelens" in checked.stdout
        assert "not found" not in checked.stdout.split("treelens", 1)[1].splitlines()[0]
