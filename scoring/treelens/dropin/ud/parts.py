"""Gold and system cut into parts that can be compared on their own.

A part is one sentence with the same text on both sides, or a stretch between two such: sentences
that were cut differently, or have different text, or are missing from one side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from treelens.dropin.ud.runs import Keys, same
from treelens.dropin.ud.treebank import Sentence, Treebank, Words


class Part(NamedTuple):
    """Sentences of gold and of system, by their numbers in the files."""

    gold: range
    system: range


def parts(gold: Keys, system: Keys) -> Iterator[Part]:
    """Cut both files where a sentence has the same text on both sides; of each sentence, what is
    the same for the same text."""
    at = its_at = 0
    for start, its_start, size in same(gold, system):
        if at < start or its_at < its_start:
            yield Part(range(at, start), range(its_at, its_start))
        for one, other in zip(
            range(start, start + size), range(its_start, its_start + size), strict=True
        ):
            yield Part(range(one, one + 1), range(other, other + 1))
        at, its_at = start + size, its_start + size


def texts(bank: Treebank) -> list[str]:
    """Of each sentence, as far as it can be read."""
    return [text(bank, sentence) for sentence in bank.sentences]


def text(bank: Treebank, sentence: Sentence) -> str:
    """The same of one."""
    if sentence.text is not None:
        return sentence.text
    return "".join(bank.forms[sentence.tokens.start : sentence.tokens.stop])


def only(kept: Iterable[tuple[Treebank, Sentence]]) -> Treebank:
    """A file of these sentences alone."""
    words = Words([], [], [], [], [], [], [], [], [], set())
    forms: list[str] = []
    sentences: list[Sentence] = []
    for bank, sentence in kept:
        rows, tokens = sentence.words, sentence.tokens
        move, move_token = len(words.form) - rows.start, len(forms) - tokens.start
        # (Up to the relations and graphs, these are strings.)
        for mine, its in zip(words[:7], bank.words[:7], strict=True):
            mine += its[rows.start : rows.stop]
        words.token.extend(bank.words.token[row] + move_token for row in rows)
        parents = (bank.words.parent[row] for row in rows)
        words.parent.extend(-1 if parent < 0 else parent + move for parent in parents)
        words.multiword.update(row + move for row in rows if row in bank.words.multiword)
        forms += bank.forms[tokens.start : tokens.stop]
        spans = _moved(rows, move), _moved(tokens, move_token)
        sentences.append(sentence._replace(words=spans[0], tokens=spans[1]))
    return Treebank(words, forms, list(accumulate(map(len, forms))), sentences, [])


def _moved(span: range, by: int) -> range:
    return range(span.start + by, span.stop + by)
