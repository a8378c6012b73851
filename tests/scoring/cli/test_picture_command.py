"""``treelens picture``: a file that stands alone, and one line where there is none."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NoReturn

import pytest
from treelens.cli import main, picture
from treelens.formats import conll
from treelens.present.pictures import too_large
from treelens.session.document import Document, document
from treelens.trees.forest import Symbols


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["picture", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_an_svg_file_needs_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "a.svg"
    assert run(capsys, folder / "gold", folder / "system", "-o", out)[0] == 0
    text = out.read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in text
    assert "@media" not in text
    labels = ["".join(one.itertext()) for one in root.iter() if one.get("role") == "treeitem"]
    assert "−\u2009NP" in labels
    assert "+\u2009NP" in labels


def test_one_file_alone_and_latex(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, folder / "longer", "--sentence", "2", "--format", "latex")
    assert status == 0
    assert out.startswith("% Sentence 2\n% needs \\usepackage{xcolor} and \\usepackage")
    assert out.count(r"\begin{forest}") == 1
    assert "missing" not in out.partition("uncounted/.style")[2]
    assert run(capsys, folder / "gold", "--fold", "g:0-2.0")[1].count("<polygon") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("gold", "--sentence", "2"), "has no sentence “2”: they are numbered from 1 to 1,"),
        (("gold", "--sentence", "x"), "has no sentence “x”"),
        (("nothing",), "this sentence has no words"),
        (("missing",), "no such file"),
        (("gold", "-o", "directory"), "Is a directory"),
    ],
)
def test_what_is_not_there_is_said_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    here = [one if one.startswith("-") or len(one) < 3 else str(folder / one) for one in arguments]
    status, out, err = run(capsys, *here)
    assert (status, out) == (2, "")
    assert says.lower() in err.lower()
    assert err.count("\n") == 1


@pytest.mark.parametrize("wanted", ["1", "2999", "5000", "word4000"])
def test_a_sentence_is_the_same_whatever_stands_before_it(
    folder: Path, capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    def row(number: int, tag: str) -> str:
        words = "".join(
            f"{at}\tw{number}\t_\t{tag}\t_\t_\t{at - 1}\tdep\t_\t_\n" for at in range(1, 5)
        )
        return f"# sent_id = word{number}\n{words}\n"

    gold = [row(number, "N") for number in range(1, 5001)]
    system = [row(number, "V" if number % 3 else "N") for number in range(1, 5001)]
    del system[2000:2010]
    number = int(wanted.removeprefix("word"))
    for name, text in (("all.g", gold), ("all.s", system), ("one.g", gold[number - 1 : number])):
        (folder / f"{name}.conllu").write_text("".join(text), encoding="utf-8")
    its = row(number, "V" if number % 3 else "N")
    (folder / "one.s.conllu").write_text(its, encoding="utf-8")
    for whole, alone in ((("all.g", "all.s"), ("one.g", "one.s")), (("all.g",), ("one.g",))):
        drawn, one = (
            run(capsys, *(folder / f"{name}.conllu" for name in names), *more)
            for names, more in ((whole, ("-s", wanted, "-l", "own")), (alone, ("-l", "own")))
        )
        assert drawn[0] == one[0] == 0
        assert f"Sentence {number:,} " in drawn[1]
        assert drawn[1].replace(f"Sentence {number:,} ", "Sentence 1 ") == one[1]


@pytest.mark.parametrize("files", [1, 2])
@pytest.mark.parametrize("wanted", ["2", "long"])
def test_of_a_sentence_that_is_too_large_nothing_is_made(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    files: int,
    wanted: str,
) -> None:
    rows = [f"{at}\tw\t_\tX\tX\t_\t{at - 1}\tdep\t_\t_\n" for at in range(1, 2001)]
    texts = [f"# sent_id = short\n{rows[0]}\n", f"# sent_id = long\n{''.join(rows)}\n"]
    file = tmp_path / "a.conllu"
    file.write_text("".join(texts))

    def made(*_: object) -> NoReturn:
        raise AssertionError("something was made of it")

    monkeypatch.setattr(picture, "counted_texts", made)
    monkeypatch.setattr(Document, "tree", made)
    status, out, err = run(capsys, *[file] * files, "--sentence", wanted)
    assert (status, out) == (2, "")
    assert err == (
        f"treelens picture: {file}: sentence 2: This sentence is too large to be drawn: it has "
        "2,000 words and 0 brackets; up to 1,500 and 6,000 are drawn.\n"
    )


def test_of_what_is_too_large_one_is_one() -> None:
    text = f"(S {'(N w) ' * 1501})"
    told = too_large([(document(text.encode(), Symbols()), range(1))])
    assert "it has 1,501 words and 1 bracket; up to" in told


def test_of_a_text_that_is_too_ill_formed_it_is_said_why_there_is_no_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conll, "MOST_CARE", 3)
    file = tmp_path / "a.conllu"
    file.write_text("".join(f"{at}\tw\t_\tX\tX\t_\t9\tdep\t_\t_\n" for at in range(1, 6)))
    status, out, err = run(capsys, file)
    assert (status, out) == (2, "")
    assert err == (
        f"treelens picture: {file}: too much of this text is no well-formed table: what of it is "
        "none from here on, 109 bytes, is not read\n"
    )
