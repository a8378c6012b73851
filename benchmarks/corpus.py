"""Files to measure with: real trees where the reference data is, else trees made up for it."""

from __future__ import annotations

import itertools
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


def trees(folder: Path, count: int) -> tuple[Path, Path]:
    """Two files of so many trees each, one a line, gold and system; no line comes twice."""
    real = Path(os.environ.get("TREELENS_SHARED_DATA", _SHARED)) / "parseval" / "icepahc2400"
    if real.is_dir():
        texts = [(real / name).read_text(encoding="utf-8") for name in ("gold.txt", "sys.txt")]
        sides = [text.splitlines() for text in texts]
    else:
        sides = _made_up(2_400)
    files = []
    for name, side in zip(("gold", "system"), sides, strict=True):
        file = folder / f"{count}.{name}.mrg"
        with file.open("w", encoding="utf-8") as written:
            for line in itertools.islice(_varied(side, _TREE_WORD), count):
                written.write(line + "\n")
        files.append(file)
    return files[0], files[1]


_TREE_WORD = re.compile(r"(?<= )[^() ]+(?=\))")
_TABLE_WORD = re.compile(r"(?m)^(\d[\d.-]*\t)([^\t]+)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _varied(side: list[str], word: re.Pattern[str]) -> Iterator[str]:
    """One side's sentences over and over, half of the words each time others, the same for both.

    What is remembered of a sentence or a word that comes again must not count in what is measured.
    """
    yield from side
    for number in itertools.count(1):
        other: dict[str, str] = {}

        def written(
            found: re.Match[str], number: int = number, other: dict[str, str] = other
        ) -> str:
            form = found[0]
            if form not in other:
                draw = random.Random(f"{number} {form}")
                kept = not form.isalpha() or draw.random() < 0.5
                other[form] = form if kept else form[: draw.randrange(3)] + _made_word(draw)
            return other[form]

        for text in side:
            yield word.sub(written, text)


def _made_word(draw: random.Random) -> str:
    # (As many words as a language has, the short ones often.)
    return "".join(draw.choices("abdeghiklmnoprstuvþð", k=draw.choice((2, 2, 3, 3, 4, 5, 7))))


def tables(folder: Path, count: int) -> tuple[Path, Path]:
    """Two CoNLL-U files of about so many sentences each, gold and a parser's from raw text."""
    return _tables(folder, count, "conllu", ("gold.conllu", "system.raw.conllu"))


def conllx_tables(folder: Path, count: int) -> tuple[Path, Path]:
    """The same in CoNLL-X, with the same words on both sides."""
    return _tables(folder, count, "conllx", ("gold.conllx", "system.conllx"))


def _tables(folder: Path, count: int, kind: str, names: tuple[str, str]) -> tuple[Path, Path]:
    real = Path(os.environ.get("TREELENS_SHARED_DATA", _SHARED)) / "dependency" / "en_ewt-dev"
    if real.is_dir():
        sides = [_blocks((real / name).read_text(encoding="utf-8")) for name in names]
    else:
        sides = _made_up_tables(2_000)
    # Whole copies: the two sides do not have the same number of sentences.
    copies = count // len(sides[0])
    files = []
    for name, side in zip(("gold", "system"), sides, strict=True):
        file = folder / f"{count}.{name}.{kind}"
        with file.open("w", encoding="utf-8") as written:
            for number in range(max(copies, 1)):
                written.write(_other_letters("".join(side if copies else side[:count]), number))
        files.append(file)
    return files[0], files[1]


def _other_letters(text: str, number: int) -> str:
    """A table with each letter of its words replaced, so that no sentence comes again: other ones
    for each number, and the same wherever words begin and end."""
    turn = number % len(_LETTERS)
    turned = _LETTERS[turn:] + _LETTERS[:turn]
    other = str.maketrans(_LETTERS + _LETTERS.upper(), turned + turned.upper())
    return _TABLE_WORD.sub(lambda found: found[1] + found[2].translate(other), text)


def _blocks(text: str) -> list[str]:
    return [block + "\n\n" for block in text.split("\n\n") if block.strip()]


def _made_up_tables(count: int) -> list[list[str]]:
    """Random words attached at random; system's heads differ here and there."""
    draw = random.Random(7)
    gold, system = [], []
    for number in range(count):
        size = draw.randint(3, 25)
        rows = [
            ("".join(draw.choices("abdeghiklmn", k=draw.randint(1, 9))), draw.randrange(place + 1))
            for place in range(size)
        ]
        wrong = [(form, 0 if draw.random() < 0.1 else head) for form, head in rows]
        for side, lines in ((gold, rows), (system, wrong)):
            side.append(f"# sent_id = {number}\n" + "".join(_row(*one) for one in enumerate(lines)))
            side[-1] += "\n"
    return [gold, system]


def _row(place: int, word: tuple[str, int]) -> str:
    form, head = word
    relation = "dep" if head else "root"
    return f"{place + 1}\t{form}\t{form}\tX\t_\t_\t{head}\t{relation}\t_\t_\n"


def _made_up(count: int) -> list[list[str]]:
    """Random trees over random words; system's differ from gold's in some brackets."""
    draw = random.Random(7)
    words = [
        "".join(draw.choices("abdeghiklmnoprstuvþð", k=draw.randint(1, 9))) for _ in range(4000)
    ]
    gold, system = [], []
    for _ in range(count):
        leaves = [
            f"({draw.choice(('N', 'V', 'ADV', 'P', 'D', 'C'))} {draw.choice(words)})"
            for _ in range(draw.randint(3, 25))
        ]
        state = draw.getstate()
        gold.append(_tree(list(leaves), draw, 0.0))
        draw.setstate(state)
        system.append(_tree(list(leaves), draw, 0.1))
    return [gold, system]


def _tree(parts: list[str], draw: random.Random, noise: float) -> str:
    while len(parts) > 1:
        start = draw.randrange(len(parts) - 1)
        end = min(len(parts), start + draw.randint(2, 4))
        label = draw.choice(("NP", "VP", "PP", "IP", "CP", "ADVP"))
        if noise and draw.random() < noise:
            label, end = "NP", max(start + 1, end - 1)
        parts[start:end] = [f"({label} {' '.join(parts[start:end])})"]
    return f"(TOP {parts[0]})"
