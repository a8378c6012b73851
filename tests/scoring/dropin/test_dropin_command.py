"""The drop-ins as commands: real files, real streams, the real working directory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

TREE = b"(S (NP (DT the) (NN d\xf8g)) (VP (VBZ barks)))\n"


def treelens(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "treelens", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)


def test_evalb_reads_files_and_writes_bytes(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(TREE)
    (tmp_path / "test").write_bytes(TREE.replace(b"\xf8", b"\xe6"))
    done = treelens(tmp_path, "evalb", "gold", "test")
    assert done.returncode == 0
    assert done.stderr == b"1 : Words unmatch (d\xf8g|d\xe6g)\n"
    assert (
        done.stdout.splitlines()[3]
        == b"   1    3    1    0.00   0.00     0      0    0      0      0     0     0.00"
    )
    assert not (tmp_path / "status").exists()


def test_spmrl_leaves_a_status_file_in_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(TREE)
    assert treelens(tmp_path, "evalb-spmrl", "gold", "gold").returncode == 0
    assert (tmp_path / "status").read_bytes().startswith(b"---\nF1: 100.00\n")


def test_an_empty_directory_is_an_empty_file_and_a_missing_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(TREE)
    (tmp_path / "empty").mkdir()
    done = treelens(tmp_path, "evalb", "gold", "empty")
    assert done.stderr == b"1 : Number of lines unmatch (too many lines in gold file)\n"
    done = treelens(tmp_path, "evalb", "gold", "none")
    assert (done.returncode, done.stderr) == (1, b"Can't open test file (none)\n")


def test_without_enough_text_numpy_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(TREE)
    program = (
        "import sys; from treelens.cli import main; main(['evalb', 'gold', 'gold']);"
        "sys.exit('numpy' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0


TABLE = b"1\td\xc3\xb8g\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
OPTIONS = {"eval07": ("-g", "gold", "-s", "system")}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
@pytest.mark.parametrize("command", ["evalb", "jp-evalb", "sparseval", "eval07", "conll18"])
def test_what_is_packed_is_read_as_what_it_holds(
    command: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    text = TABLE if command in ("eval07", "conll18") else TREE
    arguments = OPTIONS.get(command, ("gold", "system"))
    (tmp_path / "gold").write_bytes(text)
    (tmp_path / "system").write_bytes(text)
    plain = treelens(tmp_path, command, *arguments)
    (tmp_path / "system").write_bytes(pack(text))
    packed = treelens(tmp_path, command, *arguments)
    assert plain.returncode == 0
    assert (packed.stdout, packed.stderr, packed.returncode) == (plain.stdout, plain.stderr, 0)


def test_damage_in_what_is_packed_is_told(tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(TREE)
    (tmp_path / "test").write_bytes(gzip.compress(TREE)[:-9])
    done = treelens(tmp_path, "evalb", "gold", "test")
    assert done.returncode == 2
    assert done.stderr.startswith(b"treelens evalb: test cannot be read: ")


def test_large_files_are_shared_out_and_come_to_the_same(tmp_path: Path) -> None:
    """Several stretches of several blocks, with errors and lines that read what others left."""
    lines = [
        b"(S (NP (DT the) (NN d%d)) (VP (VBZ %s)))" % (k, b"b" * (k % 97)) for k in range(20_000)
    ]
    test = list(lines)
    for k in range(0, len(lines), 999):
        lines[k], test[k] = b"(VP \t", test[k].replace(b"(NN ", b"(NN x")
    for name, each in (("gold", [*lines, b"(S (N more))"]), ("test", test)):
        (tmp_path / name).write_bytes(b"\n".join(each) + b"\n")
    done = treelens(tmp_path, "evalb", "-e", "100", "gold", "test")
    with (tmp_path / "test").open("rb") as stream:
        command = [sys.executable, "-m", "treelens", "evalb", "-e", "100", "gold", "-"]
        streamed = subprocess.run(
            command, cwd=tmp_path, stdin=stream, capture_output=True, check=False, timeout=120
        )
    assert (streamed.stdout, streamed.stderr) == (done.stdout, done.stderr)
    program = (
        "import sys; from treelens.dropin.evalb import batches; batches.ENOUGH_BYTES = 1 << 60;"
        "from treelens.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "evalb", "-e", "100", "gold", "test"]
    model = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, model.stdout, model.stderr)
    assert done.stderr.count(b"\n") > 20
