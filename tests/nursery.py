"""Servers without the second that starting an interpreter takes each.

The first one imports all that a server needs, and forks a process for every client: with
streams, signals and an end of its own, as one that is started; only what was imported is shared.
Where processes cannot be forked so (not Linux), each client starts the command.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from typing import IO, NoReturn

_LONGEST = 1 << 20
"""Bytes of a request: an environment and a folder."""
_NUMBER = struct.Struct("q")


class Born:
    """A server's process, used as one of :class:`subprocess.Popen`."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        pipes = [os.pipe() for _ in range(3)]
        (child_in, stdin), (stdout, child_out), (stderr, child_err) = pipes
        self.stdin: IO[bytes] = os.fdopen(stdin, "wb")
        self.stdout: IO[bytes] = os.fdopen(stdout, "rb")
        self.stderr: IO[bytes] = os.fdopen(stderr, "rb")
        with theirs:
            _order([child_in, child_out, child_err, theirs.fileno()])
        for end in (child_in, child_out, child_err):
            os.close(end)
        self._control = ours
        self.pid = self._told(None) or 0
        self.returncode: int | None = None

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(self._told(timeout))
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            # (It may have ended, and nobody has told yet.)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _told(self, timeout: float | None) -> int:
        self._control.settimeout(timeout)
        try:
            data = self._control.recv(_NUMBER.size)
        except (TimeoutError, BlockingIOError):
            raise subprocess.TimeoutExpired("server", timeout or 0) from None
        number: int = _NUMBER.unpack(data)[0]
        return number


_lock = threading.Lock()
_first: list[socket.socket] = []


def _order(files: list[int]) -> None:
    """Have a server born with these as its streams, and as who hears of its end."""
    with _lock:
        if not _first:
            ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST)
            with theirs:
                number = theirs.fileno()
                subprocess.Popen([sys.executable, __file__, str(number)], pass_fds=[number])
            _first.append(ours)
        about = json.dumps([os.getcwd(), dict(os.environ)]).encode()
        socket.send_fds(_first[0], [about], files)


# --- in the first server's process --------------------------------------------------------------


def _serve_orders(orders: socket.socket) -> None:
    import treelens_server.transport  # noqa: F401 — what it imports is what is shared
    from treelens_server.server import build

    _, sitting = build()  # (lsprotocol completes its types when they are first used.)
    sitting.stop()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        about, files, *_ = socket.recv_fds(orders, _LONGEST, 4)
        if not about:  # whoever ordered is gone
            return
        if not os.fork():
            orders.close()
            _raise(about, files)
        for file in files:
            os.close(file)


def _raise(about: bytes, files: list[int]) -> NoReturn:
    """Between the first server and one of its children: waits for its end, and tells."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *streams, control = files
    child = os.fork()
    if not child:
        os.close(control)
        _live(about, streams)
    for stream in (*streams, 0, 1, 2):
        os.close(stream)
    with contextlib.suppress(OSError):  # (Nobody may want to know any more.)
        os.write(control, _NUMBER.pack(child))
        os.write(control, _NUMBER.pack(os.waitpid(child, 0)[1]))
    os._exit(0)


def _live(about: bytes, streams: list[int]) -> NoReturn:
    status: object = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        folder, environment = json.loads(about)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        from treelens.cli import main

        status = main(["server", "--stdio"])
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status if isinstance(status, int) else 1)


if __name__ == "__main__":
    _serve_orders(socket.socket(fileno=int(sys.argv[1])))
