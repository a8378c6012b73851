"""Symbols of what was read last."""

from __future__ import annotations

import weakref

import pytest
from treelens.align.groups import one_to_one
from treelens.counting.vocabulary import Vocabulary
from treelens.metrics.table import metrics_of
from treelens.rules.parameters import PRESETS
from treelens.session.counts import count_groups
from treelens.session.document import document
from treelens.trees.forest import Annotation

TEXTS: dict[Annotation, tuple[str, str]] = {
    "constituents": ("% a comment\n(S (N a) (V b))\n", "% a comment\n(S (V a) (XP (V b)))\n"),
    "dependencies": (
        "# a = b\n1\ta\t_\tN\tN\t_\t0\troot\t0:root\tA=B\n\n",
        "# a = c\n1\ta\t_\tV\tV\t_\t0\tdep\t0:dep\tA=C\n\n",
    ),
}


@pytest.mark.parametrize("annotation", TEXTS)
def test_words_that_are_forgotten_are_held_by_nobody(annotation: Annotation) -> None:
    vocabulary = Vocabulary()
    known = weakref.ref(vocabulary.symbols(0))
    gold, system = (document(text.encode(), vocabulary.symbols(0)) for text in TEXTS[annotation])
    metrics = metrics_of(annotation)
    count_groups(gold, system, one_to_one(0, 0, 1), PRESETS["default"], metrics)
    del gold, system
    assert known() is not None
    vocabulary.forget()
    assert known() is None
