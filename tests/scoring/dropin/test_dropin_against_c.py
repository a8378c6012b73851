"""The drop-ins against the user's own C programs, on random files.

Set ``EVALB`` and ``EVALB_SPMRL`` to the programs' paths. The files stay inside the limits of
the C programs' arrays; where those read memory that was never written there is nothing to
compare, and such cases are passed over.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dropin_programs import c_program, run_c_program, run_dropin
from dropin_strategies import OPTIONS, SPMRL_OPTIONS, files, parameters
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from laws import examples
from treelens.dropin.evalb import batches, buffers
from treelens.dropin.evalb.dialects import EVALB, EVALB_SPMRL, Dialect

DEBUGGING = st.sampled_from([[], [], [b"-d"], [b"-D"]])


class NeverWritten(Exception):  # noqa: N818 — a reason to pass over a case, no error
    """The program would read memory that it never wrote, or copy a negative length."""


def differing(
    dialect: Dialect, options: list[bytes], texts: tuple[bytes, bytes], prm: bytes, enough: int
) -> None:
    contents = {b"gold": texts[0], b"test": texts[1], b"prm": prm}
    arguments = [b"-p", b"prm", *options, b"gold", b"test"]
    program = c_program(dialect)
    assert program is not None
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(batches, "ENOUGH_BYTES", enough)
        patch.setattr(buffers.Leftovers, "after_line", known(buffers.Leftovers.after_line))
        patch.setattr(buffers.Leftovers, "text", not_negative(buffers.Leftovers.text))
        try:
            ours = run_dropin(dialect, arguments, contents)
        except NeverWritten:
            assume(False)
        assert ours == run_c_program(program, arguments, contents, Path(folder))


def known(after_line: Callable[..., Iterator[bytes]]) -> Callable[..., Iterator[bytes]]:
    def checked(*place: object) -> Iterator[bytes]:
        for piece in after_line(*place):
            if not piece.strip(b"\0"):
                raise NeverWritten
            yield piece

    return checked


def not_negative(text: Callable[..., bytes]) -> Callable[..., bytes]:
    def checked(leftovers: object, index: int, side: int, start: int, length: int) -> bytes:
        if length < 0:
            raise NeverWritten
        return text(leftovers, index, side, start, length)

    return checked


MANY = settings(examples(150), suppress_health_check=list(HealthCheck))


@pytest.mark.skipif(c_program(EVALB) is None, reason="set EVALB=/path/to/evalb to compare")
@MANY
@given(OPTIONS, DEBUGGING, files(), parameters(), st.sampled_from([0, 1 << 60]))
def test_evalb_prints_what_the_c_program_prints(
    options: list[bytes],
    debugging: list[bytes],
    texts: tuple[bytes, bytes],
    prm: bytes,
    enough: int,
) -> None:
    differing(EVALB, options + debugging, texts, prm, enough)


@pytest.mark.skipif(c_program(EVALB_SPMRL) is None, reason="set EVALB_SPMRL=/path/to/evalb_spmrl")
@MANY
@given(SPMRL_OPTIONS, DEBUGGING, files(), parameters(), st.sampled_from([0, 1 << 60]))
def test_spmrl_prints_what_the_c_program_prints(
    options: list[bytes],
    debugging: list[bytes],
    texts: tuple[bytes, bytes],
    prm: bytes,
    enough: int,
) -> None:
    differing(EVALB_SPMRL, options + debugging, texts, prm, enough)
