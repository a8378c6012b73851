"""What is done with a stretch of a corpus that is larger than memory, in any process.

See ``consistency.sieve`` for what it is that is written down, and ``cli.varying`` for who asks.
All that goes in and comes out can be sent.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.cli.decided import DecidedHere, decided_here
from treelens.cli.stored_groups import PackedGroup, packed
from treelens.consistency import sieve
from treelens.consistency.agreed import Agreed
from treelens.consistency.found import (
    CorpusFile,
    Extract,
    FileName,
    PlacedGroup,
    SearchedCorpus,
    Strip,
    bracketed_strings,
    corpus_of,
    placed,
    strips,
    texts_before,
    varying,
    wanted,
)
from treelens.consistency.hints import Hints, Seen
from treelens.consistency.material import material
from treelens.consistency.options import ConsistencyOptions, Tier
from treelens.consistency.sieve import Facts, Varied
from treelens.corpus.cuts import ByteStretch, stands_among_others
from treelens.counting.vocabulary import Vocabulary
from treelens.counting.work import StreamedText, StretchProblem, text
from treelens.session.document import Document, document, place
from treelens.trees.forest import Forest, Symbols, concatenate

Numbers = npt.NDArray[np.int64]
_COLUMNS = ("file", "start", "end", "sentence", "in_corpus", "line", "text")
RUN = np.dtype([(name, "<i8") for name in _COLUMNS])
"""Bytes of a file that can be read by themselves: those of a sentence, or of a few that cannot be
told apart for certain. sentence, in_corpus: the first one's numbers in the file and in the corpus;
line, text: of it, from 0 in the file."""

_LOOKED_BACK = 8


class Stretch(NamedTuple):
    """A stretch of a file, by the file's number in the corpus."""

    file: int
    text: StreamedText
    bytes: ByteStretch


class Before(NamedTuple):
    """What comes before a stretch: sentences of the file and of the corpus, lines and texts of the
    file."""

    sentences: int
    in_corpus: int
    lines: int
    texts: int


class StretchSeen(NamedTuple):
    """What was seen in a stretch: how many sentences, line breaks, starts of texts and problems,
    and the first of these."""

    sentences: int
    breaks: int
    texts: int
    problems: int
    listed: tuple[StretchProblem, ...]


class PortionSeen(NamedTuple):
    """What was seen in each stretch of a portion, their strings of words, and what is decided
    there."""

    stretches: tuple[StretchSeen, ...]
    strings: tuple[Seen, ...]
    decided: tuple[DecidedHere, ...] = ()


class Search(NamedTuple):
    """What is looked for. strings: see ``sieve.Asked``. parts: of what is written down. rare:
    whether decisions are counted, too; it is none of the options' kinds."""

    options: ConsistencyOptions
    strings: bool
    tier: Tier
    agreed: Agreed
    parts: int = 1
    rare: bool = False


class Portion(NamedTuple):
    """Stretches that are one piece of work, and what comes before each, where that is known."""

    search: Search
    stretches: tuple[Stretch, ...]
    before: tuple[Before, ...] = ()


Shuffle = Callable[[Sequence[Portion], Hints], Iterator[Varied]]
"""Puts the facts of portions apart by key, and gives what varies, part by part."""

_vocabulary = Vocabulary()
"""Of this process."""


def look(portion: Portion, most: int) -> PortionSeen:
    """The first reading; ``most`` problems of each stretch are told."""
    texts, search = texts_of(portion), portion.search
    every = [one for _, one in asked_of(search, texts)]
    return PortionSeen(
        tuple(_look(one, most) for one in texts),
        tuple(map(sieve.seen, every)) if search.options.kinds else (),
        tuple(map(decided_here, every)) if search.rare else (),
    )


def _look(read: Document, most: int) -> StretchSeen:
    problems = read.problems()
    listed = (
        StretchProblem(*_line_and_column(read, problem.start), problem.message)
        for problem in problems[:most]
    )
    return StretchSeen(
        len(read),
        read.line_count - 1,
        int(texts_before(read).max(initial=0)),
        len(problems),
        tuple(listed),
    )


def write_down(portion: Portion, hints: Hints | str) -> list[Facts]:
    """The facts of some stretches, in parts. ``hints``: as they are, or a file that has them."""
    known = _hints(hints) if isinstance(hints, str) else hints
    found = [
        sieve.facts(one, known, portion.before[first].in_corpus)
        for first, one in asked_of(portion.search, texts_of(portion))
    ]
    return sieve.in_parts(np.concatenate([np.zeros(0, sieve.FACT), *found]), portion.search.parts)


def stored(hints: Hints, folder: str) -> str:
    """A file in a folder that has them."""
    name = os.path.join(folder, "hints")
    with open(name, "wb") as target:
        target.write(np.stack(hints).data)
    return name


@functools.lru_cache(maxsize=1)
def _hints(name: str) -> Hints:
    return Hints(*np.memmap(name, np.uint8, "r").reshape(len(Hints._fields), -1))


def sift(name: str) -> Varied:
    """What varies of a part that is in a file."""
    return sieve.varied(np.fromfile(name, sieve.FACT))


def sift_together(parts: Sequence[Facts]) -> Varied:
    """The same of a part as all portions have it."""
    return sieve.varied(np.concatenate([np.zeros(0, sieve.FACT), *parts]))


def runs(portion: Portion, sentences: Sequence[Numbers]) -> npt.NDArray[Any]:
    """Of each stretch, which runs its sentences are in that are asked for (by number in the
    corpus); one for each, ``(k,)``."""
    each = zip(portion.stretches, texts_of(portion), portion.before, sentences, strict=True)
    return np.concatenate([np.zeros(0, RUN), *(_runs(*one) for one in each)])


def _runs(stretch: Stretch, read: Document, before: Before, sentences: Numbers) -> npt.NDArray[Any]:
    rows = sentences - before.in_corpus
    first, end = rows.copy(), rows + 1
    for at in range(len(rows)):
        while first[at] > 0 and not _is_certain(read, int(first[at])):
            first[at] -= 1
        while end[at] < len(read) and not _is_certain(read, int(end[at])):
            end[at] += 1
    found = np.zeros(len(rows), RUN)
    found["file"] = stretch.file
    found["start"] = read.start[first] + stretch.bytes.start
    found["end"] = read.start[end] + stretch.bytes.start
    found["sentence"] = first + before.sentences
    found["in_corpus"] = first + before.in_corpus
    found["line"] = read.line[first] + before.lines
    found["text"] = texts_before(read)[first] + before.texts
    return found


def _is_certain(read: Document, sentence: int) -> bool:
    """Whether a sentence is read alike whatever is before it."""
    forest, row, _ = read.piece(sentence)
    piece, tree = int(forest.piece[row, 0]), int(forest.tree[row, 0])
    before = forest.source[max(piece - _LOOKED_BACK, 0) : piece]
    return read.format.anchored(before, forest.source[piece:tree])


class Gathered(NamedTuple):
    """Runs of a file, in order."""

    file: FileName
    text: StreamedText
    runs: npt.NDArray[Any]


class Assembly(NamedTuple):
    """Sentences that have all occurrences of some keys, which are ascending."""

    search: Search
    files: tuple[Gathered, ...]
    keys: npt.NDArray[np.uint64]


class Assembled(NamedTuple):
    """The groups of one kind of files (see ``found.strips``): those that are asked for, with
    sentences counted in the corpus; and the strings of words (``found.bracketed_strings``) of all
    that there are, asked for or not."""

    of_trees: bool
    groups: list[PackedGroup]
    brackets: npt.NDArray[np.uint64]


def assemble(task: Assembly) -> list[Assembled]:
    """The groups of some keys."""
    options = task.search.options
    made = []
    for part in varying(read_again(task.files, options), options):
        forest = part.files[0].document.piece(0).forest
        known = np.isin(sieve.keys_of(part.groups, forest), task.keys)
        mine = [one for one, here in zip(part.groups, known.tolist(), strict=True) if here]
        made.append(assembled(SearchedCorpus(part.files, mine), task.search))
    return made


def read_again(files: Iterable[Gathered], options: ConsistencyOptions) -> list[Strip]:
    """The sentences of some runs."""
    symbols = Symbols()
    return strips([_extract(some, symbols) for some in _together(map(_excerpt, files))], options)


def assembled(part: SearchedCorpus, search: Search) -> Assembled:
    """Of groups of sentences that were read again, those that are asked for, in their files."""
    asked = wanted(part.groups, search.tier, search.agreed)
    in_corpus = np.concatenate([one.extract.in_corpus for one in part.files if one.extract])
    groups = [
        packed(one._replace(group=_in_corpus(one, in_corpus))) for one in placed(asked, part.files)
    ]
    brackets = bracketed_strings(part.groups)
    of_trees = part.files[0].document.piece(0).forest.dependencies is None
    return Assembled(of_trees, groups, brackets)


def _in_corpus(one: PlacedGroup, numbers: Numbers) -> Any:
    """The group with sentences as they are counted in the corpus."""
    occurrences = tuple(
        place._replace(sentence=int(numbers[place.sentence])) for place in one.group.occurrences
    )
    return one.group._replace(occurrences=occurrences)


class _Excerpt(NamedTuple):
    """Runs of a file, and the text of each, closed: a blank line behind a sentence belongs to the
    next one, which may be left out, and has none before it where it is the first of a stretch."""

    source: Gathered
    texts: tuple[bytes, ...]


def _excerpt(one: Gathered) -> _Excerpt:
    texts = []
    with one.text.source.open() as stream:
        for start, end in zip(one.runs["start"].tolist(), one.runs["end"].tolist(), strict=True):
            stream.seek(one.text.skipped + start)
            texts.append(stream.read(end - start) + b"\n\n")
    return _Excerpt(one, tuple(texts))


def _together(excerpts: Iterable[_Excerpt]) -> Iterator[list[_Excerpt]]:
    """As many excerpts of files, in their order, as may stand in one text: reading one of a few
    sentences takes nearly as long as one of a few hundred."""
    some: list[_Excerpt] = []
    for one in excerpts:
        format = one.source.text.format
        fits = stands_among_others(b"".join(one.texts).lstrip(b"\n"), format)
        if some and not (fits and some[-1].source.text.format == format):
            yield some
            some = []
        some.append(one)
        if not fits:
            yield some
            some = []
    if some:
        yield some


def _extract(excerpts: Sequence[_Excerpt], symbols: Symbols) -> CorpusFile:
    """Some runs of files, read as one text."""
    runs = np.concatenate([one.source.runs for one in excerpts])
    parts = [part for one in excerpts for part in one.texts]
    read = document(b"".join(parts), symbols, excerpts[0].source.text.format)
    starts = np.cumsum([0, *map(len, parts[:-1])])
    # (A piece may start with blank lines of the run before it; a tree does not.)
    run = np.searchsorted(starts, _forest(read).tree[:, 0], side="right") - 1
    first = np.searchsorted(run, np.arange(len(parts)))
    texts = texts_before(read)
    shift = np.arange(len(read)) - first[run]
    files = [one.source.file for one in excerpts for _ in one.texts]
    return CorpusFile(
        files[0],
        read,
        Extract(
            tuple(files[number] for number in run.tolist()),
            runs["sentence"][run] + shift,
            runs["in_corpus"][run] + shift,
            (runs["line"] - read.lines_at(starts))[run],
            runs["text"][run] - texts[first[run]],
        ),
    )


def texts_of(portion: Portion) -> list[Document]:
    """The texts of a portion's stretches, which share their symbols."""
    sizes = [stretch.bytes.end - stretch.bytes.start for stretch in portion.stretches]
    symbols = _vocabulary.symbols(sum(sizes))
    return [text(stretch.text, stretch.bytes, symbols) for stretch in portion.stretches]


def _forest(read: Document) -> Forest:
    return read.forest(range(len(read)))


def asked_of(search: Search, texts: Sequence[Document]) -> Iterator[tuple[int, sieve.Asked]]:
    """The sentences of some texts, as many at once as are of one corpus and one behind the other,
    and which of the texts the first of them is in."""
    forests = ((number, _forest(read)) for number, read in enumerate(texts) if len(read))
    for _, some in itertools.groupby(forests, lambda numbered: corpus_of(numbered[1])):
        numbers, parts = zip(*some, strict=True)
        strip = material(concatenate([*parts]), search.options)
        yield numbers[0], sieve.Asked(strip, search.options, search.strings)


def _line_and_column(read: Document, offset: int) -> tuple[int, int]:
    line, column = place(read, offset)
    return line - 1, column


def listed_lines(seen: Sequence[StretchSeen]) -> Iterator[StretchProblem]:
    """The problems that are told of the stretches of a file, with lines (from 0) of the file."""
    lines = 0
    for one in seen:
        for problem in one.listed:
            yield problem._replace(line=problem.line + lines)
        lines += one.breaks
