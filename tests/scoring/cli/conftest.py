"""A folder of small files, good and bad, for the commands to read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

TREE = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
OTHER = "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "gold": TREE,
        "system": OTHER,
        "longer": TREE + OTHER,
        "broken": "(S (NP (DT the) (NN dog)) (VP (VB barks))\n" + TREE,
        "nothing": "(())\n",
        "empty": "",
        "blank": "\n \n",
        "prose": "No trees here (but a bracket).\nNor here.\n",
        "treebank.xml": "<treebank>\n<s>(a)</s>\n</treebank>\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "packed.gz").write_bytes(gzip.compress(TREE.encode()))
    (tmp_path / "damaged.gz").write_bytes(gzip.compress(TREE.encode())[:-9])
    (tmp_path / "directory").mkdir()
    return tmp_path
