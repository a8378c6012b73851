"""Groups with their places in named files: what the reports are made of."""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency import brackets
from treelens.consistency.agreed import Agreed
from treelens.consistency.codes import Codes, name_codes
from treelens.consistency.groups import VariationGroup, ordered
from treelens.consistency.material import Material, material, traces
from treelens.consistency.options import TIERS, ConsistencyOptions, Tier
from treelens.consistency.outermost import largest
from treelens.consistency.table import groups_on
from treelens.formats.table import Format
from treelens.rules.parameters import TRACE, tag_name
from treelens.session.document import Document, document
from treelens.session.sentence_ids import SENT_ID, sent_id
from treelens.trees.forest import Forest, Symbols, concatenate, each_once
from treelens.trees.other_lines import at_line_start
from treelens.trees.tree import Node

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NEW_DOCUMENT = re.compile(rb"%b[ \t]*newdoc\b" % at_line_start(b"#"))


class FileName(NamedTuple):
    """A file of the corpus; reference: it is what the corpus is held against."""

    name: str
    reference: bool = False


class Extract(NamedTuple):
    """What stands for some sentences of files, ``(n,)`` each: their files, which ones they are,
    from 0 in the file and in the corpus, and how much higher their lines and texts are in the file
    than in the document."""

    file: Sequence[FileName]
    sentence: Numbers
    in_corpus: Numbers
    lines: Numbers
    texts: Numbers


class CorpusFile(NamedTuple):
    """What is read of a file: all of it, or an extract, which may be of several."""

    file: FileName
    document: Document
    extract: Extract | None = None

    @property
    def files(self) -> Sequence[FileName]:
        return self.extract.file if self.extract else (self.file,)

    def file_of(self, sentence: int) -> FileName:
        return self.extract.file[sentence] if self.extract else self.file


class SentenceHome(NamedTuple):
    """A sentence in a text that has been read."""

    document: Document
    sentence: int

    def words(self) -> list[str]:
        """Its words without traces."""
        return words(self.document, self.sentence)

    def opened(self) -> SentenceHome:
        return self


class Passage(NamedTuple):
    """A sentence of a text that is not held: its own text, and its words without traces."""

    text: bytes
    format: Format
    said: tuple[str, ...]

    def words(self) -> list[str]:
        return [*self.said]

    def opened(self) -> SentenceHome:
        return SentenceHome(document(self.text, Symbols(), self.format), 0)


class OccurrencePlace(NamedTuple):
    """An occurrence in its file; sentences, lines and words (of the nucleus, without traces)
    count from 1. home: where the sentence can be read; of an extract the first one of each
    label can."""

    file: FileName
    sentence: int
    sent_id: str
    line: int
    words: tuple[int, ...]
    label: str | None
    deviant: bool
    home: SentenceHome | Passage | None


class PlacedGroup(NamedTuple):
    """A group with its places, in the order of files and text. documents: how many texts they are
    of, where tables say where one starts, else files."""

    group: VariationGroup
    places: tuple[OccurrencePlace, ...]
    documents: int


class Asked(NamedTuple):
    """Which groups are wanted: up to a tier, and whether also those inside larger ones."""

    tier: Tier = "B"
    every: bool = False


class SearchedCorpus(NamedTuple):
    """Files of trees, or of tables, with the groups in them."""

    files: list[CorpusFile]
    groups: list[VariationGroup]


class Strip(NamedTuple):
    """The words of some files, one behind the other."""

    files: list[CorpusFile]
    material: Material

    @property
    def has_brackets(self) -> bool:
        return self.material.forest.dependencies is None


def strips(files: Sequence[CorpusFile], options: ConsistencyOptions) -> list[Strip]:
    """What is looked through of some files that share their symbols. Files of trees and files of
    tables are two corpora."""
    return [Strip(part, material(_forest(part), options)) for part in _apart(files)]


def varying(
    parts: Sequence[Strip],
    options: ConsistencyOptions,
    progress: Callable[[float], object] = lambda _: None,
) -> list[SearchedCorpus]:
    """All that varies (see :func:`between`), in no order. ``progress``: see :func:`table.groups`;
    of each part anew."""
    found = []
    for part, strip in parts:
        progress(0)
        found.append(SearchedCorpus(part, between(groups_on(strip, options, progress), part)))
    return found


def between(groups: Iterable[VariationGroup], files: list[CorpusFile]) -> list[VariationGroup]:
    """All of them; where some files are references, only what is in one of them and in one that
    is none."""
    if not any(name.reference for one in files for name in one.files):
        return [*groups]
    starts = _starts(files)
    return [one for one in groups if _is_between(one, files, starts)]


def findings(
    corpora: Sequence[SearchedCorpus], asked: Asked, agreed: Agreed | None = None
) -> list[PlacedGroup]:
    """What is asked for, the sharpest first. What is known to be right both ways (``agreed``) is
    left out."""
    agreed = agreed or Agreed()
    return sharpest_first(one for part in corpora for one in _located(part, asked, agreed))


def sharpest_first(found: Iterable[PlacedGroup]) -> list[PlacedGroup]:
    """The same groups, in the order of reports."""
    by_group = {id(one.group): one for one in found}
    return [by_group[id(group)] for group in ordered(one.group for one in by_group.values())]


def _apart(files: Sequence[CorpusFile]) -> list[list[CorpusFile]]:
    kinds: dict[tuple[bool, bool], list[CorpusFile]] = {}
    for file in files:
        if len(file.document):
            kinds.setdefault(corpus_of(file.document.piece(0).forest), []).append(file)
    return [*kinds.values()]


def corpus_of(forest: Forest) -> tuple[bool, bool]:
    """What is told apart: tables, lattices, and trees or segments without such columns are corpora
    of their own."""
    return forest.dependencies is not None, forest.fields is not None


def _located(corpus: SearchedCorpus, asked: Asked, agreed: Agreed) -> list[PlacedGroup]:
    found = wanted(corpus.groups, asked.tier, agreed)
    return placed(found if asked.every else largest(found), corpus.files)


def wanted(groups: Iterable[VariationGroup], tier: Tier, agreed: Agreed) -> list[VariationGroup]:
    """Those up to a tier of which it is not known that they are right both ways."""
    tiers = TIERS[: TIERS.index(tier) + 1]
    return agreed.but(one for one in groups if one.tier in tiers)


def _starts(files: Sequence[CorpusFile]) -> list[int]:
    return [0, *itertools.accumulate(len(file.document) for file in files)]


def _forest(files: Sequence[CorpusFile]) -> Forest:
    return concatenate([file.document.forest(range(len(file.document))) for file in files])


def _is_between(one: VariationGroup, files: Sequence[CorpusFile], starts: Sequence[int]) -> bool:
    sides = {_file(files, starts, place.sentence).reference for place in one.occurrences}
    return sides == {False, True}


def _file(files: Sequence[CorpusFile], starts: Sequence[int], sentence: int) -> FileName:
    number = bisect.bisect_right(starts, sentence) - 1
    return files[number].file_of(sentence - starts[number])


def texts_before(document: Document) -> Numbers:
    """Which text of its file each sentence is of; ``(n,)``."""
    text = document.text()
    # (Most files have none, which takes a tenth of the time to see like this.)
    named = _NEW_DOCUMENT.finditer(text) if b"newdoc" in text else ()
    offsets = [match.start() for match in named]
    ends = document.start[1:]
    return np.searchsorted(np.array(offsets, np.int64), ends - 1, side="right")


def placed(found: Sequence[VariationGroup], files: Sequence[CorpusFile]) -> list[PlacedGroup]:
    """The groups with their places, which are worked out for all of a file at once."""
    starts = _starts(files)
    flags = traces(files[0].document.symbols)
    every = [place for one in found for place in one.occurrences]
    sentences = np.array([place.sentence for place in every], np.int64)
    words = np.array([place.words[0] if place.words else 0 for place in every], np.int64)
    owners = np.searchsorted(np.array(starts), sentences, side="right") - 1
    sentences -= np.array(starts)[owners]
    lines, texts, numbers = (np.zeros(len(every), np.int64) for _ in range(3))
    for number, file in enumerate(files):
        here = np.flatnonzero(owners == number)
        if len(here):
            rows = sentences[here]
            lines[here] = _lines(file.document, rows, words[here], flags)
            texts[here] = texts_before(file.document)[rows]
            numbers[here] = rows
            if file.extract is not None:
                lines[here] += file.extract.lines[rows]
                texts[here] += file.extract.texts[rows]
                numbers[here] = file.extract.sentence[rows]
    names = [_names(file.document) for file in files]
    homes = [functools.cache(functools.partial(_home, file)) for file in files]
    columns = (column.tolist() for column in (owners, sentences, numbers, lines, texts))
    rows_of_all = zip(every, *columns, strict=True)
    made = []
    for one in found:
        documents, places = set(), []
        known: set[str | None] = set()
        here_rows = itertools.islice(rows_of_all, len(one.occurrences))
        for place, owner, row, sentence, line, text in here_rows:
            file = files[owner]
            name = file.file_of(row)
            documents.add((name, text))
            of_place = tuple([word + 1 for word in place.words])
            is_kept = file.extract is None or place.label not in known
            home = homes[owner](row) if is_kept else None
            known.add(place.label)
            where = name, sentence + 1, names[owner](row), line, of_place
            places.append(OccurrencePlace(*where, place.label, place.deviant, home))
        made.append(PlacedGroup(one, tuple(places), len(documents)))
    return made


def _home(file: CorpusFile, row: int) -> SentenceHome | Passage:
    if file.extract is None:
        return SentenceHome(file.document, row)
    text = file.document.piece_text(row)
    return Passage(text, file.document.format, tuple(words(file.document, row)))


def _names(document: Document) -> Callable[[int], str]:
    """What the sentences are called, each looked up once; nothing where none can have a name."""
    text = document.text()
    if b"sent_id" not in text or not SENT_ID.search(text):
        return lambda sentence: ""
    return functools.cache(functools.partial(sent_id, document))


def _lines(document: Document, sentence: Numbers, word: Numbers, traces: Flags) -> Numbers:
    """The line, from 1, of words without traces counted from 0 in their sentences; ``(k,)``."""
    found = np.zeros(len(sentence), np.int64)
    for forest, numbers in document.parts():
        row_of = np.full(len(document), -1, np.int64)
        row_of[numbers[numbers >= 0]] = np.flatnonzero(numbers >= 0)
        here = np.flatnonzero(row_of[sentence] >= 0)
        row = row_of[sentence[here]]
        kept = np.flatnonzero(~traces[forest.tag])
        leaf = kept[np.searchsorted(kept, forest.first_leaf[row]) + word[here]]
        shift = document.start[sentence[here]] - forest.piece[row, 0]
        found[here] = forest.word_start[leaf] + shift
    return document.lines_at(found) + 1


def word_nodes(document: Document, sentence: int) -> list[Node]:
    """A sentence's words without traces."""
    leaves = [node for node in document.tree(sentence).nodes if node.word is not None]
    return [node for node in leaves if tag_name(node.label) != TRACE]


def word_leaves(forest: Forest, row: int) -> list[int]:
    """The leaves of a forest that are a sentence's words, without traces."""
    first, names = int(forest.first_leaf[row]), forest.symbols.labels
    tags = forest.tag[first : forest.first_leaf[row + 1]].tolist()
    return [first + k for k, tag in enumerate(tags) if not _is_trace(names[tag])]


def words(document: Document, sentence: int) -> list[str]:
    """The same as they are written."""
    forest, row, _ = document.piece(sentence)
    first, every = int(forest.first_leaf[row]), forest.words(row)
    return [every[leaf - first] for leaf in word_leaves(forest, row)]


@functools.lru_cache(maxsize=1 << 12)
def _is_trace(label: str) -> bool:
    return tag_name(label) == TRACE


def bracket_strings(parts: Sequence[Strip], options: ConsistencyOptions) -> int:
    """How many strings of words are labelled in more than one way, whatever is beside them."""
    return sum(brackets.strings(one.material, options) for one in parts if one.has_brackets)


def bracketed_strings(groups: Iterable[VariationGroup]) -> Codes:
    """Which strings of words some groups of brackets are about, each once, as numbers that are the
    same in every process; ``(k,)``. A string is in a group for each context that it varies in."""
    about = (one.key[one.nucleus] for one in groups if one.kind == "brackets")
    return each_once(name_codes("\n".join(word or "" for word in words) for words in about))


def structure(one: VariationGroup) -> tuple[str, ...]:
    """What a group is about whatever its words are: its kind and its labels."""
    return (one.kind, *sorted(label or "" for label, _ in one.labels))
