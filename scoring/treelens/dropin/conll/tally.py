"""Everything that the long report counts, in one walk over the scored tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.dropin.conll.arguments import Request
from treelens.dropin.conll.attachment import Attachments, both_frames, scored_tokens
from treelens.dropin.conll.lines import Block
from treelens.dropin.conll.perl import number, shown
from treelens.dropin.conll.tokens import Columns, Four, Seven, Token, all_columns

START, END = b".S", b".E"
"""What stands in a context before the first and after the last word."""
SEPARATOR = b"0x01"
"""Joins the parts of a key. The originals meant a control character and quoted it wrongly, so
a word with these four letters in it falls apart; the same happens here."""

Offset = int | float | None
"""How far a head is to the right of its dependent; None for the root."""


class Wrong(NamedTuple):
    """A token with a wrong head or relation, and what is around it in gold."""

    kind: bytes
    """The kind of error: how far the head is off, where both heads are, and the relations."""
    head: bool
    relation: bool
    token: Token
    before: tuple[Columns, Columns]
    """The second word before, the word before."""
    after: tuple[Columns, Columns]
    """The word after, the second word after."""


class Tally(NamedTuple):
    """What is found in a file."""

    tokens: Counter[tuple[bytes, bytes, bytes, bool]]
    """Of scored tokens: part of speech, gold's relation, system's, wrong head."""
    offsets: Counter[tuple[Offset, Offset]]
    """Gold's and system's head, as seen from the token."""
    frames: Counter[bytes]
    """Gold's and system's frame, where they differ."""
    wrong: list[Wrong]
    sentences: list[Attachments]
    words: list[int]
    """Skipped and scored words."""


def new_tally() -> Tally:
    return Tally(Counter(), Counter(), Counter(), [], [], [])


def add_block(tally: Tally, block: Block, request: Request) -> Iterator[Attachments]:
    """Count each of a block's sentences: all of their gold words, and the tokens that are
    scored."""
    every: list[Seven] = []
    for start, end in block.sentences:
        gold, system = block.gold[start:end], block.system[start:end]
        words = all_columns(gold)
        tokens = scored_tokens(gold, system, words, request)
        every += tokens
        yield _add_sentence(tally, words, tokens)
    # (All at once is quicker.)
    tally.tokens.update(
        [
            (pos, relation, its_relation, head != its_head)
            for _, _, pos, head, relation, its_head, its_relation in every
        ]
    )
    heads = Counter([(head, its_head, place) for place, _, _, head, _, its_head, _ in every])
    for (head, its_head, place), count in heads.items():
        tally.offsets[_offset(head, place + 1), _offset(its_head, place + 1)] += count


def _add_sentence(tally: Tally, words: Sequence[Four], tokens: Sequence[Seven]) -> Attachments:
    around = [*_BEFORE, *words, *_AFTER]
    mistakes = [_wrong(Token(*each), around) for each in tokens if each[3:5] != each[5:]]
    tally.wrong.extend(mistakes)
    if any(b"-" in each[3] for each in tokens) or any(
        b"-" in one.token.system_head for one in mistakes
    ):
        # A negative head may end it all.
        mine, its = both_frames(len(words), tokens)
        tally.frames.update(
            [b"%s/ %s" % both for both in zip(mine, its, strict=True) if both[0] != both[1]]
        )
    elif mistakes:
        tally.frames.update(_frames_that_differ(len(words), tokens, mistakes))
    tally.words.append(len(words))
    found = Attachments(
        len(tokens),
        sum([each.head for each in mistakes]),
        sum([each.relation for each in mistakes]),
        len(mistakes),
    )
    tally.sentences.append(found)
    return found


def _frames_that_differ(
    words: int, tokens: Sequence[Seven], mistakes: Sequence[Wrong]
) -> list[bytes]:
    """Those of :func:`both_frames`, of the only places where they can: the wrong words' heads."""
    token_of = (one.token for one in mistakes)
    heads = {
        int(number(head)) for token in token_of for head in (token.gold_head, token.system_head)
    }
    mine, its = ({place: b"** " if not place else b"" for place in heads} for _ in range(2))
    for place, _, _, head, relation, its_head, its_relation in tokens:
        target = int(number(head))
        if target in mine:
            mine[target] += relation + b" "
        if its_head is not head:  # (of an equal line it is the same object)
            target = int(number(its_head))
        if target in its:
            its[target] += its_relation + b" "
        if place + 1 in mine:
            mark = b"*%s* " % relation
            mine[place + 1] += mark
            its[place + 1] += mark
    return [
        b"%s/ %s" % (frame, its[place])
        for place, frame in mine.items()
        if place <= words and frame != its[place]
    ]


def _offset(head: bytes, here: int) -> Offset:
    target = number(head)
    return target - here if target else None


_BEFORE, _AFTER = ([(edge, edge, b"", b"")] * 2 for edge in (START, END))


def _wrong(token: Token, around: Sequence[Four]) -> Wrong:
    """``around`` are gold's words, and two edges before and behind them."""
    place = token.place
    return Wrong(
        error_kind(token),
        token.gold_head != token.system_head,
        token.gold_relation != token.system_relation,
        token,
        (Columns(*around[place]), Columns(*around[place + 1])),
        (Columns(*around[place + 3]), Columns(*around[place + 4])),
    )


def error_kind(token: Token) -> bytes:
    """What is wrong, as the key that equal errors share. Where a part is right it is a dash."""
    gold_side, system_side = _side(token.gold_head, token), _side(token.system_head, token)
    head = relation = b"-"
    if token.gold_head != token.system_head:
        off = number(token.system_head) - number(token.gold_head)
        head = b"0" if system_side == b"0" else shown(off)
    if token.gold_relation != token.system_relation:
        relation = b"%s->%s" % (token.gold_relation, token.system_relation)
    return SEPARATOR.join((head, gold_side + system_side, relation))


def _side(head: bytes, token: Token) -> bytes:
    """Where a head is: the root (0), the word itself (e), before it or after it."""
    here = token.place + 1
    if head == b"0":
        return b"0"
    target = number(head)
    if target == here and head == b"%d" % here:
        return b"e"
    return b"b" if target <= here else b"a"
