"""Documents that are a file as it was committed: how they are spoken of; nobody can edit them.

An editor opens them under names of the scheme ``git``, with the revision in the query, as VS
Code's own Git does: ``git:/folder/x.mrg?{"path":"/folder/x.mrg","ref":"HEAD"}``, escaped.
"""

from __future__ import annotations

import json
import re
from urllib.parse import unquote, urlsplit

from treelens.session.pair import Side
from treelens.session.session import Counterpart

_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT = 7

# What stands in quotation marks is the treebank's own; so is a label that nothing here follows.
_ROLE = re.compile(
    r"“[^”]*”|\b(?:the )?(gold|system)(?=['’]s\b| has\b| attaches\b)"
    r"|(?:(?<=in )|(?<=into )|(?<=from ))(?:the )?(gold|system)\b"
)


def revision(name: str) -> str | None:
    """``last commit``, a branch or the start of a hash; None for any other document."""
    if not name.startswith("git:"):
        return None
    try:
        ref = json.loads(unquote(urlsplit(name).query)).get("ref", "")
    except (ValueError, AttributeError, RecursionError):
        ref = ""
    if not isinstance(ref, str) or ref in ("", "~"):
        return "staged"
    if ref == "HEAD":
        return "last commit"
    return ref[:_SHORT] if _HASH.fullmatch(ref) else ref


def spoken(text: str, name: str, other: Counterpart) -> str:
    """A text that speaks of gold and system, for a document and one that it is compared with:
    where one of them is a revision or an annotator's, that is what it is called."""
    if other.called is not None:
        return called(text, *other.called)
    theirs, ours = _as_subject(other.name), _as_subject(name)
    if theirs is None and ours is None:
        return text
    sides = {other.side: ours or "the working file"}
    sides[other.side.other] = theirs or "the working file"
    return called(text, sides[Side.GOLD], sides[Side.SYSTEM])


def called(text: str, gold: str, system: str) -> str:
    """A text that speaks of gold and system with these names for them."""
    sides = {Side.GOLD: gold, Side.SYSTEM: system}

    def role(match: re.Match[str]) -> str:
        found = match[1] or match[2]
        return sides[Side(found)] if found else match[0]

    return _ROLE.sub(role, text)


def _as_subject(name: str) -> str | None:
    found = revision(name)
    return f"the {found}" if found == "last commit" else found
