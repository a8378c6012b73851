"""What an adjudicator is shown and offered, over a session of three files."""

from __future__ import annotations

from typing import Literal

import numpy as np
from treelens.adjudication.actions import take_recipe
from treelens.adjudication.adjudication import AdjudicationTask, roles
from treelens.adjudication.adjudications import (
    AdjudicationOverlay,
    Adjudications,
    adjudication_of,
    links_of,
)
from treelens.adjudication.status import adjudicated
from treelens.edits.text import applied
from treelens.present.actions import Recipe, prepared
from treelens.present.diagnostics import diagnostics
from treelens.present.hints import hints
from treelens.present.navigate import MismatchPlace
from treelens.session.document import document
from treelens.session.pair import Side, pair
from treelens.session.review import Reviewed
from treelens.session.session import Session, Snapshot
from treelens.trees.forest import encode

THREE = AdjudicationTask("file:///t/anna/x.mrg", "file:///t/boris/x.mrg", "file:///t/gold/x.mrg")
ANNA = (
    "(S (NP (D a) (N b)) (VP (V c)))\n"
    "(S (NP (N you)))\n"
    "(S (NP (D a) (N e)) (VP (V f)))\n"
    "(S (NP (D a) (N g)) (VP (V h)))\n"
)
BORIS = (
    "(S (NP (D a) (N b)) (XP (V c)))\n"
    "(S (NP (N you)))\n"
    "(S (NP (D a) (N e)) (XP (V f)))\n"
    "(S (D a) (N g) (XP (V h)))\n"
)


class Desk:
    def __init__(
        self,
        settled: str = ANNA,
        checked: tuple[int, ...] = (),
        annotators: tuple[str, str] = (ANNA, BORIS),
    ) -> None:
        self.session = Session()
        self.adjudications = Adjudications(
            self.session, lambda name: self.said if name == THREE.adjudicated else None
        )
        self.session.overlay = self.adjudications.overlay
        for name, text in zip(THREE[:3], (*annotators, settled), strict=True):
            self.session.put(name, document(encode(text), self.session.symbols))
        self.check(*checked)
        self.session.link(links_of(THREE))
        self.adjudications.put([THREE])
        for job in self.session.jobs():
            self.session.settle(job, pair(job.gold, job.system, job.link.parameters))

    def check(self, *sentences: int) -> None:
        code = np.zeros(4, np.int8)
        code[[*sentences]] = 1
        self.said = Reviewed(code, np.full(4, -1, np.int32), ())

    @property
    def text(self) -> str:
        found = self.session.document(THREE.adjudicated)
        assert found is not None
        return found.text().decode()

    def snapshot(self, name: str = THREE.adjudicated) -> Snapshot:
        found = self.session.snapshot(name)
        assert found is not None
        return found

    @property
    def overlay(self) -> AdjudicationOverlay:
        found = self.snapshot().overlay
        assert isinstance(found, AdjudicationOverlay)
        return found

    def step(self, offset: int, by: Literal[1, -1]) -> MismatchPlace | None:
        return self.overlay.step(self.snapshot(), offset, by)

    def take(self, offset: int, side: Side) -> Recipe | None:
        return take_recipe(self.snapshot(), self.overlay.now, offset, side)

    def do(self, at: str, title: str) -> str:
        """The text once an action at the end of some text was chosen."""
        snapshot, offset = self.snapshot(), self.text.index(at) + len(at)
        (action,) = (
            one for one in self.overlay.actions(snapshot, offset, offset) if one.title == title
        )
        made = prepared(snapshot, action.recipe)
        assert made is not None
        assert made.name == THREE.adjudicated
        return applied(self.text.encode(), made.edits).decode()


def test_files_are_called_by_what_tells_them_apart() -> None:
    assert roles(THREE) == ("anna", "boris", "gold")
    assert roles(AdjudicationTask("a/x.anna.mrg", "a/x.boris.mrg")) == (
        "anna",
        "boris",
        "adjudicated",
    )
    assert roles(AdjudicationTask("a/b/x%20y.mrg", "a/c/x%20y.mrg", "a/b c/x%20y.mrg"))[:2] == (
        "b",
        "c",
    )
    assert roles(AdjudicationTask("a/x.mrg", "b/y.mrg")) == ("a/x", "b/y", "adjudicated")
    assert roles(AdjudicationTask("x", "x"))[0] == "the first annotator"


def test_open_disagreements_are_marked_in_the_adjudicated_file_only() -> None:
    desk = Desk()
    found = desk.overlay.marks(desk.snapshot(), 100)
    assert [(desk.text[one.start : one.end], one.message) for one in found] == [
        ("(VP", "boris has XP here, not VP"),
        ("(VP", "boris has XP here, not VP"),
        ("(NP", "boris has no NP over “a g”"),
        ("(VP", "boris has XP here, not VP"),
    ]
    assert [one.message for one in found] == [
        one.message for one in diagnostics(desk.snapshot(THREE.first))
    ]
    assert adjudication_of(desk.snapshot(THREE.second)) is None
    assert len(diagnostics(desk.snapshot())) == 4
    assert [there.name for there in found[0].related] == [THREE.first, THREE.second]


def test_all_that_is_open_in_view_is_marked() -> None:
    desk = Desk()
    desk.session.look(THREE.adjudicated, range(2, 4))
    found = desk.overlay.marks(desk.snapshot(), 1)
    lines = [(desk.text.count("\n", 0, one.start), one.listed) for one in found]
    assert lines == [(0, True), (2, False), (3, False), (3, False)]


def test_a_line_above_says_what_is_open() -> None:
    mixed = ANNA.replace("(VP (V h))", "(XP (V h))")
    desk = Desk(mixed, checked=(2,))
    lines = [desk.overlay.lens(sentence) for sentence in range(4)]
    assert lines == [
        "1 open · boris: XP",
        "anna and boris agree",
        "settled",
        "1 open · 1 settled · only anna",
    ]
    assert Desk(BORIS).overlay.lens(3) == "all 2 settled"


def test_a_line_above_says_that_sentences_are_cut_otherwise() -> None:
    """Of which nothing is ever open: all else may be settled."""
    row = "{}\t{}\t_\tV\t_\t_\t{}\troot\t_\t_\n".format
    anna = f"{row(1, 'see', 0)}{row(2, 'go', 1)}\n"
    boris = f"{row(1, 'see', 0)}\n{row(1, 'go', 0)}\n"
    said = "1 sentence of anna, 2 of boris"
    desk = Desk(anna, annotators=(anna, boris))
    assert desk.overlay.lens(0) == f"1 open · {said} · boris: the root"
    desk = Desk(boris, annotators=(anna, boris))
    assert [desk.overlay.lens(one) for one in range(2)] == [f"settled · {said}"] * 2


def test_a_line_above_says_who_has_what_of_all_that_is_open() -> None:
    """Enhanced dependencies and comments too, and how many there are more."""
    anna = (
        "# text = a b\n1\ta\ta\tN\t_\t_\t2\tobj\t2:obj\t_\n2\tb\tb\tV\t_\t_\t0\troot\t0:root\t_\n\n"
    )
    edge = anna.replace("2:obj", "2:obl")
    assert Desk(anna, (), (anna, edge)).overlay.lens(0) == "1 open · boris: 2:obl"
    more = anna.replace("2:obj", "1:dep|2:obj")
    assert Desk(anna, (), (anna, more)).overlay.lens(0) == "1 open · boris: +1:dep"
    assert Desk(more, (), (more, anna)).overlay.lens(0) == "1 open · only anna"
    comment = f"# s_type = qu\n{anna}"
    desk = Desk(anna, (), (anna, comment))
    assert desk.overlay.lens(0) == "1 open · boris: +s_type = qu"
    (mark,) = desk.overlay.marks(desk.snapshot(), 1)
    assert mark.who == "boris: +s_type = qu"
    assert Desk(comment, (), (comment, anna)).overlay.lens(0) == "1 open · only anna"
    most = edge.replace("\tN\t", "\tD\t").replace("obj", "obl").replace("a\ta", "a\te")
    said = "4 open · boris: D · boris: obl · +2"
    assert Desk(anna, (), (anna, most)).overlay.lens(0) == said


def test_walking_goes_round_the_file_and_past_what_is_settled() -> None:
    desk = Desk(checked=(2,))
    text, places = desk.text, []
    offset = 0
    for _ in range(4):
        mark = desk.step(offset, 1)
        assert mark is not None
        places.append(mark.start)
        offset = mark.end
    fourth = text.index("(S (NP (D a) (N g)")
    assert places == [20, fourth + 3, fourth + 20, 20]
    back = desk.step(5, -1)
    assert back is not None
    assert back.start == fourth + 20
    assert Desk(BORIS).step(0, 1) is None


def test_either_can_be_taken_here_in_the_sentence_and_everywhere() -> None:
    desk = Desk(checked=(2,))
    first, second, third, fourth = ANNA.splitlines()
    taken = first.replace("VP", "XP")
    assert desk.do("(VP", "Take boris’s label XP").splitlines() == [taken, second, third, fourth]
    # What is checked is left alone.
    everywhere = desk.do("(VP", "Take boris’s label at every VP → XP in this file")
    assert everywhere.splitlines() == [taken, second, third, fourth.replace("VP", "XP")]
    removed = desk.do("(N e)) (VP (V f)))\n(S (NP", "Remove NP, which boris does not have")
    assert removed.splitlines()[3] == "(S (D a) (N g) (VP (V h)))"
    whole = desk.do("(N e)) (VP (V f)))\n(S (NP", "Take all of boris’s in this sentence")
    assert whole.splitlines()[3] == "(S (D a) (N g) (XP (V h)))"


def test_what_is_checked_is_left_alone_and_nothing_else_is() -> None:
    """Brackets are taken in a copy of their sentence, of which the first was then asked whether it
    is checked."""
    four = [line.replace("(NP (D a) (N e))", "(D a) (N e)") for line in BORIS.splitlines()]
    title = "Remove every NP in this file that boris does not have"
    for checked in ((0,), (2,), (3,), ()):
        desk = Desk(ANNA, checked, (ANNA, "\n".join(four) + "\n"))
        at = "(N e)) (VP (V f)))\n(S (NP" if 3 not in checked else "(N you)))\n(S (NP"
        after = desk.do(at, title).splitlines()
        assert [k for k, line in enumerate(after) if line != ANNA.splitlines()[k]] == [
            k for k in (2, 3) if k not in checked
        ]


def test_what_was_taken_can_be_taken_back() -> None:
    desk = Desk(BORIS)
    assert desk.do("(XP", "Take anna’s label VP").splitlines()[0] == ANNA.splitlines()[0]
    back = desk.do("(S (D a", "Take anna’s bracket NP")
    assert back.splitlines()[3] == "(S (NP (D a) (N g)) (XP (V h)))"


def test_what_neither_has_can_become_eithers() -> None:
    desk = Desk(ANNA.replace("(VP (V c))", "(QP (V c))"))
    for title, label in (("Take boris’s label XP", "XP"), ("Take anna’s label VP", "VP")):
        assert f"({label} (V c))" in desk.do("(QP", title)


def test_a_key_takes_what_is_at_the_cursor_or_all_of_the_sentence() -> None:
    desk = Desk()
    at_mark, beside = desk.text.index("(VP") + 1, desk.text.index("b))")
    found = desk.take(at_mark, Side.SYSTEM)
    assert found is not None
    assert found.what == "finding"
    assert desk.take(at_mark, Side.GOLD) is None
    found = desk.take(beside, Side.SYSTEM)
    assert found is not None
    assert found.what == "sentence"
    assert desk.take(beside, Side.GOLD) is None


def test_sentences_that_are_not_here_yet_are_told() -> None:
    desk = Desk("".join(ANNA.splitlines(keepends=True)[:3]))
    assert desk.overlay.left_out(2) == "1 sentence of anna and boris not here yet"
    assert [one.code for one in diagnostics(desk.snapshot())].count("more-disagreements") == 1


def test_an_edit_and_a_state_change_what_is_open() -> None:
    desk = Desk()
    found = desk.adjudications.adjudication(THREE)
    assert found is not None
    assert found.open == 4
    at = desk.text.index("VP")
    desk.session.edit(THREE.adjudicated, at, at + 2, b"XP")
    now = adjudication_of(desk.snapshot())
    assert now is not None
    assert (now.open, now.settled) == (3, 1)
    assert not desk.session.look_again()
    desk.check(3)
    assert desk.session.look_again()
    now = adjudication_of(desk.snapshot())
    assert now is not None
    assert (now.open, now.settled) == (1, 3)


def test_the_status_has_the_agreement_and_what_is_open() -> None:
    desk = Desk()
    agreement = desk.adjudications.agreement(THREE)
    assert agreement is not None
    found = adjudicated(THREE, agreement, desk.adjudications.adjudication(THREE))
    # Labels over the same words: S 4, NP 3, VP 3 against S 4, NP 3, XP 3: Po 7/10, Pe 25/100.
    assert found.score == "anna/boris F1 66.67 · κ 0.60 · 4 open"
    assert (found.open, found.settled) == (4, 0)
    assert "most often: VP / XP 3" in found.detail


def test_what_the_second_has_instead_stands_behind_the_mark() -> None:
    desk = Desk(checked=(2,))
    found = hints(desk.snapshot(), 0, len(desk.text))
    assert [(desk.text[one.offset - 3 : one.offset], one.text) for one in found] == [
        ("(VP", "boris: XP"),
        ("(NP", "only anna"),
        ("(VP", "boris: XP"),
    ]


def test_what_was_said_of_a_part_of_a_sentence_is_shown_and_comes_last() -> None:
    desk = Desk(annotators=(ANNA, BORIS))
    now = desk.overlay.now
    first = desk.step(0, 1)
    assert first is not None
    sentence = desk.snapshot().document.sentence_at(first.start)
    assert sentence is not None
    group = now.group_at(sentence)
    assert group is not None
    desk.adjudications.say_right(now, group, 0)
    assert desk.overlay.lens(sentence) == "1 open · 1 anna ✓"
    assert hints(desk.snapshot(), 0, first.end)[-1].text == "anna ✓"
    others = {desk.step(first.start, by) for by in (1, -1)}
    assert first not in others
    for sentence in range(len(desk.snapshot().document)):
        group = now.group_at(sentence)
        assert group is not None
        for number in range(len(now.disagreements(group))):
            desk.adjudications.say_right(desk.overlay.now, group, number)
    assert desk.step(first.start - 1, 1) == first
    assert desk.overlay.now.open == now.open


def test_a_line_above_says_who_has_what_of_words_and_of_what_hangs_elsewhere() -> None:
    for other, said in (
        ("(S (NP (D a) (N bees)) (VP (V c)))", "boris: “bees”"),
        ("(S (NP (D a) (N b)) (VP (V c) (. .)))", "boris: other extent"),
    ):
        mine = ANNA.replace("(VP (V c)))", "(VP (V c)) (. .))") if "(. .)" in other else ANNA
        desk = Desk(mine, (), (mine, other + "\n" + ANNA.split("\n", 1)[1]))
        assert desk.overlay.lens(0) == f"1 open · {said}"
