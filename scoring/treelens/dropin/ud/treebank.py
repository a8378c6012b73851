"""A CoNLL-U file as columns, and what is wrong with it.

All lines of all sentences are split at once, and a file-long list per column is kept; what is
done word by word is only what differs from word to word. A sentence with a fault contributes no
words, but is remembered with as much of its text as can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
_WIDTH = 10
_ROW_END = "\t\n\t"

_UNIVERSAL_FEATURES = (
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite"
    " Degree VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite"
)
UNIVERSAL_FEATURES = frozenset(_UNIVERSAL_FEATURES.split(" "))
"""The features that are compared; the list is that of 2018."""

_SPACES = re.compile("[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
"""Characters of the category Zs, which are no part of a form: treebanks differ in them."""

NUMBERS = [str(number) for number in range(1, 513)]


class Problem(NamedTuple):
    """Something wrong in a line (counted from 1) of a file."""

    line: int
    sentence: str
    message: str


class Sentence(NamedTuple):
    """A sentence of a file: where it is, and what of it is in the columns."""

    line: int
    """The line (from 1) of its first token."""
    name: str
    """What the comments above it call it, else its number; empty after quick reading."""
    words: range
    tokens: range
    text: str | None = None
    """Of a faulty sentence, which has no words: its forms, as far as they can be read."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a program demands of a file."""

    many_roots: bool = False
    """A sentence may have several roots."""
    empty_nodes: bool = True
    """Empty nodes are skipped; otherwise they are faults."""
    enhanced: bool = False
    """DEPS is read, and can be at fault."""


@dataclass(frozen=True, slots=True)
class Words:
    """A list per column, an element a word."""

    form: list[str]
    lemma: list[str]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    """Universal features only, sorted."""
    relation: list[str]
    """Without its subtype."""
    deps: list[str]
    """Empty unless enhanced graphs are asked for."""
    parent: list[int]
    """The word that is the head, as an index into these lists; -1 for the root."""
    token: list[int]
    """The token that the word is or belongs to."""
    multiword: set[int]
    """Words that belong to a multiword token."""


@dataclass(frozen=True, slots=True)
class Treebank:
    """A file without its faulty sentences, and what is wrong with those."""

    words: Words
    forms: list[str]
    """The forms of all tokens, without spaces."""
    ends: list[int]
    """Where each token ends in the text that they make together; it starts where the one
    before ends."""
    sentences: list[Sentence]
    problems: list[Problem]


class Table(dict[str, str]):
    """Distinct values of a column and what is made of them, computed once for each."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, value: str) -> str:
        made = self[value] = self._make(value)
        return made


def universal_features(feats: str) -> str:
    kept = [feat for feat in feats.split("|") if feat.split("=", 1)[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(kept))


def universal_relation(relation: str) -> str:
    return relation.split(":", 1)[0]


# Both files share them, so that equal values are one string, and quick to compare.
FEATURES = Table(universal_features)
RELATIONS = Table(universal_relation)


def split_columns(text: str, rules: Rules) -> Found:
    """Cut a file into sentences, and the rows of all of them into columns."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    blocks = _blocks(lines)
    rows: list[str] = []
    for block in blocks:
        rows += lines[block.start : block.end]
    bad, cells = _cells(rows)
    # What nobody reads is not copied: a pass over a column costs more than it seems, as every
    # string in it has to be fetched into the processor's cache.
    used = range(MISC if rules.enhanced else DEPS)
    columns = [cells[column :: _WIDTH + 1] for column in used]
    return Found(lines, blocks, columns, _without_spaces(columns[FORM]), bad, rules)


def _cells(rows: list[str]) -> tuple[set[int], list[str]]:
    """The columns of all rows, a newline after each row but the last; and the rows that do not
    have ten columns, left blank but for the first. No row has a newline in it, so that all rows
    have ten columns when every eleventh cell is one."""
    if not rows:
        return set(), []
    cells = _ROW_END.join(rows).split("\t")
    if len(cells) == (_WIDTH + 1) * len(rows) - 1:
        ends = cells[_WIDTH :: _WIDTH + 1]
        if ends.count("\n") == len(ends):
            return set(), cells
    bad = {row for row, line in enumerate(rows) if line.count("\t") != _WIDTH - 1}
    for row in bad:
        rows[row] = rows[row].partition("\t")[0] + "\t" * (_WIDTH - 1)
    return bad, _ROW_END.join(rows).split("\t")


def read_carefully(found: Found) -> Treebank:
    """Sentence by sentence, with an eye on everything that can be wrong."""
    for block in found.blocks:
        _add_sentence(found, block)
    return _treebank(found)


def _blocks(lines: list[str]) -> list[Block]:
    """The sentences. A ``#`` begins a comment only before the first token. What follows the last
    blank line is a sentence too, if an unfinished one."""
    found = []
    comments = first = 0
    end = -1
    while end < len(lines):
        try:
            end = lines.index("", comments)
        except ValueError:
            end = len(lines)
        start = comments
        while start < end and lines[start][0] == "#":
            start += 1
        if start < end or end < len(lines):
            found.append(Block(comments, start, end, first))
            first += end - start
        comments = end + 1
    return found


def _without_spaces(forms: list[str]) -> list[str]:
    if not _SPACES.search("\t".join(forms)):
        return forms
    return [_SPACES.sub("", form) for form in forms]


class Block(NamedTuple):
    """Where a sentence is: its lines from 0, comments first, and its first row."""

    comments: int
    start: int
    end: int
    first: int

    @property
    def rows(self) -> range:
        return range(self.first, self.first + self.end - self.start)

    def line(self, row: int) -> int:
        return self.start + row - self.first + 1


@dataclass(slots=True)
class Found:
    """A file in columns of all rows, and what careful reading has made of it so far."""

    lines: list[str]
    blocks: list[Block]
    columns: list[list[str]]
    forms: list[str]
    """The column of forms, without spaces."""
    bad: set[int]
    """Rows that do not have ten columns."""
    rules: Rules
    rows: list[int] = field(default_factory=list)
    """The row of each word."""
    parent: list[int] = field(default_factory=list)
    token: list[int] = field(default_factory=list)
    multiword: set[int] = field(default_factory=set)
    tokens: list[str] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Shape(NamedTuple):
    """The rows of a sentence's words and tokens."""

    words: Sequence[int]
    tokens: Sequence[int]
    token_of: Sequence[int]
    """The token of each word, counted within the sentence."""
    multiword: list[int]
    """The words (counted within the sentence) that belong to multiword tokens."""


def _add_sentence(found: Found, block: Block) -> None:
    problems: list[tuple[int, str]] = []
    rows = block.rows
    ids = found.columns[ID][rows.start : rows.stop]
    if ids == NUMBERS[: len(ids)] and (not found.bad or found.bad.isdisjoint(rows)):
        shape = Shape(rows, rows, range(len(rows)), [])
    else:
        shape = shape_of(found, rows, problems)
    tokens = [found.forms[row] for row in shape.tokens]
    if "" in tokens:
        problems += [
            (row, "the FORM is empty")
            for row, form in zip(shape.tokens, tokens, strict=True)
            if not form
        ]
    heads = _heads(found, shape, block, problems) if not problems else []
    if not problems and found.rules.enhanced:
        _check_deps(found, shape, problems)
    if block.end == len(found.lines):
        problems.append((rows.stop - 1, "the file does not end with a blank line"))
    if problems:
        _add_faulty(found, block, problems, "".join(tokens))
    else:
        _add_sound(found, block, shape, tokens, heads)


def _add_sound(
    found: Found, block: Block, shape: Shape, tokens: list[str], heads: list[int]
) -> None:
    base, first = len(found.parent), len(found.tokens)
    found.rows += shape.words
    found.parent += [base + head - 1 if head else -1 for head in heads]
    found.token += [first + token for token in shape.token_of]
    found.multiword.update([base + word for word in shape.multiword])
    found.tokens += tokens
    words, its_tokens = range(base, len(found.parent)), range(first, len(found.tokens))
    name = _name(found, block)
    found.sentences.append(Sentence(block.start + 1, name, words, its_tokens))


def _add_faulty(found: Found, block: Block, problems: list[tuple[int, str]], text: str) -> None:
    name = _name(found, block)
    found.problems += [Problem(block.line(row), name, message) for row, message in problems]
    nothing = range(len(found.parent), len(found.parent))
    no_tokens = range(len(found.tokens), len(found.tokens))
    found.sentences.append(Sentence(block.start + 1, name, nothing, no_tokens, text))


def _name(found: Found, block: Block) -> str:
    for line in found.lines[block.comments : block.start]:
        if line.startswith("# sent_id"):
            return line.partition("=")[2].strip()
    return str(len(found.sentences) + 1)


def shape_of(found: Found, rows: range, problems: list[tuple[int, str]]) -> Shape:
    """The words and tokens of a sentence with multiword tokens, empty nodes, or faults."""
    words: list[int] = []
    tokens: list[int] = []
    token_of: list[int] = []
    multiword: list[int] = []
    expected, last = 1, 0
    for row in rows:
        name = found.columns[ID][row]
        if row in found.bad:
            problems.append((row, _columns_message(found, row, rows)))
        elif "." in name:
            if not found.rules.empty_nodes:
                problems.append((row, f"there is an empty node, '{name}'"))
        elif len(words) < last:
            # Inside a multiword token the originals read no identifiers.
            multiword.append(len(words))
            token_of.append(len(tokens) - 1)
            words.append(row)
            expected = len(words) + 1
        elif "-" in name:
            tokens.append(row)
            last = len(words) + _words_in(name, row, problems)
        else:
            token_of.append(len(tokens))
            tokens.append(row)
            words.append(row)
            expected = _next(name, expected, row, problems)
    if len(words) < last:
        message = f"{last - len(words)} words of the last multiword token are missing"
        problems.append((rows.stop - 1, message))
    return Shape(words, tokens, token_of, multiword)


def _columns_message(found: Found, row: int, rows: range) -> str:
    """What a line without ten columns has instead, and why that may be."""
    first = found.columns[ID][row]
    message = "the line does not have 10 columns with tabs between them"
    if first.startswith("\ufeff"):
        return message + "; it begins with a byte order mark"
    if first.startswith("#"):
        return message + "; a comment can only stand before the first word of a sentence"
    return f"{message}; it begins with '{first[:20]}'"


def _words_in(name: str, row: int, problems: list[tuple[int, str]]) -> int:
    """How many words a multiword token says that it has."""
    first, _, last = name.partition("-")
    try:
        return max(0, int(last) - int(first) + 1)
    except ValueError:
        problems.append((row, f"'{name}' is no multiword token's identifier, such as '3-4'"))
        return 0


def _next(name: str, expected: int, row: int, problems: list[tuple[int, str]]) -> int:
    """The number of the word after this one."""
    try:
        number = int(name)
    except ValueError:
        problems.append((row, f"the identifier of a word is '{name}'; {expected} was expected"))
        return expected + 1
    if number != expected:
        problems.append((row, f"the word has the number {name}; {expected} was expected"))
    return number + 1


def _heads(found: Found, shape: Shape, block: Block, problems: list[tuple[int, str]]) -> list[int]:
    """The heads of a sentence as numbers; whether they make a tree."""
    column = found.columns[HEAD]
    words = shape.words
    try:
        heads = [int(column[row]) for row in words]
    except ValueError:
        problems += [
            (row, f"the HEAD is '{column[row]}', which is no number")
            for row in words
            if not _is_number(column[row])
        ]
        return []
    if not heads:
        problems.append((block.rows.start, "the sentence has no words"))
    elif min(heads) < 0 or max(heads) > len(heads):
        problems += [
            (row, f"the HEAD is {head}, but the sentence has the words 1 to {len(heads)}")
            for row, head in zip(words, heads, strict=True)
            if not 0 <= head <= len(heads)
        ]
    else:
        _check_tree(heads, words, found.rules, problems)
    return heads


def _check_tree(
    heads: list[int], words: Sequence[int], rules: Rules, problems: list[tuple[int, str]]
) -> None:
    looping = _in_cycle(heads)
    if looping:
        message = "the words {} are heads of one another in a circle"
        problems.append((words[looping[0] - 1], message.format(", ".join(map(str, looping)))))
    roots = [number for number, head in enumerate(heads, start=1) if not head]
    if not roots and not looping:
        problems.append((words[0], "no word has the HEAD 0"))
    if len(roots) > 1 and not rules.many_roots:
        listed = ", ".join(map(str, roots))
        problems.append((words[roots[1] - 1], f"only one word may have the HEAD 0; {listed} do"))


def _in_cycle(heads: list[int]) -> list[int]:
    """The words of the first circle that following heads ends in; none in a tree."""
    seen = [0] * (len(heads) + 1)
    seen[0] = -1
    for start in range(1, len(heads) + 1):
        word = start
        while not seen[word]:
            seen[word] = start
            word = heads[word - 1]
        if seen[word] == start:
            circle = [word]
            while heads[circle[-1] - 1] != word:
                circle.append(heads[circle[-1] - 1])
            return sorted(circle)
    return []


def _check_deps(found: Found, shape: Shape, problems: list[tuple[int, str]]) -> None:
    for row in shape.words:
        deps = found.columns[DEPS][row]
        if deps in ("", "_"):
            continue
        for dep in deps.split("|"):
            head, colon, _ = dep.partition(":")
            if colon and "." in head:
                if not found.rules.empty_nodes:
                    problems.append((row, f"DEPS points to an empty node: '{dep}'"))
            elif not colon or not _is_number(head) or not 0 <= int(head) <= len(shape.words):
                problems.append((row, f"DEPS has '{dep}', which is no word of the sentence"))


def _is_number(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _treebank(found: Found) -> Treebank:
    rows = found.rows
    everything = len(rows) == len(found.columns[ID])

    def picked(column: list[str]) -> list[str]:
        return column if everything else [column[row] for row in rows]

    columns = found.columns
    forms = picked(found.forms)
    for word in found.multiword:
        forms[word] = columns[FORM][rows[word]]
    words = Words(
        forms,
        picked(columns[LEMMA]),
        picked(columns[UPOS]),
        picked(columns[XPOS]),
        list(map(FEATURES.__getitem__, picked(columns[FEATS]))),
        list(map(RELATIONS.__getitem__, picked(columns[DEPREL]))),
        picked(columns[DEPS]) if found.rules.enhanced else [],
        found.parent,
        found.token,
        found.multiword,
    )
    ends = list(accumulate(map(len, found.tokens)))
    return Treebank(words, found.tokens, ends, found.sentences, found.problems)
