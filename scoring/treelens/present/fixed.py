"""Documents that nobody can edit: files as they were committed, and packed ones."""

from __future__ import annotations

from treelens.corpus.folders import is_packed
from treelens.present.names import short_name
from treelens.present.revisions import revision


def is_fixed(name: str) -> bool:
    """Whether a document is one that nobody can edit."""
    return revision(name) is not None or is_packed(name)


def why_fixed(name: str) -> str:
    """Why nobody can edit it; empty of one that can be edited."""
    if revision(name) is not None:
        return f"{short_name(name)} is as it was committed: it cannot be changed"
    if is_packed(name):
        return f"{short_name(name)} is packed: unpack it to change it"
    return ""
