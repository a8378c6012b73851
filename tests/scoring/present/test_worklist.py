"""The worklist: its order, filters and groups are what looking at every sentence gives."""

from __future__ import annotations

import numpy as np
from conll_texts import table_pairs
from hypothesis import given
from hypothesis import strategies as st
from treelens.formats.table import CONLL, Format
from treelens.metrics import headlines
from treelens.present.queries import Query
from treelens.present.worklist import (
    ListOptions,
    Worklist,
    by_name,
    by_state,
    let_through,
    named_errors,
    of_section,
    ordered,
    step,
    stop,
    worklist,
)
from treelens.present.worklist_lines import entry_of, state_in_words, tooltip
from treelens.present.worklist_page import link_named
from treelens.session.document import Document, document
from treelens.session.inventory import Inventory
from treelens.session.pair import Pair, Side, pair
from treelens.session.review import STATES, Review, Reviewed
from treelens.session.session import Link
from treelens.trees.forest import Symbols, encode
from trees import hostile, pairs

texts = st.one_of(
    pairs().map(lambda two: ("\n".join(two[0]), "\n".join(two[1]), None)),
    table_pairs().map(lambda two: (*two, CONLL)),
)
GOLD = "(S (NP (N we)) (VP (V go)))\n(S (NP (N you)) (V come))\n(S (X it))\n"
SYSTEM = "(S (NP (N we)) (V go))\n(S (XP (N you)) (V come))\n(S (X it))\n"


def made(gold: str, system: str, format: Format | None = None) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols, format) for text in (gold, system)))


def reviewed(of: Document, codes: list[int] | None = None) -> Reviewed:
    code = np.zeros(len(of), np.int8)
    if codes:
        code[:] = (codes * len(of))[: len(of)]
    return Reviewed(code, np.full(len(of), -1, np.int32), ())


def work(of: Pair, codes: list[int] | None = None, side: Side = Side.SYSTEM) -> Worklist:
    return worklist(of, side, {one: reviewed(of.document(one), codes) for one in Side})


def everything(of: Pair) -> dict[Side, np.ndarray]:  # type: ignore[type-arg]
    return {side: np.ones(len(of.document(side)), np.bool_) for side in Side}


def value(of: Pair, group: int) -> float | None:
    ratio = headlines(of.metrics)[0]
    return next(score.value for score in of.scores(group) if score.ratio == ratio)


@given(texts, st.sampled_from(Side), st.lists(st.integers(0, 3), max_size=5))
def test_the_list_is_everything_and_its_scores_rise(
    drawn: tuple[str, str, Format | None], side: Side, codes: list[int]
) -> None:
    of = made(*drawn)
    done = work(of, codes, side)
    flags = let_through(done, ListOptions(), everything(of))
    assert flags.all()
    order = ordered(done, ListOptions(), np.flatnonzero(flags)).tolist()
    assert sorted(order) == list(range(len(of)))
    values = [value(of, group) for group in order]
    is_first = done.broken[order].tolist()
    assert is_first == sorted(is_first, reverse=True)
    for flag in (0, 1):
        there = zip(values, is_first, strict=True)
        scored = [one for one, other in there if one is not None and other == flag]
        assert scored == sorted(scored)
    for entry in (entry_of(done, group) for group in order):
        here = of.document(entry.side)
        assert int(here.start[entry.sentence]) <= entry.place < int(here.start[entry.sentence + 1])
        assert entry.errors == len(of.findings(entry.group))
        assert tooltip(done, entry.group, "")
    tally = done.counts
    assert tally.total == len(of)
    assert tally.left == sum(STATES[code] in ("todo", "changed") for code in done.code.tolist())


@given(texts, st.integers(0, 3), st.floats(0, 100), st.floats(0, 100))
def test_filters_keep_what_a_look_at_each_sentence_keeps(
    drawn: tuple[str, str, Format | None], least: int, low: float, high: float
) -> None:
    of = made(*drawn)
    options = ListOptions(least=least, low=low, high=high)
    found = let_through(work(of), options, everything(of)).tolist()
    for group, kept in enumerate(found):
        score = value(of, group)
        enough = len(of.findings(group)) >= least
        assert kept == (enough and score is not None and low <= score <= high)


@given(texts, st.sampled_from(["labels", "kind", "state"]), st.lists(st.integers(0, 3), max_size=4))
def test_groups_hold_together_all_there_is(
    drawn: tuple[str, str, Format | None], by: str, codes: list[int]
) -> None:
    of = made(*drawn)
    done = work(of, codes)
    flags = np.ones(len(of), np.bool_)
    kinds = Inventory()
    kinds.work(of)
    errors = named_errors(kinds.of(of), of, by)  # type: ignore[arg-type]
    sections = by_state(done, flags) if by == "state" else by_name(done, flags, errors)
    members = {one.key: of_section(done, one.key, by, errors) for one in sections}  # type: ignore[arg-type]
    for section in sections:
        assert section.sentences == int(members[section.key].sum())
        states = [STATES[code] for code in done.code[members[section.key]].tolist()]
        assert section.left == sum(state in ("todo", "changed") for state in states)
    together = np.zeros(len(of), np.bool_)
    for flags in members.values():
        together |= flags
    assert together.tolist() == (
        [True] * len(of) if by == "state" else [bool(of.findings(k)) for k in range(len(of))]
    )


@given(
    texts,
    st.sampled_from(["score", "mismatches", "file"]),
    st.lists(st.sampled_from([0, 1, 3]), max_size=4),
)
def test_steps_visit_what_is_left_in_order_and_back(
    drawn: tuple[str, str, Format | None], order: str, codes: list[int]
) -> None:
    of = made(*drawn)
    done, options = work(of, codes), ListOptions(order=order)  # type: ignore[arg-type]
    flags = np.ones(len(of), np.bool_)
    left = np.flatnonzero(np.isin(done.code, (0, 3)))
    expected = ordered(done, options, left).tolist()
    visited, at = [], None
    while (found := step(done, options, flags, at)) is not None:
        visited.append(found)
        at = stop(done, options, found, None)
    assert visited == expected
    back = []
    while at is not None and (found := step(done, options, flags, at, back=True)) is not None:
        back.append(found)
        at = stop(done, options, found, None)
    assert back == expected[-2::-1]


def test_what_is_broken_comes_first_and_then_what_differs_most() -> None:
    gold = "(S (X (A a)) (Y (B b)) (C c))\n(P (A a1))\n(S (X (Y (A a2))))\n(S (A it))\n"
    system = "(S (P (A a)) (Q (B b)) (C c))\n(Q (A a1))\n(S (X (Y (A a2)))\n(S (A it))\n"
    of = made(gold, system)
    for order, expected in (
        ("score", [2, 1, 0, 3]),
        ("mismatches", [2, 0, 1, 3]),
        ("file", [0, 1, 2, 3]),
    ):
        found = ordered(work(of), ListOptions(order=order), np.arange(4))  # type: ignore[arg-type]
        assert found.tolist() == expected


def test_of_sentences_with_one_score_those_that_differ_come_first() -> None:
    gold = "(S (NP (N we)) (V go))\n(S (NP (N you)) (V go))\n(S (NP-1 (N it)) (V goes))\n"
    system = "(S (NP (N we)) (V go))\n(S (NP-SBJ (N you)) (V go))\n(S (NP-SBJ (N it)) (V goes))\n"
    found = made(gold, system)
    for strict, expected in ((True, [2, 1, 0]), (False, [0, 1, 2])):
        listed = work(found.strictly(strict))
        assert ordered(listed, ListOptions(), np.arange(3)).tolist() == expected


def test_a_mended_sentence_keeps_its_place_until_one_has_left_it() -> None:
    of = made(GOLD, SYSTEM)
    options, flags = ListOptions(), np.ones(3, np.bool_)
    first = step(work(of), options, flags, None)
    assert first is not None
    at = stop(work(of), options, first, None)
    text = of.system.text()
    for wrong, right in ((b"XP", b"NP"), (b"(V go)", b"(VP (V go))")):
        if wrong in of.system.piece_text(of.group(first).system[0]):
            start = text.index(wrong)
            of = of.edit(Side.SYSTEM, *of.system.edit(start, start + len(wrong), right))
    assert not of.findings(first)
    fresh = stop(work(of), options, first, None)
    at = stop(work(of), options, first, at)
    assert at != fresh
    second = step(work(of), options, flags, at)
    assert second is not None
    assert of.findings(second)
    # Had one come there only now, there would be nothing as good behind it but the last.
    assert step(work(of), options, flags, fresh) in (None, 2)


QUERIES = ("the", "DOG", "np", "NP", "X", "é1", "nmod", "wörter", "𝔸𝔹 the", "לא", "", "no such")


@given(texts, st.sampled_from(QUERIES), st.data())
def test_a_query_finds_in_an_edited_text_what_it_finds_in_a_new_one(
    drawn: tuple[str, str, Format | None], text: str, data: st.DataObject
) -> None:
    of = document(encode(drawn[0]), Symbols(), drawn[2])
    before = Query(data.draw(st.sampled_from(QUERIES)))
    before.matching(of)
    query = Query(text, before=before)
    query.matching(of)
    for _ in range(3):
        start, end = sorted(data.draw(st.integers(0, of.length)) for _ in range(2))
        piece = data.draw(st.sampled_from((b"", b"the ", b"(S (NP (DT the)))\n", b"NP")))
        of, _ = of.edit(start, end, piece)
        query.forget(of)
        found = query.matching(of).tolist()
    fresh = document(of.text(), Symbols(), of.format)
    assert found == Query(text).matching(fresh).tolist()


@given(hostile, st.text(max_size=20))
def test_any_query_of_any_text_has_an_answer(text: str, query: str) -> None:
    of = document(encode(text), Symbols())
    assert len(Query(query).matching(of)) == len(of)


def test_queries_find_words_labels_and_ids() -> None:
    of = document(
        b"; id: web-7\n(S (NP-SBJ (DT The) (NN old)) (VP (VB barks)))\n(S (NN dog))\n", Symbols()
    )
    for query, expected in (
        ("the old", [True, False]),
        ("THE O", [True, False]),
        ("he", [False, False]),
        ("NP", [True, False]),
        ("np-sbj", [False, False]),
        ("NN", [True, True]),
        ("WEB-7", [True, False]),
        ("", [True, True]),
    ):
        assert Query(query).matching(of).tolist() == expected, query


def test_states_are_of_the_reviewed_side_or_of_the_other_where_it_lacks_the_sentence() -> None:
    of = made(GOLD + "(S (N alone))\n", SYSTEM)
    states = {
        Side.GOLD: reviewed(of.gold, [2]),
        Side.SYSTEM: reviewed(of.system, [1]),
    }
    assert worklist(of, Side.SYSTEM, states).code.tolist() == [1, 1, 1, 2]
    assert worklist(of, Side.GOLD, states).code.tolist() == [2, 2, 2, 2]


def test_a_tree_beside_a_table_is_the_same_in_words_and_tags_only() -> None:
    symbols = Symbols()
    row = encode("1\tone\t_\tA\t_\t_\t0\troot\t_\t_\n\n")
    mixed = work(pair(document(encode("(S (A one))\n"), symbols), document(row, symbols, CONLL)))
    assert entry_of(mixed, 0).summary == "no mismatch in words and tags"
    assert tooltip(mixed, 0, "").endswith("No mismatch in words and tags")
    assert "–" not in tooltip(mixed, 0, "")
    same = work(made("(S (A one))\n", "(S (A one))\n"))
    assert entry_of(same, 0).summary == ""


def test_what_is_said_above_a_sentence() -> None:
    assert state_in_words(Review()) == ""
    assert state_in_words(Review("checked")) == "✓ checked"
    assert state_in_words(Review("checked", "twice")) == "✓ checked: twice"
    assert state_in_words(Review("question", "why?" * 40)).startswith("? why?")
    assert len(state_in_words(Review("question", "why?" * 40))) < 70
    assert state_in_words(Review("question")) == "? in question"


def test_where_the_pair_that_was_listed_is_gone_another_of_its_files_is_listed() -> None:
    other, kept = Link("anna", "boris"), Link("git:/gold?%7B%22ref%22:%22HEAD%22%7D", "gold")
    listed = "gold", "system"
    assert link_named([other, Link(*listed), kept], listed, None) == Link(*listed)
    assert link_named([other, kept], listed, None) is kept
    assert link_named([other], listed, None) is other
    assert link_named([], listed, None) is None
    assert link_named([other, kept], None, None) is other
    assert link_named([other, kept], listed, "elsewhere") is None
