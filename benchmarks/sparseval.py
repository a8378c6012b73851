"""Whole processes, start to exit: ``treelens sparseval`` beside SParseval.

``SPARSEVAL=/path/to/sparseval`` names the C program, and without it there is nothing to compare.
The files are made up: 2,000 sentences of speech, with repairs and filled pauses. Each turn runs
both programs, one after the other; both have to print the same report.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from treelens.rules.head_tables import CHARNIAK
from treelens.rules.heads import head_table_text

from benchmarks.dependency_scorers import compare

SENTENCES = 2_000
PARAMETERS = """\
DELETE_LABEL TOP
DELETE_LABEL ,
DELETE_LABEL .
EMPTY_NODE -NONE-
EQ_LABEL ADVP PRT
EDIT_LABEL EDITED
CLOSED_CLASS IN
CLOSED_CLASS TO
FILLED_PAUSE1 uh
FILLED_PAUSE1 um
FILLED_PAUSE2 mhm
FILLED_PAUSE2 uh-huh
EQ_WORDS is 's
EQ_WORDS have 've
EQ_WORDS a the
"""
_WORDS = {
    "DT": ["the", "a", "this", "that"],
    "NN": [f"{first}{last}" for first in "bdfgk" for last in ("at", "og", "ine", "us", "er")],
    "PRP": ["i", "you", "she", "they", "it"],
    "VBD": ["saw", "had", "went", "put", "took", "said", "was"],
    "IN": ["in", "on", "with", "of", "from"],
    "RB": ["really", "just", "there", "up"],
    "JJ": ["old", "new", "big"],
    "UH": ["uh", "um", "mhm", "uh-huh", "well"],
}


def main() -> None:
    if "SPARSEVAL" not in os.environ:
        print("SPARSEVAL=/path/to/sparseval names the program to compare with")
        return
    with tempfile.TemporaryDirectory() as folder:
        names = _files(Path(folder))
        settings = ["-p", names["parameters"], "-h", names["heads"]]
        for title, options, test in (
            ("same words", [], "same"),
            ("-a", ["-a", names["alignment"]], "other"),
            ("-b", ["-b"], "other"),
            ("-b -c", ["-b", "-c"], "other"),
        ):
            tail = [*settings, *options, names["gold"], names[test]]
            ours = [sys.executable, "-m", "treelens", "sparseval", *tail]
            original = [os.environ["SPARSEVAL"], *tail]
            reports = {subprocess.check_output(command) for command in (ours, original)}
            if len(reports) > 1:
                sys.exit(f"{title}: the reports differ")
            compare(title, ours, original)


def _files(folder: Path) -> dict[str, str]:
    draw = random.Random(7)
    gold = [_sentence(draw) for _ in range(SENTENCES)]
    aligned = [[_heard(leaf, draw) for leaf in sentence] for sentence in gold]
    texts = {
        "parameters": PARAMETERS,
        "heads": head_table_text(CHARNIAK),
        "gold": _lines(gold, draw, 0.0),
        "same": _lines(gold, draw, 0.15),
        "other": _lines([[leaf for _, leaf in each if leaf] for each in aligned], draw, 0.15),
        "alignment": "".join(_aligned(*pair) for each in aligned for pair in each),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: str(folder / name) for name in texts}


_Leaf = tuple[str, str]


def _sentence(draw: random.Random) -> list[_Leaf]:
    def some(*tags: str) -> list[_Leaf]:
        return [(tag, draw.choice(_WORDS[tag])) for tag in tags]

    leaves = some("UH") if draw.random() < 0.3 else []
    leaves += some("PRP") if draw.random() < 0.5 else some("DT", "NN")
    leaves += some("VBD")
    leaves += some("RB") if draw.random() < 0.3 else []
    leaves += some("DT", "JJ", "NN") if draw.random() < 0.5 else some("DT", "NN")
    return leaves + (some("IN", "DT", "NN") if draw.random() < 0.5 else [])


def _heard(leaf: _Leaf, draw: random.Random) -> tuple[_Leaf, _Leaf | None]:
    """A word and what a recogniser makes of it: now and then another, or none."""
    chance = draw.random()
    if chance < 0.05:
        return leaf, None
    if chance < 0.15:
        return leaf, (leaf[0], draw.choice(_WORDS[leaf[0]]))
    return leaf, leaf


def _aligned(gold: _Leaf, test: _Leaf | None) -> str:
    if test is None:
        return f"{gold[1]}\t100\n"
    return f"{gold[1]}\t{test[1]}\t00{int(gold != test)}\n"


def _lines(sentences: list[list[_Leaf]], draw: random.Random, noise: float) -> str:
    trees = (_tree([*each], draw, noise) for each in sentences)
    return "".join(f"(S1 (S {tree} (. .)))\n" for tree in trees)


_PHRASES = {"DT": "NP", "PRP": "NP", "IN": "PP", "VBD": "VP", "UH": "INTJ", "RB": "ADVP"}


def _tree(leaves: list[_Leaf], draw: random.Random, noise: float) -> str:
    """Phrases start with the tags that start them, and verbs and prepositions have the rest."""
    parts: list[str] = []
    while leaves:
        size = 1
        while size < len(leaves) and leaves[size][0] in ("JJ", "NN"):
            size += 1
        tag = leaves[0][0]
        label = "EDITED" if draw.random() < 0.05 else _PHRASES.get(tag, "NP")
        if draw.random() < noise:
            label = draw.choice(("NP", "VP", "ADVP", "S"))
        inside = [f"({tag} {word})" for tag, word in leaves[:size]]
        del leaves[:size]
        if tag in ("VBD", "IN") and leaves and draw.random() >= noise:
            inside.append(_tree(leaves, draw, noise))
            leaves = []
        parts.append(f"({label} {' '.join(inside)})")
    return " ".join(parts)


if __name__ == "__main__":
    main()
