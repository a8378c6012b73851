"""Text of users in Markdown: shown as it is, and nothing in it is a link, a picture or a tag."""

from __future__ import annotations

import re

from treelens.render.width import clean

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")
# What some programs make a link of by itself.
_LINK = re.compile(r"(?i)(?<=[a-z]):(?=//)|(?<=\bwww)\.|(?<=\bmailto):")


def escaped(text: str) -> str:
    """Text in the middle of a line, or in a cell of a table."""
    return _LINK.sub(lambda match: f"\\{match[0]}", _SPECIAL.sub(r"\\\g<0>", clean(text)))


def code(text: str) -> str:
    """Text as it is, in the font of code."""
    return f"`{clean(text).replace('`', '’')}`"
