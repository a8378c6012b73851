"""What systems agree on against gold: found, and kept up."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from treelens.present.suspects import _found
from treelens.rules.parameters import PRESETS
from treelens.session.document import Document, document
from treelens.session.pair import Pair, Side, pair
from treelens.session.suspects import Suspect, inventory, suspects, suspects_in
from treelens.trees.forest import Symbols

ROW = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"


def paired(*texts: str) -> tuple[Document, list[Pair]]:
    symbols = Symbols()
    gold, *others = (document(text.encode(), symbols) for text in texts)
    return gold, [pair(gold, other, PRESETS["default"]) for other in others]


def said(*texts: str, least: int | None = None) -> list[Suspect]:
    return suspects(*paired(*texts), least)


def table(*words: tuple[str, str, int, str]) -> str:
    rows = (ROW.format(at, form, tag, *rest) for at, (form, tag, *rest) in enumerate(words, 1))
    return "".join(rows) + "\n"


GOLD = table(("the", "DET", 2, "det"), ("dog", "NOUN", 0, "root"), ("barks", "VERB", 2, "acl"))
ONE = table(("the", "DET", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("barks", "VERB", 0, "root"))
TWO = table(("the", "PRON", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("barks", "VERB", 0, "root"))


def test_what_all_systems_say_against_gold_is_suspect() -> None:
    found = said(GOLD, ONE, TWO)
    assert [(one.key, one.first, one.gold, one.other, one.said, one.systems) for one in found] == [
        ("attachments", 1, "root root", "nsubj +1", 2, 2),
        ("attachments", 2, "acl -1", "root root", 2, 2),
    ]
    # One of the systems is enough only if that is asked for.
    more = said(GOLD, ONE, TWO, least=1)
    assert [(one.key, one.other, one.said) for one in more][-1] == ("tags", "PRON", 1)
    assert said(GOLD, ONE, GOLD) == []


def test_systems_that_are_wrong_in_their_own_ways_are_no_suspect() -> None:
    other = TWO.replace("nsubj", "obj").replace("\t0\troot", "\t0\troo")
    assert said(GOLD, ONE, other) == []


def test_a_system_without_the_sentence_does_not_judge_it() -> None:
    gold, other = "(S (NP (D a) (N b)) (V c))", "(S (D a) (VP (N b) (V c)))"
    more = "(S (X x) (Y y))"
    found = said(f"{gold} {more}", f"{other} {more}", f"{other} {more}", more)
    assert [(one.gold, one.other, one.said, one.systems) for one in found] == [
        ("NP", "–", 2, 2),
        ("–", "VP", 2, 2),
    ]


def test_traces_make_no_bracket_another_one() -> None:
    plain = "(S (NP (D a) (N b)) (VP (V c)))"
    gold = "(S (NP (D a) (N b) (NP (-NONE- *T*))) (VP (V c) (-NONE- *)))"
    assert said(gold, plain, plain) == []


def test_a_bracket_over_two_of_golds_sentences_is_at_no_place() -> None:
    system = "(S (A a) (X (B b) (C c) (D d)))"
    found = said("(S (A a) (B b)) (S (C c) (D d))", system, system)
    assert all(one.last <= 1 for one in found)


# --- kept up ----------------------------------------------------------------------------------


def tree(words: Sequence[tuple[str, str]]) -> str:
    return "(S " + " ".join(f"({tag} {word})" for word, tag in words) + ")\n"


trees = st.lists(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("NV")), min_size=1, max_size=4),
    min_size=2,
    max_size=6,
)


@examples(30)
@given(trees, st.data())
def test_some_sentences_have_what_they_have_of_all(
    given: list[list[tuple[str, str]]], data: st.DataObject
) -> None:
    gold, pairs = drawn(given, data)
    every = sorted(suspects(gold, pairs), key=lambda one: (one.sentence, one.first, one.key))
    cut = data.draw(st.integers(0, len(gold)))
    parts = [
        one
        for part in (range(cut), range(cut, len(gold)))
        for one in suspects_in(gold, pairs, part)
    ]
    assert sorted(parts, key=lambda one: (one.sentence, one.first, one.key)) == every


def drawn(given: list[list[tuple[str, str]]], data: st.DataObject) -> tuple[Document, list[Pair]]:
    """Gold, and two systems with other tags and some sentences missing."""
    texts = ["".join(map(tree, given))]
    for _ in range(2):
        kept = [one for one in given if data.draw(st.integers(0, 5))] or given
        tagged = [[(word, data.draw(st.sampled_from("NV"))) for word, _ in one] for one in kept]
        texts.append("".join(map(tree, tagged)))
    return paired(*texts)


@examples(15)
@given(trees, st.data())
def test_what_is_kept_up_is_what_is_counted_afresh(
    given: list[list[tuple[str, str]]], data: st.DataObject
) -> None:
    gold, pairs = drawn(given, data)
    kept = inventory()
    kept.work(pairs)
    for _ in range(3):
        which = data.draw(st.integers(0, 2))
        document_ = gold if which == 0 else pairs[which - 1].system
        at = data.draw(st.integers(0, document_.length - 1))
        end = min(at + data.draw(st.integers(0, 12)), document_.length)
        text = data.draw(st.sampled_from(("N", "V", "(S (N a))\n", ")", "a", "")))
        edited, change = document_.edit(at, end, text.encode())
        if which == 0:
            gold, pairs = edited, [one.edit(Side.GOLD, edited, change) for one in pairs]
        else:
            pairs[which - 1] = pairs[which - 1].edit(Side.SYSTEM, edited, change)
        if not len(gold):
            return
        kept.work(pairs)
        fresh = inventory()
        fresh.work(pairs)
        for one, other in zip(kept.of(pairs), fresh.of(pairs), strict=True):
            assert one.tolist() == other.tolist()
        found = suspects(gold, pairs)
        assert (
            kept.of(pairs)[:, 0].tolist()
            == np.bincount([one.sentence for one in found], minlength=len(gold)).tolist()
        )


def test_what_was_given_up_is_known_as_far_as_it_went() -> None:
    many = GOLD * 300
    _, pairs = paired(many, ONE * 300, ONE * 300)
    kept = inventory()
    survey = kept.begin(pairs)

    def tired(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        survey.work(tired)
    kept.take(survey)
    assert 0 < kept.wanting(pairs) < 300


def test_where_they_are_written_is_looked_up_once_for_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sentence of a thousand of them took minutes, by the cube of their number."""
    gold = "(S " + " ".join(f"(NP (NN w{k}) (-NONE- *))" for k in range(300)) + ")"
    _, pairs = paired(gold, *[gold.replace("NP", "VP")] * 2)
    read = list[int]()
    tree = Document.tree
    monkeypatch.setattr(Document, "tree", lambda self, at: [read.append(at), tree(self, at)][1])
    found = _found(pairs, 0)
    assert [gold[start:end] for _, start, end in found] == ["NP"] * 300
    assert [start for _, start, _ in found] == [at.start() for at in re.finditer("NP", gold)]
    assert read == [0]
