"""The style sheet of all pictures: the page has it once, a picture of its own brings it along."""

from __future__ import annotations

import functools
import pkgutil
import re

_VARIABLE = re.compile(r"--([a-z]+): var\(--tl-[a-z]+, ([^)]*)\)")
_DARK = re.compile(r"@media.*", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)


@functools.cache
def style() -> str:
    """``picture.css``: rules for classes, with colours in variables that whoever shows a picture
    may set."""
    return (pkgutil.get_data(__name__, "picture.css") or b"").decode()


@functools.cache
def plain_style() -> str:
    """The same for light paper and without variables, which many programs do not know."""
    rules = _DARK.sub("", _COMMENT.sub("", style()))
    values = dict(_VARIABLE.findall(rules))
    _, _, rules = rules.partition("}\n")
    return re.sub(r"var\(--([a-z]+)\)", lambda match: values[match[1]], rules)


def standalone(svg: str) -> str:
    """A picture's SVG element as a file of its own."""
    start, end = svg.split(">", 1)
    start = start.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{start}><style>{plain_style()}</style>{end}\n"
