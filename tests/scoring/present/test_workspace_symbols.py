"""Sentences found by what somebody types."""

from __future__ import annotations

from dataclasses import replace

from drawn import alone
from hypothesis import given
from hypothesis import strategies as st
from treelens.present.workspace_symbols import MOST, SymbolIndex, SymbolPlace, symbols_named
from treelens.trees.forest import encode


def found(text: str, query: str) -> list[SymbolPlace]:
    here = alone(text)
    return symbols_named([here], [SymbolIndex(here.document)], query)


def shown(text: str, query: str) -> list[tuple[str, int, str]]:
    """Titles, sentences, and what is written there."""
    source = encode(text)
    return [
        (one.title, one.sentence, source[one.start : one.end].decode())
        for one in found(text, query)
    ]


def table(name: str, *words: str) -> str:
    rows = [f"{k}\t{word}\t_\tX\t_\t_\t0\tnsubj:pass\t_\t_" for k, word in enumerate(words, 1)]
    return "\n".join([f"# sent_id = {name}", *rows, "", ""])


TREES = (
    "; id: wsj-1\n(S (NP-SBJ (D The) (N dog)) (V barks))\n"
    "# sent_id = wsj-2\n(S (NP (N 𝔸ÉTÉ)) (SBAR (V dog) (V barked)))\n(S (N x))\n"
)
TABLE = table("dev-1", "New York", "is", "big") + table("dev-2", "York", "is", "ß")


def test_words_in_a_row_whatever_their_capitals() -> None:
    assert shown(TREES, "the DOG") == [("The dog barks", 1, "The) (N dog")]
    assert [one[1] for one in shown(TREES, "dog bark")] == [1, 2]
    assert [one[2] for one in shown(TREES, "𝔸été")] == ["𝔸ÉTÉ"]
    assert shown(TREES, "do barks") == []
    assert shown(TREES, "barks 𝔸été") == []


def test_a_blank_in_a_word_is_no_end_of_it() -> None:
    assert [(one[1], one[2]) for one in shown(TABLE, "york is")] == [
        (2, "York\t_\tX\t_\t_\t0\tnsubj:pass\t_\t_\n2\tis")
    ]
    assert [one[1] for one in shown(TABLE, "is SS")] == [2]


def test_ids_exact_ones_before_similar_ones() -> None:
    assert [one[:2] for one in shown(TREES, "WSJ-2")] == [("wsj-2", 2), ("wsj-1", 1)]
    assert [one[:2] for one in shown(TABLE, "dev")] == [("dev-1", 1), ("dev-2", 2)]
    assert [one[0] for one in shown(TABLE, "dev-")] == ["dev-1", "dev-2"]
    assert [one[0] for one in shown(TABLE, "dve-2")] == ["dev-2"]
    assert shown(TABLE, "nothing of it") == []


def test_labels_and_those_with_functions() -> None:
    assert [(one[1], one[2]) for one in shown(TREES, "NP")] == [(2, "NP"), (1, "NP-SBJ")]
    assert [(one[1], one[2]) for one in shown(TREES, "SBAR")] == [(2, "SBAR")]
    assert [(one[1], one[2]) for one in shown(TABLE, "nsubj")] == [
        (1, "nsubj:pass"),
        (2, "nsubj:pass"),
    ]


def test_a_sentence_by_its_number() -> None:
    assert shown(TREES, "3") == [("x", 3, "(S (N x))")]
    assert shown(TREES, "4") == shown(TREES, "") == shown("", "a") == shown("(", "x") == []


def test_edited_documents_are_searched_as_they_are_now() -> None:
    here = alone(TREES)
    at = TREES.index("dog")
    document, _ = here.document.edit(at, at + 3, b"cat")
    now = replace(here, document=document)
    assert [one.sentence for one in symbols_named([now], [SymbolIndex(document)], "dog")] == [2]
    assert [one.sentence for one in symbols_named([now], [SymbolIndex(document)], "cat")] == [1]


def test_there_is_an_end_to_it() -> None:
    assert len(found("(S (N a))\n" * (MOST + 100), "a")) == MOST


WORDS = st.lists(
    st.lists(st.sampled_from(["a", "b", "Ab", "é", "É"]), min_size=1, max_size=5),
    min_size=1,
    max_size=5,
)


@given(WORDS, st.lists(st.sampled_from(["a", "A", "b", "é", "ab"]), min_size=1, max_size=3))
def test_what_is_found_is_what_a_slow_search_finds(
    sentences: list[list[str]], query: list[str]
) -> None:
    text = "".join(f"(S {' '.join(f'(X {word})' for word in one)})\n" for one in sentences)
    wanted = [word.casefold() for word in query]

    def has(words: list[str]) -> bool:
        rows = [words[k : k + len(wanted)] for k in range(len(words) - len(wanted) + 1)]
        return any(row[:-1] == wanted[:-1] and row[-1].startswith(wanted[-1]) for row in rows)

    slow = [k for k, one in enumerate(sentences, 1) if has([word.casefold() for word in one])]
    assert [one.sentence for one in found(text, " ".join(query))] == slow


@given(st.text(max_size=60), st.text(max_size=10))
def test_any_text_and_any_query_have_an_answer(text: str, query: str) -> None:
    for one in found(text, query):
        assert 0 <= one.start <= one.end <= len(encode(text))
