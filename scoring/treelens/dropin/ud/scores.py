"""The counts of the thirteen metrics of 2018."""

from __future__ import annotations

from collections import defaultdict
from itertools import compress
from operator import and_, eq, or_
from typing import NamedTuple, TypeVar

from treelens.dropin.ud.alignment import Alignment
from treelens.dropin.ud.treebank import Treebank, Words

_CONTENT = (
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod"
    " discourse nmod appos nummod acl amod conj fixed flat compound list parataxis"
    " orphan goeswith reparandum root dep"
)
CONTENT = frozenset(_CONTENT.split(" "))
"""Relations of content words: the words that CLAS, MLAS and BLEX look at."""
_FUNCTION = "aux cop mark det clf case cc"
FUNCTION = frozenset(_FUNCTION.split(" "))
"""Relations of function words, which MLAS wants to be right together with their head."""

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
    scores = {
        "Tokens": _same_tokens(gold, system),
        "Sentences": _same_sentences(gold, system),
    }
    totals = (len(gold.words.parent), len(system.words.parent))
    aligned = len(alignment.gold)
    scores["Words"] = Score(*totals, aligned)
    pairs = _pairs(gold.words, system.words, alignment)
    partner = gold_of(alignment, system.words)
    right = _right(gold.words, system.words, pairs, partner)
    for name in ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS"):
        scores[name] = Score(*totals, sum(right[name]), aligned)
    content = _Table()
    totals = (
        sum(map(content.__getitem__, gold.words.relation)),
        sum(map(content.__getitem__, system.words.relation)),
    )
    mask = list(map(content.__getitem__, compress(gold.words.relation, pairs.gold)))
    aligned = sum(mask)
    right["CLAS"] = right["LAS"]
    right["BLEX"] = _both(right["LAS"], right["Lemmas"])
    exact = _both(_both(right["LAS"], mask), _both(right["UPOS"], right["UFeats"]))
    right["MLAS"] = _with_function_words(gold.words, system.words, alignment, partner, exact)
    for name in ("CLAS", "MLAS", "BLEX"):
        scores[name] = Score(*totals, sum(compress(right[name], mask)), aligned)
    return scores


class _Table(dict[str, bool]):
    """Which relations are of content words, looked up once for each."""

    def __missing__(self, relation: str) -> bool:
        found = self[relation] = relation in CONTENT
        return found


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


class _Pairs(NamedTuple):
    """The aligned words of both files. As both ascend, a mask picks them from a column, which
    is several times quicker than to pick them one by one."""

    gold: bytearray
    system: bytearray

    def equal(self, gold: list[T], system: list[T]) -> list[bool]:
        """For each pair, whether a column has the same in both files."""
        return list(map(eq, compress(gold, self.gold), compress(system, self.system)))


def _pairs(gold: Words, system: Words, alignment: Alignment) -> _Pairs:
    masks = []
    for words, aligned in ((gold, alignment.gold), (system, alignment.system)):
        mask = bytearray(len(words.parent))
        for word in aligned:
            mask[word] = 1
        masks.append(mask)
    return _Pairs(*masks)


def _both(one: list[bool], other: list[bool]) -> list[bool]:
    return list(map(and_, one, other))


def gold_of(alignment: Alignment, system: Words) -> list[int]:
    """For each word of system its partner in gold; the last element is for the root."""
    partner = [_NO_PARTNER] * len(system.parent) + [_ROOT]
    for mine, its in zip(alignment.gold, alignment.system, strict=True):
        partner[its] = mine
    return partner


def _right(gold: Words, system: Words, pairs: _Pairs, partner: list[int]) -> dict[str, list[bool]]:
    """For each aligned pair and each of the plain metrics, whether the pair is right."""
    upos = pairs.equal(gold.upos, system.upos)
    xpos = pairs.equal(gold.xpos, system.xpos)
    feats = pairs.equal(gold.feats, system.feats)
    lemmas = pairs.equal(gold.lemma, system.lemma)
    if "_" in gold.lemma:
        # An underscore in gold: the lemma is not known, and anything is right.
        unknown = [lemma == "_" for lemma in compress(gold.lemma, pairs.gold)]
        lemmas = list(map(or_, lemmas, unknown))
    parents = map(partner.__getitem__, compress(system.parent, pairs.system))
    heads = list(map(eq, compress(gold.parent, pairs.gold), parents))
    relations = pairs.equal(gold.relation, system.relation)
    return {
        "UPOS": upos,
        "XPOS": xpos,
        "UFeats": feats,
        "AllTags": _both(_both(upos, xpos), feats),
        "Lemmas": lemmas,
        "UAS": heads,
        "LAS": _both(heads, relations),
    }


def _with_function_words(
    gold: Words, system: Words, alignment: Alignment, partner: list[int], exact: list[bool]
) -> list[bool]:
    """MLAS: of the pairs that are right in themselves (head, relation, part of speech and
    features) those whose function words are so too, in their order."""
    gold_children, system_children = _function_words(gold), _function_words(system)
    found = list(exact)
    none: list[int] = []
    pairs = zip(range(len(exact)), alignment.gold, alignment.system, strict=True)
    for index, word, its_word in compress(pairs, exact):
        if word in gold_children or its_word in system_children:
            mine = gold_children.get(word, none)
            its = system_children.get(its_word, none)
            found[index] = mine == [partner[child] for child in its] and all(
                _same(gold, system, *pair) for pair in zip(mine, its, strict=True)
            )
    return found


def _same(gold: Words, system: Words, mine: int, its: int) -> bool:
    return (
        gold.relation[mine] == system.relation[its]
        and gold.upos[mine] == system.upos[its]
        and gold.feats[mine] == system.feats[its]
    )


def _function_words(words: Words) -> dict[int, list[int]]:
    """By head, its function words in their order; those of the root are nobody's."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for word in [word for word, each in enumerate(words.relation) if each in FUNCTION]:
        found[words.parent[word]].append(word)
    return found
