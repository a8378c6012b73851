"""The style sheet of all pictures: the page has it once, a picture of its own brings it along."""

from __future__ import annotations

import functools
from importlib import resources


@functools.cache
def style() -> str:
    """``picture.css``: rules for classes, with colours in variables that whoever shows a picture
    may set."""
    return resources.files(__package__).joinpath("picture.css").read_text(encoding="utf-8")
