"""A file's trees laid out anew, in the file's own habit: a line a tree, or indented."""

from __future__ import annotations

from treelens.edits.layout import laid_out, style_of
from treelens.edits.text import Edits
from treelens.edits.whole import line_break
from treelens.session.session import Snapshot

MOST = 5_000
"""Sentences laid out at once; more would be waited for."""
_LOOKED_AT = 100


def formatting(snapshot: Snapshot, start: int, end: int) -> Edits | None:
    """Edits for the trees from one offset to another; None where those are too many."""
    document = snapshot.document
    first, last = document.sentence_at(start), document.sentence_at(end)
    if first is None or last is None or document.format.layout != "brackets":
        return ()
    if last + 1 - first > MOST:
        return None
    style = style_of(document, range(min(len(document), _LOOKED_AT)))
    newline = line_break(document)
    return tuple(
        edit
        for sentence in range(first, last + 1)
        for edit in laid_out(document, sentence, style, newline)
    )
