"""What holds for the errors of any two files."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from conll_texts import hostile_tables
from edit_laws import paired
from hypothesis import given
from hypothesis import strategies as st
from shared import SHARED
from tables import table_pairs
from treelens.compare.comparison import Comparison, wrong_arcs, wrong_tags
from treelens.differences.marks import View
from treelens.errors import CLASSES, Error
from treelens.errors.categories import kinds_of
from treelens.errors.constituents import nowhere
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols
from trees import hostile, pairs

ICEPAHC = SHARED / "parseval" / "icepahc2400"

Texts = tuple[list[str], list[str]]
both = st.one_of(pairs(), table_pairs())


def of(texts: Texts) -> Pair | None:
    """The pair; None where there is no text on either side."""
    gold, system = ("\n".join(side) for side in texts)
    return paired(gold, system) if gold.strip() or system.strip() else None


def all_errors(found: Pair) -> dict[int, tuple[Error, ...]]:
    return dict(found.all_errors())


def unmatched(comparison: Comparison) -> list[list[int]]:
    return [
        (side.brackets.partner < 0).nonzero()[0].tolist()
        for side in (comparison.gold, comparison.system)
    ]


@given(both)
def test_an_error_where_there_is_a_finding_and_nowhere_else(texts: Texts) -> None:
    found = of(texts)
    for group in range(len(found) if found else 0):
        assert found is not None
        assert bool(found.errors(group)) == bool(found.findings(group))


@given(both)
def test_errors_account_for_every_bracket_that_parseval_does_not_match(texts: Texts) -> None:
    found = of(texts)
    for group in range(len(found) if found else 0):
        assert found is not None
        wrong = unmatched(found.comparison(group))
        assert sum(error.brackets for error in found.errors(group)) == sum(map(len, wrong))


@given(pairs())
def test_each_such_bracket_is_marked_in_one_error(texts: Texts) -> None:
    found = of(texts)
    for group in range(len(found) if found else 0):
        assert found is not None
        comparison, errors = found.comparison(group), found.errors(group)
        if any(error.kind.endswith("Sentence") for error in errors):
            continue
        for side, document_, brackets, ranges, marks in (
            (
                comparison.gold,
                found.gold,
                unmatched(comparison)[0],
                found.group(group).gold,
                [mark for error in errors for mark in error.gold],
            ),
            (
                comparison.system,
                found.system,
                unmatched(comparison)[1],
                found.group(group).system,
                [mark for error in errors for mark in error.system],
            ),
        ):
            places = Counter((mark.start, mark.end) for mark in marks)
            view, lost = View(side), nowhere(side.brackets)
            for bracket in set(brackets) - set(lost):
                label = view.at_bracket(bracket)
                base = int(document_.start[ranges[label.sentence]])
                assert places[label.start + base, label.end + base] == 1


@given(table_pairs())
def test_each_word_with_a_wrong_head_or_relation_is_of_one_error(texts: Texts) -> None:
    found = of(texts)
    for group in range(len(found) if found else 0):
        assert found is not None
        gold = found.comparison(group).gold
        if gold.arcs is None:
            continue
        other = {"Tag", "Morphology", "Different Words", "Missing Sentence", "Extra Sentence"}
        errors = found.errors(group)
        attached = [error for error in errors if error.kind not in other]
        wrong = wrong_arcs(gold.words, gold.arcs).sum()
        assert sum(error.words for error in attached) == wrong
        lines = [mark.span for error in attached for mark in error.gold]
        if len(found.group(group).gold) == 1:
            assert len(lines) == len(set(lines)) == wrong
        tags = [error for error in errors if error.kind == "Tag"]
        assert len(tags) == wrong_tags(gold.words).sum()


@given(both)
def test_a_group_alone_has_the_errors_that_it_has_among_others(texts: Texts) -> None:
    found = of(texts)
    if found is not None:
        alone = {group: found.errors(group) for group in range(len(found))}
        assert all_errors(found) == {group: errors for group, errors in alone.items() if errors}
        again = of(texts)
        assert again is not None
        assert all_errors(again) == all_errors(found)


@given(both)
def test_what_is_counted_is_what_is_told(texts: Texts) -> None:
    found = of(texts)
    if found is not None:
        counted = {group: Counter(errors) for group, errors in found.counted_errors()}
        assert counted == {
            group: Counter(error.counted for error in errors)
            for group, errors in found.all_errors()
        }


@given(pairs(), st.integers(1, 9))
def test_what_labels_are_called_matters_to_no_error_but_by_their_kind(
    texts: Texts, salt: int
) -> None:
    """Two files of the same shapes, one after the other: what is remembered of the first is true
    of the second."""
    for sides in (texts, tuple([_renamed(one, salt) for one in side] for side in texts)):
        test_what_is_counted_is_what_is_told.hypothesis.inner_test(sides)  # type: ignore[attr-defined]


def _renamed(tree: str, salt: int) -> str:
    """With other names for whatever is of no kind."""

    def other(found: re.Match[str]) -> str:
        name = found[1]
        return f"({name}" if kinds_of(name.split("-")[0]) else f"(X{salt}{name}"

    return re.sub(r"\(([^\s()]+)", other, tree)


@given(both)
def test_marks_are_places_of_the_documents(texts: Texts) -> None:
    found = of(texts)
    for errors in all_errors(found).values() if found else ():
        assert found is not None
        for error in errors:
            assert error.kind in CLASSES or error.kind.endswith(" Attachment")
            assert error.gold or error.system
            for marks, side in ((error.gold, found.gold), (error.system, found.system)):
                assert all(0 <= mark.start < mark.end <= side.length for mark in marks)


@given(*[st.one_of(hostile, hostile_tables)] * 2)
def test_whatever_the_texts_there_are_answers(gold: str, system: str) -> None:
    found = of(([gold], [system]))
    for group in range(len(found) if found else 0):
        assert found is not None
        assert bool(found.errors(group)) == bool(found.findings(group))


@pytest.mark.skipif(not ICEPAHC.is_dir(), reason="shared reference data is absent")
def test_a_real_parser_is_classed_to_the_last_bracket() -> None:
    symbols = Symbols()
    gold, system = (
        document((ICEPAHC / name).read_bytes(), symbols) for name in ("gold.txt", "sys.txt")
    )
    found = pair(gold, system)
    errors = [error for of_group in all_errors(found).values() for error in of_group]
    kinds = Counter(error.kind for error in errors)
    assert "Not Classified" not in kinds
    wrong = sum(len(side) for one in found.comparisons() for side in unmatched(one))
    counted = Counter(error for _, of_group in found.counted_errors() for error in of_group)
    assert counted == Counter(error.counted for error in errors)
    assert sum(error.brackets for error in errors) == wrong
    assert kinds["Single Word Phrase"] > kinds["PP Attachment"] > kinds["NP Internal Structure"] > 0
