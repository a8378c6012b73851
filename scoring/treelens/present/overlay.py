"""What may be laid over a document, in place of how it differs from others: what is left to do.

Of a file that is worked on with several others at hand. It marks, names and walks through what is
left; whoever makes it says what that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, cast

from treelens.present.actions import Action
from treelens.present.navigate import MismatchPlace
from treelens.session.session import Snapshot


class PlaceThere(NamedTuple):
    """A place in another file: a document's name, offsets, and a message."""

    name: str
    start: int
    end: int
    message: str


class OverlayMark(NamedTuple):
    """Something that is left to do, where the document has it."""

    start: int
    end: int
    code: str
    """Of the difference that it is about."""
    message: str
    related: tuple[PlaceThere, ...]
    listed: bool = True
    """Whether it is told wherever one looks; else while it is in view."""
    who: str = ""
    """Who has something else than what stands there: ``boris: nsubj``, ``only anna``."""


class ShownOverlay(Protocol):
    """What a feature tells of one of its documents."""

    @property
    def next_title(self) -> str:
        """What leads to what is left next."""

    @property
    def nothing_left(self) -> str:
        """What is said where nothing is."""

    def marks(self, snapshot: Snapshot, most: int) -> Sequence[OverlayMark]:
        """As many of the first as make ``most``, give or take those of one sentence, and all near
        the view."""

    def left_out(self, shown: int) -> str:
        """What to say of what is not marked; empty where all is."""

    def left(self, sentence: int) -> int:
        """How much is left in a sentence."""

    def lens(self, sentence: int) -> str:
        """What is said above a sentence."""

    def step(self, snapshot: Snapshot, offset: int, by: Literal[1, -1]) -> MismatchPlace | None:
        """What is left next behind an offset, or before it; past the last the first."""

    def actions(self, snapshot: Snapshot, start: int, end: int) -> list[Action]:
        """What can be done from one offset to another, best first."""


def overlay_of(snapshot: Snapshot) -> ShownOverlay | None:
    """What is laid over a document."""
    return cast(ShownOverlay | None, snapshot.overlay)
