"""What became of differences from one version of a system to the next: laws, and small cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import tables as conll
import trees
from hypothesis import given
from hypothesis import strategies as st
from tables import tables
from treelens.session.changes import FATES, ChangedStretch, changes
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode
from trees import answers, sentences


def pairs(gold: str, *systems: str, strict: bool = False) -> list[Pair]:
    symbols = Symbols()
    golden = document(encode(gold), symbols)
    found = (pair(golden, document(encode(system), symbols)) for system in systems)
    return [one.strictly(strict) for one in found]


def found(gold: str, old: str, new: str) -> list[ChangedStretch]:
    return [*changes(*pairs(gold, old, new))]


def told(stretches: Sequence[ChangedStretch]) -> list[tuple[str, str, int, int]]:
    return [
        (one.fate, one.item.code, one.first, one.end)
        for stretch in stretches
        for one in stretch.differences
    ]


GOLD = "(S (NP (D the) (N dog)) (VP (V saw) (PP (P in) (NP (N town)))))"


def test_a_bracket_is_mended_another_is_new_and_one_stays() -> None:
    old = "(S (XP (D the) (N dog)) (VP (V saw)) (PP (P in) (NP (N town))))"
    new = "(S (NP (D the) (N dog)) (VP (V saw)) (PP (P in) (QP (N town))))"
    assert told(found(GOLD, old, new)) == [
        ("mended", "wrong-label", 0, 2),
        ("stays", "missing-bracket", 2, 5),
        ("stays", "extra-bracket", 2, 3),
        ("new", "wrong-label", 4, 5),
    ]


def test_what_is_wrong_in_another_way_stays() -> None:
    ((stretch),) = found("(S (NP (N a) (N b)))", "(S (XP (N a) (N b)))", "(S (YP (N a) (N b)))")
    (one,) = stretch.differences
    assert one.fate == "stays"
    assert one.old is not None
    assert one.new is not None
    assert (one.old.system and one.old.system.written) == "XP"
    assert (one.new.system and one.new.system.written) == "YP"


def test_the_versions_may_split_words_and_sentences_each_in_its_own_way() -> None:
    gold = "(S (NP (N town)) (VP (V is) (A here)))\n(S (V go))\n"
    old = "(S (NP (N town)) (XP (V is) (A here)))\n(S (V go))\n"
    new = "(S (NP (N to) (N wn)) (XP (V is) (A here)) (X (V go)))\n"
    stretches = found(gold, old, new)
    assert [one.gold for one in stretches] == [range(2)]
    assert ("stays", "wrong-label", 1, 3) in told(stretches)


def test_to_lose_a_sentence_mends_nothing_in_it() -> None:
    wrong = GOLD.replace("NP (D", "XP (D").replace("(V saw) (PP", "(V saw) (QP")
    gold = GOLD + "\n" + GOLD.replace("dog", "cat")
    both = wrong + "\n" + GOLD.replace("dog", "cat")
    for lost in (GOLD.replace("dog", "cat"), "(())\n" + GOLD.replace("dog", "cat")):
        ((stretch),) = found(gold, both, lost)
        assert told([stretch]) == [("new", "missing-sentence", 0, 5)]
        assert [(one.fate, one.item.name) for one in stretch.errors] == [
            ("new", "Missing Sentence")
        ]
        assert stretch.left_out == (2, 0)
        ((stretch),) = found(gold, lost, both)
        assert told([stretch]) == [("mended", "missing-sentence", 0, 5)]
        assert stretch.left_out == (0, 2)
    # Where both lack it, that stays.
    ((stretch),) = found(gold, lost, lost)
    assert told([stretch]) == [("stays", "missing-sentence", 0, 5)]


def test_an_error_is_mended_as_a_whole() -> None:
    ((stretch),) = found(
        GOLD, GOLD.replace(" (PP (P in) (NP (N town)))))", ") (PP (P in) (NP (N town))))"), GOLD
    )
    assert [(one.fate, one.item.kind) for one in stretch.errors] == [("mended", "PP Attachment")]


@st.composite
def versions(draw: st.DrawFn) -> tuple[str, str, str]:
    """Gold and two versions of a system: brackets or tables, mostly of the same words."""
    one, vocabulary, empty = draw(
        st.sampled_from([(sentences, trees.WORDS, "(())"), (tables, conll.WORDS, "")])
    )
    texts: tuple[list[str], ...] = ([], [], [])
    for _ in range(draw(st.integers(1, 4))):
        words = draw(st.lists(st.sampled_from(vocabulary), min_size=1, max_size=7))
        texts[0].append(draw(one(words)))
        for version in texts[1:]:
            version += draw(answers(words, one, empty))
    gold, old, new = map("\n".join, texts)
    return gold, old, new


TEXTS = versions()


@given(TEXTS, st.booleans())
def test_every_difference_of_either_version_has_one_fate(
    drawn: tuple[str, str, str], strict: bool
) -> None:
    """But for those in sentences that the other version lacks."""
    old, new = pairs(*drawn, strict=strict)
    fates = Counter(one.fate for s in changes(old, new) for one in s.differences)
    left_out = [sum(s.left_out[at] for s in changes(old, new)) for at in (0, 1)]
    assert fates["mended"] + fates["stays"] + left_out[0] == old.differences().sum()
    assert fates["new"] + fates["stays"] + left_out[1] == new.differences().sum()
    lacking = [
        any(one.code == "missing-sentence" for g in range(len(pair)) for one in pair.findings(g))
        for pair in (old, new)
    ]
    assert lacking[0] or not left_out[1]
    assert lacking[1] or not left_out[0]


@given(TEXTS, st.booleans())
def test_the_other_way_round_what_was_new_is_mended(
    drawn: tuple[str, str, str], strict: bool
) -> None:
    old, new = pairs(*drawn, strict=strict)
    there, back = (
        Counter((one.fate, one.first, one.end) for s in stretches for one in s.differences)
        for stretches in (changes(old, new), changes(new, old))
    )
    other = dict(zip(FATES, ("new", "mended", "stays"), strict=True))
    assert back == Counter({(other[fate], *place): n for (fate, *place), n in there.items()})


@given(TEXTS, st.booleans())
def test_a_version_against_itself_has_only_what_stays(
    drawn: tuple[str, str, str], strict: bool
) -> None:
    one, again = pairs(drawn[0], drawn[1], drawn[1], strict=strict)
    for stretch in changes(one, again):
        assert {change.fate for change in stretch.differences} == {"stays"}
        assert {change.fate for change in stretch.errors} <= {"stays"}
