"""The configuration for Neovim that the documentation prints, in a Neovim without a screen."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NVIM = shutil.which("nvim")
PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
PATIENCE = 900.0
"""Seconds for all of it; each wait inside gives up earlier, and ends with what it waits for: on a
busy machine a server takes half a minute to start."""

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n"

# Answers are written to a file: what Neovim prints is mixed with messages of its own.
SCRIPT = """
local out = {}
local function finish()
  local file = io.open(vim.env.ANSWERS, "w")
  file:write(vim.json and vim.json.encode(out) or vim.fn.json_encode(out))
  file:close()
  vim.cmd("qa!")
end
local function ask(method, line, character)
  local params = { textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character } }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 120000) or {}) do
    return answer.result
  end
end
local function messages()
  return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))
end
local function run()
  vim.cmd("edit a.gold.mrg")
  vim.wait(240000, function() return #vim.diagnostic.get(0) > 0 end)
  out.before = messages()
  out.hover = ask("textDocument/hover", 0, 28).contents.value
  out.definition = ask("textDocument/definition", 0, 16)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { vim.env.EDITED })
  vim.wait(240000, function() return #vim.diagnostic.get(0) == 0 end)
  out.after = #vim.diagnostic.get(0)
end
local good, problem = pcall(run)
if not good then out.problem = problem end
finish()
"""


def configuration() -> str:
    """The block of the page that this version of Neovim is told to use."""
    section = PAGE.read_text(encoding="utf-8").split("## Neovim\n")[1].split("\n## ")[0]
    newer, older = re.findall(r"```lua\n(.*?)```", section, re.DOTALL)
    assert NVIM is not None
    version = subprocess.run(
        [NVIM, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    found = re.search(r"v(\d+)\.(\d+)", version)
    assert found is not None
    return str(newer if (int(found[1]), int(found[2])) >= (0, 11) else older)


@pytest.mark.skipif(NVIM is None, reason="nvim is not installed (Debian: apt-get install neovim)")
def test_a_pair_is_compared_while_it_is_edited(tmp_path: Path) -> None:
    (tmp_path / "a.gold.mrg").write_text(GOLD)
    (tmp_path / "a.system.mrg").write_text(SYSTEM)
    (tmp_path / "treelens.toml").write_text(
        '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n'
    )
    (tmp_path / "init.lua").write_text(configuration())
    (tmp_path / "script.lua").write_text(SCRIPT)
    answers = tmp_path / "answers.json"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "ANSWERS": str(answers),
        "EDITED": SYSTEM.rstrip("\n"),
        **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE")},
    }
    command = [str(NVIM), "--headless", "-n", "-u", "init.lua", "-c", "luafile script.lua"]
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert answers.exists(), ended.stderr[-2000:]
    found = json.loads(answers.read_text())
    assert "problem" not in found, found["problem"]
    assert found["before"] == ["system has no NP over “the sea”"]
    assert "the sea" in found["hover"]
    (there,) = found["definition"]
    assert there["uri"] == (tmp_path / "a.system.mrg").as_uri()
    assert there["range"]["start"]["line"] == 0
    assert found["after"] == 0
