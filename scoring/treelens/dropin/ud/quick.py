"""Reading a file without faults, whole columns at a time.

Whatever is done to a word is done to all words by one call of the interpreter's own. (numpy
would be quicker still at that; but to load it takes as long as all of this does for a file of
two thousand sentences.) What is unusual makes the result None; careful reading then says what
it is. The tests compare the two.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate, chain, compress, count, repeat
from operator import add, le, not_, sub
from typing import NamedTuple, TypeVar

from treelens.dropin.ud.treebank import (
    DEPREL,
    FEATS,
    FEATURES,
    FORM,
    HEAD,
    ID,
    LEMMA,
    RELATIONS,
    UPOS,
    WIDTH,
    XPOS,
    Rules,
    Sentence,
    Treebank,
    Words,
    without_spaces,
)

T = TypeVar("T")


class _Rows(NamedTuple):
    """The rows of all sentences."""

    cells: list[str]
    """Of all rows one after the other, a newline after each row."""
    ends: list[int]
    """How many rows there are up to the end of each sentence."""

    def column(self, number: int, runs: Iterable[tuple[int, int]]) -> list[str]:
        found: list[str] = []
        for start, end in runs:
            found += self.cells[start * _STEP + number : end * _STEP : _STEP]
        return found


_STEP = WIDTH + 1


class _Words(NamedTuple):
    """Which rows are words, and what tokens the words are or belong to."""

    runs: list[tuple[int, int]]
    """Stretches of rows that are words."""
    ends: list[int]
    """How many words there are up to the end of each sentence."""
    forms: list[str]
    """Of all tokens, as they are written."""
    token: list[int]
    multiword: set[int]


def read_quickly(data: bytes, rules: Rules) -> Treebank | None:
    """A text whose lines end with ``\\n``, or None when something in it is wrong or unusual."""
    rows = _rows(data)
    found = _find_words(rows, rules) if rows else None
    parent = _parents(rows, found, rules) if rows and found else None
    if rows is None or found is None or parent is None:
        return None
    written = rows.column(FORM, found.runs)
    forms = without_spaces(written)
    if forms is not written:
        for word in found.multiword:
            forms[word] = written[word]
    tokens = without_spaces(found.forms)
    if "" in tokens:
        return None
    words = Words(
        forms,
        rows.column(LEMMA, found.runs),
        rows.column(UPOS, found.runs),
        rows.column(XPOS, found.runs),
        list(map(FEATURES.__getitem__, rows.column(FEATS, found.runs))),
        list(map(RELATIONS.__getitem__, rows.column(DEPREL, found.runs))),
        [],
        parent,
        found.token,
        found.multiword,
    )
    token_ends = [found.token[end - 1] + 1 for end in found.ends]
    spans = (map(range, [0, *ends], ends) for ends in (found.ends, token_ends))
    places = list(map(Sentence, repeat(0), repeat(""), *spans))
    return Treebank(words, tokens, list(accumulate(map(len, tokens))), places, [])


def _rows(data: bytes) -> _Rows | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if not text.endswith("\n\n"):
        return None
    tables = [
        _without_comments(each) if each[:1] == "#" else each for each in text[:-2].split("\n\n")
    ]
    ends = list(accumulate([each.count("\n") + 1 for each in tables]))
    cells = "\n".join([*tables, ""]).replace("\n", "\t\n\t").split("\t")
    cells.pop()
    # No row has a newline in it, so all rows have ten columns if every eleventh cell is one.
    newlines = cells[WIDTH::_STEP]
    if len(cells) != ends[-1] * _STEP or newlines.count("\n") != ends[-1]:
        return None
    return _Rows(cells, ends)


def _without_comments(sentence: str) -> str:
    """The rows below the comments; nothing when the first row is not word 1 or its token."""
    start = sentence.find("\n1")
    above = sentence[:start]
    if start < 0 or above.count("\n") != above.count("\n#"):
        return ""
    return sentence[start + 1 :]


def _find_words(rows: _Rows, rules: Rules) -> _Words | None:
    """None for identifiers of multiword tokens and empty nodes that are unusual."""
    ids, forms = (rows.column(number, [(0, rows.ends[-1])]) for number in (ID, FORM))
    others = list(compress(count(), map(not_, bytearray(map(str.isdigit, ids)))))
    ends = [end - bisect_left(others, end) for end in rows.ends] if others else rows.ends
    found = _Words([], ends, [], [], set())
    start = left = 0
    for row in [*others, len(ids)]:
        size = row - start
        inside = min(left, size)
        first, tokens = len(found.token), len(found.forms)
        found.runs.append((start, row))
        found.forms.extend(forms[start + inside : row])
        found.token.extend(repeat(tokens - 1, inside))
        found.token.extend(range(tokens, tokens + size - inside))
        found.multiword.update(range(first, first + inside))
        start, left = row + 1, left - inside
        name = ids[row] if row < len(ids) else "."
        if "." not in name:
            left = 0 if left else _size(name)
            if not left:
                return None
            found.forms.append(forms[row])
        elif row < len(ids) and not rules.empty_nodes:
            return None
    return found if _ends_with_tokens(found, left) else None


_LONGEST_ID = 40
"""Characters of an identifier that may be plain; Python reads no number of any length."""


def _size(name: str) -> int:
    """How many words a multiword token has; 0 if that is not plain."""
    first, _, last = name.partition("-")
    plain = first.isdecimal() and last.isdecimal() and len(name) < _LONGEST_ID
    return max(int(last) - int(first) + 1, 0) if plain else 0


def _ends_with_tokens(found: _Words, left: int) -> bool:
    """Whether no multiword token goes on in the next sentence, or beyond the last word."""
    token = found.token
    begun = found.multiword.intersection(found.ends)
    return not left and all(not word or token[word - 1] < token[word] for word in begun)


def _parents(rows: _Rows, found: _Words, rules: Rules) -> list[int] | None:
    """The head of each word as an index; None when words are not numbered one by one, and when
    heads are not in their sentence, lead back to themselves, or there are other than one root.
    """
    sizes = list(map(sub, found.ends, [0, *found.ends]))
    most = max(sizes)
    numbers = list(map(str, range(most + 1)))
    ids = chain.from_iterable(numbers[1 : size + 1] for size in sizes)
    if min(sizes) < 1 or rows.column(ID, found.runs) != list(ids):
        return None
    number_of = dict(zip(numbers, count(), strict=False))
    column = rows.column(HEAD, found.runs)
    if not number_of.keys() >= set(column):
        return None
    heads = list(map(number_of.__getitem__, column))
    if not all(map(le, heads, _each(sizes, sizes))):
        return None
    parent = list(map(add, heads, _each(map((-1).__add__, [0, *found.ends]), sizes)))
    roots = list(compress(count(), map(not_, heads)))
    of = {parent[root] for root in roots}
    if len(of) != len(sizes) or (len(roots) != len(sizes) and not rules.many_roots):
        return None
    for root in roots:
        parent[root] = -1
    return parent if _is_tree(parent) else None


def _each(values: Iterable[T], sizes: list[int]) -> Iterable[T]:
    """A value a sentence as a value a word."""
    return chain.from_iterable(map(repeat, values, sizes))


def _is_tree(parent: list[int]) -> bool:
    """Whether all heads lead to the root (-1), in so many steps at most. Only words with
    dependents matter, of these only those with dependents that have some, and so on."""
    heads = set(parent)
    for _ in range(_DEEPEST):
        heads.discard(-1)
        if not heads:
            return True
        heads = set(map(parent.__getitem__, heads))
    return False


_DEEPEST = 200
