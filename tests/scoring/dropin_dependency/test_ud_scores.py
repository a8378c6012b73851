"""The UD metrics on small files: expectations worked out by hand, and what is quick against
what is plain."""

from __future__ import annotations

import io

import pytest
from dependency_programs import run_ud
from hypothesis import given
from hypothesis import strategies as st
from test_dependency_against_originals import PAIRS
from test_ud_faults import GOOD, sentence
from treelens.dropin.ud import pieces, program, table
from treelens.dropin.ud.alignment import align, common_subsequence
from treelens.dropin.ud.careful import read_carefully
from treelens.dropin.ud.enhanced import evaluate_enhanced
from treelens.dropin.ud.quick import read_quickly
from treelens.dropin.ud.scores import evaluate
from treelens.dropin.ud.treebank import Rules, Treebank


def bank(text: str) -> Treebank:
    return read_carefully(text, Rules())


def counts(gold: str, system: str, *options: str, program: str = "conll18") -> dict[str, list[str]]:
    done = run_ud(program, ["-c", *options, "gold", "system"], {"gold": gold, "system": system})
    assert done.exit_status == 0, done.err
    rows = [row.split("|") for row in done.out.decode().splitlines()[2:]]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}


def test_words_of_other_tokens_are_not_aligned() -> None:
    gold = sentence("1 ab 0 root", "2 c 1 obj", "3 d 2 det")
    system = sentence("1 a 0 root", "2 b 1 dep", "3 c 1 obj", "4 d 3 det")
    found = counts(gold, system)
    assert found["Tokens"] == ["2", "3", "4", ""]
    assert found["Sentences"] == ["1", "1", "1", ""]
    assert found["Words"] == ["2", "3", "4", "2"]
    assert found["UAS"] == ["1", "3", "4", "2"]  # c's head is not aligned, d's is c


def test_relations_count_without_subtypes_and_lemmas_may_be_unknown() -> None:
    gold = sentence("1 a 0 root x", "2 b 1 nsubj:pass _", "3 c 1 obj y")
    system = sentence("1 a 0 root x", "2 b 1 nsubj q", "3 c 1 iobj z")
    found = counts(gold, system)
    assert (found["LAS"][0], found["UAS"][0], found["Lemmas"][0]) == ("2", "3", "2")
    assert found["BLEX"] == ["2", "3", "3", "3"]


def test_function_words_must_be_right_for_their_head_to_be() -> None:
    gold = sentence("1 the 2 det", "2 dog 0 root")
    assert counts(gold, gold)["MLAS"] == ["1", "1", "1", "1"]
    system = gold.replace("det", "case")
    found = counts(gold, system)
    assert (found["CLAS"][0], found["MLAS"][0]) == ("1", "0")


def test_words_inside_multiword_tokens_are_paired_by_form() -> None:
    gold = sentence("1-3 abc _", "1 a 0", "2 B 1", "3 c 1")
    system = sentence("1-2 abc _", "1 b 0", "2 c 1")
    pairs = align(bank(gold), bank(system))
    assert (pairs.gold, pairs.system) == ([1, 2], [0, 1])


def test_enhanced_dependencies_count_pair_by_pair() -> None:
    gold = sentence("1 a 0 root _ 0:root", "2 b 1 obj _ 1:obj:in|1:nmod")
    system = sentence("1 a 0 root _ 0:root", "2 b 1 obj _ 1:obj|2:nmod|1.1:x")
    found = counts(gold, system, program="udeval")
    assert found["ELAS"] == ["1", "3", "3", ""]
    assert found["EULAS"] == ["2", "3", "3", ""]
    assert counts(gold, system, "--enhancements", "6", program="udeval")["ELAS"][0] == "1"


@pytest.mark.parametrize(
    ("gold", "system", "pairs"),
    [
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("ab", "ba", [(1, 0)]),  # nothing is lost without gold's a
        ("aab", "ab", [(0, 0), (2, 1)]),  # an equal pair is taken at once
        ("", "a", []),
    ],
)
def test_ties_between_longest_common_subsequences(
    gold: str, system: str, pairs: list[tuple[int, int]]
) -> None:
    assert common_subsequence(list(gold), list(system)) == pairs


def longest(gold: str, system: str) -> int:
    """The plain recursion."""
    if not gold or not system:
        return 0
    if gold[0] == system[0]:
        return 1 + longest(gold[1:], system[1:])
    return max(longest(gold[1:], system), longest(gold, system[1:]))


@given(st.text("ab", max_size=7), st.text("abc", max_size=7))
def test_a_common_subsequence_is_the_longest(gold: str, system: str) -> None:
    pairs = common_subsequence(list(gold), list(system))
    assert all(gold[mine] == system[its] for mine, its in pairs)
    assert pairs == sorted(set(pairs))
    assert len(pairs) == longest(gold, system)


CELLS = st.sampled_from(["_", "0", "1", "2", "1-2", "2.1", "x", "a", "a b", "\u3000", ""])
ROWS = st.lists(CELLS, min_size=10, max_size=10) | st.lists(CELLS, max_size=11)
GOOD_ROWS = st.integers(1, 4).map(
    lambda size: "\n".join(
        f"{index}\ta b\tl\tN\tn\tCase=Nom|X=y\t{index - 1}\tobj:x\t_\t_"
        for index in range(1, size + 1)
    )
)


@given(
    st.lists(
        GOOD_ROWS
        | ROWS.map("\t".join)
        | st.sampled_from(["", "# c", "1-2\tab" + "\t_" * 8])
        | GOOD_ROWS.map(lambda rows: rows + "\n")
    )
)
def test_quick_reading_is_careful_reading(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    quick = read_quickly(text.encode(), Rules())
    careful = read_carefully(text, Rules())
    assert quick is None or not careful.problems
    if quick is not None:
        assert (quick.words, quick.forms, quick.ends) == (
            careful.words,
            careful.forms,
            careful.ends,
        )
        assert [(each.words, each.tokens) for each in quick.sentences] == [
            (each.words, each.tokens) for each in careful.sentences
        ]


def test_what_is_plain_is_read_quickly() -> None:
    text = GOOD + sentence("1-2 del _", "1 de 3", "2 el 3", "3 mar 0", name="x")
    text += sentence("0.1 e _", "1-3 a\u00a0b _", "1 a 0", "1.1 e _", "2 b 1", "3 \u3000c 2")
    quick = read_quickly(text.encode(), Rules())
    assert quick is not None
    careful = read_carefully(text, Rules())
    assert quick[:3] == careful[:3]
    assert (quick.words.form[3:], quick.forms[3:]) == (
        ["de", "el", "mar", "a", "b", "\u3000c"],
        ["del", "mar", "ab"],
    )


@pytest.mark.parametrize(
    "rows",
    [
        ["1-3 abc _", "1 a 0", "2 b 1"],  # its last word would be in the next sentence
        ["1-2 ab _", "2-3 bc _", "1 a 0", "2 b 1", "3 c 1"],
        ["1-1x a _", "1 a 0"],
        ["2-1 a _", "1 a 0"],
        ["1 a 2", "2 b 1", "3 c 0"],
        ["1 a 0", "3 b 1"],
        ["1 a 0", "2 b 0"],
        ["1 a 0", "2 b 3"],
        ["1 a 0", "# late", "2 b 1"],
    ],
)
def test_what_is_not_plain_needs_care(rows: list[str]) -> None:
    rows = [row if row.startswith("#") else sentence(row).strip() for row in rows]
    text = GOOD + "".join(f"{row}\n" for row in rows) + "\n" + GOOD
    assert read_quickly(text.encode(), Rules()) is None


@pytest.mark.parametrize("name", ["conll18", "udeval"])
@given(texts=PAIRS, size=st.integers(1, 200))
def test_pieces_add_up(name: str, texts: tuple[str, str], size: int) -> None:
    """Whatever the cuts, the scores are those of both files read with care."""
    gold, system = (f"{text}{GOOD}{text}" for text in texts)
    alone = evaluate_carefully(gold, system, enhanced=name == "udeval")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "_SIZE", size)
        patch.setattr(pieces, "_LONG", 1)
        patch.setattr(pieces, "_READ", size // 3 + 1)
        patch.setattr(program, "_AT_ONCE", 3)
        done = run_ud(name, ["-c", "gold", "system"], {"gold": gold, "system": system})
    if alone is None:
        assert done.exit_status == 1
    else:
        assert done.out.decode() == alone


def evaluate_carefully(gold: str, system: str, *, enhanced: bool = False) -> str | None:
    banks = [read_carefully(text, Rules(enhanced=enhanced)) for text in (gold, system)]
    if any(each.problems for each in banks):
        return None
    alignment = align(banks[0], banks[1])
    scores = evaluate(banks[0], banks[1], alignment)
    if enhanced:
        scores |= evaluate_enhanced(banks[0], banks[1], alignment, "0")
    return "".join(f"{line}\n" for line in table.counts(scores))


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_cut_at_the_wrong_place_is_mended(wrong: int, monkeypatch: pytest.MonkeyPatch) -> None:
    good = sentence("1 a 0", "2 b 1"), sentence("1 c 0"), sentence("1 d 0", "2 e 1")
    parts = [text.encode() for text in good]
    cuts = [pieces.Piece(parts[0], parts[0])] * 2
    cuts += [pieces.Piece(parts[0] + parts[1], b"".join(parts)), pieces.Piece(parts[2], b"")][
        :wrong
    ]
    cuts += [pieces.Piece(parts[1], parts[1])] * 3
    monkeypatch.setattr(program, "pieces", lambda *_: cuts)
    gold, system = (b"".join(each).decode() for each in zip(*cuts, strict=True))
    done = run_ud("conll18", ["-c", "gold", "system"], {"gold": gold, "system": system})
    assert (done.exit_status, bool(done.err)) == (wrong % 2, wrong == 1)
    if wrong == 2:
        assert done.out.decode() == evaluate_carefully(gold, system)


def test_pieces_stay_small_where_what_is_missing_stands_together() -> None:
    gold = [sentence(*(f"{at} w{n}.{at} {at - 1}" for at in range(1, 9))) for n in range(6000)]
    texts = ["".join(some).encode() for some in (gold, gold[300:])]
    cuts = [*pieces.pieces(*map(io.BytesIO, texts))]
    assert [b"".join(side) for side in zip(*cuts, strict=True)] == texts
    assert max(len(cut.gold) for cut in cuts) < 1 << 19 < len(texts[0]) // 2
