"""What annotators say of a file does not depend on how it comes: at once, or some sentences at a
time."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.counting import annotators
from treelens.counting.annotators import AnnotatorSums, JudgedSums
from treelens.counting.waiting import Held
from treelens.rules.parameters import PRESETS
from treelens.session.annotators import CategoryNames
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.statistics.reliability import reliabilities
from treelens.trees.forest import Symbols

WORDS = ("sun", "sea", "air")
FEATS = ("_", "Case=Nom", "Case=Acc|Number=Sing", "=x", "Person")
TABLES = st.tuples(
    *(
        st.tuples(
            st.sampled_from(("N", "V")), st.sampled_from(FEATS), st.sampled_from(("obj", "det"))
        )
        for _ in WORDS
    )
).map(
    lambda rows: (
        "".join(
            f"{at}\t{word}\t{word}\t{tag}\t_\t{feats}\t{at - 1}\t{relation}\t_\t_\n"
            for at, (word, (tag, feats, relation)) in enumerate(zip(WORDS, rows, strict=True), 1)
        )
        + "\n"
    )
)
TREES = st.sampled_from(
    (
        "(S (NP (N sun)) (VP (V sea) (N air)))\n",
        "(S (NP (N sun)) (V sea) (N air))\n",
        "(S (NP (NX (N sun))) (VP (V sea) (NP (N air))))\n",
        "(S (N sun) (V sea))\n",
    )
)
SENTENCES = st.one_of(
    *(
        st.lists(st.tuples(sentence, sentence, sentence), min_size=1, max_size=5)
        for sentence in (TABLES, TREES)
    )
)


def added(parts: Sequence[Sequence[tuple[str, ...]]]) -> AnnotatorSums:
    symbols, waiting = Symbols(), Held()
    found = AnnotatorSums(waiting)
    for part in parts:
        first, *others = (
            document("".join(text).encode(), symbols) for text in zip(*part, strict=True)
        )
        here = AnnotatorSums(waiting, found.names)
        here.add([pair(first, other, PRESETS["default"]) for other in others])
        found.extend(here)
    return found


def told(found: AnnotatorSums) -> list[Any]:
    things: list[JudgedSums] = [*found.things(), *found.categories(2)]
    given = [one.sums for one in things]
    values = reliabilities(given, found.annotators, found.sentences, 5)
    return [(one[:4], value) for one, value in zip(things, values, strict=True)]


@given(SENTENCES, st.data())
def test_parts_are_the_whole(sentences: list[tuple[str, ...]], data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(sentences)))) - {len(sentences)})
    # (With words of its own, a sentence has the same counterpart in a part as in the whole.)
    sentences = [
        tuple(re.sub("sun|sea|air", rf"\g<0>{number}", text) for text in texts)
        for number, texts in enumerate(sentences)
    ]
    parts = [sentences[first:end] for first, end in itertools.pairwise([0, *cuts, len(sentences)])]
    whole = added([sentences])
    assert told(added(parts)) == told(whole)


def test_what_some_files_do_not_say_is_left_out() -> None:
    waiting = Held()
    total = AnnotatorSums(waiting)
    row = "1\tsun\t_\t{}\t_\tCase=Nom\t0\troot\t_\t_\n\n"
    for texts in (("(S (N sun))",) * 2, (row.format("N"), row.format("V"))):
        symbols = Symbols()
        first, second = (document(text.encode(), symbols) for text in texts)
        of_file = AnnotatorSums(waiting, total.names)
        of_file.add([pair(first, second, PRESETS["default"])])
        total.extend(of_file)
    assert [one.key for one in total.things()] == ["tags"]
    assert total.sentences == 2


@pytest.mark.parametrize("share", [1 << 17, 1, 9])
def test_of_lemmas_no_names_are_held_and_the_numbers_are_the_same(
    share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotators, "_SHARE", share)
    rows = [f"1\tw{n}\tlemma{n}\tN\t_\t_\t0\troot\t_\t_\n\n" for n in range(60)]
    others = [row.replace("lemma", "Lemma") if n % 7 == 0 else row for n, row in enumerate(rows)]
    found = {}
    for names in (CategoryNames(), None):
        sums = AnnotatorSums(Held(), names)
        for some in (slice(0, 20), slice(20, None)):
            symbols = Symbols()
            texts = ("".join(each[some]).encode() for each in (rows, others, rows))
            first, *rest = (document(text, symbols) for text in texts)
            sums.add([pair(first, other, PRESETS["default"]) for other in rest])
        found[names is None] = told(sums), len(sums.names["lemmas"]._names)
    assert found[True][0] == found[False][0]
    assert "lemmas" in [one[0] for one, _ in found[True][0]]
    assert (found[True][1], found[False][1]) == (0, 69)
    (lemmas,) = (one for one in sums.things() if one.key == "lemmas")
    assert (len(lemmas.sums) > 1) == (share < 60)
