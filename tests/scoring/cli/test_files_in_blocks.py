"""What is read in blocks, of which few are in memory, is told as what was read at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from treelens.cli import confusions, corpora, main, waiting
from treelens.counting.stretched import CountingPlan
from treelens.report import batches
from treelens.session import changes

EXAMPLES = Path(__file__).parents[3] / "examples"
SIDES = "gold", "system"
SHORT = 12
"""Sentences of the garden, one a line, behind those of the harbour."""
COMMANDS = [
    "score --format json",
    "score --format html",
    "errors --examples 2 --format json",
    "compare",
    "compare --format json",
    "compare --order worst",
    "agreement",
    "agreement --format csv",
    "worklist",
    "worklist --by labels --find a --format csv",
]
SIZES = (1, 1), (700, 2)
"""Of a stretch in bytes, and how many stretches are read at once."""
CHANGES = ["--show all", "--format jsonl --limit 100", "--format html"]


@pytest.fixture(params=["trees", "tables"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Files of gold and of a system. (Half of what there is says as much: many commands read each
    sentence by itself here.)"""
    if request.param == "tables":
        return [str(EXAMPLES / f"marche.{side}.conllu") for side in SIDES]
    files = [tmp_path / f"{side}.mrg" for side in SIDES]
    for side, file in zip(SIDES, files, strict=True):
        harbour, garden = (
            (EXAMPLES / f"{name}.{side}.mrg").read_text() for name in ("harbour", "garden")
        )
        file.write_text("".join([harbour, *garden.splitlines(keepends=True)[:SHORT]]))
    return [str(file) for file in files]


@pytest.mark.parametrize("command", COMMANDS)
def test_blocks_of_any_size_give_the_same_bytes(
    pair: list[str],
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same_in_blocks([*command.split(), *pair], capsys, monkeypatch)


@pytest.mark.parametrize("options", CHANGES)
def test_two_versions_do_in_blocks_of_any_size(
    pair: list[str],
    options: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The new version has the first half mended."""
    gold, old = (Path(name).read_text().splitlines(keepends=True) for name in pair)
    new = tmp_path / "new.txt"
    new.write_text("".join([*gold[: len(gold) // 2], *old[len(gold) // 2 :]]))
    # (What a folder has besides is the same in all formats.)
    for folder in (False, True) if options == CHANGES[0] else (False,):
        asked = [named(folder, tmp_path, name) for name in (*pair, str(new))]
        same_in_blocks(["changes", *options.split(), *asked], capsys, monkeypatch)


@pytest.mark.parametrize(
    "command",
    [
        "suspects",
        "suspects --format jsonl",
        "suspects --least 1 --limit 5",
        "suspects --format html",
        "score --format json",
        "score --format html --worst 3",
        "score --per-sentence",
        "agreement --limit 30 --format json",
    ],
)
def test_several_systems_do_in_blocks_of_any_size(
    pair: list[str],
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of them lacks sentences in the middle, one says those first that stand last."""
    gap = "\n\n" if pair[0].endswith("conllu") else "\n"
    sentences = Path(pair[1]).read_text().split(gap)
    third = len(sentences) // 3
    lacking, moved = tmp_path / "lacking.txt", tmp_path / "moved.txt"
    lacking.write_text(gap.join([*sentences[:third], *sentences[third + 4 :]]))
    moved.write_text(gap.join([*sentences[-third:-1], *sentences[:-third], ""]))
    for align, size in zip(("own", "moved"), SIZES, strict=True):
        asked = [*command.split(), "--align", align, *pair, str(lacking), str(moved)]
        same_in_blocks(asked, capsys, monkeypatch, [size])


@pytest.mark.parametrize("systems", [1, 2])
@pytest.mark.parametrize("options", ["", "--by state --limit 3", "--by labels --format json"])
def test_what_is_said_beside_a_file_is_of_the_whole_file(
    options: str,
    systems: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of sentences with the same words, the how-manieth is meant."""
    trees = [f"(S (NP (N a{number % 4})) (VP (V b)))\n" for number in range(20)]
    gold, *others = names = [tmp_path / f"{at}.mrg" for at in range(systems + 1)]
    gold.write_text("".join(trees))
    for name in others:
        name.write_text("".join(trees[:-2]).replace("VP", "XP", 7))
    (tmp_path / "1.mrg.review").write_text(
        "checked\t3\ta1 b\nchecked\t4\ta2 b\nquestion\t4\ta0 b\t\twhy?\nnote\t2\ta3 b\t1 N b\tso\n"
    )
    (tmp_path / "0.mrg.review").write_text("checked\t5\ta3 b\n")
    for align in ("own", "moved"):
        asked = ["worklist", *options.split(), "--align", align, *map(str, names)]
        same_in_blocks(asked, capsys, monkeypatch)
    main(["worklist", "--state", "checked", *map(str, names)])
    out = capsys.readouterr().out
    assert out.startswith("3 of 20 checked, 16 to do, 1 in question")
    assert [line.split("mrg:")[1].split()[0] for line in out.splitlines()[3:]] == ["20", "10", "15"]


def test_files_of_which_one_lacks_sentences_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same one in several places, so that stretches are left without a group."""
    trees = [f"(S (NP (N a{number})) (VP (V b)))\n" for number in range(24)]
    gold, system = tmp_path / "gold.mrg", tmp_path / "system.mrg"
    gold.write_text("".join(trees))
    wrong = [tree.replace("VP", "XP") for tree in trees]
    system.write_text("".join([*wrong[:3], *wrong[18:], *wrong[5:9]]))
    for align in ("own", "moved", "jp"):
        for command in ("errors --examples 9", "compare", "compare --order worst --limit 20"):
            asked = [*command.split(), "--align", align, str(gold), str(system)]
            same_in_blocks(asked, capsys, monkeypatch)


def test_what_stands_elsewhere_is_said_by_its_number_in_the_whole_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = [f"(S (NP (N number{number})) (VP (V walks)))\n" for number in range(60)]
    gold, system = tmp_path / "gold.mrg", tmp_path / "system.mrg"
    gold.write_text("".join(trees))
    system.write_text("".join([*trees[:20], *trees[25:50], *trees[20:25], *trees[50:]]))
    monkeypatch.setattr(corpora, "CountingPlan", partial(CountingPlan, size=200))
    main(["compare", str(gold), str(system)])
    out = capsys.readouterr().out
    assert "moved: sentence 46 of system, not compared" in out
    assert "moved: sentence 21 of gold, not compared" in out


def named(folder: bool, tmp_path: Path, name: str) -> str:
    """A file, or a folder that has it twice."""
    if not folder:
        return name
    there = tmp_path / f"of-{Path(name).name}"
    there.mkdir()
    for copy in ("a.txt", "b.txt"):
        (there / copy).write_bytes(Path(name).read_bytes())
    return str(there)


def same_in_blocks(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> None:
    def told() -> tuple[int, str, str]:
        return main(arguments), *capsys.readouterr()

    whole = told()
    with monkeypatch.context() as patch:
        patch.setattr(confusions, "_MOST", 1)
        patch.setattr(batches, "LARGEST", 3)
        for size, stretches in sizes:
            patch.setattr(corpora, "CountingPlan", partial(CountingPlan, size=size))
            patch.setattr(waiting, "_IN_MEMORY", size)
            patch.setattr(changes, "_AT_ONCE", stretches)
            assert told() == whole
