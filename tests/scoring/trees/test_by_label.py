"""What is known of labels grows with them, and is what asking afresh gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from treelens.compare.attachments import relation_table
from treelens.rules.parameters import PRESETS, label_table
from treelens.trees.by_label import ByLabel
from treelens.trees.forest import Symbols


def test_every_label_is_looked_at_once() -> None:
    symbols, asked = Symbols(), []

    def row(label: str) -> tuple[int, bool]:
        asked.append(label)
        return len(label), label == "NP"

    table = ByLabel(symbols, (int, bool), row)
    given_before = []
    for number in range(500):
        symbols.label_id(f"L{number}" if number else "NP")
        given_before.append(table.columns())
    assert asked == symbols.labels
    lengths, flags = table.columns()
    assert lengths.tolist() == [len(label) for label in symbols.labels]
    assert flags.nonzero()[0].tolist() == [symbols.label_id("NP")]
    for count, (before, _) in enumerate(given_before, 2):
        assert before.tolist() == lengths[:count].tolist()


@given(
    st.lists(
        st.sampled_from(("NP", "NP-SBJ", "", "ADVP", "PRT", "TOP", "-NONE-", "NN##a=b##", "nmod:x"))
    )
)
def test_tables_that_grew_are_tables_made_at_once(labels: list[str]) -> None:
    grown, fresh = Symbols(), Symbols()
    for label in labels:
        grown.label_id(label)
        label_table(grown, PRESETS["collins"])
        relation_table(grown)
    for label in labels:
        fresh.label_id(label)
    for table in (lambda one: label_table(one, PRESETS["collins"]), relation_table):
        for mine, other in zip(table(grown), table(fresh), strict=True):
            assert mine.tolist() == other.tolist()
