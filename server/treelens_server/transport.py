"""Bytes in and out: framed messages over standard streams or sockets, one session each.

A thread does nothing but read, so that the loop sees everything that has arrived at once:
what was cancelled meanwhile is never begun, and what goes out does not wait for what comes in.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import threading
from typing import BinaryIO, NoReturn

from treelens_server.framing import Connection, Output, read_message
from treelens_server.opening import Opened, opened
from treelens_server.parents import outlive, watch
from treelens_server.server import ClientSession, build

_LOG = logging.getLogger("treelens")

_SWITCH = 0.001
"""Seconds that work in the background keeps the interpreter when something has arrived."""

_BETWEEN_LOOKS = 20_000
"""New objects between two looks for garbage: those of an answer, most of them gone after it."""

_BUILDING = threading.Lock()
"""lsprotocol completes its types when they are first used, which two threads cannot do at once."""


def serve_stdio(begun: Opened | None = None) -> NoReturn:
    """Serve one client over standard input and output; ends with the protocol's exit status.

    ``begun``: its first message, if that has been read.
    """
    begun = begun or opened()
    status = asyncio.run(serve(begun.stdin, begun.stdout, begun))
    sys.stderr.flush()
    # The reading thread sits in a read that nothing can end, and the interpreter would wait.
    os._exit(status)


def serve_tcp(host: str, port: int) -> NoReturn:
    """Serve every client that connects, each with a session of its own."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        _keep_modules()
        print(f"listening on {host} port {listening.getsockname()[1]}", file=sys.stderr, flush=True)
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=serve_connection, args=(connection,), daemon=True).start()


def serve_connection(connection: socket.socket) -> None:
    # Answers are many small packets that somebody waits for.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rb") as reader:
        asyncio.run(serve(reader, Connection(connection)))


async def serve(reader: BinaryIO, output: Output, alone: Opened | None = None) -> int:
    """Serve one client until it exits, hangs up or, if the process is for it ``alone``, is gone."""
    sys.setswitchinterval(_SWITCH)
    with _BUILDING:
        server, sitting = build()
    if alone is not None:
        _keep_modules()
    server.protocol.set_writer(output)
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

    def hand_over(body: bytes | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(arrived.put_nowait, body)

    def hang_up() -> None:
        hand_over(None)
        if alone is not None:
            outlive(lambda: server.protocol.handled)

    def read() -> None:
        # (ValueError: the stream was closed under our hands.)
        with contextlib.suppress(OSError, ValueError):
            while (body := read_message(reader)) is not None:
                sitting.background.rest()
                hand_over(body)
        hang_up()

    if alone is not None:
        server.protocol.answered = alone.answered
        arrived.put_nowait(alone.first)
    threading.Thread(target=read, daemon=True).start()
    watched = alone is None
    try:
        while True:
            bodies = [await arrived.get()]
            while not arrived.empty():
                bodies.append(arrived.get_nowait())
            server.protocol.receive([body for body in bodies if body is not None])
            if None in bodies or output.broken:
                return 0 if server.protocol.was_shut_down else 1
            if not watched and server.process_id is not None:
                watched = True
                watch(server.process_id, hang_up)
            _announce(sitting)
            if arrived.empty():
                sitting.background.go_on()
    except (BrokenPipeError, ConnectionError):
        _LOG.error("the client has gone away")
        return 1
    except SystemExit as status:  # how pygls ends on the exit notification
        return int(status.code or 0)
    finally:
        sitting.stop()


def _keep_modules() -> None:
    """Looking through all of them for garbage would hold up a key for 50 ms; and looking for it
    hundreds of times in an answer, each time in vain, costs some of each key."""
    gc.freeze()
    gc.set_threshold(_BETWEEN_LOOKS)


def _announce(sitting: ClientSession) -> None:
    """What goes wrong in what nobody asked for must not end the session."""
    try:
        sitting.announce()
    except ConnectionError:
        raise
    except Exception:
        _LOG.exception("nothing could be announced")
