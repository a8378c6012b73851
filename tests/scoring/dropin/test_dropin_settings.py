"""Parameter files of any length: what is read quickly is what careful reading gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.dropin.evalb import settings
from treelens.dropin.evalb.dialects import EVALB, EVALB_SPMRL
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.settings import Entries, Settings, read_parameters

_PARTS = (
    *(b"DELETE_LABEL", b"DELETE_LABEL_FOR_LENGTH", b"QUOTE_LABEL", b"EQ_LABEL", b"LABELED", b"#"),
    *(b" ", b"\t", b"\n", b"\n", b"\r\n", b"\0", b"\f"),
    *(b"A", b"ADVP PRT", b"0", b"l" * 520),
)


@given(st.lists(st.sampled_from(_PARTS)).map(b"".join))
def test_usual_lines_are_read_as_carefully(text: bytes) -> None:
    def read() -> tuple[Settings, list[bytes]]:
        told: list[bytes] = []
        return read_parameters(text, Settings(), told.append), told

    quickly = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "_USUAL", re.compile(b"(?!)"))
        assert read() == quickly


_LABELS = st.sampled_from((b"A", b"B", b"C", b"A-B", b""))


@given(st.lists(_LABELS), st.lists(st.tuples(_LABELS, _LABELS)), _LABELS)
@pytest.mark.parametrize("dialect", [EVALB, EVALB_SPMRL], ids=["evalb", "evalb-spmrl"])
def test_deletions_are_counted_as_one_by_one(dialect, deleted, equal, label) -> None:  # type: ignore[no-untyped-def]
    options = Settings(delete_labels=Entries(deleted), equal_labels=Entries(equal))
    run = Run(dialect, options, None, None)  # type: ignore[arg-type]  # it prints nothing
    run.cut_delete_labels()
    label = run.cut(label)
    one_by_one = sum(not run.same_label(label, each) for each in run.settings.delete_labels)
    assert run.deletions_of_others(label) == one_by_one


def test_entries_are_looked_up_without_going_through_them() -> None:
    entries = Entries(b"%d" % number for number in range(1000))
    assert b"999" in entries
    assert b"1000" not in entries
    assert entries.times[b"7"] == 1
    assert Entries([b"a", b"a"]).times[b"a"] == 2
