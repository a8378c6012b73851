"""A state that is given to a sentence is its state, whatever is edited elsewhere; nothing that
somebody wrote beside the file is lost."""

from __future__ import annotations

import re

import pytest
from conll_texts import hostile_tables, tables
from hypothesis import assume, example, given
from hypothesis import strategies as st
from treelens.edits.review import (
    Lines,
    applied,
    in_comments,
    plain_note,
    state_beside,
    takes_comments,
)
from treelens.edits.text import edited
from treelens.formats.table import CONLL, Format
from treelens.session import sidecar as sidecar_module
from treelens.session.document import Document, document
from treelens.session.review import Review, Reviews
from treelens.session.sentence_names import sentence_key
from treelens.session.sidecar import Sidecar
from treelens.trees.forest import Symbols, decode, encode
from trees import hostile, sentences

NOTES = ("", "is this a fragment?", "עברית # =\u2028 𝔸", "a\tb\nc")
reviews = st.builds(
    Review, st.sampled_from(["todo", "checked", "question"]), st.sampled_from(NOTES)
)


def read(text: str, format: Format | None = None) -> Document:
    return document(encode(text), Symbols(), format)


def expected(review: Review) -> Review:
    if review.state == "todo":
        return Review()
    return Review(review.state, plain_note(review.note))


def given_in_comments(of: Document, sentence: int, review: Review) -> Document:
    review = review._replace(note=plain_note(review.note))
    return edited(of, in_comments(of, sentence, review))


def given_beside(of: Document, sidecar: Sidecar, sentence: int, review: Review) -> Sidecar:
    review = review._replace(note=plain_note(review.note))
    lines = state_beside(Reviews(), of, sidecar, sentence, review, "a.mrg")
    return Sidecar(applied(sidecar.source, lines))


# --- in comments ---------------------------------------------------------------------------


def test_a_state_is_written_below_the_other_comments_and_taken_out_again() -> None:
    text = "# sent_id = a\n# text = we\n1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    of = read(text)
    checked = given_in_comments(of, 0, Review("question", "why?"))
    lines = decode(checked.text()).split("\n")
    assert lines[:2] == ["# sent_id = a", "# text = we"]
    assert lines[2].startswith("# treelens_review = question ")
    assert lines[3] == "# treelens_note = why?"
    assert lines[4].startswith("1\twe")
    assert given_in_comments(checked, 0, Review()).text() == encode(text)


def test_line_breaks_are_the_text_s_own() -> None:
    of = read("1\twe\t_\tX\t_\t_\t0\troot\t_\t_\r\n\r\n", CONLL)
    assert given_in_comments(of, 0, Review("checked")).text().count(b"\r\n") == 3


@given(st.lists(tables(), min_size=1, max_size=4).map("".join), st.data())
def test_a_state_in_comments_is_read_back_and_changes_no_other(
    text: str, data: st.DataObject
) -> None:
    of = read(text, CONLL)
    memory, states = Reviews(), [Review() for _ in range(len(of))]
    for _ in range(4):
        sentence = data.draw(st.integers(0, len(of) - 1))
        states[sentence] = data.draw(reviews)
        before = len(of)
        of = given_in_comments(of, sentence, states[sentence])
        assert len(of) == before
        again = states[sentence]._replace(note=plain_note(states[sentence].note))
        assert in_comments(of, sentence, again) == ()
        found = [memory.review(of, Sidecar(), k) for k in range(len(of))]
        assert found == [expected(state) for state in states]
    bare = of
    for sentence in range(len(of)):
        bare = given_in_comments(bare, sentence, Review())
    assert bare.text() == encode(text)


@example("\ufeff2\ta\t_\tX\t_\t_\t0\troot\t_\t_\n1\tb\t_\tX\t_\t_\t2\tdep\t_\t_\n")
@given(hostile_tables)
def test_any_table_can_be_reviewed(text: str) -> None:
    of = read(text, CONLL)
    for sentence in range(len(of)):
        of = given_in_comments(of, sentence, Review("checked"))
    found = [Reviews().review(of, Sidecar(), sentence).state for sentence in range(len(of))]
    assert found == ["checked"] * len(of)


@pytest.mark.parametrize("before", [" # x", "\t# x", "  x", "\n # x", "\ufeff # x", " 0\tx\n # x"])
def test_a_line_that_is_no_comment_for_it_begins_with_a_blank_stays_so(before: str) -> None:
    text = f"{before}\n1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    of = read(text, CONLL)
    last = len(of) - 1
    reviewed = given_in_comments(of, last, Review("question", "why"))
    assert Reviews().review(reviewed, Sidecar(), last) == Review("question", "why")
    assert re.subn("# treelens.*\n", "", decode(reviewed.text())) == (text, 2)
    assert given_in_comments(reviewed, last, Review()).text() == of.text()


@pytest.mark.parametrize("comment", ["", "# sent_id = a\n"])
def test_a_byte_order_mark_stays_first_and_hides_no_comment(comment: str) -> None:
    text = f"{comment}1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    of = read(f"\ufeff{text}", CONLL)
    reviewed = given_in_comments(of, 0, Review("checked", "why"))
    assert reviewed.text().startswith(encode(f"\ufeff{comment or '#'}"))
    assert Reviews().review(reviewed, Sidecar(), 0) == Review("checked", "why")
    assert given_in_comments(reviewed, 0, Review()).text() == of.text()
    assert sentence_key(of, 0) == sentence_key(read(text, CONLL), 0)


def test_what_was_checked_and_is_edited_has_changed_since() -> None:
    of = given_in_comments(
        read("1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n", CONLL), 0, Review("checked")
    )
    memory = Reviews()
    assert memory.review(of, Sidecar(), 0).state == "checked"
    at = of.text().index(b"root")
    changed, _ = of.edit(at, at + 4, b"dep")
    assert memory.review(changed, Sidecar(), 0).state == "changed"
    assert memory.review(of, Sidecar(), 0).state == "checked"
    by_hand = read("# treelens_review = checked\n1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n", CONLL)
    assert memory.review(by_hand, Sidecar(), 0).state == "checked"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.conllu", "1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n", True),
        ("a.conll", "1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n", False),
        ("a.conll", "# x\n1\twe\t_\tX\t_\t_\t0\troot\t_\t_\n\n", True),
        ("a.mrg", "(S (N we))\n", False),
    ],
)
def test_comments_are_for_tables_that_have_them(name: str, text: str, expected: bool) -> None:
    assert takes_comments(read(text), name, 0) is expected


# --- beside the file -----------------------------------------------------------------------


def test_a_new_sidecar_says_what_it_is_and_is_in_the_file_s_order() -> None:
    of = read("(S (N we))\n(S (N you))\n(S (N we) (-NONE- *))\n")
    sidecar = Sidecar()
    for sentence in (2, 0, 1):
        sidecar = given_beside(of, sidecar, sentence, Review("checked"))
    kept = [line for line in sidecar.source.splitlines() if not line.startswith("#")]
    assert [line.rsplit("\t", 1)[0] for line in kept] == [
        "checked\t1\twe",
        "checked\t1\tyou",
        "checked\t2\twe",
    ]
    assert sidecar.source.startswith("# Review of a.mrg")


@given(st.lists(sentences(), min_size=1, max_size=5), st.data())
def test_a_state_beside_the_file_is_read_back_and_changes_no_other(
    trees: list[str], data: st.DataObject
) -> None:
    of = read("\n".join(trees) + "\n")
    memory, sidecar = Reviews(), Sidecar()
    states = [Review() for _ in range(len(of))]
    for _ in range(5):
        sentence = data.draw(st.integers(0, len(of) - 1))
        states[sentence] = data.draw(reviews)
        sidecar = given_beside(of, sidecar, sentence, states[sentence])
        found = [memory.review(of, sidecar, k) for k in range(len(of))]
        assert found == [expected(state) for state in states]
        assert not memory.of(of, sidecar).lost
        assert not sidecar.problems
        again = states[sentence]._replace(note=plain_note(states[sentence].note))
        assert state_beside(memory, of, sidecar, sentence, again, "a.mrg") == []
    lines = [line for line in memory.of(of, sidecar).line.tolist() if line >= 0]
    assert lines == sorted(lines)


@given(
    st.lists(sentences(), min_size=1, max_size=5),
    st.lists(sentences(), max_size=3),
    st.data(),
)
def test_states_survive_edits_elsewhere_and_of_the_tree(
    trees: list[str], others: list[str], data: st.DataObject
) -> None:
    of = read("\n".join(trees) + "\n")
    chosen = data.draw(st.integers(0, len(of) - 1))
    sidecar = given_beside(of, Sidecar(), chosen, Review("question", "why?"))
    key = sentence_key(of, chosen)
    assume(all(sentence_key(read(other), 0) != key for other in others))
    memory = Reviews()
    memory.of(of, sidecar)
    at = data.draw(st.integers(0, len(of)))
    offset = int(of.start[at]) if at < len(of) else of.length
    added = "".join(f"{other}\n" for other in others)
    text = of.text()
    of = read(decode(text[:offset] + encode("\n" + added) + text[offset:]))
    moved = chosen + (len(others) if at <= chosen else 0)
    assert memory.review(of, sidecar, moved) == Review("question", "why?")
    # (A bracket more changes no word.)
    start, end = (int(bound) for bound in of.piece(moved).forest.tree[of.piece(moved).row])
    shift = of.piece(moved).shift
    of, _ = of.edit(end + shift, end + shift, b")")
    of, _ = of.edit(start + shift, start + shift, b"(NEW ")
    assert memory.review(of, sidecar, moved) == Review("question", "why?")
    fresh = Reviews().of(read(decode(of.text())), sidecar)
    assert memory.of(of, sidecar).code.tolist() == fresh.code.tolist()


def test_an_id_names_a_sentence_whatever_becomes_of_its_words() -> None:
    of = read("; id: web-1\n(S (N we))\n; id: web-2\n(S (N we))\n")
    sidecar = given_beside(of, Sidecar(), 1, Review("checked"))
    assert "checked\tid\tweb-2\t" in sidecar.source
    of = read("; id: web-2\n(S (N they))\n")
    found = Reviews().of(of, sidecar)
    assert (found.code.tolist(), found.lost) == ([3], ())


def test_layout_is_no_change() -> None:
    of = read("(S (NP (N we)) (V go))\n")
    sidecar = given_beside(of, Sidecar(), 0, Review("checked"))
    again = read("(S\n  (NP (N we))\n  (V go))\n")
    assert Reviews().review(again, sidecar, 0).state == "checked"
    other = read("(S (NP (N we) (V go)))\n")
    assert Reviews().review(other, sidecar, 0).state == "changed"


HAND_EDITED = """\
# ours
checked\t1\twe
<<<<<<< HEAD
question\t1\tyou\twhat?
=======
checked\t1\tyou\t00000000
>>>>>>> other
done\t1\twe
checked
checked\tx\twe
question\t1\tthey\t12345678\tgone, and kept
"""


def test_a_broken_sidecar_is_read_as_far_as_it_goes_and_kept_as_it_is() -> None:
    of = read("(S (N we))\n(S (N you))\n(S (N it))\n")
    sidecar = Sidecar(HAND_EDITED)
    memory = Reviews()
    assert [memory.review(of, sidecar, k) for k in range(3)] == [
        Review("checked"),
        Review("question", "what?"),
        Review(),
    ]
    assert [line.text for line in memory.of(of, sidecar).lost] == ["they"]
    assert [one.line for one in sidecar.problems] == [2, 4, 5, 6, 7, 8, 9]
    changed = given_beside(of, sidecar, 2, Review("checked"))
    assert len(changed.source.split("\n")) == len(HAND_EDITED.split("\n")) + 1
    assert set(HAND_EDITED.split("\n")) <= set(changed.source.split("\n"))


@given(st.text(max_size=200), hostile)
@example("", "(S (N a\u00a0))")
@example("", "1\t\u2003\t_\n2\tb\u00a0\t_")
def test_no_sidecar_and_no_text_make_it_fail(source: str, text: str) -> None:
    sidecar, of = Sidecar(source), read(text)
    found = Reviews().of(of, sidecar)
    assert len(found.code) == len(of)
    for problem in sidecar.problems:
        assert sidecar.text_lines[problem.line]
    for sentence in range(len(of)):
        changed = given_beside(of, sidecar, sentence, Review("checked"))
        assert Reviews().review(of, changed, sentence).state in ("checked", "question")


_LINES = st.sampled_from(
    [
        "checked\t1\twe\t{}",
        "question\t1\twe\t\twhy?",
        "checked\t2\twe",
        "note\t1\tyou\t1-1 N\tsee",
        "question\tid\twe",
        "checked",
        "# said",
        "",
    ]
)
_WRITTEN = st.lists(st.tuples(_LINES, st.sampled_from(["\n", "\r\n", "\r", ""]))).map(
    lambda lines: "".join(map("".join, lines))
)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), _WRITTEN | st.text(max_size=3))))
def test_a_sidecar_after_edits_is_what_it_would_be_read_anew(
    edits: list[tuple[float, float, str]],
) -> None:
    of = read("(S (N we))\n(S (N you))\n(S (N we))\n")
    memory, sidecar = Reviews(), Sidecar()
    for one, other, new in edits:
        size = len(sidecar.source)
        start, end = sorted((round(one * size), round(other * size)))
        source = sidecar.source[:start] + new + sidecar.source[end:]
        sidecar, fresh = Sidecar(source, sidecar), Sidecar(source)
        assert sidecar.lines == fresh.lines
        assert sidecar.problems == fresh.problems
        found, wanted = memory.of(of, sidecar), Reviews().of(of, fresh)
        assert found.code.tolist() == wanted.code.tolist()
        assert found.line.tolist() == wanted.line.tolist()
        assert found.lost == wanted.lost
        assert found.notes.tolist() == wanted.notes.tolist()
        for key, occurrence in {(line.key, line.occurrence) for line in fresh.lines}:
            states = sidecar.states_of(key, occurrence)
            assert states == fresh.states_of(key, occurrence)
            assert [(one.key, one.occurrence) for one in states] == [(key, occurrence)] * len(
                states
            )


def test_of_a_long_sidecar_only_lines_that_change_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read_lines: list[str] = []
    one_line = sidecar_module._line
    monkeypatch.setattr(
        sidecar_module, "_line", lambda at, text: [read_lines.append(text), one_line(at, text)][1]
    )
    lines = [f"checked\t1\twe{number}\n" for number in range(1000)]
    sidecar = Sidecar("".join(lines))
    texts = sidecar.texts
    read_lines.clear()
    for number in range(3000):
        lines[number % 1000] = f"question\t1\twe{number % 1000}\t\t{number}\n"
        sidecar = Sidecar("".join(lines), sidecar)
    assert len(read_lines) == 3000
    assert sidecar.texts is texts
    for number in range(10_000):  # somebody writes other words
        lines[7] = f"question\t1\tit{number}\n"
        sidecar = Sidecar("".join(lines), sidecar)
        assert len(sidecar.texts) <= 3001
    assert sidecar.lines == Sidecar("".join(lines)).lines


@given(_WRITTEN, st.integers(0, 8), st.integers(0, 8), _LINES)
def test_lines_are_put_where_they_are_counted(source: str, one: int, other: int, new: str) -> None:
    parts = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", source)
    first, end = sorted((min(one, len(parts)), min(other, len(parts))))
    behind = first == len(parts) and parts and not parts[-1].endswith(("\r", "\n"))
    wanted = [*parts[:first], "\n" if behind else "", f"{new}\n", *parts[end:]]
    assert applied(source, [Lines(first, end, f"{new}\n")]) == "".join(wanted)
