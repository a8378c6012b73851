"""What a scorer leaves out and takes as equal: evalb's parameter file, read as PARSEVAL means it.

Pure: the text of a parameter file in, parameters and problems out. The drop-ins have their own
reading of the same files, with the C program's oddities; this one is for everything else.
"""

from __future__ import annotations

import functools
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.rules.equal import standing_for
from treelens.rules.head_tables import TABLES
from treelens.rules.heads import HeadTable, TableProblem, head_table_text, read_head_table
from treelens.rules.spelling import DEFAULT, DistinctWords, Spelling, words
from treelens.trees.by_label import ByLabel, kept
from treelens.trees.forest import Ints, Symbols, encode

TRACE = "-NONE-"
"""The tag of words that nobody wrote: they are no part of the text that is aligned."""


@dataclass(frozen=True, slots=True)
class Heads:
    """A table of heads by its text, in SParseval's format (:mod:`treelens.rules.heads`)."""

    name: str
    text: str

    @property
    def table(self) -> HeadTable:
        return _read_heads(self.text)[0]

    @property
    def problems(self) -> list[TableProblem]:
        return _read_heads(self.text)[1]

    @property
    def signature(self) -> str:
        """The name; with a checksum of the text unless it is one of ours."""
        if HEADS.get(self.name) == self:
            return self.name
        return f"{self.name}#{zlib.crc32(encode(self.text)):08x}"


@functools.lru_cache(maxsize=16)
def _read_heads(text: str) -> tuple[HeadTable, list[TableProblem]]:
    return read_head_table(text)


HEADS = {name: Heads(name, head_table_text(table)) for name, table in TABLES.items()}
"""The tables that there are by name."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """Which brackets and words count, and what is equal.

    delete: labels that are no brackets, and part-of-speech tags whose words do not count.
    delete_for_length: tags of words that do not count for a sentence's length.
    equal_labels, equal_words: pairs; they are read as equivalences (evalb: not transitive).
    cutoff: sentences of up to this many words make up the report's second block.
    labelled: whether a bracket's label must be right; False scores spans only.
    spelling: what else makes no difference between two words.
    heads: how heads of constituents are found, where dependencies are asked of them.
    alignment: our own of sentences and words, the same with sentences that were moved taken
    together, or that of the jp-evalb script.
    """

    name: str = "default"
    delete: tuple[str, ...] = ()
    delete_for_length: tuple[str, ...] = (TRACE,)
    equal_labels: tuple[tuple[str, str], ...] = ()
    equal_words: tuple[tuple[str, str], ...] = ()
    cutoff: int = 40
    labelled: bool = True
    spelling: Spelling = DEFAULT
    heads: Heads | None = None
    alignment: Literal["own", "moved", "jp"] = "own"

    @property
    def signature(self) -> str:
        """A short name that differs whenever the parameters do, but for spelling, heads and
        alignment, which have signatures of their own."""
        plain = replace(self, spelling=DEFAULT, heads=None, alignment="own")
        if PRESETS.get(self.name) == plain:
            return self.name
        values = tuple(getattr(plain, one.name) for one in fields(plain))
        return f"{self.name}#{zlib.crc32(repr(values[:-3]).encode()):08x}"

    @property
    def equal_spelling(self) -> Spelling:
        """The spelling, with the parameter file's equal words among the equivalences."""
        if not self.equal_words:
            return self.spelling
        equivalences = (*self.equal_words, *self.spelling.equivalences)
        return replace(self.spelling, equivalences=equivalences)


_ROOTS = ("TOP", "ROOT", "S1", "VROOT")
_PUNCTUATION = (",", ":", "``", "''", ".")
_ADVERBS = (("ADVP", "PRT"),)

PRESETS = {
    # Collins's parameters (evalb's COLLINS.prm), the field's habit, with every name of the
    # root that is in use, so that a parser's ROOT costs nothing against a treebank's TOP.
    "default": Parameters("default", (*_ROOTS, TRACE, *_PUNCTUATION), equal_labels=_ADVERBS),
    "collins": Parameters("collins", ("TOP", TRACE, *_PUNCTUATION), equal_labels=_ADVERBS),
    "spmrl": Parameters("spmrl", (*_ROOTS, TRACE), cutoff=70),
    "none": Parameters("none"),
}


class ParameterProblem(NamedTuple):
    """A line of a parameter file that is not used, and why."""

    line: int
    message: str


def read_parameters(text: str, name: str) -> tuple[Parameters, list[ParameterProblem]]:
    """Read a parameter file; lines that are not understood are reported and left out."""
    # (Strings, for lists are what the garbage collector looks through again and again.)
    values = defaultdict[str, list[str]](list)
    problems = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        wanted = _ARITY.get(words[0])
        if wanted is None:
            problems.append(ParameterProblem(number, f"'{words[0]}' is no directive; left out"))
        elif len(words) - 1 != wanted:
            message = f"{words[0]} takes {wanted} value(s), found {len(words) - 1}; left out"
            problems.append(ParameterProblem(number, message))
        elif words[0] in _NUMBERS and not _NUMBER.fullmatch(words[1]):
            message = f"{words[0]} takes a number, found '{words[1]}'; left out"
            problems.append(ParameterProblem(number, message))
        else:
            values[words[0]].append(words[1] if wanted == 1 else " ".join(words[1:]))
    parameters = Parameters(
        name,
        delete=_first_values(values, "DELETE_LABEL"),
        delete_for_length=_first_values(values, "DELETE_LABEL_FOR_LENGTH"),
        equal_labels=_pairs(values, "EQ_LABEL"),
        equal_words=_pairs(values, "EQ_WORD"),
    )
    if "CUTOFF_LEN" in values:
        parameters = replace(parameters, cutoff=int(values["CUTOFF_LEN"][-1]))
    if "LABELED" in values:
        parameters = replace(parameters, labelled=int(values["LABELED"][-1]) != 0)
    return parameters, problems


_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBERS = frozenset({"DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED"})
_ARITY = {
    **dict.fromkeys((*_NUMBERS, "DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL"), 1),
    **dict.fromkeys(("EQ_LABEL", "EQ_WORD"), 2),
}


def _first_values(values: dict[str, list[str]], key: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values[key]))


def _pairs(values: dict[str, list[str]], key: str) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, other in map(str.split, values[key]))


def bare(label: str) -> str:
    """A label without function tags, indices and features: ``NP-SBJ=2##case=nom##`` is NP.

    A label that starts with a hyphen is a name as a whole (``-NONE-``, ``-LRB-``); evalb
    takes those for the empty label.
    """
    label = label.split("##", 1)[0] or label
    if label.startswith("-"):
        return label
    cuts = [cut for mark in "-=" if (cut := label.find(mark, 1)) > 0]
    return label[: min(cuts)] if cuts else label


class LabelTable(NamedTuple):
    """What the parameters say of each label id; ``(labels,)`` each."""

    bracket: Ints
    """The number of the label as a bracket's, equal for equal labels; -1 where none counts."""
    initial: Ints
    """The first character (its code point) of the label that stands for all of that number."""
    bare: Ints
    """The number of the label without tags, indices and features, whether it counts or not."""
    tag: Ints
    """The number of the label as a tag, features left out; equal for equal tags."""
    whole_tag: Ints
    """The same, and no two tags are held equal."""
    deleted: npt.NDArray[np.bool_]
    """Whether words with this tag do not count."""
    trace: npt.NDArray[np.bool_]
    unmeasured: npt.NDArray[np.bool_]
    """Whether words with this tag do not count for the length."""


def label_table(symbols: Symbols, parameters: Parameters) -> LabelTable:
    """The table for all labels that the symbols have so far."""
    return LabelTable(*_by_label(symbols, parameters).columns())


@kept
def _by_label(symbols: Symbols, parameters: Parameters) -> ByLabel:
    classes, plain = _Classes(parameters.equal_labels), _Classes(())
    deleted_tags, unmeasured = frozenset(parameters.delete), frozenset(parameters.delete_for_length)
    of_deleted = {classes.name(label) for label in classes.others if label in deleted_tags}

    def row(label: str) -> tuple[int, ...]:
        tag, cut = tag_name(label), bare(label)
        name = classes.name(cut)
        return (
            # The root that Penn-style files write without a label is no constituent.
            -1 if not name or name in deleted_tags or name in of_deleted else classes[name],
            ord(name[0]) if name else 0,
            plain[cut],
            classes[classes.name(tag)],
            plain[tag],
            tag in deleted_tags,
            tag == TRACE,
            tag in unmeasured,
        )

    return ByLabel(symbols, (*[np.int32] * 5, *[np.bool_] * 3), row)


@functools.lru_cache(maxsize=1 << 12)
def tag_name(label: str) -> str:
    """A tag without features: ``NN##num=sg##`` is NN."""
    return label.split("##", 1)[0] or label


def one_of_equal(parameters: Parameters, label: str) -> str:
    """The label that stands for all that the parameters hold equal to one."""
    return _classes(parameters.equal_labels).name(label)


@functools.lru_cache(maxsize=16)
def _classes(pairs: tuple[tuple[str, str], ...]) -> _Classes:
    return _Classes(pairs)


class _Classes:
    """Names of equivalence classes of labels, and their numbers."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._standing = standing_for(pairs)
        self._numbers: dict[str, int] = {}

    @property
    def others(self) -> Iterable[str]:
        """The labels that another one may stand for."""
        return self._standing

    def name(self, label: str) -> str:
        return self._standing.get(label, label)

    def __getitem__(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))


def word_table(symbols: Symbols, parameters: Parameters) -> DistinctWords:
    """Which words are the same."""
    return words(symbols, parameters.equal_spelling)
