"""Reading a file without faults, whole columns at a time.

For each sentence little is done, and for each word nothing that cannot be done for all words by
one call. Whatever is wrong makes the result None; careful reading then says what it is. The tests
compare the two.
"""

from __future__ import annotations

from itertools import accumulate, compress

from treelens.dropin.ud.treebank import (
    DEPREL,
    FEATS,
    FEATURES,
    FORM,
    HEAD,
    ID,
    LEMMA,
    NUMBERS,
    RELATIONS,
    UPOS,
    XPOS,
    Found,
    Sentence,
    Treebank,
    Words,
    shape_of,
)


class _Masks:
    """Which rows are words and which are tokens, and what follows from it."""

    __slots__ = ("multiword", "sizes", "token", "tokens", "words")

    def __init__(self, rows: int) -> None:
        self.words = bytearray(b"\1") * rows
        self.tokens = bytearray(b"\1") * rows
        self.token: list[int] = []
        self.multiword: set[int] = set()
        self.sizes: list[tuple[int, int]] = []
        """Words and tokens up to the end of each sentence."""


def read_quickly(found: Found) -> Treebank | None:
    """The file, or None when something is wrong with it."""
    unfinished = bool(found.blocks) and found.blocks[-1].end == len(found.lines)
    # Enhanced dependencies are rare enough to be read with care.
    if found.bad or unfinished or "" in found.forms or found.rules.enhanced:
        return None
    masks = _masks(found)
    parent = _parents(found, masks) if masks else None
    if masks is None or parent is None or _has_cycle(parent):
        return None
    tokens = list(compress(found.forms, masks.tokens))
    sentences = []
    word = token = 0
    for block, (words_end, tokens_end) in zip(found.blocks, masks.sizes, strict=True):
        words, its_tokens = range(word, words_end), range(token, tokens_end)
        sentences.append(Sentence(block.start + 1, "", words, its_tokens))
        word, token = words_end, tokens_end
    ends = list(accumulate(map(len, tokens)))
    return Treebank(_words(found, masks, parent), tokens, ends, sentences, [])


def _masks(found: Found) -> _Masks | None:
    masks = _Masks(len(found.forms))
    ids = found.columns[ID]
    token = masks.token
    tokens = 0
    for block in found.blocks:
        rows = block.rows
        if ids[rows.start : rows.stop] == NUMBERS[: len(rows)]:
            token += range(tokens, tokens + len(rows))
            tokens += len(rows)
        else:
            problems: list[tuple[int, str]] = []
            shape = shape_of(found, rows, problems)
            if problems:
                return None
            for row in set(rows).difference(shape.words):
                masks.words[row] = 0
            for row in set(rows).difference(shape.tokens):
                masks.tokens[row] = 0
            masks.multiword.update([len(token) + word for word in shape.multiword])
            token += [tokens + its for its in shape.token_of]
            tokens += len(shape.tokens)
        masks.sizes.append((len(token), tokens))
    return masks


def _parents(found: Found, masks: _Masks) -> list[int] | None:
    """The head of each word as an index; None when it is not in the sentence, or there are
    other than one root."""
    try:
        heads = list(map(int, compress(found.columns[HEAD], masks.words)))
    except ValueError:
        return None
    parent: list[int] = []
    start = 0
    for end, _ in masks.sizes:
        here = heads[start:end]
        roots = here.count(0)
        if min(here, default=-1) < 0 or max(here) > end - start or not roots:
            return None
        if roots > 1 and not found.rules.many_roots:
            return None
        before = start - 1
        parent += [head + before if head else -1 for head in here]
        start = end
    return parent


def _has_cycle(parent: list[int]) -> bool:
    """Whether following heads from some word leads back to a word on the way."""
    seen = [-1] * len(parent)
    seen.append(len(parent))  # the root, at index -1, has always been seen
    for start, head in enumerate(parent):
        if seen[start] >= 0:
            continue
        seen[start] = start
        while seen[head] < 0:
            seen[head] = start
            head = parent[head]
        if seen[head] == start:
            return True
    return False


def _words(found: Found, masks: _Masks, parent: list[int]) -> Words:
    columns = found.columns
    everything = 0 not in masks.words

    def picked(column: list[str]) -> list[str]:
        return column if everything else list(compress(column, masks.words))

    forms = picked(found.forms)
    if masks.multiword:
        with_spaces = picked(columns[FORM])
        for word in masks.multiword:
            forms[word] = with_spaces[word]
    return Words(
        forms,
        picked(columns[LEMMA]),
        picked(columns[UPOS]),
        picked(columns[XPOS]),
        list(map(FEATURES.__getitem__, picked(columns[FEATS]))),
        list(map(RELATIONS.__getitem__, picked(columns[DEPREL]))),
        [],
        parent,
        masks.token,
        masks.multiword,
    )
