"""Which processes are taken to be gone: the server ends with the one that it was started for."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from lsp_client import PATIENCE, Client
from treelens_server.parents import is_running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="told there only")


def test_the_server_ends_with_a_process_that_nobody_reaps(tmp_path: Path) -> None:
    named = tmp_path / "a) S 1 (b"
    named.symlink_to(sys.executable)
    program = [str(named), "-c", "input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as parent, Client() as client:
        start = {"processId": parent.pid, "rootUri": None, "capabilities": {}}
        client.request("initialize", start)
        parent.kill()
        assert client.process.wait(PATIENCE) == 1
        assert parent.returncode is None


def test_a_process_whose_first_thread_has_ended_is_running() -> None:
    program = (
        "import ctypes, sys, threading\n"
        "threading.Thread(target=sys.stdin.read).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        while b") Z " not in Path(f"/proc/{process.pid}/stat").read_bytes():
            time.sleep(0.01)
        assert is_running(process.pid)
        process.kill()
