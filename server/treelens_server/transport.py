"""Bytes in and out: framed messages over standard streams or sockets, one session each.

A thread does nothing but read, so that the loop sees everything that has arrived at once:
what was cancelled meanwhile is never begun, and what goes out does not wait for what comes in.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
from typing import BinaryIO, NoReturn

from pygls.io_ import StdoutWriter

from treelens_server.server import build
from treelens_server.workbench import Workbench

_LOG = logging.getLogger("treelens")

_LONGEST_HEADER = 1 << 16

_SWITCH = 0.001
"""Seconds that work in the background keeps the interpreter when something has arrived."""

_BUILDING = threading.Lock()
"""lsprotocol completes its types when they are first used, which two threads cannot do at once."""


def serve_stdio() -> NoReturn:
    """Serve one client over standard input and output; ends with the protocol's exit status."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    # A stray print would be taken for a message.
    sys.stdout = sys.stderr
    status = asyncio.run(serve(stdin, stdout))
    sys.stderr.flush()
    # The reading thread sits in a read that nothing can end, and the interpreter would wait.
    os._exit(status)


def serve_tcp(host: str, port: int) -> NoReturn:
    """Serve every client that connects, each with a session of its own."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        print(f"listening on {host} port {listening.getsockname()[1]}", file=sys.stderr, flush=True)
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=_serve_connection, args=(connection,), daemon=True).start()


def _serve_connection(connection: socket.socket) -> None:
    # Answers are many small packets that somebody waits for.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rb") as reader, connection.makefile("wb") as writer:
        asyncio.run(serve(reader, writer))


async def serve(reader: BinaryIO, writer: BinaryIO) -> int:
    """Serve one client until it exits or hangs up."""
    sys.setswitchinterval(_SWITCH)
    with _BUILDING:
        server, workbench = build()
    server.protocol.set_writer(StdoutWriter(writer))
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

    def read() -> None:
        body: bytes | None = b""
        while body is not None:
            try:
                body = read_message(reader)
                workbench.background.rest()
                loop.call_soon_threadsafe(arrived.put_nowait, body)
            except (OSError, ValueError):  # the stream was closed under our hands
                body = None
                loop.call_soon_threadsafe(arrived.put_nowait, None)
            except RuntimeError:  # the loop has ended
                return

    threading.Thread(target=read, daemon=True).start()
    try:
        while True:
            bodies = [await arrived.get()]
            while not arrived.empty():
                bodies.append(arrived.get_nowait())
            server.protocol.receive([body for body in bodies if body is not None])
            if None in bodies:
                return 0 if server.protocol.was_shut_down else 1
            _announce(workbench)
            if arrived.empty():
                workbench.background.go_on()
    except (BrokenPipeError, ConnectionError):
        _LOG.error("the client has gone away")
        return 1
    except SystemExit as status:  # how pygls ends on the exit notification
        return int(status.code or 0)
    finally:
        workbench.stop()


def _announce(workbench: Workbench) -> None:
    """What goes wrong in what nobody asked for must not end the session."""
    try:
        workbench.announce()
    except ConnectionError:
        raise
    except Exception:
        _LOG.exception("nothing could be announced")


def read_message(reader: BinaryIO) -> bytes | None:
    """The body of the next message; None at the end of the stream."""
    length = None
    while line := reader.readline(_LONGEST_HEADER):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
        elif not line.strip() and length is not None:
            body = reader.read(length)
            return body if len(body) == length else None
    return None
