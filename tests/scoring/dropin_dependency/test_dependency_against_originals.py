"""The user's own originals, when environment variables name them, print what we print.

``EVAL07``, ``EVAL_CONLLX``, ``EVAL_SPMRL``, ``CONLL18`` name the programs. Perl walks its hashes
in the order of their keys here, so that the long report can be compared to the byte; and
conll18_ud_eval.py has its check for a single root. Where an original ends with a message or a
traceback, only standard output and the exit status are compared.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from dependency_programs import (
    ORIGINALS,
    perl_in_order,
    python_with_root_check,
    run_conll,
    run_original,
    run_ud,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from treelens.dropin.conll.dialects import Dialect

MANY = settings(
    max_examples=int(os.environ.get("TREELENS_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
NAMED = [dialect for dialect, name in ORIGINALS.items() if name in os.environ]

WORDS = st.sampled_from(
    ["a", "b", "dog", ".", "«", "a+b", "x*y", "*", "0x01", "é", "שָׁ", ".S", "-5"]
)
TAGS = st.sampled_from(["N", "V", "A+B", "LONGTAG", "_"])
RELATIONS = st.sampled_from(["subj", "obj", "DERIV", "a->b", "a:b", "0x01"])
HEADS = st.integers(0, 6).map(str) | st.sampled_from(["_", "-1", "-9", "99", "01", "1.5"])


@st.composite
def parallel_files(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two files that mostly agree, and are mostly parallel."""
    gold: list[str] = []
    system: list[str] = []
    for _ in range(draw(st.integers(0, 6))):
        for index in range(1, draw(st.integers(1, 6)) + 1):
            start = [str(index), draw(WORDS), "_", draw(TAGS), "_", "_"]
            mine = [draw(HEADS), draw(RELATIONS)]
            its = [draw(HEADS), draw(RELATIONS)] if draw(st.booleans()) else mine
            separator = draw(st.sampled_from(["\t", "\t", "\t", " ", "\t "]))
            gold.append(separator.join([*start, *mine, "_", "_"]))
            system.append(separator.join([*start, *its, "_", "_"]))
        gold.append("")
        system.append("")
    for side in (gold, system):
        side += draw(st.sampled_from([[], [], [], [], [""], ["1\ta"]]))
    return "".join(f"{line}\n" for line in gold).encode(), "".join(
        f"{line}\n" for line in system
    ).encode()


@pytest.mark.skipif(not NAMED, reason="set EVAL07, EVAL_CONLLX, EVAL_SPMRL to compare")
@pytest.mark.parametrize("dialect", NAMED, ids=lambda dialect: dialect.name.decode())
@MANY
@given(parallel_files(), st.lists(st.sampled_from(["-q", "-b", "-p", "-d", "-L"]), max_size=4))
def test_the_perl_programs(
    dialect: Dialect, texts: tuple[bytes, bytes], options: list[str]
) -> None:
    arguments = [*options, "-g", "gold", "-s", "system"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold").write_bytes(texts[0])
        (folder / "system").write_bytes(texts[1])
        command = perl_in_order(os.environ[ORIGINALS[dialect]], folder)
        theirs = run_original([*command, *arguments], folder)
    ours = run_conll(dialect, arguments, {b"gold": texts[0], b"system": texts[1]})
    assert (ours.exit_status, ours.out) == (theirs.exit_status, theirs.out)


PIECES = st.sampled_from(["a", "b", "A", "ab", "aB", "ba"])
FUNCTIONS = st.sampled_from(["nsubj", "case", "det", "obj:x", "aux", "punct"])


@st.composite
def conllu(draw: st.DrawFn, text: str) -> str:
    """A CoNLL-U file with this text: its own tokens, sentences and words."""
    lines: list[str] = []
    rest = text
    while rest:
        size = draw(st.integers(1, len(rest)))
        here, rest = rest[:size], rest[size:]
        lines += [*draw(sentences(here)), ""]
    return "".join(f"{line}\n" for line in lines)


@st.composite
def sentences(draw: st.DrawFn, text: str) -> list[str]:
    tokens: list[tuple[str, list[str]]] = []
    while text:
        size = draw(st.integers(1, 3))
        parts = draw(st.lists(PIECES, max_size=3))
        tokens.append((text[:size], parts if draw(st.booleans()) else []))
        text = text[size:]
    count = sum(len(parts) or 1 for _, parts in tokens)
    root = draw(st.integers(1, count))
    # Following heads leads towards the root; sometimes it does not, and that is a fault.
    heads = [
        0 if word == root else word + (1 if word < root else -1) for word in range(1, count + 1)
    ]
    if draw(st.integers(0, 9)) == 0:
        heads[draw(st.integers(0, count - 1))] = draw(st.integers(-1, count + 1))
    rows: list[str] = []
    word = 0
    for surface, parts in tokens:
        if parts:
            rows.append(f"{word + 1}-{word + len(parts)}\t{surface}" + "\t_" * 8)
        for form in parts or [surface]:
            tag, relation = draw(st.sampled_from("NV")), draw(FUNCTIONS)
            lemma, feats = draw(st.sampled_from("_ab")), draw(st.sampled_from(["_", "Case=Nom"]))
            deps = draw(st.sampled_from(["_", f"{heads[word]}:{relation}", "0:root|1:obj:x"]))
            row = [word + 1, form, lemma, tag, tag, feats, heads[word], relation, deps, "_"]
            rows.append("\t".join(map(str, row)))
            word += 1
    return rows


PAIRS = st.text("abAB", min_size=1, max_size=9).flatmap(
    lambda text: st.tuples(conllu(text), conllu(text))
)


@pytest.mark.skipif("CONLL18" not in os.environ, reason="set CONLL18 to compare")
@MANY
@given(PAIRS, st.sampled_from([[], ["-v"], ["-c"]]))
def test_conll18(texts: tuple[str, str], options: list[str]) -> None:
    arguments = [*options, "gold", "system"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold").write_text(texts[0], encoding="utf-8")
        (folder / "system").write_text(texts[1], encoding="utf-8")
        command = python_with_root_check(os.environ["CONLL18"], folder)
        theirs = run_original([*command, *arguments], folder)
    ours = run_ud("conll18", arguments, {"gold": texts[0], "system": texts[1]})
    assert (ours.exit_status, ours.out) == (theirs.exit_status, theirs.out)
