"""Gold and system cut into parts that can be compared on their own.

A part is one sentence with the same text on both sides, or a stretch between two such: sentences
that were cut differently, or have different text, or are missing from one side.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from treelens.dropin.ud.treebank import Sentence, Treebank, Words


class Part(NamedTuple):
    """Sentences of gold and of system, by their indices, and the text of each side."""

    gold: range
    system: range
    gold_text: str
    system_text: str

    @property
    def parallel(self) -> bool:
        return self.gold_text == self.system_text


def parts(gold: Treebank, system: Treebank) -> list[Part]:
    """Cut both files where a sentence has the same text on both sides."""
    mine, its = texts(gold), texts(system)
    blocks = SequenceMatcher(None, mine, its, autojunk=False).get_matching_blocks()
    found = []
    at = its_at = 0
    for start, its_start, size in blocks:
        spans = [(range(at, start), range(its_at, its_start))]
        spans += [
            (range(start + step, start + step + 1), range(its_start + step, its_start + step + 1))
            for step in range(size)
        ]
        found += [
            Part(one, other, _join(mine, one), _join(its, other))
            for one, other in spans
            if one or other
        ]
        at, its_at = start + size, its_start + size
    return found


def _join(parts: list[str], span: range) -> str:
    return "".join(parts[span.start : span.stop])


def texts(bank: Treebank) -> list[str]:
    """Of each sentence, as far as it can be read."""
    return [
        "".join(bank.forms[each.tokens.start : each.tokens.stop])
        if each.text is None
        else each.text
        for each in bank.sentences
    ]


def is_sound(part: Part, gold: Treebank, system: Treebank) -> bool:
    """Whether it can be scored: the same text, and no fault in any sentence."""
    sides = ((part.gold, gold), (part.system, system))
    faulty = any(bank.sentences[index].text is not None for span, bank in sides for index in span)
    return part.parallel and not faulty


def only(bank: Treebank, kept: Iterable[int]) -> Treebank:
    """The file with these sentences alone."""
    sentences: list[Sentence] = []
    words: list[int] = []
    forms: list[str] = []
    token: list[int] = []
    parent: list[int] = []
    multiword: set[int] = set()
    for sentence in (bank.sentences[index] for index in kept):
        move, move_token = len(words) - sentence.words.start, len(forms) - sentence.tokens.start
        token += [bank.words.token[word] + move_token for word in sentence.words]
        parent += [
            -1 if bank.words.parent[word] < 0 else bank.words.parent[word] + move
            for word in sentence.words
        ]
        multiword.update(word + move for word in sentence.words if word in bank.words.multiword)
        words += sentence.words
        forms += bank.forms[sentence.tokens.start : sentence.tokens.stop]
        spans = (_moved(sentence.words, move), _moved(sentence.tokens, move_token))
        sentences.append(sentence._replace(words=spans[0], tokens=spans[1]))
    picked = _picked(bank.words, words)
    return Treebank(
        picked._replace(token=token, parent=parent, multiword=multiword),
        forms,
        list(accumulate(map(len, forms))),
        sentences,
        [],
    )


def _moved(span: range, by: int) -> range:
    return range(span.start + by, span.stop + by)


def _picked(words: Words, chosen: list[int]) -> Words:
    def column(values: list[str]) -> list[str]:
        return [values[word] for word in chosen]

    return words._replace(
        form=column(words.form),
        lemma=column(words.lemma),
        upos=column(words.upos),
        xpos=column(words.xpos),
        feats=column(words.feats),
        relation=column(words.relation),
        deps=column(words.deps) if words.deps else [],
    )
