"""Small pairs of files, a handful at a time: each as it is by itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from conll_texts import FORMS, hostile_tables, table_pairs, tables
from hypothesis import example, given
from hypothesis import strategies as st
from treelens.corpus import of_text
from treelens.counting.files import FileCounts
from treelens.counting.small import SmallPair, count_small
from treelens.counting.work import BothRead, CountingTask, read_both
from treelens.metrics import Metric
from treelens.metrics.table import applicable, choose
from treelens.rules.parameters import PRESETS
from treelens.trees.forest import Annotation, encode
from trees import WORDS, hostile, pairs, sentences

STARTS = ("", "", "", "", "# early\n", "\n", " ", "\ufeff", ")", "(")
ENDS = ("", "", "", "", "\n", "\r\n", "# late\n", "\n )\n", "(NP a")
"""What may stand around a text: mostly nothing."""


def metrics(annotation: Annotation) -> tuple[Metric, ...]:
    return choose(["standard"], applicable(annotation, annotation, heads=False)).metrics


@st.composite
def same_sentences(
    draw: st.DrawFn,
    one: Callable[[list[str]], st.SearchStrategy[str]],
    words: Sequence[str],
    between: str,
) -> tuple[str, str]:
    yields = draw(st.lists(st.lists(st.sampled_from(words), min_size=1, max_size=5), max_size=3))
    gold, system = ("".join(draw(one(list(own))) + between for own in yields) for _ in range(2))
    return gold, system


@st.composite
def torn(draw: st.DrawFn, texts: st.SearchStrategy[tuple[str, str]]) -> list[tuple[str, str]]:
    """Files that would be right in one text, and are not by themselves."""
    count = draw(st.integers(2, 4))
    sides = []
    for text in draw(texts):
        places = st.integers(0, len(text))
        cuts = sorted(draw(st.lists(places, min_size=count - 1, max_size=count - 1)))
        parts = [text[a:b] for a, b in itertools.pairwise([0, *cuts, len(text)])]
        sides.append([part + draw(st.sampled_from(["", "\n", "\n\n"])) for part in parts])
    return [*zip(*sides, strict=True)]


@st.composite
def files(
    draw: st.DrawFn,
    one: Callable[[list[str]], st.SearchStrategy[str]],
    others: st.SearchStrategy[tuple[str, str]],
    words: Sequence[str],
    between: str,
) -> tuple[str, str]:
    """Gold and system: mostly of the same sentences, well-formed; or others, or something around
    them."""
    if draw(st.integers(0, 5)) == 0:
        return draw(others)
    gold, system = draw(same_sentences(one, words, between))
    if draw(st.booleans()):
        return gold, system
    around = st.sampled_from(STARTS), st.sampled_from(ENDS)
    gold = draw(around[0]) + gold + draw(around[1])
    return gold, draw(around[0]) + system + draw(around[1])


def as_said(found: FileCounts) -> tuple[object, ...]:
    """Everything, in what can be compared."""
    sums = found.sums._replace(all=found.sums.all.tolist(), short=found.sums.short.tolist())
    return found._replace(sums=sums, rows=None if found.rows is None else found.rows.tolist())


def check(texts: Sequence[tuple[str, str]], annotation: Annotation, *, detail: bool) -> None:
    parameters = PRESETS["default"]
    pairs = [
        SmallPair(
            of_text(f"{number}.gold", encode(gold)),
            of_text(f"{number}.system", encode(system)),
            (annotation, annotation),
            parameters,
            metrics(annotation),
            detail,
            3,
        )
        for number, (gold, system) in enumerate(texts)
    ]
    together = [as_said(one) for one in count_small(pairs)]
    assert together == [as_said(one) for pair in pairs for one in count_small([pair])]


trees = st.tuples(hostile, hostile) | pairs(most=3).map(
    lambda both: ("\n".join([*both[0], ""]), "\n".join([*both[1], ""]))
)


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@given(data=st.data(), detail=st.booleans())
def test_trees_are_counted_as_by_themselves(
    between: str, data: st.DataObject, detail: bool
) -> None:
    some = st.lists(files(sentences, trees, WORDS, between), max_size=5)
    check(data.draw(some), "constituents", detail=detail)


@given(
    st.sampled_from(["\n", "\n\n"]).flatmap(
        lambda between: torn(same_sentences(sentences, WORDS, between))
    )
)
@example([("(S (NN a)\n",) * 2, (")\n(S (NN b))\n",) * 2])
def test_parts_of_trees_are_not_put_together(texts: list[tuple[str, str]]) -> None:
    check(texts, "constituents", detail=True)


@given(torn(same_sentences(tables, FORMS, "")))
def test_parts_of_tables_are_not_put_together(texts: list[tuple[str, str]]) -> None:
    check(texts, "dependencies", detail=True)


@given(
    st.lists(
        files(
            lambda words: tables(words, rich=True),
            st.tuples(hostile_tables, hostile_tables) | table_pairs(most=3, rich=True),
            FORMS,
            "",
        ),
        max_size=5,
    ),
    st.booleans(),
)
def test_tables_are_counted_as_by_themselves(texts: list[tuple[str, str]], detail: bool) -> None:
    check(texts, "dependencies", detail=detail)


def test_what_fits_is_counted_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the laws would say nothing."""
    read: list[int] = []

    def watched(task: CountingTask) -> BothRead:
        found = read_both(task)
        read.append(found.gold.sentences)
        return found

    monkeypatch.setattr("treelens.counting.small.read_both", watched)
    good = ("(S (NN a))\n", "(S (VB a))\n")
    other = ("(S (NN a))\n(S (NN b))\n", "(S (VB b))\n")
    check([good, other, (" (S (NN a))\n",) * 2, good], "constituents", detail=True)
    assert read == [4]
