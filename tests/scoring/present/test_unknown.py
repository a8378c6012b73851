"""Names that nobody else uses: when something is said of them, and when nothing is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from drawn import alone
from hypothesis import given
from hypothesis import strategies as st
from tables import tables
from treelens.edits.text import applied
from treelens.present.actions import actions, prepared
from treelens.present.diagnostics import diagnostics
from treelens.present.unknown import unknown
from treelens.session.declared import DeclaredLabels
from treelens.session.document import document
from treelens.session.session import Session
from treelens.session.view import View
from treelens.session.vocabulary import LabelKind, NamePart, Vocabulary, vocabulary
from treelens.trees.forest import encode
from trees import hostile, sentences

PENN = "(S (NP-SBJ (PRP we)) (VP (VBP see) (NP (DT the) (NN sea))))\n"


def told(text: str, labels: DeclaredLabels | None = None) -> list[str]:
    snapshot = alone(text)
    if labels:
        snapshot = replace(snapshot, labels=labels)
    return [one.message for one in unknown(snapshot, range(len(snapshot.document)))]


def test_a_label_that_is_not_on_the_list_that_the_file_follows() -> None:
    text = PENN * 120 + PENN.replace("(NP (", "(NO (").replace("SBJ", "SJB")
    assert told(text) == [
        "the function tag SJB is none of the Penn Treebank’s, and rare here (1×): "
        "did you mean SBJ?",
        "the label NO is none of the Penn Treebank’s, and rare here (1×): did you mean NP or NX?",
    ]


def test_all_in_view_are_pointed_out_and_of_the_others_the_nearest() -> None:
    declared = DeclaredLabels(categories=frozenset({"S"}))
    snapshot = replace(alone("(S (A a) (B b))\n(S (X (A a)))\n" * 100), labels=declared)
    whole = range(len(snapshot.document))
    for visible, found in ((range(60, 190), range(60, 190)), (range(120, 124), range(72, 172))):
        names = unknown(replace(snapshot, visible=View.of(visible)), whole)
        text = snapshot.document.text()
        lines = [text.count(b"\n", 0, one.start) for one in names]
        assert lines == [one for one in found if one % 2]


def test_labels_on_the_list_are_known_however_rare() -> None:
    rare = "(S (NX (NNS a)) (UCP-BNF (FW b)) (WHADVP (WRB c)))\n"
    assert told(PENN * 40 + rare) == []


def test_nothing_is_said_of_small_files_nor_of_what_is_near_to_nothing() -> None:
    assert told(PENN * 5 + PENN.replace("(NP (", "(NO (")) == []
    assert told(PENN * 40 + PENN.replace("(NP (", "(QUESTION (")) == []
    assert told(PENN * 40 + 3 * PENN.replace("(NP (", "(NO (")) == []


def own(label: str, other: str = "relative") -> str:
    return f"({label} (noun a) ({other} (noun b)))\n"


def test_without_a_list_a_name_is_rare_in_a_large_file_only() -> None:
    slip = own("sentence", "realtive") + own("sentence", "phrase1") + own("sentence", "phrase2")
    assert told(own("sentence") * 500 + slip) == []
    assert told(own("sentence") * 3000 + slip) == [
        "the label realtive is used only once among 6,006 labels: did you mean relative?"
    ]


def test_numbers_make_names_that_are_meant_to_differ() -> None:
    assert told(own("sentence", "phrase1") * 3000 + own("sentence", "phrase2")) == []


ROW = "1\tword\tword\t{}\tX\t{}\t0\t{}\t_\t_\n\n"


def test_tables_follow_universal_dependencies_or_not() -> None:
    plain = ROW.format("NOUN", "Number=Sing|Case=Nom", "root") + ROW.format(
        "X", "Foo=Bar", "nmod:x"
    )
    slip = ROW.format("NOUM", "Numbr=Sing|Case=Nom", "nmodd:x")
    rare = "is none of Universal Dependencies’, and rare here (1×): did you mean"
    assert told(plain * 150 + slip) == [
        f"the tag NOUM {rare} NOUN or NUM?",
        f"the feature Numbr {rare} Number?",
        f"the relation nmodd:x {rare} nmod:x?",
    ]
    other = ROW.format("Noun", "_", "subject") * 100 + ROW.format("Nuon", "_", "subjcet")
    assert told(other) == []


def test_what_is_declared_is_all_there_is() -> None:
    labels = DeclaredLabels(categories=frozenset({"S", "NP", "VP"}), tags=frozenset())
    found = told("(S (NX (N a)) (QUESTION-SBJ (N b)))\n", labels)
    assert found[0] == (
        "the label NX is not among those that treelens.toml declares: did you mean NP?"
    )
    assert found[2] == "the label QUESTION is not among those that treelens.toml declares"
    assert len(found) == 4
    assert told("(S (NP (N a)))\n", DeclaredLabels(categories=labels.categories)) == []


def test_each_name_nearby_is_a_quick_fix_and_the_first_is_preferred() -> None:
    text = PENN.replace("(NP (", "(NO (") + PENN * 40
    found = alone(text)
    (said,) = [one for one in diagnostics(found) if one.code == "unknown-label"]
    assert (said.severity, text[said.start : said.end]) == ("information", "NO")
    fixes = [one for one in actions(found, said.start, said.end) if one.code == "unknown-label"]
    assert [(one.title, one.preferred) for one in fixes] == [
        ("Change NO to NP", True),
        ("Change NO to NX", False),
    ]
    made = prepared(found, fixes[0].recipe)
    assert made
    assert applied(encode(text), made.edits) == encode(PENN * 41)


@given(st.one_of(hostile, tables(), sentences()))
def test_any_text_is_looked_through(text: str) -> None:
    declared = DeclaredLabels(*[frozenset({"NP"})] * 5)
    source = encode(text)
    for one in unknown(replace(alone(text), labels=declared), range(len(alone(text).document))):
        assert source[one.start : one.end] == encode(one.name)


PARTS: tuple[NamePart, ...] = ("category", "function", "tag", "relation", "feature", "value")
KINDS: tuple[LabelKind, ...] = ("label", "tag", "xpos", "relation")


@pytest.mark.parametrize("first", [True, False])
@given(
    text=st.lists(st.one_of(sentences(), hostile), max_size=3).map("\n".join) | tables(),
    edits=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 20), hostile), max_size=3),
)
def test_what_is_counted_by_edits_is_what_is_counted_anew(
    first: bool, text: str, edits: list[tuple[int, int, str]]
) -> None:
    session = Session()
    session.put("a", document(encode(text), session.symbols))
    for at, length, new in edits:
        if first:
            ask(session)
        known = session.document("a")
        assert known is not None
        start = min(at, known.length)
        session.edit("a", start, min(start + length, known.length), encode(new))
    now = session.document("a")
    assert now is not None
    fresh = Vocabulary(now)
    assert ask(session) == (
        [fresh.names(part).all() for part in PARTS],
        [vocabulary(now, kind) for kind in KINDS],
    )


def ask(session: Session) -> tuple[list[Counter[str]], list[Counter[str]]]:
    found = session.snapshot("a")
    assert found
    (one,) = found.vocabularies
    return (
        [one.names(part).all() for part in PARTS],
        [one.labels(kind).all() for kind in KINDS],
    )
