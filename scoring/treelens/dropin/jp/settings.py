"""Parameter files as jp-evalb reads them: evalb's format, read with less care.

Any blank separates, and lines may be indented. What has one value is a string, anything else a
tuple, and each key collects its values. Of the keys four are used; CUTOFF_LEN, LABELED,
MAX_ERROR, DEBUG and EQ_WORD change nothing, and neither does a key that nobody knows.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

CUTOFF = 40
"""Longest sentences of the second summary, whatever the parameters say."""


_QUOTES = frozenset("'\"/")


class Settings(NamedTuple):
    """What of the parameters has an effect. Without any, nothing is deleted or equal."""

    as_evalb: bool = False
    """``-evalb``: tags are compared in order, and unequal numbers of them are an error."""
    delete_labels: frozenset[str] = frozenset()
    """Subtrees to be taken out, with all that is in them (evalb keeps a phrase's words)."""
    quote_labels: frozenset[str] = frozenset()
    """Subtrees to be taken out if what they start with is a quote."""
    delete_for_length: frozenset[str] = frozenset()
    """Taken out, these do not count for the length of the sentence; others do."""
    equal_labels: tuple[frozenset[str], ...] = ()
    """In each, any two labels are equal."""

    def deletes(self, label: str, first_word: str | None) -> bool:
        """Whether a subtree is to be taken out; it has a first word if its first child is one."""
        if label in self.delete_labels:
            return True
        return label in self.quote_labels and first_word in _QUOTES


COLLINS = Settings(
    as_evalb=True,
    delete_labels=frozenset({"TOP", "-NONE-", ",", ":", "``", "''", "."}),
    # The characters of "-NONE-": the script takes its built-in default apart. So traces count
    # for the length here, though not when a file has the same parameters.
    delete_for_length=frozenset("-NONE-"),
    equal_labels=(frozenset({"ADVP", "PRT"}),),
)
"""``-evalb`` without a file."""

_Value = str | tuple[str, ...]


def read_parameters(text: str, as_evalb: bool) -> Settings:
    """A parameter file's settings."""
    values: defaultdict[str, list[_Value]] = defaultdict(list)
    for line in text.splitlines():
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            key, *rest = fields
            values[key].append(rest[0] if len(rest) == 1 else tuple(rest))
    values.setdefault("DELETE_LABEL_FOR_LENGTH", ["-NONE-"])
    return Settings(
        as_evalb=as_evalb,
        delete_labels=_single(values["DELETE_LABEL"]),
        quote_labels=_single(values["QUOTE_LABEL"]),
        delete_for_length=_single(values["DELETE_LABEL_FOR_LENGTH"]),
        # A lone label is a string like any other sequence: its letters equal each other.
        # Mended: -evalb with a file without EQ_LABEL stops at the first brackets that differ.
        equal_labels=tuple(frozenset(value) for value in values["EQ_LABEL"]),
    )


def _single(values: list[_Value]) -> frozenset[str]:
    """Several labels on one line are a tuple, which no label equals."""
    return frozenset(value for value in values if isinstance(value, str))
