"""``treelens changes``: its forms say the same, and its exit status is for CI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from treelens.cli import main
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.session.since import ChangeCounts, inventory
from treelens.trees.forest import Symbols, encode

GOLD = "(S (NP (D the) (N dog)) (VP (V barks)))\n(S (NP (N <b>&)) (VP (V runs)))\n"
OLD = GOLD.replace("NP (D", "XP (D")
NEW = GOLD.replace("NP (N", "QP (N").replace("VP (V b", "ZP (V b")


@pytest.fixture
def written(tmp_path: Path) -> list[str]:
    names = []
    for name, text in (("gold.mrg", GOLD), ("old.mrg", OLD), ("new.mrg", NEW)):
        (tmp_path / name).write_text(text)
        names.append(str(tmp_path / name))
    return names


def ran(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["changes", *arguments]) == status
    return capsys.readouterr().out


def test_the_forms_say_the_same(written: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = ran(capsys, *written)
    rows = {line.split("  ")[0]: line.split()[-4:] for line in text.splitlines() if line}
    assert rows["differences"] == ["1", "2", "0", "+1"]
    assert rows["NP→XP"] == ["1", "0", "0", "-1"]
    assert "mended: NP → XP" in text
    assert "new: VP → ZP" in text
    summary, *sentences = map(json.loads, ran(capsys, *written, "-f", "jsonl").splitlines())
    assert summary["differences"] == {"mended": 1, "new": 2, "stays": 0}
    assert summary["labels"]["VP→ZP"] == {"mended": 0, "new": 1, "stays": 0}
    assert [one["gold"]["sentences"] for one in sentences] == [[1], [2]]
    assert sentences[0]["words"] == ["the", "dog", "barks"]
    page = ran(capsys, *written, "-f", "html")
    assert "1 mended · 2 new · 0 as before" in page
    assert "<b>&" not in page


def test_what_is_in_sentences_that_one_version_lacks_is_said_to_be_left_out(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (gold, old, new), wrong = written, GOLD.replace("NP", "XP")
    Path(old).write_text(wrong)
    Path(new).write_text(wrong.splitlines()[1] + "\n")
    text = ran(capsys, gold, old, new)
    assert "left out: 1 in sentences that old has and new lacks" in text
    assert "1 sentence changed: 0 better, 1 worse" in text
    assert "left out: 1 in" in ran(capsys, gold, old, new, "-f", "html")
    assert "left out: 1 in sentences that new has and old lacks" in ran(capsys, gold, new, old)
    summary, _ = map(json.loads, ran(capsys, gold, new, old, "-f", "jsonl").splitlines())
    assert summary["left_out"] == {"old": 0, "new": 1}
    assert summary["differences"] == {"mended": 1, "new": 0, "stays": 1}
    assert "left out" not in ran(capsys, gold, old, old)


TAGGED = "(S (NP-SBJ (N we)) (VP (V see) (NP (N it))))\n"
UNTAGGED = TAGGED.replace("-SBJ", "")


def test_what_no_score_counts_is_told_too_and_how_much_of_it_there_is(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in zip(written, (TAGGED, TAGGED, UNTAGGED.replace("VP", "XP")), strict=True):
        Path(name).write_text(text)
    text = ran(capsys, *written)
    rows = {line.split("  ")[0]: line.split()[-4:] for line in text.splitlines() if line}
    assert rows["differences"] == ["0", "2", "0", "+2"]
    assert rows["of them not counted by F1"] == ["0", "1", "0", "+1"]
    assert "new: NP-SBJ → NP; not counted by F1" in text
    assert "new: VP → XP\n" in text
    summary, sentence = map(json.loads, ran(capsys, *written, "-f", "jsonl").splitlines())
    assert summary["differences"] == {"mended": 0, "new": 2, "stays": 0}
    assert summary["uncounted"] == {"F1": {"mended": 0, "new": 1, "stays": 0}}
    assert [one["code"] for one in sentence["differences"]] == ["wrong-function", "wrong-label"]
    page = ran(capsys, *written, "-f", "html")
    assert "of them not counted by F1: 0 mended · 1 new · 0 as before" in page
    assert "of them" not in ran(capsys, *written[:2], written[1])


def test_what_no_score_counts_can_be_left_out_which_is_said(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in zip(written, (TAGGED, TAGGED, UNTAGGED), strict=True):
        Path(name).write_text(text)
    said = "left out: what F1 and LAS do not count"
    text = ran(capsys, *written, "--counted")
    assert said in text
    assert "0 sentences changed" in text
    (summary,) = map(json.loads, ran(capsys, *written, "--counted", "-f", "jsonl").splitlines())
    assert summary["differences"] == {"mended": 0, "new": 0, "stays": 0}
    assert summary["uncounted"] is None
    assert said in ran(capsys, *written, "--counted", "-f", "html")
    assert said not in ran(capsys, *written)


@pytest.mark.parametrize("options", [(), ("--counted",)])
def test_the_sums_are_those_of_the_editor_which_marks_what_is_new(
    options: tuple[str, ...], written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, old = TAGGED * 3, TAGGED + UNTAGGED * 2
    new = UNTAGGED + TAGGED + UNTAGGED.replace("VP", "XP")
    for name, text in zip(written, (gold, old, new), strict=True):
        Path(name).write_text(text)
    symbols = Symbols()
    gold_text, *systems = (document(encode(text), symbols) for text in (gold, old, new))
    versions = [pair(gold_text, system).strictly(not options) for system in systems]
    kept = inventory()
    kept.work(versions)
    sums = ChangeCounts(*kept.of(versions).T)
    summary = json.loads(ran(capsys, *written, "-f", "jsonl", *options).splitlines()[0])
    assert summary["differences"]["new"] == sums.new.sum() == (1 if options else 2)
    assert summary["differences"]["mended"] == sums.mended.sum() == (0 if options else 1)


def test_text_and_page_have_the_same_sign_of_a_small_p(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = "".join(f"(S (NP (N a{at})) (VP (V b)))\n" for at in range(30))
    files = {"gold": gold, "old": gold.replace("VP", "XP"), "new": gold.replace("VP", "XP", 5)}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    names = [str(tmp_path / name) for name in files]
    text, page = (ran(capsys, *names, "-f", form) for form in ("text", "html"))
    line = text.splitlines()[5]
    *_, p, sign = line.split()
    assert sign == "*"
    assert f"<td>{p}</td><td>*</td>" in page
    assert "* below 0.05" in text
    assert "* below 0.05" in page
    same = ran(capsys, names[0], *[names[2]] * 2, "-f", "html")
    assert "<td>1.0000</td><td></td>" in same
    assert "<td>*</td>" not in same


def test_what_is_shown_can_be_chosen(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ran(capsys, *written, "--show", "mended")
    assert "mended: NP → XP" in shown
    assert "new: " not in shown
    assert "sentence 1" not in ran(capsys, *written, "--limit", "0")


@pytest.mark.parametrize(
    ("options", "status"),
    [([], 0), (["--fail-worse"], 1), (["--fail-worse", "100"], 0), (["--fail-worse", "-1"], 2)],
)
def test_a_worse_version_fails_where_that_is_asked_for(
    written: list[str], capsys: pytest.CaptureFixture[str], options: list[str], status: int
) -> None:
    ran(capsys, *written, *options, status=status)


def test_a_file_that_is_taken_for_points_is_told_where_the_option_stands(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["changes", "--fail-worse", *written]) == 2
    assert "without one, the option stands behind the files" in capsys.readouterr().err


def test_a_better_version_does_not_fail(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, old, new = written
    ran(capsys, gold, new, old, "--fail-worse")


def test_a_page_says_what_its_signs_mean_and_prints_wide_pictures_in_strips(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = "(S " + " ".join(f"(N long-word{at})" for at in range(40)) + ")\n"
    table = "1\tdogs\t_\tX\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    texts = {"g.mrg": gold, "n.mrg": gold.replace("(N ", "(M ", 1)}
    texts |= {"g.conllu": table, "n.conllu": table.replace("nsubj", "obj")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    tree, arcs = (
        ran(capsys, *(str(tmp_path / f"{one}.{kind}") for one in "ggn"), "-f", "html")
        for kind in ("mrg", "conllu")
    )
    assert tree.count('class="strip"') > 3
    assert 'class="strip"' not in arcs
    assert "in the new version only" in tree
    assert "the new version’s, where gold has another head" in arcs
    same = ran(capsys, *[str(tmp_path / "g.mrg")] * 3, "-f", "html")
    assert 'class="legend' not in same, "where nothing is drawn"


def test_moved_sentences_that_are_compared_have_their_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trees = [f"(S (NP (N a{at})) (VP (V b)))\n" for at in range(60)]
    old = [tree.replace("VP", "XP") if at % 3 else tree for at, tree in enumerate(trees)]
    new = [tree.replace("VP", "XP") if at % 5 else tree for at, tree in enumerate(trees)]
    moved = [[*some[20:50], *some[:20], *some[50:]] for some in (old, new)]
    names = [str(tmp_path / name) for name in ("gold", "old", "new", "old.moved", "new.moved")]
    for name, some in zip(names, (trees, old, new, *moved), strict=True):
        Path(name).write_text("".join(some))
    asked = ("--format", "jsonl", "--align", "moved", "--limit", "100")
    kept, elsewhere = (
        [json.loads(line) for line in ran(capsys, names[0], *two, *asked).splitlines()]
        for two in (names[1:3], names[3:])
    )
    assert kept[0]["differences"] == elsewhere[0]["differences"]
    assert len(kept) == len(elsewhere) > 1
    for one, other in zip(kept[1:], elsewhere[1:], strict=True):
        assert [one[key] for key in ("gold", "words")] == [other[key] for key in ("gold", "words")]


def test_a_score_that_a_version_lacks_has_no_p(
    written: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, old, _ = written
    (tmp_path / "nothing.mrg").write_text("(())\n(())\n")
    nothing = str(tmp_path / "nothing.mrg")
    for versions in ((old, nothing), (nothing, old), (nothing, nothing)):
        first = ran(capsys, gold, *versions, "--format", "jsonl").splitlines()[0]
        scores = json.loads(first)["scores"]
        assert scores["precision"]["p"] is None
        for one in scores.values():
            assert (one["p"] is None) == (None in (one["old"], one["new"]))
