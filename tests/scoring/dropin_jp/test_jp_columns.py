"""Many pairs at once are counted as each is alone, to the last byte that is printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jp_runs import Outcome, run
from jp_strategies import LABELS, OPTIONS, TAGS, parameters, treebanks
from test_jp_goldens import ICEPAHC
from treelens.cli import forked
from treelens.cli.forked import Item, Parts
from treelens.dropin.jp import columns, stretches
from treelens.dropin.jp.columns import is_plain

DOG = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n"
CAT = "(TOP (S (NP (DT no) (NN cat)) (VP (VBD slept)) (. .)))\n"
BARE = "(TOP (NP (A 1)))\n"


def both(
    gold: str, system: str, *options: str, prm: str = "", block: int = 100
) -> tuple[Outcome, Outcome]:
    """What is printed of all pairs one by one, and with as many as possible at once. block: bytes
    of gold's that are looked at together."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stretches, "_ENOUGH_BYTES", 1 << 30)
        alone = run(gold, system, *options, prm=prm)
        patched.setattr(stretches, "_ENOUGH_BYTES", 0)
        patched.setattr(columns, "BLOCK_BYTES", block)
        return alone, run(gold, system, *options, prm=prm)


@pytest.mark.skipif(not ICEPAHC.is_dir(), reason=f"no reference data: {ICEPAHC}")
@pytest.mark.parametrize("name", ["empty", "ident", "sentmerge", "tokmerge"])
@pytest.mark.parametrize("options", [[], ["-evalb"]])
def test_real_treebanks_are_counted_as_the_script_does(name: str, options: list[str]) -> None:
    folder = ICEPAHC / "variants"
    texts = [(folder / each).read_text("utf-8") for each in ("gold.txt", f"{name}.sys.txt")]
    # (Some twenty real trees are a block; one by one they would take twenty times as long.)
    alone, at_once = both(*texts, *options, block=5_000)
    assert at_once == alone


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, str]:
    """Treebanks with a few characters put in or taken out."""
    sides = list(draw(treebanks()))
    for _ in range(draw(st.integers(0, 3))):
        side = draw(st.integers(0, 1))
        at = draw(st.integers(0, len(sides[side])))
        piece = draw(
            st.sampled_from(
                ["(", ")", " ", "x", "\\", "(X ", "\u00a0", "\n", "\r\n", "\0", "\u2028"]
            )
        )
        end = at + draw(st.integers(0, 2))
        sides[side] = sides[side][:at] + piece + sides[side][end:]
    return sides[0], sides[1]


def joined(*trees: str) -> str:
    return f"(TOP {' '.join(map(str.strip, trees))})\n"


@given(st.one_of(treebanks(), damaged()))
@example((DOG, DOG))
@example((DOG * 3, DOG.rstrip() + "\n\n" + DOG))
@example((DOG, DOG.replace("NN", "DT").replace("the", "THE")))
@example(("(S (A x) (A x) (B x))\n", "(S (B x) (A x) (A x))\n"))
@example(("(S (NP (NP (A x)) (A y)) (A z))\n", "(S (A x) (NP (A y) (A z)) (S1 (A w)))\n"))
@example(("(S1 (A x) (TOP (NP-X (A y))))\n", "(S1 (A x) (TOP (NP-X (A y))))\n"))
@example(("(A x)\n", "(A x)\n"))
@example(("", DOG))
@example(
    (DOG * 2 + CAT + DOG * 3 + CAT, f"(TOP {DOG.rstrip()} {DOG.rstrip()})\n{CAT}{DOG * 3}{CAT}")
)
@example((CAT + DOG * 3 + BARE, DOG * 2 + CAT + BARE.replace("1)", "1) (B 2)")))
@example((DOG + CAT * 2, DOG + CAT.replace("(NN cat)", "(NN c) (NN at)") * 2))
def test_many_pairs_are_counted_as_each_is_alone(texts: tuple[str, str]) -> None:
    alone, at_once = both(*texts)
    assert at_once == alone


@st.composite
def relabelled(draw: st.DrawFn) -> tuple[str, str]:
    """A treebank, and the same with a few other labels."""
    gold = system = draw(treebanks())[0]
    for _ in range(draw(st.integers(0, 3))):
        found = draw(st.sampled_from(list(re.finditer(r"\(([^\s()]+)", system))))
        label = draw(st.sampled_from([*LABELS, *TAGS]))
        system = system[: found.start(1)] + label + system[found.end(1) :]
    return gold, system


ANY_PARAMETERS = st.one_of(st.just(""), parameters())


@given(st.one_of(treebanks(), relabelled(), damaged()), OPTIONS, ANY_PARAMETERS)
@example((DOG * 2, DOG.replace("(. barks", "(. x") * 2), ["-evalb"], "")
@example((DOG, DOG.replace("(. .)", "(NN .)")), ["-evalb"], "")
@example((DOG, DOG), ["x.prm"], "DELETE_LABEL NP\n")
@example(("(NP (DT x))\n", "(NP (DT x))\n"), ["x.prm"], "DELETE_LABEL NP\n")
@example(("(NP (S (, x)) (A y))\n", "(NP (S (, x)) (A y))\n"), ["-evalb"], "")
@example(
    ("(S (ADVP (PRT (A x))) (B y))\n", "(S (PRT (ADVP (A x))) (B y))\n"),
    ["x.prm"],
    "EQ_LABEL ADVP PRT\n",
)
@example(
    ("(S (ADVP (A x)) (B y))\n", "(S (PRT (A x)) (B y))\n"),
    ["x.prm"],
    "EQ_LABEL ADVP PRT\nEQ_LABEL PRT ADVP\n",
)
def test_they_are_whatever_the_parameters(
    texts: tuple[str, str], options: list[str], prm: str
) -> None:
    alone, at_once = both(*texts, *options, prm=prm)
    assert at_once == alone


def test_lines_that_are_nested_too_deeply_for_columns_are_left_to_others() -> None:
    deep = "(A " * 40_000 + "(B x)" + ")" * 40_000 + "\n"
    alone, at_once = both(DOG + deep, DOG + deep)
    assert at_once == alone
    assert at_once.counts == [(3, 3, 3), (1, 40_000, 40_000)]


def test_processes_that_fall_out_of_step_give_what_one_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cats = [DOG.replace("dog", f"cat{number}") for number in range(400)]
    gold, system = "".join(cats), "".join(cats[:100] + cats[101:250] + [DOG] + cats[250:])
    alone, in_turn = both(gold, system)
    assert in_turn == alone
    shares: list[int] = []

    def share_out(
        work: Callable[[Item], Parts], items: Callable[[], Iterable[Item]], count: int
    ) -> Iterator[tuple[Item, Parts]]:
        shares.append(count)
        return forked.share_out(work, items, count)

    monkeypatch.setattr(forked, "_processors", lambda: 2)
    monkeypatch.setattr(stretches, "_ENOUGH_BYTES", 0)
    monkeypatch.setattr(columns, "BLOCK_BYTES", 1000)
    assert run(gold, system, share_out=share_out) == alone
    assert max(shares) > 8


def test_little_is_counted_in_vain_where_gaps_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (f"{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}" for number in range(4000))
    # (The walk finds no way back where all sentences are equally long, and not always else.)
    cats = [DOG.replace("dog", name * (1 + at % 7)) for at, name in enumerate(names)]
    gold = "".join(cats)
    system = "".join(cat for number, cat in enumerate(cats, 1) if number % 100 or number > 500)
    pairs: list[int] = []
    count = columns._counted

    def counted(*arguments: Any) -> Any:
        first, end = arguments[2]
        pairs.append(end - first)
        return count(*arguments)

    def share_out(
        work: Callable[[Item], Parts], items: Callable[[], Iterable[Item]], count: int
    ) -> Iterator[tuple[Item, Parts]]:
        # As processes do that are ahead.
        yield from [(item, work(item)) for item in items()]

    monkeypatch.setattr(columns, "_counted", counted)
    monkeypatch.setattr(columns, "BLOCK_BYTES", 4000)
    monkeypatch.setattr(stretches, "STRETCH_BYTES", 1 << 16)
    run(gold, system, share_out=share_out)
    assert 0.9 * len(cats) < sum(pairs) < 1.5 * len(cats)


@pytest.mark.parametrize(
    "text",
    [r"(A \()", r"(A \))", "(A\u00a0x)", "(A\u2028x)", "(A\u3000x)", "(A\u1680x)", "(A\u205fx)"]
    + [f"(A{blank}x)" for blank in "\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\u2000\u200a\u202f"],
)
def test_what_others_take_for_blanks_or_brackets_is_left_to_them(text: str) -> None:
    assert not is_plain(text.encode())


def test_every_blank_of_python_is_plain_or_known_not_to_be() -> None:
    blanks = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    plain = [blank for blank in blanks if is_plain(f"(A{blank}x)".encode())]
    assert plain == ["\t", "\n", " "]
    breaks = [chr(code) for code in range(0xD800) if len(f"a{chr(code)}b".splitlines()) > 1]
    assert [each for each in breaks if is_plain(each.encode())] == ["\n"]
    assert is_plain("(A \u00e9\u2019\u00ab\u3042\u1e00\\/)".encode())
    assert not is_plain(b"(A \xff)")
