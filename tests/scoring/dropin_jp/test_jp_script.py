"""The drop-in against the user's own script, on random files.

Set ``JP_EVALB`` to the path of jp-evalb.py (it needs nltk). Where the script ends with an
error, the drop-in has to come to an end without one, and nothing more is compared.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from jp_runs import run_files, run_script, script
from jp_strategies import OPTIONS, parameters, treebanks
from laws import examples


@pytest.mark.skipif(script() is None, reason="set JP_EVALB=/path/to/jp-evalb.py to compare")
@settings(examples(30), suppress_health_check=list(HealthCheck))
@given(treebanks(), OPTIONS, parameters())
def test_prints_what_the_script_prints(
    texts: tuple[str, str], options: list[str], prm: str
) -> None:
    contents = {"gold": texts[0], "system": texts[1], "x.prm": prm}
    arguments = ["gold", "system", *options]
    ours = run_files(arguments, {k.encode(): v.encode() for k, v in contents.items()})
    assert ours.exit_status == 0
    with tempfile.TemporaryDirectory() as name:
        for file, text in contents.items():
            Path(name, file).write_text(text, encoding="utf-8")
        expected = run_script(Path(name), arguments)
    if expected is not None:
        assert ours.out == expected
