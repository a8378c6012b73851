"""Scores of dependencies: those of the field's scorers on real files, and cases by hand."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from shared import SHARED
from treelens.metrics import attachment, multiword, universal
from treelens.metrics.table import applicable
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode

DEPENDENCY = SHARED / "dependency"
TREEBANKS = ("en_ewt-dev", "fr_sequoia-dev")

real = pytest.mark.skipif(not DEPENDENCY.exists(), reason="no shared data")


@functools.lru_cache(maxsize=2)
def compared(gold: Path, system: Path) -> Pair:
    symbols = Symbols()
    documents = [document(path.read_bytes(), symbols) for path in (gold, system)]
    metrics = (attachment.METRIC, universal.METRIC)
    return pair(documents[0], documents[1], metrics=metrics)


def values(found: Pair) -> dict[str, float | None]:
    return {score.ratio.name: score.value for score in found.scores()}


@real
@pytest.mark.parametrize("words", ["goldtok", "raw"])
@pytest.mark.parametrize("treebank", TREEBANKS)
def test_scores_are_those_of_conll18(treebank: str, words: str) -> None:
    folder = DEPENDENCY / treebank
    found = values(compared(folder / "gold.conllu", folder / f"system.{words}.conllu"))
    lines = (folder / "expected" / f"{words}.conll18-v.out").read_text().splitlines()
    rows = {line.split("|")[0].strip(): [c.strip() for c in line.split("|")] for line in lines}
    names = ["UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX"]
    assert {name: f"{found[name]:.2f}" for name in names} == {name: rows[name][3] for name in names}
    for name in ("UAS", "LAS"):
        assert f"{found[f'{name}-precision']:.2f}" == rows[name][1]
        assert f"{found[f'{name}-recall']:.2f}" == rows[name][2]


@real
@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("eval07-q.out", ("LAS-subtypes", "UAS", "LA-subtypes")),
        ("eval07-q-p.out", ("LAS-plain-subtypes", "UAS-plain", "LA-plain-subtypes")),
        ("eval_conllx-q.out", ("LAS-plain-subtypes", "UAS-plain", "LA-plain-subtypes")),
        ("eval_conllx-q-p.out", ("LAS-subtypes", "UAS", "LA-subtypes")),
    ],
)
@pytest.mark.parametrize("treebank", TREEBANKS)
def test_counts_are_those_of_the_conll_scorers(
    treebank: str, file: str, names: tuple[str, ...]
) -> None:
    folder = DEPENDENCY / treebank
    found = compared(folder / "gold.conllx", folder / "system.conllx")
    by_name = {score.ratio.name: score for score in found.scores()}
    lines = (folder / "expected" / file).read_text().strip().splitlines()
    for name, line in zip(names, lines, strict=True):
        right, all_, printed = re.findall(r"[\d.]+", line.split(":")[1].replace("* 100", ""))
        score = by_name[name]
        # Both sides have the same words: each is counted on either.
        assert (score.numerator, score.denominator) == (2 * int(right), 2 * int(all_))
        assert f"{score.value:.2f}" == printed


@real
def test_multiword_expressions_are_those_of_the_example() -> None:
    symbols = Symbols()
    folder = SHARED / "mwe"
    documents = [
        document((folder / f"ex.{side}.conll").read_bytes(), symbols) for side in ("gold", "sys")
    ]
    found = pair(documents[0], documents[1], metrics=(multiword.METRIC,))
    by_name = {score.ratio.name: score for score in found.scores()}
    kinds = {"MWE": "MWE", "MWE+POS": "MWE-POS", "COMP": "MWE-components"}
    for line in (folder / "ex.expected").read_text().splitlines():
        name, *rest = line.split()
        match, gold, system, *shares = map(float, rest[1::2])
        kind = kinds[name]
        recall, precision, f1 = (by_name[f"{kind}{s}"] for s in ("-recall", "-precision", ""))
        assert (recall.numerator, recall.denominator) == (match, gold)
        assert (precision.numerator, precision.denominator) == (match, system)
        printed = [f"{(score.value or 0) / 100:.4f}" for score in (recall, precision, f1)]
        assert printed == [f"{share:.4f}" for share in shares]


# --- by hand ---------------------------------------------------------------------------------


def table(*rows: str) -> str:
    """Rows are ``FORM HEAD RELATION [FEATURES]``, or an ID range and a form."""
    lines, number = [], 0
    for row in rows:
        cells = row.split(" ")
        if re.fullmatch(r"\d+-\d+", cells[0]):
            lines.append(f"{cells[0]}\t{cells[1]}" + "\t_" * 8)
            continue
        number += 1
        form, head, relation, features = [*cells, "_"][:4]
        lines.append(f"{number}\t{form}\t_\tX\tX\t{features}\t{head}\t{relation}\t_\t_")
    return "\n".join([*lines, "", ""])


def score(gold: str, system: str) -> dict[str, tuple[int, int]]:
    symbols = Symbols()
    documents = [document(encode(text), symbols) for text in (gold, system)]
    found = pair(documents[0], documents[1], metrics=applicable("dependencies"))
    return {s.ratio.name: (s.numerator, s.denominator) for s in found.scores()}


GOLD = table("a 2 det", "b 3 nsubj", "c 0 root", "d 3 obj")


@pytest.mark.parametrize(
    ("system", "right", "near"),
    [
        (GOLD, 4, 4),
        # b and c turned round: each hangs at what hung at it, or at the root, its head's head.
        (table("a 2 det", "b 0 root", "c 2 nsubj", "d 3 obj"), 2, 4),
        # a at its head's head.
        (table("a 3 det", "b 3 nsubj", "c 0 root", "d 3 obj"), 3, 4),
        # d at its sister b; a at d: neither is near.
        (table("a 4 det", "b 3 nsubj", "c 0 root", "d 2 obj"), 2, 2),
        # The root below its dependent's dependent is not near.
        (table("a 0 root", "b 3 nsubj", "c 1 dep", "d 3 obj"), 2, 2),
    ],
)
def test_neutral_edge_direction(system: str, right: int, near: int) -> None:
    found = score(GOLD, system)
    assert found["UAS-recall"] == (right, 4)
    assert found["NED"] == (2 * near, 8)


def test_words_without_heads_need_not_be_right() -> None:
    found = score(table("a _ _", "b 0 root"), table("a 2 det", "b 0 root"))
    assert found["UAS-recall"] == (1, 1)
    assert found["UAS-precision"] == (1, 2)
    assert score(table("a _ _"), table("a _ _"))["UAS"] == (0, 0)


def test_words_are_aligned_inside_their_token() -> None:
    gold = table("go 0 root", "2-3 del", "de 3 case", "el 1 obl")
    # The token is one word there: it is neither of its parts.
    found = score(gold, table("go 0 root", "del 1 obl"))
    assert found["UAS-recall"] == (1, 3)
    assert found["UAS-precision"] == (1, 2)
    # The same parts, written otherwise.
    found = score(gold, table("go 0 root", "2-3 del", "De 3 case", "El 1 obl"))
    assert found["LAS"] == (6, 6)


def test_punctuation_is_left_out_where_a_score_says_so() -> None:
    gold = table("a 0 root", ", 1 punct", "… 1 punct", "a, 1 dep")
    system = table("a 0 root", ", 4 punct", "… 4 punct", "a, 1 dep:x")
    found = score(gold, system)
    assert found["UAS"] == (4, 8)
    assert found["UAS-plain"] == (4, 4)
    assert found["LAS-plain"] == (4, 4)
    assert found["LAS-plain-subtypes"] == (2, 4)
    assert found["LA-subtypes"] == (6, 8)
    assert found["LA-plain-subtypes"] == (2, 4)


def test_an_expression_needs_all_of_its_words_and_its_tag() -> None:
    gold = table("x 0 root", "a 1 mod mwehead=N+", "b 2 dep_cpd", "c 2 dep_cpd")
    found = score(gold, table("x 0 root", "a 1 mod mwehead=P+", "b 2 dep_cpd", "c 2 dep_cpd"))
    assert (found["MWE"], found["MWE-POS"], found["MWE-components"]) == ((2, 2), (0, 2), (4, 4))
    found = score(gold, table("x 0 root", "a 1 mod mwehead=N+", "b 2 dep_cpd", "c 2 obj"))
    assert (found["MWE"], found["MWE-components"]) == ((0, 2), (2, 3))
    # The same words below another head: found, with other components.
    found = score(gold, table("x 0 root", "a 3 dep_cpd", "b 1 mod mwehead=N+", "c 3 dep_cpd"))
    assert (found["MWE"], found["MWE-POS"], found["MWE-components"]) == ((2, 2), (2, 2), (0, 4))
    # Nothing there.
    found = score(table("x 0 root"), table("x 0 root"))
    assert found["MWE"] == found["MWE-components"] == (0, 0)
    # A word that system lacks.
    found = score(gold, table("x 0 root", "a 1 mod mwehead=N+", "b 2 dep_cpd"))
    assert (found["MWE"], found["MWE-components"]) == ((0, 2), (2, 3))


def test_expressions_of_constituents() -> None:
    def count(gold: str, system: str) -> dict[str, tuple[int, int]]:
        symbols = Symbols()
        documents = [document(encode(text), symbols) for text in (gold, system)]
        found = pair(documents[0], documents[1], metrics=(multiword.METRIC,))
        return {s.ratio.name: (s.numerator, s.denominator) for s in found.scores()}

    gold = "(S (MWN+-SUJ (N pomme) (P de) (N terre)) (V dort) (. .))"
    assert count(gold, gold)["MWE-POS"] == (2, 2)
    found = count(gold, "(S (MWA+ (N pomme) (P de) (N terre)) (V dort) (. .))")
    assert (found["MWE"], found["MWE-POS"], found["MWE-components"]) == ((2, 2), (0, 2), (4, 4))
    found = count(gold, "(S (MWN+ (N pomme) (P de)) (N terre) (V dort) (. .))")
    assert (found["MWE"], found["MWE-components-recall"]) == ((0, 2), (1, 2))
    # Against dependencies.
    system = table("pomme 4 suj mwehead=MWN+", "de 1 dep_cpd", "terre 1 dep_cpd", "dort 0 root",
                   ". 4 ponct")  # fmt: skip
    assert count(gold, system)["MWE-POS"] == (2, 2)
    assert count(gold, system)["MWE-components"] == (4, 4)
