"""Whatever the texts and wherever one asks, every feature answers, with places in the text."""

from __future__ import annotations

import re

from conll_texts import hostile_segments, hostile_tables, table_pairs, tables
from drawn import sitting, snapshot
from hypothesis import given
from hypothesis import strategies as st
from treelens.formats.table import CONLLUL, LATTICE, MAPPING, SEGMENTATION, Format
from treelens.present.abreast import abreast
from treelens.present.answering import answering
from treelens.present.completions import completions
from treelens.present.counterpart import counterparts
from treelens.present.diagnostics import diagnostics
from treelens.present.folds import folds
from treelens.present.heads import dependents, head
from treelens.present.highlights import highlights
from treelens.present.hints import hints
from treelens.present.hovers import hover
from treelens.present.lenses import lenses, title
from treelens.present.linked import linked
from treelens.present.navigate import next_mismatch, previous_mismatch
from treelens.present.on_type import on_type
from treelens.present.renaming import renaming
from treelens.present.selections import selections
from treelens.present.symbols import symbols
from treelens.present.tokens import tokens
from treelens.session.session import Session, Snapshot
from trees import hostile, pairs, sentences

texts = st.one_of(
    st.tuples(hostile, hostile),
    pairs().map(lambda sides: ("\n".join(sides[0]), "\n".join(sides[1]))),
    table_pairs(),
    st.tuples(hostile_tables, hostile_tables),
    st.tuples(tables(), sentences()),
)


@given(texts, st.integers(0, 500))
def test_every_feature_answers_inside_of_the_text(both: tuple[str, str], at: int) -> None:
    check_every_feature(sitting(*both), at)


@given(
    st.tuples(hostile_segments, hostile_segments),
    st.sampled_from([LATTICE, MAPPING, SEGMENTATION, CONLLUL]),
    st.integers(0, 200),
)
def test_every_feature_answers_about_segments(
    both: tuple[str, str], format: Format, at: int
) -> None:
    check_every_feature(sitting(*both, format=format), at)


def check_every_feature(session: Session, at: int) -> None:
    for name, other in (("gold.mrg", "system.mrg"), ("system.mrg", "gold.mrg")):
        here = snapshot(session, name)
        length = here.document.length
        for start, end in spans(here, at % (length + 1)):
            assert 0 <= start <= end <= length
        there = snapshot(session, other).document.length
        for place in counterparts(here, at % (length + 1)):
            assert 0 <= place.start <= place.end <= there
        for one in answering(here, at % (length + 1)):
            assert 0 <= one.whole_start <= one.start <= one.end <= one.whole_end <= there
        for stop in (stop for one in abreast(here, 0, length) for stop in one.stops):
            assert 0 <= stop.here <= length
            assert 0 <= stop.there <= there
        for diagnostic in diagnostics(here):
            assert all(0 <= one.start <= one.end <= there for one in diagnostic.related)
        assert all(title(here, one.sentence, one.other) for one in lenses(here))


def spans(here: Snapshot, offset: int) -> list[tuple[int, int]]:
    """Every place that any feature speaks of."""
    length = here.document.length
    found = [*folds(here), *selections(here, offset)]
    found += [one[:2] for one in highlights(here, offset)]
    found += [span for span in [head(here, offset)] if span]
    found += linked(here, offset)
    found += [one[2:4] for one in completions(here, offset)]
    found += [one.name[2:] for one in [renaming(here, offset)] if one]
    found += [one[:2] for typed in ("\n", ")") for one in on_type(here, offset, typed)]
    found += dependents(here, offset) or []
    for mark in (next_mismatch(here, offset), previous_mismatch(here, offset)):
        found += [mark] if mark else []
    hovered = hover(here, offset)
    found += [(hovered.start, hovered.end)] if hovered else []
    # A terminal would obey what a sentence's words have in them.
    assert not hovered or not re.search(r"[\0-\x09\x0b-\x1f\x7f-\x9f]", hovered.markdown)
    found += [(one.start, one.end) for one in tokens(here, 0, length)]
    found += [
        (one.offset, one.offset) for one in (*hints(here, 0, length, heads=True), *lenses(here))
    ]
    for one in symbols(here):
        found += [one[3:5], one[5:7], *(child[3:5] for child in one.children)]
    # What is said about the file as a whole is marked at its first character.
    return found + [one[:2] for one in diagnostics(here) if one.code != "more-mismatches"]
