"""What became of a sentence while something was to be written of it."""

from __future__ import annotations

import pytest
from treelens.session.document import Document, document
from treelens.session.followed import followed
from treelens.trees.forest import Symbols

A, B, C, D = (f"(S (NP (N {word})) (VP (V see)))\n" for word in "abcd")
B_OTHERWISE = B.replace("NP", "QP")
B_WITH_WORDS = B.replace("see", "saw")
YES = "(S (UH yes))\n"
YES_OTHERWISE = "(S (RB yes))\n"

EDITED, MOVED = True, False


def _documents(old: str, new: str, *, anew: bool) -> tuple[Document, Document]:
    """The second is an edit of the first, or a text that was read anew."""
    symbols = Symbols()
    before = document(old.encode(), symbols)
    if anew:
        return before, document(new.encode(), symbols)
    return before, before.edit(0, before.length, new.encode())[0]


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize(
    ("old", "sentence", "new", "there"),
    [
        ([A, B, C, D], 1, [A, C, B, D], (2, MOVED)),
        ([A, B, C, D], 1, [A, C, D, B], (3, MOVED)),
        ([A, B, C, D], 1, [D, C, A, B], (3, MOVED)),
        ([A, B, C], 1, [C, B_OTHERWISE, A], (1, EDITED)),
        ([A, B, C], 1, [C, A, B_OTHERWISE], (2, EDITED)),
        ([A, B, C], 1, [A, B_WITH_WORDS, C], (1, EDITED)),
        ([A, B, C], 1, [A.replace("NP", "QP"), B_WITH_WORDS, C], (1, EDITED)),
        ([A, B, C], 1, [A, D, C, B_WITH_WORDS], None),
        ([A, B, C], 1, [C, B_WITH_WORDS, A], None),
        ([A, B, C], 1, [C, A], None),
        ([YES, A, YES_OTHERWISE], 0, [YES_OTHERWISE, A, YES], (2, MOVED)),
        ([YES, A, YES], 2, [B, YES, YES], (2, MOVED)),
        ([YES, A, YES], 2, [B, YES, C], None),
        ([YES, A, YES], 0, [B, YES, YES, YES], None),
    ],
)
def test_it_is_the_same_sentence_or_none(
    old: list[str], sentence: int, new: list[str], there: tuple[int, bool] | None, anew: bool
) -> None:
    before, now = _documents("".join(old), "".join(new), anew=anew)
    assert followed(before, now, sentence) == there


def test_what_is_far_is_not_looked_for() -> None:
    rest = "".join(f"(S (N w{number}))\n" for number in range(3_000))
    before, now = _documents(A + rest, rest + A, anew=True)
    assert followed(before, now, 0) is None
    assert followed(before, now, 700) == (699, MOVED)
