"""Which labels there are, and what is a difference, as a user says in ``treelens.toml``.

.. code-block:: toml

    [labels]                          # anything else is pointed out; a line may be left out
    categories = ["S", "NP", "VP"]    # of brackets, and
    functions = ["SBJ", "TMP"]        # what stands behind the hyphen
    tags = ["NOUN", "VERB"]
    relations = ["nsubj", "obl:tmod"]
    features = ["Number", "Case"]     # their names, without values

Above all tables, ``strict = false`` leaves out the differences that no score counts.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DeclaredLabels:
    """What there is; None where nothing is said, and anything may be."""

    categories: frozenset[str] | None = None
    functions: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    relations: frozenset[str] | None = None
    features: frozenset[str] | None = None


ANY = DeclaredLabels()


def read_labels(text: str) -> DeclaredLabels:
    """What a ``treelens.toml`` declares; what is wrong with it is :func:`declared`'s to say."""
    from treelens.session.toml import read_toml  # which whoever has no such file does without

    return declared(read_toml(text).data)[0]


def read_strict(text: str) -> bool | None:
    """Whether differences that no score counts are shown; None where nothing is said of that."""
    from treelens.session.toml import read_toml  # as above

    found = read_toml(text).data.get("strict")
    return found if isinstance(found, bool) else None


def declared(data: dict[str, Any]) -> tuple[DeclaredLabels, list[tuple[str, str]]]:
    """The labels of a configuration, and which of its keys are wrong, and why."""
    table, problems = data.get("labels", {}), list[tuple[str, str]]()
    if not isinstance(data.get("strict", True), bool):
        problems.append(("strict", "strict is true or false; left out"))
    if not isinstance(table, dict):
        return ANY, [*problems, ("labels", "labels is a table: write [labels] above its lines")]
    known = [field.name for field in dataclasses.fields(DeclaredLabels)]
    found = {}
    for key, value in table.items():
        names = value if isinstance(value, list) else [None]
        if key not in known:
            problems.append((key, f"“{key[:60]}” is not known in [labels]: {', '.join(known)} are"))
        elif not all(isinstance(name, str) for name in names):
            problems.append((key, f"{key} is a list of names; left out"))
        else:
            found[key] = frozenset(names)
    return DeclaredLabels(**found), problems
