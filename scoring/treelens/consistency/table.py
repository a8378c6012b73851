"""Every kind of variation there is in some sentences, looked for at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treelens.consistency import brackets, rare, relations, tags, texts
from treelens.consistency.groups import VariationGroup
from treelens.consistency.material import Material, material, recurring
from treelens.consistency.options import ConsistencyOptions
from treelens.trees.forest import Forest


def groups(
    forest: Forest,
    options: ConsistencyOptions,
    progress: Callable[[float], object] = lambda _: None,
) -> list[VariationGroup]:
    """All groups of the wanted kinds, in no order; sentences are counted from 0 in the forest.

    ``progress`` is called now and then with the share that is done, and may raise.
    """
    progress(0)
    return groups_on(material(forest, options), options, progress)


def groups_on(
    strip: Material,
    options: ConsistencyOptions,
    progress: Callable[[float], object] = lambda _: None,
) -> list[VariationGroup]:
    """The same of a strip."""
    found = []
    for length, part in enumerate(_in_windows(strip, options), 1):
        progress(length / (length + _USUAL))
        found += part
    if "texts" in options.kinds:
        found += texts.groups(strip, options)
    if "rare" in options.kinds:
        found += rare.groups(strip, options)
    return found


_USUAL = 10
"""Lengths of windows until few are left: what a share of the work is guessed by."""


def _in_windows(strip: Material, options: ConsistencyOptions) -> Iterator[list[VariationGroup]]:
    """The groups of each length of windows."""
    kinds = options.kinds
    tagged = tuple(kind for kind in kinds if kind.startswith("tags"))
    # (One document is of trees or of heads; what it has not, has no variation.)
    related = "relations" in kinds and strip.forest.dependencies is not None
    bracketed = "brackets" in kinds and len(strip.forest.label) > 0
    known = brackets.chains(strip, options) if bracketed else None
    margin = sum(options.window)
    longest = max(
        1 + margin if tagged else 0,
        relations.longest(options) if related else 0,
        brackets.LONGEST + margin if bracketed else 0,
    )
    for windows in recurring(strip, longest):
        found = [*tags.groups(strip, windows, tagged, options)]
        if related:
            found += relations.groups(strip, windows, options)
        if known is not None:
            found += brackets.groups(strip, known, windows, options)
        yield found
