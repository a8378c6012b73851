"""Which labels there are, as a user says: ``[labels]`` of ``treelens.toml``.

.. code-block:: toml

    [labels]                          # anything else is pointed out; a line may be left out
    categories = ["S", "NP", "VP"]    # of brackets, and
    functions = ["SBJ", "TMP"]        # what stands behind the hyphen
    tags = ["NOUN", "VERB"]
    relations = ["nsubj", "obl:tmod"]
    features = ["Number", "Case"]     # their names, without values
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from treelens.session.toml import read_toml


@dataclass(frozen=True, slots=True)
class Labels:
    """What there is; None where nothing is said, and anything may be."""

    categories: frozenset[str] | None = None
    functions: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    relations: frozenset[str] | None = None
    features: frozenset[str] | None = None


ANY = Labels()


def read_labels(text: str) -> Labels:
    """What a ``treelens.toml`` declares; what is wrong with it is :func:`declared`'s to say."""
    return declared(read_toml(text).data)[0]


def declared(data: dict[str, Any]) -> tuple[Labels, list[tuple[str, str]]]:
    """The labels of a configuration, and which of its keys are wrong, and why."""
    table = data.get("labels", {})
    if not isinstance(table, dict):
        return ANY, [("labels", "labels is a table: write [labels] above its lines")]
    known = [field.name for field in dataclasses.fields(Labels)]
    found, problems = {}, []
    for key, value in table.items():
        names = value if isinstance(value, list) else [None]
        if key not in known:
            problems.append((key, f"“{key[:60]}” is not known in [labels]: {', '.join(known)} are"))
        elif not all(isinstance(name, str) for name in names):
            problems.append((key, f"{key} is a list of names; left out"))
        else:
            found[key] = frozenset(names)
    return Labels(**found), problems
