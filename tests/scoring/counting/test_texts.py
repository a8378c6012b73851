"""Two texts counted in stretches: the groups and counts of the texts taken whole."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from conll_texts import hostile_tables, table_pairs
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from reports import of_pair
from treelens.align import pins
from treelens.align.uncertain import Uncertain
from treelens.corpus import of_text
from treelens.counting import waiting
from treelens.counting.sent import received, sent
from treelens.counting.stretched import Counted, CountingPlan, StretchStart
from treelens.counting.sums import Sums, nothing
from treelens.counting.texts import count
from treelens.counting.work import CountingTask, StreamedText, TaskResult
from treelens.formats.table import sniff
from treelens.metrics.table import METRICS
from treelens.report.content import blocks
from treelens.rules import spelling
from treelens.rules.parameters import PRESETS
from treelens.session.counts import LENGTH
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode
from trees import hostile, pairs


class Whole(NamedTuple):
    """All groups, as rows of where they start and end, their counts, and the sums."""

    groups: list[list[int]]
    rows: npt.NDArray[np.int64]
    lines: list[tuple[int, int]]
    sums: Sums
    problems: tuple[int, int]
    uncertain: list[Uncertain]


def as_sent(
    work: Callable[[CountingTask], TaskResult], tasks: Iterable[CountingTask]
) -> Iterator[TaskResult]:
    """What another process finds."""
    return (received(sent(work(task))) for task in tasks)


def put_together(gold: bytes, system: bytes, size: int, start: Pair) -> Whole:
    """What the stretches come to, put together."""
    sides = [StreamedText(of_text("x", text), sniff(text)) for text in (gold, system)]
    plan = CountingPlan(*sides, start.parameters, start.metrics, detail=True, size=size)
    counted: dict[int, Counted] = {}
    seen: list[StretchStart] = []
    unsure: list[Uncertain] = []
    for one in count(plan, as_sent, seen=seen.append):
        if isinstance(one, Counted):
            counted[one.number] = one
        elif isinstance(one, Uncertain):
            unsure.append(one)
    kept = [one for _, one in sorted(counted.items())]
    groups, lines = [], []
    total = nothing(start.total.shape[0])
    for one in kept:
        piece = one.piece
        shift = [piece.gold_sentence] * 2 + [piece.system_sentence] * 2
        groups += (np.stack(one.groups[:4], axis=1) + shift).tolist()
        lines += [
            (
                one.found.gold.lines[a] + piece.gold_line if b > a else -1,
                one.found.system.lines[c] + piece.system_line if d > c else -1,
            )
            for a, b, c, d in zip(*(column.tolist() for column in one.groups[:4]), strict=True)
        ]
        assert one.found.sums is not None
        total = total.plus(one.found.sums)
    rows = [one.found.rows[:, :LENGTH] for one in kept if one.found.rows is not None]
    problems = (
        sum(piece.found.gold.problem_count for piece in seen),
        sum(piece.found.system.problem_count for piece in seen),
    )
    none = start.tallies()[:0]
    return Whole(groups, np.concatenate([none, *rows]), lines, total, problems, unsure)


_IN_MEMORY = (
    (waiting, "_HELD_BYTES"),
    (waiting, "_WINDOW_BYTES"),
    (waiting, "_TOGETHER"),
    (pins, "_AT_ONCE"),
    (pins, "_SORTED"),
)
"""How much there is at once of what is known of all sentences."""


def check(
    gold_text: str, system_text: str, size: int, alignment: str = "own", few: int | None = None
) -> None:
    """``few``: how much is in memory at once, instead of much."""
    gold, system = (encode(text.lstrip("\ufeff")) for text in (gold_text, system_text))
    parameters = dataclasses.replace(PRESETS["default"], alignment=alignment, cutoff=3)
    symbols = Symbols()
    whole = pair(document(gold, symbols), document(system, symbols), parameters)
    with pytest.MonkeyPatch.context() as patch:
        for module, name in _IN_MEMORY if few else ():
            patch.setattr(module, name, few)
        found = put_together(gold, system, size, whole)
    assert found.groups == np.stack(whole.groups[:4], axis=1).tolist()
    assert np.array_equal(found.rows, whole.tallies())
    assert found.uncertain == whole.uncertain()
    all_, short = blocks(of_pair(whole), parameters, whole.metrics)
    sums = found.sums
    assert (sums.golds, sums.systems) == (len(whole.gold), len(whole.system))
    assert (sums.all.tolist(), sums.short.tolist()) == (all_.total.tolist(), short.total.tolist())
    assert sums.short_golds == short.sentences
    assert sums.pairing == of_pair(whole).pairing
    assert found.problems == (len(whole.gold.problems()), len(whole.system.problems()))
    for number, (gold_line, system_line) in enumerate(found.lines):
        for side, line, sentences in zip(
            (whole.gold, whole.system), (gold_line, system_line), whole.group(number), strict=True
        ):
            forest, row, shift = side.piece(sentences[0]) if sentences else (None, 0, 0)
            if forest:
                assert line == side.line_at(int(forest.tree[row, 0]) + shift)


@pytest.mark.parametrize("alignment", ["own", "jp"])
@given(texts=pairs(most=6), size=st.integers(1, 200), between=st.sampled_from(["\n", "\n\n"]))
def test_stretches_of_trees_are_the_whole(
    alignment: str, texts: tuple[list[str], list[str]], size: int, between: str
) -> None:
    gold, system = (between.join(side) for side in texts)
    check(gold, system, size, alignment)


@examples(20)
@given(table_pairs(most=6), st.integers(1, 300))
def test_stretches_of_tables_are_the_whole(texts: tuple[str, str], size: int) -> None:
    check(*texts, size)


@given(hostile, hostile, st.integers(1, 60))
def test_whatever_the_brackets(gold: str, system: str, size: int) -> None:
    check(gold, system, size)


@given(hostile_tables, hostile_tables, st.integers(1, 200))
@example("", "1\tIt\tit\tPRON\t_\t_\t0\troot\t_\t_\n\n\ufeff", 1)
def test_whatever_the_tables(gold: str, system: str, size: int) -> None:
    check(gold, system, size)


@st.composite
def with_gaps(draw: st.DrawFn) -> tuple[str, str]:
    """Trees of much the same sentences on both sides: some come again, some are on one side only,
    some are cut otherwise or have another word."""
    words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=5)
    sides: tuple[list[str], list[str]] = [], []
    for number in range(draw(st.integers(4, 30))):
        own = draw(words) if draw(st.booleans()) else [f"sentence-number-{number}", *draw(words)]
        kept = draw(st.sampled_from(("both", "both", "both", "both", "gold", "system", "other")))
        for side, lines in zip(("gold", "system"), sides, strict=True):
            if kept in ("both", side):
                lines.append(_tree(own))
            elif kept == "other":
                lines.append(_tree([*own[:2], side]))
    return "".join(sides[0]), "".join(sides[1])


@pytest.mark.parametrize("alignment", ["own", "moved"])
@given(texts=with_gaps(), size=st.integers(1, 900), few=st.integers(1, 9))
def test_however_little_is_in_memory_of_all_sentences(
    alignment: str, texts: tuple[str, str], size: int, few: int
) -> None:
    check(*texts, size, alignment, few)


def _tree(words: list[str]) -> str:
    return "(S " + " ".join(f"(X {word})" for word in words) + ")\n"


@pytest.mark.parametrize("alignment", ["own", "moved"])
@given(texts=with_gaps(), size=st.integers(1, 900))
def test_stretches_of_texts_with_gaps_are_the_whole(
    alignment: str, texts: tuple[str, str], size: int
) -> None:
    check(*texts, size, alignment)


def test_what_is_missing_here_and_there_costs_no_second_look_at_the_rest() -> None:
    """Stretches follow what is missing before them, so that nearly each of some 40 is aligned by
    itself as it is in the whole, and is not counted anew."""
    trees = [_tree([f"word-{number}", *"abcdefgh"[: number % 7 + 1]]) for number in range(4_000)]
    gold = encode("".join(trees))
    system = encode("".join(tree for number, tree in enumerate(trees) if number % 53 != 40))
    sides = [StreamedText(of_text("x", text), sniff(text)) for text in (gold, system)]
    parameters, size = PRESETS["default"], len(gold) // 40
    plan = CountingPlan(*sides, parameters, METRICS[:1], size=size)
    found = [one.number for one in count(plan, map) if isinstance(one, Counted)]
    assert len({*found}) >= 35
    assert len(found) <= len({*found}) + 3


def test_words_of_sentences_that_differ_are_numbered_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    numbers = spelling.numbers

    def counted(texts: list[bytes]) -> object:
        calls.append(texts)
        return numbers(texts)

    monkeypatch.setattr(spelling, "numbers", counted)
    texts = [encode("".join(_tree([f"{word}{n}"]) for n in range(2_000))) for word in "ab"]
    sides = [StreamedText(of_text("x", text), sniff(text)) for text in texts]
    plan = CountingPlan(*sides, PRESETS["default"], METRICS[:1], size=len(texts[0]) // 4)
    assert sum(isinstance(one, Counted) for one in count(plan, map)) >= 4
    assert len(calls) < 100
