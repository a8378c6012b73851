"""What is right both ways: written, read, merged; and shown again when there is something new."""

from __future__ import annotations

import pytest
from treelens.consistency.agreed import Agreed, key_text, labels_of, line
from treelens.consistency.groups import Occurrence, VariationGroup, group
from treelens.consistency.options import VariationKind

KEY = ("to", "get back", "a\\b", None)


def made(*labels: str | None) -> VariationGroup:
    places = [Occurrence(number, (1, 2), label) for number, label in enumerate(labels)]
    return group("relations", (1, 2, 3, 0), KEY, places, "both")


@pytest.mark.parametrize("digests", [False, True])
def test_what_is_written_of_a_group_covers_it(digests: bool) -> None:
    one = made("advmod<", None, "compound:prt<")
    agreed = Agreed(f"# a comment\n\n{line(one, digests=digests)}\n")
    assert not agreed.problems
    assert agreed.covers(one)
    assert agreed.covers(made("advmod<", None))
    assert not agreed.covers(made("advmod<", "obj<"))
    assert ("get" in line(one, digests=digests)) is not digests
    seen = labels_of(made("advmod<", None))
    assert Agreed(line(one, seen, digests=digests)).covers(made(None, "advmod<"))
    assert not Agreed(line(one, seen, digests=digests)).covers(one)


@pytest.mark.parametrize("kind", ["texts", "tags:lemma"])
def test_digests_have_no_words_of_labels_either(kind: VariationKind) -> None:
    one = made("1 get: dep of 2", "1 get: root")._replace(kind=kind)
    written = line(one, digests=True)
    assert "get" not in written
    assert Agreed(written).covers(one)
    assert not Agreed(written).covers(made("1 get: root", "2 back: root")._replace(kind=kind))


def test_lines_of_one_key_add_up() -> None:
    first, second = line(made("a<", "b<")), line(made("b<", "c<"))
    assert not Agreed(first).covers(made("a<", "c<"))
    assert Agreed(f"{first}\n{second}").covers(made("a<", "c<"))


def test_a_key_is_one_whatever_is_in_its_words() -> None:
    assert key_text(made("a<", "b<")) == "to get\\ back a\\\\b _"
    other = made("a<", "b<")._replace(key=("to get", "back", "a\\b", None))
    assert not Agreed(line(made("a<", "b<"))).covers(other)


def test_lines_that_are_none_are_said() -> None:
    agreed = Agreed("nonsense\ta b\tc\ntags\n" + line(made("a<", "b<")))
    assert [problem.line for problem in agreed.problems] == [1, 2]
    assert len(agreed) == 1
