"""Keys of tokens: equal for equal tokens, whoever asks for them and however."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from treelens.formats.brackets import prepare, token_keys
from treelens.trees.forest import Symbols

TOKENS = st.lists(
    st.text("ab\0é", min_size=1, max_size=20).map(str.encode), min_size=1, max_size=30
)


@given(TOKENS, st.integers(0, 30))
def test_a_token_has_one_key_alone_in_a_text_and_as_it_was_known_before(
    tokens: list[bytes], known: int
) -> None:
    symbols = Symbols()
    before = [symbols.key(token) for token in tokens[:known]]
    text = prepare(b" ".join(tokens))
    ends = np.cumsum([len(token) + 1 for token in tokens]) - 1
    starts = ends - [len(token) for token in tokens]
    keys = token_keys(text, starts, ends, symbols)
    assert keys.tolist()[:known] == before
    assert keys.tolist() == [symbols.key(token) for token in tokens]
    assert token_keys(text, starts, ends, symbols).tolist() == keys.tolist()
    assert symbols.tokens(keys) == tokens
    assert len(set(keys.tolist())) == len(set(tokens))


def test_more_tokens_than_there_are_slots_have_keys_of_their_own() -> None:
    symbols = Symbols()
    tokens = [b"token-%d" % number for number in range(100_000, 150_000)]
    text = prepare(b" ".join(tokens))
    starts = np.arange(len(tokens)) * (len(tokens[0]) + 1)
    keys = token_keys(text, starts, starts + len(tokens[0]), symbols)
    assert len(set(keys.tolist())) == len(tokens)
    assert symbols.tokens(keys) == tokens
    assert symbols.key(tokens[77]) == keys[77]
