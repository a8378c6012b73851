"""Text as LaTeX that prints it as it is, and comments that LaTeX reads nothing of."""

from __future__ import annotations

from treelens.render.width import clean


def escaped(text: str) -> str:
    """A text that LaTeX prints as it is."""
    return "".join(_SPECIAL.get(character, character) for character in clean(text))


def comment(text: str) -> str:
    """A text that cannot end its line."""
    return " ".join(clean(text).split())


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    # At the start of a row these would be options of the rule or of the line break before.
    "[": "{[}",
    "*": "{*}",
    **{character: f"\\{character}" for character in "{}$&#%_"},
}
