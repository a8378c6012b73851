"""Documents that are a file as it was committed: how they are spoken of; nobody can edit them.

An editor opens them under names of the scheme ``git``, with the revision in the query, as VS
Code's own Git does: ``git:/folder/x.mrg?{"path":"/folder/x.mrg","ref":"HEAD"}``, escaped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treelens.differences.wording import ROLES, SideNames
from treelens.session.pair import Side

if TYPE_CHECKING:
    from treelens.session.session import Counterpart, Link

_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT = 7


def revision(name: str) -> str | None:
    """``last commit``, a branch or the start of a hash; None for any other document."""
    if not name.startswith("git:"):
        return None
    import json  # for editors' names only, as the next
    from urllib.parse import unquote, urlsplit

    try:
        ref = json.loads(unquote(urlsplit(name).query)).get("ref", "")
    except (ValueError, AttributeError, RecursionError):
        ref = ""
    if not isinstance(ref, str) or ref in ("", "~"):
        return "staged"
    if ref == "HEAD":
        return "last commit"
    return ref[:_SHORT] if _HASH.fullmatch(ref) else ref


def side_names(name: str, other: Counterpart) -> SideNames:
    """What to call the sides of a document and one that it is compared with."""
    names = {other.side: name, other.side.other: other.name}
    return _names(names[Side.GOLD], names[Side.SYSTEM], other.called)


def names_of(link: Link) -> SideNames:
    """What to call the sides of a link: annotators by their names, revisions as such."""
    return _names(link.gold, link.system, link.called)


def _names(gold: str, system: str, called: tuple[str, str] | None) -> SideNames:
    if called is not None:
        return SideNames(*called)
    subjects = _as_subject(gold), _as_subject(system)
    if subjects == (None, None):
        return ROLES
    return SideNames(*(subject or "the working file" for subject in subjects))


def _as_subject(name: str) -> str | None:
    found = revision(name)
    return f"the {found}" if found == "last commit" else found
