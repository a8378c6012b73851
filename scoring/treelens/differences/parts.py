"""Fields that list what they say (``Case=Nom|Number=Sing``): of two of them, what differs.

A row's fields are long, and what matters is one feature of them.
"""

from __future__ import annotations

from treelens.compare.attachments import NOTHING

FIELDS, PARTS = "; ", "|"
"""Between the fields of a mark (see ``morphology_of``), and within one."""


def apart(here: str, there: str) -> tuple[str, str]:
    """Of what two sides write, what only either has; empty where the other only has more. What is
    no list (a lemma, a tag, with a bar or without), or the same list in another order, stays
    whole."""
    ours, theirs = here.split(FIELDS), there.split(FIELDS)
    if len(ours) != len(theirs):
        return here, there
    pairs = [_unlike(*pair) for pair in zip(ours, theirs, strict=True)]
    mine, others = (FIELDS.join(filter(None, one)) for one in zip(*pairs, strict=True))
    return mine, others


def _unlike(here: str, there: str) -> tuple[str, str]:
    ours, theirs = _listed(here), _listed(there)
    if ours is None or theirs is None or {*ours} == {*theirs}:
        return here, there
    both = {*ours} & {*theirs}
    mine, others = (PARTS.join(one for one in side if one not in both) for side in (ours, theirs))
    return mine, others


def _listed(field: str) -> list[str] | None:
    parts = [] if field == NOTHING else field.split(PARTS)
    return parts if all("=" in part for part in parts) else None
