"""What is known of sentences' guidelines, kept up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from treelens.session.document import document
from treelens.session.guidelines import Checks, FileBefore, Incident, Validated, read_checks
from treelens.session.view import BEGINNING, View
from treelens.trees.forest import Symbols

ROW = "1\t{}\t_\tX\t_\t{}\t0\troot\t{}\t_\n"


def sentence(name: str, feats: str = "_", deps: str = "_") -> str:
    return f"# sent_id = {name}\n{ROW.format(name, feats, deps)}\n"


def looked_at(validated: Validated) -> None:
    """Whoever looks says of each sentence what it was given."""
    assert validated.document is not None
    for one in validated.wanting(BEGINNING, 1000):
        before, (text, _) = validated.before(one), validated.text(one)
        said = Incident(0, 1, True, "", text.decode(), repr(before), "")
        validated.take(validated.document, {one: (before, (said,))})


edits = st.tuples(
    st.integers(0, 400),
    st.integers(0, 60),
    st.sampled_from(
        ["", "a", "\n", sentence("a"), sentence("b", "Case=Nom"), sentence("c", deps="0:root")]
    ),
)


@examples(100)
@given(
    st.lists(
        st.sampled_from([sentence("a"), sentence("b", "Case=Nom"), sentence("c", deps="0:root")]),
        min_size=1,
        max_size=5,
    ),
    st.lists(edits, max_size=4),
)
def test_kept_up_is_afresh(texts: list[str], made: list[tuple[int, int, str]]) -> None:
    now = document("".join(texts).encode(), Symbols())
    kept = Validated(Checks())
    kept.follow(now)
    looked_at(kept)
    for start, length, text in made:
        start = min(start, now.length)
        now, _ = now.edit(start, min(start + length, now.length), text.encode())
        kept.follow(now)
        looked_at(kept)
        fresh = Validated(Checks())
        fresh.follow(now)
        looked_at(fresh)
        assert [kept.of(one)[0].message for one in range(len(now))] == [
            fresh.of(one)[0].message for one in range(len(now))
        ]
        assert kept.summary() == fresh.summary()


@pytest.mark.parametrize("mark", ["", "\N{BYTE ORDER MARK}"])
def test_what_is_to_be_known_of_the_rest(mark: str) -> None:
    text = mark + sentence("a", "Case=Nom") + sentence("b", deps="0:root") + sentence("a")
    validated = Validated(Checks())
    validated.follow(document(text.encode(), Symbols()))
    known = [validated.before(one) for one in range(3)]
    assert known == [
        FileBefore(False, True, False, False, False),
        FileBefore(False, True, False, True, False),
        FileBefore(True, True, True, True, False),
    ]
    assert [validated.text(one)[0].decode() for one in range(3)] == [
        part + "\n\n" for part in text.split("\n\n")[:3]
    ]


def test_what_was_found_of_an_older_state_is_taken_where_nothing_changed() -> None:
    old = document((sentence("a") + sentence("b") + sentence("c")).encode(), Symbols())
    validated = Validated(Checks())
    validated.follow(old)
    found = {
        one: (validated.before(one), (Incident(0, 2, True, "", str(one), "", ""),))
        for one in range(3)
    }
    new, _ = old.edit(old.text().index(b"\tb\t") + 1, old.text().index(b"\tb\t") + 2, b"x")
    new, _ = new.edit(0, 0, sentence("new").encode())
    validated.follow(new)
    validated.take(old, found)
    assert [[one.test for one in validated.of(at)] for at in range(4)] == [[], [], [], ["2"]]
    assert validated.left == 3
    assert validated.summary()[:3] == (1, 1, 0)
    assert validated.wanting(View.of(range(2, 3)), 2) == [2, 1]


def test_a_configuration_says_what_is_checked() -> None:
    assert read_checks('[validate]\nlanguage = "fr"\nlevel = 3\n') == Checks("fr", 3)
    assert read_checks("[validate]\n") == Checks("ud", 5)
    assert read_checks("[pairs]\n") is None
    assert read_checks('[validate]\nlanguage = "../x"\nlevel = true\n') == Checks()
