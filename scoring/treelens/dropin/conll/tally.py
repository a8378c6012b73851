"""Everything that the long report counts, in one walk over the scored tokens."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from treelens.dropin.conll.attachment import Attachments, both_frames
from treelens.dropin.conll.perl import number, shown
from treelens.dropin.conll.tokens import Columns, Token

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
    """The counts of a file."""

    tokens: Counter[tuple[bytes, bytes, bytes, bool]]
    """Part of speech, gold's relation, system's, wrong head."""
    offsets: Counter[tuple[Offset, Offset]]
    """Gold's and system's head."""
    frames: Counter[bytes]
    """Gold's and system's frame, where they differ."""
    wrong: list[Wrong]
    sentences: list[Attachments]
    words: list[int]
    """Skipped and scored words."""


def new_tally() -> Tally:
    return Tally(Counter(), Counter(), Counter(), [], [], [])


def add_sentence(tally: Tally, gold: list[Columns], tokens: list[Token]) -> Attachments:
    """Count a sentence: all of its gold words, and the tokens that are scored."""
    kinds, offsets = [], []
    first_wrong = len(tally.wrong)
    for token in tokens:
        place, _, pos, head, relation, its_head, its_relation = token
        wrong_head = head != its_head
        kinds.append((pos, relation, its_relation, wrong_head))
        offset = its_offset = _offset(head, place + 1)
        if wrong_head:
            its_offset = _offset(its_head, place + 1)
        offsets.append((offset, its_offset))
        if wrong_head or relation != its_relation:
            tally.wrong.append(_wrong(token, gold))
    tally.tokens.update(kinds)
    tally.offsets.update(offsets)
    mistakes = tally.wrong[first_wrong:]
    if mistakes or any(b"-" in token.gold_head for token in tokens):
        _add_frames(tally, len(gold), tokens)
    tally.words.append(len(gold))
    found = Attachments(
        len(tokens),
        sum(each.head for each in mistakes),
        sum(each.relation for each in mistakes),
        len(mistakes),
    )
    tally.sentences.append(found)
    return found


def _add_frames(tally: Tally, words: int, tokens: list[Token]) -> None:
    gold, system = both_frames(words, tokens)
    if gold != system:
        tally.frames.update(
            b"%s/ %s" % (mine, its) for mine, its in zip(gold, system, strict=True) if mine != its
        )


def _offset(head: bytes, here: int) -> Offset:
    target = number(head)
    return target - here if target else None


def _wrong(token: Token, gold: list[Columns]) -> Wrong:
    start, end = Columns(START, START, b"", b""), Columns(END, END, b"", b"")
    around = [
        gold[index] if 0 <= index < len(gold) else (start if index < 0 else end)
        for index in (token.place - 2, token.place - 1, token.place + 1, token.place + 2)
    ]
    return Wrong(
        error_kind(token),
        token.gold_head != token.system_head,
        token.gold_relation != token.system_relation,
        token,
        (around[0], around[1]),
        (around[2], around[3]),
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
    if head == b"%d" % here:
        return b"e"
    return b"b" if number(head) <= here else b"a"
