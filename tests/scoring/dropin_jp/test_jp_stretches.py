"""Files that are read a stretch at a time give what they give at once, to the last byte."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jp_runs import run
from jp_strategies import treebanks
from test_jp_columns import damaged
from treelens.dropin.jp import columns, stretches
from treelens.dropin.jp.stretches import File

DOG = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n"
CAT = "(TOP (S (NP (DT no) (JJ other) (NN cat)) (VP (VBD slept)) (. !)))\n"
DELETING = "DELETE_LABEL NN\nDELETE_LABEL .\n"


@given(
    st.one_of(treebanks(), damaged()),
    st.integers(1, 400),
    st.sampled_from([(), ("-evalb",), ("-evalb", "x.prm")]),
    st.booleans(),
)
@example(("", DOG), 1, (), True)
@example((DOG, ""), 1, (), False)
@example((DOG + CAT * 9, DOG * 4), 60, (), False)
@example((DOG * 4, DOG + CAT * 9), 60, (), False)
@example((DOG * 2 + CAT, DOG.replace("\n", "\u2028") * 2 + CAT.rstrip()), 60, (), True)
@example((CAT.replace("(NN", "(NN (X") + DOG, CAT + "(\n" + DOG), 60, (), True)
def test_any_size_of_stretches_gives_the_same(
    texts: tuple[str, str], size: int, options: tuple[str, ...], at_once: bool
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stretches, "_ENOUGH_BYTES", 0 if at_once else 1 << 30)
        patched.setattr(columns, "BLOCK_BYTES", 100)
        whole = run(*texts, *options, prm=DELETING)
        patched.setattr(stretches, "STRETCH_BYTES", size)
        assert run(*texts, *options, prm=DELETING) == whole


def test_no_more_of_a_file_is_held_than_asked_for() -> None:
    file = File("gold", io.BytesIO(DOG.encode() * 1000), lambda line: None, {})  # type: ignore[arg-type, return-value]
    size = len(DOG)
    assert file.ahead(3 * size + 5) == DOG.encode() * 3
    file.finish([DOG] * 3, 2, 2 * size)
    assert (file.done, len(file.rest)) == (2, size + 5)
    assert file.ahead(size) == DOG.encode()
