"""What the parameters say of a label."""

from __future__ import annotations

from collections.abc import Mapping

from treelens.dropin.evalb.run import Run
from treelens.dropin.shared.labels import Label, LabelTable


def label_table(run: Run, representative: Mapping[bytes, bytes]) -> LabelTable:
    """``representative``: see :func:`batches.equivalence`."""
    classes: dict[bytes, int] = {}

    def equal_labels(label: bytes) -> int:
        return classes.setdefault(representative.get(label, label), len(classes))

    def bracket(label: bytes) -> int:
        if run.is_deleted(label):
            return -1
        return equal_labels(label) if run.settings.labeled else 0

    def describe(label: bytes) -> Label:
        settings = run.settings
        whole = run.cut(label) if run.dialect.cuts_while_comparing else label
        return Label(
            deletes_word=run.dialect.deletes_words and label in settings.delete_labels,
            counts_for_length=label not in settings.delete_for_length,
            tag=equal_labels(whole),
            bracket=bracket(run.cut(label)),
        )

    return LabelTable(describe)
