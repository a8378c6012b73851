"""A CoNLL-U file read with care: every sentence, and everything that is wrong with it.

All lines of all sentences are split at once, and a file-long list per column is kept. This is
the plain model of :mod:`treelens.dropin.ud.quick`, and what files with faults are read by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from treelens.dropin.ud.treebank import (
    DEPREL,
    DEPS,
    FEATS,
    FEATURES,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    RELATIONS,
    UPOS,
    WIDTH,
    XPOS,
    Problem,
    Rules,
    Sentence,
    Treebank,
    Words,
    without_spaces,
)

_ROW_END = "\t\n\t"

_NUMBERS = [str(number) for number in range(1, 513)]


class Before(NamedTuple):
    """How many lines and sentences of a file come before a text."""

    lines: int = 0
    sentences: int = 0

    def after(self, text: bytes, bank: Treebank) -> Before:
        """The same behind it."""
        return Before(self.lines + text.count(b"\n"), self.sentences + len(bank.sentences))


def read_carefully(text: str, rules: Rules, before: Before | None = None) -> Treebank:
    """Sentence by sentence, with an eye on everything that can be wrong. Lines end with
    ``\\n``."""
    found = _split(text, rules, before or Before())
    for block in found.blocks:
        _add_sentence(found, block)
    return _treebank(found)


def _split(text: str, rules: Rules, before: Before) -> _Found:
    """Cut a file into sentences, and the rows of all of them into columns."""
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
    columns = [cells[column :: WIDTH + 1] for column in used]
    return _Found(lines, blocks, columns, without_spaces(columns[FORM]), bad, rules, before)


def _cells(rows: list[str]) -> tuple[set[int], list[str]]:
    """The columns of all rows, a newline after each row but the last; and the rows that do not
    have ten columns, left blank but for the first. No row has a newline in it, so that all rows
    have ten columns when every eleventh cell is one."""
    if not rows:
        return set(), []
    cells = _ROW_END.join(rows).split("\t")
    if len(cells) == (WIDTH + 1) * len(rows) - 1:
        ends = cells[WIDTH :: WIDTH + 1]
        if ends.count("\n") == len(ends):
            return set(), cells
    bad = {row for row, line in enumerate(rows) if line.count("\t") != WIDTH - 1}
    for row in bad:
        rows[row] = rows[row].partition("\t")[0] + "\t" * (WIDTH - 1)
    return bad, _ROW_END.join(rows).split("\t")


def _blocks(lines: list[str]) -> list[_Block]:
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
            found.append(_Block(comments, start, end, first))
            first += end - start
        comments = end + 1
    return found


class _Block(NamedTuple):
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
class _Found:
    """A file in columns of all rows, and what careful reading has made of it so far."""

    lines: list[str]
    blocks: list[_Block]
    columns: list[list[str]]
    forms: list[str]
    """The column of forms, without spaces."""
    bad: set[int]
    """Rows that do not have ten columns."""
    rules: Rules
    before: Before
    rows: list[int] = field(default_factory=list)
    """The row of each word."""
    parent: list[int] = field(default_factory=list)
    token: list[int] = field(default_factory=list)
    multiword: set[int] = field(default_factory=set)
    tokens: list[str] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class _Shape(NamedTuple):
    """The rows of a sentence's words and tokens."""

    words: Sequence[int]
    tokens: Sequence[int]
    token_of: Sequence[int]
    """The token of each word, counted within the sentence."""
    multiword: list[int]
    """The words (counted within the sentence) that belong to multiword tokens."""


def _add_sentence(found: _Found, block: _Block) -> None:
    problems: list[tuple[int, str]] = []
    rows = block.rows
    ids = found.columns[ID][rows.start : rows.stop]
    if ids == _NUMBERS[: len(ids)] and (not found.bad or found.bad.isdisjoint(rows)):
        shape = _Shape(rows, rows, range(len(rows)), [])
    else:
        shape = _shape(found, rows, problems)
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
    found: _Found, block: _Block, shape: _Shape, tokens: list[str], heads: list[int]
) -> None:
    base, first = len(found.parent), len(found.tokens)
    found.rows += shape.words
    found.parent += [base + head - 1 if head else -1 for head in heads]
    found.token += [first + token for token in shape.token_of]
    found.multiword.update([base + word for word in shape.multiword])
    found.tokens += tokens
    words, its_tokens = range(base, len(found.parent)), range(first, len(found.tokens))
    name, lines = _name(found, block), found.before.lines
    found.sentences.append(Sentence(lines + block.start + 1, name, words, its_tokens))


def _add_faulty(found: _Found, block: _Block, problems: list[tuple[int, str]], text: str) -> None:
    name = _name(found, block)
    lines = found.before.lines
    found.problems += [Problem(lines + block.line(row), name, message) for row, message in problems]
    nothing = range(len(found.parent), len(found.parent))
    no_tokens = range(len(found.tokens), len(found.tokens))
    found.sentences.append(Sentence(lines + block.start + 1, name, nothing, no_tokens, text))


def _name(found: _Found, block: _Block) -> str:
    for line in found.lines[block.comments : block.start]:
        if line.startswith("# sent_id"):
            return line.partition("=")[2].strip()
    return str(found.before.sentences + len(found.sentences) + 1)


def _shape(found: _Found, rows: range, problems: list[tuple[int, str]]) -> _Shape:
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
    return _Shape(words, tokens, token_of, multiword)


def _columns_message(found: _Found, row: int, rows: range) -> str:
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


def _heads(
    found: _Found, shape: _Shape, block: _Block, problems: list[tuple[int, str]]
) -> list[int]:
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
        listed = ", ".join(map(str, looping))
        message = f"the words {listed} are heads of one another in a circle"
        if len(looping) == 1:
            message = f"the word {listed} is its own head"
        problems.append((words[looping[0] - 1], message))
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


def _check_deps(found: _Found, shape: _Shape, problems: list[tuple[int, str]]) -> None:
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


def _treebank(found: _Found) -> Treebank:
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
