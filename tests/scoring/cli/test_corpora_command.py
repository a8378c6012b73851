"""``treelens score`` of what people have: folders, patterns, lists, packed files, addresses.

Longer than other modules are: each of these is read by the same few helpers.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from treelens.align.groups import one_to_one
from treelens.cli import inputs, main
from treelens.cli.counts import Spool
from treelens.corpus import Source
from treelens.corpus.cuts import ByteStretch
from treelens.counting import files
from treelens.counting.stretched import Counted, StretchStart
from treelens.counting.work import StretchRead, TaskResult

GOLD = [
    "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n(S (NP (NN rain)) (VP (VB falls)))\n",
    "(S (NP (PRP she)) (VP (VB sleeps)))\n",
    "(S (VP (VB go)))\n",
]
SYSTEM = [
    "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n(S (NP (NN rain)) (VP (VB falls)))\n",
    "(S (NP (PRP she) (VP (VB sleeps)))\n",
    "(S (NP (VB go)))\n",
]
PLACES = ["a/1.mrg", "a/b/2.mrg", "3.mrg"]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of gold and system, and the same as one file each."""
    for side, texts in (("gold", GOLD), ("system", SYSTEM)):
        for place, text in zip(PLACES, texts, strict=True):
            path = tmp_path / side / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (tmp_path / f"{side}.mrg").write_text("".join(texts), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(
    capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0
) -> dict[str, object]:
    """What a corpus's JSON says of all of it, and of its files by name."""
    assert main(["score", "--format", "json", *arguments]) == status
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    files = {file["name"]: file["counts"] for file in system.get("files", [])}
    return {"all": system["corpus"], "pairing": system["pairing"], "files": files}


def test_a_folder_scores_as_its_files_in_one(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = scores(capsys, "gold.mrg", "system.mrg")
    (corpus / "gold/a/round.mrg").symlink_to("round.mrg")  # (no file, as one that leads nowhere)
    found = scores(capsys, "gold", "system")
    assert found["all"] == whole["all"]
    assert found["pairing"] == whole["pairing"]
    files = found["files"]
    assert isinstance(files, dict)
    assert [*files] == ["3.mrg", "a/1.mrg", "a/b/2.mrg", "a", "a/b"]
    assert files["a"]["parseval"]["gold"] == (
        files["a/1.mrg"]["parseval"]["gold"] + files["a/b/2.mrg"]["parseval"]["gold"]
    )
    assert scores(capsys, "gold", "system", "--jobs", "2") == found


def test_patterns_and_lists_name_the_same_files(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = scores(capsys, "gold.mrg", "system.mrg")["all"]
    assert scores(capsys, "gold/**/*.mrg", "system/**/*.mrg")["all"] == whole
    for side in ("gold", "system"):
        names = "".join(f"{side}/{place}\n" for place in PLACES)
        (corpus / f"{side}.txt").write_text("# files\n" + names)
    assert scores(capsys, "@gold.txt", "@system.txt")["all"] == whole


def test_that_no_listed_file_can_be_read_is_said_with_one_of_them(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "empty.mrg").touch()
    none = "none of the 2 pairs of files can be read: gone.mrg cannot be read: No such"
    for name, said in (("gone.mrg", none), ("empty.mrg", "none of the gold files holds trees")):
        (corpus / "list.txt").write_text(f"{name}\nnor.mrg\n")
        assert main(["score", "@list.txt", "@list.txt"]) == 2
        assert said in capsys.readouterr().err


def packed_by_zstd(text: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").compress(text)
    return packed


@pytest.mark.parametrize(
    ("ending", "pack"),
    [
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", packed_by_zstd),
        (".utf16", lambda text: text.decode().encode("utf-16")),
        (".marked", lambda text: b"\xef\xbb\xbf" + text),
    ],
)
def test_packed_files_score_as_plain_ones(ending, pack, corpus, capsys) -> None:  # type: ignore[no-untyped-def]
    whole = scores(capsys, "gold.mrg", "system.mrg")
    for side in ("gold", "system"):
        (corpus / (side + ending)).write_bytes(pack((corpus / f"{side}.mrg").read_bytes()))
    assert scores(capsys, "gold" + ending, "system.mrg") == whole
    main(["score", "gold.mrg", "system.mrg"])
    table = capsys.readouterr().out.splitlines()[2:]
    main(["score", "gold" + ending, "system" + ending])
    assert capsys.readouterr().out.splitlines()[2:] == table


def test_a_packed_folder_is_paired_with_a_plain_one(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = scores(capsys, "gold", "system")
    plain = corpus / "gold" / "3.mrg"
    (corpus / "gold" / "3.mrg.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert scores(capsys, "gold", "system")["all"] == found["all"]


def test_standard_input_is_a_file(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["score", "gold.mrg", "system.mrg"])
    table = capsys.readouterr().out.splitlines()[2:]
    text = (corpus / "system.mrg").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["score", "gold.mrg", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == table


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_read_once_and_whole(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["score", "gold.mrg", "system.mrg"])
    table = capsys.readouterr().out.splitlines()[2:]
    os.mkfifo(corpus / "pipe")
    text = (corpus / "system.mrg").read_bytes()
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit((corpus / "pipe").write_bytes, text)
        assert main(["score", "gold.mrg", "pipe"]) == 0
        assert written.result() == len(text)
    assert capsys.readouterr().out.splitlines()[2:] == table


def test_addresses_are_opened_where_fsspec_is(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for side, texts in (("gold", GOLD), ("system", SYSTEM)):
        for place, text in zip(PLACES, texts, strict=True):
            memory.pipe(f"/bank/{side}/{place}", text.encode())
    found = scores(capsys, "gold", "system")
    assert scores(capsys, "memory://bank/gold", "memory://bank/system") == found
    of_one = scores(capsys, "gold/3.mrg", "system/3.mrg")["all"]
    assert scores(capsys, "memory://bank/gold/3.mrg", "system/3.mrg")["all"] == of_one


def test_what_is_at_an_address_is_entered_where_it_is(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fsspec")
    monkeypatch.setattr("tempfile.TemporaryDirectory", None)  # nothing is copied
    file = inputs.files(f"file://{corpus}/gold").by_place[PLACES[0]]
    with inputs.plain(pickle.loads(pickle.dumps(file))) as text, text.source.open() as stream:
        stream.seek(3)
        assert stream.read(9) == (corpus / "gold" / PLACES[0]).read_bytes()[3:12]


def test_an_address_that_is_read_from_its_start_only_is_copied() -> None:
    class FromItsStart(io.BytesIO):
        def seek(self, *where: int) -> int:
            raise ValueError("Cannot seek streaming HTTP file")

    stored = GOLD[0].encode()
    file = Source("http://a/b", lambda: FromItsStart(stored), len(stored))
    with inputs.plain(file) as text, text.source.open() as stream:
        stream.seek(3)
        assert stream.read() == stored[3:]


def test_parquet_rows_score_as_the_table_they_are(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = (
        "# sent_id = s1\n1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
        "2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
    )
    (corpus / "gold.conllu").write_text(table)
    info = {"info": {"features": {"upos": {"feature": {"names": ["NOUN", "VERB"]}}}}}
    rows = pyarrow.table(
        {
            "idx": ["s1"],
            "tokens": [["dogs", "bark"]],
            "lemmas": [["dog", "bark"]],
            "upos": [[0, 1]],
            "xpos": [["NNS", "VBP"]],
            "head": [["2", "0"]],
            "deprel": [["nsubj", "root"]],
        }
    ).replace_schema_metadata({"huggingface": json.dumps(info)})
    parquet.write_table(rows, corpus / "rows.parquet")
    pytest.importorskip("fsspec")
    here = scores(capsys, "gold.conllu", "gold.conllu")["all"]
    for name in ("rows.parquet", f"file://{corpus}/rows.parquet"):
        assert scores(capsys, "gold.conllu", name)["all"] == here


TOKENS = """\
# sent_id = s1
# text = Du pain et des None.
1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_
1\tDe\tde\tADP\t_\t_\t3\tcase\t3:case\t_
2\tle\tle\tDET\t_\tDefinite=Def|Number=Sing\t3\tdet\t3:det\t_
3\tpain\tpain\tNOUN\t_\tNumber=Sing\t0\troot\t0:root\t_
4\tet\tet\tCCONJ\t_\t_\t7\tcc\t7:cc\t_
4.1\tmange\tmanger\tVERB\t_\t_\t_\t_\t0:root\t_
5-7\tdes\t_\t_\t_\t_\t_\t_\t_\t_
5\tde\tde\tADP\t_\t_\t7\tcase\t7:case\t_
6\tles\tle\tDET\t_\t_\t7\tdet\t7:det\t_
7\tuns\tun\tPRON\t_\t_\t3\tconj\t3:conj|4.1:obj\tGloss=x|Y
8\tNone\tNone\tX\t_\t_\t3\tdep\t3:dep\tSpaceAfter=No
9\t.\t.\tPUNCT\t_\t_\t3\tpunct\t3:punct\t_

"""


def written_by_python(cell: str, column: str) -> str:
    """A field as older data sets have it."""
    if cell == "_":
        return "None" if column != "deprel" else cell
    if column in ("feats", "misc"):
        pairs = (part.partition("=") for part in cell.split("|"))
        return str({name: value if sign else None for name, sign, value in pairs})
    if column == "deps":
        edges = (part.split(":") for part in cell.split("|"))
        return str([(name, (4, ".", 1) if "." in head else int(head)) for head, name in edges])
    return cell


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("beside", [True, False])
def test_rows_of_the_hub_with_tokens_and_empty_nodes_are_the_table_they_were(
    corpus: Path, text: bool, beside: bool
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    names = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
    expected = TOKENS if text or beside else TOKENS.replace("5-7", "5-6")
    expected = expected if text else expected.replace("# text = Du pain et des None.\n", "")
    lines = [line.split("\t") for line in TOKENS.splitlines() if line[:1].isdigit()]
    words = [line for line in lines if not beside or line[0].isdigit()]
    row: dict[str, object] = {"idx": "s1"}
    for at, column in enumerate(names[1:], 1):
        key = {"form": "tokens", "lemma": "lemmas"}.get(column, column)
        cells = [line[at] for line in words]
        if not beside and at > 4:
            cells = [written_by_python(cell, column) for cell in cells]
        row[key] = cells
    if text:
        row["text"] = "Du pain et des None."
    if beside:
        named = [dict(zip(names, line, strict=True)) for line in lines]
        row["mwt"] = [one for one in named if "-" in one["id"]]
        row["empty_nodes"] = [one for one in named if "." in one["id"]]
    parquet.write_table(pyarrow.Table.from_pylist([row]), corpus / "rows.parquet")
    with inputs.source("rows.parquet").open() as stream:
        assert stream.read().decode() == expected


def test_what_has_no_partner_and_what_is_no_treebank_is_said(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "gold" / "README").write_text("A treebank (of three files).\nNothing else.\n")
    (corpus / "system" / "README").write_text("Ours.\n")
    (corpus / "gold" / "lonely.mrg").write_text(GOLD[0])
    assert main(["score", "gold", "system"]) == 0
    said = capsys.readouterr().err
    assert "note: gold/lonely.mrg has no partner and is left out" in said
    assert "note: gold/README holds no trees and is left out" in said
    assert "system/a/b/2.mrg:1:1: " in said


def test_a_damaged_file_costs_itself_and_the_exit_status(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = gzip.compress(GOLD[2].encode())
    (corpus / "gold" / "3.mrg").write_bytes(packed[: len(packed) - 9])
    assert main(["score", "gold", "system"]) == 2
    out, said = capsys.readouterr()
    assert ("gold/3.mrg cannot be read" in said, "a/1.mrg" in out) == (True, True)
    assert said.endswith("treelens score: 1 pair of files is in no number, as above\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold", "system.mrg"), "gold stands for many files, system.mrg for one"),
        (("gold/*.nothing", "system"), "gold/*.nothing: no file is called like that"),
        (("@none.txt", "system"), "none.txt: no such file"),
        (("gold/a", "system/a/b"), "no file of gold/a has the path of one of system/a/b"),
        (("nothing", "system"), "nothing holds no files"),
        (("@twice.txt", "@system.txt"), "twice.txt lists gold/3.mrg more than once"),
        (("gold", "system", "--format", "html"), "html is of one pair of files, not of many"),
        (("memory://nowhere/x", "system.mrg"), "memory://nowhere/x"),
    ],
)
def test_what_stops_it_is_one_line(
    arguments: tuple[str, ...],
    message: str,
    corpus: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (corpus / "nothing").mkdir()
    for name, listed in (("twice", "gold/3.mrg\ngold/3.mrg\n"), ("system", "system/3.mrg\n")):
        (corpus / f"{name}.txt").write_text(listed)
    assert main(["score", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_files_and_folders_stand_below_the_total(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ("table", "markdown", "csv", "latex"):
        assert main(["score", "gold", "system", "--format", form]) == 0
        lines = capsys.readouterr().out
        if form != "latex":
            assert "a/b/2.mrg" in lines
            assert "a/b" in lines.replace("a/b/2.mrg", "")


def test_a_stranger_to_utf8_is_still_a_name(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = os.fsdecode(b"x\xff.mrg")
    try:
        (corpus / name).write_text(GOLD[0])
    except OSError:
        pytest.skip("this file system takes no such name")
    assert main(["score", "gold/a/1.mrg", name]) == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sentences_are_listed_as_they_are_with_all_at_hand(
    jobs: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "gold.mrg", "system.mrg", "--format", "json"]) == 0
    groups = json.loads(capsys.readouterr().out)["systems"][0]["groups"]
    assert main(["score", "gold.mrg", "system.mrg", "--format", "csv", "--jobs", jobs]) == 0
    lines = csv.DictReader(capsys.readouterr().out.splitlines())
    rows = [row for row in lines if row["scope"] == "sentence"]
    for row, group in zip(rows, groups, strict=True):
        for side in ("gold", "system"):
            sentences = group[side]
            ends = dict.fromkeys([*sentences[:1], *sentences[-1:]])
            assert row[f"{side}_sentence"] == "-".join(map(str, ends))
            assert row[f"{side}_line"] == str(group[f"{side}_line"] or "")
        assert (row["length"], row["different"]) == (
            str(group["length"]),
            str(int(group["different"])),
        )
        assert row["parseval.matched"] == str(group["counts"]["parseval"]["matched"])
    assert main(["score", "gold.mrg", "system.mrg", "--per-sentence"]) == 0
    table = capsys.readouterr().out
    assert len(table.splitlines()) > len(groups)


def test_rows_that_come_again_are_those_that_count() -> None:
    def counted(number: int, value: int) -> Counted:
        none = np.zeros(1, np.int32)
        read = StretchRead(1, np.zeros((1, 2), np.uint64), none, none, none, 0, (), 0, b"")
        groups, rows = one_to_one(0, 0, 1), np.full((1, 2), value)
        found = TaskResult(read, read, groups, None, rows)
        nowhere = ByteStretch(0, 0)
        piece = StretchStart(nowhere, nowhere, 0, 0, 0, 0, found)
        return Counted(number, piece, groups, found)

    spool = Spool()
    for number, value in ((0, 5), (1, 6), (2, 7), (1, 8)):
        spool.keep(counted(number, value))
    assert np.concatenate([*spool.rows(len(files.PLACES) + 2)])[:, -1].tolist() == [5, 8, 7]
    spool.close()
