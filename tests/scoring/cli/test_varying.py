"""Corpora of any size: ``treelens consistency`` in stretches says what it says in memory."""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from conll_texts import tables
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from treelens import cli
from treelens.cli import consistency, main, stretches, varying
from treelens.cli.processes import Workers
from treelens.cli.stretches import Assembled, Assembly, Search
from treelens.consistency import hints
from treelens.consistency.agreed import Agreed
from treelens.consistency.found import (
    Asked,
    CorpusFile,
    FileName,
    Passage,
    PlacedGroup,
    SentenceHome,
    bracket_strings,
    bracketed_strings,
    findings,
    strips,
)
from treelens.consistency.found import varying as varying_in_memory
from treelens.consistency.options import CONTEXTS, KINDS, ConsistencyOptions, VariationKind
from treelens.session.document import document
from treelens.trees.forest import Symbols
from trees import sentences

_ENGINES = (False, True) if importlib.util.find_spec("duckdb") else (False,)
_TAGS = ("N", "V")
_FEW = st.lists(st.sampled_from(("the", "dog", "neighbourhoods", "_", "(")), min_size=1, max_size=5)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything by stretches of a few sentences, and hints that are wrong half of the time, in
    this process: one that is not forked, as where other threads run, knows nothing of it."""
    monkeypatch.setattr(consistency, "IN_MEMORY", -1)
    monkeypatch.setattr(varying, "PORTION_BYTES", 200)
    monkeypatch.setattr(varying, "TOGETHER", 3)
    monkeypatch.setattr(hints, "SLOT_BITS", 8)


@st.composite
def files(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Some files of tables and of trees, with sentences of the same words."""
    words = draw(st.lists(_FEW, min_size=1, max_size=3))
    of_trees = [[word for word in one if word != "("] or ["a"] for one in words]
    made = []
    for number in range(draw(st.integers(1, 3))):
        count = draw(st.integers(1, 6))
        if draw(st.booleans()):
            text = "".join(draw(tables(draw(st.sampled_from(words)))) for _ in range(count))
            made.append((f"{number}.conllu", text))
        else:
            drawn = (draw(sentences(draw(st.sampled_from(of_trees)))) for _ in range(count))
            made.append((f"{number}.mrg", "".join(one + "\n" for one in drawn)))
    return made


_ALONE = "1\tthe\t_\tDET\t_\t{}\t0\troot\t_\t_\n1.1\tgone" + 8 * "\t_" + "\n\n"
"""A word that is a sentence, and an empty node behind it."""
_BETWEEN = "".join(f"{number}\tthe{8 * chr(9) + '_'}\n" for number in range(1, 20)) + "\n"
"""A sentence that is a stretch by itself."""


def plain(groups: Iterable[PlacedGroup]) -> list[Any]:
    """Groups with their places, without what is told apart by process or text."""
    return [
        (
            one.group._replace(identity=(), occurrences=()),
            one.documents,
            [place._replace(home=None) for place in one.places],
            # (Of an extract, the first place of each label can be read; of what is rare, the
            # usual labels may have none.)
            [
                (label, _first(one, label).words())
                for label, _ in one.group.labels
                if one.group.kind != "rare" or label in {place.label for place in one.places}
            ],
        )
        for one in groups
    ]


def _first(one: PlacedGroup, label: str | None) -> SentenceHome | Passage:
    home = next(place.home for place in one.places if place.label == label)
    assert home is not None
    return home


@given(
    files(),
    st.sets(st.sampled_from(KINDS), min_size=1),
    st.sampled_from(CONTEXTS),
    st.sampled_from(("form", "lower", "lemma")),
    st.booleans(),
)
@example(
    texts=[("0.mrg", "(S (S (DT the)))\n"), ("1.mrg", "(S (S (S (S (DT the)))))\n")],
    kinds=set(KINDS),
    context="both",
    on="form",
    every=False,
)
@example(
    texts=[("0.conllu", _ALONE.format("_") + _BETWEEN + _ALONE.format("Number=Sing"))],
    kinds={"tags:feats"},
    context="both",
    on="form",
    every=False,
)
@examples(20)
def test_stretches_give_what_the_whole_gives(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[tuple[str, str]],
    kinds: set[VariationKind],
    context: Any,
    on: Any,
    every: bool,
) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    symbols = Symbols()
    whole = []
    for name, text in texts:
        data = text.encode("utf-8", "surrogatepass")
        (folder / name).write_bytes(data)
        whole.append(CorpusFile(FileName(str(folder / name)), document(data, symbols)))
    wanted = ConsistencyOptions(tuple(kind for kind in KINDS if kind in kinds), context, on, most=9)
    parts = strips(whole, wanted)
    strings = bracket_strings(parts, wanted) if "brackets" in kinds else 0
    found_in_memory = varying_in_memory(parts, wanted)
    bracketed = sum(len(bracketed_strings(part.groups)) for part in found_in_memory)
    expected = findings(found_in_memory, Asked("C", every))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(varying, "PORTION_BYTES", 200)
        patch.setattr(varying, "TOGETHER", 3)
        patch.setattr(hints, "SLOT_BITS", 8)
        search = Search(wanted, "brackets" in kinds, "C", Agreed())
        names = [str(folder / name) for name, _ in texts]
        for by_duckdb in _ENGINES:
            found = varying.find(
                names, len(names), search, Workers(1), every=every, by_duckdb=by_duckdb
            )
            assert sorted(map(repr, plain(found.groups))) == sorted(map(repr, plain(expected)))
            assert found.strings == strings
            assert found.brackets == bracketed


def _treebank(folder: Path, seed: int = 1) -> None:
    """Sentences of few words, analysed by chance, in files of both kinds and in folders."""
    chance = random.Random(seed)
    (folder / "part").mkdir(parents=True)
    for number in range(3):
        tables_, trees = [], []
        for sentence in range(40):
            words = [chance.choice(("one", "two", "three", "neighbourhood")) for _ in range(5)]
            rows = (
                f"{at}\t{word}\t{word}\t{chance.choice(('NOUN', 'VERB'))}\t_\t_\t"
                f"{chance.randrange(at)}\t{chance.choice(('a', 'b'))}\t_\t_\n"
                for at, word in enumerate(words, 1)
            )
            mark = "# newdoc\n" if sentence % 7 == 0 else ""
            tables_.append(f"{mark}# sent_id = {number}-{sentence}\n{''.join(rows)}\n")
            inner = " ".join(f"({chance.choice('NV')} {word})" for word in words[:3])
            rest = " ".join(f"({chance.choice('NV')} {word})" for word in words[3:])
            tree = f"({chance.choice('XY')} {inner}) {rest}" if sentence % 2 else f"{inner} {rest}"
            trees.append(f"(S {tree})\n" if sentence != 20 else "(S (N broken)\n")
        (folder / "part" / f"{number}.conllu").write_text("".join(tables_))
        (folder / f"{number}.mrg").write_text("".join(trees))


@pytest.mark.parametrize(
    "options",
    [
        ["--format", "jsonl", "--tier", "C", "--context", "left"],
        ["--format", "text"],
        ["--format", "text", "--by", "structure", "--limit", "9"],
        ["--format", "csv", "--every", "--context", "between", "--kinds", "relations,brackets"],
        ["--format", "sarif"],
        ["--format", "html", "--limit", "3"],
        ["--format", "jsonl", "--against", "bank/part/0.conllu", "bank/0.mrg"],
        ["--format", "jsonl", "--kinds", "rare", "--rare", "7"],
        ["--format", "jsonl", "--kinds", "rare,tags", "--against", "bank/part/0.conllu"],
    ],
)
def test_every_report_is_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    options: list[str],
) -> None:
    _treebank(tmp_path / "bank")
    monkeypatch.chdir(tmp_path)
    assert main(["consistency", "bank", *options]) == 0
    whole = capfd.readouterr()
    assert len(whole.out) > 500
    assert "0.mrg:21:1: " in whole.err
    with monkeypatch.context() as patch:
        patch.setattr(consistency, "IN_MEMORY", -1)
        patch.setattr(varying, "PORTION_BYTES", 3000)
        patch.setattr(varying, "TOGETHER", 200)
        ways = [["--jobs", "1"]]
        if "sarif" in options:
            ways += [["--jobs", "2"], *([["--engine", "duckdb"]] if _ENGINES[-1] else [])]
        for way in ways:
            assert main(["consistency", "bank", *options, *way]) == 0
            assert capfd.readouterr() == whole


def test_sentences_that_have_much_in_common_are_read_again_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    count, size = 60, 8
    words = [[f"{chance.choice('abc')}{at}{line}" for at in range(size)] for line in range(count)]
    text = ""
    for sentence in 3 * words:
        text += f"(S {' '.join(f'({chance.choice(_TAGS)} {word})' for word in sentence)})\n"
    (tmp_path / "a.mrg").write_text(text)
    read: list[int] = []

    def assemble(task: Assembly) -> list[Assembled]:
        read.append(sum(len(one.runs) for one in task.files))
        return stretches.assemble(task)

    monkeypatch.setattr(varying, "assemble", assemble)
    monkeypatch.setattr(varying, "PORTION_BYTES", 1000)
    monkeypatch.setattr(varying, "TOGETHER", 20)
    search = Search(ConsistencyOptions(("tags",)), False, "C", Agreed())
    found = varying.find([str(tmp_path / "a.mrg")], 1, search, Workers(1), every=True)
    # Each sentence is in several groups, whose keys come in no order.
    assert len(found.groups) > 4 * count
    assert len(read) > 5
    assert sum(read) <= 1.2 * 3 * count


def test_tags_need_not_stand_anywhere_without_their_features(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mrg").write_text("(S (BIRD##n=s## dog) (V ran))\n(S (BUG##n=p## dog) (V ran))\n")
    arguments = ["consistency", str(tmp_path / "a.mrg"), "--kinds", "tags", "--jobs", "1"]
    monkeypatch.setattr(consistency, "IN_MEMORY", -1)
    assert main(arguments) == 0
    in_stretches = capsys.readouterr().out
    assert "* BUG " in in_stretches
    monkeypatch.undo()
    assert main(arguments) == 0
    assert capsys.readouterr().out == in_stretches


def test_packed_text_and_standard_input_are_copied_first(
    tmp_path: Path,
    small_pieces: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _treebank(tmp_path / "bank")
    name = tmp_path / "bank" / "part" / "1.conllu"
    assert main(["consistency", str(name), "--format", "jsonl", "--jobs", "1"]) == 0
    groups = capsys.readouterr().out.splitlines()
    packed = name.with_name("2.conllu.gz")
    packed.write_bytes(gzip.compress(name.read_bytes()))
    assert main(["consistency", str(packed), "--format", "jsonl", "--jobs", "1"]) == 0
    assert len(groups) > 10
    assert capsys.readouterr().out.replace(str(packed), str(name)).splitlines() == groups
    assert [json.loads(line)["kind"] for line in groups]


def test_what_is_wrong_is_said_as_of_the_whole(
    tmp_path: Path, small_pieces: None, capsys: pytest.CaptureFixture[str]
) -> None:
    name = tmp_path / "a.mrg"
    name.write_text("this is prose\n", encoding="utf-8")
    assert main(["consistency", str(name), "--jobs", "1"]) == 2
    assert "holds neither bracketed trees" in capsys.readouterr().err
    assert main(["consistency", str(tmp_path / "nowhere.mrg")]) == 2
    assert "no such file" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX’s")
@pytest.mark.parametrize("what", ["hints", "facts", "table"])
def test_a_full_disk_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    import resource

    _treebank(tmp_path / "bank")
    monkeypatch.setattr(consistency, "IN_MEMORY", -1)
    monkeypatch.setattr(cli, "silence", lambda stream: None)  # (A captured one has no number.)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if what == "facts":
        monkeypatch.setattr(varying, "stored", lambda hints, folder: hints)
    engine = "duckdb" if what == "table" else "own"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert main(["consistency", str(tmp_path / "bank"), "-j", "1", "--engine", engine]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"temporary files in {tmp_path} (TMPDIR names another folder): " in said


def test_duckdb_and_a_cluster_are_not_asked_for_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _treebank(tmp_path / "bank")
    options = ["--engine", "duckdb", "--scheduler", "tcp://nowhere:1"]
    assert main(["consistency", str(tmp_path / "bank"), *options]) == 2
    assert "--scheduler is of a Dask cluster" in capsys.readouterr().err
