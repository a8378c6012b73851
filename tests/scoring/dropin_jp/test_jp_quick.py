"""Reading piece by piece gives what the model gives, line by line."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jp_strategies import WORDS, lines, parameters
from treelens.dropin.jp.quick import Pieces, reader
from treelens.dropin.jp.reading import read_sentence
from treelens.dropin.jp.settings import COLLINS, Settings, read_parameters

SETTINGS = st.one_of(
    st.just(Settings()),
    st.just(COLLINS),
    parameters().map(lambda text: read_parameters(text, as_evalb=False)),
)
TREES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).flatmap(lines)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A tree with a few characters put in or taken out."""
    line = draw(TREES)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line)))
        piece = draw(st.sampled_from(["(", ")", " ", "x", "\\", "(X ", "\u00a0", ""]))
        line = line[:at] + piece + line[at + draw(st.integers(0, 2)) :]
    return line.strip()


@given(st.one_of(TREES, damaged(), st.text("() aN\\.\t")), SETTINGS, st.booleans())
@example("(S (NP (NN a) ) )", COLLINS, True)
@example(r"(S (NN \() (NN a\)b) (NN 1\/2))", Settings(), True)
@example("(TOP (S (NN a)) (. .))", COLLINS, True)
@example("(TOP (NN a) (NN b))", COLLINS, False)
@example("(. .)", COLLINS, True)
@example("(S1 (TOP-2 (S1-X (NN a))))", Settings(), False)
@example("(S (NN a)) b)", Settings(), True)
@example(r"(TO\(NN a))", Settings(), True)
@example(r"(S (TO\\(NN a)))", Settings(), True)
def test_quick_reading_is_reading(line: str, settings: Settings, is_gold: bool) -> None:
    line = line.strip()
    problems: dict[str, str] = {}
    quick = reader(Pieces(settings), is_gold, problems)(line)
    sentence, problem = read_sentence(line, settings, is_gold)
    assert sorted(quick.brackets) == sorted(sentence.brackets)
    assert quick._replace(brackets=()) == sentence._replace(brackets=())
    assert problems.get(line) == problem


@pytest.mark.parametrize(
    "line", ["\0" * 200_000, "(N a" + ")" * 200_000, "(N " + "\\x" * 99_000 + ")"]
)
def test_a_long_word_takes_no_more_than_some_of_itself(line: str) -> None:
    tracemalloc.start()
    reader(Pieces(COLLINS), False, {})(line)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 25 * len(line)
