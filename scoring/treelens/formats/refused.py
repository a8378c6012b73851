"""Formats that are told by name and not read: taken for a neighbour they would be scored wrong.

Knows how each begins, and what its owner can do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from treelens.trees.forest import Annotation, Forest, Layout, Problem, Symbols


class Refused(NamedTuple):
    """A format: whether a text's beginning is in it, what it is called, what its owner can do."""

    name: str
    layout: Layout
    annotation: Annotation
    looks: Callable[[bytes], bool]
    called: str
    cure: str

    @property
    def message(self) -> str:
        """What is said where it is not read."""
        return f"this is {self.called}: it is not read. {self.cure}"


def refused(source: bytes) -> Refused | None:
    """The format that a text's beginning is in, if it is one of these."""
    return next((one for one in REFUSED if one.looks(source)), None)


def read_nothing(source: bytes, symbols: Symbols, one: Refused) -> tuple[Forest, list[Problem]]:
    """No sentences, and the reason, on the first line that is no comment."""
    # (All of it takes time to load, and to tell a format needs nothing of it.)
    import dataclasses

    from treelens.formats import brackets, conll
    from treelens.trees.forest import Problem

    read = brackets.read if one.layout == "brackets" else conll.read
    forest = dataclasses.replace(read(b"", symbols)[0], source=source)
    line = _LINE.search(source)
    span = line.span(1) if line else (0, len(source))
    return forest, [Problem("format", one.message, *span)]


_LINE = re.compile(rb"(?<![^\r\n])(?!(?:\xef\xbb\xbf)?#)([^\r\n]+)")
_COMMENT = re.compile(rb"(?<![^\r\n])[ \t]*+[#;%][^\r\n]*+")
_LEAF = re.compile(rb"(\()\s*+[^\s()]*+|(\))|(?:(\d{1,6})=)?[^\s()]+")
"""A bracket with its label, one that closes, or a word, which may have a number."""
_FIRST = re.compile(rb"\s0=")


def _is_discbracket(source: bytes) -> bool:
    """Whether of the trees with words, one half have numbered ones, ``(NP 0=I)``, each number once
    from 0 on; one word alone says that only where there is no other tree."""
    if b"0=" not in source or _FIRST.search(source) is None:
        return False
    numbered = alone = plain = depth = 0
    words: list[bytes] = []
    for opened, closed, number in _LEAF.findall(_COMMENT.sub(b"", source)):
        if opened:
            depth += 1
        elif not closed:
            words += [number] * (depth > 0)
        elif depth := max(depth - 1, 0):
            continue
        elif words:
            numbers = sorted(int(word) for word in words if word)
            if numbers != list(range(len(words))):
                plain += 1
            elif len(words) > 1:
                numbered += 1
            else:
                alone += 1
            words = []
    return numbered + alone >= plain and (numbered > 0 or alone > plain == 0)


_START = rb"[\r\n](?:\xef\xbb\xbf)?\d{1,6}"
_ANY_ROW = re.compile(_START + rb"(?:[-.]\d{1,6})?[ \t]")
_LOOKED_AT = 1 << 13
"""Bytes from the first line on that is no comment: at each key."""


def _is_most(source: bytes, tabbed: re.Pattern[bytes], spaced: re.Pattern[bytes]) -> bool:
    """Whether most of the first rows are such, with tabs in the first one or with spaces; one that
    is being typed may look like another format's."""
    line = _LINE.search(source)
    if line is None or not _ANY_ROW.match(b"\n" + line[1]):
        return False
    text = b"\n" + source[line.start() :][:_LOOKED_AT]
    row = tabbed if b"\t" in line[1] else spaced
    found = sum(1 for _ in row.finditer(text))
    return found > 0 and 2 * found >= sum(1 for _ in _ANY_ROW.finditer(text))


_SAYS_CUPT = re.compile(
    rb"(?<![^\r\n])(?:\xef\xbb\xbf)?#[ \t]*+global\.columns[ \t]*+=[^\r\n]*PARSEME:MWE"
)
_CUPT = re.compile(
    rb"%s(?:[-.]\d{1,6})?(?:\t[^\t\r\n]*+){9}\t(?:\*|[\d;]*+:[^\t\r\n]++)(?=[\r\n]|\Z)" % _START
)


def _is_cupt(source: bytes) -> bool:
    """Whether a comment says so, or rows have an eleventh cell with expressions."""
    is_said = b"PARSEME:MWE" in source and _SAYS_CUPT.search(source) is not None
    return is_said or _is_most(source, _CUPT, _CUPT)


def _conll09(cell: bytes, between: bytes) -> re.Pattern[bytes]:
    parts = {b"start": _START, b"cell": cell, b"tab": between, b"head": rb"-?\d{1,6}"}
    parts[b"words"] = rb"(?:%(cell)s%(tab)s){7}" % parts
    parts[b"relations"] = rb"%(tab)s%(cell)s%(tab)s%(cell)s" % parts
    parts[b"more"] = rb"%(tab)s[_Y](?![^ \t\r\n])" % parts
    row = (
        rb"%(start)s%(tab)s(?:(?!_%(tab)s)%(words)s_%(tab)s_%(relations)s%(more)s|%(words)s"
        rb"(?:%(head)s%(tab)s(?:%(head)s|_)|_%(tab)s%(head)s)%(relations)s"
        rb"(?:%(more)s|[ \t]*+(?=[\r\n]|\Z)))"
    )
    return re.compile(row % parts)


_TABBED, _SPACED = _conll09(rb"[^\t\r\n]*+", rb"\t"), _conll09(rb"\S++", rb"[ \t]++")


def _is_conll09(source: bytes) -> bool:
    """Whether rows have the first twelve columns or more, with heads in the ninth and tenth; or
    with a word and without heads, where there is a thirteenth."""
    return _is_most(source, _TABBED, _SPACED)


_READ = re.compile(rb"[ \t]*+\((?!\t)|\d{1,6}(?:[-.]\d{1,6})?(?:\t[^\t]*+){7,9}\Z")
"""A line that begins a tree, or a row of what is read."""


def _begins(pattern: bytes) -> Callable[[bytes], bool]:
    beginning = re.compile(rb"(?:\xef\xbb\xbf)?\s*+" + pattern)

    def looks(source: bytes) -> bool:
        if beginning.match(source) is None:
            return False
        line = _LINE.search(source)  # (What begins with # may be a comment of another format.)
        return line is None or _READ.match(line[1]) is None

    return looks


REFUSED = (
    Refused(
        "discbracket",
        "brackets",
        "constituents",
        _is_discbracket,
        "discbracket (words with numbers, such as 0=I), whose constituents may be discontinuous",
        "Make the trees continuous (disco-dop’s treetransforms does) and write them as plain "
        "brackets",
    ),
    Refused(
        "cupt",
        "rows",
        "dependencies",
        _is_cupt,
        "cupt (CoNLL-U with a column PARSEME:MWE)",
        "Without its eleventh column it is CoNLL-U: cut -f1-10",
    ),
    Refused(
        "conll09",
        "rows",
        "dependencies",
        _is_conll09,
        "CoNLL-2009 (fourteen columns and more, two heads a word)",
        "Write ID, FORM, LEMMA, POS, FEAT, HEAD and DEPREL (columns 1, 2, 3, 5, 7, 9, 11) as "
        "CoNLL-X",
    ),
    Refused(
        "export",
        "rows",
        "constituents",
        _begins(rb"(?:%%[^\r\n]*+[\r\n]++)*+#(?:FORMAT|BOS|BOT)\b"),
        "NEGRA’s export format (#BOS, #EOS), whose constituents may be discontinuous",
        "Make the trees continuous and write them as brackets (disco-dop’s treetransforms does "
        "both)",
    ),
    Refused(
        "tiger",
        "rows",
        "constituents",
        _begins(
            rb"(?:<\?xml[^>]*+>\s*+)?+"
            rb"(?:<!(?:--(?>.*?--)|DOCTYPE[^\[>]*+(?:\[[^\]]*+\]\s*+)?+)>\s*+)*+"
            rb"<(?:corpus|subcorpus)\b"
        ),
        "TIGER-XML, whose constituents may be discontinuous",
        "Make the trees continuous and write them as brackets (disco-dop’s treetransforms does "
        "both)",
    ),
    Refused(
        "conll12",
        "rows",
        "constituents",
        _begins(rb"#begin document\b"),
        "CoNLL-2011/2012 (#begin document)",
        "Put a sentence’s words (column 4), each with its tag (column 5) in brackets, in place of "
        "the * of its parse bits (column 6): DT, the and (NP* are (NP(DT the)",
    ),
)
"""In the order in which they are looked for."""
