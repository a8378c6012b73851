"""Groups with their places in named files: what the reports are made of."""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency import brackets
from treelens.consistency.agreed import Agreed
from treelens.consistency.groups import Group, Occurrence, largest, ordered
from treelens.consistency.material import Material, material, traces
from treelens.consistency.options import TIERS, Options, Tier
from treelens.consistency.table import groups_on
from treelens.rules.parameters import TRACE, tag_name
from treelens.session.document import Document
from treelens.trees.forest import Forest, concatenate, decode
from treelens.trees.tree import Node

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NEW_DOCUMENT = re.compile(rb"^#[ \t]*newdoc\b", re.MULTILINE)
_SENTENCE_ID = re.compile(rb"^#[ \t]*sent_id[ \t]*=[ \t]*([^\r\n]*)", re.MULTILINE)
_MOST_OF_ID = 200


class File(NamedTuple):
    """A file of the corpus; reference: it is what the corpus is held against."""

    name: str
    document: Document
    reference: bool = False


class Place(NamedTuple):
    """An occurrence in its file; sentences, lines and words (of the nucleus, without traces)
    count from 1."""

    file: File
    sentence: int
    sent_id: str
    line: int
    words: tuple[int, ...]
    label: str | None
    deviant: bool


class Finding(NamedTuple):
    """A group with its places, in the order of files and text. documents: how many texts they are
    of, where tables say where one starts, else files."""

    group: Group
    places: tuple[Place, ...]
    documents: int


class Asked(NamedTuple):
    """Which groups are wanted: up to a tier, and whether also those inside larger ones."""

    tier: Tier = "B"
    every: bool = False


class Corpus(NamedTuple):
    """Files of trees, or of tables, with the groups in them; ``strip``: their words."""

    files: list[File]
    groups: list[Group]
    strip: Material


def varying(files: Sequence[File], options: Options) -> list[Corpus]:
    """All that varies in some files that share their symbols, in no order.

    Files of trees and files of tables are two corpora. Where some files are references, only what
    is in one of them and in one that is none is given.
    """
    found = []
    for part in _apart(files):
        strip = material(_forest(part), options)
        every = groups_on(strip, options)
        if any(file.reference for file in part):
            starts = _starts(part)
            every = [one for one in every if _is_between(one, part, starts)]
        found.append(Corpus(part, every, strip))
    return found


def findings(
    corpora: Sequence[Corpus], asked: Asked, agreed: Agreed | None = None
) -> list[Finding]:
    """What is asked for, the sharpest first. What is known to be right both ways (``agreed``) is
    left out."""
    agreed = agreed or Agreed()
    found = [one for part in corpora for one in _located(part, asked, agreed)]
    by_group = {id(one.group): one for one in found}
    return [by_group[id(group)] for group in ordered(one.group for one in found)]


def _apart(files: Sequence[File]) -> list[list[File]]:
    kinds: dict[tuple[bool, bool], list[File]] = {}
    for file in files:
        if len(file.document):
            forest = file.document.piece(0).forest
            what = forest.dependencies is not None, forest.fields is not None
            kinds.setdefault(what, []).append(file)
    return [*kinds.values()]


def _located(corpus: Corpus, asked: Asked, agreed: Agreed) -> list[Finding]:
    files, starts = corpus.files, _starts(corpus.files)
    wanted = TIERS[: TIERS.index(asked.tier) + 1]
    found = agreed.but(one for one in corpus.groups if one.tier in wanted)
    if not asked.every:
        found = largest(found)
    texts = [_texts(file.document) for file in files]
    flags = traces(files[0].document.symbols)
    return [_finding(one, files, starts, texts, flags) for one in found]


def _starts(files: Sequence[File]) -> list[int]:
    return [0, *itertools.accumulate(len(file.document) for file in files)]


def _forest(files: Sequence[File]) -> Forest:
    return concatenate([file.document.forest(range(len(file.document))) for file in files])


def _is_between(one: Group, files: Sequence[File], starts: Sequence[int]) -> bool:
    sides = {files[_file(starts, place.sentence)].reference for place in one.occurrences}
    return sides == {False, True}


def _file(starts: Sequence[int], sentence: int) -> int:
    return bisect.bisect_right(starts, sentence) - 1


def _texts(document: Document) -> Numbers:
    """Which text of its file each sentence is of; ``(n,)``."""
    offsets = [match.start() for match in _NEW_DOCUMENT.finditer(document.text())]
    ends = document.start[1:]
    return np.searchsorted(np.array(offsets, np.int64), ends - 1, side="right")


def _finding(
    one: Group,
    files: Sequence[File],
    starts: Sequence[int],
    texts: Sequence[Numbers],
    traces: Flags,
) -> Finding:
    places, of = [], set()
    for occurrence in one.occurrences:
        number = _file(starts, occurrence.sentence)
        sentence = occurrence.sentence - starts[number]
        of.add((number, int(texts[number][sentence])))
        places.append(placed(files[number], sentence, occurrence, traces))
    return Finding(one, tuple(places), len(of))


def placed(file: File, sentence: int, occurrence: Occurrence, traces: Flags) -> Place:
    """Where an occurrence is in its file; ``traces``: of each label, whether it is a trace's."""
    document = file.document
    words = tuple(word + 1 for word in occurrence.words)
    name = sent_id(document, sentence)
    start = word_starts(document, sentence, traces)[words[0] - 1 if words else 0]
    line = document.line_at(int(start)) + 1
    return Place(file, sentence + 1, name, line, words, occurrence.label, occurrence.deviant)


def word_starts(document: Document, sentence: int, traces: Flags) -> Numbers:
    """Where each of a sentence's words without traces starts."""
    forest, row, shift = document.piece(sentence)
    leaves = slice(int(forest.first_leaf[row]), int(forest.first_leaf[row + 1]))
    kept = ~traces[forest.tag[leaves]]
    return forest.word_start[leaves][kept].astype(np.int64) + shift


def sent_id(document: Document, sentence: int) -> str:
    """What the comments above a sentence call it; empty if they do not."""
    found = _SENTENCE_ID.search(document.piece_text(sentence))
    return decode(found[1].strip())[:_MOST_OF_ID] if found else ""


def word_nodes(document: Document, sentence: int) -> list[Node]:
    """A sentence's words without traces."""
    leaves = [node for node in document.tree(sentence).nodes if node.word is not None]
    return [node for node in leaves if tag_name(node.label) != TRACE]


def words(document: Document, sentence: int) -> list[str]:
    """The same as they are written."""
    forest, row, _ = document.piece(sentence)
    tags = forest.tag[forest.first_leaf[row] : forest.first_leaf[row + 1]].tolist()
    names = forest.symbols.labels
    return [
        word
        for word, tag in zip(forest.words(row), tags, strict=True)
        if tag_name(names[tag]) != TRACE
    ]


class Strings(NamedTuple):
    """How many strings of words are labelled in more than one way; ``alike``: with the same
    context, the others whatever is beside them."""

    alike: int
    every: int


def bracket_strings(corpora: Sequence[Corpus], options: Options) -> Strings:
    parts = [one for one in corpora if one.strip.forest.dependencies is None]
    alike = sum(group.kind == "brackets" for part in parts for group in part.groups)
    return Strings(alike, sum(brackets.strings(part.strip, options) for part in parts))


def structure(one: Group) -> tuple[str, ...]:
    """What a group is about whatever its words are: its kind and its labels."""
    return (one.kind, *sorted(label or "" for label, _ in one.labels))


def counts(found: Sequence[Finding]) -> Counter[tuple[str, Tier]]:
    """Groups by kind and tier."""
    return Counter((one.group.kind, one.group.tier) for one in found)
