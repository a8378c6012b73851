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
    """What is found in a file. (Most of it is counted when all is there, which is quicker.)"""

    tokens: list[tuple[bytes, bytes, bytes, bool]]
    """Of each scored token: part of speech, gold's relation, system's, wrong head."""
    heads: list[tuple[bytes, bytes, int]]
    """Gold's and system's head, and the token's place in its sentence from 0."""
    frames: list[bytes]
    """Gold's and system's frame, where they differ."""
    wrong: list[Wrong]
    sentences: list[Attachments]
    words: list[int]
    """Skipped and scored words."""

    def offsets(self) -> Counter[tuple[Offset, Offset]]:
        """Gold's and system's head, as seen from the token."""
        found: Counter[tuple[Offset, Offset]] = Counter()
        for (head, its_head, place), count in Counter(self.heads).items():
            found[_offset(head, place + 1), _offset(its_head, place + 1)] += count
        return found


def new_tally() -> Tally:
    return Tally([], [], [], [], [], [])


def add_sentence(tally: Tally, gold: list[Columns], tokens: list[Token]) -> Attachments:
    """Count a sentence: all of its gold words, and the tokens that are scored."""
    tally.tokens.extend(
        [
            (pos, relation, its_relation, head != its_head)
            for _, _, pos, head, relation, its_head, its_relation in tokens
        ]
    )
    tally.heads.extend([(each[3], each[5], each[0]) for each in tokens])
    around = [*_BEFORE, *gold, *_AFTER]
    mistakes = [_wrong(each, around) for each in tokens if each[3:5] != each[5:7]]
    tally.wrong.extend(mistakes)
    if mistakes or any(b"-" in each[3] for each in tokens):
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
        tally.frames.extend(
            b"%s/ %s" % (mine, its) for mine, its in zip(gold, system, strict=True) if mine != its
        )


def _offset(head: bytes, here: int) -> Offset:
    target = number(head)
    return target - here if target else None


_BEFORE, _AFTER = ([Columns(edge, edge, b"", b"")] * 2 for edge in (START, END))


def _wrong(token: Token, around: list[Columns]) -> Wrong:
    """``around`` are gold's words, and two edges before and behind them."""
    place = token.place
    return Wrong(
        error_kind(token),
        token.gold_head != token.system_head,
        token.gold_relation != token.system_relation,
        token,
        (around[place], around[place + 1]),
        (around[place + 3], around[place + 4]),
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
