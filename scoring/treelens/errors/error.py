"""An error: one wrong decision of a system, with all the brackets or words that it accounts for.

Where :mod:`treelens.findings` has every bracket that differs by itself, an error has those that
one repair puts right together. Knows neither how errors are found nor who shows them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from treelens.findings import Mark

Direction = Literal["", "too low", "too high"]

NOTHING: Final = "∅"
"""Stands for the label of a side that has nothing there."""

ATTACHMENT: Final = "Attachment"

CONSTITUENTS: Final = (
    "PP Attachment",
    "NP Attachment",
    "VP Attachment",
    "Clause Attachment",
    "Modifier Attachment",
    "Coordination",
    "NP Internal Structure",
    "Unary",
    "Single Word Phrase",
    "Different Label",
    "Other Attachment",
    "Missing Node",
    "Extra Node",
)
"""Classes of errors in constituents, the first ten as in the paper."""

DEPENDENCIES: Final = (
    "PP Attachment",
    "Nominal Attachment",
    "Argument Attachment",
    "Clause Attachment",
    "Modifier Attachment",
    "Function Word Attachment",
    "Coordination",
    "Multiword Expression",
    "Punctuation",
    "Root",
    "Reversed Head",
    "Different Relation",
    "Other Attachment",
)
"""Classes of errors in dependencies."""

WORDS: Final = ("Tag", "Morphology", "Different Words", "Missing Sentence", "Extra Sentence")
"""Classes of errors that are about words, whatever is built over them."""

NOT_CLASSIFIED: Final = "Not Classified"
"""Differences in a sentence for which the search for repairs was given up."""

CLASSES: Final = tuple(dict.fromkeys((*CONSTITUENTS, *DEPENDENCIES, *WORDS, NOT_CLASSIFIED)))
"""Every class, in the order of reports. Relations that are none of Universal Dependencies' make
classes of their own name besides."""


@dataclass(frozen=True, slots=True)
class Error:
    """One error. The first mark of a side is the place to go to; a side may have none."""

    kind: str
    """The class, one of :data:`CLASSES` or ``<relation> Attachment``."""
    message: str
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
        return f"{self.kind}, {self.direction}" if self.direction else self.kind

    @property
    def labels(self) -> str:
        """The pair of labels, gold's first: ``NP → ADJP``."""
        return f"{self.gold_label or NOTHING} → {self.system_label or NOTHING}"

    def at(self, gold: tuple[Mark, ...], system: tuple[Mark, ...]) -> Error:
        """The same error with other marks."""
        return replace(self, gold=gold, system=system)
