"""What memory a command takes hardly depends on how much it reads."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere a process has what it was started by in its peak"
)

TREES, TABLES, SMALLER = (40_000, 100_000), (100_000, 160_000), (2_500, 10_000)
"""Sentences, few and many, of commands that look at some hundred thousand in a second, trees or
tables, and of those that read smaller stretches here, so that also the fewer ones are many
stretches, and more text than is remembered. (What more of them take is what is held of each: 16
bytes, while sentences are aligned.)"""
PARTS = 32
"""Of one of our stretches, which are then read as one."""
TEDEVAL = (3_000, 30_000)
"""Of which also the fewer are more than a block."""
MORE = {TREES: 120, TABLES: 120, SMALLER: 800, TEDEVAL: 300}
"""Bytes for each further sentence: what is found to be held of one is more. (It goes up and down
with the size of stretches, by where they happen to end, more of smaller ones.)"""


def _tree(number: int, label: str) -> str:
    return f"(S (NP (D the) (N noun{number})) ({label} (V sees) (NP (D a) (N name{number}))))\n"


def _table(number: int, head: int) -> str:
    words = f"noun{number}", "sees", f"name{number}"
    rows = zip(words, (2, 0, head), ("nsubj", "root", "obj"), strict=True)
    return "".join(
        f"{at}\t{form}\t_\tX\tX\t_\t{above}\t{relation}\t_\t_\n"
        for at, (form, above, relation) in enumerate(rows, 1)
    )


def _trees(folder: Path, count: int) -> None:
    """Two files of so many trees, no two of them the same, and one of a system that lacks every
    seventh."""
    for side, label in (("gold", "VP"), ("system", "XP")):
        labels = ("VP" if number % 5 else label for number in range(count))
        trees = [_tree(number, one) for number, one in enumerate(labels)]
        (folder / f"{side}.mrg").write_text("".join(trees))
    kept = (tree for number, tree in enumerate(trees) if number % 7 != 3)
    (folder / "lacking.mrg").write_text("".join(kept))


def _tables(folder: Path, count: int) -> None:
    """The same of tables; the system lacks one now and then."""
    for side, head in (("gold", 2), ("system", 1)):
        rows = [f"{_table(number, 2 if number % 5 else head)}\n" for number in range(count)]
        (folder / f"{side}.conllu").write_text("".join(rows))
    left = (table for number, table in enumerate(rows) if number % 400 != 3)
    (folder / "lacking.conllu").write_text("".join(left))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, bool], Path]:
    """The folder of so many trees, or tables."""

    def write(count: int, tables: bool) -> Path:
        folder = tmp_path_factory.mktemp("sizes")
        (_tables if tables else _trees)(folder, count)
        return folder

    return functools.cache(write)


_CHILD = """
import atexit, sys
import treelens.corpus, treelens.counting.vocabulary

parts = int(sys.argv.pop(1))
sys.modules["treelens.corpus.blocks"].STRETCH_BYTES //= parts
treelens.counting.vocabulary._TOGETHER_BYTES //= parts

from treelens.cli import main

def tell():
    sizes = dict(line.split(":") for line in open("/proc/self/status"))
    most, files = (int(sizes[name].split()[0]) for name in ("VmHWM", "RssFile"))
    print(most - files, file=sys.stderr)

atexit.register(tell)
sys.exit(main())
"""


def _memory(folder: Path, command: str, parts: int = 1) -> int:
    """The most that a process held, in kB, but for what it has of files, as its libraries: how
    much more of one is there than was asked for the system decides (megabytes)."""
    child = subprocess.run(
        [sys.executable, "-c", _CHILD, str(parts), *command.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    # (Of some, 1 says that there are differences.)
    assert child.returncode < 2, child.stderr
    assert b"Traceback" not in child.stderr, child.stderr
    return int(child.stderr.split()[-1])


@pytest.mark.parametrize(
    ("command", "sizes"),
    [
        *(
            (command, TREES)
            for command in (
                "score --jobs 1 gold.mrg system.mrg",
                "picture gold.mrg --sentence 2400",
                "evalb gold.mrg system.mrg",
                "jp-evalb gold.mrg system.mrg",
            )
        ),
        *(
            (command, TABLES)
            for command in (
                "conll18 gold.conllu system.conllu",
                "eval07 -q -g gold.conllu -s system.conllu",
            )
        ),
        *(
            (command, SMALLER)
            for command in (
                "score --jobs 1 gold.mrg lacking.mrg",
                "score --jobs 2 gold.mrg lacking.mrg",
                "score --jobs 1 gold.conllu lacking.conllu",
                "udeval gold.conllu system.conllu",
                "score --jobs 1 --format json --metric tagging gold.mrg system.mrg",
                "score --jobs 1 --format html --metric tagging gold.mrg system.mrg",
                "score --jobs 1 --format json --metric tagging gold.mrg lacking.mrg system.mrg",
                "errors gold.mrg system.mrg",
                "compare --limit 60 gold.mrg system.mrg",
                "compare --order worst --limit 60 gold.mrg system.mrg",
                "significance --iterations 20 gold.mrg system.mrg",
                "agreement gold.mrg system.mrg",
                "agreement gold.mrg system.mrg system.mrg",
                "worklist gold.mrg system.mrg",
                "suspects --limit 60 gold.mrg system.mrg system.mrg",
                "picture gold.mrg lacking.mrg --sentence 2400",
                "changes --iterations 20 gold.mrg lacking.mrg system.mrg",
            )
        ),
        ("tedeval -g gold.mrg -p system.mrg", TEDEVAL),
    ],
)
def test_more_text_takes_hardly_more(
    written: Callable[[int, bool], Path], command: str, sizes: tuple[int, int]
) -> None:
    few, many = (written(size, ".conllu" in command) for size in sizes)
    parts = PARTS if sizes == SMALLER else 1
    # (How much several threads or processes hold at a time is chance, of few as of many; what grows
    # does so each time.)
    tries = ((_memory(few, command, parts), _memory(many, command, parts)) for _ in range(3))
    of_few, of_many = 0, sys.maxsize
    for one, other in tries:
        of_few, of_many = max(of_few, one), min(of_many, other)
        if (of_many - of_few) * 1024 <= MORE[sizes] * (sizes[1] - sizes[0]):
            return
    pytest.fail(f"{of_few} kB of {sizes[0]} sentences, {of_many} of {sizes[1]}")


def test_of_tables_whose_texts_differ_hardly_more_than_a_number_a_sentence_is_held(
    written: Callable[[int, bool], Path],
) -> None:
    command = "conll18 --score-anyway gold.conllu lacking.conllu"
    sizes = 25_000, 75_000
    few, many = (_memory(written(size, True), command) for size in sizes)
    assert (many - few) * 1024 < 200 * (sizes[1] - sizes[0])
