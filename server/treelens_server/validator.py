"""The validator of Universal Dependencies as a process of its own, asked without waiting for it.

It is another project's program (GPL), and slow; it never shares our process, and gets no more of
the machine than is left over.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from pathlib import Path
from typing import Any

from treelens.cli.ud_workers import (
    COMMAND,
    SENTENCE_ID,
    SentencesPart,
    ended,
    environment,
    incident,
    request,
)
from treelens.session.guidelines import Checks, FileBefore, Incident

_PATIENCE = 60
"""Seconds that a sentence may take."""
_LEAVE = 10
"""Seconds between the end of its output and its own."""
_LONGEST = 1 << 26
"""Bytes of an answer."""
_NICE = 10


class Validator:
    """Starts when it is first asked; ends with the server, whose end of the pipe it reads."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks
        self._process: asyncio.subprocess.Process | None = None

    async def incidents(self, text: bytes, line: int, before: FileBefore) -> tuple[Incident, ...]:
        """What is wrong with a sentence, before which there are some lines. Raises NoValidator,
        after which it is of no more use."""
        process = self._process = self._process or await _started()
        assert process.stdin is not None
        assert process.stdout is not None
        part = SentencesPart("", text, line)
        asked = request(
            part, self.checks.language, self.checks.level, _state(before, text), last=False
        )
        answer = b""
        with contextlib.suppress(OSError, ValueError, asyncio.TimeoutError):
            process.stdin.write(asked.encode())
            answer = await asyncio.wait_for(process.stdout.readline(), _PATIENCE)
        if not answer.endswith(b"\n"):
            # Whose output is at its end is about to end, with a status that says why; killed
            # first, it would not say.
            if process.stdout.at_eof():
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(process.wait(), _LEAVE)
            self.end()
            raise ended(await process.wait())
        found: dict[str, Any] = json.loads(answer)
        return tuple(_incident(one) for one in found["incidents"])

    def end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()


async def _started() -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(),
        cwd=Path.home(),
        limit=_LONGEST,
    )
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
    return process


def _state(before: FileBefore, text: bytes) -> dict[str, Any]:
    """What the validator would know behind the sentences before this one, in its own terms."""
    named = SENTENCE_ID.search(text)
    seen = {
        "seen_morpho_feature": before.features,
        "seen_enhanced_graph": before.graph,
        "seen_tree_without_enhanced_graph": before.no_graph,
        "spaceafterno_in_effect": before.no_space,
    }
    return {
        "sent_ids": [named[1].decode("utf-8", "replace")] if named and before.repeated else [],
        # (Lines to it: where it was seen, which does not matter here.)
        "seen": {name: 1 for name, there in seen.items() if there},
    }


_ELSEWHERE = re.compile(r" on line 1$")


def _incident(one: dict[str, Any]) -> Incident:
    told = incident("", one)
    message = (
        _ELSEWHERE.sub(" elsewhere", told.message) if one["test"] == _SOMETIMES else told.message
    )
    return Incident(
        max(told.line - 1, 0),
        told.level,
        told.severity == "error",
        one["class"],
        told.test,
        message,
        told.link,
    )


_SOMETIMES = "edeps-only-sometimes"
"""What names the line of another sentence, which is not known to a sentence alone."""
