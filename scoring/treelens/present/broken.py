"""That a sentence's text is broken, in a few words: here, or in a file it is compared with."""

from __future__ import annotations

import re

from treelens.present.names import isolated, short_name
from treelens.session.document import Document
from treelens.session.session import Counterpart

_SAID = 48
"""Characters of what is broken; the mark has all of it."""


def broken(document: Document, sentence: int) -> str:
    """``broken: (S is not closed before the next tree``; empty where the text holds."""
    if not document.is_broken(sentence):
        return ""
    problems = [one for one in document.problems(sentence, sentence + 1) if one.severity == "error"]
    said = re.split("[:;,] ", problems[0].message, maxsplit=1)[0]
    said = said if len(said) <= _SAID else f"{said[: _SAID - 1]}…"
    more = f", {len(problems) - 1} more" if len(problems) > 1 else ""
    return f"broken: {isolated(said)}{more}"


def broken_elsewhere(other: Counterpart, sentence: int) -> str:
    """``broken in a.system.mrg``; empty where the text there holds."""
    is_broken = any(map(other.document.is_broken, other.sentences(sentence)))
    return f"broken in {short_name(other.name)}" if is_broken else ""
