"""The drop-ins print what the C programs printed, byte for byte: real files and edge cases.

The expected output lives with the shared reference data, which a plain clone does not have.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from shared import SHARED
from treelens.dropin.evalb.dialects import EVALB, EVALB_SPMRL, Dialect
from treelens.dropin.evalb.program import main
from treelens.dropin.shared.world import World

PARSEVAL = SHARED / "parseval"
SAMPLES = PARSEVAL / "samples"
ICEPAHC = PARSEVAL / "icepahc2400"


Arguments = tuple[str | Path, ...]


class Case(NamedTuple):
    dialect: Dialect
    arguments: Arguments
    folder: Path
    """Where the program runs: what it prints of file names depends on it."""
    expected: Path
    """The expected output, without its suffix."""


def text_or(path: Path, otherwise: bytes) -> bytes:
    return path.read_bytes() if path.exists() else otherwise


def with_suffix(path: Path, suffix: str) -> Path:
    # with_suffix() would take the last part of "evalb.COLLINS" for a suffix.
    return path.with_name(path.name + suffix)


def edge_cases() -> Iterator[Case]:
    edge = PARSEVAL / "edge"
    for output in sorted((edge / "expected").glob("*/*.out")):
        tool, name = output.parent.name, output.stem
        own = edge / f"{name}.prm"
        parameters = own if own.exists() else SAMPLES / "COLLINS.prm"
        options: Arguments = ("-p", parameters)
        if "_X" in tool:
            options = ("-X", *["-L"][: tool.endswith("L")], "-p", SAMPLES / "spmrl.prm")
        dialect = EVALB if tool == "evalb" else EVALB_SPMRL
        files = (f"{name}.gld", f"{name}.tst")
        yield Case(dialect, (*options, *files), edge, output.with_suffix(""))


def sample_cases() -> Iterator[Case]:
    files: Arguments = ("-p", SAMPLES / "sample.prm", "sample.gld", "sample.tst")
    expected = SAMPLES / "expected"
    yield Case(EVALB, files, SAMPLES, expected / "sample.evalb")
    yield Case(EVALB_SPMRL, ("-X", *files), SAMPLES, expected / "sample.evalb_spmrl.X")


def treebank_cases() -> Iterator[Case]:
    collins: Arguments = ("-p", SAMPLES / "COLLINS.prm", "-e", "100000")
    spmrl: Arguments = ("-p", SAMPLES / "spmrl.prm", "-e", "100000")
    files = ("gold.txt", "sys.txt")
    expected = ICEPAHC / "expected"
    evalb_options: dict[str, Arguments] = {
        "COLLINS": collins,
        "c10": ("-c", "10", *collins),  # which the parameter file overwrites
        "newprm": ("-p", SAMPLES / "new.prm", "-e", "100000"),
        "nkprm": ("-p", SAMPLES / "nk.prm", "-e", "100000"),
        "noprm": (),
        "unlabeled": ("-p", SAMPLES / "COLLINS_unlabeled.prm", "-e", "100000"),
    }
    for name, options in evalb_options.items():
        yield Case(EVALB, (*options, *files), ICEPAHC, expected / f"evalb.{name}")
    for name, switches in {
        "K100": ("-K100",),
        "X": ("-X",),
        "XL": ("-X", "-L"),
        "XV": ("-X", "-V"),
        "Xl": ("-X", "-l"),
        "spmrlprm": (),
    }.items():
        arguments = (*switches, *spmrl, *files)
        yield Case(EVALB_SPMRL, arguments, ICEPAHC, expected / f"evalb_spmrl.{name}")
    split = (*collins, "gold_split.txt", "sys.txt")
    yield Case(EVALB, split, ICEPAHC, expected / "goldsplit.evalb.COLLINS")
    for name in ("empty", "ident", "sentmerge", "tokmerge"):
        folder = ICEPAHC / "variants"
        pair = ("gold.txt", f"{name}.sys.txt")
        stem = folder / "expected" / name
        yield Case(EVALB, (*collins, *pair), folder, with_suffix(stem, ".evalb.COLLINS"))
        yield Case(EVALB_SPMRL, ("-X", *spmrl, *pair), folder, with_suffix(stem, ".evalb_spmrl.X"))


CASES = [*edge_cases(), *sample_cases(), *treebank_cases()] if PARSEVAL.is_dir() else []


@pytest.mark.parametrize(
    "case",
    CASES or [pytest.param(None, marks=pytest.mark.skip(reason=f"no reference data: {PARSEVAL}"))],
    ids=lambda case: str(case.expected.relative_to(PARSEVAL)) if case else "all",
)
def test_prints_what_the_reference_printed(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case.folder)
    out, err, status_files = bytearray(), bytearray(), list[bytes]()

    def opened(name: bytes) -> io.BytesIO | None:
        path = Path(os.fsdecode(name))
        return io.BytesIO(path.read_bytes()) if path.exists() else None

    world = World(opened, out.extend, err.extend, status_files.append)
    status = main([os.fsencode(each) for each in case.arguments], case.dialect, world)

    assert bytes(out) == with_suffix(case.expected, ".out").read_bytes()
    assert bytes(err) == text_or(with_suffix(case.expected, ".err"), b"")
    assert status == int(text_or(with_suffix(case.expected, ".rc"), b"0"))
    expected_status_file = with_suffix(case.expected, ".statusfile")
    if expected_status_file.exists():
        assert status_files == [expected_status_file.read_bytes()]
