"""The configuration for Emacs that the documentation prints, in an Emacs without a screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EMACS = shutil.which("emacs")
PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
PATIENCE = 900.0
"""Seconds for all of it; each wait inside gives up earlier."""

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n"

# Without a screen there are no commands, after which Eglot and Flymake would do their work.
SCRIPT = """
(require 'json)
(setq eglot-connect-timeout 240)
(defun wait-for (there)
  (let ((end (+ (float-time) 240)))
    (while (and (not (funcall there)) (< (float-time) end))
      (run-hooks 'post-command-hook)
      (accept-process-output nil 0.05))))
(defun marks () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(find-file "a.gold.mrg")
(wait-for (lambda () (eglot-managed-p)))
(wait-for #'marks)
(let ((before (marks)) found after)
  (goto-char 17)
  (call-interactively #'xref-find-definitions)
  (setq found (buffer-file-name (window-buffer)))
  (switch-to-buffer (find-buffer-visiting "a.gold.mrg"))
  (erase-buffer)
  (insert (getenv "EDITED"))
  (save-buffer)
  (wait-for (lambda () (string-match-p "XP" (string-join (setq after (marks))))))
  (eglot-execute-command (eglot-current-server) "treelens.checkCorpus" [])
  (with-temp-file (getenv "ANSWERS")
    (insert (json-encode `((before . ,(vconcat before)) (definition . ,found)
                           (after . ,(vconcat after))
                           (said . ,(with-current-buffer "*Messages*"
                                      (buffer-string))))))))
(kill-emacs)
"""


def configuration() -> str:
    """The block of the page."""
    section = PAGE.read_text(encoding="utf-8").split("## Emacs\n")[1].split("\n## ")[0]
    return section.split("```elisp\n")[1].split("```")[0]


def has_eglot() -> bool:
    if EMACS is None:
        return False
    asked = [EMACS, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return not subprocess.run(asked, capture_output=True, timeout=PATIENCE, check=False).returncode


@pytest.mark.skipif(
    not has_eglot(),
    reason="no Emacs with Eglot (Debian 12: apt-get install emacs-nox elpa-eglot)",
)
def test_a_pair_is_compared_while_it_is_edited(tmp_path: Path) -> None:
    (tmp_path / "a.gold.mrg").write_text(GOLD)
    (tmp_path / "a.system.mrg").write_text(SYSTEM)
    (tmp_path / "init.el").write_text(f"(package-initialize)\n{configuration()}")
    (tmp_path / "script.el").write_text(SCRIPT)
    answers = tmp_path / "answers.json"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "ANSWERS": str(answers),
        "EDITED": SYSTEM.replace("VP", "XP"),
    }
    ended = subprocess.run(
        [str(EMACS), "--batch", "-l", "init.el", "-l", "script.el"],
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
    assert "1 pair checked: 1 sentence with mismatches" in found.pop("said")
    assert found == {
        "before": ["treelens [missing-bracket]: system has no NP over “the sea”"],
        "definition": str(tmp_path / "a.system.mrg"),
        "after": ["treelens [wrong-label]: system has VP here, not XP"],
    }
