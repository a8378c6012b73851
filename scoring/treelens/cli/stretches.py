"""What is done with a stretch of a corpus that is larger than memory, in any process.

See ``consistency.sieve`` for what it is that is written down, and ``cli.varying`` for who asks.
All that goes in and comes out can be sent.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency import sieve
from treelens.consistency.agreed import Agreed
from treelens.consistency.found import (
    CorpusFile,
    Extract,
    FileName,
    PlacedGroup,
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
from treelens.corpus.cuts import ByteStretch
from treelens.counting.work import StreamedText, StretchProblem, Vocabulary, text
from treelens.session.document import Document, document, place
from treelens.trees.forest import Forest, Symbols

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
    the first of these, and its strings of words."""

    sentences: int
    breaks: int
    texts: int
    problems: int
    listed: tuple[StretchProblem, ...]
    strings: Seen


class Search(NamedTuple):
    """What is looked for. strings: see ``sieve.Asked``. parts: of what is written down."""

    options: ConsistencyOptions
    strings: bool
    tier: Tier
    agreed: Agreed
    parts: int = 1


class Portion(NamedTuple):
    """Stretches that are one piece of work, and what comes before each, where that is known."""

    search: Search
    stretches: tuple[Stretch, ...]
    before: tuple[Before, ...] = ()


Shuffle = Callable[[Sequence[Portion], Hints], Iterator[Varied]]
"""Puts the facts of portions apart by key, and gives what varies, part by part."""

_vocabulary = Vocabulary()
"""Of this process."""


def look(portion: Portion, most: int) -> list[StretchSeen]:
    """The first reading; ``most`` problems of each stretch are told."""
    return [_look(portion.search, one, most) for one in portion.stretches]


def _look(search: Search, stretch: Stretch, most: int) -> StretchSeen:
    read = _read(stretch)
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
        sieve.seen(_asked(search, _forest(read))),
    )


def write_down(portion: Portion, hints: Hints | str) -> list[Facts]:
    """The facts of some stretches, in parts. ``hints``: as they are, or a file that has them."""
    known = _hints(hints) if isinstance(hints, str) else hints
    found = [
        sieve.facts(_asked(portion.search, _forest(_read(stretch))), known, before.in_corpus)
        for stretch, before in zip(portion.stretches, portion.before, strict=True)
    ]
    return sieve.in_parts(np.concatenate(found), portion.search.parts)


def stored(hints: Hints, folder: str) -> str:
    """A file in a folder that has them."""
    name = os.path.join(folder, "hints.npy")
    np.save(name, np.stack(hints))
    return name


@functools.lru_cache(maxsize=1)
def _hints(name: str) -> Hints:
    return Hints(*np.load(name, mmap_mode="r"))


def sift(name: str) -> Varied:
    """What varies of a part that is in a file."""
    return sieve.varied(np.fromfile(name, sieve.FACT))


def sift_together(parts: Sequence[Facts]) -> Varied:
    """The same of a part as all portions have it."""
    return sieve.varied(np.concatenate([np.zeros(0, sieve.FACT), *parts]))


def runs(portion: Portion, sentences: Sequence[Numbers]) -> npt.NDArray[Any]:
    """Of each stretch, which runs its sentences are in that are asked for (by number in the
    corpus); one for each, ``(k,)``."""
    each = zip(portion.stretches, portion.before, sentences, strict=True)
    return np.concatenate([np.zeros(0, RUN), *(_runs(*one) for one in each)])


def _runs(stretch: Stretch, before: Before, sentences: Numbers) -> npt.NDArray[Any]:
    read = _read(stretch)
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
    sentences counted in the corpus; and how many are of brackets, asked for or not."""

    of_trees: bool
    groups: list[PlacedGroup]
    brackets: int


def assemble(task: Assembly) -> list[Assembled]:
    """The groups of some keys."""
    symbols = Symbols()
    files = [_extract(one, symbols) for one in task.files]
    made = []
    for part in varying(strips(files, task.search.options), task.search.options):
        forest = part.files[0].document.piece(0).forest
        keys = (sieve.key_of(one, forest) for one in part.groups)
        known = np.isin(np.fromiter(keys, np.uint64, len(part.groups)), task.keys)
        mine = [one for one, here in zip(part.groups, known.tolist(), strict=True) if here]
        asked = wanted(mine, task.search.tier, task.search.agreed)
        in_corpus = np.concatenate([one.extract.in_corpus for one in part.files if one.extract])
        groups = [
            one._replace(group=_in_corpus(one, in_corpus)) for one in placed(asked, part.files)
        ]
        brackets = sum(one.kind == "brackets" for one in mine)
        made.append(Assembled(forest.dependencies is None, groups, brackets))
    return made


def _in_corpus(one: PlacedGroup, numbers: Numbers) -> Any:
    """The group with sentences as they are counted in the corpus."""
    occurrences = tuple(
        place._replace(sentence=int(numbers[place.sentence])) for place in one.group.occurrences
    )
    return one.group._replace(occurrences=occurrences)


def _extract(one: Gathered, symbols: Symbols) -> CorpusFile:
    """Some runs of a file, read as one text."""
    parts = []
    with one.text.source.open() as stream:
        for start, end in zip(one.runs["start"].tolist(), one.runs["end"].tolist(), strict=True):
            stream.seek(one.text.skipped + start)
            parts.append(stream.read(end - start))
    # (A file's last sentence need not end with a line break.)
    read = document(b"".join([*parts, b"\n\n"]), symbols, one.text.format)
    starts = np.cumsum([0, *map(len, parts[:-1])])
    # (A piece may start with blank lines of the run before it; a tree does not.)
    run = np.searchsorted(starts, _forest(read).tree[:, 0], side="right") - 1
    first = np.searchsorted(run, np.arange(len(parts)))
    texts = texts_before(read)
    shift = np.arange(len(read)) - first[run]
    return CorpusFile(
        one.file,
        read,
        Extract(
            one.runs["sentence"][run] + shift,
            one.runs["in_corpus"][run] + shift,
            (one.runs["line"] - read.lines_at(starts))[run],
            one.runs["text"][run] - texts[first[run]],
        ),
    )


def _read(stretch: Stretch) -> Document:
    size = stretch.bytes.end - stretch.bytes.start
    return text(stretch.text, stretch.bytes, _vocabulary.symbols(size))


def _forest(read: Document) -> Forest:
    return read.forest(range(len(read)))


def _asked(search: Search, forest: Forest) -> sieve.Asked:
    return sieve.Asked(material(forest, search.options), search.options, search.strings)


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
