"""The long report: the tables over parts of speech, relations, heads and frames.

The layout is the originals'; a script that reads their tables finds every number here in the
same place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from treelens.dropin.conll.arguments import Request
from treelens.dropin.conll.attachment import Attachments
from treelens.dropin.conll.contexts import context_tables, focus_words
from treelens.dropin.conll.perl import number
from treelens.dropin.conll.specific import specific_errors
from treelens.dropin.conll.tally import END, ERRORS, HEAD, START, Tally

_POS_LINE = b"  -----------+-------+-------+------+-------+------+-------+-------\n"
_PAIR_LINE = b"  ----------------+------+---------+--------+------------+---------------\n"
_POS_ROW = b"  %-10s | %5d | %5d | %3.0f%% | %5d | %3.0f%% | %5d | %3.0f%%\n"
_POS_HEAD = b"  %-10s | %-5s | %-5s |   %%  | %-5s |   %%  | %-5s |   %%\n"
_POS_UNDER = b"  %-10s | %-5s | %-5s |      | %-5s |      | %-5s |\n"
_LEAST_FRAMES = 5

Offset = int | float | None
"""How far a head is to the right of its dependent; None for the root."""
Kinds = Mapping[tuple[bytes, bytes, bytes, bool], int]
"""Scored tokens by part of speech, gold's relation, system's, wrong head."""


class Apart(NamedTuple):
    """The sections that may be made in another process."""

    heads: bytes
    frames: bytes
    specific_errors: bytes


def made_apart(tally: Tally) -> Apart:
    sections = _heads(tally), _frames(tally), specific_errors(tally)
    return Apart(*map(b"".join, sections))


def long_report(tally: Tally, total: Attachments, request: Request, apart: Apart) -> bytes:
    """Everything below the three scores."""
    tokens = _kinds(tally)
    return b"".join(
        [
            _title(tally.size - total.tokens, request),
            *_accuracy(tokens, total),
            *_errors(tokens, total),
            *_relations(tokens),
            apart.heads,
            apart.frames,
            *focus_words(tally),
            *context_tables(tally),
            *_worst_sentences(tally),
            apart.specific_errors,
        ]
    )


def _kinds(tally: Tally) -> Kinds:
    kinds = Counter({(pos, own, own, False): count for (pos, own), count in tally.tokens.items()})
    for (pos, own, its, fault), count in tally.wrong_tokens.items():
        kinds[pos, own, own, False] -= count
        kinds[pos, own, its, bool(fault & HEAD)] += count
    return kinds


def by_count(counts: Mapping[bytes, int]) -> list[bytes]:
    """Keys from the most frequent down; those with equal counts in the order of their bytes."""
    return sorted(counts, key=lambda key: (-counts[key], key))


def _title(skipped: int, request: Request) -> bytes:
    return (
        b"\n  %s\n\n  Evaluation of the results in %s\n  vs. gold standard %s:\n\n"
        b"  Legend: '%s' - the beginning of a sentence, '%s' - the end of a sentence\n\n"
        b"  Number of non-scoring tokens: %d\n\n"
        % (b"=" * 80, request.system, request.gold, START, END, skipped)
    )


def _pos_counts(tokens: Kinds) -> dict[bytes, Attachments]:
    found: dict[bytes, list[int]] = {}
    for (pos, mine, its, head), count in tokens.items():
        relation = mine != its
        row = found.setdefault(pos, [0, 0, 0, 0])
        row[0] += count
        row[1] += count * head
        row[2] += count * relation
        row[3] += count * (head or relation)
    return {pos: Attachments(*row) for pos, row in found.items()}


def _pos_table(
    heads: tuple[bytes, bytes],
    tokens: Kinds,
    total: Attachments,
    row: Callable[[bytes, Attachments], bytes],
) -> Iterator[bytes]:
    counts = _pos_counts(tokens)
    yield from (_POS_LINE, *heads, _POS_LINE, row(b"total", total), _POS_LINE)
    for pos in by_count({pos: found.tokens for pos, found in counts.items()}):
        yield row(pos, counts[pos])
    yield _POS_LINE


def _accuracy(tokens: Kinds, total: Attachments) -> Iterator[bytes]:
    yield b"  The overall accuracy and its distribution over CPOSTAGs\n\n"
    heads = (
        _POS_HEAD % (b"Accuracy", b"words", b"right", b"right", b"both"),
        _POS_UNDER % (b" ", b" ", b"head", b" dep", b"right"),
    )
    yield from _pos_table(heads, tokens, total, _right_row)


def _right_row(name: bytes, found: Attachments) -> bytes:
    tokens, *wrong = found
    cells = [cell for each in wrong for cell in (tokens - each, 100 - each * 100.0 / tokens)]
    return _POS_ROW % (name, tokens, *cells)


def _errors(tokens: Kinds, total: Attachments) -> Iterator[bytes]:
    yield b"\n\n  The overall error rate and its distribution over CPOSTAGs\n\n"
    heads = (
        _POS_HEAD % (b"Error", b"words", b"head", b" dep", b"both"),
        _POS_UNDER % (b"Rate", b" ", b"err", b" err", b"wrong"),
    )
    yield from _pos_table(heads, tokens, total, _wrong_row)


def _wrong_row(name: bytes, found: Attachments) -> bytes:
    tokens, head, relation, either = found
    both = head + relation - either
    cells = [cell for each in (head, relation, both) for cell in (each, each * 100.0 / tokens)]
    return _POS_ROW % (name, tokens, *cells)


def _relations(tokens: Kinds) -> Iterator[bytes]:
    gold, system, same, same_attached = (Counter[bytes]() for _ in range(4))
    for (_, mine, its, wrong_head), count in tokens.items():
        gold[mine] += count
        system[its] += count
        if mine == its:
            same[mine] += count
            same_attached[mine] += 0 if wrong_head else count
    names = sorted(gold.keys() | system.keys())
    yield from _pair_table(b"DEPREL", b"deprel", names, gold, system, same)
    title = b"DEPREL + ATTACHMENT"
    yield from _pair_table(title, b"deprel", names, gold, system, same_attached)


def _heads(tally: Tally) -> Iterator[bytes]:
    offsets = Counter[tuple[Offset, Offset]]()
    for (head, place), count in tally.heads.items():
        offsets[(_offset(head, place),) * 2] += count
    for (head, place, its_head), count in tally.wrong_heads.items():
        mine, its = _offset(head, place), _offset(its_head, place)
        offsets[mine, mine] -= count
        offsets[mine, its] += count
    for title, name, bins in (
        (b"binned HEAD direction", b"direction", {_direction: _DIRECTIONS}),
        (b"binned HEAD distance", b"distance", {_distance: _DISTANCES}),
    ):
        for bin_of, names in bins.items():
            gold, system, same = (Counter[bytes]() for _ in range(3))
            for (mine, its), count in offsets.items():
                gold[bin_of(mine)] += count
                system[bin_of(its)] += count
                if bin_of(mine) == bin_of(its):
                    same[bin_of(mine)] += count
            yield from _pair_table(title, name, names, gold, system, same)


def _offset(head: bytes, place: int) -> Offset:
    target = number(head)
    return target - place if target else None


_DIRECTIONS = (b"to_root", b"left", b"right", b"self")
_DISTANCES = (b"to_root", b"1", b"2", b"3-6", b"7-...")


def _direction(offset: Offset) -> bytes:
    if offset is None:
        return b"to_root"
    return b"left" if offset < 0 else b"right" if offset > 0 else b"self"


def _distance(offset: Offset) -> bytes:
    if offset is None:
        return b"to_root"
    far = abs(offset)
    return b"1" if far <= 1 else b"2" if far <= 2 else b"3-6" if far <= 6 else b"7-..."


def _pair_table(
    title: bytes,
    name: bytes,
    keys: Iterable[bytes],
    gold: Counter[bytes],
    system: Counter[bytes],
    same: Counter[bytes],
) -> Iterator[bytes]:
    yield b"\n\n  Precision and recall of %s\n\n" % title
    yield _PAIR_LINE
    yield b"  %-15s | gold | correct | system | recall (%%) | precision (%%) \n" % name
    yield _PAIR_LINE
    for key in keys:
        ratios = [_ratio(same[key], whole) for whole in (gold[key], system[key])]
        counts = b"%4d | %7d | %6d" % (gold[key], same[key], system[key])
        yield b"  %-15s | %s | %10s | %13s\n" % (key, counts, *ratios)


def _ratio(part: int, whole: int) -> bytes:
    # This order of multiplying and dividing decides how halves are rounded.
    return b"%.2f" % (part / whole * 100) if whole else b"NaN"


def _frames(tally: Tally) -> Iterator[bytes]:
    yield b"\n\n  Frame confusions (gold versus system; *...* marks the head token)\n\n"
    often = {
        key: count
        for batch in tally.frames.batches()
        for key, count in batch.items()
        if count >= _LEAST_FRAMES
    }
    for frame in by_count(often):
        yield b"  %3d  %s\n" % (often[frame], frame)


def _worst_sentences(tally: Tally) -> Iterator[bytes]:
    yield b"\n\n".join(
        [
            b"  Sentence with the highest number of %s errors:\n"
            b"   Sentence %d line %d, %d head errors, %d dependency errors, %d word errors\n"
            % (name, worst.number, worst.line, *worst.found[1:])
            for (name, _), worst in zip(ERRORS, tally.worst, strict=True)
        ]
    )
