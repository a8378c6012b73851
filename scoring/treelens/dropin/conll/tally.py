"""Everything that the long report counts, in one walk over both files.

A block's words are columns here, its sentences behind each other, and what is counted of them is
counted of whole columns at once. Of a word that is wrong only keys are kept: what the report shows
of them is counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, compress, count
from operator import itemgetter, ne
from typing import NamedTuple

from treelens.dropin.conll.arguments import Request
from treelens.dropin.conll.attachment import Attachments, both_frames, scored_tokens
from treelens.dropin.conll.lines import Block, Span
from treelens.dropin.conll.perl import number, shown
from treelens.dropin.conll.tokens import Four, all_columns, counts
from treelens.dropin.shared.spilled import Counters, Spilled

START, END = b".S", b".E"
"""What stands in a context before the first and after the last word."""
SEPARATOR = b"0x01"
"""Joins the parts of a key. The originals meant a control character and quoted it wrongly, so
a word with these four letters in it falls apart; the same happens here."""
FIELDS = b" "
"""Joins the fields of a key, none of which has a blank in it."""

HEAD, RELATION = 1, 2
"""What is wrong of a word; of both it is the sum."""
FAULTS = (b"0", b"1", b"2", b"3")
"""The same as the last field of a key."""
Errors = Spilled
"""Words that are wrong, by a key that ends with what is wrong of them."""
key_of = itemgetter(slice(None, -2))
"""The key of an error without that."""

_HEADS = 1 << 14
"""Answers to what is wrong of a head that are remembered."""


class Worst(NamedTuple):
    """The first sentence that has the most errors of a kind: its number and line, from 1."""

    number: int
    line: int
    found: Attachments


class Tally:
    """What is found in both files; what grows with these is among ``counters``.

    here, apart: whether to count what most tables are made of; what those of heads, frames and
    specific errors are, which another process may do.
    """

    def __init__(self, counters: Counters, *, here: bool = True, apart: bool = True) -> None:
        self.counters, self.here, self.apart = counters, here, apart
        self.tokens = Counter[tuple[bytes, bytes]]()
        """Scored tokens by part of speech and gold's relation."""
        self.heads = Counter[tuple[bytes, int]]()
        """Scored tokens by gold's head and their own place, from 1."""
        self.wrong_tokens = Counter[tuple[bytes, bytes, bytes, int]]()
        """Wrong ones by part of speech, gold's relation, system's, and what is wrong."""
        self.wrong_heads = Counter[tuple[bytes, int, bytes]]()
        """Tokens with a wrong head by gold's, their own place, and system's head."""
        self.frames = counters.new()
        """Gold's and system's frame, where they differ."""
        self.focus = counters.new(key_of)
        """By the word and its part of speech."""
        self.words = tuple(counters.new(key_of) for _ in range(4))
        """By the words around, with their parts of speech: the one before, two before, the one
        after, two after."""
        self.tags = tuple(counters.new(key_of) for _ in range(2))
        """By the parts of speech there: two before, two after."""
        self.contexts = counters.new()
        """Kinds of errors (:func:`error_kind`) with their local contexts: part of speech and word
        before, here and after, all joined by ``FIELDS``."""
        self.worst = [_NONE] * len(ERRORS)
        """By each of ``ERRORS``."""
        self.sentences = 0
        self.size = 0
        """Gold's words, scored or not."""

    def add_sentences(self, found: Sequence[Attachments], block: Block) -> None:
        for place, (_, errors) in enumerate(ERRORS):
            most = max(map(errors, found), default=-1)  # (blocks without a sentence, too)
            if most > errors(self.worst[place].found):
                at = [*map(errors, found)].index(most)
                line = block.line + block.sentences[at].start + 1
                self.worst[place] = Worst(self.sentences + at + 1, line, found[at])
        self.sentences += len(found)
        self.size += sum(end - start for start, end in block.sentences)


ERRORS = (
    (b"word", itemgetter(3)),
    (b"head", itemgetter(1)),
    (b"dependency", itemgetter(2)),
)
"""What sentences are the worst by, in the order of the report: its name, and how many there are
among :class:`Attachments`."""
_NONE = Worst(0, 0, Attachments(0, -1, -1, -1))


class _Words(NamedTuple):
    """The words of a block, as columns. heads and relations are gold's, the others system's."""

    words: Sequence[bytes]
    tags: Sequence[bytes]
    heads: Sequence[bytes]
    relations: Sequence[bytes]
    its_heads: Sequence[bytes]
    its_relations: Sequence[bytes]
    places: Sequence[int]
    """In the sentence, from 1."""
    scored: Sequence[bool]
    wrong: Sequence[int]
    """Which are scored, and wrong."""
    faults: Sequence[int]
    """What is wrong of these."""


def add_block(tally: Tally, block: Block, request: Request) -> Iterator[Attachments]:
    """Count each of a block's sentences: all of their gold words, and the tokens that are
    scored."""
    gold, system = (
        [*chain.from_iterable(side[start:end] for start, end in block.sentences)]
        for side in (block.gold, block.system)
    )
    read = all_columns(gold)
    words = _words(read, gold, system, block.sentences, request)
    ends = [*accumulate([end - start for start, end in block.sentences])]
    spans = [*map(Span, [0, *ends], ends)]
    found = [*_by_sentence(words, spans)]
    tally.add_sentences(found, block)
    # A negative head may end it all, and where it does not it may lead anywhere.
    if b"-" in b"".join(chain(words.heads, words.its_heads)):
        for (start, end), one in zip(spans, found, strict=True):
            tokens = scored_tokens(gold[start:end], system[start:end], read[start:end], request)
            frames = zip(*both_frames(end - start, tokens), strict=True)
            tally.frames.update([b"%s/ %s" % both for both in frames if both[0] != both[1]])
            yield one
    else:
        if tally.apart:
            tally.frames.update(_frames_that_differ(words, spans))
        yield from found
    tally.tokens.update(compress(zip(words.tags, words.relations, strict=True), words.scored))
    if tally.apart:
        tally.heads.update(compress(zip(words.heads, words.places, strict=True), words.scored))
    if words.wrong:
        _count_errors(tally, words, spans)
    tally.counters.bound()


def _words(
    read: Sequence[Four],
    gold: Sequence[bytes],
    system: Sequence[bytes],
    sentences: Sequence[Span],
    request: Request,
) -> _Words:
    words, tags, heads, relations = zip(*read, strict=True) if read else ((),) * 4
    # Most lines are equal: only those that are not are taken apart.
    others = [*compress(count(), map(ne, gold, system))]
    its_heads, its_relations = list(heads), list(relations)
    for at, line in zip(others, all_columns([system[at] for at in others]), strict=True):
        _, _, its_heads[at], its_relations[at] = line
    places = [*chain.from_iterable(range(1, end - start + 1) for start, end in sentences)]
    if request.punctuation and request.derivations:
        scored = [True] * len(words)
    else:
        scored = [counts(*each, request) for each in zip(words, relations, strict=True)]
    faults = [
        HEAD * (heads[at] != its_heads[at]) + RELATION * (relations[at] != its_relations[at])
        if scored[at]
        else 0
        for at in others
    ]
    return _Words(
        words,
        tags,
        heads,
        relations,
        its_heads,
        its_relations,
        places,
        scored,
        [*compress(others, faults)],
        [*filter(None, faults)],
    )


def _by_sentence(words: _Words, spans: Sequence[Span]) -> Iterator[Attachments]:
    # How many there are before each that is wrong.
    heads, relations = (
        [*accumulate([(fault & one) > 0 for fault in words.faults], initial=0)]
        for one in (HEAD, RELATION)
    )
    past = 0
    for start, end in spans:
        first, past = past, bisect_left(words.wrong, end, past)
        yield Attachments(
            sum(words.scored[start:end]),
            heads[past] - heads[first],
            relations[past] - relations[first],
            past - first,
        )


def _with_wrong(words: _Words, spans: Sequence[Span]) -> Iterator[tuple[int, int, Sequence[int]]]:
    """The sentences in which some are wrong: where they start and end, and these."""
    past = 0
    for start, end in spans:
        first, past = past, bisect_left(words.wrong, end, past)
        if first < past:
            yield start, end, words.wrong[first:past]


def _frames_that_differ(words: _Words, spans: Sequence[Span]) -> Iterator[bytes]:
    """Those of :func:`both_frames`, of the only places where they can: the wrong words' heads."""
    targets = [*map(_place, words.heads)]
    its_targets = targets.copy()
    for at in words.wrong:
        its_targets[at] = _place(words.its_heads[at])
    columns = (words.places, targets, words.relations, its_targets, words.its_relations)
    for start, end, here in _with_wrong(words, spans):
        heads = {target for at in here for target in (targets[at], its_targets[at])}
        mine, its = ({place: b"** " if not place else b"" for place in heads} for _ in range(2))
        tokens = zip(*[column[start:end] for column in columns], strict=True)
        for place, target, relation, its_target, its_relation in compress(
            tokens, words.scored[start:end]
        ):
            if target in heads:
                mine[target] += relation + b" "
            if its_target in heads:
                its[its_target] += its_relation + b" "
            if place in heads:
                mark = b"*%s* " % relation
                mine[place] += mark
                its[place] += mark
        for place, frame in mine.items():
            if place <= end - start and frame != its[place]:
                yield b"%s/ %s" % (frame, its[place])


@cache
def _place(head: bytes) -> int:
    return int(number(head))


def _count_errors(tally: Tally, words: _Words, spans: Sequence[Span]) -> None:
    """The errors by the words, and by what is around these in gold."""
    wrong, faults = words.wrong, words.faults
    places = [words.places[at] for at in wrong]
    heads, its_heads, relations, its_relations = (
        [column[at] for at in wrong]
        for column in (words.heads, words.its_heads, words.relations, words.its_relations)
    )
    rows = _around(words, spans)
    tag_2, word_2, tag_1, word_1, tag, word, tag1, word1, tag2, word2 = zip(*rows, strict=True)
    if tally.apart:
        kinds = map(error_kind, map(head_kind, places, heads, its_heads), relations, its_relations)
        contexts = zip(kinds, tag_1, word_1, word, tag, tag1, word1, strict=True)
        tally.contexts.update(map(FIELDS.join, contexts))
        tally.wrong_heads.update(
            compress(zip(heads, places, its_heads, strict=True), map(HEAD.__and__, faults))
        )
    if not tally.here:
        return
    fault = [FAULTS[each] for each in faults]
    inside = [True] * len(wrong)
    # The edge of a sentence alone is no context of words.
    before, after = [word != START for word in word_1], [word != END for word in word1]
    for counter, keys, counted in (
        (tally.focus, zip(word, tag, fault, strict=True), inside),
        (tally.words[0], zip(word_1, tag_1, fault, strict=True), before),
        (
            tally.words[1],
            zip(word_2, _tag_or_edge(word_2, tag_2, START), word_1, tag_1, fault, strict=True),
            before,
        ),
        (tally.words[2], zip(word1, tag1, fault, strict=True), after),
        (
            tally.words[3],
            zip(word1, tag1, word2, _tag_or_edge(word2, tag2, END), fault, strict=True),
            after,
        ),
        (tally.tags[0], zip(tag_2, tag_1, fault, strict=True), inside),
        (tally.tags[1], zip(tag1, tag2, fault, strict=True), inside),
    ):
        counter.update(map(FIELDS.join, compress(keys, counted)))
    tally.wrong_tokens.update(zip(tag, relations, its_relations, faults, strict=True))


def _tag_or_edge(words: Sequence[bytes], tags: Sequence[bytes], edge: bytes) -> list[bytes]:
    """Parts of speech, but of a word that is spelt like an edge, which has none."""
    return [edge if word == edge else tag for word, tag in zip(words, tags, strict=True)]


def _around(words: _Words, spans: Sequence[Span]) -> Iterator[list[bytes]]:
    """Part of speech and word of the second word before each wrong one, of that before it, of
    itself, and of the two behind it."""
    fields = [*chain.from_iterable(zip(words.tags, words.words, strict=True))]
    for start, end, here in _with_wrong(words, spans):
        sentence = [*_BEFORE, *fields[2 * start : 2 * end], *_AFTER]
        for at in here:
            yield sentence[2 * (at - start) : 2 * (at - start) + 10]


_BEFORE, _AFTER = [START] * 4, [END] * 4


def error_kind(head: bytes, relation: bytes, its_relation: bytes) -> bytes:
    """A kind of error as one key, in which what is right is a dash; head: what is wrong of it."""
    relations = b"-" if relation == its_relation else b"%s->%s" % (relation, its_relation)
    return head + SEPARATOR + relations


@lru_cache(_HEADS)
def head_kind(place: int, head: bytes, its_head: bytes) -> bytes:
    """How far system's head is off, and on which sides of the word both heads are."""
    side, its_side = _side(head, place), _side(its_head, place)
    off = b"-"
    if head != its_head:
        off = b"0" if its_side == b"0" else shown(number(its_head) - number(head))
    return off + SEPARATOR + side + its_side


def _side(head: bytes, place: int) -> bytes:
    """Where a head is: the root (0), the word itself (e), before it or after it."""
    if head == b"0":
        return b"0"
    target = number(head)
    if target == place and head == b"%d" % place:
        return b"e"
    return b"b" if target <= place else b"a"
