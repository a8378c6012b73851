"""Parameter files, line by line: a key, one blank, and all the rest of the line is the value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

Pair = tuple[str, str]


class Problem(NamedTuple):
    """What is strange about a line of a file, and what is made of it."""

    line: int
    message: str


class Settings:
    """What the parameters say, each list in the order of the file."""

    def __init__(self) -> None:
        self.delete_labels: list[str] = []
        """Brackets that do not count; if they are tags, the words do not either."""
        self.empty_labels: list[str] = []
        """Nodes that go with all that is in them, first of all."""
        self.edit_labels: list[str] = []
        self.closed_class: list[str] = []
        """Tags of words whose dependencies are not open-class."""
        self.equal_labels: list[Pair] = []
        """The first is renamed to the second. Of several, the last in the file counts."""
        self.equal_words: list[Pair] = []
        self.filled_pauses: list[Pair] = []
        """A word, and the one character that names its class."""


_LABELS = {
    "DELETE_LABEL": "delete_labels",
    "EMPTY_NODE": "empty_labels",
    "EDIT_LABEL": "edit_labels",
    "CLOSED_CLASS": "closed_class",
}
_PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORDS": "equal_words"}
_PAUSE = "FILLED_PAUSE"
_BLANKS = " \t"


def lines(file: BinaryIO) -> Iterator[str]:
    """The lines of a file. One ends at a NUL, too, and at a byte FF: what follows is lost."""
    for data in file:
        line = data.decode("latin-1").removesuffix("\n")
        if "\0" in line or "\xff" in line:
            line = line.partition("\0")[0].partition("\xff")[0]
        yield line


def read_parameters(text: list[str]) -> tuple[Settings, list[Problem]]:
    """Read parameters; whatever is not as it should be is told, and taken as the original does."""
    settings = Settings()
    problems: list[Problem] = []
    for number, line in enumerate(text, start=1):
        message = _take(line, settings)
        if message:
            problems.append(Problem(number, message))
    return settings, problems


def _take(line: str, settings: Settings) -> str:
    """Take a line; what is strange about it."""
    key, blank, value = line.partition(" ")
    if blank and key in _LABELS:
        getattr(settings, _LABELS[key]).append(value)
        if value != value.strip(_BLANKS + "\r") or not value:
            return f"blanks and line ends are part of the label '{_visible(value)}'"
        return ""
    if blank and key in _PAIRS:
        return _take_pair(key, value, getattr(settings, _PAIRS[key]))
    if line.startswith(_PAUSE):
        return _take_pause(line, settings)
    if not line.strip(_BLANKS + "\r") or line.startswith("#"):
        return ""
    return f"'{_visible(line[:30])}' is no parameter: ignored"


def _take_pair(key: str, value: str, pairs: list[Pair]) -> str:
    end = min((place for place in map(value.find, _BLANKS) if place >= 0), default=len(value))
    first, second = value[:end], value[end + 1 :]
    pairs.append((first, second))
    if not first or not second:
        return (
            f"{key} takes two values with a blank between them; "
            f"'{_visible(value)}' is read as '{_visible(first)}' and '{_visible(second)}'"
        )
    if second != second.strip(_BLANKS + "\r"):
        return f"blanks and line ends are part of the second value, '{_visible(second)}'"
    return ""


def _take_pause(line: str, settings: Settings) -> str:
    """The class is one character behind the key, and the word starts two behind that."""
    start = len(_PAUSE)
    name, word = line[start : start + 1], line[start + 2 :]
    if len(line) < start + 2:
        # The original goes on reading what a longer line before has left behind.
        return f"{_PAUSE} takes a digit, a blank and a word: ignored"
    settings.filled_pauses.append((word, name))
    if not name.isdigit() or line[start + 1] != " " or word != word.strip(_BLANKS + "\r"):
        return (
            f"{_PAUSE} takes a digit, a blank and a word; "
            f"this is read as the class '{_visible(name)}' and the word '{_visible(word)}'"
        )
    return ""


def _visible(text: str) -> str:
    return text.replace("\r", "\\r").replace("\t", "\\t")
