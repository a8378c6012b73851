"""Words between the same two words, tagged differently (Dickinson & Meurers 2003).

Parts of speech, and, with the part of speech in the key, the language's own tags, the features
and the lemma.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from treelens.consistency.groups import Labelled, Labels, VariationGroup, windows_as_groups
from treelens.consistency.material import EDGE, Material, Places, Windows
from treelens.consistency.options import ConsistencyOptions, VariationKind
from treelens.rules.parameters import tag_name
from treelens.trees.forest import Forest, decode

UNTAGGED = "_"


def groups(
    strip: Material, windows: Windows, kinds: tuple[VariationKind, ...], options: ConsistencyOptions
) -> Iterator[VariationGroup]:
    """The groups of each wanted kind; of windows that have one word besides the context."""
    left, right = options.window
    if windows.length != 1 + left + right or windows.length == 1:
        return
    at = windows.start + left
    inside = strip.word[at] != EDGE
    start, number, at = windows.start[inside], windows.number[inside], at[inside]
    leaf = strip.leaf[at]
    forest = strip.forest
    tag = names(forest)[forest.tag[leaf]]
    for kind in kinds:
        if kind == "tags":
            found = Labelled(number, start, tag)
            yield from windows_as_groups(
                kind, strip, found, windows.length, options, lambda label: _label(forest, label)
            )
        elif kind in COLUMNS and forest.fields is not None:
            column, name = COLUMNS[kind]
            tagged, both = _with_tags(number, tag)
            found = Labelled(both, start, column(forest)[leaf])

            def extra(start: int, tags: Labels = tagged, starts: Places = start) -> tuple[int, str]:
                label = int(tags[np.searchsorted(starts, start)])
                return label, _label(forest, label)

            yield from windows_as_groups(
                kind, strip, found, windows.length, options, _named(name, forest), extra
            )


def _with_tags(number: Places, tag: Labels) -> tuple[Labels, Places]:
    """The tags, and numbers that are equal where key and tag are."""
    both = number * (int(tag.max(initial=0)) + 1) + tag
    return tag, np.unique(both, return_inverse=True)[1]


def names(forest: Forest) -> Labels:
    """For each label the number of the tag that it is without features."""
    symbols = forest.symbols
    return np.array([symbols.label_id(tag_name(label)) for label in list(symbols.labels)], np.int64)


def _label(forest: Forest, label: int) -> str:
    return forest.symbols.labels[label] or UNTAGGED


def _named(name: Callable[[Forest, int], str], forest: Forest) -> Callable[[int], str]:
    return lambda label: name(forest, label)


def _xpos(forest: Forest) -> Labels:
    assert forest.fields is not None
    return forest.fields.xpos.astype(np.int64)


def _feats(forest: Forest) -> Labels:
    assert forest.fields is not None
    return forest.fields.feats.view(np.int64)


def _lemma(forest: Forest) -> Labels:
    assert forest.fields is not None
    return forest.fields.lemma.view(np.int64)


def _token(forest: Forest, label: int) -> str:
    return decode(forest.symbols.token(label))


COLUMNS: dict[VariationKind, tuple[Callable[[Forest], Labels], Callable[[Forest, int], str]]] = {
    "tags:xpos": (_xpos, _label),
    "tags:feats": (_feats, _token),
    "tags:lemma": (_lemma, _token),
}
