"""Right and wrong attachments, sentence by sentence, and the rows that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, count
from operator import ne
from typing import NamedTuple

from treelens.dropin.conll.arguments import Request
from treelens.dropin.conll.lines import Block, Span
from treelens.dropin.conll.tokens import Four, Seven, arc, columns, counts, frames

ROWS_HEADER = (
    b"     Sent.          Attachment      Correct        Scoring          \n"
    b"    ID Tokens  -   Unlab. Lab.   HEAD HEAD+DEPREL   tokens   - - - -\n"
    b"  ============================================================================\n"
)


class Attachments(NamedTuple):
    """Scored tokens, and those with a wrong head, a wrong relation, and either."""

    tokens: int = 0
    head: int = 0
    relation: int = 0
    either: int = 0

    def plus(self, other: Attachments) -> Attachments:
        return Attachments(*[mine + its for mine, its in zip(self, other, strict=True)])


def together(found: Sequence[Attachments]) -> Attachments:
    """The sum of some."""
    return Attachments(*map(sum, zip(*found, strict=True)))


def block_attachments(block: Block, request: Request) -> Iterator[Attachments]:
    """The counts of each of a block's sentences."""
    if request.punctuation and request.derivations:
        wrong = _wrong_lines(block)
        if wrong is not None:
            yield from _by_sentence(block.sentences, wrong)
            return
    for start, end in block.sentences:
        yield attachments(block.gold[start:end], block.system[start:end], request)


_Wrong = tuple[int, bool, bool]
"""A line, whether its head is wrong, whether its relation is."""


def _wrong_lines(block: Block) -> list[_Wrong] | None:
    """The lines that are wrong, where every word counts; None where a head may be negative. Only
    lines that are not equal are taken apart, and those with a minus."""
    if any(b"-" in arc(line)[0] for line in block.gold if b"-" in line):
        return None
    found: list[_Wrong] = []
    for at in compress(count(), map(ne, block.gold, block.system)):
        (mine, relation), (its, its_relation) = arc(block.gold[at]), arc(block.system[at])
        if b"-" in its:
            return None
        if mine != its or relation != its_relation:
            found.append((at, mine != its, relation != its_relation))
    return found


def _by_sentence(sentences: Sequence[Span], wrong: Sequence[_Wrong]) -> Iterator[Attachments]:
    waiting = iter([*wrong, (sentences[-1].end if sentences else 0, False, False)])
    at, head, relation = next(waiting)
    for start, end in sentences:
        heads = relations = either = 0
        while at < end:
            heads, relations, either = heads + head, relations + relation, either + 1
            at, head, relation = next(waiting)
        yield Attachments(end - start, heads, relations, either)


def attachments(gold: list[bytes], system: list[bytes], request: Request) -> Attachments:
    """The counts of a sentence. Lines that are equal are right whatever is in them, which
    spares taking most of them apart; a minus may be a negative head, and that can be fatal."""
    everything = request.punctuation and request.derivations
    tokens = head = relation = either = 0
    negative = False
    for gold_line, system_line in zip(gold, system, strict=True):
        if everything and gold_line == system_line and b"-" not in gold_line:
            tokens += 1
            continue
        word, _, gold_head, gold_relation = columns(gold_line)
        if not counts(word, gold_relation, request):
            continue
        _, _, system_head, system_relation = columns(system_line)
        tokens += 1
        wrong = gold_head != system_head
        head += wrong
        if gold_relation != system_relation:
            relation += 1
            wrong = True
        either += wrong
        if b"-" in gold_head or b"-" in system_head:
            negative = True
    if negative:
        words = [columns(line) for line in gold]
        both_frames(len(gold), scored_tokens(gold, system, words, request))
    return Attachments(tokens, head, relation, either)


def scored_tokens(
    gold: list[bytes], system: list[bytes], words: Sequence[Four], request: Request
) -> list[Seven]:
    """The tokens of a sentence that count; ``words`` are gold's columns."""
    if request.punctuation and request.derivations:
        return [
            (place, word, pos, head, relation, *((head, relation) if mine == its else arc(its)))
            for place, ((word, pos, head, relation), mine, its) in enumerate(
                zip(words, gold, system, strict=True)
            )
        ]
    return [
        (place, word, pos, head, relation, *arc(its))
        for place, ((word, pos, head, relation), its) in enumerate(zip(words, system, strict=True))
        if counts(word, relation, request)
    ]


def both_frames(words: int, tokens: Sequence[Seven]) -> tuple[list[bytes], list[bytes]]:
    """The frames of gold and of system."""
    own = [(each[0] + 1, b"*%s* " % each[4]) for each in tokens]
    gold = [each[3] for each in tokens], [each[4] for each in tokens]
    system = [each[5] for each in tokens], [each[6] for each in tokens]
    return frames(words, *gold, own), frames(words, *system, own)


def sentence_row(number: int, words: int, found: Attachments) -> bytes:
    """A row in the manner of evalb. Without scored tokens its scores are no numbers."""
    unlabeled = labeled = float("nan")
    if found.tokens:
        unlabeled = 100 - found.head * 100.0 / found.tokens
        labeled = 100 - found.either * 100.0 / found.tokens
    correct = (found.tokens - found.head, found.tokens - found.either, found.tokens)
    row = b"  %4d %4d    0  " % (number, words)
    row += _score(unlabeled) + b" " + _score(labeled)
    return row + b"  %4d    %4d        %4d    0 0 0 0\n" % correct


def _score(value: float) -> bytes:
    return b"   NaN" if value != value else b"%6.2f" % value


def summary(found: Attachments, request: Request) -> bytes:
    """The three scores. No scored token at all is a division by zero, as in the originals."""
    total = found.tokens
    wrong = (found.either, found.head, found.relation)
    scores = [100 - each * 100.0 / total for each in wrong]
    if request.one_line:
        line = b"\t".join(
            b"%s: %.2f %%" % (name, score)
            for name, score in zip((b"LAS", b"UAS", b"LaS"), scores, strict=True)
        )
        return b"%s\t%s\n" % (line, request.system)
    names = (
        b"Labeled   attachment score:",
        b"Unlabeled attachment score:",
        b"Label accuracy score:      ",
    )
    return b"".join(
        b"  %s %d / %d * 100 = %.2f %%\n" % (name, total - each, total, score)
        for name, each, score in zip(names, wrong, scores, strict=True)
    )
