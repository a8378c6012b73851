"""What is said of a group, in words: the same in reports and in an editor."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.consistency.groups import Occurrence, VariationGroup
from treelens.consistency.options import ContextSides, VariationKind
from treelens.render.numbers import number_of

NOTHING: dict[str, str] = {"relations": "not related", "brackets": "no bracket"}
EDGE = "_"
"""How a sentence's edge is shown; there is no such word in a key."""

TITLES: dict[VariationKind, str] = {
    "texts": "Identical sentences",
    "tags": "Tags",
    "tags:xpos": "Tags of the language",
    "tags:feats": "Features",
    "tags:lemma": "Lemmas",
    "relations": "Relations",
    "brackets": "Brackets",
    "rare": "Rare",
}


def label_text(kind: VariationKind, label: str | None) -> str:
    """A label as people read it."""
    return NOTHING.get(kind, "nothing") if label is None else label


def key_text(one: VariationGroup, opening: str = "[", closing: str = "]") -> str:
    """The words of a key, the nucleus in brackets: ``to [get back] to``."""
    if one.kind == "rare":
        return " ".join(word or "–" for word in one.key)
    inside = one.nucleus
    words = [word or EDGE for word in one.key]
    parts = [
        *words[: inside.start],
        opening + " ".join(words[inside]) + closing,
        *words[inside.stop : len(words) - one.kind.startswith("tags:")],
    ]
    more = f" ({one.key[-1]})" if one.kind.startswith("tags:") else ""
    return " ".join(parts) + more


def message(one: VariationGroup, here: Occurrence) -> str:
    """What a mark at one occurrence says."""
    if one.kind == "rare":
        return _rare(one, here)
    words = " ".join(word or EDGE for word in one.key[one.nucleus])
    if one.kind == "texts":
        return f"The same words are analysed differently in {_places(_others(one, here))}"
    name = _names(one)
    mine = name[here.label]
    others = [
        f"{name[label]} in {_places(count, 'other ')}"
        for label, count in one.labels
        if label != here.label
    ]
    return f"“{words}” is {mine} here and {_listed(others)}{_around(one)}"


def _names(one: VariationGroup) -> dict[str | None, str]:
    """What to call each label: of a relation, the head's side only where that tells it apart."""
    full = {label: label_text(one.kind, label) for label, _ in one.labels}
    if one.kind != "relations":
        return full
    bare = {label: name if label is None else name[:-1] for label, name in full.items()}
    if len(set(bare.values())) == len(bare):
        return bare
    sides = {"<": "head on the left", ">": "head on the right"}
    return {
        label: name if label is None else f"{bare[label]} ({sides[name[-1]]})"
        for label, name in full.items()
    }


def _others(one: VariationGroup, here: Occurrence) -> int:
    return sum(count for label, count in one.labels if label != here.label)


def _around(one: VariationGroup) -> str:
    inside = one.nucleus
    left = " ".join(word or EDGE for word in one.key[: inside.start])
    right = " ".join(
        word or EDGE for word in one.key[inside.stop : len(one.key) - one.kind.startswith("tags:")]
    )
    if one.context == "between":
        return ""
    return {
        "both": f", with the same words around ({left} … {right})",
        "left": f", with the same word before ({left} …)",
        "right": f", with the same word behind (… {right})",
    }[one.context]


def _rare(one: VariationGroup, here: Occurrence) -> str:
    total = one.total
    count = dict(one.labels)[here.label]
    where = key_text(one)
    usual = ", ".join(f"{label} {times:,}" for label, times in one.labels[:3])
    return f"{here.label} is rare here: {count:,} of {total:,} under {where} (most: {usual})"


def _places(count: int, other: str = "") -> str:
    return number_of(count, f"{other}place")


_MOST_NAMED = 3


def _listed(parts: Sequence[str]) -> str:
    if len(parts) > _MOST_NAMED:
        parts = [*parts[:_MOST_NAMED], f"{len(parts) - _MOST_NAMED:,} more labels"]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def context_text(context: ContextSides) -> str:
    """What has to be the same beside the words themselves."""
    return {
        "both": "word on each side",
        "left": "word before them",
        "right": "word behind them",
        "between": "words",
    }[context]
