"""An error: one wrong decision of a system, with all the brackets or words that it accounts for.

Where findings (:mod:`treelens.differences.table`) have every bracket that differs by itself, an
error has those that one repair puts right together. Knows neither how errors are found nor who
shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from treelens.differences.marks import Mark
from treelens.differences.wording import ROLES, Said, SideNames, say

Direction = Literal["", "too low", "too high"]

NOTHING: Final = "∅"
"""Stands for the label of a side that has nothing there."""

ATTACHMENT: Final = "Attachment"

NOT_CLASSIFIED: Final = "Not Classified"
"""Differences in a sentence for which the search for repairs was given up."""

CLASSES: Final = (
    "PP Attachment",
    "NP Attachment",
    "VP Attachment",
    "Nominal Attachment",
    "Argument Attachment",
    "Clause Attachment",
    "Modifier Attachment",
    "Function Word Attachment",
    "Coordination",
    "NP Internal Structure",
    "Compound",
    "Multiword Expression",
    "Punctuation",
    "Root",
    "Reversed Head",
    "Other Attachment",
    "Unary",
    "Single Word Phrase",
    "Missing Node",
    "Extra Node",
    "Different Label",
    "Different Relation",
    "Tag",
    "Morphology",
    "Different Words",
    "Missing Sentence",
    "Extra Sentence",
    NOT_CLASSIFIED,
)
"""Every class, in the order of reports: of constituents and of dependencies, then of words and
sentences. Relations that are none of Universal Dependencies' make classes of their own name."""


class ErrorKind(NamedTuple):
    """What errors are counted by."""

    kind: str
    direction: Direction
    gold_label: str
    system_label: str

    @property
    def name(self) -> str:
        """The class, and where it went: ``PP Attachment, too low``."""
        return f"{self.kind}, {self.direction}" if self.direction else self.kind


class CountedError(NamedTuple):
    """What reports count of an error."""

    kind: ErrorKind
    brackets: int
    words: int


@dataclass(frozen=True, slots=True)
class Error:
    """One error. The first mark of a side is the place to go to; a side may have none."""

    kind: str
    """The class, one of :data:`CLASSES` or ``<relation> Attachment``."""
    said: Said
    direction: Direction
    """Of something that hangs on the wrong node, whether that is too low or too high."""
    gold_label: str
    """What gold has there: a label, tag or relation, or the node that something hangs on."""
    system_label: str
    brackets: int
    """Missing and extra brackets that it accounts for."""
    words: int
    """Words whose head, relation, tag, morphology or form it is about."""
    gold: tuple[Mark, ...]
    system: tuple[Mark, ...]

    @property
    def name(self) -> str:
        """The class, and where it went: ``PP Attachment, too low``."""
        return self.counted.kind.name

    @property
    def counted(self) -> CountedError:
        """The error without places and words."""
        kind = ErrorKind(self.kind, self.direction, self.gold_label, self.system_label)
        return CountedError(kind, self.brackets, self.words)

    @property
    def labels(self) -> str:
        """The pair of labels, gold's first: ``NP → ADJP``."""
        return f"{self.gold_label or NOTHING} → {self.system_label or NOTHING}"

    def message(self, names: SideNames = ROLES) -> str:
        """What went wrong, in words, given what the sides are called."""
        return say(self.said, names)

    def at(self, gold: tuple[Mark, ...], system: tuple[Mark, ...]) -> Error:
        """The same error with other marks."""
        # (Half of the time that ``replace`` takes, and there are as many errors as there are.)
        return Error(
            self.kind,
            self.said,
            self.direction,
            self.gold_label,
            self.system_label,
            self.brackets,
            self.words,
            gold,
            system,
        )
