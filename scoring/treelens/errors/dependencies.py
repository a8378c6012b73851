"""Errors in dependencies: words with a wrong head or relation, by what they are to their head."""

from __future__ import annotations

from collections.abc import Iterator

from treelens.compare import Comparison
from treelens.errors.error import Error
from treelens.findings import View


def errors_in_dependencies(
    comparison: Comparison, views: tuple[View, View]
) -> Iterator[tuple[int, Error]]:
    """Each error in heads and relations, with its group."""
    yield from ()
