"""What is compared, and how much has to be the same for two places to count as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from treelens.rules.spelling import DEFAULT, Spelling

VariationKind = Literal[
    "texts", "tags", "tags:xpos", "tags:feats", "tags:lemma", "relations", "brackets", "rare"
]
ContextSides = Literal["both", "left", "right", "between"]
On = Literal["form", "lower", "lemma"]
Tier = Literal["A", "B", "C"]

KINDS: tuple[VariationKind, ...] = get_args(VariationKind)
CONTEXTS: tuple[ContextSides, ...] = get_args(ContextSides)
TIERS: tuple[Tier, ...] = get_args(Tier)


@dataclass(frozen=True, slots=True)
class ConsistencyOptions:
    """kinds: which are looked for. context: the words beside the nucleus that have to be the same
    too (``between``: none beside it). on: what of a word has to be the same; words that have no
    lemma column are compared by their forms. distance: how far the words of a relation may be
    apart. functions: whether function tags are part of a bracket's label. most: how many
    single words or brackets ``rare`` may give.
    """

    kinds: tuple[VariationKind, ...] = ("texts", "tags", "relations", "brackets")
    context: ContextSides = "both"
    on: On = "form"
    distance: int = 7
    functions: bool = False
    most: int = 100
    spelling: Spelling = DEFAULT

    @property
    def window(self) -> Window:
        return Window(self.context in ("both", "left"), self.context in ("both", "right"))


class Window(NamedTuple):
    """How many words beside the nucleus are context, on either side: 0 or 1."""

    left: int
    right: int
