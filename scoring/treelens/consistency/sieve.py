"""Which sentences have to be looked at together, of a corpus that is larger than memory.

All that is said of a string of words is a *fact*: the string (its key), what is annotated there
(its label), and the sentence. Facts are written down stretch by stretch, in parts by their keys;
of a part those are left whose key has more than one label (:func:`varied`). The sentences of
these, read again together, have all occurrences of their groups, which are then what they are
in memory (``table``): this decides only what is read together, and knows words by numbers that
are equal for equal words in every process.

Most strings occur once, and most that are no bracket or relation here are none anywhere. So the
corpus is read once before, for two tables of bits (:class:`Hints`): which strings of three words
come again, and which keys are annotated somewhere. Where they say yes wrongly, as they do the more
often the larger the corpus, there are more facts, and no other groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency import brackets, relations, tags, texts
from treelens.consistency.codes import (
    Codes,
    WindowCodes,
    mixed,
    name_codes,
    token_codes,
    window_codes,
)
from treelens.consistency.groups import NONE, VariationGroup
from treelens.consistency.hints import Hints, Seen, Slots, is_set, slots
from treelens.consistency.material import EDGE, Material, Places
from treelens.consistency.options import ConsistencyOptions, VariationKind
from treelens.trees.forest import Forest, each_once

Facts = npt.NDArray[Any]

FACT = np.dtype([("key", "<u8"), ("check", "<u4"), ("label", "<u8"), ("sentence", "<i8")])
"""key, check: 96 bits of a string of words. sentence: in the corpus, or ``COUNTED``."""
COUNTED = -1
"""In place of a sentence: of this key it is only asked whether it varies."""

_TAGS, _RELATIONS, _BRACKETS, _TEXTS, _STRINGS = range(5)
_FAMILY: dict[VariationKind, int] = {
    "relations": _RELATIONS,
    "brackets": _BRACKETS,
    "texts": _TEXTS,
    "tags": _TAGS,
    "tags:xpos": _TAGS,
    "tags:feats": _TAGS,
    "tags:lemma": _TAGS,
}
_MAY_HAVE_NONE = (_RELATIONS, _BRACKETS, _STRINGS)
"""Families of which no annotation is a label too."""

_EDGE_CODE = np.uint64(0xD1B54A32D192ED03)
_TRIGRAM = 3


class Varied(NamedTuple):
    """What is left of a part: keys and sentences, ``(k,)`` each, by key; and how many keys that are
    only counted vary."""

    key: Codes
    sentence: Places
    counted: int


class Asked(NamedTuple):
    """Some sentences, and what is asked of them. strings: whether strings of words are counted
    that vary whatever stands beside them."""

    strip: Material
    options: ConsistencyOptions
    strings: bool


# --- the first reading


def seen(asked: Asked) -> Seen:
    """What some sentences have."""
    here = _look(asked)
    trigrams, times = np.unique(_trigrams(here)[1], return_counts=True)
    annotated = [
        slots(_keys(here, one)[0]) for one in _annotated(here) if one.family in _MAY_HAVE_NONE
    ]
    both = np.concatenate([np.zeros(0, np.uint32), *annotated])
    return Seen(trigrams, trigrams[times > 1], each_once(both))


# --- the second


def facts(asked: Asked, known: Hints, first: int) -> Facts:
    """The facts of some sentences, of which ``first`` is the first one's number; in no order."""
    here = _look(asked)
    most = _most(here, known)
    made = [_facts(here, one.but(most[one.start] >= one.length), first) for one in _annotated(here)]
    for one in _not_annotated(here, most):
        maybe = is_set(known.annotated, slots(_keys(here, one)[0]))
        made.append(_facts(here, one.but(maybe), first))
    found = np.concatenate([np.zeros(0, FACT), *made])
    return np.concatenate([found[found["sentence"] != COUNTED], _once(found)])


def _once(found: Facts) -> Facts:
    """What is only counted, each label of a key once."""
    counted = found[found["sentence"] == COUNTED]
    both = mixed(counted["key"] + mixed(counted["label"] + counted["check"]))
    return counted[np.unique(both, return_index=True)[1]]


def in_parts(found: Facts, parts: int) -> list[Facts]:
    """By key, in so many parts: a power of two."""
    part = (found["key"] >> np.uint64(40)).astype(np.int64) & (parts - 1)
    order = np.argsort(part, kind="stable")
    cuts = np.searchsorted(part[order], np.arange(1, parts))
    return np.split(found[order], cuts)


def varied(found: Facts) -> Varied:
    """What of a part has a key with more than one label."""
    found = found[np.argsort(found["key"])]
    key, check = found["key"], found["check"]
    if (key[1:] == key[:-1])[check[1:] != check[:-1]].any():
        found = found[np.lexsort((check, key))]  # (two strings with one number)
        key, check = found["key"], found["check"]
    new = np.ones(len(found), np.bool_)
    new[1:] = (key[1:] != key[:-1]) | (check[1:] != check[:-1])
    run, starts = np.cumsum(new) - 1, np.flatnonzero(new)
    label = found["label"]
    varies = np.zeros(len(starts), np.bool_)
    varies[run[label != label[starts[run]]]] = True
    counted = found["sentence"][starts] == COUNTED
    kept = found[(varies & ~counted)[run]]
    return Varied(kept["key"].copy(), kept["sentence"].copy(), int((varies & counted).sum()))


def keys_of(groups: Sequence[VariationGroup], forest: Forest) -> Codes:
    """The keys that the facts of some groups have, whatever forest of their corpus this is;
    ``(g,)``."""
    size = np.array([len(one.key) - one.kind.startswith("tags:") for one in groups], np.int64)
    each = [*zip(groups, size.tolist(), strict=True)]
    word = token_codes(
        forest.symbols,
        np.array([key for one, words in each for key in one.identity[:words]], np.uint64),
    )
    word[[shown is None for one, words in each for shown in one.key[:words]]] = _EDGE_CODE
    salt = np.array([_salt(forest, _FAMILY[one.kind]) for one in groups], np.uint64)
    return _salted(window_codes(word).of(np.cumsum(size) - size, size), size, salt)[0]


# --- what is annotated where


class _Windows(NamedTuple):
    """Strings of words, ``(k,)``, with their labels."""

    family: int
    start: Places
    length: Places
    label: Codes

    def but(self, wanted: npt.NDArray[np.bool_]) -> _Windows:
        """Those that are wanted, and no others."""
        return _Windows(self.family, self.start[wanted], self.length[wanted], self.label[wanted])


class _Look(NamedTuple):
    """Some sentences with the numbers of their strings of words, and their brackets if any."""

    asked: Asked
    codes: WindowCodes
    chains: brackets.Chains | None


def _look(asked: Asked) -> _Look:
    strip, options, _ = asked
    wanted = {"brackets", "texts"} & {*options.kinds}
    bracketed = strip.forest.dependencies is None and len(strip.forest.label) > 0
    chains = brackets.chains(strip, options) if wanted and bracketed else None
    return _Look(asked, window_codes(_word_codes(strip)), chains)


def _annotated(here: _Look) -> Iterator[_Windows]:
    """All that have a label and are known words."""
    reach = here.asked.strip.reach
    for one in _labelled(here):
        yield one.but(reach[one.start] >= one.length)


def _labelled(here: _Look) -> Iterator[_Windows]:
    strip, options, strings = here.asked
    left, right = options.window
    margin = left + right
    tagged = tuple(kind for kind in options.kinds if kind.startswith("tags"))
    if tagged and margin:
        at = np.flatnonzero(strip.word != EDGE)
        size = np.full(len(at), 1 + margin)
        yield _Windows(_TAGS, at - left, size, _tag_codes(strip, tagged)[at])
    if "relations" in options.kinds and strip.forest.dependencies is not None:
        low, high, label = _related(strip, options)
        yield _Windows(_RELATIONS, low - left, high - low + 1 + margin, label)
    if "brackets" in options.kinds and here.chains is not None:
        low, size, label = _bracketed(strip, here.chains)
        short = size <= brackets.LONGEST
        low, size, label = low[short], size[short], label[short]
        yield _Windows(_BRACKETS, low - left, size + margin, label)
        if strings:
            yield _Windows(_STRINGS, low, size, label)
    if "texts" in options.kinds:
        size = np.diff(strip.first).astype(np.int64) - 2
        start, label = strip.first[:-1].astype(np.int64) + 1, _analyses(strip, here.chains)
        yield _Windows(_TEXTS, start, size, label).but(size >= texts.FEWEST)


def _not_annotated(here: _Look, most: Places) -> Iterator[_Windows]:
    """Those without one that may have one elsewhere, of one length at a time."""
    strip, options, strings = here.asked
    left, right = options.window
    margin = left + right
    if margin and "relations" in options.kinds and strip.forest.dependencies is not None:
        apart, head = relations.not_words(strip), relations.heads(strip)
        for size in range(2, options.distance + 2):
            start = np.flatnonzero(most >= size + margin)
            low, high = start + left, start + left + size - 1
            alone = (head[low] != high) & (head[high] != low) & ~apart[low] & ~apart[high]
            yield _none(_RELATIONS, start[alone], size + margin)
    if margin and "brackets" in options.kinds:
        yield from _no_brackets(here, _BRACKETS, left, right, most)
    if strings:
        yield from _no_brackets(here, _STRINGS, 0, 0, most)


def _no_brackets(
    here: _Look, family: int, left: int, right: int, most: Places
) -> Iterator[_Windows]:
    strip, chains = here.asked.strip, here.chains
    start = np.arange(len(most))
    for size in range(1, brackets.LONGEST + 1 if chains is not None else 1):
        assert chains is not None
        start = start[most[start] >= size + left + right]
        low, high = start + left, start + left + size - 1
        inside = (strip.word[low] != EDGE) & (strip.word[high] != EDGE)
        bare = chains.of(low[inside], high[inside], len(strip.word)) == NONE
        yield _none(family, start[inside][bare], size + left + right)


def _none(family: int, start: Places, length: int) -> _Windows:
    return _Windows(family, start, np.full(len(start), length), np.zeros(len(start), np.uint64))


def _most(here: _Look, known: Hints) -> Places:
    """How long a string from each place on can be that comes again; ``(m,)``."""
    reach = here.asked.strip.reach
    again = np.zeros(len(reach) + 1, np.bool_)
    start, slots = _trigrams(here)
    again[start] = is_set(known.again, slots)
    stops = np.where(again, len(again), np.arange(len(again)))
    run = np.minimum.accumulate(stops[::-1])[::-1] - np.arange(len(again))
    return np.minimum(reach, run[:-1] + _TRIGRAM - 1).astype(np.int64)


def _trigrams(here: _Look) -> tuple[Places, Slots]:
    strip = here.asked.strip
    start = np.flatnonzero(strip.reach >= _TRIGRAM)
    size = np.full(len(start), _TRIGRAM)
    salt = _salt(strip.forest, _STRINGS)
    return start, slots(_salted(here.codes.of(start, size), size, salt)[0])


def _bracketed(strip: Material, chains: brackets.Chains) -> tuple[Places, Places, Codes]:
    """First word, how many, and label of each bracket."""
    low, high = np.divmod(chains.extent, len(strip.word))
    return low, high - low + 1, name_codes(chains.names)[chains.label]


def _tag_codes(strip: Material, kinds: tuple[VariationKind, ...]) -> Codes:
    """All that is asked of each word together; ``(m,)``."""
    forest = strip.forest
    names = tags.names(forest)  # (Before the codes: a tag without its features may be a new label.)
    code = name_codes(forest.symbols.labels)[names[forest.tag]]
    for kind in kinds:
        if kind in tags.COLUMNS and forest.fields is not None:
            column = tags.COLUMNS[kind][0](forest)
            if kind == "tags:xpos":
                said = name_codes(forest.symbols.labels)[column]
            else:
                said = token_codes(forest.symbols, column.view(np.uint64))
            code = mixed(code + said)
    return code[strip.leaf] if len(code) else np.zeros(len(strip.word), np.uint64)


def _related(strip: Material, options: ConsistencyOptions) -> tuple[Places, Places, Codes]:
    """First and last word of each pair that is related, and how."""
    dependencies = strip.forest.dependencies
    assert dependencies is not None
    head, apart = relations.heads(strip), relations.not_words(strip)
    word = np.flatnonzero(head >= 0)
    above = head[word]
    near = (np.abs(word - above) <= options.distance) & ~apart[word] & ~apart[above]
    word, above = word[near], above[near]
    relation = dependencies.relation[strip.leaf[word]]
    label = name_codes(strip.forest.symbols.labels)[relation] + (above < word).astype(np.uint64)
    return np.minimum(word, above), np.maximum(word, above), mixed(label)


def _analyses(strip: Material, chains: brackets.Chains | None) -> Codes:
    """What each sentence's annotation is, in one number; ``(n,)``."""
    found = np.zeros(len(strip.first) - 1, np.uint64)
    if chains is not None:
        low, size, label = _bracketed(strip, chains)
        other = low + size
    elif strip.forest.dependencies is not None:
        low = np.flatnonzero(strip.leaf >= 0)
        head = relations.heads(strip)[low]
        # (A head that is on no strip is a place in front of all words.)
        other = np.where(head >= 0, head, strip.first[strip.sentence[low]])
        relation = strip.forest.dependencies.relation[strip.leaf[low]]
        label = name_codes(strip.forest.symbols.labels)[relation]
    else:
        return found
    sentence = strip.sentence[low]
    base = strip.first[sentence]
    at = ((low - base).astype(np.uint64) << np.uint64(32)) + (other - base).astype(np.uint64)
    np.add.at(found, sentence, mixed(label + mixed(at)))
    return found


# --- numbers


def _keys(here: _Look, one: _Windows) -> tuple[Codes, Codes]:
    """Key and check of some strings."""
    salt = _salt(here.asked.strip.forest, one.family)
    return _salted(here.codes.of(one.start, one.length), one.length, salt)


def _salted(codes: Codes, length: Places, salt: int | Codes) -> tuple[Codes, Codes]:
    salted = mixed(length.astype(np.uint64) * np.uint64(64) + np.uint64(salt))
    return mixed(codes[0] + salted), mixed(codes[1] + salted) >> np.uint64(32)


def _facts(here: _Look, one: _Windows, first: int) -> Facts:
    made = np.zeros(len(one.start), FACT)
    made["key"], made["check"] = _keys(here, one)
    made["label"] = one.label
    counted = one.family == _STRINGS
    made["sentence"] = (
        COUNTED if counted else here.asked.strip.sentence[one.start] + np.int64(first)
    )
    return made


def _salt(forest: Forest, family: int) -> int:
    """Tables, lattices, and what has no such columns are corpora of their own."""
    return (family * 2 + (forest.dependencies is not None)) * 2 + (forest.fields is not None)


def _word_codes(strip: Material) -> Codes:
    """The numbers of the words at all places."""
    numbers = each_once(strip.word)
    code = np.zeros(int(numbers.max(initial=0)) + 1, np.uint64)
    code[numbers] = token_codes(strip.forest.symbols, strip.words.normal(numbers))
    code[EDGE] = _EDGE_CODE
    return code[strip.word]
