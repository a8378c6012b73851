"""The counts of the thirteen metrics of 2018."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import compress, count
from operator import eq
from typing import NamedTuple, TypeVar

from treelens.dropin.ud.alignment import Alignment
from treelens.dropin.ud.treebank import Treebank, Words
from treelens.rules.universal import CONTENT_RELATIONS, FUNCTIONAL_RELATIONS

UNALIGNED = ("Tokens", "Sentences", "Words")
"""Metrics of which accuracy on aligned words says nothing."""

_NO_PARTNER = -2
_ROOT = -1

T = TypeVar("T")


class Score(NamedTuple):
    """What is right of what there is. ``aligned`` is None where accuracy on aligned words says
    nothing."""

    gold: int
    system: int
    correct: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        return self.correct / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        total = self.gold + self.system
        return 2 * self.correct / total if total else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        return self.correct / self.aligned if self.aligned else self.aligned


def evaluate(gold: Treebank, system: Treebank, alignment: Alignment) -> dict[str, Score]:
    """All metrics, by their names in the order of the table."""
    right = _right(gold.words, system.words, alignment)
    totals = (len(gold.words.parent), len(system.words.parent))
    aligned = len(alignment.gold)
    scores = {
        "Tokens": _same_tokens(gold, system),
        "Sentences": _same_sentences(gold, system),
        "Words": Score(*totals, aligned),
    }
    for name in ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS"):
        scores[name] = Score(*totals, right[name].bit_count(), aligned)
    totals = (_count_content(gold.words), _count_content(system.words))
    aligned = right["content"].bit_count()
    for name in ("CLAS", "MLAS", "BLEX"):
        scores[name] = Score(*totals, right[name].bit_count(), aligned)
    return scores


class _Table(dict[str, bool]):
    """Which relations are in a set, looked up once for each."""

    def __init__(self, relations: frozenset[str]) -> None:
        super().__init__()
        self._relations = relations

    def __missing__(self, relation: str) -> bool:
        found = self[relation] = relation in self._relations
        return found


_IS_CONTENT, _IS_FUNCTION = _Table(CONTENT_RELATIONS), _Table(FUNCTIONAL_RELATIONS)


def _count_content(words: Words) -> int:
    return sum(map(_IS_CONTENT.__getitem__, words.relation))


def _same_tokens(gold: Treebank, system: Treebank) -> Score:
    """Tokens that begin and end at the same characters: no token is empty, so that its end
    tells them apart."""
    starts = dict(zip(system.ends, [0, *system.ends], strict=False))
    found = map(eq, map(starts.get, gold.ends), [0, *gold.ends])
    return Score(len(gold.ends), len(system.ends), sum(found))


def _same_sentences(gold: Treebank, system: Treebank) -> Score:
    mine, its = _sentence_spans(gold), _sentence_spans(system)
    return Score(len(mine), len(its), len(mine & its))


def _sentence_spans(bank: Treebank) -> set[tuple[int, int]]:
    starts = [0, *bank.ends]
    return {
        (starts[each.tokens.start], starts[each.tokens.stop])
        for each in bank.sentences
        if each.text is None
    }


def gold_of(alignment: Alignment, system: Words) -> list[int]:
    """For each word of system its partner in gold; the last element is for the root."""
    partner = [_NO_PARTNER] * len(system.parent) + [_ROOT]
    for mine, its in zip(alignment.gold, alignment.system, strict=True):
        partner[its] = mine
    return partner


def _right(gold: Words, system: Words, alignment: Alignment) -> dict[str, int]:
    """For each metric, the aligned pairs that are right as the bits of one number, which the
    interpreter combines and counts sixty-four at a time. ``content`` is not a metric but the
    pairs that CLAS, MLAS and BLEX look at."""
    mine, its = _mask(gold, alignment.gold), _mask(system, alignment.system)

    def equal(column: list[T], its_column: list[T]) -> int:
        return _bits(map(eq, compress(column, mine), compress(its_column, its)))

    partner = gold_of(alignment, system)
    heads = map(partner.__getitem__, compress(system.parent, its))
    uas = _bits(map(eq, compress(gold.parent, mine), heads))
    upos, xpos = equal(gold.upos, system.upos), equal(gold.xpos, system.xpos)
    feats = equal(gold.feats, system.feats)
    lemmas = equal(gold.lemma, system.lemma)
    if "_" in gold.lemma:
        # An underscore in gold: the lemma is not known, and anything is right.
        lemmas |= _bits(map("_".__eq__, compress(gold.lemma, mine)))
    las = uas & equal(gold.relation, system.relation)
    content = _bits(map(_IS_CONTENT.__getitem__, compress(gold.relation, mine)))
    exact = las & upos & feats
    return {
        "UPOS": upos,
        "XPOS": xpos,
        "UFeats": feats,
        "AllTags": upos & xpos & feats,
        "Lemmas": lemmas,
        "UAS": uas,
        "LAS": las,
        "content": content,
        "CLAS": las & content,
        "MLAS": exact & content & ~_wrong_function_words(gold, system, alignment, exact, partner),
        "BLEX": las & lemmas & content,
    }


def _mask(words: Words, aligned: list[int]) -> bytearray:
    """As aligned words ascend, a mask picks them from a column, which is several times quicker
    than to pick them one by one."""
    mask = bytearray(len(words.parent))
    for word in aligned:
        mask[word] = 1
    return mask


def _bits(flags: Iterable[bool]) -> int:
    """A byte a flag: bits would take longer to pack than they save."""
    return int.from_bytes(bytes(flags), "little")


def _wrong_function_words(
    gold: Words, system: Words, alignment: Alignment, exact: int, partner: list[int]
) -> int:
    """The pairs whose function words are not the same, which MLAS wants them to be.

    They are the same in their order iff each is aligned to one of the other side, under the
    same head and right in itself: alignment keeps the order.
    """
    right = exact.to_bytes(len(alignment.gold), "little")
    mine = _function_words(gold).difference(compress(alignment.gold, right))
    its = _function_words(system).difference(compress(alignment.system, right))
    heads = {gold.parent[word] for word in mine}
    heads.update(partner[system.parent[word]] for word in its)
    wrong = bytearray(len(alignment.gold))
    for head in heads:
        pair = bisect_left(alignment.gold, head)
        if pair < len(wrong) and alignment.gold[pair] == head:
            wrong[pair] = 1
    return int.from_bytes(wrong, "little")


def _function_words(words: Words) -> set[int]:
    return set(compress(count(), map(_IS_FUNCTION.__getitem__, words.relation)))
