"""The session: whatever happens to its documents, its pairs are what a fresh start would give."""

from __future__ import annotations

from drawn import sitting, snapshot
from hypothesis import given
from hypothesis import strategies as st
from treelens.session.document import document
from treelens.session.pair import Pair, aligned, pair, with_counts
from treelens.session.session import Link, Session
from treelens.session.view import View
from treelens.trees.forest import Symbols, encode

LINK = Link("gold.mrg", "system.mrg")
TREE = "(S (NP (N we)) (VP (V go)))\n"

edits = st.tuples(
    st.sampled_from(["gold.mrg", "system.mrg"]),
    st.integers(0, 120),
    st.integers(0, 6),
    st.sampled_from(["", "(", ")", "X", "\n", "(S (N a))\n", TREE]),
)


def totals(found: Pair | None) -> list[float | None]:
    assert found is not None
    return [score.value for score in found.scores()]


def apply(session: Session, name: str, start: int, length: int, text: str) -> None:
    known = session.document(name)
    assert known is not None
    start = min(start, known.length)
    session.edit(name, start, min(start + length, known.length), encode(text))


def fresh(session: Session) -> Pair:
    other = Session()
    documents = []
    for name in LINK[:2]:
        known = session.document(name)
        assert known is not None
        documents.append(document(known.text(), other.symbols, known.format))
    return pair(*documents)


@given(st.lists(edits, max_size=6))
def test_after_any_edits_the_totals_are_those_of_a_fresh_start(
    changes: list[tuple[str, int, int, str]],
) -> None:
    session = sitting(TREE * 4, TREE * 4)
    for change in changes:
        apply(session, *change)
    assert totals(session.pair(LINK)) == totals(fresh(session))


@given(st.lists(edits, max_size=6), st.integers(0, 6))
def test_what_is_edited_while_a_pair_is_computed_is_made_up_for(
    changes: list[tuple[str, int, int, str]], before: int
) -> None:
    session = Session()
    for name in LINK[:2]:
        session.put(name, document(encode(TREE * 4), session.symbols))
    session.link([LINK])
    for change in changes[:before]:
        apply(session, *change)
    (job,) = session.jobs()
    assert session.jobs() == []
    for change in changes[before:]:
        apply(session, *change)
    assert session.pair(LINK) is None
    assert session.settle(job, pair(job.gold, job.system))
    assert totals(session.pair(LINK)) == totals(fresh(session))


@given(st.lists(edits, max_size=6), st.integers(0, 6))
def test_what_is_in_view_is_there_before_the_rest_and_follows_edits(
    changes: list[tuple[str, int, int, str]], before: int
) -> None:
    session = Session()
    for name, text in zip(LINK[:2], (TREE * 4, TREE.replace("NP", "PP") * 4), strict=True):
        session.put(name, document(encode(text), session.symbols))
    session.link([LINK])
    (job,) = session.jobs()
    start = aligned(job.gold, job.system)
    for change in changes[:before]:
        apply(session, *change)
    assert session.preview(job, with_counts(start, range(1, 2)))
    assert session.pair(LINK) is None
    for change in changes[before:]:
        apply(session, *change)
    (shown,) = snapshot(session).counterparts
    assert not shown.complete
    assert len(shown.pair) == len(fresh(session))
    if not changes:
        assert shown.pair.mismatching().tolist() == [False, True, False, False]
    assert session.settle(job, with_counts(start))
    assert totals(session.pair(LINK)) == totals(fresh(session))


def test_a_pair_of_nothing_is_computed_to_its_end() -> None:
    nothing = document(b"", Symbols())
    shares: list[float] = []
    assert len(pair(nothing, nothing, progress=shares.append)) == 0
    assert all(0 <= share <= 1 for share in shares)


def test_a_pair_of_documents_that_are_not_the_same_any_more_is_not_taken() -> None:
    session = sitting(TREE, TREE)
    session.put("gold.mrg", document(encode(TREE), session.symbols))
    (job,) = session.jobs()
    session.put("gold.mrg", document(encode(TREE * 2), session.symbols))
    assert not session.settle(job, pair(job.gold, job.system))
    assert session.pair(LINK) is None
    assert len(session.jobs()) == 1


def test_a_snapshot_is_the_same_until_something_about_it_changes() -> None:
    session = sitting(TREE, TREE)
    gold, system = snapshot(session), snapshot(session, "system.mrg")
    assert snapshot(session) is gold
    apply(session, "gold.mrg", 4, 2, "VP")
    assert snapshot(session) is not gold
    assert snapshot(session, "system.mrg") is not system
    assert gold.document.text() == encode(TREE)


def test_links_that_go_take_their_pairs_and_those_that_stay_keep_them() -> None:
    session = sitting(TREE, TREE, TREE)
    kept = session.pair(LINK)
    session.link([LINK])
    assert session.pair(LINK) is kept
    assert [one.name for one in snapshot(session).counterparts] == ["system.mrg"]
    session.link([])
    assert snapshot(session).counterparts == ()


def test_a_document_is_not_compared_with_itself() -> None:
    session = sitting(TREE, TREE)
    session.link([Link("gold.mrg", "gold.mrg")])
    assert session.links == ()


def test_a_document_that_goes_and_comes_back_is_paired_again() -> None:
    session = sitting(TREE, TREE)
    session.drop("system.mrg")
    assert session.snapshot("system.mrg") is None
    assert snapshot(session).counterparts == ()
    session.put("system.mrg", document(encode(TREE), session.symbols))
    assert len(session.jobs()) == 1


def test_the_view_stays_on_its_sentences_when_others_come_before_them() -> None:
    session = sitting(TREE * 9, TREE)
    session.look("gold.mrg", range(1), range(5, 7))
    session.edit("gold.mrg", 0, 0, encode(TREE * 2))
    assert snapshot(session).visible == View.of(range(1), range(7, 9))
    session.edit("gold.mrg", 0, len(TREE), b"")
    assert snapshot(session).visible == View.of(range(1), range(6, 8))


def test_a_file_can_be_gold_of_one_and_system_of_another() -> None:
    session = sitting(TREE, TREE)
    session.put("third.mrg", document(encode(TREE), session.symbols))
    session.link([LINK, Link("system.mrg", "third.mrg")])
    for job in session.jobs():
        session.settle(job, pair(job.gold, job.system))
    sides = {one.name: one.side.value for one in snapshot(session, "system.mrg").counterparts}
    assert sides == {"gold.mrg": "system", "third.mrg": "gold"}


def test_while_one_is_heard_alone_the_others_are_quiet() -> None:
    session = Session()
    session.is_heard_alone = lambda name: name.startswith("old")
    for name in ("old.mrg", "gold.mrg", "work.mrg"):
        session.put(name, document(encode(TREE), session.symbols))
    both = [Link("gold.mrg", "work.mrg"), Link("old.mrg", "work.mrg")]
    for links, heard in ((both, ["old.mrg"]), (both[:1], ["gold.mrg"])):
        session.link(links)
        for job in session.jobs():
            session.settle(job, pair(job.gold, job.system))
        assert [one.name for one in snapshot(session, "work.mrg").marked] == heard
        assert [one.name for one in snapshot(session, "gold.mrg").marked] == ["work.mrg"]
